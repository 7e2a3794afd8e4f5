import { atPlace, checkMembers } from '../core/check-options.ts';
import { checkArgs, checkNames, checkSchema, listChildren } from '../schema/check-schema.ts';
import type { EndpointDescriptor, LinkDescriptor, NamespaceDescriptor, ResourceDescriptor, RouteDescriptor } from './descriptor.ts';
import type { ArgSchema, ArgSchemas } from '../schema/schema-dialect.ts';
import type { Validators } from '../schema/validate.ts';

const TEXT = { type: 'string' } as const;
const TEXTS = { type: 'array', items: TEXT } as const;
const NAMED = { type: 'object', additionalProperties: { type: 'object' } } as const;

// The types of `descriptor.ts` as data. Not required here is what is missed elsewhere in better words: handler, permission.
const NAMESPACE = {
  namespace: { ...TEXT, required: true },
  routes: { type: 'array', items: { type: 'object' }, maxItems: Number.MAX_SAFE_INTEGER, required: true },
  index: { type: 'boolean', enum: [false] },
  resources: NAMED,
} as const satisfies Readonly<Record<keyof NamespaceDescriptor, ArgSchema>>;

const ROUTE = {
  pattern: { ...TEXT, required: true },
  endpoints: { type: 'array', items: { type: 'object' }, minItems: 1, required: true },
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
  checkFirst: TEXTS,
  checks: { type: 'object', additionalProperties: TEXT },
  cache: TEXTS,
  answer: { type: 'object' },
  shows: { type: 'array', items: { type: 'string', enum: ['record', 'list', 'page', 'removal'] }, minItems: 1 },
  status: { type: 'integer', minimum: 200, maximum: 299 },
  ifMatch: { type: 'boolean', enum: [true] },
} as const satisfies Readonly<Record<keyof EndpointDescriptor, ArgSchema>>;

const RESOURCE = { title: { ...TEXT, required: true }, properties: { ...NAMED, required: true }, answers: NAMED, links: NAMED } as const satisfies Readonly<Record<keyof ResourceDescriptor, ArgSchema>>;
const LINK = { href: { ...TEXT, required: true }, embeddable: { type: 'boolean', enum: [true] }, when: TEXT } as const satisfies Readonly<Record<keyof LinkDescriptor, ArgSchema>>;

/** Contexts of every resource. */
const CONTEXTS = ['view', 'edit', 'embed'] as const;

function isWithin(pattern: string, namespace: string): boolean {
  return namespace === '' || pattern === `/${namespace}` || pattern.startsWith(`/${namespace}/`);
}

