import type { SiteView } from './call.ts';
import { toJsonSchema, type JsonSchema } from './schema.ts';
import type { ArgSchema } from './schema-dialect.ts';

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

/** What the server answers. */
export const toAnswerSchema = (view: View, schema: ArgSchema): Document => addWords(view, schema, toJsonSchema(schema, 'answer'));

export const toSchemaRef = (title: string): Document => ({ $ref: `#/components/schemas/${title}` });
