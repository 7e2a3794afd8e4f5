import type { ResponseCache } from './response-cache.ts';
import type { PreparedCall } from '../route/call.ts';
import { isCrossSite, type RequestHead } from '../http/cross-site.ts';
import { engineError, toErrorBody, toStatus, type RestError } from '../core/errors.ts';
import { logFailure } from '../dispatch/failure.ts';
import { ANONYMOUS, readIdentity, type Identity } from '../core/identity.ts';
import type { CachedResponse } from './cached-response.ts';
import { overrideMethod, readMethod, toOverridden } from '../http/method-override.ts';
import type { Names } from '../core/names.ts';
import { parseQuery } from '../http/query-string.ts';
import { isRead, type RestRequest } from '../http/request.ts';
import { toAsked, toWire, type WireOptions } from '../http/respond.ts';
import { RawBody, RestResponse } from '../http/response.ts';
import type { LogEvent, Runtime } from '../dispatch/runtime.ts';
import { isTooLarge, writeWithin } from '../dispatch/too-large.ts';
import { catchMaybe, thenMaybe, type MaybePromise } from '../core/maybe-promise.ts';
import type { WireResponse } from '../http/host.ts';

/** Default of the largest answer. Bytes. */
export const ANSWER_LIMIT = 8 * 1024 * 1024;

const CALLBACK = /^[\w.]+$/;

/** A request and its caller. `query`: that of the request, where it was read already. */
export type IncomingRequest = Pick<Runtime, 'request' | 'identity' | 'query'>;

/** Where a request of the world goes: through the cache, if there is one. */
export interface ServeContext {
  readonly names: Names;
  readonly jsonp: boolean;
  readonly answerLimit: number;
  readonly trustedOrigins: ReadonlySet<string>;
  readonly authenticate: (request: RestRequest) => MaybePromise<Identity | null>;
  readonly log: (event: LogEvent) => void;
  readonly cache: ResponseCache | null;
  readonly run: (incoming: IncomingRequest) => MaybePromise<RestResponse>;
  readonly prepare: (incoming: IncomingRequest) => PreparedCall;
}

/**
 * Refuses a write that a page of another site may have had a browser send. Adapters ask before they read a body, too.
 * @throws RestError `rest_cross_site_write`
 */
export function checkCrossSite({ trustedOrigins }: Pick<ServeContext, 'trustedOrigins'>, head: RequestHead): void {
  if (!isCrossSite(head, trustedOrigins)) return;
  const method = readMethod(head, parseQuery(head.query).params['_method']) ?? head.method;
  if (!isRead(method) && method !== 'OPTIONS') throw engineError('rest_cross_site_write');
}

function checkCallback(callback: unknown, isEnabled: boolean): string | null {
  if (callback === undefined) return null;
  if (!isEnabled) throw engineError('rest_callback_disabled');
  if (typeof callback !== 'string' || !CALLBACK.test(callback)) throw engineError('rest_callback_invalid');
  return callback;
}

/** The place of an answer in the cache; null for a request whose answer is not cached. */
function toCacheKey({ request: { method, siteUrl, language, path, query, body }, identity }: IncomingRequest): string | null {
  if (!isRead(method) || identity !== ANONYMOUS || body.kind !== 'none') return null;
  // NUL stands in none of them, so that no two requests share a key.
  return `${siteUrl}\0${language}\0${path}\0${query}`;
}

/** A cookie is meant for the one caller who is given it (RFC 6265, 4.1). */
function setsCookie({ headers, cookies }: RestResponse): boolean {
  return cookies.length > 0 || Object.keys(headers).some((name) => name.toLowerCase() === 'set-cookie');
}

/** What a request led to, and where it is cached; null: it is not. */
interface Answered {
  readonly response: RestResponse;
  readonly cached: CachedResponse | null;
}

const notCached = (response: RestResponse): Answered => ({ response, cached: null });

/** Also a refusal for its size: making the same again would cost as much as it did. */
function isKeepable(response: RestResponse): boolean {
  return (response.status === 200 || isTooLarge(response)) && !setsCookie(response);
}

function answerThroughCache({ prepare, log, answerLimit }: ServeContext, incoming: IncomingRequest, { cache, key }: { readonly cache: ResponseCache; readonly key: string }): MaybePromise<Answered> {
  return thenMaybe(cache.find(key), (known) => {
    if (known !== null) return { response: known.response, cached: known };
    const { generation } = cache;
    const { cache: collections, run } = prepare(incoming);
    if (collections === null) return thenMaybe(run(), notCached);
    return thenMaybe(cache.revision(collections), (before) => thenMaybe(run(), (response) => {
      if (!isKeepable(response)) return notCached(response);
      // Where the store can not say whether it may be cached, the answer is there all the same.
      const keeping = catchMaybe(() => cache.keep({ key, collections, before, generation, response: writeWithin(response, answerLimit) }), (error) => {
        logFailure(error, log, `keeping the answer to ${incoming.request.path}`);
        return null;
      });
      return thenMaybe(keeping, (cached) => ({ response: cached?.response ?? response, cached }));
    }));
  });
}

