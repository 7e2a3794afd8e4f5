import type { CompiledEndpoint } from '../compile/table.ts';
import { withTermHeaders } from '../compile/terms/compile-terms.ts';
import { engineError, RestError, toErrorBody, toStatus } from '../core/errors.ts';
import { catchMaybe, type MaybePromise, thenMaybe } from '../core/maybe-promise.ts';
import type { WireStream } from '../http/host.ts';
import { isJsonType } from '../http/media-type.ts';
import { parseQuery } from '../http/query-string.ts';
import { isRead, type RestRequest } from '../http/request.ts';
import { BODILESS, RawBody, RestResponse } from '../http/response.ts';
import { STREAM_FORMATS, StreamBody } from '../http/stream-body.ts';
import { JsonBytes, JsonText, writeJson } from '../json/json-document.ts';
import type { PreparedCall, Through } from '../route/call.ts';
import type { NamedAround } from '../route/namespace.ts';
import { listAllowed, mayCall, withAllow } from './allow.ts';
import { runAround } from './around.ts';
import { ByteStream } from './byte-stream.ts';
import { executeCall } from './execute.ts';
import { describeCall, logFailure, nameDeparture, nameDuplicate } from './failure.ts';
import { type CallScope, createOnce, OpenCall, RequestSite } from './open-call.ts';
import { type Matched, matchRequest, resolveArgs, type Resolved } from './resolve.ts';
import type { Runtime } from './runtime.ts';
import { readShape, type Shape, shapeResponse } from './shape.ts';
import { TimeLimit } from './time-limit.ts';
import { isTraced, noteRoute, traceCall } from './trace.ts';

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** What all calls of one request share. Its time limit starts now. */
export function createCallScope(runtime: Runtime): CallScope {
  const { request, options, outer } = runtime;
  // The client sends the body of a stream while the handler runs.
  const sendingMs = request.body.kind === 'stream' ? request.body.timeoutMs : 0;
  const limit = new TimeLimit(outer?.innerMs ?? options.handlerTimeoutMs + sendingMs, request);
  const prepare = (other: RestRequest): PreparedCall =>
    prepareInner({ ...runtime, request: other, query: null, outer: limit }, limit);
  const scope: CallScope = {
    limit,
    once: createOnce(),
    site: new RequestSite(runtime, {
      prepare,
      flush: () => flushInner(runtime, limit),
      mayCall: (route, endpoint) => mayCall(runtime, { route, endpoint }, scope),
    }),
  };
  return scope;
}

/** Converts anything that was thrown to a response for this caller. `endpoint`: the one that was called, if it is known. */
export function toErrorResponse(
  runtime: Runtime,
  thrown: unknown,
  endpoint: CompiledEndpoint | null = null,
): RestResponse {
  const error = logFailure(
    nameDeparture(thrown, runtime.request),
    runtime.options.log,
    describeCall(runtime.request, endpoint),
  );
  return new RestResponse(toErrorBody(error, runtime.identity), {
    status: toStatus(error, runtime.identity),
    headers: { ...error.headers },
  });
}

/** A call that responds with an error. `matched`: its endpoint, if it was found. */
export function refuseCall(runtime: Runtime, error: unknown, matched: Matched | null): PreparedCall {
  const refusal = logFailure(
    error,
    runtime.options.log,
    `reading ${runtime.request.method} ${runtime.request.path}`,
  );
  return {
    refusal,
    route: matched?.route.view ?? null,
    cache: null,
    capability: matched?.endpoint.capability ?? null,
    isWrapped: false,
    batchable: matched === null || matched.endpoint.descriptor.allow_batch?.v1 === true,
    run() {
      const response = toErrorResponse(runtime, refusal);
      if (matched === null || !runtime.options.allow) return response;
      return thenMaybe(
        listAllowed(
          runtime,
          { route: matched.route, path: matched.path, asked: null },
          createCallScope(runtime),
        ),
        (methods) => withAllow(response, methods),
      );
    },
  };
}

/** Types of bytes that are a text. Those of all others are a file. */
const TEXT = /^text\/|^[^;]*[/+](?:x-nd)?(?:javascript|json|xml|yaml)\b|;\s*charset=/i;

/** A raw body as JSON: the document, the text, or the bytes of a file. @throws TypeError for text that is not UTF-8, SyntaxError */
function toDocument({ type, content }: RawBody): JsonText {
  if (typeof content !== 'string' && type !== null && !TEXT.test(type)) return new JsonBytes(type, content);
  const text = typeof content === 'string' ? content : UTF8.decode(content);
  return new JsonText(JSON.stringify(isJsonType(type ?? undefined) ? JSON.parse(text) : text));
}

