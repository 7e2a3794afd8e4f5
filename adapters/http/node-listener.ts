import type { ServerResponse } from 'node:http';
import { engineError, type RestError } from '../../lib/core/errors.ts';
import { catchMaybe, finallyMaybe, type MaybePromise, thenMaybe } from '../../lib/core/maybe-promise.ts';
import { toRestError } from '../../lib/dispatch/failure.ts';
import type { Address } from '../../lib/http/address.ts';
import type { WireResponse, WireStream } from '../../lib/http/host.ts';
import type { Body, RestRequest } from '../../lib/http/request.ts';
import { OVERLOADED } from './admission/load-shedder.ts';
import { patienceOf, toKind } from './admission/waiting.ts';
import { countArrived, NO_BODY } from './body-source.ts';
import { readCallerAddress, serveInContext } from './host-options.ts';
import { answerSocket, findReady, sendAnswer, type SendOptions, writeHead } from './node-answer.ts';
import type { Binding, Listener } from './node-binding.ts';
import { takeBody, toUnread } from './node-body.ts';
import {
  checkVersion,
  type Exchange,
  hasUnreadBody,
  isOver,
  isSoonRead,
  openExchange,
  toClientAddress,
  toHeaderMap,
  toSiteUrl,
} from './node-request.ts';
import { announcesBody, checkBodyHeaders, type HeaderMap, readHeaders, readTarget } from './request-head.ts';

/** How a stream is sent. `signal`: aborted when the connection closes. */
interface StreamSendOptions extends SendOptions {
  readonly signal: AbortSignal;
}

/**
 * Sends a stream, as fast as the client reads it, and ends it when the client leaves. A client that takes no byte for the
 * stall time, and one whose stream fails, sees the connection break.
 * @throws Node's error for a header that cannot be sent; nothing has been sent then
 */
export async function sendStream(
  response: ServerResponse,
  wire: WireResponse & { readonly stream: WireStream },
  { close, drain, stallTimeoutMs, signal }: StreamSendOptions,
): Promise<void> {
  const { stream } = wire;
  const leave = (): void => void stream.return();
  try {
    if (response.headersSent || response.destroyed || signal.aborted) return;
    writeHead(response, wire, { close });
    response.flushHeaders();
    // Nobody reads the rest of a request's body, but its client may wait until it is sent.
    if (drain === true) response.req.resume();
    signal.addEventListener('abort', leave, { once: true });
    await pump(response, stream, stallTimeoutMs);
  } catch (error) {
    if (!response.headersSent) throw error;
    // The engine has logged the failure. The client must not take what it has for all.
    response.destroy();
  } finally {
    signal.removeEventListener('abort', leave);
    leave();
  }
}

async function pump(response: ServerResponse, stream: WireStream, stallTimeoutMs: number): Promise<void> {
  for (let part = await stream.next(); part.done !== true; part = await stream.next()) {
    if (response.destroyed) return;
    if (response.write(part.value)) continue;
    // Node cuts the connection if the client takes no byte in this time. A stream that only waits is not cut by it.
    response.setTimeout(stallTimeoutMs);
    await untilDrained(response);
    response.setTimeout(0);
  }
  response.end();
}

function untilDrained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      response.off('drain', end).off('close', end);
      resolve();
    };
    response.once('drain', end).once('close', end);
  });
}

/** The parts of a request that are read before the engine gets it. */
interface Opened {
  readonly address: Address;
  readonly headers: HeaderMap;
  readonly body: Body;
}

/** The listener of a server. */
export const toListener =
  (binding: Binding): Listener =>
  (request, response) =>
    takeRequest(binding, openExchange(binding.connections, { request, response }));

/** Passes one request to a cached response, to the engine or to the rest of the host app, or refuses it. */
export function takeRequest(binding: Binding, exchange: Exchange): void {
  if (exchange.connection.ended || exchange.number > binding.limits.requestsPerSocket) return;
  if (exchange.number === 1) binding.loadShedder.waiting.noteConnection();
  let ready: ReturnType<typeof findReady>;
  try {
    ready = findReady(binding.host, exchange.request, toSiteUrl(binding.siteUrl, exchange));
  } catch (error) {
    refuse(binding, exchange, toRestError(error));
    return;
  }
  if (ready === null) readRequest(binding, exchange);
  else if (!(ready instanceof Promise)) sendReady(binding, exchange, ready);
  else if (binding.loadShedder.mayAsk) void awaitReady(binding, exchange, ready);
  else refuse(binding, exchange, OVERLOADED);
}

