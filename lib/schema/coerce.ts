import { createRecord, isObject, own } from '../core/objects.ts';
import { parseJsonList, parseJsonText } from '../json/parse-json.ts';
import type { ArgSchema, Json } from './schema-dialect.ts';
import { hasRawText, listLimit, typesOf } from './schema.ts';
import { TYPES } from './type-words.ts';

/** Most JSON text inside JSON values that is parsed per request, in total. Bytes. */
export const PACKED_LIMIT = 128 * 1024;

/** State while the parameters of a request are read. */
export class Reading {
  /** The limit of a list that had too many items and was cut after the first one too many; null: none was cut. */
  cutAt: number | null = null;
  /** How many bytes may still be parsed as JSON. Texts beyond that stay strings. */
  #left: number;
  /** How much of each list that was tried may be parsed: branches of a schema try the same text. */
  #lists: Map<string, number> | undefined;
  #objects: Map<string, unknown> | undefined;

  constructor(left = Infinity) {
    this.#left = left;
  }

  /** Returns `cutAt` and resets it for the next value. */
  takeCut(): number | null {
    const { cutAt } = this;
    this.cutAt = null;
    return cutAt;
  }

  /** Allows the texts of a form to be parsed as JSON, once per text. */
  allow(value: unknown): void {
    if (typeof value === 'string') this.#left += Buffer.byteLength(value);
    else if (typeof value === 'object' && value !== null)
      for (const member of Object.values(value)) this.allow(member);
  }

  /** The object that a text contains as JSON; undefined if there is none. It is parsed once, even if several branches are tried. */
  parseObject(text: string): unknown {
    if (!text.trimStart().startsWith('{')) return undefined;
    this.#objects ??= new Map();
    if (!this.#objects.has(text)) this.#objects.set(text, this.#parseObject(text));
    return this.#objects.get(text);
  }

  /** The list that a text contains as JSON, up to a limit; undefined if there is none. */
  parseList(text: string, most: number): unknown {
    if (!text.trimStart().startsWith('[')) return undefined;
    this.#lists ??= new Map();
    const longest = this.#lists.get(text) ?? this.#left;
    if (!this.#lists.has(text)) {
      this.#lists.set(text, longest);
      this.#left -= Buffer.byteLength(text);
    }
    return longest > 0 ? this.#parse(() => parseJsonList(text, most, longest)) : undefined;
  }

  #parseObject(text: string): unknown {
    const bytes = Buffer.byteLength(text);
    if (bytes > this.#left) return undefined;
    this.#left -= bytes;
    return this.#parse(() => parseJsonText(text));
  }

  #parse(parse: () => unknown): unknown {
    try {
      return parse();
    } catch {
      return undefined; // not JSON: it stays a string, and validation says what is wrong with it
    }
  }
}

// Only ASCII whitespace is allowed around a number.
const INTEGER_TEXT = /^[ \t\n\r\v\f]*[+-]?\d{1,15}(?:\.0*)?[ \t\n\r\v\f]*$/;
const NUMBER_TEXT =
  /^[ \t\n\r\v\f]*[+-]?(?:\d{1,15}(?:\.\d{0,15})?|\.\d{1,15})(?:e[+-]?\d{1,2})?[ \t\n\r\v\f]*$/i;
const TRUE = new Set<unknown>([true, 1, '1', 'true']);
const FALSE = new Set<unknown>([false, 0, '0', 'false']);

/** The number that a string spells; any other value unchanged. */
export function toInteger(value: unknown): unknown {
  return typeof value === 'string' && INTEGER_TEXT.test(value) ? Number(value) : value;
}

/** The same, with fractions and exponents. */
export function toNumber(value: unknown): unknown {
  return typeof value === 'string' && NUMBER_TEXT.test(value) ? Number(value) : value;
}

/**
 * The string for a number, true or false: '' for false and null, "1" for true. Any other value is unchanged, and so is
 * an integer beyond 2^53, because it may differ from the one that was sent.
 */
