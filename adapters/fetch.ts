import { engineError, RestError } from '../lib/core/errors.ts';
import type { MaybePromise } from '../lib/core/maybe-promise.ts';
import { toRestError } from '../lib/dispatch/failure.ts';
import { parseBody } from '../lib/http/body.ts';
import type { Host, WireResponse, WireStream } from '../lib/http/host.ts';
import type { Body, BodySource, RestRequest } from '../lib/http/request.ts';
import { LoadShedder, OVERLOADED } from './http/admission/load-shedder.ts';
import { type Kind, patienceOf, toKind } from './http/admission/waiting.ts';
import {
  countArrived,
  createBodySource,
  limitChunks,
  NO_BODY,
  Patience,
  readWhole,
} from './http/body-source.ts';
import { checkHost, HOST_OPTIONS, type Maker } from './http/check-binding.ts';
import {
  type AddressOf,
  type ContextOption,
  readCallerAddress,
  readSiteUrl,
  serveInContext,
  SITE_URL,
} from './http/host-options.ts';
import { HTTP_LIMITS, type HttpLimits } from './http/http-limits.ts';
import { HOST_TOOLS } from './http/package-files.ts';
import { checkBodyHeaders, readHeaders, readTarget } from './http/request-head.ts';

/** How a stream is read. */
interface ReadOptions {
  /** A stream of which nothing is read for so long is ended. Milliseconds. */
  readonly stallTimeoutMs: number;
  /** Aborted when the client leaves. */
  readonly signal: AbortSignal;
  /** Called once, when the stream has ended. */
  readonly onEnd: () => void;
}

/** A stream as the body of a Response. It is pulled only as it is read, and ends when the body is cancelled. */
function toReadable(
  stream: WireStream,
  { stallTimeoutMs, signal, onEnd }: ReadOptions,
): ReadableStream<Uint8Array> {
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const end = (): void => {
    if (isOver) return;
    isOver = true;
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
    void stream.return();
    onEnd();
  };
  const watch = (controller: ReadableStreamDefaultController): void => {
    const cut = (): void => {
      controller.error(new DOMException('The stream was not read in time.', 'TimeoutError'));
      end();
    };
    timer = setTimeout(cut, stallTimeoutMs).unref();
  };
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        watch(controller);
        signal.addEventListener('abort', end, { once: true });
      },
      async pull(controller) {
        clearTimeout(timer);
        const part = await stream.next().catch((error: unknown) => {
          end();
          throw error;
        });
        if (part.done === true) {
          end();
          controller.close();
        } else {
          controller.enqueue(part.value);
          watch(controller);
        }
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  );
}

/** Options of the fetch handler alone. */
interface OwnOptions<A extends readonly unknown[]> {
  /** Absolute URL of the site, without a trailing slash. Required, because the client controls the URL of a Request. */
  readonly siteUrl: string | (() => string);
  /** Returns the caller's address, for throttles. Default: unknown. Password guesses are then counted by account only, and slowed down instead of refused. */
  readonly address?: AddressOf<Request>;
  /** Gets every request whose address does not belong to the API, with the other arguments of the handler. Default: 404. */
  readonly otherwise?: (request: Request, ...platform: A) => MaybePromise<Response>;
  /** Limits that differ from `HTTP_LIMITS`. */
  readonly limits?: Partial<HttpLimits>;
  /** Refuses requests under load. Default: one of its own. */
  readonly loadShedder?: LoadShedder;
}

/** Options of a fetch handler. `H`: type of `call.host`. `A`: further arguments of the handler, such as `env` or the context of Hono. */
export type FetchOptions<H = unknown, A extends readonly unknown[] = readonly unknown[]> = OwnOptions<A> &
  ContextOption<H, [request: Request, ...platform: A]>;

interface Binding {
  readonly host: Host;
  readonly limits: HttpLimits;
  readonly loadShedder: LoadShedder;
  readonly options: Pick<FetchOptions, 'siteUrl' | 'address'>;
}

const MAKER: Maker = {
  name: 'createFetchHandler',
  options: { ...HOST_OPTIONS, siteUrl: { ...SITE_URL, needed: true } },
};

/**
 * Makes the same engine call with the same limits as `node-http`, for runtimes that use Request and Response. The handler rejects only if `otherwise` does.
 * @throws TypeError that names a missing or invalid option
 */
export function createFetchHandler<H = unknown, A extends readonly unknown[] = readonly unknown[]>(
  host: Host<H>,
  options: FetchOptions<H, A>,
): (request: Request, ...platform: A) => Promise<Response> {
  checkHost(MAKER, host, options);
  host.attach?.(HOST_TOOLS);
  const limits = { ...HTTP_LIMITS, ...options.limits };
  const { loadShedder = new LoadShedder(limits) } = options;
  loadShedder.watch(host);
  const binding: Binding = { host, limits, loadShedder, options };
  const { context } = options;
  return async (request, ...platform) => {
    let wire: WireResponse | null;
    try {
      wire = await answer(binding, request, (asked) =>
        context === undefined
          ? binding.host.serve(asked)
          : serveInContext(binding.host, asked, () => context(request, ...platform)),
      );
      if (wire !== null) return toResponse(binding, wire, request);
    } catch (error) {
      wire = host.refuse(toRestError(error), {
        method: request.method,
        headers: Object.fromEntries(request.headers),
      });
      return toResponse(binding, wire, request);
    }
    return options.otherwise === undefined
      ? toResponse(binding, refuseRoute(host, request), request)
      : options.otherwise(request, ...platform);
  };
}

