import {
  ANY_TEXT,
  type DocumentRule,
  listOf,
  mapOf,
  objectOf,
  TEXTS,
  wordOf,
} from '../core/check-document.ts';
import { countUpTo, OBJECT, TEXT } from '../core/check-options.ts';
import { own } from '../core/objects.ts';
import type {
  EndpointDescriptor,
  LinkDescriptor,
  Method,
  NamespaceDescriptor,
  ResourceDescriptor,
  RouteDescriptor,
} from '../route/descriptor.ts';
import { EFFECT_RULES, findEffectFault } from '../route/effects.ts';
import { checkArgs, checkNames } from '../schema/check-schema.ts';
import type { ArgSchema, ArgSchemas } from '../schema/schema-dialect.ts';
import type { Validators } from '../schema/validate.ts';
import {
  checkAccepts,
  checkAnswers,
  checkContexts,
  checkPart,
  checkStreams,
  contextsOf,
  createExampleCheck,
  type DescriptorPart,
  STREAMS,
} from './check-endpoint.ts';
import { TERM_RULES } from './terms/read-terms.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const satisfies readonly Method[];
const METHOD: DocumentRule = {
  ...wordOf(METHODS),
  wanted: `one of ${METHODS.join(', ')}, in capital letters; GET serves HEAD as well, and OPTIONS is answered for every route`,
};
const TRUE: DocumentRule = { wanted: 'true; leave it out otherwise', fits: (value) => value === true };
const NAME: DocumentRule = { wanted: 'the id of a function of the namespace', fits: ANY_TEXT.fits };
const PARAMS: DocumentRule = {
  ...OBJECT,
  wanted: "an object of schemas by parameter, such as { id: { type: 'integer' } }, or {} for none",
};
const MEMBERS: DocumentRule = {
  ...OBJECT,
  wanted: "an object of schemas by name, such as { id: { type: 'integer' } }",
};
const PARTS_BY_NAME = mapOf(OBJECT);

const needed = (rule: DocumentRule): DocumentRule => ({ ...rule, needed: true });

/** A list with at least one item. `example`: as it is written. */
function someOf(what: string, items: DocumentRule, example: string): DocumentRule {
  return {
    ...listOf(items),
    wanted: `a list of one or more ${what}, such as ${example}`,
    fits: (value) => Array.isArray(value) && value.length > 0,
  };
}

/** A list of texts, none of them empty or twice. */
function differentTexts(what: string, example: string): DocumentRule {
  const { wanted, fits } = someOf(what, TEXT, example);
  return {
    ...listOf(TEXT),
    wanted: `${wanted}, none of them twice`,
    fits: (value) =>
      fits(value) && new Set(value as readonly unknown[]).size === (value as readonly unknown[]).length,
  };
}

// The types of `descriptor.ts` as data. `handler` and `permission` are not needed here, because later checks report them missing with a better message.
const NAMESPACE: DescriptorPart = {
  name: 'namespace',
  members: {
    namespace: needed({ ...ANY_TEXT, wanted: 'a text such as "notes" or "vendor/v1"' }),
    routes: needed({
      ...listOf({ ...OBJECT, wanted: 'a route, { pattern, endpoints }' }),
      wanted: 'a list of routes, [{ pattern, endpoints }]',
    }),
    index: { wanted: 'false; leave it out otherwise', fits: (value) => value === false },
    resources: {
      ...PARTS_BY_NAME,
      wanted: 'an object of resources by name, such as { note: { title, properties } }',
    },
  } satisfies Readonly<Record<keyof NamespaceDescriptor, DocumentRule>>,
  foreign: {
    name: 'write namespace',
    prefix: 'write namespace',
    endpoints: 'write routes: [{ pattern, endpoints }]',
    handlers: 'functions are not data: they are the second argument of defineNamespace',
    permissions: 'functions are not data: they are in the third argument of defineNamespace, { permissions }',
    default: 'this is a module: give its default export, which is the descriptor',
  },
};

