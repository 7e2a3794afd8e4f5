import { createServer as createNodeServer, type Server } from 'node:http';
import { engineError } from '../lib/core/errors.ts';
import type { Host } from '../lib/http/host.ts';
import { handleClientError } from './http/client-error.ts';
import { servers } from './http/close-server.ts';
import type { LastOptions } from './http/host-options.ts';
import type { HttpLimits } from './http/http-limits.ts';
import { answerSocket } from './http/node-answer.ts';
import { type Listener, type ListenerOptions, toBinding } from './http/node-binding.ts';
import { refuse, takeRequest, toListener } from './http/node-listener.ts';
import { openExchange } from './http/node-request.ts';
import { OpenSockets } from './http/open-sockets.ts';

export { closeServer } from './http/close-server.ts';
export type { Listener, ListenerOptions } from './http/node-binding.ts';
export { HTTP_LIMITS } from './http/http-limits.ts';
export type { HttpLimits } from './http/http-limits.ts';
export { LoadShedder } from './http/admission/load-shedder.ts';

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
  const server = createNodeServer(toNodeOptions(limits), toListener(binding));
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
