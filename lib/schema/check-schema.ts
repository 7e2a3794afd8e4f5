import { adviseOn, describe, FLAG, LIST as LIST_RULE, type OptionRule } from '../core/check-options.ts';
import { createGivenCheck, isObject, own, UNSAFE_NAMES } from '../core/objects.ts';
import { messageOf } from '../core/thrown.ts';
import { findLongest } from './check-expression.ts';
import { fits } from './coerce.ts';
import type { ArgSchema, ArgSchemas } from './schema-dialect.ts';
import { hasScalarItems, LIST_LIMIT, NESTED_LIST_LIMIT, typesOf } from './schema.ts';
import { TYPE_WORDS, TYPES } from './type-words.ts';
import { listFormats } from './validate.ts';

const TEXT: readonly string[] = ['string'];
const LIST = ['array'] as const;
const SCHEMA = ['object'] as const;

const A_TEXT: OptionRule = { wanted: 'a text', fits: (value) => typeof value === 'string' };
const A_NUMBER: OptionRule = { wanted: 'a number', fits: (value) => typeof value === 'number' };
const A_SCHEMA: OptionRule = { wanted: "a schema, such as { type: 'string' }", fits: isObject };
const TYPE_NAMES = Object.keys(TYPE_WORDS);

/** What the value of each keyword must be. */
const KEYWORDS: Readonly<Record<keyof ArgSchema, OptionRule>> = {
  type: {
    wanted: `one of ${TYPE_NAMES.join(', ')}, or a list of them`,
    fits: (value) => A_TEXT.fits(value) || Array.isArray(value),
  },
  description: A_TEXT,
  title: A_TEXT,
  default: {
    wanted: 'a value that JSON can hold',
    fits: (value) => [...TYPES.values()].some((rule) => rule.fits(value)),
  },
  required: { ...FLAG, wanted: 'true or false, in the schema of each parameter or member' },
  enum: { ...LIST_RULE, wanted: "a list of the allowed values, such as ['asc', 'desc']" },
  format: A_TEXT,
  pattern: { ...A_TEXT, wanted: 'the text of a regular expression, without slashes' },
  minimum: A_NUMBER,
  maximum: A_NUMBER,
  minLength: A_NUMBER,
  maxLength: A_NUMBER,
  minItems: A_NUMBER,
  maxItems: A_NUMBER,
  uniqueItems: FLAG,
  items: A_SCHEMA,
  properties: {
    wanted: "an object of schemas by member, such as { id: { type: 'integer' } }",
    fits: isObject,
  },
  additionalProperties: {
    wanted: `true, false or ${A_SCHEMA.wanted}`,
    fits: (value) => FLAG.fits(value) || isObject(value),
  },
  oneOf: { ...LIST_RULE, wanted: 'a list of schemas' },
  context: { ...LIST_RULE, wanted: "a list of contexts, such as ['view', 'edit']" },
  readonly: FLAG,
};
const KEYWORD_NAMES = Object.keys(KEYWORDS);
/** Keyword -> types that it applies to. For any other type, the keyword would have no effect. */
const NUMBERS = ['integer', 'number'] as const;
const HEEDED_BY: Readonly<Record<string, readonly string[]>> = {
  minimum: NUMBERS,
  maximum: NUMBERS,
  pattern: TEXT,
  minLength: TEXT,
  maxLength: TEXT,
  format: [...TEXT, ...NUMBERS],
  items: LIST,
  minItems: LIST,
  maxItems: LIST,
  uniqueItems: LIST,
  properties: SCHEMA,
  additionalProperties: SCHEMA,
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
  min: 'write minimum, or for a text minLength',
  max: 'write maximum, or for a text maxLength',
  regex: 'write pattern',
  values: 'write enum',
  options: 'write enum',
  example: 'write examples in the endpoint',
  examples: 'write examples in the endpoint',
  in: 'leave it out: parameters are read from the path, the query and the body',
  validate_callback: 'give a check to defineNamespace, and name it in the checks of the endpoint',
  sanitize_callback: 'values are converted to their type; other changes are made by the handler',
};

