import type { ArgSchema, Json, TypeWord } from './schema-dialect.ts';

/** JSON Schema as plain JSON. */
export type JsonSchema = Readonly<Record<string, Json>>;

/** A list of plain values without a bound of its own holds at most this many (as many as the largest page). */
export const LIST_LIMIT = 100;
/** Addresses longer than this are refused before any pattern looks at them. Characters. */
export const ADDRESS_LIMIT = 2048;

const SAME_WORD: Readonly<Record<string, string>> = { int: 'integer', bool: 'boolean' };
const WORDS: readonly TypeWord[] = ['string', 'integer', 'number', 'boolean', 'array', 'object', 'null', 'int', 'bool'];
const toWord = (word: TypeWord): string => SAME_WORD[word] ?? word;
/** The lists of the single words, which are asked for with every value. */
const SINGLE: ReadonlyMap<string, readonly string[]> = new Map(WORDS.map((word) => [word, [toWord(word)]]));
const SCALARS = new Set(['string', 'integer', 'number', 'boolean']);
const COPIED = ['enum', 'format', 'pattern', 'minimum', 'maximum', 'minLength', 'maxLength'] as const;

/** The JSON Schema words of a dialect type; empty when untyped. */
export function typesOf(schema: ArgSchema): readonly string[] {
  const { type } = schema;
  if (type === undefined) return [];
  return typeof type === 'string' ? SINGLE.get(type) ?? [type] : type.map(toWord);
}

/** Whether every item is a plain value, which can be split from text, counted and compared cheaply. */
export function hasScalarItems(schema: ArgSchema): boolean {
  const types = schema.items === undefined ? [] : typesOf(schema.items);
  return types.length > 0 && types.every((type) => SCALARS.has(type));
}

/** Where the values come from. Those of a client are held to limits also where none is declared. */
type Origin = 'client' | 'server';

function toListPart(schema: ArgSchema, origin: Origin): Record<string, Json> {
  const maxItems = schema.maxItems ?? (origin === 'client' && hasScalarItems(schema) ? LIST_LIMIT : undefined);
  const counts: Record<string, Json> = {};
  if (schema.minItems !== undefined) counts['minItems'] = schema.minItems;
  if (maxItems !== undefined) counts['maxItems'] = maxItems;
  if (schema.uniqueItems === true) {
    counts['uniqueItems'] = true;
    // Said again, because only with the type beside it are plain values compared in linear time.
    if (schema.items !== undefined && hasScalarItems(schema)) counts['items'] = { type: typesOf(schema.items) };
  }
  // Two steps: a wrong item is reported before a wrong number of items.
  return { allOf: [schema.items === undefined ? {} : { items: toJsonSchema(schema.items, origin) }, counts] };
}

function toObjectPart(schema: ArgSchema, origin: Origin): Record<string, Json> {
  const members = Object.entries(schema.properties ?? {});
  const part: Record<string, Json> = { properties: Object.fromEntries(members.map(([name, member]) => [name, toJsonSchema(member, origin)])) };
  const required = members.filter(([, member]) => member.required === true).map(([name]) => name);
  if (required.length > 0) part['required'] = required;
  const rest = schema.additionalProperties;
  if (rest !== undefined) part['additionalProperties'] = typeof rest === 'boolean' ? rest : toJsonSchema(rest, origin);
  return part;
}

/** Turns the dialect of descriptors into JSON Schema. Defaults are left out: coercion fills them. */
export function toJsonSchema(schema: ArgSchema, origin: Origin = 'client'): JsonSchema {
  const types = typesOf(schema);
  const out: Record<string, Json> = {};
  if (types.length === 1) out['type'] = types[0] as string;
  if (types.length > 1) out['type'] = types;
  for (const keyword of COPIED) {
    const value = schema[keyword];
    if (value !== undefined) out[keyword] = value;
  }
  if (origin === 'client' && schema.format === 'uri' && schema.maxLength === undefined) out['maxLength'] = ADDRESS_LIMIT;
  if (types.includes('array')) Object.assign(out, toListPart(schema, origin));
  if (types.includes('object') && schema.oneOf === undefined) Object.assign(out, toObjectPart(schema, origin));
  if (schema.oneOf !== undefined) out['oneOf'] = schema.oneOf.map((branch) => toJsonSchema(branch, origin));
  return out;
}
