import { engineError } from '../core/errors.ts';
import { type Names, renamePath } from '../core/names.ts';
import { describeRoutes } from '../describe/discovery.ts';
import { ANSWER_LIMIT } from '../dispatch/response/too-large.ts';
import { RestResponse } from '../http/response.ts';
import { JsonText } from '../json/json-document.ts';
import type { Call, Handler, Permission } from '../route/call.ts';
import type { EndpointDescriptor, NamespaceDescriptor, RouteDescriptor } from '../route/descriptor.ts';
import type { Namespace } from '../route/namespace.ts';
import { BATCH_ANSWER, BATCH_ARGS, createBatchHandler } from './batch.ts';
import { checkFacts, type DescribeSite, type SiteFacts } from './site-facts.ts';

/** Which routes an engine has of its own, and where. false: it does not have the route. */
export interface RootOptions {
  /** Path of the index, or false for none. Default `/`. */
  readonly index?: string | false;
  /** Path below which each namespace has an index, such as `/about` for `/about/hello`; or false. Default `/`. */
  readonly namespaceIndex?: string | false;
  /** Path of the batch, or false for none. Default `/batch/v1`. */
  readonly batch?: string | false;
  /** `async (call) => facts`: name, description and address of a site, with which the index begins. Default: none. */
  readonly describeSite?: DescribeSite;
  /** Largest response, in bytes. Default 8 MiB. */
  readonly answerLimit?: number;
}

/** Defaults of the paths. */
export const ROOT_PATHS = { index: '/', namespaceIndex: '/', batch: '/batch/v1' } as const;

// The parameters of these routes have no descriptions, as in the recorded index (namespace-012, options-015).
const context = { default: 'view' } as const;

const ROUTES_ANSWER = { type: 'object', required: true, additionalProperties: { type: 'object' } } as const;
const TEXT = { type: 'string', required: true } as const;

/** A host that is written in JavaScript may know only some of the facts. */
const FACT = { type: 'string' } as const;
const PAGE_ID = { type: 'integer' } as const;

const FACTS_ANSWER = {
  name: FACT,
  description: FACT,
  url: FACT,
  home: FACT,
  gmt_offset: FACT,
  timezone_string: FACT,
  page_for_posts: PAGE_ID,
  page_on_front: PAGE_ID,
  show_on_front: FACT,
} as const;

const LISTS_ANSWER = {
  namespaces: { type: 'array', items: { type: 'string' }, required: true },
  authentication: { type: ['array', 'object'], required: true },
  routes: ROUTES_ANSWER,
} as const;

const NAMESPACE_ANSWER = { type: 'object', properties: { namespace: TEXT, routes: ROUTES_ANSWER } } as const;

const NO_FACTS = Object.freeze({});

/** Written as bytes, because the document is sent many times. */
function toDocument(value: object): JsonText {
  return new JsonText(Buffer.from(JSON.stringify(value)));
}

/** How many documents of one table are kept: one for each language, and for each address if the host's `siteUrl` returns several. */
const MOST_DOCUMENTS = 64;

function createIndexHandler(
  describeSite: DescribeSite | undefined,
): (args: unknown, call: Call) => Promise<RestResponse> {
  // Routes of one table -> facts and language -> document. A table and its documents are collected together.
  const documents = new WeakMap<
    object,
    Map<string, { readonly facts: object; readonly document: JsonText }>
  >();
  return async (_args, call) => {
    const facts = describeSite === undefined ? NO_FACTS : checkFacts(await describeSite(call));
    const { site } = call;
    const cached = documents.get(site.routes) ?? new Map<string, { facts: object; document: JsonText }>();
    documents.set(site.routes, cached);
    const key = site.url('/');
    const known = cached.get(key);
    if (known?.facts === facts) return new RestResponse(known.document);
    const { authentication = [], ...others } = facts as Partial<SiteFacts>;
    const document = toDocument({
      ...others,
      namespaces: site.namespaces.filter((name) => name !== ''),
      authentication,
      routes: describeRoutes(site, site.routes),
    });
    if (cached.size >= MOST_DOCUMENTS) cached.clear();
    cached.set(key, { facts, document });
    return new RestResponse(document);
  };
}

/** A route of the engine itself, with its handler under the same id. */
export interface RootRoute {
  readonly route: RouteDescriptor;
  readonly id: string;
  readonly handler: Handler;
  /** The permission functions that its endpoints name. */
  readonly permissions?: Readonly<Record<string, Permission>>;
}

