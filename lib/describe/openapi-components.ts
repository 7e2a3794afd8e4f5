import { listShownFields } from '../compile/compile-answers.ts';
import type { EndpointDescriptor } from '../route/descriptor.ts';
import { listChildren } from '../schema/check-schema.ts';
import type { ArgSchema } from '../schema/schema-dialect.ts';
import {
  type Document,
  type SecuritySchemes,
  toAnswerSchema,
  toSchemaRef,
  type View,
} from './openapi-schema.ts';

const TEXT = { type: 'string' } as const;
const TEXTS = { type: 'array', items: TEXT } as const;

/** The ways to log in where an engine does not say its own. */
export const SECURITY_SCHEMES: SecuritySchemes = {
  applicationPassword: { type: 'http', scheme: 'basic', description: 'User name and application password.' },
};

const ERROR = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: {
    code: TEXT,
    message: TEXT,
    data: {
      type: 'object',
      required: ['status'],
      properties: { status: { type: 'integer' } },
      additionalProperties: true,
    },
    additional_data: { type: 'array' },
  },
} as const;

/** Problem details (RFC 9457), for clients that request them. */
const PROBLEM = {
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'code'],
  additionalProperties: true,
  properties: { type: TEXT, title: TEXT, status: { type: 'integer' }, detail: TEXT, code: TEXT },
} as const;

const LINKS = {
  type: 'object',
  additionalProperties: {
    type: 'array',
    items: { type: 'object', required: ['href'], properties: { href: TEXT }, additionalProperties: true },
  },
} as const;

/** Records by relation, or the error in place of a record; a link to a list embeds the list. */
const EMBEDDED = { type: 'object', additionalProperties: { type: 'array', items: {} } } as const;

/** The additional parameters of every read, and of writes to one version of a record. */
const PARAMETERS = {
  fields: {
    name: '_fields',
    in: 'query',
    description: 'Fields to include; a dot selects a nested field.',
    schema: TEXTS,
    style: 'form',
    explode: false,
  },
  embed: {
    name: '_embed',
    in: 'query',
    description: 'Relations whose records to include in _embedded; 1 means all.',
    schema: TEXTS,
    style: 'form',
    explode: false,
  },
  ifNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'ETags of responses that the client already has.',
    schema: TEXT,
  },
  ifMatch: {
    name: 'If-Match',
    in: 'header',
    description: 'ETag of the version to change. If the record has another version, nothing is changed.',
    schema: TEXT,
  },
} as const;

const toParameterRef = (name: keyof typeof PARAMETERS): Document => ({
  $ref: `#/components/parameters/${name}`,
});

const hasRequired = (schema: ArgSchema): boolean =>
  schema.required === true || listChildren(schema).some(([, child]) => hasRequired(child));

/** Whether `_fields` can leave out members of the response. Required members would be missing. */
export function takesFields({ answers = {} }: EndpointDescriptor): boolean {
  return !Object.values(answers).some(hasRequired);
}

/** What a read takes beside its own parameters. */
export function listReadParameters(endpoint: EndpointDescriptor): readonly Document[] {
  return [
    ...(takesFields(endpoint) ? (['fields'] as const) : []),
    'embed' as const,
    'ifNoneMatch' as const,
  ].map(toParameterRef);
}

export const IF_MATCH = toParameterRef('ifMatch');

const ERROR_CONTENT = {
  'application/json': { schema: toSchemaRef('Error') },
  'application/problem+json': { schema: toSchemaRef('Problem') },
};

/** The response of every error. */
export const ERROR_RESPONSE = { description: 'Error', content: ERROR_CONTENT } as const;

const RESPONSES = {
  Error: ERROR_RESPONSE,
  NotModified: {
    description: 'The response that the client has is still current.',
    headers: { ETag: { $ref: '#/components/headers/ETag' } },
  },
  PreconditionFailed: {
    description: 'The record has changed: its ETag does not match If-Match.',
    content: ERROR_CONTENT,
  },
} as const;

const HEADERS = {
  ETag: {
    description:
      'Identifies this response for If-None-Match and, if it shows one record, the version of the record for If-Match.',
    schema: TEXT,
  },
  Total: { description: 'Number of items on all pages.', schema: { type: 'integer' } },
  TotalPages: { description: 'Number of pages.', schema: { type: 'integer' } },
} as const;

function describeResources(view: View): Document {
  const resources = view.routes.flatMap((route) => route.resource ?? []);
  return Object.fromEntries(
    resources.map((resource) => {
      const fields = listShownFields(resource, view.names).map(([name, schema]) => [
        name,
        toAnswerSchema(view, schema),
      ]);
      return [
        resource.title,
        {
          type: 'object',
          properties: {
            ...Object.fromEntries(fields),
            _links: LINKS,
            _embedded: EMBEDDED,
          },
        },
      ];
    }),
  );
}

/** The components that the operations share. */
export function describeComponents(view: View): Document {
  return {
    schemas: { Error: ERROR, Problem: PROBLEM, ...describeResources(view) },
    parameters: PARAMETERS,
    headers: HEADERS,
    responses: RESPONSES,
    ...(Object.keys(view.securitySchemes).length > 0 ? { securitySchemes: view.securitySchemes } : {}),
  };
}
