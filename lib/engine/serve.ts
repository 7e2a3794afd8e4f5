import { engineError, type RestError, toErrorBody, toStatus } from '../core/errors.ts';
import { ANONYMOUS, type Identity, isIdentity, readIdentity, toFixedIdentity } from '../core/identity.ts';
import { catchMaybe, type MaybePromise, thenMaybe } from '../core/maybe-promise.ts';
import type { Names } from '../core/names.ts';
import { callOption } from '../dispatch/execute.ts';
import { logFailure, toFailureEvent } from '../dispatch/failure.ts';
import { type CallTrace, isTraced, traceCall } from '../dispatch/trace.ts';
import { isCrossSite, readMethod, type RequestHead } from '../http/cross-site.ts';
import type { Host, WireResponse } from '../http/host.ts';
import { type ParsedQuery, parseQuery } from '../http/query-string.ts';
import { changeRequest, isRead, type RestRequest } from '../http/request.ts';
import { toAsked, toWire, type WireOptions } from '../http/respond.ts';
import type { HeadRules } from '../http/response-headers.ts';
import { RawBody, RestResponse } from '../http/response.ts';
import { writesByGet } from '../route/effects.ts';
import {
  type AnswerContext,
  type Answered,
  answerRequest,
  type IncomingRequest,
  refuseLarge,
} from './answer-request.ts';
import { runWithId, toRequestId, withRequestId } from './request-id.ts';

const CALLBACK = /^[\w.]+$/;

/** Everything that is needed to serve requests. */
export interface ServeContext extends AnswerContext {
  readonly names: Names;
  readonly jsonp: boolean;
  readonly handlerTimeoutMs: number;
  readonly requestIds: boolean;
  readonly head: HeadRules;
  readonly trustedOrigins: ReadonlySet<string>;
  readonly authenticate: (request: RestRequest) => MaybePromise<Identity | null>;
}

/**
 * Refuses a write that a page of another site may have made a browser send. Adapters also call this before they read a body.
 * With the path, it also refuses a GET that writes.
 * @throws RestError `rest_cross_site_write`
 */
export function checkCrossSite(
  { trustedOrigins, endpointOf }: Pick<ServeContext, 'trustedOrigins' | 'endpointOf'>,
  head: RequestHead & Partial<Pick<RestRequest, 'path'>>,
): void {
  if (!isCrossSite(head, trustedOrigins)) return;
  const method = readMethod(head, parseQuery(head.query).params['_method']) ?? head.method;
  const { path } = head;
  const endpoint = path === undefined || method !== 'GET' ? null : endpointOf({ path, method });
  const writes =
    endpoint === null ? !isRead(method) && method !== 'OPTIONS' : writesByGet(endpoint.descriptor);
  if (writes) throw engineError('rest_cross_site_write');
}

/** Overrides the method. `target` is dropped, because the same address with another method is another request. */
function overrideMethod(request: RestRequest, override: unknown): RestRequest {
  const method = readMethod(request, override);
  return method === null ? request : changeRequest(request, { method });
}

/**
 * The response to a request with an overridden method. Caches know only the method that was sent, so they must not
 * reuse the response. The response to HEAD has no body.
 */
function toOverridden(wire: WireResponse, method: string): WireResponse {
  const { headers, body, stream, ...rest } = wire;
  const others = Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'cache-control');
  if (method === 'HEAD') void stream?.return();
  return {
    ...rest,
    headers: { ...Object.fromEntries(others), 'Cache-Control': 'no-store' },
    body: method === 'HEAD' ? null : body,
    ...(stream === undefined || method === 'HEAD' ? {} : { stream }),
  };
}

function checkCallback(callback: unknown, isEnabled: boolean): string | null {
  if (callback === undefined) return null;
  if (!isEnabled) throw engineError('rest_callback_disabled');
  if (typeof callback !== 'string' || !CALLBACK.test(callback)) throw engineError('rest_callback_invalid');
  return callback;
}

/** Runs a request, or returns its cached response. Rejects only a value that is not a request. */
export async function dispatchRequest(
  context: ServeContext,
  incoming: IncomingRequest,
): Promise<RestResponse> {
  const { request } = incoming;
  if (typeof request?.path !== 'string' || (request.body as unknown) === undefined)
    throw new TypeError("dispatch takes a request: write dispatch(createRequest('/path'))");
  const identity = isIdentity(incoming.identity) ? toFixedIdentity(incoming.identity) : incoming.identity;
  const dispatch = (trace?: CallTrace): MaybePromise<RestResponse> =>
    thenMaybe(answerRequest(context, { ...incoming, identity, trace }), ({ response }) => response);
  return isTraced() ? traceCall(incoming, dispatch) : dispatch();
}

/** An identity with id 0 is anonymous; responses to anonymous callers are shared. @throws TypeError for a value that is not an identity */
function toCaller(told: unknown): Identity {
  if (told === ANONYMOUS) return ANONYMOUS;
  const identity = readIdentity(told, 'authenticate');
  return identity === null || identity.id === ANONYMOUS.id ? ANONYMOUS : toFixedIdentity(identity);
}

