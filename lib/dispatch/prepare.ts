import { listAllowed, withAllow } from './allow.ts';
import type { PreparedCall } from '../route/call.ts';
import { RestError, toErrorBody, toStatus } from '../core/errors.ts';
import { executeCall } from './execute.ts';
import { logFailure } from './failure.ts';
import { JsonText, writeJson } from '../core/json-document.ts';
import { isJsonType } from '../http/media-type.ts';
import { OpenCall, createOnce, type CallScope } from './open-call.ts';
import { parseQuery } from '../http/query-string.ts';
import { isRead } from '../http/request.ts';
import { BODILESS, RawBody, RestResponse } from '../http/response.ts';
import { matchRequest, resolveArgs, type Matched, type Resolved } from './resolve.ts';
import type { Runtime } from './runtime.ts';
import { readShape, shapeResponse, type Shape } from './shape.ts';
import { RequestSite } from './site-view.ts';
import { TimeLimit } from './time-limit.ts';
import { catchMaybe, thenMaybe, type MaybePromise } from '../core/maybe-promise.ts';

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** What all calls of one request share. Its time limit starts now. */
export function createCallScope(runtime: Runtime): CallScope {
  const { request, options, outer } = runtime;
  const limit = new TimeLimit(outer?.innerMs ?? options.handlerTimeoutMs, request);
  return { limit, once: createOnce(), site: new RequestSite(runtime, (other) => prepareCall({ ...runtime, request: other, query: null, outer: limit })) };
}

/** Converts anything that was thrown to a response for this caller. */
export function toErrorResponse(runtime: Runtime, thrown: unknown): RestResponse {
  const error = logFailure(thrown, runtime.options.log, `${runtime.request.method} ${runtime.request.path}`);
  return new RestResponse(toErrorBody(error, runtime.identity), { status: toStatus(error, runtime.identity), headers: { ...error.headers } });
}

function createRefused(runtime: Runtime, error: unknown, matched: Matched | null): PreparedCall {
  const refusal = logFailure(error, runtime.options.log, `reading ${runtime.request.method} ${runtime.request.path}`);
  return {
    refusal,
    cache: null,
    batchable: matched === null || matched.endpoint.descriptor.allow_batch?.v1 === true,
    run() {
      const response = toErrorResponse(runtime, refusal);
      if (matched === null || !runtime.options.allow) return response;
      return thenMaybe(listAllowed(runtime, { route: matched.route, path: matched.path, asked: null }, createCallScope(runtime)), (methods) => withAllow(response, methods));
    },
  };
}

/** Converts a raw body to a JSON value: the parsed document, or the text. @throws TypeError for bytes that are not UTF-8, SyntaxError */
function toValue({ type, content }: RawBody): unknown {
  const text = typeof content === 'string' ? content : UTF8.decode(content);
  return isJsonType(type ?? undefined) ? JSON.parse(text) : text;
}

/** Prepares a response that becomes part of another one. It is written as JSON now, so that a broken part cannot spoil the whole. */
function toPart(runtime: Runtime, response: RestResponse): RestResponse {
  const { content, status } = response;
  try {
    if (BODILESS.has(status)) return response.withContent(null);
    return response.withContent(new JsonText(writeJson(content instanceof RawBody ? toValue(content) : content)));
  } catch (error) {
    return toErrorResponse(runtime, error);
  }
}

/** Flushes what inner calls committed, even if the outer call failed, because the inner calls did not. A 5xx does not wait for it: it confirms no write. */
async function flushInner(runtime: Runtime, response: RestResponse, limit: TimeLimit): Promise<RestResponse> {
  const { flush, log } = runtime.options;
  if (flush === null) return response;
  const flushing = flush().catch((error: unknown) => { throw logFailure(error, log, `making the writes of ${runtime.request.path} durable`); });
  // Already logged, and a 5xx does not await it.
  flushing.catch(() => undefined);
  if (response.status >= 500) return response;
  try {
    await limit.hold(() => flushing);
    return response;
  } catch (error) {
    return toErrorResponse(runtime, error);
  }
}

function runCall(runtime: Runtime, matched: Matched, { resolved, shape }: { resolved: Resolved; shape: Shape }): MaybePromise<RestResponse> {
  const { route, path, endpoint } = matched;
  const scope = createCallScope(runtime);
  const { limit } = scope;
  const call = new OpenCall(runtime, { route, endpoint, resolved }, scope);
  const fail = (error: unknown): RestResponse => toErrorResponse(runtime, error);
  const toShape = (outcome: RestResponse | RestError): MaybePromise<RestResponse> => {
    if (outcome instanceof RestError) return fail(outcome);
    const { table: { embeds }, options: { log, answerLimit } } = runtime;
    return shapeResponse(outcome, call, { shape, limit, embeds, log, answerLimit });
  };
  const answered = catchMaybe(() => thenMaybe(executeCall(endpoint, call, { limit, answerLimit: runtime.options.answerLimit }), toShape), fail);
  const finish = (response: RestResponse): MaybePromise<RestResponse> => {
    const part = runtime.outer === undefined ? response : toPart(runtime, response);
    if (!runtime.options.allow) return part;
    const isReading = isRead(runtime.request.method);
    // After a write the record has changed, so values loaded before it are not reused.
    const current = isReading ? scope : { ...scope, once: createOnce() };
    return thenMaybe(listAllowed(runtime, { route, path, asked: isReading ? call : null }, current), (methods) => withAllow(part, methods));
  };
  return thenMaybe(answered, (response) => (scope.site.hasInner ? flushInner(runtime, response, limit).then(finish) : finish(response)));
}

/** Matches and validates the request of the runtime, once. Nothing has an effect before `run`. */
export function prepareCall(runtime: Runtime): PreparedCall {
  let matched: Matched | null = null;
  try {
    const query = runtime.query ?? parseQuery(runtime.request.query);
    const found = matchRequest(runtime);
    matched = found;
    const resolved = resolveArgs(found, runtime.request, { query, identity: runtime.identity });
    const shape = readShape(runtime.request, query);
    return {
      refusal: null,
      cache: found.endpoint.descriptor.cache ?? null,
      batchable: found.endpoint.descriptor.allow_batch?.v1 === true,
      run: () => runCall(runtime, found, { resolved, shape }),
    };
  } catch (error) {
    return createRefused(runtime, error, matched);
  }
}
