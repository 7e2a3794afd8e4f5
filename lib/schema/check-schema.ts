import { findLongest } from './check-expression.ts';
import { fits } from './coerce.ts';
import { suggest } from '../core/nearest.ts';
import { UNSAFE_NAMES, own } from '../core/objects.ts';
import { hasScalarItems, LIST_LIMIT, NESTED_LIST_LIMIT, typesOf } from './schema.ts';
import type { ArgSchema, ArgSchemas } from './schema-dialect.ts';
import { TYPES, TYPE_WORDS } from './type-words.ts';
import { listFormats } from './validate.ts';

const TEXT: readonly string[] = ['string'];
const NUMBER = ['number'] as const;
const YES_OR_NO = ['boolean'] as const;
const LIST = ['array'] as const;
const SCHEMA = ['object'] as const;
const ANY = ['string', 'number', 'boolean', 'null', 'array', 'object'] as const;

/** Keyword -> types of its value. */
const KEYWORDS: Readonly<Record<string, readonly string[]>> = {
  type: ['string', 'array'], description: TEXT, title: TEXT, default: ANY, required: YES_OR_NO, enum: LIST, format: TEXT, pattern: TEXT,
  minimum: NUMBER, maximum: NUMBER, minLength: NUMBER, maxLength: NUMBER, minItems: NUMBER, maxItems: NUMBER, uniqueItems: YES_OR_NO,
  items: SCHEMA, properties: SCHEMA, additionalProperties: ['boolean', 'object'], oneOf: LIST, context: LIST, readonly: YES_OR_NO,
};
/** Keyword -> types that it applies to. For any other type, the keyword would have no effect. */
const NUMBERS = ['integer', 'number'] as const;
const HEEDED_BY: Readonly<Record<string, readonly string[]>> = {
  minimum: NUMBERS, maximum: NUMBERS, pattern: TEXT, minLength: TEXT, maxLength: TEXT, format: [...TEXT, ...NUMBERS],
  items: LIST, minItems: LIST, maxItems: LIST, uniqueItems: LIST, properties: SCHEMA, additionalProperties: SCHEMA,
};
/** Keywords of JSON Schema and OpenAPI that this dialect writes in another way, and how. */
const OTHERWISE: Readonly<Record<string, string>> = {
  nullable: `write type: ['string', 'null']`,
  anyOf: 'write oneOf, whose first fitting form counts',
  allOf: 'write one schema with all members',
  const: 'write enum with one value',
  exclusiveMinimum: 'write minimum; for an integer, the next one',
  exclusiveMaximum: 'write maximum; for an integer, the one before',
  readOnly: 'write readonly',
  $ref: 'write the schema itself, such as a constant that several schemas share',
  optional: 'leave out required',
};

/** What to write instead of a keyword that is not known. */
function adviceOn(keyword: string): string {
  const other = own(OTHERWISE, keyword);
  if (other !== undefined) return `; ${other}`;
  const nearest = suggest(keyword, Object.keys(KEYWORDS));
  return nearest === '' ? `; the keywords are ${Object.keys(KEYWORDS).join(', ')}` : `.${nearest}`;
}

const COUNTS = ['minLength', 'maxLength', 'minItems', 'maxItems'] as const;

/** Lower and upper bound. The lower must not exceed the upper. */
const BOUNDS = [['minimum', 'maximum'], ['minLength', 'maxLength'], ['minItems', 'maxItems']] as const;

/** Deeper than any value that is read. A schema that contains itself exceeds it, too. */
const DEPTH_LIMIT = 64;
/** Longest shown part of such a schema's place, in characters. */
const WHERE_LENGTH = 200;

/** The direct children of a schema, by their place in it. */
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
  // Values of a query or form stay strings if the schema has no type.
  const known = types.length === 0 ? TEXT : types;
  const unheeded = Object.keys(schema).find((keyword) => own(HEEDED_BY, keyword)?.some((type) => known.includes(type)) === false);
  if (unheeded !== undefined) throw new TypeError(`${where}: ${unheeded} needs the type ${own(HEEDED_BY, unheeded)?.join(' or ')}, but the type is ${types.length === 0 ? 'missing' : types.join(' or ')}`);
  const empty = (['type', 'enum', 'oneOf'] as const).find((keyword) => Array.isArray(schema[keyword]) && schema[keyword].length === 0);
  if (empty !== undefined) throw new TypeError(`${where}: ${empty} must not be an empty list, because no value would be valid`);
}

function checkValues(where: string, schema: ArgSchema): void {
  const count = COUNTS.find((keyword) => schema[keyword] !== undefined && !(Number.isInteger(schema[keyword]) && Number(schema[keyword]) >= 0));
  if (count !== undefined) throw new TypeError(`${where}: ${count} is ${schema[count]}, but must be a whole number of 0 or more`);
  for (const [lower, upper] of BOUNDS) {
    const [least = -Infinity, most = Infinity] = [schema[lower], schema[upper]];
    if (least > most) throw new TypeError(`${where}: ${lower} ${least} is larger than ${upper} ${most}`);
  }
  const types = typesOf(schema);
  const misfit = types.length === 0 ? undefined : schema.enum?.find((value) => !types.some((type) => fits(type, value)));
  if (misfit !== undefined) throw new TypeError(`${where}: ${JSON.stringify(misfit)} of enum is not of type ${types.join(' or ')}`);
}

