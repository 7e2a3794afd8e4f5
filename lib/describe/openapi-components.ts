import { renameParam } from '../core/names.ts';
import { toAnswerSchema, toSchemaRef, type Document, type View } from './openapi-schema.ts';

const TEXT = { type: 'string' } as const;
const TEXTS = { type: 'array', items: TEXT } as const;

const ERROR = {
  type: 'object', required: ['code', 'message', 'data'],
  properties: {
    code: TEXT, message: TEXT,
    data: { type: 'object', required: ['status'], properties: { status: { type: 'integer' } }, additionalProperties: true },
    additional_data: { type: 'array' },
  },
} as const;

/** RFC 9457, for those who ask for it. */
const PROBLEM = {
  type: 'object', required: ['type', 'title', 'status', 'detail', 'code'], additionalProperties: true,
  properties: { type: TEXT, title: TEXT, status: { type: 'integer' }, detail: TEXT, code: TEXT },
} as const;

const LINKS = {
  type: 'object',
  additionalProperties: { type: 'array', items: { type: 'object', required: ['href'], properties: { href: TEXT }, additionalProperties: true } },
} as const;

/** What every read takes beside its own parameters, and what a write takes that is made against one version of a record. */
const PARAMETERS = {
  fields: { name: '_fields', in: 'query', description: 'Only these fields; dots reach inside.', schema: TEXTS, style: 'form', explode: false },
  embed: { name: '_embed', in: 'query', description: 'Relations whose records are brought along in _embedded; 1: all of them.', schema: TEXTS, style: 'form', explode: false },
  envelope: { name: '_envelope', in: 'query', description: 'Puts the answer into the member body of an object, beside its status and headers.', schema: { type: 'string', enum: ['1'] } },
  ifNoneMatch: { name: 'If-None-Match', in: 'header', description: 'ETags of answers that are at hand already.', schema: TEXT },
  ifMatch: { name: 'If-Match', in: 'header', description: 'ETag of the version that is changed: with another one nothing is changed.', schema: TEXT },
} as const;

const toParameterRef = (name: keyof typeof PARAMETERS): Document => ({ $ref: `#/components/parameters/${name}` });

export const READ_PARAMETERS = (['fields', 'embed', 'envelope', 'ifNoneMatch'] as const).map(toParameterRef);
export const IF_MATCH = toParameterRef('ifMatch');

const ERROR_CONTENT = { 'application/json': { schema: toSchemaRef('Error') }, 'application/problem+json': { schema: toSchemaRef('Problem') } };

const RESPONSES = {
  Error: { description: 'Error', content: ERROR_CONTENT },
  NotModified: { description: 'The answer at hand is still right.', headers: { ETag: { $ref: '#/components/headers/ETag' } } },
  PreconditionFailed: { description: 'The record is no longer as If-Match says.', content: ERROR_CONTENT },
} as const;

const HEADERS = {
  ETag: { description: 'Names this answer for If-None-Match and, where one record is shown, its version for If-Match.', schema: TEXT },
  Total: { description: 'Items of all pages.', schema: { type: 'integer' } },
  TotalPages: { description: 'Number of pages.', schema: { type: 'integer' } },
} as const;

function describeResources(view: View): Document {
  const resources = view.routes.flatMap((route) => route.resource ?? []);
  return Object.fromEntries(resources.map(({ title, properties, answers }) => {
    const fields = Object.entries({ ...properties, ...answers }).map(([name, schema]) => [renameParam(view.names, name), toAnswerSchema(view, schema)]);
    return [title, { type: 'object', properties: { ...Object.fromEntries(fields), _links: LINKS, _embedded: { type: 'object', additionalProperties: true } } }];
  }));
}

/** What the operations have in common. */
export function describeComponents(view: View): Document {
  return {
    schemas: { Error: ERROR, Problem: PROBLEM, ...describeResources(view) },
    parameters: PARAMETERS, headers: HEADERS, responses: RESPONSES,
    securitySchemes: { applicationPassword: { type: 'http', scheme: 'basic', description: 'User name and application password.' } },
  };
}
