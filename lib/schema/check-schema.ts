import { fits } from './coerce.ts';
import { UNSAFE_NAMES, own } from '../core/objects.ts';
import { hasScalarItems, typesOf } from './schema.ts';
import type { ArgSchema, ArgSchemas } from './schema-dialect.ts';
import { TYPES, TYPE_WORDS } from './type-words.ts';
import { FORMATS } from './validate.ts';

const TEXT: readonly string[] = ['string'];
const NUMBER = ['number'] as const;
const YES_OR_NO = ['boolean'] as const;
const LIST = ['array'] as const;
const SCHEMA = ['object'] as const;
const ANY = ['string', 'number', 'boolean', 'null', 'array', 'object'] as const;

/** Keyword -> what its value may be. */
const KEYWORDS: Readonly<Record<string, readonly string[]>> = {
  type: ['string', 'array'], description: TEXT, title: TEXT, default: ANY, required: YES_OR_NO, enum: LIST, format: TEXT, pattern: TEXT,
  minimum: NUMBER, maximum: NUMBER, minLength: NUMBER, maxLength: NUMBER, minItems: NUMBER, maxItems: NUMBER, uniqueItems: YES_OR_NO,
  items: SCHEMA, properties: SCHEMA, additionalProperties: ['boolean', 'object'], oneOf: LIST, context: LIST, readonly: YES_OR_NO,
};
/** Keyword -> types that it says something of. A keyword that none of a schema's types heeds would bound nothing. */
const NUMBERS = ['integer', 'number'] as const;
const HEEDED_BY: Readonly<Record<string, readonly string[]>> = {
  minimum: NUMBERS, maximum: NUMBERS, pattern: TEXT, minLength: TEXT, maxLength: TEXT, format: [...TEXT, ...NUMBERS],
  items: LIST, minItems: LIST, maxItems: LIST, uniqueItems: LIST, properties: SCHEMA, additionalProperties: SCHEMA,
};
const COUNTS = ['minLength', 'maxLength', 'minItems', 'maxItems'] as const;

/** Lower and upper bound: the one may not lie above the other. */
const BOUNDS = [['minimum', 'maximum'], ['minLength', 'maxLength'], ['minItems', 'maxItems']] as const;

/** Deeper than any value that is read: a schema that holds itself is one, too. */
const DEPTH_LIMIT = 64;
/** How much is shown of the place of one. Characters. */
const WHERE_LENGTH = 200;

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** The schemas right inside of a schema, by the place at which each stands. */
export function listChildren(schema: ArgSchema): readonly (readonly [string, ArgSchema])[] {
  return [
    ...Object.entries(schema.properties ?? {}),
    ...(schema.items === undefined ? [] : [['items', schema.items] as const]),
    ...(typeof schema.additionalProperties === 'object' ? [['additionalProperties', schema.additionalProperties] as const] : []),
    ...(schema.oneOf ?? []).map((branch, index) => [`oneOf[${index}]`, branch] as const),
  ];
}

function checkKeywords(where: string, schema: ArgSchema): void {
  const types = typesOf(schema);
  // What a query or a form says without a type stays a text.
  const known = types.length === 0 ? TEXT : types;
  const unheeded = Object.keys(schema).find((keyword) => own(HEEDED_BY, keyword)?.some((type) => known.includes(type)) === false);
  if (unheeded !== undefined) throw new TypeError(`${where}: ${unheeded} needs the type ${own(HEEDED_BY, unheeded)?.join(' or ')}, and the type is ${types.length === 0 ? 'not said' : types.join(' or ')}`);
  const empty = (['type', 'enum', 'oneOf'] as const).find((keyword) => Array.isArray(schema[keyword]) && schema[keyword].length === 0);
  if (empty !== undefined) throw new TypeError(`${where}: ${empty} is an empty list, which nothing fits`);
}

function checkValues(where: string, schema: ArgSchema): void {
  const count = COUNTS.find((keyword) => schema[keyword] !== undefined && !(Number.isInteger(schema[keyword]) && Number(schema[keyword]) >= 0));
  if (count !== undefined) throw new TypeError(`${where}: ${count} is ${schema[count]}, which is not a count`);
  for (const [lower, upper] of BOUNDS) {
    const [least = -Infinity, most = Infinity] = [schema[lower], schema[upper]];
    if (least > most) throw new TypeError(`${where}: ${lower} ${least} is larger than ${upper} ${most}`);
  }
  const types = typesOf(schema);
  const stranger = types.length === 0 ? undefined : schema.enum?.find((value) => !types.some((type) => fits(type, value)));
  if (stranger !== undefined) throw new TypeError(`${where}: ${JSON.stringify(stranger)} of enum is not of type ${types.join(' or ')}`);
}

/** @throws TypeError `${where}: …` for an unknown keyword or type, a value of a keyword that does not fit it or its neighbours, and for a comparison of items that has no bound. */
export function checkSchema(where: string, schema: ArgSchema, depth = 1): void {
  if (depth > DEPTH_LIMIT) throw new TypeError(`${where.slice(0, WHERE_LENGTH)}…: the schema nests deeper than ${DEPTH_LIMIT} levels`);
  if (kindOf(schema) !== 'object') throw new TypeError(`${where}: ${String(schema)} is no schema`);
  for (const [keyword, value] of Object.entries(schema)) {
    const kinds = own(KEYWORDS, keyword);
    if (kinds === undefined) throw new TypeError(`${where}: unknown schema keyword "${keyword}"`);
    if (!kinds.includes(kindOf(value))) throw new TypeError(`${where}: ${keyword} is not of type ${kinds.join(' or ')}`);
  }
  for (const type of typesOf(schema)) {
    if (!TYPES.has(type)) throw new TypeError(`${where}: unknown type "${type}"; the types are ${Object.keys(TYPE_WORDS).join(', ')}`);
  }
  if (schema.format !== undefined && !FORMATS.includes(schema.format)) throw new TypeError(`${where}: unknown format "${schema.format}"; the formats are ${FORMATS.join(', ')}`);
  checkKeywords(where, schema);
  checkValues(where, schema);
  // Comparing objects with each other is quadratic: 20,000 of them would block the process for seconds.
  if (schema.uniqueItems === true && !hasScalarItems(schema) && schema.maxItems === undefined) {
    throw new TypeError(`${where}: uniqueItems needs items of a plain type, or maxItems`);
  }
  checkNames(`${where}, properties`, schema.properties ?? {});
  for (const [name, child] of listChildren(schema)) checkSchema(`${where}.${name}`, child, depth + 1);
}

/**
 * Holds a table of a descriptor to what its members say by themselves.
 * @throws TypeError `${where}: …` for one that inherits members, as `{ __proto__: … }` does, and for names that reach a prototype
 */
export function checkNames(where: string, table: object): void {
  const parent: unknown = Object.getPrototypeOf(table);
  // The prototype of all objects, also those of another context of node:vm, has none itself.
  const isPlain = typeof parent !== 'object' || parent === null || Object.getPrototypeOf(parent) === null;
  const unsafe = isPlain ? Object.keys(table).find((name) => UNSAFE_NAMES.has(name)) : '__proto__';
  if (unsafe !== undefined) throw new TypeError(`${where}: ${unsafe} is not a name for a member: plain objects have something else under it`);
}

/** @throws TypeError as `checkSchema`, for each parameter. */
export function checkArgs(where: string, args: ArgSchemas): void {
  checkNames(where, args);
  for (const [name, schema] of Object.entries(args)) checkSchema(`${where}, parameter ${name}`, schema);
}
