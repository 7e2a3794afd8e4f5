import { own } from '../core/objects.ts';
import { FORMATS } from './formats.ts';
import type { ArgSchema, Json } from './schema-dialect.ts';
import { TYPE_WORDS, TYPES, type TypeWord } from './type-words.ts';

/** JSON Schema as plain JSON. */
export type JsonSchema = Readonly<Record<string, Json>>;

/** Most items of a list of plain values without its own bound (the size of the largest page). */
export const LIST_LIMIT = 100;
/** Most items of any other list without its own bound (the number of pairs that a form may have). */
export const NESTED_LIST_LIMIT = 1000;
/** Longer addresses are refused before a pattern is tested. Characters. */
export const ADDRESS_LIMIT = 2048;

const toType = (word: TypeWord): string => own<{ readonly type: string }>(TYPE_WORDS, word)?.type ?? word;
/** One list for each word, made once: coercion needs it for every value. */
const SINGLE: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(TYPE_WORDS).map(([word, { type }]) => [word, [type]]),
);
const COPIED = ['enum', 'format', 'pattern', 'minimum', 'maximum', 'minLength', 'maxLength'] as const;

const NO_TYPES: readonly string[] = [];
/** Cached lists of types, because coercion needs them for every value. */
const KNOWN_TYPES = new WeakMap<readonly TypeWord[], readonly string[]>();

function toTypes(words: readonly TypeWord[]): readonly string[] {
  const known = KNOWN_TYPES.get(words);
  if (known !== undefined) return known;
  const types = words.map(toType);
  KNOWN_TYPES.set(words, types);
  return types;
}

/** The JSON Schema types of a dialect type; empty if there is none. */
export function typesOf({ type }: ArgSchema): readonly string[] {
  if (type === undefined) return NO_TYPES;
  return typeof type === 'string' ? (SINGLE.get(type) ?? [type]) : toTypes(type);
}

/** The default of a parameter. A default of null where null is not a value says that there is none; the index shows it, as WordPress does. */
export function defaultOf(schema: ArgSchema): unknown {
  return schema.default === null && !typesOf(schema).includes('null') ? undefined : schema.default;
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

/** Whether a string may stand for `{raw: text}`, as in the text fields of a record. */
export function hasRawText({ properties }: ArgSchema): boolean {
  return properties !== undefined && 'raw' in properties;
}

/**
 * The purpose of a schema: to check values, or to document what to send and what is returned.
 * Values from clients have limits even where none is declared.
 */
type Purpose = 'check' | 'request' | 'answer';

/** Only formats with their standard meaning are shown. The dialect's own are shown as what they check: a pattern, one of several formats, or nothing. */
function toKnownWords(schema: ArgSchema): ArgSchema {
  const { format = '', ...rest } = schema;
  const check = own<{ readonly check?: RegExp | true }>(FORMATS, format)?.check;
  if (check === undefined) return schema;
  return check === true ? rest : { pattern: check.source, ...rest };
}

function toListPart(schema: ArgSchema, purpose: Purpose): Record<string, Json> {
  // Each branch has its own bound.
  const maxItems = purpose === 'answer' || schema.oneOf !== undefined ? schema.maxItems : listLimit(schema);
  const items: Record<string, Json> =
    schema.items === undefined ? {} : { items: toJsonSchema(schema.items, purpose) };
  const counts: Record<string, Json> = {};
  if (schema.minItems !== undefined) counts['minItems'] = schema.minItems;
  if (maxItems !== undefined) counts['maxItems'] = maxItems;
  if (schema.uniqueItems === true) counts['uniqueItems'] = true;
  if (purpose !== 'check') return { ...items, ...counts };
  // The type is repeated, because plain values are compared in linear time only with the type beside them.
  if (schema.uniqueItems === true && schema.items !== undefined && hasScalarItems(schema))
    counts['items'] = { type: typesOf(schema.items) };
  // In two steps, so that an invalid item is reported before a wrong number of items.
  return { allOf: [items, counts] };
}

function toObjectPart(schema: ArgSchema, purpose: Purpose): Record<string, Json> {
  const members = Object.entries(schema.properties ?? {});
  const part: Record<string, Json> = {
    properties: Object.fromEntries(members.map(([name, member]) => [name, toJsonSchema(member, purpose)])),
  };
  const required = members.filter(([, member]) => member.required === true).map(([name]) => name);
  if (required.length > 0) part['required'] = required;
  const rest = schema.additionalProperties;
  if (rest !== undefined)
    part['additionalProperties'] = typeof rest === 'boolean' ? rest : toJsonSchema(rest, purpose);
  return part;
}

function toKeywords(schema: ArgSchema, purpose: Purpose): Record<string, Json> {
  const types = typesOf(schema);
  const out: Record<string, Json> = {};
  if (types.length === 1) out['type'] = types[0] as string;
  if (types.length > 1) out['type'] = types;
  const shown = purpose === 'check' ? schema : toKnownWords(schema);
  for (const keyword of COPIED) {
    const value = shown[keyword];
    if (value !== undefined) out[keyword] = value;
  }
  if (purpose !== 'answer' && schema.format === 'uri' && schema.maxLength === undefined)
    out['maxLength'] = ADDRESS_LIMIT;
  if (purpose !== 'check' && schema.readonly === true) out['readOnly'] = true;
  return out;
}

/** Converts a schema of the dialect to JSON Schema. Defaults are omitted, because coercion fills them in. */
export function toJsonSchema(schema: ArgSchema, purpose: Purpose = 'check'): JsonSchema {
  const either =
    purpose === 'check'
      ? undefined
      : own<{ readonly either?: readonly string[] }>(FORMATS, schema.format ?? '')?.either;
  if (either !== undefined)
    return { anyOf: either.map((format) => toJsonSchema({ ...schema, format }, purpose)) };
  if (purpose !== 'check' && schema.oneOf?.every((branch) => branch.type !== undefined))
    return { oneOf: schema.oneOf.map((branch) => toJsonSchema(branch, purpose)) };
  const types = typesOf(schema);
  const out = toKeywords(schema, purpose);
  if (types.includes('array')) Object.assign(out, toListPart(schema, purpose));
  if (types.includes('object') && schema.oneOf === undefined)
    Object.assign(out, toObjectPart(schema, purpose));
  if (schema.oneOf !== undefined) out['oneOf'] = schema.oneOf.map((branch) => toJsonSchema(branch, purpose));
  return purpose === 'request' && hasRawText(schema) ? { anyOf: [{ type: 'string' }, out] } : out;
}