/** Returns null when the address does not belong to the API. `pass`: passes what was read to the host. */
async function answer(
  { host, limits, loadShedder, options }: Binding,
  request: Request,
  pass: (asked: RestRequest) => MaybePromise<WireResponse>,
): Promise<WireResponse | null> {
  const address = readTarget(host, limits, toTarget(request.url));
  if (address === null) return null;
  loadShedder.check();
  const kind = toKind(request.method);
  await takeTurn(kind, loadShedder, limits);
  const headers = readHeaders([...request.headers].flat(), limits);
  const siteUrl = readSiteUrl(options.siteUrl);
  host.checkHead?.({ method: request.method, headers, query: address.query, siteUrl });
  const serve = async (body: Body): Promise<WireResponse> =>
    pass({
      method: request.method,
      ...address,
      headers,
      body,
      signal: request.signal,
      draining: loadShedder.draining,
      siteUrl,
      address: readCallerAddress(options.address?.(request), ''),
    });
  const arriving = request.body;
  const isUnread =
    arriving !== null &&
    host.takesUnread?.({ method: request.method, headers, ...address, siteUrl }) === true;
  if (arriving !== null) checkBodyHeaders(headers, isUnread ? null : limits.bodyBytes);
  if (isUnread)
    return countArrived(loadShedder, kind, (onEnd) =>
      serve({ kind: 'unread', source: toSource(arriving, headers, { limits, loadShedder, onEnd }) }),
    );
  const body =
    arriving === null
      ? NO_BODY
      : parseBody(await readBody(arriving, limits, loadShedder), headers['content-type']);
  loadShedder.enter(kind);
  try {
    return await serve(body);
  } finally {
    loadShedder.leave(kind);
  }
}

/** Waits for its turn. @throws RestError `rest_overloaded` */
function takeTurn(kind: Kind, { waiting }: LoadShedder, limits: HttpLimits): Promise<void> {
  return new Promise((resolve, reject) => {
    waiting.add({ kind, patience: patienceOf(limits), run: resolve, refuse: () => reject(OVERLOADED) });
  });
}

function refuseRoute(host: Host, request: Request): WireResponse {
  return host.refuse(engineError('rest_no_route'), {
    method: request.method,
    headers: Object.fromEntries(request.headers),
  });
}

/** Path and query of an absolute URL, unchanged. */
function toTarget(url: string): string {
  const start = url.indexOf('/', url.indexOf('://') + 3);
  const hash = url.indexOf('#');
  return url.slice(start, hash === -1 ? url.length : hash);
}

/** The bytes of a body as they arrive. @throws RestError `rest_body_timeout`, `rest_client_gone` */
async function* readChunks(
  body: NonNullable<Request['body']>,
  patience: Patience,
): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  try {
    for (let part = await patience.wait(reader.read()); !part.done; part = await patience.wait(reader.read()))
      yield part.value;
  } catch (error) {
    throw error instanceof RestError ? error : engineError('rest_client_gone', { cause: error });
  } finally {
    // An error from cancelling the source changes nothing: the request is answered already, or the body was read.
    reader.cancel().catch(() => undefined);
  }
}

/** @throws RestError `rest_body_too_large`, `rest_body_timeout`, `rest_overloaded`, `rest_client_gone` */
function readBody(
  body: NonNullable<Request['body']>,
  { bodyBytes, requestTimeoutMs }: HttpLimits,
  loadShedder: LoadShedder,
): Promise<Uint8Array> {
  return readWhole(
    limitChunks(readChunks(body, new Patience(requestTimeoutMs, requestTimeoutMs)), bodyBytes),
    loadShedder,
  );
}

function toSource(
  body: NonNullable<Request['body']>,
  headers: RestRequest['headers'],
  { limits, loadShedder, onEnd }: { limits: HttpLimits; loadShedder: LoadShedder; onEnd: () => void },
): BodySource {
  return createBodySource(
    { contentType: headers['content-type'] ?? '', chunks: (patience) => readChunks(body, patience), onEnd },
    limits,
    loadShedder,
  );
}

/** @throws RestError `rest_overloaded` for one stream too many, TypeError for headers that cannot be sent */
function toResponse(
  { loadShedder, limits: { stallTimeoutMs } }: Binding,
  { status, headers, cookies = [], body, stream }: WireResponse,
  { method, signal }: Request,
): Response {
  const lines = [
    ...Object.entries(headers),
    ...cookies.map((cookie): [string, string] => ['Set-Cookie', cookie]),
  ];
  if (stream === undefined) return new Response(method === 'HEAD' ? null : body, { status, headers: lines });
  try {
    if (stream.length !== null) lines.push(['Content-Length', String(stream.length)]);
    const checked = new Headers(lines);
    loadShedder.openStream();
    const onEnd = (): void => loadShedder.closeStream();
    return new Response(toReadable(stream, { stallTimeoutMs, signal, onEnd }), { status, headers: checked });
  } catch (error) {
    void stream.return();
    throw error;
  }
}
