import type { RouteView, SiteView } from './call.ts';
import type { EndpointDescriptor, Method } from './descriptor.ts';
import { renameParam } from './names.ts';
import { toJsonSchema, typesOf, type JsonSchema } from './schema.ts';
import type { ArgSchema, ArgSchemas } from './schema-dialect.ts';

type Document = Readonly<Record<string, unknown>>;

/** What the document says of the site beside its routes. */
export interface OpenApiInfo {
  readonly title: string;
  readonly version: string;
}

type View = Pick<SiteView, 'names' | 'routes' | 'translate' | 'wireUrl'>;

const GROUP = /\(\?P<(\w+)>((?:[^()[\]]|\[[^\]]*\])+)\)/g;
const WITH_BODY: ReadonlySet<Method> = new Set<Method>(['POST', 'PUT', 'PATCH']);

const ERROR = {
  type: 'object', required: ['code', 'message', 'data'],
  properties: {
    code: { type: 'string' }, message: { type: 'string' },
    data: { type: 'object', required: ['status'], properties: { status: { type: 'integer' } }, additionalProperties: true },
  },
} as const;

/** A schema with what it says to people; nested defaults and descriptions stay in the index. */
function addWords(view: View, { description, default: value }: ArgSchema, schema: JsonSchema): Document {
  return {
    ...schema,
    ...(description === undefined ? {} : { description: view.translate(description) }),
    ...(value === undefined ? {} : { default: value }),
  };
}

const toParameterSchema = (view: View, schema: ArgSchema): Document => addWords(view, schema, toJsonSchema(schema));

const toAnswerSchema = (view: View, schema: ArgSchema): Document => addWords(view, schema, toJsonSchema(schema, 'server'));

function toParameter(view: View, [name, schema]: readonly [string, ArgSchema], place: 'path' | 'query'): Document {
  const isList = typesOf(schema).includes('array');
  return {
    name: renameParam(view.names, name), in: place, required: place === 'path' || schema.required === true, schema: toParameterSchema(view, schema),
    ...(isList ? { style: 'form', explode: false } : {}),
  };
}

/** A group that no arg describes is a text of the group's own form. */
function toPathParameters(view: View, route: RouteView, args: ArgSchemas): readonly Document[] {
  return [...route.pattern.matchAll(GROUP)].map(([, name = '', expression = '']) => (
    toParameter(view, [name, args[name] ?? { type: 'string', pattern: `^${expression}$` }], 'path')
  ));
}

function toMembers(view: View, args: readonly (readonly [string, ArgSchema])[]): Document {
  const required = args.filter(([, schema]) => schema.required === true).map(([name]) => renameParam(view.names, name));
  return {
    type: 'object', properties: Object.fromEntries(args.map(([name, arg]) => [renameParam(view.names, name), toParameterSchema(view, arg)])),
    ...(required.length > 0 ? { required } : {}),
  };
}

/** JSON and forms have the same members, unless the whole of a JSON body is one list. */
function toRequestBody(view: View, { bodyForm, body }: EndpointDescriptor, args: readonly (readonly [string, ArgSchema])[]): Document {
  const list = bodyForm === 'array' ? body?.['body'] : undefined;
  const members = toMembers(view, args.filter(([, schema]) => schema !== list));
  const json = list === undefined ? members : toParameterSchema(view, list);
  return { required: 'required' in json || list?.required === true, content: { 'application/json': { schema: json }, 'application/x-www-form-urlencoded': { schema: members } } };
}

/** A permission function may let strangers through, as far as the record allows it; a capability never does. */
function toSecurity(permission: string): readonly object[] {
  const login = { applicationPassword: [] };
  if (permission === 'public') return [{}];
  return permission.includes('.') ? [login, {}] : [login];
}

const toSchemaRef = (title: string): Document => ({ $ref: `#/components/schemas/${title}` });

/** The schema that the endpoint declares; else a record of the route's resource, or a list of them. */
function toAnswer(view: View, { resource }: RouteView, { answer }: EndpointDescriptor): Document {
  if (answer !== undefined) return toAnswerSchema(view, answer);
  if (resource === null) return {};
  const record = toSchemaRef(resource.title);
  return { anyOf: [record, { type: 'array', items: record }, { type: 'object' }] };
}

function describeResources(view: View): Document {
  const resources = view.routes.flatMap((route) => route.resource ?? []);
  return Object.fromEntries(resources.map(({ title, properties }) => [title, {
    type: 'object', properties: Object.fromEntries(Object.entries(properties).map(([name, schema]) => [renameParam(view.names, name), toAnswerSchema(view, schema)])),
  }]));
}

function toOperation(view: View, route: RouteView, { endpoint, method }: { endpoint: EndpointDescriptor; method: Method }): Document {
  const args = { ...endpoint.args, ...endpoint.body, ...route.commonArgs };
  const others = Object.entries(args).filter(([name]) => !route.groups.includes(name));
  const isWrite = WITH_BODY.has(method);
  const error = { description: 'Error', content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } };
  return {
    operationId: endpoint.methods.length === 1 ? endpoint.handler : `${endpoint.handler}.${method.toLowerCase()}`,
    tags: [route.namespace === '' ? 'root' : route.namespace],
    'x-permission': endpoint.permission,
    security: toSecurity(endpoint.permission),
    parameters: [...toPathParameters(view, route, args), ...(isWrite ? [] : others.map((arg) => toParameter(view, arg, 'query')))],
    ...(isWrite ? { requestBody: toRequestBody(view, endpoint, others) } : {}),
    responses: { '2XX': { description: 'Success', content: { 'application/json': { schema: toAnswer(view, route, endpoint) } } }, default: error },
  };
}

function toPathItem(view: View, route: RouteView): Document {
  return Object.fromEntries(route.descriptor.endpoints.flatMap((endpoint) => endpoint.methods.map((method) => (
    [method.toLowerCase(), toOperation(view, route, { endpoint, method })]
  ))));
}

/** The routes as an OpenAPI 3.1 document, in the language of the view. Nothing of it is written by hand. */
export function describeOpenApi(view: View, info: OpenApiInfo): Document {
  return {
    openapi: '3.1.0', info,
    servers: [{ url: view.wireUrl('') }],
    paths: Object.fromEntries(view.routes.map((route) => [route.pattern.replaceAll(GROUP, '{$1}'), toPathItem(view, route)])),
    components: {
      schemas: { Error: ERROR, ...describeResources(view) },
      securitySchemes: { applicationPassword: { type: 'http', scheme: 'basic', description: 'User name and application password.' } },
    },
  };
}
