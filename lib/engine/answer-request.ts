import type { CompiledEndpoint } from '../compile/table.ts';
import type { RestError } from '../core/errors.ts';
import { ANONYMOUS } from '../core/identity.ts';
import { catchMaybe, type MaybePromise, thenMaybe } from '../core/maybe-promise.ts';
import { describeCall, logFailure } from '../dispatch/failure.ts';
import { blameFor, isTooLarge, tooLargeError, toTooLarge } from '../dispatch/response/too-large.ts';
import type { LogEvent, Runtime } from '../dispatch/runtime.ts';
import { type CallTrace, noteRoute } from '../dispatch/trace.ts';
import { isRead, type RestRequest } from '../http/request.ts';
import { type RestResponse, toBytes } from '../http/response.ts';
import type { PreparedCall } from '../route/call.ts';
import type { CachedResponse, CacheMiss, ResponseCache } from './response-cache.ts';

/** A request and its caller. `query`: the parsed query of the request, if it was already parsed. */
export type IncomingRequest = Pick<Runtime, 'request' | 'identity' | 'query' | 'trace'>;

/** What is needed to answer requests. `cache`: null if nothing is cached. */
export interface AnswerContext {
  readonly answerLimit: number;
  readonly log: (event: LogEvent) => void;
  readonly cache: ResponseCache | null;
  /** The endpoint of a request. null: there is none. */
  readonly endpointOf: (request: Pick<RestRequest, 'path' | 'method'>) => CompiledEndpoint | null;
  readonly run: (incoming: IncomingRequest) => MaybePromise<RestResponse>;
  readonly prepare: (incoming: IncomingRequest) => PreparedCall;
}

/** The cache key of a request. null: its response is not cached. */
function toCacheKey({
  request: { method, siteUrl, language, path, query, body },
  identity,
}: IncomingRequest): string | null {
  if (!isRead(method) || identity !== ANONYMOUS || body.kind !== 'none') return null;
  // None of the parts contains NUL, so no two requests share a key.
  return `${siteUrl}\0${language}\0${path}\0${query}`;
}

/** A cookie is meant only for the caller who receives it (RFC 6265, 4.1). */
function setsCookie({ headers, cookies }: RestResponse): boolean {
  return cookies.length > 0 || Object.keys(headers).some((name) => name.toLowerCase() === 'set-cookie');
}

/** The response to a request, and its cache entry. null: it is not cached. */
export interface Answered {
  readonly response: RestResponse;
  readonly cached: CachedResponse | null;
}

const notCached = (response: RestResponse): Answered => ({ response, cached: null });

/** Refusals of a response that is too large are cached, too: building the response again would cost as much. */
function isKeepable(response: RestResponse): boolean {
  return (response.status === 200 || isTooLarge(response)) && !setsCookie(response);
}

const toAnswered = (cached: CachedResponse): Answered => ({ response: cached.response, cached });

function fromCache(cached: CachedResponse, trace: CallTrace | undefined): Answered {
  if (trace !== undefined) trace.cached = true;
  noteRoute(trace, cached.route);
  return toAnswered(cached);
}

/** The place of a response in the cache. */
interface Place {
  readonly cache: ResponseCache;
  readonly key: string;
}

function answerThroughCache(
  context: AnswerContext,
  incoming: IncomingRequest,
  place: Place,
): MaybePromise<Answered> {
  const { cache, key } = place;
  return thenMaybe(cache.find(key), (known) => {
    if (known !== null && !known.isWrapped) return fromCache(known, incoming.trace);
    const { generation } = cache;
    const prepared = context.prepare(incoming);
    const { cache: collections, isWrapped, route } = prepared;
    noteRoute(incoming.trace, route);
    if (collections === null) return thenMaybe(prepared.run(), notCached);
    return thenMaybe(cache.revision(collections), (before) => {
      const keep = (response: RestResponse): MaybePromise<Answered> =>
        keepResponse(context, incoming, {
          cache,
          candidate: { key, collections, before, generation, isWrapped, route, response },
        });
      return isWrapped
        ? runWrapped(context, prepared, { ...place, keep, trace: incoming.trace })
        : thenMaybe(prepared.run(), keep);
    });
  });
}

