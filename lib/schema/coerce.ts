import { isNumbered, toItems } from './list-items.ts';
import { isObject, own } from '../core/objects.ts';
import { Reading } from './reading.ts';
import { toText } from './scalars.ts';
import { hasRawText, listLimit, typesOf } from './schema.ts';
import type { ArgSchema, Json } from './schema-dialect.ts';
import { TYPES } from './type-words.ts';

type Members = Readonly<Record<string, unknown>>;

/** A list that is longer than its schema allows comes out with one item too many, for validation to refuse. */
function coerceList(schema: ArgSchema, value: unknown, reading: Reading): unknown {
  const limit = listLimit(schema);
  const list = toItems(value, limit + 1, reading);
  if (list === null) return value;
  if (list.length > limit) reading.cutAt = limit;
  const { items } = schema;
  return Object.freeze(items === undefined ? [...list] : list.map((item) => coerce(items, item, reading)));
}

/**
 * A text field of a record: plain text stands for `{raw: text}`; anything else but an object says nothing, nor does an
 * object with an empty `raw` (`title: ''` empties the title, `title: {raw: ''}` leaves it). A number as `raw` is its text;
 * a list or an object stays for validation to refuse.
 */
function toRawText(value: unknown): Members {
  if (typeof value === 'string') return { raw: value };
  const raw = isObject(value) ? toText(value['raw']) : '';
  return raw === '' ? {} : { raw };
}

function toMembers(schema: ArgSchema, value: unknown, reading: Reading): unknown {
  if (typeof value !== 'string') return value;
  return value.trim() === '' && schema.additionalProperties !== false ? {} : reading.parseObject(value) ?? value;
}

function coerceObject(schema: ArgSchema, value: unknown, reading: Reading): unknown {
  const properties = schema.properties ?? {};
  if (hasRawText(schema)) return Object.freeze(toRawText(value));
  const members = toMembers(schema, value, reading);
  if (!isObject(members)) return members;
  const rest = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined;
  const out: Record<string, unknown> = Object.create(null);
  // Not by entries: making them takes longer than all the rest.
  for (const name of Object.keys(members)) {
    const member = own(members, name);
    const property = own(properties, name) ?? rest;
    out[name] = property === undefined ? member : coerce(property, member, reading);
  }
  return Object.freeze(out);
}

/** Whether a coerced value has the types, words and members that the schema asks for. Bounds and patterns are for validation. */
function accepts(schema: ArgSchema, value: unknown): boolean {
  const types = typesOf(schema);
  if (types.length > 0 && !types.some((type) => fits(type, value))) return false;
  if (schema.enum !== undefined && !schema.enum.includes(value as Json)) return false;
  const { items, properties = {}, additionalProperties } = schema;
  if (Array.isArray(value)) return items === undefined || value.every((item) => accepts(items, item));
  if (!isObject(value)) return true;
  if (additionalProperties === false && !Object.keys(value).every((name) => Object.hasOwn(properties, name))) return false;
  return Object.entries(properties).every(([name, property]) => (Object.hasOwn(value, name) ? accepts(property, value[name]) : property.required !== true));
}

/** Objects are tried in the object branches first, all else in the others, because a text or an empty object can be read as either. */
function rankBranches(branches: readonly ArgSchema[], isMembers: boolean): readonly ArgSchema[] {
  const isOfKind = (branch: ArgSchema): boolean => typesOf(branch).includes('object') === isMembers;
  return [...branches.filter(isOfKind), ...branches.filter((branch) => !isOfKind(branch))];
}

const hasNames = (value: unknown): boolean => isObject(value) && !isNumbered(value);

/** Which branch of `oneOf` a coerced value was read for; where it fits none, the first of its kind. */
export function branchOf(branches: readonly ArgSchema[], value: unknown): number {
  const ranked = rankBranches(branches, hasNames(value));
  return branches.indexOf(ranked.find((branch) => accepts(branch, value)) ?? ranked[0] as ArgSchema);
}

