import cluster from 'node:cluster';
import { once } from 'node:events';
import { createServer as createNodeServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { engineError } from '../lib/core/errors.ts';
import type { Host } from '../lib/http/host.ts';
import { handleClientError } from './http/client-error.ts';
import type { LastOptions } from './http/host-options.ts';
import type { HttpLimits } from './http/http-limits.ts';
import { answerSocket } from './http/node-answer.ts';
import { type Binding, type Listener, type ListenerOptions, toBinding } from './http/node-binding.ts';
import { refuse, takeRequest } from './http/node-listener.ts';
import { openExchange } from './http/node-request.ts';
import { OpenSockets } from './http/open-sockets.ts';

export type { Listener, ListenerOptions } from './http/node-binding.ts';
export { HTTP_LIMITS } from './http/http-limits.ts';
export type { HttpLimits } from './http/http-limits.ts';
export { LoadShedder } from './http/admission/load-shedder.ts';

/** A primary process passes connections on one by one, after the previous one was taken. Milliseconds. */
const HANDOVER_MS = 100;
/** Turns of the loop without a new connection that show that none is waiting. A turn accepts at least one. */
const QUIET_TURNS = 3;

async function passTurns(): Promise<void> {
  for (let turn = 0; turn < QUIET_TURNS; turn += 1) await nextTurn();
  if (cluster.isWorker) await pause(HANDOVER_MS);
}

/**
 * Resolves when the server has accepted the connections that wait in the queue of the system, and has read what they sent.
 * The system resets those that are in the queue when the server closes. `mostMs`: under load new ones may come without end.
 */
async function acceptQueue(server: Server, mostMs: number): Promise<void> {
  let accepted = 0;
  const note = (): void => {
    accepted += 1;
  };
  server.on('connection', note);
  const end = performance.now() + mostMs;
  for (let before = -1; before !== accepted && performance.now() < end;) {
    before = accepted;
    await passTurns();
  }
  server.off('connection', note);
}

/** How often idle connections are closed while the server shuts down. An open connection has at least this long to get its 503. */
const SWEEP_MS = 100;
/** The part of the time to stop in which waiting connections are accepted. */
const ACCEPT_SHARE = 0.25;

interface Running {
  readonly binding: Binding;
  readonly sockets: OpenSockets;
  closed?: Promise<unknown>;
}

const servers = new WeakMap<Server, Running>();

/**
 * Creates a listener for a server of the host app. The host app must set the times and sizes that only a server can enforce; `createServer` sets them.
 * Headers that the host app sets before its call, or right after it, are sent too; see docs/hosting.md.
 * @throws TypeError that names an invalid option
 */
export function createListener<H = unknown>(
  host: Host<H>,
  ...options: LastOptions<H, ListenerOptions<H>>
): Listener;
export function createListener(host: Host, options: ListenerOptions = {}): Listener {
  const binding = toBinding('createListener', host, options);
  // Runs after the host app's own turn, so that the app can set headers whether or not the response is cached.
  return (request, response) => {
    process.nextTick(takeRequest, binding, openExchange(binding.connections, { request, response }));
  };
}

/** Creates a server with every limit set. It does not listen yet. Close it with `closeServer`. @throws TypeError that names an invalid option */
export function createServer<H = unknown>(
  host: Host<H>,
  ...options: LastOptions<H, ListenerOptions<H>>
): Server;
export function createServer(host: Host, options: ListenerOptions = {}): Server {
  const binding = toBinding('createServer', host, options);
  const { limits, connections } = binding;
  const server = createNodeServer(toNodeOptions(limits), (request, response) =>
    takeRequest(binding, openExchange(connections, { request, response })),
  );
  // Time for the handler, then time for the client to take the response.
  const sockets = new OpenSockets(2 * limits.stallTimeoutMs);
  server.maxConnections = limits.connections;
  // One more than allowed: Node drops the rest silently, and the listener must see that there were too many.
  server.maxHeadersCount = limits.headerCount + 1;
  server.on('checkContinue', (request, response) =>
    takeRequest(binding, openExchange(connections, { request, response, awaitsContinue: true })),
  );
  server.on('checkExpectation', (request, response) => {
    refuse(
      binding,
      openExchange(connections, { request, response, awaitsContinue: true }),
      engineError('rest_expectation_failed'),
    );
  });
  server.on('connect', (_request, socket) =>
    answerSocket(socket, host.refuse(engineError('rest_bad_request'), { method: 'CONNECT', headers: {} })),
  );
  server.on('clientError', (error, socket) => handleClientError(binding, error, socket));
  server.on('connection', (socket) => sockets.add(socket));
  servers.set(server, { binding, sockets });
  return server;
}

function toNodeOptions(limits: HttpLimits) {
  return {
    // Node counts the request line as part of the headers; the listener tells the two apart.
    maxHeaderSize: limits.headerBytes + limits.urlBytes,
    headersTimeout: limits.headersTimeoutMs,
    // Node knows one time for all requests. The listener limits those without an upload to `requestTimeoutMs`.
    requestTimeout: Math.max(limits.requestTimeoutMs, limits.uploadTimeoutMs),
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    connectionsCheckingInterval: limits.checkIntervalMs,
    insecureHTTPParser: false,
    // The listener checks the Host header, so that the refusal has the same shape as every error.
    requireHostHeader: false,
  };
}

/**
 * Accepts and answers what has reached the server, stops accepting connections, refuses new requests on open connections
 * with 503, finishes the requests in flight, then resolves.
 * `timeoutMs`: remaining connections are cut after this time. Default 10 s.
 */
export async function closeServer(
  server: Server,
  { timeoutMs = 10_000 }: { timeoutMs?: number } = {},
): Promise<void> {
  const running = servers.get(server);
  if (running === undefined) throw new TypeError('closeServer: the server was not made by createServer');
  if (running.closed === undefined && !server.listening) return;
  running.closed ??= drain(server, running, timeoutMs);
  await running.closed;
}

async function drain(server: Server, { binding, sockets }: Running, timeoutMs: number): Promise<void> {
  binding.loadShedder.end();
  const closed = once(server, 'close');
  const force = setTimeout(() => {
    for (const socket of sockets) socket.destroy();
  }, timeoutMs);
  await acceptQueue(server, timeoutMs * ACCEPT_SHARE);
  binding.loadShedder.closing = true;
  // Node would cut connections whose response is still being sent.
  server.closeIdleConnections = () => {};
  server.close();
  let idle: ReadonlySet<Socket> = new Set();
  const sweep = setInterval(() => {
    // Between two sweeps the loop has read what had arrived before the first one.
    const still = [...sockets].filter((socket) => isIdle(binding, socket));
    for (const socket of still) if (idle.has(socket)) socket.destroy();
    idle = new Set(still);
  }, SWEEP_MS);
  await closed;
  clearInterval(sweep);
  clearTimeout(force);
}

function isIdle({ connections }: Binding, socket: Socket): boolean {
  const last = connections.get(socket)?.last;
  return last === undefined || last === null || last.response.writableFinished;
}