const IN_ENDPOINT = 'it belongs to an endpoint: endpoints: [{ methods, handler, permission, args }]';
const ROUTE: DescriptorPart = {
  name: 'route',
  members: {
    pattern: needed({ ...ANY_TEXT, wanted: 'a text such as "/notes/items/{id}"' }),
    endpoints: needed(
      someOf(
        'endpoints',
        { ...OBJECT, wanted: 'an endpoint, { methods, handler, permission, args }' },
        '[{ methods, handler, permission, args }]',
      ),
    ),
    hidden: TRUE,
    resource: { ...ANY_TEXT, wanted: 'the name of one of the resources of the namespace' },
  } satisfies Readonly<Record<keyof RouteDescriptor, DocumentRule>>,
  foreign: {
    path: 'write pattern',
    url: 'write pattern',
    route: 'write pattern',
    methods: IN_ENDPOINT,
    method: IN_ENDPOINT,
    handler: IN_ENDPOINT,
    permission: IN_ENDPOINT,
    args: IN_ENDPOINT,
    permission_callback: IN_ENDPOINT,
    callback: IN_ENDPOINT,
    schema: 'write resource, the name of one of the resources of the namespace',
  },
};

const AN_ID = 'an id, and give the function under this id to defineNamespace';
const ENDPOINT: DescriptorPart = {
  name: 'endpoint',
  members: {
    methods: needed(someOf('methods', METHOD, `['GET']`)),
    handler: NAME,
    permission: { ...ANY_TEXT, wanted: `'public' (everybody may call it), a capability, or ${NAME.wanted}` },
    allow_batch: { ...objectOf({ v1: needed(TRUE) }), wanted: '{ v1: true }' },
    args: needed(PARAMS),
    body: PARAMS,
    bodyForm: wordOf(['members', 'array']),
    accepts: { ...OBJECT, wanted: `an object of media types, such as { 'application/json': 'args' }` },
    maxBodyBytes: countUpTo(),
    checkFirst: { ...TEXTS, wanted: `a list of parameters, such as ['id']` },
    checks: {
      ...mapOf({ ...ANY_TEXT, wanted: 'the id of a check of the namespace' }),
      wanted: `an object of ids of checks by parameter, such as { id: 'notes.exists' }`,
    },
    cache: {
      ...listOf(ANY_TEXT),
      wanted: `a list of the collections that the response depends on, such as ['posts']`,
    },
    answers: { ...OBJECT, wanted: `an object of schemas by status, such as { 200: { type: 'object' } }` },
    streams: STREAMS,
    produces: differentTexts('media types', `['text/csv']`),
    shows: someOf('forms', wordOf(['record', 'list', 'page', 'removal']), `['record']`),
    status: {
      wanted: 'a whole number from 200 to 299; errors are thrown, with createErrors',
      fits: (value) => Number.isInteger(value) && Number(value) >= 200 && Number(value) <= 299,
    },
    ifMatch: TRUE,
    ...EFFECT_RULES,
    untrusted: differentTexts('fields of the response', `['content']`),
    needs: differentTexts('capabilities', `['edit_posts']`),
    summary: TEXT,
    description: TEXT,
    tags: differentTexts('tags', `['notes']`),
    ...TERM_RULES,
    examples: {
      ...PARTS_BY_NAME,
      wanted: 'an object of examples by name, such as { one: { args: { id: 1 } } }',
    },
  } satisfies Readonly<Record<keyof EndpointDescriptor, DocumentRule>>,
  foreign: {
    callback: `write handler, with ${AN_ID}`,
    action: `write handler, with ${AN_ID}`,
    permission_callback: `write permission, with 'public' or ${AN_ID}`,
    auth: 'write permission',
    params: 'write args',
    parameters: 'write args',
    query: 'write args',
    querystring: 'write args',
    schema: 'write args for parameters, and answers for the response',
    requestBody: 'write body',
    response: 'write answers',
    responses: 'write answers',
    returns: 'write answers',
    path: 'write pattern, in the route of the endpoint',
    pattern: 'it belongs to the route of the endpoint',
  },
};

