import { hasScalarItems, typesOf } from './schema.ts';
import type { ArgSchema, ArgSchemas } from './schema-dialect.ts';

const KEYWORDS = new Set(['type', 'description', 'title', 'default', 'required', 'enum', 'format', 'pattern', 'minimum', 'maximum', 'minLength',
  'maxLength', 'minItems', 'maxItems', 'uniqueItems', 'items', 'properties', 'additionalProperties', 'oneOf', 'context', 'readonly']);
const TYPES = new Set(['string', 'integer', 'number', 'boolean', 'array', 'object', 'null']);

function listChildren(schema: ArgSchema): readonly (readonly [string, ArgSchema])[] {
  return [
    ...Object.entries(schema.properties ?? {}),
    ...(schema.items === undefined ? [] : [['items', schema.items] as const]),
    ...(typeof schema.additionalProperties === 'object' ? [['additionalProperties', schema.additionalProperties] as const] : []),
    ...(schema.oneOf ?? []).map((branch, index) => [`oneOf[${index}]`, branch] as const),
  ];
}

/** @throws TypeError `${where}: …` for an unknown keyword or type, and for a comparison of items that has no bound. */
export function checkSchema(where: string, schema: ArgSchema): void {
  for (const keyword of Object.keys(schema)) {
    if (!KEYWORDS.has(keyword)) throw new TypeError(`${where}: unknown schema keyword "${keyword}"`);
  }
  for (const type of typesOf(schema)) {
    if (!TYPES.has(type)) throw new TypeError(`${where}: unknown type "${type}"`);
  }
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