function createIndexRoute(pattern: string, describeSite: DescribeSite | undefined): RootRoute {
  const answer = {
    type: 'object',
    properties: { ...(describeSite === undefined ? {} : FACTS_ANSWER), ...LISTS_ANSWER },
  } as const;
  const id = 'root.index';
  const endpoint: EndpointDescriptor = {
    methods: ['GET'],
    handler: id,
    permission: 'public',
    tool: false,
    summary: 'Show the index',
    description: 'Lists the namespaces and routes of this interface with their methods and parameters.',
    args: { context },
    answers: { 200: answer },
  };
  return { route: { pattern, endpoints: [endpoint] }, id, handler: createIndexHandler(describeSite) };
}

function createBatchRoute(pattern: string, answerLimit: number): RootRoute {
  const id = 'root.batch';
  const endpoint: EndpointDescriptor = {
    methods: ['POST'],
    handler: id,
    permission: 'public',
    effect: 'destroy',
    tool: false,
    summary: 'Send several requests at once',
    description:
      'Runs several writes in order in one call and, on request, none of them unless all are valid.',
    args: BATCH_ARGS,
    answers: { 207: BATCH_ANSWER },
  };
  return { route: { pattern, endpoints: [endpoint] }, id, handler: createBatchHandler(answerLimit) };
}

/** The routes of the engine itself: the index, the batch and `others`. */
export function createRoot(
  {
    index = ROOT_PATHS.index,
    batch = ROOT_PATHS.batch,
    describeSite,
    answerLimit = ANSWER_LIMIT,
  }: RootOptions,
  others: readonly RootRoute[] = [],
): Namespace {
  const routes = [
    ...(index === false ? [] : [createIndexRoute(index, describeSite)]),
    ...(batch === false ? [] : [createBatchRoute(batch, answerLimit)]),
    ...others,
  ];
  return {
    descriptor: { namespace: '', index: false, routes: routes.map(({ route }) => route) },
    handlers: Object.fromEntries(routes.map(({ id, handler }) => [id, handler])),
    permissions: Object.assign(
      {},
      ...routes.map(({ permissions }) => permissions),
    ) as Namespace['permissions'],
    checks: {},
    embeds: {},
  };
}

function createNamespaceHandler(
  index: string | false,
): (args: { readonly namespace?: unknown }, call: Call) => RestResponse {
  return (args, call) => {
    const wanted = args.namespace;
    if (typeof wanted !== 'string' || wanted === '' || !call.site.namespaces.includes(wanted))
      throw engineError('rest_invalid_namespace');
    const routes = call.site.routes.filter((route) => route.namespace === wanted);
    return new RestResponse(
      { namespace: wanted, routes: describeRoutes(call.site, routes) },
      index === false ? {} : { links: { up: [{ href: call.site.url(index) }] } },
    );
  };
}

/**
 * The route that describes one namespace. It is registered before the namespace's own routes. Its parameter is the wire name of a namespace.
 * null: the namespace has none, because it does not want one or has a route of its own at this path.
 */
export function createNamespaceIndex(
  descriptor: NamespaceDescriptor,
  names: Names,
  { index = ROOT_PATHS.index, namespaceIndex = ROOT_PATHS.namespaceIndex }: RootOptions,
): Namespace | null {
  const { namespace } = descriptor;
  if (namespaceIndex === false || descriptor.index === false || namespace === '') return null;
  const pattern = `${namespaceIndex === '/' ? '' : namespaceIndex}/${namespace}`;
  if (descriptor.routes.some((route) => route.pattern === pattern)) return null;
  const id = `root.namespace.${namespace.replaceAll('/', '.')}`;
  const args = { namespace: { default: renamePath(names, namespace) }, context };
  return {
    descriptor: {
      namespace,
      index: false,
      routes: [
        {
          pattern,
          endpoints: [
            {
              methods: ['GET'],
              handler: id,
              permission: 'public',
              tool: false,
              summary: 'Show a namespace',
              description: 'Lists the routes of this namespace with their methods and parameters.',
              args,
              answers: { 200: NAMESPACE_ANSWER },
            },
          ],
        },
      ],
    },
    handlers: { [id]: createNamespaceHandler(index) as Handler },
    permissions: {},
    checks: {},
    embeds: {},
  };
}