/** The empty text means any list or object: it stays as it is, for validation to refuse. */
export function isAmbiguous(branches: readonly ArgSchema[], value: unknown): boolean {
  return value === '' && branches.every((branch) => typesOf(branch).some((type) => type === 'array' || type === 'object'));
}

/** A value as it was meant, and the branch that it was read for. */
interface BranchRead {
  readonly branch: ArgSchema;
  readonly sent: unknown;
}

/** Reads a value for one branch after the other, each once, until one takes it; where none does, for the first of its kind. */
function readBranch(branches: readonly ArgSchema[], value: unknown, reading: Reading): BranchRead {
  const before = reading.takeCut();
  let first: (BranchRead & { readonly cutAt: number | null }) | null = null;
  for (const branch of rankBranches(branches, hasNames(value) || (typeof value === 'string' && reading.parseObject(value) !== undefined))) {
    const sent = coerce(branch, value, reading);
    const cutAt = reading.takeCut();
    if (cutAt === null && accepts(branch, sent)) {
      reading.cutAt = before;
      return { branch, sent };
    }
    first ??= { branch, sent, cutAt };
  }
  reading.cutAt = first?.cutAt ?? before;
  return first ?? { branch: {}, sent: value };
}

/** Only here are members filled with defaults: elsewhere a missing member of an object means "leave it". */
function fillDefaults({ branch, sent }: BranchRead): unknown {
  if (!isObject(sent)) return sent;
  const defaults = Object.entries(branch.properties ?? {}).filter(([, property]) => property.default !== undefined);
  return Object.freeze({ ...Object.fromEntries(defaults.map(([name, property]) => [name, coerce(property, property.default)])), ...sent });
}

const CONTAINERS: Readonly<Record<string, (schema: ArgSchema, value: unknown, reading: Reading) => unknown>> = { array: coerceList, object: coerceObject };

/** Whether a value is of a JSON Schema type already. */
export function fits(type: string, value: unknown): boolean {
  return TYPES.get(type)?.fits(value) === true;
}

/** The value read for one type; undefined where nothing is converted to it. */
function convert(type: string, { schema, value, reading }: { readonly schema: ArgSchema; readonly value: unknown; readonly reading: Reading }): unknown {
  const container = own(CONTAINERS, type);
  return container === undefined ? TYPES.get(type)?.convert?.(value) : container(schema, value, reading);
}

/**
 * Turns what a client sent into the value that the schema means, where that is beyond doubt; leaves it as it is
 * otherwise, for validation to refuse. Pure but for the `reading`; lists and objects come out new and frozen.
 * The cost is bounded by what the schema allows: of a list, one item too many is the last that is looked at.
 */
export function coerce(schema: ArgSchema, value: unknown, reading: Reading = new Reading()): unknown {
  if (schema.oneOf !== undefined) return coerceBoth(schema, value, reading).value;
  const types = typesOf(schema);
  if (types.includes('string') && typeof value === 'string') return value;
  const exact = types.find((type) => fits(type, value));
  for (const type of exact === undefined ? types : [exact]) {
    const coerced = convert(type, { schema, value, reading });
    if (coerced !== undefined && fits(type, coerced)) return coerced;
  }
  // Beyond 2^53 the number that was sent and the one that was read may differ: as text it is refused.
  return types.includes('integer') && Number.isInteger(value) ? String(value) : value;
}

/** A coerced value, and the same as the client meant it, without the defaults of a branch: to be sent back in links. */
export function coerceBoth(schema: ArgSchema, value: unknown, reading: Reading): { readonly value: unknown; readonly sent: unknown } {
  const { oneOf } = schema;
  if (oneOf === undefined || isAmbiguous(oneOf, value)) {
    const coerced = oneOf === undefined ? coerce(schema, value, reading) : value;
    return { value: coerced, sent: coerced };
  }
  const read = readBranch(oneOf, value, reading);
  return { value: fillDefaults(read), sent: read.sent };
}