/** Handles a request, from authentication to the wire response. Never throws or rejects. */
export function serveRequest(context: ServeContext, request: RestRequest): MaybePromise<WireResponse> {
  if (!context.requestIds) return serveTraced(context, request);
  const id = toRequestId(request);
  return runWithId(id, () =>
    thenMaybe(serveTraced(context, { ...request, id }), (wire) => withRequestId(wire, id)),
  );
}

function serveTraced(context: ServeContext, request: RestRequest): MaybePromise<WireResponse> {
  return isTraced()
    ? traceCall({ request }, (trace) => serve(context, request, trace))
    : serve(context, request);
}

function serve(context: ServeContext, request: RestRequest, trace?: CallTrace): MaybePromise<WireResponse> {
  return catchMaybe(
    () => serveQuery(context, { request, trace, query: parseQuery(request.query) }),
    (error) =>
      refuseRequest(
        context,
        logFailure(error, context.log, `answering ${request.method} ${request.path}`),
        request,
      ),
  );
}

function serveQuery(
  context: ServeContext,
  { request, trace, query }: Pick<IncomingRequest, 'request' | 'trace'> & { readonly query: ParsedQuery },
): MaybePromise<WireResponse> {
  const { names, answerLimit, head } = context;
  const callback = checkCallback(query.params['_jsonp'], context.jsonp);
  checkCrossSite(context, request);
  const effective = overrideMethod(request, query.params['_method']);
  const envelope = query.params['_envelope'] !== undefined;
  const serveCaller = (told: unknown): MaybePromise<WireResponse> => {
    const identity = toCaller(told);
    return thenMaybe(answerRequest(context, { request: effective, identity, query, trace }), (answered) => {
      const wire = finish(context, answered, {
        names,
        identity,
        request: effective,
        envelope,
        callback,
        answerLimit,
        head,
        refuseLarge: (size) => refuseLarge(context, { request: effective, identity, query, trace }, size),
      });
      return toAsked(effective === request ? wire : toOverridden(wire, effective.method), request);
    });
  };
  // Any page can load a script with the visitor's credentials, so a JSONP caller is anonymous.
  if (callback !== null) return serveCaller(ANONYMOUS);
  return thenMaybe(
    callOption<unknown>(
      { option: 'authenticate', ms: context.handlerTimeoutMs, signal: request.signal },
      () => context.authenticate(request),
    ),
    serveCaller,
  );
}

/** Writes a response, and each cached response only once. Requests with an `Origin` are excluded because their headers differ, and errors because their form depends on `Accept`. */
function finish(
  { cache }: ServeContext,
  { response, cached }: Answered,
  options: WireOptions & { readonly request: RestRequest },
): WireResponse {
  const { headers, siteUrl, target } = options.request;
  if (cache === null || cached === null || response.status >= 400 || headers['origin'] !== undefined)
    return toWire(response, options);
  if (cached.wire !== null) return cached.wire;
  const made = toWire(response, options);
  // Frozen, because all callers share it.
  const wire = Object.freeze({
    status: made.status,
    headers: Object.freeze(made.headers),
    body: typeof made.body === 'string' ? Buffer.from(made.body) : made.body,
  });
  cache.finish(cached, {
    wire,
    target: target === undefined || cached.isWrapped ? null : `${siteUrl}${target}`,
  });
  return wire;
}

/** Refuses a request that the engine did not get. The failure is not logged elsewhere. */
export function refuseUnread(
  context: ServeContext,
  error: RestError,
  request: Parameters<Host['refuse']>[1],
): WireResponse {
  const refuse = (): WireResponse => {
    const what =
      request.path === undefined
        ? `reading a ${request.method} request`
        : `reading ${request.method} ${request.path}`;
    if (error.code === 'rest_internal_error' || error.code === 'rest_handler_timeout')
      context.log(toFailureEvent(error, what));
    return refuseRequest(context, error, request);
  };
  if (!context.requestIds) return refuse();
  const id = toRequestId(request);
  return runWithId(id, () => withRequestId(refuse(), id));
}

/** The response to a request that cannot be answered. */
function refuseRequest(
  { names, answerLimit, head }: ServeContext,
  error: RestError,
  request: Pick<RestRequest, 'method' | 'headers'>,
): WireResponse {
  return toAsked(
    toFailure(error, {
      names,
      identity: ANONYMOUS,
      request,
      envelope: false,
      callback: null,
      answerLimit,
      head,
    }),
    request,
  );
}

function toFailure(error: RestError, options: WireOptions): WireResponse {
  // A page loads this as a script. It gets the media type of a script, but no callback is called.
  if (error.code === 'rest_callback_invalid') {
    return toWire(
      new RestResponse(
        new RawBody(
          'application/javascript; charset=UTF-8',
          JSON.stringify({ code: error.code, message: error.message }),
        ),
        { status: 400 },
      ),
      options,
    );
  }
  const status = toStatus(error, options.identity);
  return toWire(
    new RestResponse(toErrorBody(error, options.identity), { status, headers: { ...error.headers } }),
    options,
  );
}
