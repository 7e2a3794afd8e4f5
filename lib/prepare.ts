import type { Args, Call, PreparedCall, SiteView } from './call.ts';
import { bodyParams, collectPath, sentQuery } from './collect.ts';
import { toErrorBody, toStatus } from './errors.ts';
import { embedLinks, wantsEmbed } from './embed.ts';
import { askPermission, executeCall, toRestError, type OpenCall } from './execute.ts';
import { selectFields, wantedFields } from './fields.ts';
import { writeJson } from './json-document.ts';
import { renamePath } from './names.ts';
import { own } from './own.ts';
import { parseQuery, type ParsedQuery } from './params.ts';
import type { RestRequest } from './request.ts';
import { RawBody, RestResponse } from './response.ts';
import { matchRequest, resolveArgs, type Matched } from './resolve.ts';
import type { Runtime } from './runtime.ts';
import type { CompiledEndpoint } from './table.ts';
import { TimeLimit } from './time-limit.ts';

const NO_NAMES: ReadonlySet<string> = new Set();
const NO_QUERY: ParsedQuery = { params: Object.freeze({}), bare: NO_NAMES };

/** The engine as one request sees it. */
function createSiteView(runtime: Runtime, limit: TimeLimit): SiteView {
  const { request, options, table } = runtime;
  const { names } = options;
  const base = `${request.siteUrl}/${request.language}/${names.apiSegment}`;
  return {
    names,
    routes: table.routes,
    namespaces: table.namespaces,
    url: (path) => `${base}${renamePath(names, path)}`,
    wireUrl: (path) => `${base}${path}`,
    home: (language = request.language) => `${request.siteUrl}/${language}`,
    translate: (text) => own(own(options.catalogues, request.language) ?? {}, text) ?? text,
    prepare: (other) => prepareCall({ ...runtime, request: other, outer: limit }),
  };
}

function createOnce(): Call['once'] {
  const loaded = new Map<string, Promise<unknown>>();
  return <T>(key: string, load: () => Promise<T>): Promise<T> => {
    const known = loaded.get(key);
    if (known !== undefined) return known as Promise<T>;
    const loading = load();
    loaded.set(key, loading);
    return loading;
  };
}

interface CallParts {
  readonly args: Args;
  readonly given: ReadonlySet<string>;
  readonly query: ParsedQuery;
}

/** What all calls have in common that one request leads to: its own, and those that only ask for permission. */
export interface Shared {
  readonly limit: TimeLimit;
  readonly once: Call['once'];
  readonly site: SiteView;
}

/** The clock starts when this is called. */
export function createShared(runtime: Runtime): Shared {
  const { request, options, outer } = runtime;
  const limit = new TimeLimit(outer?.innerMs ?? options.handlerTimeoutMs, () => request.signal);
  return { limit, once: createOnce(), site: createSiteView(runtime, limit) };
}

function createCall(runtime: Runtime, { route, endpoint }: Matched, { args, given, query, limit, once, site }: CallParts & Shared): OpenCall {
  const { request, options } = runtime;
  const language = options.languageParam === null ? undefined : args[options.languageParam];
  return {
    request, identity: runtime.identity, namespace: route.namespace, route: route.descriptor, endpoint: endpoint.descriptor,
    args, given, sentQuery: sentQuery(endpoint, query), language: typeof language === 'string' ? language : request.language,
    once, subject: null, site, get signal() { return limit.signal; },
  };
}

/** The methods of the route that the caller may use now. `used`: the endpoint that the caller has just used for a read. */
export async function listAllowed(runtime: Runtime, { route, path }: Pick<Matched, 'route' | 'path'>, { used, ...shared }: Shared & { used?: CompiledEndpoint | undefined }): Promise<readonly string[]> {
  const isAllowed = async (endpoint: CompiledEndpoint): Promise<boolean> => {
    if (endpoint.permission === null || endpoint === used) return true;
    const call = createCall(runtime, { route, endpoint, path }, { args: collectPath(endpoint, path), given: NO_NAMES, query: NO_QUERY, ...shared });
    try {
      await askPermission(endpoint.permission, call, shared.limit);
      return true;
    } catch (error) {
      toRestError(error, runtime.options.log, `asking for ${endpoint.descriptor.permission}`);
      return false;
    }
  };
  const allowed = await Promise.all(route.endpoints.map(isAllowed));
  return route.endpoints.flatMap((endpoint, index) => (allowed[index] === true ? endpoint.descriptor.methods : []));
}

