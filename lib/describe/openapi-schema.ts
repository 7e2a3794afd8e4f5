import type { SiteView } from '../route/call.ts';
import type { ArgSchema } from '../schema/schema-dialect.ts';
import { defaultOf, hasRawText, type JsonSchema, toJsonSchema, typesOf } from '../schema/schema.ts';

/** A part of an OpenAPI document. */
export type Document = Readonly<Record<string, unknown>>;

/** The input of the document. */
export interface View extends Pick<SiteView, 'names' | 'routes' | 'translate'> {
  readonly securitySchemes: SecuritySchemes;
}

/** The ways to log in, as Security Scheme Objects of OpenAPI by name. A caller may use any of them. */
export type SecuritySchemes = Readonly<Record<string, Document>>;

/** What schemas need of a view. */
type Translating = Pick<View, 'translate'>;

/** WordPress declares the default of a list as the text of a query: `publish`. JSON has a list in its place. */
function toDefault(schema: ArgSchema): unknown {
  const value = defaultOf(schema);
  return schema.type === 'array' && typeof value === 'string' ? value.split(/[\s,]+/) : value;
}

/** Adds the description and default of a schema. Nested descriptions and defaults are shown only by the index. */
function addWords(view: Translating, declared: ArgSchema, schema: JsonSchema): Document {
  const { description } = declared;
  const value = toDefault(declared);
  return {
    ...schema,
    ...(description === undefined ? {} : { description: view.translate(description) }),
    ...(value === undefined ? {} : { default: value }),
  };
}

/** The schema of a value that a client may send. */
export const toRequestSchema = (view: Translating, schema: ArgSchema): Document =>
  addWords(view, schema, toJsonSchema(schema, 'request'));

/** The same for queries and forms, where every value is text. An object with a raw text is read only from that text. */
export const toTextSchema = (view: View, schema: ArgSchema): Document =>
  toRequestSchema(view, hasRawText(schema) ? { ...schema, type: 'string', properties: {} } : schema);

/** Whether values of one of the types are read from JSON text, which is never split at commas or spaces. Strings are not. */
export function isReadAsJson(schema: ArgSchema, types: readonly string[]): boolean {
  const known = new Set([schema, ...(schema.oneOf ?? [])].flatMap(typesOf));
  return !hasRawText(schema) && !known.has('string') && types.some((type) => known.has(type));
}

/** The schema of a value in a response. */
export const toAnswerSchema = (view: Translating, schema: ArgSchema): Document =>
  addWords(view, schema, toJsonSchema(schema, 'answer'));

export const toSchemaRef = (title: string): JsonSchema => ({ $ref: `#/components/schemas/${title}` });
