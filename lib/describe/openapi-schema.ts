import type { SiteView } from '../route/call.ts';
import { hasRawText, toJsonSchema, typesOf, type JsonSchema } from '../schema/schema.ts';
import type { ArgSchema } from '../schema/schema-dialect.ts';

/** A part of an OpenAPI document. */
export type Document = Readonly<Record<string, unknown>>;

/** What the document is made from. */
export type View = Pick<SiteView, 'names' | 'routes' | 'translate' | 'wireUrl'>;

/** A schema with what it says to people; nested defaults and descriptions stay in the index. */
function addWords(view: View, { description, default: value }: ArgSchema, schema: JsonSchema): Document {
  return {
    ...schema,
    ...(description === undefined ? {} : { description: view.translate(description) }),
    ...(value === undefined ? {} : { default: value }),
  };
}

/** What a client may send. */
export const toRequestSchema = (view: View, schema: ArgSchema): Document => addWords(view, schema, toJsonSchema(schema, 'request'));

/** The same where all is text, in queries and forms: of an object with a raw text, that text is all that is read. */
export const toTextSchema = (view: View, schema: ArgSchema): Document => toRequestSchema(view, hasRawText(schema) ? { ...schema, type: 'string', properties: {} } : schema);

/** Whether a value of one of the types is read from JSON text, which is never split at the commas and blanks of its items. A text stays one. */
export function isReadAsJson(schema: ArgSchema, types: readonly string[]): boolean {
  const known = new Set([schema, ...schema.oneOf ?? []].flatMap(typesOf));
  return !hasRawText(schema) && !known.has('string') && types.some((type) => known.has(type));
}

/** What the server answers. */
export const toAnswerSchema = (view: View, schema: ArgSchema): Document => addWords(view, schema, toJsonSchema(schema, 'answer'));

export const toSchemaRef = (title: string): Document => ({ $ref: `#/components/schemas/${title}` });
