import { toShownSchema } from '../compile/compile-answers.ts';
import { renameParam, vendorHeader } from '../core/names.ts';
import { isObject, own } from '../core/objects.ts';
import { STREAM_FORMATS } from '../http/stream-body.ts';
import type { RouteView } from '../route/call.ts';
import type { EndpointDescriptor, Method } from '../route/descriptor.ts';
import { effectOf, idempotenceOf } from '../route/effects.ts';
import { readGroups, replaceGroups } from '../route/pattern.ts';
import type { ArgSchema, ArgSchemas } from '../schema/schema-dialect.ts';
import { hasScalarItems, typesOf } from '../schema/schema.ts';
import { describeComponents, ERROR_RESPONSE, IF_MATCH, listReadParameters } from './openapi-components.ts';
import { hasArgsInBody, toAnswerExamples, toArgExamples, toRequestBody } from './openapi-request-body.ts';
import {
  type Document,
  isReadAsJson,
  type SecuritySchemes,
  toAnswerSchema,
  toSchemaRef,
  toTextSchema,
  type View,
} from './openapi-schema.ts';

/** The facts about the site that are not in its routes. */
interface OpenApiInfo {
  /** Title of the document. */
  readonly title: string;
  /** Version of the interface, such as `1.0.0`. */
  readonly version: string;
}

/** The same, with the address of the site. */
export interface OpenApiPlace extends OpenApiInfo {
  /** One of the language prefixes. Not given if the engine has none. */
  readonly language?: string;
  /** Address of the site without a trailing slash. */
  readonly siteUrl: string;
}

/** Checks options that were not compiled against their type. @throws TypeError */
export function checkDocumentOptions(asked: Partial<OpenApiPlace> = {}, prefixes: readonly string[]): void {
  for (const name of prefixes.length === 0
    ? (['title', 'version', 'siteUrl'] as const)
    : (['title', 'version', 'language', 'siteUrl'] as const)) {
    if (typeof asked[name] !== 'string') throw new TypeError(`describeOpenApi: ${name} must be a text`);
  }
  if (prefixes.length === 0 && asked.language !== undefined)
    throw new TypeError(
      `describeOpenApi: language "${asked.language}" cannot be given, because the engine has no prefixes`,
    );
  if (prefixes.length > 0 && !prefixes.includes(asked.language ?? ''))
    throw new TypeError(
      `describeOpenApi: language "${asked.language}" must be one of ${prefixes.join(', ')}`,
    );
  if (!/^https?:\/\/[^/\s]\S*$/.test(asked.siteUrl ?? '') || asked.siteUrl?.endsWith('/') === true)
    throw new TypeError(
      `describeOpenApi: siteUrl "${asked.siteUrl}" must be an http or https address without a trailing slash`,
    );
}

const WITH_BODY: ReadonlySet<Method> = new Set<Method>(['POST', 'PUT', 'PATCH']);

const isScalar = (schema: ArgSchema): boolean => hasScalarItems({ items: schema });

/** How a value is written. No OpenAPI style covers objects with lists or objects in them. They are JSON text. */
function toSpelling(view: View, schema: ArgSchema, examples: Document): Document {
  const shown = { schema: toTextSchema(view, schema), ...examples };
  if (isReadAsJson(schema, ['object'])) {
    const { properties, additionalProperties } = schema;
    const isFlat =
      additionalProperties === false && properties !== undefined && Object.values(properties).every(isScalar);
    return isFlat
      ? { ...shown, style: 'deepObject', explode: true }
      : { content: { 'application/json': shown } };
  }
  return { ...shown, ...(typesOf(schema).includes('array') ? { style: 'form', explode: false } : {}) };
}

/** A parameter of the document. `read`: its part of an example. */
interface Written {
  readonly name: string;
  readonly schema: ArgSchema;
  readonly read: (value: unknown) => unknown;
}

