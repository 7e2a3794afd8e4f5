import type { CompiledEndpoint } from '../compile/table.ts';
import { engineError, RestError } from '../core/errors.ts';
import { catchMaybe, type MaybePromise, toMaybePromise, thenMaybe } from '../core/maybe-promise.ts';
import { kindOf } from '../core/objects.ts';
import { RawBody, RestResponse } from '../http/response.ts';
import { isStream, StreamBody, type StreamFormat } from '../http/stream-body.ts';
import { type Call, type Permission, Subject } from '../route/call.ts';
import type { EndpointDescriptor } from '../route/descriptor.ts';
import { runWithSource } from '../store/change-source.ts';
import { nameFailure } from './failure.ts';
import type { OpenCall } from './open-call.ts';
import { toSendable } from './response/sendable.ts';
import { blameFor } from './response/too-large.ts';
import { TimeLimit } from './time-limit.ts';

/** Headers of message framing, which only the adapter may set. */
const FRAMING: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Limits for reading a body. `signal`: aborted when the time has passed or the client disconnects. */
interface ReadBounds {
  /** Largest response body, in bytes. */
  readonly answerLimit: number;
  readonly signal: AbortSignal;
  /** What to throw for a larger one, of which so many bytes were read. */
  readonly refuse: (size: number) => Error;
}

/** Whether this is a Response of the Fetch standard. It is not tested by class, because a server may have replaced the global one. */
export function isWebResponse(value: unknown): value is Response {
  return (
    typeof value === 'object' &&
    value !== null &&
    (value as Partial<Record<symbol, unknown>>)[Symbol.toStringTag] === 'Response' &&
    (value as Partial<Response>).headers !== undefined &&
    'body' in value
  );
}

