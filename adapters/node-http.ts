import { once } from 'node:events';
import { createServer as createNodeServer } from 'node:http';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { engineError } from '../lib/core/errors.ts';
import type { Host } from '../lib/http/host.ts';
import { handleClientError } from './http/client-error.ts';
import type { HttpLimits } from './http/http-limits.ts';
import { answerSocket } from './http/node-answer.ts';
import { toBinding } from './http/node-binding.ts';
import type { Binding, Listener, ListenerOptions } from './http/node-binding.ts';
import { refuse, takeRequest } from './http/node-listener.ts';
import { openExchange } from './http/node-request.ts';

export type { Listener, ListenerOptions } from './http/node-binding.ts';
export { HTTP_LIMITS } from './http/http-limits.ts';
export type { HttpLimits } from './http/http-limits.ts';
export { LoadShedder } from './http/load-shedder.ts';

/** How often idle connections are looked for while the server closes; also the time in which a kept one may still get its 503. */
const SWEEP_MS = 100;

interface Running {
  readonly binding: Binding;
  readonly sockets: Set<Socket>;
  closed?: Promise<unknown>;
}

const servers = new WeakMap<Server, Running>();

/**
 * A listener for a server of the host app. Times and sizes that only a server can keep are the host app's; `createServer` sets them.
 * Headers that the host app sets before or right after its call are sent, too; see docs/extending.md.
 * @throws TypeError naming an option that does not fit
 */
export function createListener(host: Host, options: ListenerOptions = {}): Listener {
  const binding = toBinding('createListener', host, options);
  // Never before the host app's own turn is over: it must not depend on what is kept whether it may still set a header.
  return (request, response) => { process.nextTick(takeRequest, binding, openExchange(binding.connections, { request, response })); };
}

/** A server with every limit set. It does not listen yet. Closed by `closeServer`. @throws TypeError naming an option that does not fit */
export function createServer(host: Host, options: ListenerOptions = {}): Server {
  const binding = toBinding('createServer', host, options);
  const { limits, connections } = binding;
  const server = createNodeServer(toNodeOptions(limits), (request, response) => takeRequest(binding, openExchange(connections, { request, response })));
  const sockets = new Set<Socket>();
  server.maxConnections = limits.connections;
  // One more than allowed: node leaves out the rest without a word, and the listener must see that there were too many.
  server.maxHeadersCount = limits.headerCount + 1;
  // Where no byte moves either way: time for a handler, then time for the client to take its answer.
  server.timeout = 2 * limits.stallTimeoutMs;
  server.on('checkContinue', (request, response) => takeRequest(binding, openExchange(connections, { request, response, awaitsContinue: true })));
  server.on('checkExpectation', (request, response) => {
    refuse(binding, openExchange(connections, { request, response, awaitsContinue: true }), engineError('rest_expectation_failed'));
  });
  server.on('connect', (_request, socket) => answerSocket(socket, host.refuse(engineError('rest_bad_request'), { method: 'CONNECT', headers: {} })));
  server.on('clientError', (error, socket) => handleClientError(binding, error, socket));
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  servers.set(server, { binding, sockets });
  return server;
}

function toNodeOptions(limits: HttpLimits) {
  return {
    // Node counts the request line in; the listener tells the two apart.
    maxHeaderSize: limits.headerBytes + limits.urlBytes,
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    connectionsCheckingInterval: limits.checkIntervalMs,
    insecureHTTPParser: false,
    // Checked by the listener, whose refusal has the shape of every error.
    requireHostHeader: false,
  };
}

/**
 * Stops accepting, refuses what still comes on kept connections with 503, finishes what is in flight, then resolves.
 * `timeoutMs`: after so long whatever is left is cut; default 10 s.
 */
export async function closeServer(server: Server, { timeoutMs = 10_000 }: { timeoutMs?: number } = {}): Promise<void> {
  const running = servers.get(server);
  if (running === undefined) throw new TypeError('closeServer: the server was not made by createServer');
  if (running.closed === undefined && !server.listening) return;
  running.closed ??= drain(server, running, timeoutMs);
  await running.closed;
}

async function drain(server: Server, { binding, sockets }: Running, timeoutMs: number): Promise<void> {
  binding.loadShedder.closing = true;
  const closed = once(server, 'close');
  // Node would cut connections whose answer is still on its way to the client.
  server.closeIdleConnections = () => {};
  server.close();
  const sweep = setInterval(() => { for (const socket of sockets) if (isIdle(binding, socket)) socket.destroy(); }, SWEEP_MS);
  const force = setTimeout(() => { for (const socket of sockets) socket.destroy(); }, timeoutMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(force);
}

function isIdle({ connections }: Binding, socket: Socket): boolean {
  const last = connections.get(socket)?.last;
  return last === undefined || last === null || last.response.writableFinished;
}
