import { parseJson } from './json-text.ts';
import { own } from './own.ts';
import { hasRawText, typesOf } from './schema.ts';
import type { ArgSchema, Json } from './schema-dialect.ts';

// Blanks are those of ASCII: other ones are no spelling of a number.
const INTEGER = /^[ \t\n\r\v\f]*[+-]?\d{1,15}(?:\.0*)?[ \t\n\r\v\f]*$/;
const NUMBER = /^[ \t\n\r\v\f]*[+-]?(?:\d{1,15}(?:\.\d{0,15})?|\.\d{1,15})(?:e[+-]?\d{1,2})?[ \t\n\r\v\f]*$/i;
const TRUE = new Set<unknown>([true, 1, '1']);
const FALSE = new Set<unknown>([false, 0, '0']);

type Members = Readonly<Record<string, unknown>>;

/** A JSON object (not null, not a list). */
export function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parseJsonText(text: string, opening: '[' | '{'): unknown {
  if (!text.trimStart().startsWith(opening)) return undefined;
  try {
    return parseJson(Buffer.from(text)); // held to the limits of a JSON body: it is one by another way
  } catch {
    return undefined; // not JSON after all: the text stays a text, and validation names what is wrong with it
  }
}

function toInteger(value: unknown): unknown {
  return typeof value === 'string' && INTEGER.test(value) ? Number(value) : value;
}

function toNumber(value: unknown): unknown {
  return typeof value === 'string' && NUMBER.test(value) ? Number(value) : value;
}

function toBoolean(value: unknown): unknown {
  const word = typeof value === 'string' ? value.toLowerCase() : value;
  if (word === 'true' || TRUE.has(word)) return true;
  if (word === 'false' || FALSE.has(word)) return false;
  return value;
}

function toList(value: unknown): unknown {
  if (typeof value === 'string') {
    const parsed = parseJsonText(value, '[');
    return Array.isArray(parsed) ? parsed : value.split(/[ \t\n\r\v\f,]+/).filter((part) => part !== '');
  }
  // As text, like every other single value: the items decide what it means.
  if (typeof value === 'number' || typeof value === 'boolean') return [String(value)];
  if (isObject(value) && Object.keys(value).every((key) => /^\d+$/.test(key))) return Object.values(value);
  return value;
}

function coerceList(schema: ArgSchema, value: unknown): unknown {
  const list = toList(value);
  if (!Array.isArray(list)) return list;
  const { items } = schema;
  return Object.freeze(items === undefined ? [...list] : list.map((item: unknown) => coerce(items, item)));
}

/**
 * A text field of a record: plain text stands for `{raw: text}`; anything else but an object says nothing, nor does an
 * object with an empty `raw` (`title: ''` empties the title, `title: {raw: ''}` leaves it).
 */
function toRawText(value: unknown): Members {
  if (typeof value === 'string') return { raw: value };
  return isObject(value) && typeof value['raw'] === 'string' && value['raw'] !== '' ? { raw: value['raw'] } : {};
}

function toMembers(schema: ArgSchema, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  return value.trim() === '' && schema.additionalProperties !== false ? {} : parseJsonText(value, '{') ?? value;
}

function coerceObject(schema: ArgSchema, value: unknown): unknown {
  const properties = schema.properties ?? {};
  if (hasRawText(schema)) return Object.freeze(toRawText(value));
  const members = toMembers(schema, value);
  if (!isObject(members)) return members;
  const rest = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined;
  const out: Record<string, unknown> = Object.create(null);
  for (const [name, member] of Object.entries(members)) {
    const property = Object.hasOwn(properties, name) ? properties[name] : rest;
    out[name] = property === undefined ? member : coerce(property, member);
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
function isMeantAsMembers(value: unknown): boolean {
  return isObject(value) ? !Object.keys(value).every((key) => /^\d+$/.test(key)) : typeof value === 'string' && parseJsonText(value, '{') !== undefined;
}

/** The first branch of `oneOf` that the value fits once it is read for it; where it fits none, the first of its kind. */
export function branchOf(branches: readonly ArgSchema[], value: unknown): number {
  const isMembers = isMeantAsMembers(value);
  const isOfKind = (branch: ArgSchema): boolean => typesOf(branch).includes('object') === isMembers;
  const ranked = [...branches.filter(isOfKind), ...branches.filter((branch) => !isOfKind(branch))];
  const chosen = ranked.find((branch) => accepts(branch, coerce(branch, value))) ?? ranked[0];
  return branches.findIndex((branch) => branch === chosen);
}

/** The empty text means any list or object: it stays as it is, for validation to refuse. */
export function isAmbiguous(branches: readonly ArgSchema[], value: unknown): boolean {
  return value === '' && branches.every((branch) => typesOf(branch).some((type) => type === 'array' || type === 'object'));
}

/** Only here are members filled with defaults: elsewhere a missing member of an object means "leave it". */
function coerceBranch(branches: readonly ArgSchema[], value: unknown): unknown {
  if (isAmbiguous(branches, value)) return value;
  const branch = branches[branchOf(branches, value)] as ArgSchema;
  const coerced = coerce(branch, value);
  if (!isObject(coerced)) return coerced;
  const defaults = Object.entries(branch.properties ?? {}).filter(([, property]) => property.default !== undefined);
  return Object.freeze({ ...Object.fromEntries(defaults.map(([name, property]) => [name, coerce(property, property.default)])), ...coerced });
}

const COERCIONS: Readonly<Record<string, (schema: ArgSchema, value: unknown) => unknown>> = {
  integer: (_schema, value) => toInteger(value),
  number: (_schema, value) => toNumber(value),
  boolean: (_schema, value) => toBoolean(value),
  array: coerceList,
  object: coerceObject,
};

/** Whether a value is of a JSON Schema type already. */
export function fits(type: string, value: unknown): boolean {
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isObject(value);
  if (type === 'null') return value === null;
  if (type === 'integer') return Number.isSafeInteger(value);
  return typeof value === type;
}

/**
 * Turns what a client sent into the value that the schema means, where that is beyond doubt; leaves it as it is
 * otherwise, for validation to refuse. Pure; lists and objects come out new and frozen.
 */
export function coerce(schema: ArgSchema, value: unknown): unknown {
  if (schema.oneOf !== undefined) return coerceBranch(schema.oneOf, value);
  const types = typesOf(schema);
  if (types.includes('string') && typeof value === 'string') return value;
  const exact = types.find((type) => fits(type, value));
  for (const type of exact === undefined ? types : [exact]) {
    const coerced = own(COERCIONS, type)?.(schema, value);
    if (coerced !== undefined && fits(type, coerced)) return coerced;
  }
  // Beyond 2^53 the number that was sent and the one that was read may differ: as text it is refused.
  return types.includes('integer') && Number.isInteger(value) ? String(value) : value;
}

/** The same without filling in defaults: the value as the client meant it, to be sent back in links. */
export function coerceSent(schema: ArgSchema, value: unknown): unknown {
  if (schema.oneOf === undefined || isAmbiguous(schema.oneOf, value)) return coerce(schema, value);
  return coerce(schema.oneOf[branchOf(schema.oneOf, value)] as ArgSchema, value);
}