/** Turns whatever was thrown into an answer for this caller. */
export function toErrorResponse(runtime: Runtime, thrown: unknown): RestResponse {
  const error = toRestError(thrown, runtime.options.log, `${runtime.request.method} ${runtime.request.path}`);
  return new RestResponse(toErrorBody(error, runtime.identity), { status: toStatus(error, runtime.identity), headers: { ...error.headers } });
}

async function shape(response: RestResponse, call: Call, { runtime, query, limit }: { runtime: Runtime; query: ParsedQuery; limit: TimeLimit }): Promise<RestResponse> {
  if (response.content instanceof RawBody) return response;
  const wanted = { ...bodyParams(call.request), ...query.params };
  const fields = wantedFields(wanted['_fields']);
  const relations = wantsEmbed(wanted['_embed']);
  if (fields === null && relations === null && response.links === null) return response;
  const selected = fields === null ? response.body : selectFields(response.body, fields);
  const linked = response.links === null ? selected : { ...(selected as object), _links: response.links };
  const body = relations === null ? linked : await limit.hold(() => embedLinks(linked, { relations, call, embeds: runtime.table.embeds }));
  return response.withContent(body);
}

function createRefused(runtime: Runtime, error: unknown, matched: Matched | null): PreparedCall {
  const refusal = toRestError(error, runtime.options.log, `reading ${runtime.request.method} ${runtime.request.path}`);
  return {
    refusal,
    cache: null,
    batchable: matched === null || matched.endpoint.descriptor.allow_batch?.v1 === true,
    async run() {
      const response = toErrorResponse(runtime, refusal);
      return matched === null ? response : withAllow(response, await listAllowed(runtime, matched, createShared(runtime)));
    },
  };
}

function withAllow(response: RestResponse, methods: readonly string[]): RestResponse {
  return methods.length === 0 ? response : response.withHeaders({ Allow: methods.join(', ') });
}

/** An answer that is no JSON must not spoil the one that it becomes a part of. */
function toPart(runtime: Runtime, response: RestResponse): RestResponse {
  try {
    if (response.status !== 204) writeJson(response.content);
    return response;
  } catch (error) {
    return toErrorResponse(runtime, error);
  }
}

function isRead({ method }: RestRequest): boolean {
  return method === 'GET' || method === 'HEAD';
}

async function runCall(runtime: Runtime, matched: Matched, parts: CallParts): Promise<RestResponse> {
  const shared = createShared(runtime);
  const { limit } = shared;
  const call = createCall(runtime, matched, { ...parts, ...shared });
  let response: RestResponse;
  let used: CompiledEndpoint | undefined;
  try {
    response = await executeCall(matched.endpoint, call, limit);
    if (response.status < 400) response = await shape(response, call, { runtime, query: parts.query, limit });
    // After a write the record is another one, and with it what the caller may do.
    if (isRead(runtime.request)) used = matched.endpoint;
  } catch (error) {
    response = toErrorResponse(runtime, error);
  }
  if (runtime.outer !== undefined) response = toPart(runtime, response);
  return withAllow(response, await listAllowed(runtime, matched, { ...shared, used }));
}

/** Matches and validates the request of the runtime, once. Nothing has an effect before `run`. */
export function prepareCall(runtime: Runtime): PreparedCall {
  let matched: Matched | null = null;
  try {
    const query = parseQuery(runtime.request.query);
    const found = matchRequest(runtime.table, runtime.request);
    matched = found;
    const parts = { ...resolveArgs(found, runtime.request, { query, identity: runtime.identity }), query };
    return {
      refusal: null,
      cache: found.endpoint.descriptor.cache ?? null,
      batchable: found.endpoint.descriptor.allow_batch?.v1 === true,
      run: () => runCall(runtime, found, parts),
    };
  } catch (error) {
    return createRefused(runtime, error, matched);
  }
}