/** Prepares a response that becomes part of another one. It is written as JSON now, so that a broken part cannot spoil the whole. */
function toPart({ runtime, matched: { endpoint } }: Started, response: RestResponse): RestResponse {
  const { content, status } = response;
  try {
    if (BODILESS.has(status)) return response.withContent(null);
    if (content instanceof StreamBody) {
      // A batch or a tool has no place for a stream, which its caller asked for.
      void (content.items as WireStream).return();
      throw engineError('rest_not_acceptable');
    }
    return response.withContent(
      content instanceof RawBody ? toDocument(content) : new JsonText(writeJson(content)),
    );
  } catch (error) {
    return toErrorResponse(runtime, error, endpoint);
  }
}

/** Makes durable what inner calls committed. Goes on when the time of the call is over. @throws RestError `rest_outcome_unknown`; of a read: why it is not known whether what was read lasts */
async function flushInner(
  { options: { flush, log }, request: { method, path } }: Runtime,
  limit: TimeLimit,
): Promise<void> {
  if (flush === null) return;
  // A function of the host may also flush at once, and return nothing.
  const flushing = Promise.resolve()
    .then(() => flush(limit.began))
    .catch((error: unknown) => {
      throw logFailure(error, log, `making the writes of ${path} durable`);
    });
  // Already logged, and nobody may be waiting any more.
  flushing.catch(() => undefined);
  try {
    await limit.hold(() => flushing);
  } catch (error) {
    throw isRead(method) ? error : engineError('rest_outcome_unknown', { cause: error });
  }
}

/** The response after a flush. The inner calls are flushed even if the outer call failed, because they did not. A 5xx does not wait for it: it confirms no write. */
function afterFlush(
  { runtime, matched: { endpoint }, scope: { site } }: Started,
  response: RestResponse,
): MaybePromise<RestResponse> {
  const flushing = site.flush().then(
    () => response,
    (error: unknown) => toErrorResponse(runtime, error, endpoint),
  );
  return response.status >= 500 ? response : flushing;
}

/** A call that is about to run, and what belongs to it. */
interface Started {
  readonly runtime: Runtime;
  readonly matched: Matched;
  readonly shape: Shape;
  readonly scope: CallScope;
  readonly call: OpenCall;
}

/** Permission, handler and embeds. A refusal of the permission function is returned. @throws whatever they throw */
function runShaped(started: Started): MaybePromise<RestResponse | RestError> {
  const {
    runtime,
    matched: { endpoint },
    shape,
    scope: { limit },
    call,
  } = started;
  const {
    table: { embeds },
    options: { log, answerLimit },
  } = runtime;
  return thenMaybe(executeCall(endpoint, call, { limit, answerLimit }), (outcome) => {
    if (outcome instanceof RestError) return outcome;
    return outcome.content instanceof StreamBody && !BODILESS.has(outcome.status)
      ? startStream(started, outcome, outcome.content)
      : shapeResponse(outcome, call, { shape, limit, embeds, log, answerLimit });
  });
}

/** Makes bytes of the items and waits for the first of them. HEAD asks for none. */
async function startStream(
  {
    runtime: { request, options },
    matched: { endpoint },
    shape: { fields },
    scope: { limit },
    call,
  }: Started,
  response: RestResponse,
  body: StreamBody,
): Promise<RestResponse> {
  const { signal } = limit;
  const stream = new ByteStream(body, {
    limit,
    fields,
    ms: options.streamTimeoutMs,
    bytes: options.streamLimit,
    draining: request.draining,
    what: `${endpoint.where}: the handler "${endpoint.descriptor.handler}" returned`,
    fail: (error) => {
      logFailure(nameDeparture(error, { signal }), options.log, describeCall(request, endpoint));
    },
  });
  call.streamed = stream;
  if (request.method !== 'HEAD') await limit.hold(() => stream.open());
  const { type, length, format } = body;
  return response
    .withContent(new StreamBody('bytes', stream, { type, length }))
    .withHeaders({ ...STREAM_FORMATS[format].headers, ...response.headers });
}

/** Ends a stream that is not sent, because something after the handler failed. */
function endUnsent({ streamed: stream }: OpenCall, response: RestResponse): RestResponse {
  if (stream !== null && !(response.content instanceof StreamBody && response.content.items === stream))
    void stream.return();
  return response;
}

/** The whole response: flushes what inner calls wrote, and adds `Allow`. `asked`: as in `listAllowed`. */
function complete(
  started: Started,
  response: RestResponse,
  asked: OpenCall | null,
): MaybePromise<RestResponse> {
  const {
    runtime,
    matched: { route, path },
    scope,
  } = started;
  const finish = (answered: RestResponse): MaybePromise<RestResponse> => {
    const part = runtime.outer === undefined ? answered : toPart(started, answered);
    if (!runtime.options.allow) return part;
    const isReading = isRead(runtime.request.method);
    // After a write the record has changed, so values loaded before it are not reused.
    const current = isReading ? scope : { ...scope, once: createOnce() };
    return thenMaybe(
      listAllowed(runtime, { route, path, asked: isReading ? asked : null }, current),
      (methods) => withAllow(part, methods),
    );
  };
  return scope.site.hasInner ? thenMaybe(afterFlush(started, response), finish) : finish(response);
}