/** Never throws or rejects. */
function answerRequest(context: ServeContext, incoming: IncomingRequest): MaybePromise<Answered> {
  const { cache, run, log } = context;
  const key = cache === null ? null : toCacheKey(incoming);
  if (cache === null || key === null) return thenMaybe(run(incoming), notCached);
  // The store could not say whether anything changed: the answer is made as if there were no cache.
  return catchMaybe(() => answerThroughCache(context, incoming, { cache, key }), (error) => thenMaybe(run(incoming), (response) => {
    // An answer that fails as well has told the log why.
    if (response.status < 500) logFailure(error, log, `asking the cache for ${incoming.request.path}`);
    return notCached(response);
  }));
}

/** Runs a request, or gives the answer that is cached for it. Rejects what is no request, nothing else. */
export async function dispatchRequest(context: ServeContext, incoming: IncomingRequest): Promise<RestResponse> {
  if (typeof incoming.request?.path !== 'string') throw new TypeError("dispatch takes a request: write dispatch(createRequest('/path'))");
  return thenMaybe(answerRequest(context, incoming), ({ response }) => response);
}

/** An identity with the id 0 is anonymous, whatever else it says: answers to anonymous callers are shared. @throws TypeError for a value that is no identity */
function toCaller(told: unknown): Identity {
  const identity = readIdentity(told, 'authenticate');
  return identity === null || identity.id === ANONYMOUS.id ? ANONYMOUS : identity;
}

/** From authentication to the finished answer. Never rejects. */
export async function serveRequest(context: ServeContext, request: RestRequest): Promise<WireResponse> {
  const { names, answerLimit, trustedOrigins } = context;
  try {
    const query = parseQuery(request.query);
    const callback = checkCallback(query.params['_jsonp'], context.jsonp);
    checkCrossSite(context, request);
    const known = callback === null ? context.authenticate(request) : ANONYMOUS;
    const identity = known === ANONYMOUS ? ANONYMOUS : toCaller(await known);
    const effective = overrideMethod(request, query.params['_method']);
    const answering = answerRequest(context, { request: effective, identity, query });
    const answered = answering instanceof Promise ? await answering : answering;
    const envelope = query.params['_envelope'] !== undefined;
    const wire = finish(context, answered, { names, identity, request: effective, envelope, callback, answerLimit, trustedOrigins });
    return toAsked(effective === request ? wire : toOverridden(wire, effective.method), request);
  } catch (error) {
    return refuseRequest(context, logFailure(error, context.log, `answering ${request.method} ${request.path}`), request);
  }
}

/** Writes an answer down, once for every cached one: only for a caller without an origin, whose headers are everybody's. What an error looks like, `Accept` decides. */
function finish({ cache }: ServeContext, { response, cached }: Answered, options: WireOptions & { readonly request: RestRequest }): WireResponse {
  const { headers, siteUrl, target } = options.request;
  if (cache === null || cached === null || response.status >= 400 || headers['origin'] !== undefined) return toWire(response, options);
  if (cached.wire !== null) return cached.wire;
  const made = toWire(response, options);
  // Given to everybody: what one does to it must not be seen by the next.
  const wire = Object.freeze({ status: made.status, headers: Object.freeze(made.headers), body: typeof made.body === 'string' ? Buffer.from(made.body) : made.body });
  cache.finish(cached, { wire, target: target === undefined ? null : `${siteUrl}${target}` });
  return wire;
}

/** The answer to a request that could not be read. */
export function refuseRequest({ names, answerLimit, trustedOrigins }: ServeContext, error: RestError, request: Pick<RestRequest, 'method' | 'headers'>): WireResponse {
  return toAsked(toFailure(error, { names, identity: ANONYMOUS, request, envelope: false, callback: null, answerLimit, trustedOrigins }), request);
}

function toFailure(error: RestError, options: WireOptions): WireResponse {
  // A page waits for a script here: it gets a script's media type, but no function of its choice is called.
  if (error.code === 'rest_callback_invalid') {
    return toWire(new RestResponse(new RawBody('application/javascript; charset=UTF-8', JSON.stringify({ code: error.code, message: error.message })), { status: 400 }), options);
  }
  const status = toStatus(error, options.identity);
  return toWire(new RestResponse(toErrorBody(error, options.identity), { status, headers: { ...error.headers } }), options);
}