/** Segments of a path, so that its routes can be reached by the address that the name says. */
const NAME = /^[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/;

function checkName(namespace: string): void {
  if (!NAME.test(namespace)) throw new TypeError(`${JSON.stringify(namespace)} can not be a namespace: it is one or more words of ASCII letters, digits, "-", "_" and ".", with one slash between two, such as "vendor/v1"`);
}

/** Contexts in which fields can be shown: those that every resource has, and what the `context` of an endpoint may be. */
function contextsOf({ routes }: NamespaceDescriptor): ReadonlySet<unknown> {
  const asked = routes.flatMap((route) => route.endpoints).flatMap(({ args, body }) => [args['context'], body?.['context']]);
  return new Set<unknown>([...CONTEXTS, ...asked.flatMap((schema) => schema?.enum ?? [])]);
}

/** @throws TypeError for a field that is shown in a context that nobody can ask for. */
function checkContexts(where: string, schema: ArgSchema, known: ReadonlySet<unknown>): void {
  const stranger = schema.context?.find((context) => !known.has(context));
  if (stranger !== undefined) throw new TypeError(`${where}: unknown context "${stranger}"; the contexts are ${[...known].join(', ')}`);
  for (const [name, child] of listChildren(schema)) checkContexts(`${where}.${name}`, child, known);
}

function checkSchemas(where: string, schemas: ArgSchemas, contexts: ReadonlySet<unknown>): void {
  checkArgs(where, schemas);
  for (const [name, schema] of Object.entries(schemas)) checkContexts(`${where}, parameter ${name}`, schema, contexts);
}

interface RoutePlace {
  readonly where: string;
  readonly route: RouteDescriptor;
  readonly contexts: ReadonlySet<unknown>;
}

/** What the types of an endpoint do not say. */
function checkEndpointRules(endpoint: EndpointDescriptor, { where, route, contexts }: RoutePlace): void {
  const { args, body = {}, answer = {}, checks = {}, shows } = endpoint;
  checkSchemas(where, args, contexts);
  checkSchemas(where, body, contexts);
  checkNames(`${where}, checks`, checks);
  checkSchema(`${where}, answer`, answer);
  if (shows !== undefined && route.resource === undefined) throw new TypeError(`${where}: shows says how the resource of the route is shown, which has none`);
  if (shows !== undefined && endpoint.answer !== undefined) throw new TypeError(`${where}: shows and answer both say what is answered`);
}

/** The fields that stand in the address of a link: `{id}`. */
const FIELD = /\{(\w+)\}/g;

function checkResourceRules(where: string, { properties, answers = {}, links = {} }: ResourceDescriptor, contexts: ReadonlySet<unknown>): void {
  checkSchemas(where, properties, contexts);
  checkSchemas(`${where}, answers`, answers, contexts);
  checkNames(`${where}, links`, links);
  for (const [relation, { href }] of Object.entries(links)) {
    const stranger = [...href.matchAll(FIELD)].map(([, name = '']) => name).find((name) => !Object.hasOwn(properties, name));
    if (stranger !== undefined) throw new TypeError(`${where}, link ${relation}: href names a field "${stranger}", which is none of the properties`);
  }
}

function checkPattern(where: string, pattern: string, namespace: string): void {
  if (!isWithin(pattern, namespace)) throw new TypeError(`${where}: the pattern does not lie within the path of its namespace, "/${namespace}"`);
  if (pattern.length > 1 && pattern.endsWith('/')) throw new TypeError(`${where}: the pattern ends in "/", which is taken off a path before it is looked up`);
}

/**
 * Makes the check that holds descriptors which no compiler saw (from a .json file) to their types.
 * @returns a function that throws a TypeError naming namespace, pattern and method of the first thing that does not fit.
 */
export function createDescriptorCheck(validators: Validators): (descriptor: NamespaceDescriptor) => void {
  const toCheck = (part: string, members: ArgSchemas) => {
    const validate = validators.compile({ type: 'object', properties: members });
    return (where: string, value: object): void => {
      atPlace(where, () => checkMembers(`the ${part}`, value, Object.keys(members)));
      const invalid = validate(part, value);
      if (invalid !== null) throw new TypeError(`${where}: ${invalid.message}`);
    };
  };
  const [checkNamespace, checkRoute, checkEndpoint] = [toCheck('namespace', NAMESPACE), toCheck('route', ROUTE), toCheck('endpoint', ENDPOINT)];
  const [checkResource, checkLink] = [toCheck('resource', RESOURCE), toCheck('link', LINK)];
  const checkTypes = ({ namespace, routes, resources = {} }: NamespaceDescriptor): void => {
    for (const route of routes) {
      checkRoute(`${namespace}: ${route.pattern}`, route);
      for (const endpoint of route.endpoints) checkEndpoint(`${namespace}: ${route.pattern} ${[endpoint.methods].flat().join(', ')}`, endpoint);
    }
    for (const [id, resource] of Object.entries(resources)) {
      checkResource(`${namespace}: resource ${id}`, resource);
      for (const [relation, link] of Object.entries(resource.links ?? {})) checkLink(`${namespace}: resource ${id}, link ${relation}`, link);
    }
  };
  return (descriptor) => {
    const { namespace, routes, resources = {} } = descriptor;
    checkNamespace(namespace, descriptor);
    checkName(namespace);
    checkTypes(descriptor);
    const contexts = contextsOf(descriptor);
    for (const route of routes) {
      for (const endpoint of route.endpoints) checkEndpointRules(endpoint, { where: `${namespace}: ${route.pattern} ${endpoint.methods.join(', ')}`, route, contexts });
      checkPattern(`${namespace}: ${route.pattern} ${route.endpoints.flatMap(({ methods }) => methods).join(', ')}`, route.pattern, namespace);
    }
    checkNames(`${namespace}, resources`, resources);
    for (const [id, resource] of Object.entries(resources)) checkResourceRules(`${namespace}: resource ${id}`, resource, contexts);
  };
}
