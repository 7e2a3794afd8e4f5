import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { engineError, type RestError } from '../../lib/core/errors.ts';
import { announcesBody } from './request-head.ts';
import type { HeaderMap } from './request-head.ts';
import { readSiteUrl } from './site-url.ts';
import type { WaitingLine } from './waiting-line.ts';

const HOST = /^(?:[\w.~%-]*|\[[\da-fA-F:.]+\])(?::\d*)?$/;

/** What is kept about a connection from its first request on. */
export interface Connection {
  /** Aborted when the connection is closed. One for all requests: making one each costs a quarter of what node takes for a request. */
  readonly signal: AbortSignal;
  requests: number;
  /** An answer said that it is the last one: what the client sends after it is not looked at. */
  ended: boolean;
  last: Exchange | null;
  /** Where the last request waits or has waited: those behind it must not overtake it. */
  line: WaitingLine | null;
  /** Requests that have not had their turn. */
  waiting: number;
  /** Where it came in, once somebody asked. */
  ownAddress: string | null;
}

/** One request and its answer on a connection. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly connection: Connection;
  /** 1 is the first on its connection. */
  readonly number: number;
  /** The client waits for `100 Continue` before it sends the body. */
  readonly awaitsContinue: boolean;
  /** It has not had its turn. */
  isWaiting: boolean;
  /** The bytes that came are no longer HTTP: the connection ends with this answer. */
  broken: boolean;
  /** Why, where that was found out while the request was waiting. */
  fault: RestError | null;
}

/** One for all connections: making one each, with its stack, costs more than the rest of closing them. */
const CLOSED = new DOMException('The connection was closed.', 'AbortError');

export type Connections = WeakMap<Duplex, Connection>;

/** Begins the exchange for a request that arrived. */
export function openExchange(connections: Connections, parts: Pick<Exchange, 'request' | 'response'> & { readonly awaitsContinue?: true }): Exchange {
  const { request, response, awaitsContinue = false } = parts;
  const connection = connections.get(request.socket) ?? openConnection(connections, request.socket);
  const exchange = { request, response, connection, number: ++connection.requests, awaitsContinue, isWaiting: false, broken: false, fault: null };
  connection.last = exchange;
  return exchange;
}

function openConnection(connections: Connections, socket: Socket): Connection {
  const controller = new AbortController();
  const connection = { signal: controller.signal, requests: 0, ended: false, last: null, line: null, waiting: 0, ownAddress: null };
  connections.set(socket, connection);
  socket.once('close', () => controller.abort(CLOSED));
  return connection;
}

/** @throws RestError `rest_bad_request`: no Host or a strange one, or a transfer coding where there is none */
export function checkVersion(version: string, headers: HeaderMap): void {
  const host = headers['host'];
  if (host === undefined ? version !== '1.0' : !HOST.test(host)) {
    throw engineError('rest_bad_request', { message: 'The Host header is missing or not a host name with an optional port.' });
  }
  // RFC 9112 6.1: an HTTP/1.0 message with a transfer coding has faulty framing.
  if (version === '1.0' && headers['transfer-encoding'] !== undefined) {
    throw engineError('rest_bad_request', { message: 'HTTP/1.0 knows no Transfer-Encoding.' });
  }
}

/** Whether bytes of the body may still come. After another coding than chunked nobody knows. */
export function hasUnreadBody(request: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
  if (request.complete && (coding === undefined || coding.toLowerCase() === 'chunked')) return false;
  return announcesBody({ 'content-length': length, 'transfer-encoding': coding });
}

/** The headers as node read them, for an answer to a request that was not taken. */
export function toHeaderMap(request: IncomingMessage): HeaderMap {
  const headers: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(request.headers)) if (typeof value === 'string') headers[name] = value;
  return headers;
}

/** What the host app says, or where the connection came in. @throws whatever its function throws */
export function toSiteUrl(siteUrl: string | (() => string) | undefined, exchange: Exchange): string {
  return siteUrl === undefined ? toOwnAddress(exchange) : readSiteUrl(siteUrl);
}

/** Where the connection came in: `http://127.0.0.1:8787`. The Host header is not asked: whoever sends it may write anything. */
function toOwnAddress({ connection, request }: Exchange): string {
  connection.ownAddress ??= describeAddress(request.socket);
  return connection.ownAddress;
}

function describeAddress(socket: Socket): string {
  const address = (socket.localAddress ?? '').replace(/^::ffff:/, '');
  const scheme = 'encrypted' in socket ? 'https' : 'http';
  return `${scheme}://${address.includes(':') ? `[${address}]` : address}:${socket.localPort ?? 0}`;
}