/** How many values of a child one value can have. Nothing bounds the members of an object. */
function countOf(schema: ArgSchema, name: string): number {
  if (name === 'items') return schema.maxItems ?? (hasScalarItems(schema) ? LIST_LIMIT : NESTED_LIST_LIMIT);
  return name === 'additionalProperties' ? NESTED_LIST_LIMIT : 1;
}

function longestFor(where: string, pattern: string, count: number): number {
  try {
    return findLongest(pattern, 'u', count);
  } catch (error) {
    throw new TypeError(`${where}: the pattern ${pattern} cannot be used: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

/** @throws TypeError for a pattern with which a caller could block the process. `count`: how many texts a request may have. */
function checkPattern(where: string, { pattern, maxLength = Infinity }: ArgSchema, count: number): void {
  const longest = pattern === undefined ? Infinity : longestFor(where, pattern, count);
  if (longest >= maxLength) return;
  throw new TypeError(`${where}: the pattern ${pattern} takes time that grows faster than the text, because several of its repetitions can match the same characters; write repetitions that share none, or add maxLength, here ${longest} at most`);
}

interface Depth {
  readonly depth: number;
  readonly count: number;
}

/**
 * @throws TypeError `${where}: …` for an unknown keyword or type, a value that does not fit its keyword or contradicts another one,
 * an unbounded comparison of items, and a pattern that can take long
 */
export function checkSchema(where: string, schema: ArgSchema, { depth, count }: Depth = { depth: 1, count: 1 }): void {
  if (depth > DEPTH_LIMIT) throw new TypeError(`${where.slice(0, WHERE_LENGTH)}…: the schema nests deeper than ${DEPTH_LIMIT} levels`);
  if (!fits('object', schema)) throw new TypeError(`${where}: ${String(schema)} is not a schema`);
  for (const [keyword, value] of Object.entries(schema)) {
    const kinds = own(KEYWORDS, keyword);
    if (kinds === undefined) throw new TypeError(`${where}: unknown schema keyword "${keyword}"${adviceOn(keyword)}`);
    if (!kinds.some((kind) => fits(kind, value))) throw new TypeError(`${where}: ${keyword} must be of type ${kinds.join(' or ')}${keyword === 'required' && Array.isArray(value) ? '; write required: true in the schema of each member instead of a list' : ''}`);
  }
  for (const type of typesOf(schema)) {
    if (!TYPES.has(type)) throw new TypeError(`${where}: unknown type "${type}"; the types are ${Object.keys(TYPE_WORDS).join(', ')}`);
  }
  if (schema.format !== undefined && !listFormats().includes(schema.format)) throw new TypeError(`${where}: unknown format "${schema.format}"; the formats are ${listFormats().join(', ')}`);
  checkKeywords(where, schema);
  checkValues(where, schema);
  checkPattern(where, schema, count);
  // Comparing objects with each other is quadratic: 20,000 of them would block the process for seconds.
  if (schema.uniqueItems === true && !hasScalarItems(schema) && schema.maxItems === undefined) {
    throw new TypeError(`${where}: uniqueItems needs maxItems, unless the items are of a plain type`);
  }
  checkNames(`${where}, properties`, schema.properties ?? {});
  for (const [name, child] of listChildren(schema)) checkSchema(`${where}.${name}`, child, { depth: depth + 1, count: count * countOf(schema, name) });
}

/**
 * Checks the names of an object of a descriptor.
 * @throws TypeError `${where}: …` for an object that inherits members, as `{ __proto__: … }` does, and for names that reach a prototype
 */
export function checkNames(where: string, table: object): void {
  const parent: unknown = Object.getPrototypeOf(table);
  // The prototype of plain objects has no prototype itself, even in another context of node:vm.
  const isPlain = typeof parent !== 'object' || parent === null || Object.getPrototypeOf(parent) === null;
  const unsafe = isPlain ? Object.keys(table).find((name) => UNSAFE_NAMES.has(name)) : '__proto__';
  if (unsafe !== undefined) throw new TypeError(`${where}: ${unsafe} is not a name for a member, because plain objects inherit it`);
}

/**
 * Checks parameters. `checked`: the schemas that are known to be right, so that one that a thousand endpoints share is checked once.
 * It must not outlive the registration, because a schema may change afterwards.
 * @throws TypeError as `checkSchema`, for each parameter.
 */
export function checkArgs(where: string, args: ArgSchemas, checked: Set<ArgSchema> = new Set()): void {
  checkNames(where, args);
  for (const [name, schema] of Object.entries(args)) {
    if (checked.has(schema)) continue;
    checkSchema(`${where}, parameter ${name}`, schema);
    checked.add(schema);
  }
}
