import { ANONYMOUS, type Identity } from '../core/identity.ts';
import { catchMaybe, type MaybePromise, thenMaybe } from '../core/maybe-promise.ts';
import { type Names, PLAIN_NAMES, renameParam } from '../core/names.ts';
import { checkDocumentOptions, describeOpenApi, type OpenApiPlace } from '../describe/openapi.ts';
import { STREAM_LIMIT, STREAM_TIMEOUT_MS } from '../dispatch/byte-stream.ts';
import { mustOpenBody, prepareWithBody, takesUnread } from '../dispatch/open-body.ts';
import { createCallScope, prepareCall, toErrorResponse } from '../dispatch/prepare.ts';
import { findEndpoint } from '../dispatch/resolve.ts';
import { toSendableHeaders } from '../dispatch/response/sendable.ts';
import { ANSWER_LIMIT } from '../dispatch/response/too-large.ts';
import type { Runtime, RuntimeOptions } from '../dispatch/runtime.ts';
import { HANDLER_TIMEOUT_MS, TimeLimit } from '../dispatch/time-limit.ts';
import { isTraced, noteRoute } from '../dispatch/trace.ts';
import { type AddressSpace, toBaseUrl } from '../http/address.ts';
import { createRequest } from '../http/create-request.ts';
import type { Host, WireResponse } from '../http/host.ts';
import type { RestRequest } from '../http/request.ts';
import { createHeadRules, type HeadRules } from '../http/response-headers.ts';
import { RestResponse } from '../http/response.ts';
import type { PreparedCall, RouteView } from '../route/call.ts';
import {
  type ExtensionDescriptor,
  type ExtensionHandlers,
  type Namespace,
  type NamespaceParts,
  toExtension,
  type TypedParts,
} from '../route/namespace.ts';
import { answerOptions } from './answer-options.ts';
import type { IncomingRequest } from './answer-request.ts';
import { logToConsole } from './console-log.ts';
import { checkEngineOptions, type EngineOptions } from './engine-options.ts';
import { createMcpRoutes, MCP_PATH, metadataPath, withChallenge } from './mcp-routes.ts';
import { createOpenApiRoutes, toView } from './openapi-routes.ts';
import { Registrations } from './registrations.ts';
import { addRequestId } from './request-id.ts';
import { CACHE_LIMITS, type CacheStore, ResponseCache } from './response-cache.ts';
import { ROOT_PATHS } from './root-routes.ts';
import { toSafeLog } from './safe-log.ts';
import { checkCrossSite, dispatchRequest, refuseUnread, type ServeContext, serveRequest } from './serve.ts';

export type { EngineOptions } from './engine-options.ts';

/** Serves routes that are declared as data. `H`: type of `call.host`. */
export interface Engine<H = unknown> extends Host<H> {
  /** Adds namespaces, all or none, while serving. @throws TypeError naming what cannot be served; then nothing has changed. */
  register(...namespaces: readonly Namespace<H>[]): void;
  /** Removes a namespace. @throws TypeError if it is not registered. */
  unregister(namespace: string): void;
  /**
   * Replaces the namespace of the same name in one step. Calls that have begun finish on the old one, and cached responses are
   * dropped. Its extensions stay. @throws TypeError as `register`, or if it is not registered; then nothing has changed.
   */
  replace(namespace: Namespace<H>): void;
  /**
   * Adds routes below a registered namespace, until it is unregistered. The descriptor has routes and resources of its own; the
   * `around` of the namespace runs around them. @throws TypeError as `register`, for a pattern that is taken, or if it is not registered.
   */
  extend<const D extends ExtensionDescriptor>(
    namespace: string,
    descriptor: D,
    handlers: ExtensionHandlers<D, H>,
    parts?: TypedParts<D & { readonly namespace: string }, H>,
  ): void;
  /** The wire names. */
  readonly names: Names;
  /** The current routes, with wire names and in the order of the index. */
  readonly routes: readonly RouteView[];
  /** The routes as an OpenAPI 3.1 document. @throws TypeError for a missing option, or a language that is not one of the prefixes. */
  describeOpenApi(options: OpenApiPlace): Readonly<Record<string, unknown>>;
  /** Matches, validates and runs a request for a given caller. Rejects only with a TypeError, for a value that `createRequest` did not create. */
  dispatch(request: RestRequest<H>, identity?: Identity): Promise<RestResponse>;
}