/** Types of other languages and libraries, and how they are written here. */
const OTHER_TYPES: Readonly<Record<string, string>> = {
  text: `write 'string'`,
  float: `write 'number'`,
  double: `write 'number'`,
  decimal: `write 'number'`,
  list: `write 'array'`,
  map: `write 'object'`,
  any: 'leave type out',
  date: `write type: 'string', format: 'date'`,
  datetime: `write type: 'string', format: 'date-time'`,
  'date-time': `write type: 'string', format: 'date-time'`,
  url: `write type: 'string', format: 'uri'`,
  uri: `write type: 'string', format: 'uri'`,
  email: `write type: 'string', format: 'email'`,
  uuid: `write type: 'string', format: 'uuid'`,
};

const COUNTS = ['minLength', 'maxLength', 'minItems', 'maxItems'] as const;

/** Lower and upper bound. The lower must not exceed the upper. */
const BOUNDS = [
  ['minimum', 'maximum'],
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
] as const;

/** Deeper than any value that is read. A schema that contains itself exceeds it, too. */
const DEPTH_LIMIT = 64;
/** Longest shown part of such a schema's place, in characters. */
const WHERE_LENGTH = 200;

/** The direct children of a schema, by their place in it. */
export function listChildren(schema: ArgSchema): readonly (readonly [string, ArgSchema])[] {
  return [
    ...Object.entries(schema.properties ?? {}),
    ...(schema.items === undefined ? [] : [['items', schema.items] as const]),
    ...(typeof schema.additionalProperties === 'object'
      ? [['additionalProperties', schema.additionalProperties] as const]
      : []),
    ...(schema.oneOf ?? []).map((branch, index) => [`oneOf[${index}]`, branch] as const),
  ];
}

function checkKeywords(where: string, schema: ArgSchema): void {
  const types = typesOf(schema);
  // Values of a query or form stay strings if the schema has no type.
  const known = types.length === 0 ? TEXT : types;
  const unheeded = Object.keys(schema).find(
    (keyword) => own(HEEDED_BY, keyword)?.some((type) => known.includes(type)) === false,
  );
  if (unheeded !== undefined)
    throw new TypeError(
      `${where}: ${unheeded} needs the type ${own(HEEDED_BY, unheeded)?.join(' or ')}, but the type is ${types.length === 0 ? 'missing' : types.join(' or ')}`,
    );
  const empty = (['type', 'enum', 'oneOf'] as const).find(
    (keyword) => Array.isArray(schema[keyword]) && schema[keyword].length === 0,
  );
  if (empty !== undefined)
    throw new TypeError(`${where}: ${empty} must not be an empty list, because no value would be valid`);
}

