import { checkAccepts } from './check-accepts.ts';
import { createExampleCheck } from './check-examples.ts';
import { checkArgs, checkNames, checkSchema, listChildren } from '../schema/check-schema.ts';
import { createPartCheck } from './part-check.ts';
import type { EndpointDescriptor, LinkDescriptor, NamespaceDescriptor, ResourceDescriptor, RouteDescriptor } from './descriptor.ts';
import type { ArgSchema, ArgSchemas } from '../schema/schema-dialect.ts';
import type { Validators } from '../schema/validate.ts';

const TEXT = { type: 'string' } as const;
const WORDS = { ...TEXT, minLength: 1 } as const;
const TEXTS = { type: 'array', items: TEXT } as const;
const NAMED = { type: 'object', additionalProperties: { type: 'object' } } as const;

const COUNT = { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER } as const;

// The types of `descriptor.ts` as data. `handler` and `permission` are not required here, because later checks report them missing with a better message.
const NAMESPACE = {
  namespace: { ...TEXT, required: true },
  routes: { type: 'array', items: { type: 'object' }, maxItems: Number.MAX_SAFE_INTEGER, required: true },
  index: { type: 'boolean', enum: [false] },
  resources: NAMED,
} as const satisfies Readonly<Record<keyof NamespaceDescriptor, ArgSchema>>;

const ROUTE = {
  pattern: { ...TEXT, required: true },
  endpoints: { type: 'array', items: { type: 'object' }, minItems: 1, required: true },
  hidden: { type: 'boolean', enum: [true] },
  resource: TEXT,
} as const satisfies Readonly<Record<keyof RouteDescriptor, ArgSchema>>;

const ENDPOINT = {
  methods: { type: 'array', items: { type: 'string', enum: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] }, minItems: 1, required: true },
  handler: TEXT,
  permission: TEXT,
  allow_batch: { type: 'object', properties: { v1: { type: 'boolean', enum: [true], required: true } }, additionalProperties: false },
  args: { ...NAMED, required: true },
  body: NAMED,
  bodyForm: { type: 'string', enum: ['members', 'array'] },
  accepts: { type: 'object', additionalProperties: true },
  maxBodyBytes: COUNT,
  checkFirst: TEXTS,
  checks: { type: 'object', additionalProperties: TEXT },
  cache: TEXTS,
  answers: NAMED,
  produces: { type: 'array', items: WORDS, minItems: 1, uniqueItems: true },
  shows: { type: 'array', items: { type: 'string', enum: ['record', 'list', 'page', 'removal'] }, minItems: 1 },
  status: { type: 'integer', minimum: 200, maximum: 299 },
  ifMatch: { type: 'boolean', enum: [true] },
  summary: WORDS,
  description: WORDS,
  tags: { type: 'array', items: WORDS, minItems: 1, uniqueItems: true },
  deprecated: { type: 'boolean', enum: [true] },
  examples: NAMED,
} as const satisfies Readonly<Record<keyof EndpointDescriptor, ArgSchema>>;

const RESOURCE = { title: { ...TEXT, required: true }, properties: { ...NAMED, required: true }, answers: NAMED, links: NAMED } as const satisfies Readonly<Record<keyof ResourceDescriptor, ArgSchema>>;
const LINK = { href: { ...TEXT, required: true }, embeddable: { type: 'boolean', enum: [true] }, when: TEXT } as const satisfies Readonly<Record<keyof LinkDescriptor, ArgSchema>>;

/** Every resource has these contexts. */
const CONTEXTS = ['view', 'edit', 'embed'] as const;

function isWithin(pattern: string, namespace: string): boolean {
  return namespace === '' || pattern === `/${namespace}` || pattern.startsWith(`/${namespace}/`);
}