/** The response to anything that was thrown in a call. */
function toFailed({ runtime, matched: { endpoint } }: Started, thrown: unknown): RestResponse {
  return toErrorResponse(
    runtime,
    nameDuplicate(thrown, { ...endpoint.descriptor, names: runtime.options.names }),
    endpoint,
  );
}

/** Runs the rest of a call within the terms of its endpoint. */
function runOnTerms(
  {
    matched: {
      endpoint: { terms },
    },
    scope: { limit },
    call,
  }: Started,
  run: () => MaybePromise<RestResponse>,
): MaybePromise<RestResponse> {
  return terms === null
    ? run()
    : thenMaybe(
        limit.hold(() => terms(call)),
        (headers) => withTermHeaders(headers, run),
      );
}

/** Runs a call within its `around` functions and its terms, which see its whole response. */
function runWithin(
  arounds: readonly NamedAround[],
  started: Started,
  through: Through,
): MaybePromise<RestResponse> {
  const {
    runtime,
    matched: {
      endpoint: { where },
    },
    scope: { limit },
    call,
  } = started;
  const run = (): MaybePromise<RestResponse> =>
    thenMaybe(runShaped(started), (outcome) => {
      if (outcome instanceof RestError) throw outcome;
      return complete(started, outcome, call);
    });
  const passed = catchMaybe(
    () => runAround(arounds, { where, call, limit, run: () => runOnTerms(started, () => through(run)) }),
    // If the permission function was never asked, its verdict is not known.
    (error) => complete(started, toFailed(started, error), call.isPermitted ? call : null),
  );
  return runtime.outer === undefined ? passed : thenMaybe(passed, (response) => toPart(started, response));
}

function runCall(started: Started, through?: Through): MaybePromise<RestResponse> {
  const running = runWhole(started, through);
  return started.matched.endpoint.descriptor.streams === undefined
    ? running
    : thenMaybe(running, (response) => endUnsent(started.call, response));
}

function runWhole(started: Started, through: Through = (run) => run()): MaybePromise<RestResponse> {
  const {
    matched: {
      endpoint: { arounds, terms },
    },
    call,
  } = started;
  if (arounds !== null || terms !== null) return runWithin(arounds ?? [], started, through);
  const fail = (error: unknown): RestResponse => toFailed(started, error);
  const answered = catchMaybe(
    () =>
      thenMaybe(runShaped(started), (outcome) => (outcome instanceof RestError ? fail(outcome) : outcome)),
    fail,
  );
  return thenMaybe(answered, (response) => complete(started, response, call));
}

function startCall(
  runtime: Runtime,
  matched: Matched,
  { resolved, shape }: { resolved: Resolved; shape: Shape },
): Started {
  const { route, endpoint } = matched;
  const scope = createCallScope(runtime);
  return {
    runtime,
    matched,
    shape,
    scope,
    call: new OpenCall(runtime, { route, endpoint, resolved }, scope),
  };
}

/** Prepares a call within another one, which is traced on its own. */
function prepareInner(runtime: Runtime, { began }: TimeLimit): PreparedCall {
  const {
    request,
    trace: outer = null,
    options: { inRequest },
  } = runtime;
  const prepared = prepareCall(runtime);
  const runTraced = (through: Through | undefined): MaybePromise<RestResponse> =>
    !isTraced()
      ? prepared.run(through)
      : traceCall({ request, outer }, (trace) => {
          noteRoute(trace, prepared.route);
          return prepared.run(through);
        });
  return {
    ...prepared,
    run: (through) => (inRequest === null ? runTraced(through) : inRequest(began, () => runTraced(through))),
  };
}

/** Matches and validates the request of the runtime, once. Nothing has an effect before `run`. */
export function prepareCall(runtime: Runtime): PreparedCall {
  let matched: Matched | null = null;
  try {
    const query = runtime.query ?? parseQuery(runtime.request.query);
    const found = matchRequest(runtime);
    if (found instanceof RestError) return refuseCall(runtime, found, null);
    matched = found;
    const resolved = resolveArgs(found, runtime.request, { query, identity: runtime.identity });
    if (resolved instanceof RestError) return refuseCall(runtime, resolved, found);
    const shape = readShape(runtime.request, query);
    return {
      refusal: null,
      route: found.route.view,
      cache: found.endpoint.descriptor.cache ?? null,
      capability: found.endpoint.capability,
      batchable: found.endpoint.descriptor.allow_batch?.v1 === true,
      isWrapped: found.endpoint.arounds !== null || found.endpoint.terms !== null,
      run: (through) => runCall(startCall(runtime, found, { resolved, shape }), through),
    };
  } catch (error) {
    return refuseCall(runtime, error, matched);
  }
}
