import { own, deepFreeze } from '../core/objects.ts';
import type { Json } from '../schema/schema-dialect.ts';
import type { Scalar } from './query.ts';
import { toSortText, toStoredText } from './stored-text.ts';

/**
 * `text`: any string. `integer`: a safe integer. `integers`, `texts`: a list, stored in the given order.
 * `json`: any JSON value, opaque to queries.
 */
export type FieldType = 'integer' | 'text' | 'boolean' | 'integers' | 'texts' | 'json';

/** A field is never null, unless it is `json`. A missing value is 0, '', false, [] or (json) null. */
export interface FieldDescriptor {
  /** Type of its values. */
  readonly type: FieldType;
  /** Also stores the folded text (see `fold`), so that `contains`, `equalsFolded` and the order by folded text are the same in every store. */
  readonly folded?: true;
  /**
   * Most characters (code points) of a text. A longer one is refused with `invalid`. A database whose indexes hold only the beginnings of
   * texts can then index the field as it is, and answer from the index alone. For names, states and dates.
   */
  readonly maxLength?: number;
  /** Collection of the records whose ids the field holds, one or a list. Imports replace them by the ids that these records get. */
  readonly references?: string;
}

/** No two records may have the same values in all `fields`. Records with all of the `except` values are exempt. */
export interface UniqueKey {
  readonly fields: readonly string[];
  readonly except?: Readonly<Record<string, string | number>>;
}

/** The fields of a record that the log keeps with each change, for those who read it when the record has changed again or is gone. */
export interface LoggedFields {
  /** Fields whose values are kept. They should be short. */
  readonly keeps: readonly string[];
  /** Text fields of which the log only says whether they are not empty, such as passwords. */
  readonly hides?: readonly string[];
}

/** The shape of one kind of record. `id` and `version` need not be declared. */
export interface CollectionDescriptor {
  /** Name of the collection. Queries and operations use it. */
  readonly name: string;
  /** Fields by name. */
  readonly fields: Readonly<Record<string, FieldDescriptor>>;
  /** Keys that no two records share. */
  readonly unique?: readonly UniqueKey[];
  /**
   * Fields of each index: first those compared for equality, then the one to order by. An index that begins with a
   * list field returns the records whose list contains an item (PostgreSQL does not use it). List fields are always indexed.
   */
  readonly indexes?: readonly (readonly string[])[];
  /** Folded fields whose texts are indexed by trigrams, so that `contains` of at least three characters does not read every record. */
  readonly search?: readonly string[];
  /** Each change is written into the log, in the same commit (`Store.changes`). `true`: without fields of the record. Absent: there is no log. */
  readonly logged?: true | LoggedFields;
  /** The records belong to this store and moment, such as locks: exports and imports leave them out. */
  readonly transient?: true;
}

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

/** The checked collections by name. */
export type Collections = ReadonlyMap<string, CollectionDescriptor>;

/** The types whose values can be compared and ordered. */
export const SCALAR_TYPES: readonly FieldType[] = ['integer', 'text', 'boolean'];
/** The fields of every record, which no collection declares. */
export const OWN_FIELDS: Readonly<Record<string, FieldDescriptor>> = {
  id: { type: 'integer' },
  version: { type: 'integer' },
};

/** Whether values of the type can be compared and ordered. */
export function isScalarType(type: FieldType): boolean {
  return SCALAR_TYPES.includes(type);
}

/** The declared field, or that of `id` and `version`. undefined: there is no such field. */
export function fieldOf(collection: CollectionDescriptor, name: string): FieldDescriptor | undefined {
  return own(collection.fields, name) ?? own(OWN_FIELDS, name);
}

/** Whether an index begins with a list field. */
export function isListIndex({ fields }: CollectionDescriptor, [first = '']: readonly string[]): boolean {
  return itemType(own(fields, first)?.type ?? 'json') !== undefined;
}

/** A value whose `<` is the order of every store: numbers, booleans as 0 and 1, texts by code point. */
export type SortValue = string | number;

/** The sort value of a scalar. */
export function toSortValue(value: Json | Scalar | undefined): SortValue {
  if (typeof value === 'string') return toSortText(value);
  return typeof value === 'number' ? value : Number(value === true);
}