/** Never rejects. */
async function awaitReady(
  binding: Binding,
  exchange: Exchange,
  asked: Promise<WireResponse | null>,
): Promise<void> {
  const { loadShedder } = binding;
  loadShedder.asking++;
  const wire = await asked.finally(() => {
    loadShedder.asking--;
  });
  if (isOver(exchange)) return;
  if (wire === null) readRequest(binding, exchange);
  else sendReady(binding, exchange, wire);
}

/** Whether the response is the last one of its connection: while the server stops, and after as many requests as a connection may send. */
function isLast({ limits, loadShedder }: Binding, { number }: Exchange): boolean {
  return loadShedder.ending || number >= limits.requestsPerSocket;
}

/** Sends a response that is ready. Refusing it would cost as much, so the load shedder is not asked. Never throws. */
function sendReady(binding: Binding, exchange: Exchange, wire: WireResponse): void {
  const close = isLast(binding, exchange);
  try {
    sendAnswer(exchange.response, wire, { close, stallTimeoutMs: binding.limits.stallTimeoutMs });
    exchange.connection.ended ||= close;
  } catch (error) {
    refuse(binding, exchange, toRestError(error));
  }
}

function readRequest(binding: Binding, exchange: Exchange): void {
  const { host, limits, loadShedder, otherwise } = binding;
  let address: Address | null;
  try {
    address = readTarget(host, limits, exchange.request.url ?? '');
    if (address !== null) loadShedder.check();
  } catch (error) {
    refuse(binding, exchange, toRestError(error));
    return;
  }
  if (address !== null) queue(binding, exchange, address);
  else if (otherwise === undefined) refuse(binding, exchange, engineError('rest_no_route'));
  else passOn(binding, otherwise, exchange);
}

/** Serves the request at once if the event loop has time for it, and otherwise queues it. */
function queue(binding: Binding, exchange: Exchange, address: Address): void {
  const { connection, request } = exchange;
  const { waiting } = binding.loadShedder;
  if (connection.waiting === 0) connection.kind = toKind(request.method);
  if (waiting.hasTime(connection.kind)) {
    void serve(binding, exchange, address);
    return;
  }
  const take = (go: () => void): void => {
    exchange.isWaiting = false;
    connection.waiting -= 1;
    if (isOver(exchange)) return;
    if (exchange.fault === null) go();
    else refuse(binding, exchange, exchange.fault);
  };
  connection.waiting += 1;
  exchange.isWaiting = true;
  waiting.push({
    kind: connection.kind,
    patience: patienceOf(binding.limits),
    run: () =>
      take(() => {
        void serve(binding, exchange, address);
      }),
    refuse: () => take(() => refuse(binding, exchange, OVERLOADED)),
  });
}

function passOn(binding: Binding, otherwise: Listener, exchange: Exchange): void {
  const { request, response } = exchange;
  if (isLast(binding, exchange)) response.setHeader('Connection', 'close');
  // A listener may be asynchronous. Its rejection would also end the program.
  void catchMaybe(
    (): unknown => otherwise(request, response),
    (error) => breakOff(binding, exchange, error),
  );
}

/** Handles a failure in the host app's own listener: sends a 500, or cuts the connection if the response had begun. */
function breakOff(binding: Binding, exchange: Exchange, failure: unknown): void {
  const { request, response } = exchange;
  const error = toRestError(failure);
  if (!response.headersSent) {
    refuse(binding, exchange, error);
    return;
  }
  // Only for the log of the engine: the client gets nothing more.
  binding.host.refuse(error, { method: request.method ?? 'GET', headers: toHeaderMap(request) });
  response.destroy();
}

/** Reads the headers and makes every check that needs only them. @throws RestError */
function openHeaders({ host, siteUrl, limits }: Binding, exchange: Exchange, { query }: Address): HeaderMap {
  const { rawHeaders, httpVersion, method = 'GET' } = exchange.request;
  const headers = (exchange.headers = readHeaders(rawHeaders, limits));
  checkVersion(httpVersion, headers, exchange.connection);
  host.checkHead?.({ method, headers, query, siteUrl: toSiteUrl(siteUrl, exchange) });
  return headers;
}

/** Never throws or rejects. A promise only if the body has to arrive, or the host app or the engine waits for something. */
function serve(binding: Binding, exchange: Exchange, address: Address): MaybePromise<void> {
  return catchMaybe(
    () => {
      const headers = openHeaders(binding, exchange, address);
      return announcesBody(headers)
        ? serveWithBody(binding, exchange, { address, headers })
        : serveOpened(binding, exchange, { address, headers, body: NO_BODY });
    },
    (error) => refuse(binding, exchange, toRestError(error)),
  );
}

