import cluster from 'node:cluster';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { Binding } from './node-binding.ts';
import { OpenSockets } from './open-sockets.ts';

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

/** A server that `closeServer` can close. */
interface Running {
  readonly binding: Binding;
  readonly sockets: OpenSockets;
  closed?: Promise<unknown>;
}

/** The servers that `createServer` made. */
export const servers = new WeakMap<Server, Running>();

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