/** A value that is a list or an object is written as several parameters: the list, and each member of the object in brackets. */
function toWritten(name: string, schema: ArgSchema): readonly Written[] {
  const { description = '', oneOf = [] } = schema;
  const [list, members] = ['array', 'object'].map((type) =>
    oneOf.find((branch) => typesOf(branch).includes(type)),
  );
  if (oneOf.length !== 2 || list === undefined || members?.properties === undefined)
    return [{ name, schema, read: (value) => value }];
  return [
    { name, schema: { ...list, description }, read: (value) => (Array.isArray(value) ? value : undefined) },
    ...Object.entries(members.properties).map(([member, { default: _filledIn, ...each }]) => ({
      name: `${name}[${member}]`,
      schema: each,
      read: (value: unknown) => (isObject(value) ? own(value, member) : undefined),
    })),
  ];
}

type Place = 'path' | 'query';

/** Describes the parameters of one endpoint, each with its place. */
function createParameters(
  view: View,
  endpoint: EndpointDescriptor,
): (place: Place, name: string, schema: ArgSchema) => readonly Document[] {
  return (place, neutral, arg) =>
    toWritten(renameParam(view.names, neutral), arg).map(({ name, schema, read }) => {
      const examples = toArgExamples(view, endpoint, (args) => read(own(args, neutral)));
      return Object.assign(
        { name, in: place, required: place === 'path' || schema.required === true },
        toSpelling(view, schema, examples),
      );
    });
}

/** A group that no arg describes is a string that matches the expression of the group. */
function listGroups({ pattern }: RouteView, args: ArgSchemas): readonly (readonly [string, ArgSchema])[] {
  return readGroups(pattern).map(({ name, expression }) => [
    name,
    own(args, name) ?? { type: 'string', pattern: `^${expression}$` },
  ]);
}

/** A capability never admits anonymous callers. A public endpoint takes logins as well: what it answers may depend on the caller. */
function toSecurity(permission: string, schemes: SecuritySchemes): readonly object[] {
  const logins = Object.keys(schemes).map((name) => ({ [name]: [] }));
  return permission === 'public' || permission.includes('.') ? [...logins, {}] : logins;
}

/** The path of a route with a parameter in braces for each group. */
const toPath = ({ pattern }: RouteView): string => replaceGroups(pattern, ({ name }) => `{${name}}`);

/** What the endpoint says of itself. Pages list operations by their summary, so each has one. */
function toWords(
  view: View,
  { summary, description, deprecated }: EndpointDescriptor,
  fallback: string,
): Document {
  return {
    summary: summary === undefined ? fallback : view.translate(summary),
    ...(description === undefined ? {} : { description: view.translate(description) }),
    ...(deprecated === undefined ? {} : { deprecated: true }),
  };
}

const toRef = (place: 'headers' | 'responses', name: string): Document => ({
  $ref: `#/components/${place}/${name}`,
});

/** The forms in which the endpoint shows the resource of the route. */
function toShown({ resource }: RouteView, endpoint: EndpointDescriptor): Document {
  return resource === null ? {} : toShownSchema(endpoint, toSchemaRef(resource.title));
}

function toHeaders({ names }: View, { shows = [] }: EndpointDescriptor, method: Method): Document {
  const isTagged = method === 'GET' || shows.includes('record');
  return {
    ...(isTagged ? { ETag: toRef('headers', 'ETag') } : {}),
    ...(shows.includes('page')
      ? Object.fromEntries(
          ['Total', 'TotalPages'].map((name) => [vendorHeader(names, name), toRef('headers', name)]),
        )
      : {}),
  };
}

/** Media types that a response may have instead of JSON. A stream of bytes has those that the endpoint produces. */
function listOtherTypes({ produces = [], streams = [] }: EndpointDescriptor): readonly string[] {
  const formats = [streams].flat().filter((format) => format !== 'bytes' || produces.length === 0);
  return [...produces, ...formats.map((format) => STREAM_FORMATS[format].type)];
}