export function toText(value: unknown): unknown {
  if (typeof value === 'number')
    return Number.isInteger(value) && !Number.isSafeInteger(value) ? value : String(value);
  if (typeof value === 'boolean') return value ? '1' : '';
  return value ?? '';
}

/** The boolean that a word or a number stands for; any other value unchanged. */
export function toBoolean(value: unknown): unknown {
  const word = typeof value === 'string' ? value.toLowerCase() : value;
  if (TRUE.has(word)) return true;
  return FALSE.has(word) ? false : value;
}

const WORD = /[^ \t\n\r\v\f,]+/g;
const DIGITS = /^\d+$/;

/** The words of a text, separated by commas and spaces, up to `most` of them. The rest is not read. */
export function splitWords(text: string, most: number): readonly string[] {
  const words: string[] = [];
  for (const [word] of text.matchAll(WORD)) if (words.push(word) >= most) break;
  return words;
}

/** The words of a text, or of each text of a list; null if there are more words or texts than the limit. */
export function wordsOf(value: unknown, limit: number): readonly string[] | null {
  const parts: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (parts.length > limit) return null;
  const words: string[] = [];
  for (const part of parts) {
    if (typeof part === 'string') words.push(...splitWords(part, limit + 1 - words.length));
    if (words.length > limit) return null;
  }
  return words;
}

/** Whether an object is a list as forms send it: `{0: 'a', 5: 'b'}`. */
export function isNumbered(value: object): boolean {
  return Object.keys(value).every((key) => DIGITS.test(key));
}

/** The items of a value that stands for a list, up to a limit; null if it does not. */
export function toItems(value: unknown, most: number, reading = new Reading()): readonly unknown[] | null {
  if (Array.isArray(value)) return value.slice(0, most);
  if (typeof value === 'string') {
    const parsed = reading.parseList(value, most);
    return Array.isArray(parsed) ? parsed : splitWords(value, most);
  }
  // As text, like every other single value: the schema of the items decides what it means.
  if (typeof value === 'number' || typeof value === 'boolean') return [String(value)];
  return typeof value === 'object' && value !== null && isNumbered(value)
    ? Object.values(value).slice(0, most)
    : null;
}

/** Most items of a list that an argument accepts; 0: it does not accept lists. */
function mostItems(schema: ArgSchema): number {
  if (schema.oneOf !== undefined) return Math.max(0, ...schema.oneOf.map(mostItems));
  return typesOf(schema).includes('array') ? listLimit(schema) : 0;
}

/**
 * The value of a name that was sent more than once. For a list: all items, with each part read like a single
 * list; else the last value.
 */
export function joinParts(schema: ArgSchema, parts: readonly unknown[], reading = new Reading()): unknown {
  const most = mostItems(schema);
  if (most === 0) return parts.at(-1);
  const items: unknown[] = [];
  for (const part of parts) {
    items.push(...(toItems(part, most + 1 - items.length, reading) ?? [part]));
    if (items.length > most) break;
  }
  return items;
}

type Members = Readonly<Record<string, unknown>>;

/** Converts a value for one schema, as `coerce` does. */
export type Coerce = (value: unknown, reading: Reading) => unknown;

/** A list that is longer than its schema allows keeps one item too many, so that validation refuses it. */
function compileList(schema: ArgSchema): Coerce {
  const limit = listLimit(schema);
  const toItem = schema.items === undefined ? null : compileCoercion(schema.items);
  return (value, reading) => {
    const list = toItems(value, limit + 1, reading);
    if (list === null) return value;
    if (list.length > limit) reading.cutAt = limit;
    return Object.freeze(toItem === null ? [...list] : list.map((item) => toItem(item, reading)));
  };
}

/**
 * A text field of a record: a string stands for `{raw: text}`. Other values except objects are ignored, and so is an
 * object with an empty `raw` (`title: ''` empties the title, `title: {raw: ''}` leaves it unchanged). A number as `raw` becomes
 * a string; a list or an object stays unchanged, so that validation refuses it.
 */