/** One or more path segments, so that an address can reach the routes of the namespace. */
const NAME = /^[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/;

function checkName(namespace: string): void {
  if (namespace !== '' && !NAME.test(namespace)) throw new TypeError(`${JSON.stringify(namespace)} cannot be a namespace: a namespace must be one or more words of ASCII letters, digits, "-", "_" and ".", separated by single slashes, such as "hello" or "vendor/v1", or "" for routes at any path`);
}

/** Contexts in which fields can be shown: those of every resource, and those that the `context` parameter of an endpoint accepts. */
function contextsOf({ routes }: NamespaceDescriptor): ReadonlySet<unknown> {
  const asked = routes.flatMap((route) => route.endpoints).flatMap(({ args, body }) => [args['context'], body?.['context']]);
  return new Set<unknown>([...CONTEXTS, ...asked.flatMap((schema) => schema?.enum ?? [])]);
}

/** @throws TypeError for a field with a context that no request can ask for. */
function checkContexts(where: string, schema: ArgSchema, known: ReadonlySet<unknown>): void {
  const unknown = schema.context?.find((context) => !known.has(context));
  if (unknown !== undefined) throw new TypeError(`${where}: unknown context "${unknown}"; the contexts are ${[...known].join(', ')}`);
  for (const [name, child] of listChildren(schema)) checkContexts(`${where}.${name}`, child, known);
}

/** What the schemas of a descriptor are checked against. */
interface Known {
  readonly contexts: ReadonlySet<unknown>;
  /** Schemas, and tables of schemas, that were already checked. Many endpoints may share one. */
  readonly checked: Set<ArgSchema>;
  readonly checkedTables: Set<ArgSchemas>;
}

function checkSchemas(where: string, schemas: ArgSchemas, { contexts, checked, checkedTables }: Known): void {
  if (checkedTables.has(schemas)) return;
  const unchecked = Object.entries(schemas).filter(([, schema]) => !checked.has(schema));
  checkArgs(where, schemas, checked);
  for (const [name, schema] of unchecked) checkContexts(`${where}, parameter ${name}`, schema, contexts);
  checkedTables.add(schemas);
}

interface RoutePlace {
  readonly where: string;
  readonly route: RouteDescriptor;
  readonly known: Known;
}

const SUCCESS = /^2(?:\d\d|XX)$/;

function checkAnswers(where: string, { answers, shows, status }: EndpointDescriptor): void {
  if (answers === undefined) return;
  const statuses = Object.entries(answers);
  const wrong = statuses.find(([name]) => !SUCCESS.test(name));
  if (wrong !== undefined || statuses.length === 0) throw new TypeError(`${where}: answers ${wrong === undefined ? 'is empty' : `has the member "${wrong[0]}"`}; its members must be statuses from 200 to 299, or 2XX`);
  for (const [name, schema] of statuses) checkSchema(`${where}, answers.${name}`, schema);
  if (shows !== undefined) throw new TypeError(`${where}: shows and answers cannot both be given; both describe the response`);
  if (status !== undefined) throw new TypeError(`${where}: status and answers cannot both be given; the members of answers are the statuses`);
}

/** Checks the rules of an endpoint that its types do not express. */
function checkEndpointRules(endpoint: EndpointDescriptor, { where, route, known }: RoutePlace): void {
  const { args, body = {}, checks = {}, shows } = endpoint;
  checkSchemas(where, args, known);
  checkSchemas(where, body, known);
  checkNames(`${where}, checks`, checks);
  checkNames(`${where}, examples`, endpoint.examples ?? {});
  checkAccepts(where, endpoint);
  checkAnswers(where, endpoint);
  if (endpoint.cache !== undefined && !endpoint.methods.includes('GET')) throw new TypeError(`${where}: cache needs the method GET; responses to other methods are never cached`);
  if (shows !== undefined && route.resource === undefined) throw new TypeError(`${where}: shows needs a resource, but the route does not name one`);
}

/** A field in the address of a link: `{id}`. */
const FIELD = /\{(\w+)\}/g;

function checkResourceRules(where: string, { properties, answers = {}, links = {} }: ResourceDescriptor, known: Known): void {
  checkSchemas(where, properties, known);
  checkSchemas(`${where}, answers`, answers, known);
  checkNames(`${where}, links`, links);
  for (const [relation, { href }] of Object.entries(links)) {
    const unknown = [...href.matchAll(FIELD)].map(([, name = '']) => name).find((name) => !Object.hasOwn(properties, name));
    if (unknown !== undefined) throw new TypeError(`${where}, link ${relation}: href names a field "${unknown}", which is not one of the properties`);
  }
}

function checkPattern({ pattern, endpoints }: RouteDescriptor, namespace: string): void {
  const fault = isWithin(pattern, namespace)
    ? pattern.length > 1 && pattern.endsWith('/') && 'must not end with "/", because the trailing slash of a path is removed before it is matched'
    : `must begin with the path of its namespace, "/${namespace}"`;
  if (fault !== false) throw new TypeError(`${namespace}: ${pattern} ${endpoints.flatMap(({ methods }) => methods).join(', ')}: the pattern ${fault}`);
}

/**
 * Creates the check of descriptors against their types. It is for descriptors that were not compiled, such as those of a .json file.
 * @returns a function that throws a TypeError naming namespace, pattern and method of the first mistake.
 */
export function createDescriptorCheck(validators: Validators): (descriptor: NamespaceDescriptor) => void {
  const toCheck = (part: string, members: ArgSchemas) => createPartCheck(part, members, validators);
  const [checkNamespace, checkRoute, checkEndpoint] = [toCheck('namespace', NAMESPACE), toCheck('route', ROUTE), toCheck('endpoint', ENDPOINT)];
  const checkExamples = createExampleCheck(validators);
  const [checkResource, checkLink] = [toCheck('resource', RESOURCE), toCheck('link', LINK)];
  const checkTypes = ({ namespace, routes, resources = {} }: NamespaceDescriptor): void => {
    for (const route of routes) {
      checkRoute(() => `${namespace}: ${route.pattern}`, route);
      for (const endpoint of route.endpoints) checkEndpoint(() => `${namespace}: ${route.pattern} ${[endpoint.methods].flat().join(', ')}`, endpoint);
    }
    for (const [id, resource] of Object.entries(resources)) {
      checkResource(() => `${namespace}: resource ${id}`, resource);
      for (const [relation, link] of Object.entries(resource.links ?? {})) checkLink(() => `${namespace}: resource ${id}, link ${relation}`, link);
    }
  };
  return (descriptor) => {
    const { namespace, routes, resources = {} } = descriptor;
    checkNamespace(() => String(namespace), descriptor);
    checkName(namespace);
    checkTypes(descriptor);
    const known: Known = { contexts: contextsOf(descriptor), checked: new Set(), checkedTables: new Set() };
    for (const route of routes) {
      for (const endpoint of route.endpoints) {
        const where = `${namespace}: ${route.pattern} ${endpoint.methods.join(', ')}`;
        checkEndpointRules(endpoint, { where, route, known });
        checkExamples(where, endpoint, route);
      }
      checkPattern(route, namespace);
    }
    checkNames(`${namespace}, resources`, resources);
    for (const [id, resource] of Object.entries(resources)) checkResourceRules(`${namespace}: resource ${id}`, resource, known);
  };
}
