import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { engineError, type RestError } from '../../lib/core/errors.ts';
import { createRecord } from '../../lib/core/objects.ts';
import type { Kind } from './admission/waiting.ts';
import { readSiteUrl } from './host-options.ts';
import { announcesBody, checkHost, type HeaderMap } from './request-head.ts';

/** The state of a connection, from its first request on. */
interface Connection {
  /** Aborted when the connection closes. All requests share it: creating one each would cost a quarter of Node's time for a request. */
  readonly signal: AbortSignal;
  requests: number;
  /** A response said that it is the last one. Whatever the client sends after it is ignored. */
  ended: boolean;
  last: Exchange | null;
  /** How the last request waits or has waited. Later requests wait in the same line, and do not overtake it. */
  kind: Kind;
  /** Requests that are still waiting. */
  waiting: number;
  /** The address on which the connection came in, once it was asked for. */
  ownAddress: string | null;
  /** The address of the client, once it was asked for. */
  clientAddress: string | null;
  /** The last Host header that was found valid. */
  host: string | null;
}

/** One request and its response on a connection. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly connection: Connection;
  /** Position on the connection, from 1. */
  readonly number: number;
  /** The client waits for `100 Continue` before it sends the body. */
  readonly awaitsContinue: boolean;
  /** The headers, once they were read. Asking Node for them makes it parse them again. */
  headers: HeaderMap | null;
  /** The request is still waiting. */
  isWaiting: boolean;
  /** The bytes that arrived are no longer HTTP. The connection closes after this response. */
  broken: boolean;
  /** The error, if it was found while the request was waiting. */
  fault: RestError | null;
}

/** Shared by all connections: creating one each, with its stack trace, costs more than the rest of closing a connection. */
const CLOSED = new DOMException('The connection was closed.', 'AbortError');

export type Connections = WeakMap<Duplex, Connection>;

/** Begins the exchange for a request that has arrived. */
export function openExchange(
  connections: Connections,
  parts: Pick<Exchange, 'request' | 'response'> & { readonly awaitsContinue?: true },
): Exchange {
  const { request, response, awaitsContinue = false } = parts;
  const connection = connections.get(request.socket) ?? openConnection(connections, request.socket);
  const exchange = {
    request,
    response,
    connection,
    number: ++connection.requests,
    awaitsContinue,
    headers: null,
    isWaiting: false,
    broken: false,
    fault: null,
  };
  connection.last = exchange;
  return exchange;
}

function openConnection(connections: Connections, socket: Socket): Connection {
  const controller = new AbortController();
  const connection = {
    signal: controller.signal,
    requests: 0,
    ended: false,
    last: null,
    kind: 'read' as Kind,
    waiting: 0,
    ownAddress: null,
    clientAddress: null,
    host: null,
  };
  connections.set(socket, connection);
  socket.once('close', () => controller.abort(CLOSED));
  return connection;
}

/** @throws RestError `rest_bad_request` as `checkHost`, or when HTTP/1.0 has a transfer coding */
export function checkVersion(version: string, headers: HeaderMap, connection: Connection): void {
  connection.host = checkHost(version, headers['host'], connection.host);
  // RFC 9112 6.1: an HTTP/1.0 message with a transfer coding has faulty framing.
  if (version === '1.0' && headers['transfer-encoding'] !== undefined) {
    throw engineError('rest_bad_request', { message: 'HTTP/1.0 does not support Transfer-Encoding.' });
  }
}

/** Whether bytes of the body may still arrive. This is not known after a coding other than chunked, so it is assumed. */
export function hasUnreadBody({ request, headers }: Exchange): boolean {
  const { 'content-length': length, 'transfer-encoding': coding } = headers ?? request.headers;
  if (request.complete && (coding === undefined || coding.toLowerCase() === 'chunked')) return false;
  return announcesBody({ 'content-length': length, 'transfer-encoding': coding });
}

/** A body up to this size is read and discarded, because a new connection would cost a busy server more. Bytes. */
const SMALL_BODY = 64 * 1024;

/** Whether the rest of the body costs less to read than a new connection. */
export function isSoonRead({ request, headers, awaitsContinue, broken }: Exchange): boolean {
  const { 'content-length': length, 'transfer-encoding': coding } = headers ?? request.headers;
  return coding === undefined && Number(length) <= SMALL_BODY && !awaitsContinue && !broken;
}

/** The headers as Node parsed them, for the response to a refused request. */
export function toHeaderMap(request: IncomingMessage): HeaderMap {
  const headers = createRecord<string>();
  for (const [name, value] of Object.entries(request.headers))
    if (typeof value === 'string') headers[name] = value;
  return headers;
}

/** Whether nobody waits for a response any more: the client has left, or an earlier response was the last one of the connection. */
export function isOver({ connection, request }: Exchange): boolean {
  return connection.ended || request.socket.destroyed;
}

/** The address of the client, without asking the system for it again. */
export function toClientAddress({ connection, request }: Exchange): string {
  connection.clientAddress ??= request.socket.remoteAddress ?? '';
  return connection.clientAddress;
}

/** The site URL of the host app, or the address on which the connection came in. @throws the error of the host app's function */
export function toSiteUrl(siteUrl: string | (() => string) | undefined, exchange: Exchange): string {
  if (typeof siteUrl === 'string') return siteUrl;
  return siteUrl === undefined ? toOwnAddress(exchange) : readSiteUrl(siteUrl);
}

/** The address on which the connection came in: `http://127.0.0.1:8787`. The Host header is not used, because the client controls it. */
function toOwnAddress({ connection, request }: Exchange): string {
  connection.ownAddress ??= describeAddress(request.socket);
  return connection.ownAddress;
}

function describeAddress(socket: Socket): string {
  const address = (socket.localAddress ?? '').replace(/^::ffff:/, '');
  const scheme = 'encrypted' in socket ? 'https' : 'http';
  return `${scheme}://${address.includes(':') ? `[${address}]` : address}:${socket.localPort ?? 0}`;
}