function toRawText(value: unknown): Members {
  if (typeof value === 'string') return { raw: value };
  const raw = isObject(value) ? toText(value['raw']) : '';
  return raw === '' ? {} : { raw };
}

function toMembers(schema: ArgSchema, value: unknown, reading: Reading): unknown {
  if (typeof value !== 'string') return value;
  return value.trim() === '' && schema.additionalProperties !== false
    ? {}
    : (reading.parseObject(value) ?? value);
}

function compileObject(schema: ArgSchema): Coerce {
  if (hasRawText(schema)) return (value) => Object.freeze(toRawText(value));
  const properties = new Map(
    Object.entries(schema.properties ?? {}).map(([name, property]) => [name, compileCoercion(property)]),
  );
  const rest =
    typeof schema.additionalProperties === 'object'
      ? compileCoercion(schema.additionalProperties)
      : undefined;
  return (value, reading) => {
    const members = toMembers(schema, value, reading);
    if (!isObject(members)) return members;
    const out = createRecord();
    // Not with Object.entries: creating the entries takes longer than everything else here.
    for (const name of Object.keys(members)) {
      const toMember = properties.get(name) ?? rest;
      out[name] = toMember === undefined ? own(members, name) : toMember(own(members, name), reading);
    }
    return Object.freeze(out);
  };
}

/** Whether a coerced value has the types, enum words and members of the schema. Validation checks bounds and patterns. */
function accepts(schema: ArgSchema, value: unknown): boolean {
  const types = typesOf(schema);
  if (types.length > 0 && !types.some((type) => fits(type, value))) return false;
  if (schema.enum !== undefined && !schema.enum.includes(value as Json)) return false;
  const { items, properties = {}, additionalProperties } = schema;
  if (Array.isArray(value)) return items === undefined || value.every((item) => accepts(items, item));
  if (!isObject(value)) return true;
  if (additionalProperties === false && !Object.keys(value).every((name) => Object.hasOwn(properties, name)))
    return false;
  return Object.entries(properties).every(([name, property]) =>
    Object.hasOwn(value, name) ? accepts(property, value[name]) : property.required !== true,
  );
}

/** Objects are tried in the object branches first, other values in the other branches, because a string or an empty object can be read as either. */
function rankBranches(branches: readonly ArgSchema[], isMembers: boolean): readonly ArgSchema[] {
  const isOfKind = (branch: ArgSchema): boolean => typesOf(branch).includes('object') === isMembers;
  return [...branches.filter(isOfKind), ...branches.filter((branch) => !isOfKind(branch))];
}

const hasNames = (value: unknown): boolean => isObject(value) && !isNumbered(value);

/** The branch of `oneOf` that a coerced value was read for; if it fits none, the first branch of its kind. */
export function branchOf(branches: readonly ArgSchema[], value: unknown): number {
  const ranked = rankBranches(branches, hasNames(value));
  return branches.indexOf(ranked.find((branch) => accepts(branch, value)) ?? (ranked[0] as ArgSchema));
}

/** The empty string could be any list or object. It stays unchanged, so that validation refuses it. */
export function isAmbiguous(branches: readonly ArgSchema[], value: unknown): boolean {
  return (
    value === '' &&
    branches.every((branch) => typesOf(branch).some((type) => type === 'array' || type === 'object'))
  );
}

/** A value as the client meant it, and the branch that it was read for. */
interface BranchRead {
  readonly branch: ArgSchema;
  readonly sent: unknown;
}