/** The responses of an endpoint by status. */
function toResponses(
  view: View,
  route: RouteView,
  { endpoint, method }: { endpoint: EndpointDescriptor; method: Method },
): Document {
  const headers = toHeaders(view, endpoint, method);
  const others = Object.fromEntries(
    listOtherTypes(endpoint).map((type) => [type, { schema: { type: 'string' } }]),
  );
  const toSuccess = (schema: Document, examples: Document): Document => ({
    description: 'Success',
    ...(Object.keys(headers).length > 0 ? { headers } : {}),
    content: { 'application/json': { schema, ...examples }, ...others },
  });
  // An example shows a response with the first status.
  const answers = Object.entries(endpoint.answers ?? {}).map(([status, schema], at) => [
    status,
    toSuccess(toAnswerSchema(view, schema), at === 0 ? toAnswerExamples(view, endpoint) : {}),
  ]);
  const success =
    answers.length > 0
      ? (Object.fromEntries(answers) as Document)
      : { [endpoint.status ?? '2XX']: toSuccess(toShown(route, endpoint), toAnswerExamples(view, endpoint)) };
  return {
    ...success,
    ...(method === 'GET' ? { 304: toRef('responses', 'NotModified') } : {}),
    ...(endpoint.ifMatch === true ? { 412: toRef('responses', 'PreconditionFailed') } : {}),
    default:
      endpoint.produces === undefined
        ? toRef('responses', 'Error')
        : { ...ERROR_RESPONSE, content: { ...ERROR_RESPONSE.content, ...others } },
  };
}

function toOperation(
  view: View,
  route: RouteView,
  { endpoint, method }: { endpoint: EndpointDescriptor; method: Method },
): Document {
  const args = { ...endpoint.args, ...endpoint.body, ...route.commonArgs };
  const others = Object.entries(args).filter(([name]) => !route.groups.includes(name));
  const isWrite = WITH_BODY.has(method);
  const toParameter = createParameters(view, endpoint);
  return {
    operationId:
      endpoint.methods.length === 1 ? endpoint.handler : `${endpoint.handler}.${method.toLowerCase()}`,
    ...toWords(view, endpoint, `${method} ${toPath(route)}`),
    tags: endpoint.tags ?? [route.namespace === '' ? 'root' : route.namespace],
    'x-permission': endpoint.permission,
    'x-effect': effectOf(endpoint),
    'x-idempotent': idempotenceOf(endpoint),
    ...(endpoint.untrusted === undefined ? {} : { 'x-untrusted': endpoint.untrusted }),
    security: toSecurity(endpoint.permission, view.securitySchemes),
    parameters: [
      ...listGroups(route, args).flatMap(([name, schema]) => toParameter('path', name, schema)),
      ...(isWrite && hasArgsInBody(endpoint.accepts)
        ? []
        : others.flatMap(([name, schema]) => toParameter('query', name, schema))),
      ...(method === 'GET' ? listReadParameters(endpoint) : []),
      ...(endpoint.ifMatch === true ? [IF_MATCH] : []),
    ],
    ...(isWrite
      ? {
          requestBody: toRequestBody(
            view,
            { endpoint, route },
            hasArgsInBody(endpoint.accepts) ? others : [],
          ),
        }
      : {}),
    responses: toResponses(view, route, { endpoint, method }),
  };
}

function toPathItem(view: View, route: RouteView): Document {
  return Object.fromEntries(
    route.descriptor.endpoints.flatMap((endpoint) =>
      endpoint.methods.map((method) => [
        method.toLowerCase(),
        toOperation(view, route, { endpoint, method }),
      ]),
    ),
  );
}

/** Describes the routes as an OpenAPI 3.1 document, in the language of the view. All of it is derived from the descriptors. `serverUrl`: address of the API. */
export function describeOpenApi(
  view: View,
  { info, serverUrl }: { readonly info: OpenApiInfo; readonly serverUrl: string },
): Document {
  return {
    openapi: '3.1.0',
    info,
    servers: [{ url: serverUrl }],
    paths: Object.fromEntries(view.routes.map((route) => [toPath(route), toPathItem(view, route)])),
    components: describeComponents(view),
  };
}