/** Where the API is. Names that are given name its segment. */
function toAddresses({
  prefixes = [],
  names = PLAIN_NAMES,
  base = names === PLAIN_NAMES ? '' : `/${names.apiSegment}`,
  languageParam = null,
}: EngineOptions): AddressSpace {
  return { prefixes, base, languageParam: languageParam === null ? null : renameParam(names, languageParam) };
}

function toRuntimeOptions(options: EngineOptions): RuntimeOptions {
  const { log = logToConsole } = options;
  return {
    names: options.names ?? PLAIN_NAMES,
    addresses: toAddresses(options),
    frontEnd: options.frontEnd ?? null,
    allow: options.headers?.allow ?? false,
    wrongMethod: options.wrongMethod ?? 405,
    languageParam: options.languageParam ?? null,
    catalogues: options.catalogues ?? {},
    log: toSafeLog(options.requestIds === true ? addRequestId(log) : log),
    handlerTimeoutMs: options.handlerTimeoutMs ?? HANDLER_TIMEOUT_MS,
    answerLimit: options.answerLimit ?? ANSWER_LIMIT,
    streamTimeoutMs: options.streamTimeoutMs ?? STREAM_TIMEOUT_MS,
    streamLimit: options.streamLimit ?? STREAM_LIMIT,
    flush: options.flush ?? null,
    inRequest: options.inRequest ?? null,
    uploads: options.uploads ?? null,
  };
}

/** Share of a call's time limit that the cache waits for its store. After that, the request runs as if there were no cache. */
const CACHE_SHARE = 0.1;

function createCache({ cache }: EngineOptions, { handlerTimeoutMs }: RuntimeOptions): ResponseCache | null {
  if (cache === undefined) return null;
  const {
    store,
    now = Date.now,
    entries = CACHE_LIMITS.entries,
    bytes = CACHE_LIMITS.bytes,
    headers,
  } = cache;
  const inTime = <T>(answer: MaybePromise<T>): MaybePromise<T> =>
    answer instanceof Promise ? new TimeLimit(handlerTimeoutMs * CACHE_SHARE, {}).hold(() => answer) : answer;
  const timed: CacheStore = {
    revision: (names) => inTime(store.revision(names)),
    versions: (keys) => inTime(store.versions(keys)),
    isBusy: (kind) => store.isBusy?.(kind) ?? false,
  };
  return new ResponseCache(timed, { now, limits: { entries, bytes }, headers });
}

function toHeadRules(
  { headers = {}, index }: EngineOptions,
  { names, addresses }: RuntimeOptions,
  trustedOrigins: ReadonlySet<string>,
): HeadRules {
  const always = toSendableHeaders('always in headers of createEngine has', { ...headers.always });
  return createHeadRules(
    { ...headers, always },
    {
      names,
      addresses,
      trustedOrigins,
      index: index === undefined || index === false ? ROOT_PATHS.index : index,
    },
  );
}

interface Described {
  readonly options: EngineOptions;
  readonly prefixes: readonly string[];
  readonly toRuntime: (incoming: IncomingRequest) => Runtime;
}

function describeRoutes(
  document: OpenApiPlace,
  { options, prefixes, toRuntime }: Described,
): Readonly<Record<string, unknown>> {
  checkDocumentOptions(document, prefixes);
  const { title, version, ...place } = document;
  const { site } = createCallScope(
    toRuntime({ request: createRequest('/', place), identity: ANONYMOUS, query: null }),
  );
  return describeOpenApi(toView(site, options), { info: { title, version }, serverUrl: site.wireUrl('') });
}

