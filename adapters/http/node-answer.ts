import { STATUS_CODES } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WireResponse } from '../../lib/http/host.ts';
import type { HeadCache } from './head-cache.ts';

/** How long a connection that ends in the middle of a body is still read, so that the client gets to see the answer. */
const LINGER_MS = 1000;

/** Where one message ends and the next begins is the adapter's business alone. */
const FRAMING = /^(?:connection|content-length|keep-alive|transfer-encoding|upgrade)$/i;

/** Lists, in which a host app may have said something that stays true: `Vary` of a compression, links of a page. */
const LIST = /^(?:vary|link|access-control-expose-headers)$/i;

/** How an answer goes out on its connection. */
export interface SendOptions {
  /** End the connection after this answer. */
  readonly close: boolean;
  /** Of the rest of the body: read it and forget it until the client has seen the answer. */
  readonly drain?: boolean;
  /** How long the client may take nothing of what was written. */
  readonly stallTimeoutMs: number;
  /** Heads of answers that are given again and again. Only for requests that ask for nothing special, as `findReady` takes them. */
  readonly heads?: HeadCache;
}

/** Sends an answer, once. @throws what node throws for a header that can not be sent; nothing has been sent then. */
export function sendAnswer(response: ServerResponse, wire: WireResponse, options: SendOptions): void {
  if (response.headersSent || response.destroyed) return;
  const body = response.req.method === 'HEAD' ? null : wire.body;
  writeHead(response, wire, options);
  if (options.drain === true) { endAfterRequest(response, body); return; }
  if (body === null) response.end();
  else response.end(body);
  const socket = response.socket;
  if (socket !== null && socket.writableLength > 0) socket.setTimeout(options.stallTimeoutMs);
}

function writeHead(response: ServerResponse, wire: WireResponse, { close, heads }: SendOptions): void {
  if (!close && heads?.repeat(response, wire) === true) return;
  const headers = toHeaderList(response, wire, close);
  // A copy: an agent around the function may add to what it is given.
  response.writeHead(wire.status, [...headers]);
  if (!close) heads?.keep(response, wire, headers);
}

/** Names and values in turn, as `writeHead` takes them fastest. */
function toHeaderList(response: ServerResponse, wire: WireResponse, close: boolean): string[] {
  const list: string[] = [];
  const isShared = response.getHeaderNames().length > 0;
  for (const name in wire.headers) {
    const value = wire.headers[name];
    if (value !== undefined && !FRAMING.test(name)) list.push(name, isShared ? joinLists(response, name, value) : value);
  }
  if (isShared) addCookies(response, wire);
  else for (const cookie of wire.cookies ?? []) list.push('Set-Cookie', cookie);
  const length = toLength(wire, response.req.method);
  if (length !== null) list.push('Content-Length', length);
  if (close) list.push('Connection', 'close');
  return list;
}

/** Beside those of the host app. Where there are headers already, node would keep only the last of a list. */
function addCookies(response: ServerResponse, { cookies = [] }: WireResponse): void {
  if (cookies.length > 0) response.appendHeader('Set-Cookie', cookies);
}

/** Node would put the value in the place of that of the host app: of lists, both are sent. Everything else is the API's. */
function joinLists(response: ServerResponse, name: string, value: string): string {
  const set = LIST.test(name) ? response.getHeader(name) : undefined;
  if (set === undefined) return value;
  const first = [set].flat().join(', ');
  // A link may hold commas.
  if (name.toLowerCase() === 'link') return `${first}, ${value}`;
  const known = new Set(first.toLowerCase().split(/[\s,]+/));
  return [first, ...value.split(/[\s,]+/).filter((item) => !known.has(item.toLowerCase()))].join(', ');
}

/** An answer to HEAD shows the length that GET would have, where it is known. 204 and 304 show none. */
function toLength({ status, headers, body }: WireResponse, method: string | undefined): string | null {
  if (status === 204 || status === 304) return null;
  if (typeof body === 'string') return String(Buffer.byteLength(body));
  if (body !== null) return String(body.length);
  return method === 'HEAD' ? (headers['Content-Length'] ?? headers['content-length'] ?? null) : '0';
}

function endAfterRequest(response: ServerResponse, body: string | Uint8Array | null): void {
  const request: IncomingMessage = response.req;
  const end = (): void => { clearTimeout(timer); response.end(); };
  const timer = setTimeout(end, LINGER_MS);
  request.once('end', end).once('close', end);
  response.once('close', end);
  if (body === null) response.flushHeaders();
  else response.write(body);
  request.resume();
}

/** Answers on a connection whose bytes could not be read as a request, and ends it. */
export function answerSocket(socket: Duplex, wire: WireResponse): void {
  // Node takes its own listener off a connection that asked for CONNECT.
  socket.on('error', () => socket.destroy());
  if (!socket.writable || socket.writableEnded) { socket.destroy(); return; }
  const body = Buffer.from(wire.body ?? '');
  const lines = [`HTTP/1.1 ${wire.status} ${STATUS_CODES[wire.status] ?? ''}`];
  for (const [name, value] of Object.entries(wire.headers)) if (!FRAMING.test(name)) lines.push(`${name}: ${value.replaceAll(/[^\t -~]/g, '?')}`);
  lines.push(`Content-Length: ${body.length}`, 'Connection: close', '', '');
  socket.end(Buffer.concat([Buffer.from(lines.join('\r\n'), 'latin1'), body]));
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
}