/** Reads a value for each branch in turn, until one accepts it; if none does, for the first branch of its kind. */
function readBranch(branches: readonly ArgSchema[], value: unknown, reading: Reading): BranchRead {
  const before = reading.takeCut();
  let first: (BranchRead & { readonly cutAt: number | null }) | null = null;
  for (const branch of rankBranches(
    branches,
    hasNames(value) || (typeof value === 'string' && reading.parseObject(value) !== undefined),
  )) {
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

/** Defaults are filled in only here: in other objects a missing member means "leave unchanged". */
function fillDefaults({ branch, sent }: BranchRead): unknown {
  if (!isObject(sent)) return sent;
  const defaults = Object.entries(branch.properties ?? {}).filter(
    ([, property]) => property.default !== undefined,
  );
  return Object.freeze({
    ...Object.fromEntries(defaults.map(([name, property]) => [name, coerce(property, property.default)])),
    ...sent,
  });
}

/** Whether a value already is of a JSON Schema type. */
export function fits(type: string, value: unknown): boolean {
  return TYPES.get(type)?.fits(value) === true;
}

/** Reads values for one type of a schema. */
interface TypeReader {
  readonly fits: (value: unknown) => boolean;
  /** The value converted to the type; a value that does not fit where it cannot be converted. */
  readonly read: Coerce;
}

const CONTAINERS: Readonly<Record<string, (schema: ArgSchema) => Coerce>> = {
  array: compileList,
  object: compileObject,
};
/** Conversions of other values. Those that they cannot convert stay unchanged. Texts and null are never made of other values. */
const SCALARS: Readonly<Record<string, (value: unknown) => unknown>> = {
  integer: toInteger,
  number: toNumber,
  boolean: toBoolean,
};

function compileType(type: string, schema: ArgSchema): TypeReader {
  const rule = TYPES.get(type);
  if (rule === undefined) throw new TypeError(`unknown type "${type}"`);
  return {
    fits: rule.fits,
    read: own(CONTAINERS, type)?.(schema) ?? own(SCALARS, type) ?? ((value) => value),
  };
}

function compile(schema: ArgSchema): Coerce {
  if (schema.oneOf !== undefined) return (value, reading) => coerceBoth(schema, value, reading).value;
  const types = typesOf(schema);
  const [takesText, takesIntegers] = [types.includes('string'), types.includes('integer')];
  const readers = types.map((type) => compileType(type, schema));
  return (value, reading) => {
    if (takesText && typeof value === 'string') return value;
    const exact = readers.find((reader) => reader.fits(value));
    if (exact !== undefined) return exact.read(value, reading);
    for (const reader of readers) {
      const coerced = reader.read(value, reading);
      if (reader.fits(coerced)) return coerced;
    }
    // Beyond 2^53 the parsed number may differ from the one that was sent. It stays a string, so that it is refused.
    return takesIntegers && Number.isInteger(value) ? String(value) : value;
  };
}

const compiled = new WeakMap<ArgSchema, Coerce>();

/** The coercion of a schema, compiled once. */
export function compileCoercion(schema: ArgSchema): Coerce {
  const known = compiled.get(schema);
  if (known !== undefined) return known;
  const made = compile(schema);
  compiled.set(schema, made);
  return made;
}

/**
 * Converts the value that a client sent to the type of the schema if that is unambiguous; otherwise leaves it unchanged,
 * so that validation refuses it. It changes only `reading`; lists and objects are copied and frozen.
 * The cost is bounded by the schema: at most one item more than a list allows is read.
 */
export function coerce(schema: ArgSchema, value: unknown, reading: Reading = new Reading()): unknown {
  return compileCoercion(schema)(value, reading);
}

/** The coerced value, and the same without the defaults of a branch, as the client meant it: page links use the latter. */
export function coerceBoth(
  schema: ArgSchema,
  value: unknown,
  reading: Reading,
): { readonly value: unknown; readonly sent: unknown } {
  const { oneOf } = schema;
  if (oneOf === undefined || isAmbiguous(oneOf, value)) {
    const coerced = oneOf === undefined ? coerce(schema, value, reading) : value;
    return { value: coerced, sent: coerced };
  }
  const read = readBranch(oneOf, value, reading);
  return { value: fillDefaults(read), sent: read.sent };
}
