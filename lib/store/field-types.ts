import { deepFreeze } from '../core/objects.ts';
import type { Json } from '../schema/schema-dialect.ts';
import type { FieldType } from './collection.ts';
import type { Scalar } from './query.ts';
import { toStoredText } from './stored-text.ts';

/** What a value of each type must be, for messages. */
const WORDS: Readonly<Record<FieldType, string>> = {
  integer: 'a safe integer',
  text: 'a text',
  boolean: 'a boolean',
  integers: 'a list of safe integers',
  texts: 'a list of texts',
  json: 'a JSON value',
};

/** The value of a field that was not given. */
export const EMPTY_VALUES: Readonly<Record<FieldType, Json>> = {
  integer: 0,
  text: '',
  boolean: false,
  integers: Object.freeze([]),
  texts: Object.freeze([]),
  json: null,
};

/** `a safe integer`, `a text`, … */
export function describeType(type: FieldType): string {
  return WORDS[type];
}

/** The value as it is stored and compared; undefined if it is not of the type. */
export function toScalar(type: FieldType, value: unknown): Scalar | undefined {
  if (type === 'integer') return Number.isSafeInteger(value) ? Number(value) + 0 : undefined;
  if (type === 'text') return typeof value === 'string' ? toStoredText(value) : undefined;
  if (type === 'boolean') return typeof value === 'boolean' ? value : undefined;
  return undefined;
}

/** The type of the items of a list; undefined for other types. */
export function itemType(type: FieldType): FieldType | undefined {
  if (type === 'integers') return 'integer';
  return type === 'texts' ? 'text' : undefined;
}

/** Whether the value is frozen throughout, so that it needs no copy: most JSON that is written was read before. */
function isFrozenJson(value: unknown): value is Json {
  if (typeof value !== 'object' || value === null)
    return value === null || typeof value === 'string' || typeof value === 'boolean';
  // Checks the property descriptors, because a getter may return something else later.
  return (
    Object.getPrototypeOf(value) === Object.prototype &&
    Object.isFrozen(value) &&
    Object.values(Object.getOwnPropertyDescriptors(value)).every(
      (member) => member.enumerable === true && isFrozenJson(member.value),
    )
  );
}

/** What `JSON.stringify` keeps of the value, frozen; undefined if it keeps nothing. */
function toJson(value: unknown): Json | undefined {
  try {
    if (isFrozenJson(value)) return value;
    const text: string | undefined = JSON.stringify(value);
    return text === undefined ? undefined : deepFreeze(JSON.parse(text) as Json);
  } catch {
    // A cycle, a bigint or thousands of levels: not a JSON value.
    return undefined;
  }
}

function toList(item: FieldType, value: unknown): Json | undefined {
  if (!Array.isArray(value)) return undefined;
  const list: Json[] = [];
  for (const member of value) {
    const scalar = toScalar(item, member);
    if (scalar === undefined) return undefined;
    list.push(scalar);
  }
  return Object.freeze(list);
}

/** A frozen copy of the value as it is stored; undefined if it is not of the type. */
export function toStoredValue(type: FieldType, value: unknown): Json | undefined {
  const item = itemType(type);
  if (item !== undefined) return toList(item, value);
  return type === 'json' ? toJson(value) : toScalar(type, value);
}
