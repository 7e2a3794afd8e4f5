import { fits } from './coerce.ts';
import { own } from './own.ts';
import { hasScalarItems, typesOf } from './schema.ts';
import type { ArgSchema, ArgSchemas } from './schema-dialect.ts';
import { FORMATS } from './validate.ts';

const TEXT = ['string'] as const;
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
const TYPES = new Set(['string', 'integer', 'number', 'boolean', 'array', 'object', 'null']);

/** Lower and upper bound: the one may not lie above the other. */
const BOUNDS = [['minimum', 'maximum'], ['minLength', 'maxLength'], ['minItems', 'maxItems']] as const;

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function listChildren(schema: ArgSchema): readonly (readonly [string, ArgSchema])[] {
  return [
    ...Object.entries(schema.properties ?? {}),
    ...(schema.items === undefined ? [] : [['items', schema.items] as const]),
    ...(typeof schema.additionalProperties === 'object' ? [['additionalProperties', schema.additionalProperties] as const] : []),
    ...(schema.oneOf ?? []).map((branch, index) => [`oneOf[${index}]`, branch] as const),
  ];
}

function checkValues(where: string, schema: ArgSchema): void {
  for (const [lower, upper] of BOUNDS) {
    const [least = -Infinity, most = Infinity] = [schema[lower], schema[upper]];
    if (least > most) throw new TypeError(`${where}: ${lower} ${least} is larger than ${upper} ${most}`);
  }
  const types = typesOf(schema);
  const stranger = types.length === 0 ? undefined : schema.enum?.find((value) => !types.some((type) => fits(type, value)));
  if (stranger !== undefined) throw new TypeError(`${where}: ${JSON.stringify(stranger)} of enum is not of type ${types.join(' or ')}`);
}

/** @throws TypeError `${where}: …` for an unknown keyword or type, a value of a keyword that does not fit it or its neighbours, and for a comparison of items that has no bound. */
export function checkSchema(where: string, schema: ArgSchema): void {
  if (kindOf(schema) !== 'object') throw new TypeError(`${where}: ${String(schema)} is no schema`);
  for (const [keyword, value] of Object.entries(schema)) {
    const kinds = own(KEYWORDS, keyword);
    if (kinds === undefined) throw new TypeError(`${where}: unknown schema keyword "${keyword}"`);
    if (!kinds.includes(kindOf(value))) throw new TypeError(`${where}: ${keyword} is not of type ${kinds.join(' or ')}`);
  }
  for (const type of typesOf(schema)) {
    if (!TYPES.has(type)) throw new TypeError(`${where}: unknown type "${type}"`);
  }
  if (schema.format !== undefined && !FORMATS.includes(schema.format)) throw new TypeError(`${where}: unknown format "${schema.format}"; the formats are ${FORMATS.join(', ')}`);
  checkValues(where, schema);
  // Comparing objects with each other is quadratic: 20,000 of them would block the process for seconds.
  if (schema.uniqueItems === true && !hasScalarItems(schema) && schema.maxItems === undefined) {
    throw new TypeError(`${where}: uniqueItems needs items of a plain type, or maxItems`);
  }
  for (const [name, child] of listChildren(schema)) checkSchema(`${where}.${name}`, child);
}

/** @throws TypeError as `checkSchema`, for each parameter. */
export function checkArgs(where: string, args: ArgSchemas): void {
  for (const [name, schema] of Object.entries(args)) checkSchema(`${where}, parameter ${name}`, schema);
}