/** Reads the body, unless its endpoint reads it itself. */
function serveWithBody(
  binding: Binding,
  exchange: Exchange,
  { address, headers }: Omit<Opened, 'body'>,
): MaybePromise<void> {
  const { host, limits, loadShedder } = binding;
  const { method = 'GET' } = exchange.request;
  const isUnread =
    host.takesUnread?.({
      method,
      headers,
      path: address.path,
      query: address.query,
      siteUrl: toSiteUrl(binding.siteUrl, exchange),
    }) === true;
  checkBodyHeaders(headers, isUnread ? null : limits.bodyBytes);
  if (isUnread)
    return countArrived(loadShedder, toKind(method), async (onEnd) =>
      passToHost(binding, exchange, { address, headers, body: toUnread(exchange, binding, onEnd) }),
    );
  return thenMaybe(takeBody(binding, exchange, headers), (body) =>
    serveOpened(binding, exchange, { address, headers, body }),
  );
}

function serveOpened(binding: Binding, exchange: Exchange, opened: Opened): MaybePromise<void> {
  const { loadShedder } = binding;
  const kind = toKind(exchange.request.method);
  loadShedder.enter(kind);
  return finallyMaybe(
    () => passToHost(binding, exchange, opened),
    () => loadShedder.leave(kind),
  );
}

function passToHost(binding: Binding, exchange: Exchange, opened: Opened): MaybePromise<void> {
  const { host, context } = binding;
  const asked = toRequest(binding, exchange, opened);
  const wire =
    context === undefined ? host.serve(asked) : serveInContext(host, asked, () => context(exchange.request));
  return thenMaybe(wire, (made) => send(binding, exchange, made));
}

function toRequest(binding: Binding, exchange: Exchange, { address, headers, body }: Opened): RestRequest {
  const { request, connection } = exchange;
  const own = toClientAddress(exchange);
  return {
    method: request.method ?? 'GET',
    path: address.path,
    query: address.query,
    language: address.language,
    siteUrl: toSiteUrl(binding.siteUrl, exchange),
    target: request.url ?? '',
    headers,
    body,
    signal: connection.signal,
    draining: binding.loadShedder.draining,
    address: binding.address === undefined ? own : readCallerAddress(binding.address(request), own),
  };
}

/** Sends an error response. Gives up if even that cannot be sent. */
export function refuse(binding: Binding, exchange: Exchange, error: RestError): void {
  const { request, response } = exchange;
  if (request.socket.destroyed || response.headersSent) return;
  try {
    send(
      binding,
      exchange,
      binding.host.refuse(error, { method: request.method ?? 'GET', headers: toHeaderMap(request) }),
    );
  } catch {
    // The headers of the host's refusal could not be sent, so a bare 500 is sent.
    answerSocket(request.socket, { status: 500, headers: {}, body: null });
  }
}

/** Admits a stream and sends it. Its request is then no longer in flight. @throws RestError `rest_overloaded` */
function startStream(
  binding: Binding,
  exchange: Exchange,
  { wire, stream, options }: { wire: WireResponse; stream: WireStream; options: SendOptions },
): void {
  const { loadShedder } = binding;
  const { response, connection } = exchange;
  try {
    loadShedder.openStream();
  } catch (error) {
    void stream.return();
    throw error;
  }
  sendStream(response, { ...wire, stream }, { ...options, signal: connection.signal })
    .catch((error: unknown) => refuse(binding, exchange, toRestError(error)))
    .finally(() => loadShedder.closeStream());
}

function send(binding: Binding, exchange: Exchange, wire: WireResponse): void {
  const { request, response, connection, broken, awaitsContinue } = exchange;
  // If a part of the body is unread, it is not known where the next request begins.
  const unread = hasUnreadBody(exchange) && !(wire.status === 503 && isSoonRead(exchange));
  // Node drops the bytes that follow an upgrade offer. On an open connection the client would wait for a response to them.
  const close =
    unread || isLast(binding, exchange) || (exchange.headers ?? request.headers)['upgrade'] !== undefined;
  const options = {
    close,
    drain: unread && !broken && !awaitsContinue,
    stallTimeoutMs: binding.limits.stallTimeoutMs,
  };
  if (wire.stream === undefined) sendAnswer(response, wire, options);
  else startStream(binding, exchange, { wire, stream: wire.stream, options });
  connection.ended ||= close;
}