const RESOURCE: DescriptorPart = {
  name: 'resource',
  members: {
    title: needed(ANY_TEXT),
    properties: needed(MEMBERS),
    answers: MEMBERS,
    links: PARTS_BY_NAME,
  } satisfies Readonly<Record<keyof ResourceDescriptor, DocumentRule>>,
  foreign: {
    name: 'write title',
    fields: 'write properties',
    schema: 'write properties',
    type: 'a resource is always an object: write only title and properties',
  },
};
const LINK: DescriptorPart = {
  name: 'link',
  members: {
    href: needed(ANY_TEXT),
    embeddable: TRUE,
    when: { ...ANY_TEXT, wanted: 'capabilities, separated by spaces' },
  } satisfies Readonly<Record<keyof LinkDescriptor, DocumentRule>>,
  foreign: { url: 'write href' },
};

function isWithin(pattern: string, namespace: string): boolean {
  return namespace === '' || pattern === `/${namespace}` || pattern.startsWith(`/${namespace}/`);
}

/** One or more path segments, so that an address can reach the routes of the namespace. */
const NAMES = /^[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/;

function checkName(namespace: string): void {
  if (namespace !== '' && !NAMES.test(namespace))
    throw new TypeError(
      `${JSON.stringify(namespace)} cannot be a namespace: a namespace must be one or more words of ASCII letters, digits, "-", "_" and ".", separated by single slashes, such as "hello" or "vendor/v1", or "" for routes at any path`,
    );
}

/** What the schemas of a descriptor are checked against. */
interface Known {
  readonly contexts: ReadonlySet<unknown>;
  /** Schemas, and tables of schemas, that were already checked. Many endpoints may share one. */
  readonly checked: Set<ArgSchema>;
  readonly checkedTables: Set<ArgSchemas>;
  /** Names of the fields of the resource of a route. null: it has none. */
  readonly fieldsOf: (route: RouteDescriptor) => ReadonlySet<string> | null;
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

/** Checks the rules of an endpoint that its types do not express. */
function checkEndpointRules(endpoint: EndpointDescriptor, { where, route, known }: RoutePlace): void {
  const { args, body = {}, checks = {}, shows, untrusted = [] } = endpoint;
  checkSchemas(where, args, known);
  checkSchemas(where, body, known);
  checkNames(`${where}, checks`, checks);
  checkNames(`${where}, examples`, endpoint.examples ?? {});
  checkAccepts(where, endpoint);
  checkAnswers(where, endpoint);
  checkStreams(where, endpoint);
  if (endpoint.cache !== undefined && !endpoint.methods.includes('GET'))
    throw new TypeError(`${where}: cache needs the method GET; responses to other methods are never cached`);
  if (shows !== undefined && route.resource === undefined)
    throw new TypeError(`${where}: shows needs a resource, but the route does not name one`);
  const fault = findEffectFault(endpoint);
  if (fault !== null) throw new TypeError(`${where}: ${fault}`);
  const unknown = untrusted.find((name) => known.fieldsOf(route)?.has(name) === false);
  if (shows !== undefined && unknown !== undefined)
    throw new TypeError(`${where}: untrusted names a field "${unknown}", which its resource does not have`);
}

/** A field in the address of a link: `{id}`. */
const FIELD = /\{(\w+)\}/g;

function checkResourceRules(
  where: string,
  { properties, answers = {}, links = {} }: ResourceDescriptor,
  known: Known,
): void {
  checkSchemas(where, properties, known);
  checkSchemas(`${where}, answers`, answers, known);
  checkNames(`${where}, links`, links);
  for (const [relation, { href }] of Object.entries(links)) {
    const unknown = [...href.matchAll(FIELD)]
      .map(([, name = '']) => name)
      .find((name) => !Object.hasOwn(properties, name));
    if (unknown !== undefined)
      throw new TypeError(
        `${where}, link ${relation}: href names a field "${unknown}", which is not one of the properties`,
      );
  }
}

/** The path that a pattern was probably meant to be. */
function toWithin(pattern: string, namespace: string): string {
  const path = pattern.replace(/^[a-z]+:\/\/[^/]*/, '').replace(/^\/+/, '');
  return isWithin(`/${path}`, namespace) ? `/${path}` : `/${namespace}${path === '' ? '' : `/${path}`}`;
}

function findPatternFault(pattern: string, namespace: string): string | null {
  if (!pattern.startsWith('/') || !isWithin(pattern, namespace)) {
    const beginning = namespace === '' ? '"/"' : `"/${namespace}", the path of its namespace`;
    return `must begin with ${beginning}. Did you mean ${JSON.stringify(toWithin(pattern, namespace))}?`;
  }
  return pattern.length > 1 && pattern.endsWith('/')
    ? 'must not end with "/", because the trailing slash of a path is removed before it is matched'
    : null;
}

function checkPattern({ pattern, endpoints }: RouteDescriptor, namespace: string): void {
  const fault = findPatternFault(pattern, namespace);
  if (fault !== null)
    throw new TypeError(
      `${namespace}: ${pattern || '""'} ${endpoints.flatMap(({ methods }) => methods).join(', ')}: the pattern ${fault}`,
    );
}

/** Place of a route that may be wrong: its pattern, or its number from 0. */
function toRoutePlace(namespace: string, { pattern }: { readonly pattern?: unknown }, index: number): string {
  return `${namespace}: ${typeof pattern === 'string' && pattern !== '' ? pattern : `routes[${index}]`}`;
}

/** Place of an endpoint that may be wrong: its methods, or its number from 0. */
function toEndpointPlace(
  place: string,
  { methods = [] }: { readonly methods?: unknown },
  index: number,
): string {
  const named = [methods].flat().map(String).join(', ');
  return named === '' ? `${place}, endpoints[${index}]` : `${place} ${named}`;
}

function checkParts({ namespace, routes, resources = {} }: NamespaceDescriptor): void {
  for (const [at, route] of routes.entries()) {
    const toPlace = (): string => toRoutePlace(namespace, route, at);
    checkPart(ROUTE, toPlace, route);
    for (const [index, endpoint] of route.endpoints.entries())
      checkPart(ENDPOINT, () => toEndpointPlace(toPlace(), endpoint, index), endpoint);
  }
  for (const [id, resource] of Object.entries(resources)) {
    checkPart(RESOURCE, () => `${namespace}: resource ${id}`, resource);
    for (const [relation, link] of Object.entries(resource.links ?? {}))
      checkPart(LINK, () => `${namespace}: resource ${id}, link ${relation}`, link);
  }
}

/**
 * Creates the check of descriptors against their types. It is for descriptors that were not compiled, such as those of a .json file.
 * @returns a function that throws a TypeError naming namespace, pattern and method of the first mistake.
 */
export function createDescriptorCheck(validators: Validators): (descriptor: NamespaceDescriptor) => void {
  const checkExamples = createExampleCheck(validators);
  return (descriptor) => {
    const { namespace, routes, resources = {} } = descriptor;
    checkPart(NAMESPACE, () => (typeof namespace === 'string' ? namespace : 'the descriptor'), descriptor);
    checkName(namespace);
    checkParts(descriptor);
    const known: Known = {
      contexts: contextsOf(descriptor),
      checked: new Set(),
      checkedTables: new Set(),
      fieldsOf: ({ resource = '' }) => {
        const found = own(resources, resource);
        return found === undefined ? null : new Set(Object.keys(found.properties));
      },
    };
    for (const route of routes) {
      for (const endpoint of route.endpoints) {
        const where = `${namespace}: ${route.pattern} ${endpoint.methods.join(', ')}`;
        checkEndpointRules(endpoint, { where, route, known });
        checkExamples(where, endpoint, route);
      }
      checkPattern(route, namespace);
    }
    checkNames(`${namespace}, resources`, resources);
    for (const [id, resource] of Object.entries(resources))
      checkResourceRules(`${namespace}: resource ${id}`, resource, known);
  };
}
