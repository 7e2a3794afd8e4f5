import { own } from '../core/objects.ts';
import type { ArgSchema, Json } from './schema-dialect.ts';
import { TYPES, TYPE_WORDS, type TypeWord } from './type-words.ts';

/** JSON Schema as plain JSON. */
export type JsonSchema = Readonly<Record<string, Json>>;

/** A list of plain values without a bound of its own holds at most this many (as many as the largest page). */
export const LIST_LIMIT = 100;
/** A list of anything else without a bound of its own (as many as a form may have pairs). */
export const NESTED_LIST_LIMIT = 1000;
/** Addresses longer than this are refused before any pattern looks at them. Characters. */
export const ADDRESS_LIMIT = 2048;

const toType = (word: TypeWord): string => own<{ readonly type: string }>(TYPE_WORDS, word)?.type ?? word;
/** The lists of the single words, which are asked for with every value. */
const SINGLE: ReadonlyMap<string, readonly string[]> = new Map(Object.entries(TYPE_WORDS).map(([word, { type }]) => [word, [type]]));
const COPIED = ['enum', 'format', 'pattern', 'minimum', 'maximum', 'minLength', 'maxLength'] as const;

const NO_TYPES: readonly string[] = [];
/** Of lists of words: coercion asks for them with every value. */
const KNOWN_TYPES = new WeakMap<readonly TypeWord[], readonly string[]>();

function toTypes(words: readonly TypeWord[]): readonly string[] {
  const known = KNOWN_TYPES.get(words);
  if (known !== undefined) return known;
  const types = words.map(toType);
  KNOWN_TYPES.set(words, types);
  return types;
}

/** The JSON Schema words of a dialect type; empty when untyped. */
export function typesOf({ type }: ArgSchema): readonly string[] {
  if (type === undefined) return NO_TYPES;
  return typeof type === 'string' ? SINGLE.get(type) ?? [type] : toTypes(type);
}

/** Whether every item is a plain value, which can be split from text, counted and compared cheaply. */
export function hasScalarItems(schema: ArgSchema): boolean {
  const types = schema.items === undefined ? [] : typesOf(schema.items);
  return types.length > 0 && types.every((type) => TYPES.get(type)?.isScalar === true);
}

/** Most items of a list that a client may send. */
export function listLimit(schema: ArgSchema): number {
  return schema.maxItems ?? (hasScalarItems(schema) ? LIST_LIMIT : NESTED_LIST_LIMIT);
}

/** Site dates carry no zone, which the format of JSON Schema asks for; only the shape and the range of the time are checked. */
export const DATE_TIME = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])[Tt ](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:[Zz]|[+-]\d{2}(?::?\d{2})?)?$/;

/** Whether a plain text may stand for `{raw: text}`: the text fields of a record. */
export function hasRawText({ properties }: ArgSchema): boolean {
  return properties !== undefined && 'raw' in properties;
}

/**
 * What the schema is for: to check values, or to tell people and their generators what to send and what is answered.
 * Values of a client are held to limits also where none is declared.
 */
export type Purpose = 'check' | 'request' | 'answer';

/** In words that others understand as we do: our `date-time` is not theirs. */
function toKnownWords(schema: ArgSchema): ArgSchema {
  if (schema.format !== 'date-time') return schema;
  const { format: _ours, ...rest } = schema;
  return { pattern: DATE_TIME.source, ...rest };
}

function toListPart(schema: ArgSchema, purpose: Purpose): Record<string, Json> {
  // Of several forms, each has its own bound.
  const maxItems = purpose === 'answer' || schema.oneOf !== undefined ? schema.maxItems : listLimit(schema);
  const items: Record<string, Json> = schema.items === undefined ? {} : { items: toJsonSchema(schema.items, purpose) };
  const counts: Record<string, Json> = {};
  if (schema.minItems !== undefined) counts['minItems'] = schema.minItems;
  if (maxItems !== undefined) counts['maxItems'] = maxItems;
  if (schema.uniqueItems === true) counts['uniqueItems'] = true;
  if (purpose !== 'check') return { ...items, ...counts };
  // Said again, because only with the type beside it are plain values compared in linear time.
  if (schema.uniqueItems === true && schema.items !== undefined && hasScalarItems(schema)) counts['items'] = { type: typesOf(schema.items) };
  // Two steps: a wrong item is reported before a wrong number of items.
  return { allOf: [items, counts] };
}

function toObjectPart(schema: ArgSchema, purpose: Purpose): Record<string, Json> {
  const members = Object.entries(schema.properties ?? {});
  const part: Record<string, Json> = { properties: Object.fromEntries(members.map(([name, member]) => [name, toJsonSchema(member, purpose)])) };
  const required = members.filter(([, member]) => member.required === true).map(([name]) => name);
  if (required.length > 0) part['required'] = required;
  const rest = schema.additionalProperties;
  if (rest !== undefined) part['additionalProperties'] = typeof rest === 'boolean' ? rest : toJsonSchema(rest, purpose);
  return part;
}

function toKeywords(schema: ArgSchema, purpose: Purpose): Record<string, Json> {
  const types = typesOf(schema);
  const out: Record<string, Json> = {};
  if (types.length === 1) out['type'] = types[0] as string;
  if (types.length > 1) out['type'] = types;
  for (const keyword of COPIED) {
    const value = schema[keyword];
    if (value !== undefined) out[keyword] = value;
  }
  if (purpose !== 'answer' && schema.format === 'uri' && schema.maxLength === undefined) out['maxLength'] = ADDRESS_LIMIT;
  if (purpose !== 'check' && schema.readonly === true) out['readOnly'] = true;
  return out;
}

/** Turns the dialect of descriptors into JSON Schema. Defaults are left out: coercion fills them. */
export function toJsonSchema(schema: ArgSchema, purpose: Purpose = 'check'): JsonSchema {
  if (purpose !== 'check' && schema.oneOf?.every((branch) => branch.type !== undefined)) return { oneOf: schema.oneOf.map((branch) => toJsonSchema(branch, purpose)) };
  const types = typesOf(schema);
  const out = toKeywords(purpose === 'check' ? schema : toKnownWords(schema), purpose);
  if (types.includes('array')) Object.assign(out, toListPart(schema, purpose));
  if (types.includes('object') && schema.oneOf === undefined) Object.assign(out, toObjectPart(schema, purpose));
  if (schema.oneOf !== undefined) out['oneOf'] = schema.oneOf.map((branch) => toJsonSchema(branch, purpose));
  return purpose === 'request' && hasRawText(schema) ? { anyOf: [{ type: 'string' }, out] } : out;
}