/** Creates an engine. @throws TypeError naming namespace, pattern and method of the first descriptor that cannot be served. */
export function createEngine<H = unknown>(options?: EngineOptions<H>): Engine<H>;
// The engine passes `host` on without looking at it.
export function createEngine(options: EngineOptions = {}): Engine {
  checkEngineOptions(options);
  const runtimeOptions = toRuntimeOptions(options);
  const cache = createCache(options, runtimeOptions);
  const { requestIds = false } = options;
  const canBeReady =
    (options.authenticate === undefined || options.anonymousWithoutCredentials === true) && !requestIds;
  const { routes: own, attach } = createOpenApiRoutes(options);
  const mcpRoutes = createMcpRoutes(options.mcp, options.trustedOrigins);
  const registrations = new Registrations(options, () => cache?.clear(), [...own, ...mcpRoutes]);
  const toRuntime = ({ request, identity, query, trace }: IncomingRequest): Runtime => ({
    table: registrations.table,
    options: runtimeOptions,
    identity,
    request,
    query,
    trace,
  });
  const { names, addresses } = runtimeOptions;
  const trustedOrigins: ReadonlySet<string> = new Set(options.trustedOrigins);
  const context: ServeContext = {
    names,
    head: toHeadRules(options, runtimeOptions, trustedOrigins),
    trustedOrigins,
    log: runtimeOptions.log,
    cache,
    requestIds,
    jsonp: options.jsonp ?? false,
    answerLimit: runtimeOptions.answerLimit,
    handlerTimeoutMs: runtimeOptions.handlerTimeoutMs,
    authenticate: options.authenticate ?? (() => ANONYMOUS),
    endpointOf: (request) => findEndpoint(registrations.table, request)?.endpoint ?? null,
    prepare: (incoming) => prepareCall(toRuntime(incoming)),
    run: (incoming) => runRequest(toRuntime(incoming)),
  };
  const challenge = (wire: WireResponse, request: RestRequest): WireResponse =>
    withChallenge(
      wire,
      options.mcp?.authorization,
      toBaseUrl(addresses, request) + metadataPath(request.path),
    );
  return {
    ...addresses,
    names,
    requestIds,
    handlerTimeoutMs: runtimeOptions.handlerTimeoutMs,
    register: (...namespaces) => registrations.add(namespaces),
    unregister: (name) => registrations.remove(name),
    replace: (namespace) => registrations.replace(namespace),
    extend: (...[namespace, descriptor, handlers, parts]) =>
      registrations.extend(
        toExtension(namespace, descriptor, { handlers, parts: parts as NamespaceParts | undefined }),
      ),
    get routes() {
      return registrations.table.routes;
    },
    describeOpenApi: (document) =>
      describeRoutes(document, { options, prefixes: addresses.prefixes, toRuntime }),
    attach,
    dispatch: (request, identity = ANONYMOUS) => dispatchRequest(context, { request, identity, query: null }),
    serve: (request) =>
      options.mcp?.authorization !== undefined && request.path === (options.mcp.path ?? MCP_PATH)
        ? thenMaybe(serveRequest(context, request), (wire) => challenge(wire, request))
        : serveRequest(context, request),
    checkHead: (head) => checkCrossSite(context, head),
    takesUnread: (head) => registrations.table.hasBodies && takesUnread(registrations.table, head),
    // Only `serve` traces requests and gives them an id.
    ...(cache !== null && canBeReady
      ? {
          ready: (siteUrl: string, target: string) =>
            isTraced() ? null : cache.findReady(`${siteUrl}${target}`),
        }
      : {}),
    isBusy: options.isBusy ?? (() => false),
    refuse: (error, request) => refuseUnread(context, error, request),
  };
}

function runRequest(runtime: Runtime): MaybePromise<RestResponse> {
  const run = (): MaybePromise<RestResponse> => {
    if (runtime.request.method === 'OPTIONS') return answerOptions(runtime);
    const runPrepared = (prepared: PreparedCall): MaybePromise<RestResponse> => {
      noteRoute(runtime.trace, prepared.route);
      return prepared.run();
    };
    return mustOpenBody(runtime)
      ? prepareWithBody(runtime).then(runPrepared)
      : runPrepared(prepareCall(runtime));
  };
  return catchMaybe(run, (error) => toErrorResponse(runtime, error));
}