/** Reads the whole body. @throws the error for a body that is too large, RestError `rest_client_gone`, TypeError for chunks that are not bytes */
async function readBytes(
  body: NonNullable<Response['body']>,
  { answerLimit, signal, refuse }: ReadBounds,
): Promise<Uint8Array> {
  const reader = body.getReader();
  // An error of the cancellation does not matter, because the response is already refused.
  const cancel = (): void => {
    reader.cancel().catch(() => undefined);
  };
  const parts: Uint8Array[] = [];
  let size = 0;
  signal.addEventListener('abort', cancel, { once: true });
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const bytes: unknown = part.value;
      if (!(bytes instanceof Uint8Array))
        throw new TypeError('the body of a Response must be a stream of bytes');
      size += bytes.length;
      parts.push(bytes);
      if (size > answerLimit) throw refuse(size);
    }
    if (signal.aborted) throw engineError('rest_client_gone');
    return parts.length === 1 ? (parts[0] as Uint8Array) : Buffer.concat(parts, size);
  } catch (error) {
    cancel();
    throw error;
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

/** The headers of a Response, except its type, its cookies and hop-by-hop headers. */
function toHeaders({ headers, url }: Response): Record<string, string> {
  // The body of a fetched Response is already decoded. A Response that was constructed has no URL, and its body is unchanged.
  const isDecoded = url !== '';
  const own = [...headers].filter(
    ([name]) =>
      name !== 'content-type' &&
      name !== 'set-cookie' &&
      !FRAMING.has(name) &&
      !(isDecoded && name === 'content-encoding'),
  );
  return Object.fromEntries(own);
}

/** Converts a Response to a RestResponse with the same status, headers and bytes. @throws TypeError if the body was already read, or as `readBytes` */
export async function readWebResponse(response: Response, bounds: ReadBounds): Promise<RestResponse> {
  if (response.bodyUsed) throw new TypeError('the body of the Response was already read');
  const bytes = response.body === null ? new Uint8Array() : await readBytes(response.body, bounds);
  return new RestResponse(new RawBody(response.headers.get('content-type'), bytes), {
    status: response.status,
    headers: toHeaders(response),
    cookies: response.headers.getSetCookie(),
  });
}

/** A permission function and the endpoint that names it. `where`: namespace, pattern and methods. */
interface Guard {
  readonly where: string;
  readonly permission: Permission;
}

/** The meaning of a verdict: the subject of the admitted call (null: none), or the refusal. */
type Judgement = Subject | RestError | null;

/** Only `true` and `subject(record)` admit, so that a mistake cannot open a route. @throws TypeError for any other value that does not refuse */
function judge(verdict: unknown, { where }: Guard, { endpoint }: Call): Judgement {
  if (verdict === true) return null;
  if (verdict === false || verdict === null || verdict === undefined) return engineError('rest_forbidden');
  if (verdict instanceof RestError || verdict instanceof Subject) return verdict;
  throw new TypeError(
    `${where}: the permission "${endpoint.permission}" returned ${kindOf(verdict)}; it must return true or subject(record) to admit, and false, null, undefined or a RestError to refuse`,
    verdict instanceof Error ? { cause: verdict } : undefined,
  );
}

/** Checks a permission. Calls and `Allow` both use this function. @throws RestError `rest_handler_timeout`, TypeError for a value that is not a verdict, or what the function throws */
export function askPermission(guard: Guard, call: Call, limit: TimeLimit): MaybePromise<Judgement> {
  return thenMaybe<unknown, Judgement>(
    limit.hold<unknown>(() => guard.permission(call.args, call)),
    (verdict) => judge(verdict, guard, call),
  );
}

/** The limits of a call. */
interface Bounds {
  readonly limit: TimeLimit;
  /** Largest response body, in bytes. */
  readonly answerLimit: number;
}

/** Converts the result of a handler to a response. @throws the RestError that it returned, TypeError for what cannot be sent, or as `readWebResponse` */
function toResponse(
  value: unknown,
  { where, descriptor, plain, selectDeclared, checkAnswer }: CompiledEndpoint,
  { limit, answerLimit }: Bounds,
): MaybePromise<RestResponse> {
  // A permission function refuses by returning a RestError. If a handler returns one, it means the same.
  if (value instanceof RestError) throw value;
  const what = `${where}: the handler "${descriptor.handler}" returned`;
  if (isWebResponse(value))
    return thenMaybe(
      limit.hold(() =>
        readWebResponse(value, {
          answerLimit,
          signal: limit.signal,
          refuse: (size) => blameFor(size, { endpoint: descriptor, query: null, limit: answerLimit }),
        }),
      ),
      (response) => toSendable(what, response),
    );
  const given = toSendable(
    what,
    nameStream(what, descriptor, value instanceof RestResponse ? value : new RestResponse(value, plain)),
  );
  const response = selectDeclared === null ? given : selectDeclared(what, given);
  return checkAnswer === null ? response : checkAnswer(what, response);
}

/** The formats in which an endpoint may stream. */
const formatsOf = ({ streams = [] }: EndpointDescriptor): readonly StreamFormat[] =>
  typeof streams === 'string' ? [streams] : streams;

/** A stream says in which format it is sent. @throws TypeError for a stream that its endpoint does not announce, or without a format where there are several */
function nameStream(what: string, endpoint: EndpointDescriptor, response: RestResponse): RestResponse {
  const { content } = response;
  const formats = formatsOf(endpoint);
  if (content instanceof StreamBody) {
    if (formats.includes(content.format)) return response;
    throw new TypeError(
      `${what} a stream of ${content.format}; its endpoint must have streams: '${content.format}'`,
    );
  }
  const [format, ...others] = formats;
  if (format === undefined || !isStream(content)) return response;
  if (others.length > 0)
    throw new TypeError(
      `${what} a stream without a format; write new StreamBody(format, items) with one of ${formats.join(', ')}`,
    );
  const type = format === 'bytes' ? endpoint.produces?.[0] : undefined;
  return response.withContent(new StreamBody(format, content, type === undefined ? {} : { type }));
}

/** A response, or the error that replaces it. */
type Outcome = RestResponse | RestError;

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** What a request writes has its caller as source. Most reads write nothing, so they save the cost. */
function runHandler({ handler }: CompiledEndpoint, call: OpenCall): unknown {
  const run = (): unknown => handler(call.args as never, call);
  return READS.has(call.request.method)
    ? run()
    : runWithSource({ by: call.identity.id, from: 'request' }, run);
}

/** Runs the permission function and then the handler, within the time limit. Only these two have effects. @throws RestError, or whatever they throw. */
export function executeCall(
  endpoint: CompiledEndpoint,
  call: OpenCall,
  bounds: Bounds,
): MaybePromise<Outcome> {
  const { permission, where } = endpoint;
  const { limit } = bounds;
  const run = (judged: Subject | RestError | null): MaybePromise<Outcome> => {
    if (judged instanceof RestError) return judged;
    call.subject = judged === null ? null : judged.record;
    call.isPermitted = true;
    return thenMaybe(
      limit.hold(() => runHandler(endpoint, call)),
      (value) => toResponse(value, endpoint, bounds),
    );
  };
  return permission === null ? run(null) : thenMaybe(askPermission({ where, permission }, call, limit), run);
}

/** A function that the host app gave as an option, and how long its promise may take. `signal`: of the request. */
interface OptionCall {
  readonly option: string;
  readonly ms: number;
  readonly signal: AbortSignal | undefined;
}

/** @throws RestError `rest_handler_timeout`, `rest_client_gone`; whatever `work` rejects with */
function waitFor<T>(work: Promise<T>, { ms, signal }: OptionCall): Promise<T> {
  const limit = new TimeLimit(ms, {});
  if (signal === undefined) return Promise.resolve(limit.hold(() => work));
  let leave = (): void => undefined;
  const left = new Promise<never>((_resolve, reject) => {
    leave = () => reject(engineError('rest_client_gone'));
  });
  if (signal.aborted) leave();
  signal.addEventListener('abort', leave);
  // The signal may live as long as the connection.
  return Promise.resolve(limit.hold(() => Promise.race([work, left]))).finally(() =>
    signal.removeEventListener('abort', leave),
  );
}

/**
 * Runs a function of the host app that is called before the handler. A promise is waited for until the time has passed or the client has left.
 * @throws RestError `rest_handler_timeout`, `rest_client_gone`; whatever `run` throws, with the name of the option for the log
 */
export function callOption<T>(call: OptionCall, run: () => T | PromiseLike<T>): MaybePromise<T> {
  return catchMaybe<T>(
    () => {
      const value = toMaybePromise(run());
      return value instanceof Promise ? waitFor(value, call) : value;
    },
    (error) => {
      throw nameFailure(call.option, error);
    },
  );
}