/** The error in place of a response that is too large. Logs it if its handler made it so, and the caller can do nothing about it. */
export function refuseLarge(
  { answerLimit, endpointOf, log }: AnswerContext,
  { request, query }: IncomingRequest,
  size: number,
): RestError {
  const endpoint = endpointOf(request);
  if (endpoint === null) return tooLargeError();
  return logFailure(
    blameFor(size, { endpoint: endpoint.descriptor, query, limit: answerLimit }),
    log,
    describeCall(request, endpoint),
  );
}

/** Writes the response to an anonymous caller, or the one that replaces it. `refuse`: the error for a response of that many bytes. @throws TypeError for a body that is not JSON */
function writeWithin(
  response: RestResponse,
  limit: number,
  refuse: (size: number) => RestError,
): RestResponse {
  const written = toBytes(response.content);
  const size = Buffer.byteLength(written.content);
  return size > limit ? toTooLarge(response, ANONYMOUS, refuse(size)) : response.withContent(written);
}

/** Caches a response that may be cached. If the store cannot confirm that, it is sent all the same. */
function keepResponse(
  context: AnswerContext,
  incoming: IncomingRequest,
  { cache, candidate }: { readonly cache: ResponseCache; readonly candidate: CacheMiss },
): MaybePromise<Answered> {
  const { response } = candidate;
  const refuse = (size: number): RestError => refuseLarge(context, incoming, size);
  if (!isKeepable(response)) return notCached(response);
  const keeping = catchMaybe(
    () => cache.keep({ ...candidate, response: writeWithin(response, context.answerLimit, refuse) }),
    (error) => {
      logFailure(error, context.log, `caching the response to ${incoming.request.path}`);
      return null;
    },
  );
  return thenMaybe(keeping, (cached) => (cached === null ? notCached(response) : toAnswered(cached)));
}

/** The place of the response to a call that `around` functions run around. */
interface WrappedPlace extends Place {
  readonly keep: (response: RestResponse) => MaybePromise<Answered>;
  readonly trace: CallTrace | undefined;
}

/** Runs the `around` functions of a call, and within them the call, or its cached response. */
function runWrapped(
  { log }: AnswerContext,
  prepared: PreparedCall,
  { cache, key, keep, trace }: WrappedPlace,
): MaybePromise<Answered> {
  let inner: Answered | null = null;
  const find = (): MaybePromise<CachedResponse | null> =>
    catchMaybe(
      () => cache.find(key),
      (error) => {
        logFailure(error, log, 'asking the cache');
        return null;
      },
    );
  const running = prepared.run((run) =>
    thenMaybe(
      thenMaybe(find(), (known) => (known === null ? thenMaybe(run(), keep) : fromCache(known, trace))),
      (answered) => {
        inner = answered;
        return answered.response;
      },
    ),
  );
  return thenMaybe(running, (response) => (inner?.response === response ? inner : notCached(response)));
}

/** Runs a request, or returns its cached response. Never throws or rejects. */
export function answerRequest(context: AnswerContext, incoming: IncomingRequest): MaybePromise<Answered> {
  const { cache, run, log } = context;
  const key = cache === null ? null : toCacheKey(incoming);
  if (cache === null || key === null) return thenMaybe(run(incoming), notCached);
  // The store could not tell whether anything changed. The request runs as if there were no cache.
  return catchMaybe(
    () => answerThroughCache(context, incoming, { cache, key }),
    (error) =>
      thenMaybe(run(incoming), (response) => {
        // If the response fails as well, the reason is already logged.
        if (response.status < 500) logFailure(error, log, `asking the cache for ${incoming.request.path}`);
        return notCached(response);
      }),
  );
}