function checkValues(where: string, schema: ArgSchema): void {
  const count = COUNTS.find(
    (keyword) =>
      schema[keyword] !== undefined && !(Number.isInteger(schema[keyword]) && Number(schema[keyword]) >= 0),
  );
  if (count !== undefined)
    throw new TypeError(`${where}: ${count} is ${schema[count]}, but must be a whole number of 0 or more`);
  for (const [lower, upper] of BOUNDS) {
    const [least = -Infinity, most = Infinity] = [schema[lower], schema[upper]];
    if (least > most) throw new TypeError(`${where}: ${lower} ${least} is larger than ${upper} ${most}`);
  }
  const types = typesOf(schema);
  const misfit =
    types.length === 0 ? undefined : schema.enum?.find((value) => !types.some((type) => fits(type, value)));
  if (misfit !== undefined)
    throw new TypeError(`${where}: ${JSON.stringify(misfit)} of enum is not of type ${types.join(' or ')}`);
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
    throw new TypeError(`${where}: the pattern ${pattern} cannot be used: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

/** @throws TypeError for a pattern with which a caller could block the process. `count`: how many texts a request may have. */
function checkPattern(where: string, { pattern, maxLength = Infinity }: ArgSchema, count: number): void {
  const longest = pattern === undefined ? Infinity : longestFor(where, pattern, count);
  if (longest >= maxLength) return;
  throw new TypeError(
    `${where}: the pattern ${pattern} takes time that grows faster than the text, because several of its repetitions can match the same characters; write repetitions that share none, or add maxLength, here ${longest} at most`,
  );
}

/** The type that somebody meant who wrote a type in the place of a schema. */
function toTypeWord(schema: unknown): string {
  return typeof schema === 'string'
    ? (TYPE_NAMES.find((name) => name === schema.toLowerCase()) ?? 'string')
    : 'string';
}

interface Depth {
  readonly depth: number;
  readonly count: number;
}

function checkWhole(where: string, schema: ArgSchema, { depth, count }: Depth): void {
  if (depth > DEPTH_LIMIT)
    throw new TypeError(
      `${where.slice(0, WHERE_LENGTH)}…: the schema nests deeper than ${DEPTH_LIMIT} levels`,
    );
  if (!fits('object', schema))
    throw new TypeError(
      `${where}: ${describe(schema)} is not a schema; a schema is an object, such as { type: '${toTypeWord(schema)}' }`,
    );
  for (const [keyword, value] of Object.entries(schema)) {
    const rule = own<OptionRule>(KEYWORDS, keyword);
    if (rule === undefined)
      throw new TypeError(
        `${where}: unknown schema keyword "${keyword}"${adviseOn(keyword, KEYWORD_NAMES, { what: 'keywords', foreign: OTHERWISE })}`,
      );
    if (!rule.fits(value))
      throw new TypeError(`${where}: ${keyword} is ${describe(value)}; it must be ${rule.wanted}`);
  }
  for (const type of typesOf(schema)) {
    if (!TYPES.has(type))
      throw new TypeError(
        `${where}: unknown type ${JSON.stringify(type)}${adviseOn(String(type).toLowerCase(), TYPE_NAMES, { what: 'types', foreign: OTHER_TYPES })}`,
      );
  }
  const { format } = schema;
  if (format !== undefined && !listFormats().includes(format))
    throw new TypeError(
      `${where}: unknown format "${format}"${adviseOn(format, listFormats(), { what: 'formats' })}`,
    );
  checkKeywords(where, schema);
  checkValues(where, schema);
  checkPattern(where, schema, count);
  // Comparing objects with each other is quadratic: 20,000 of them would block the process for seconds.
  if (schema.uniqueItems === true && !hasScalarItems(schema) && schema.maxItems === undefined) {
    throw new TypeError(`${where}: uniqueItems needs maxItems, unless the items are of a plain type`);
  }
  checkNames(`${where}, properties`, schema.properties ?? {});
  for (const [name, child] of listChildren(schema))
    checkWhole(`${where}.${name}`, child, { depth: depth + 1, count: count * countOf(schema, name) });
}

const once = createGivenCheck();

/**
 * @throws TypeError `${where}: …` for an unknown keyword or type, a value that does not fit its keyword or contradicts another one,
 * an unbounded comparison of items, and a pattern that can take long
 */
export function checkSchema(where: string, schema: ArgSchema): void {
  once(schema, () => checkWhole(where, schema, { depth: 1, count: 1 }));
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
  if (unsafe !== undefined)
    throw new TypeError(`${where}: ${unsafe} is not a name for a member, because plain objects inherit it`);
}

/** Whether this is a schema in the place of schemas by name. A parameter may be called `type`, but its schema is not a text. */
function isOneSchema(args: Readonly<Record<string, unknown>>): boolean {
  return args['type'] === 'object' && isObject(args['properties']);
}

/**
 * Checks parameters. `checked`: the schemas that are known to be right, so that one that a thousand endpoints share is checked once.
 * It must not outlive the registration, because a schema may change afterwards.
 * @throws TypeError as `checkSchema`, for each parameter.
 */
export function checkArgs(where: string, args: ArgSchemas, checked: Set<ArgSchema> = new Set()): void {
  checkNames(where, args);
  if (isOneSchema(args))
    throw new TypeError(
      `${where}: this is one schema, but parameters and members are written by name, such as { title: { type: 'string' } }; write the content of its properties here`,
    );
  for (const [name, schema] of Object.entries(args)) {
    if (checked.has(schema)) continue;
    checkSchema(`${where}, parameter ${name}`, schema);
    checked.add(schema);
  }
}
