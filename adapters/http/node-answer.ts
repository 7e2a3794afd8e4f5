import { Buffer } from 'node:buffer';
import { type IncomingMessage, STATUS_CODES, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { type MaybePromise, thenMaybe } from '../../lib/core/maybe-promise.ts';
import type { Host, WireResponse } from '../../lib/http/host.ts';
import { toAsked } from '../../lib/http/respond.ts';
import { PLAIN_HOST } from './request-head.ts';

/** How long a connection that closes in the middle of a request body is still read, so that the client receives the response. */
const LINGER_MS = 1000;

/** Headers that frame a message. Only the adapter sets them. */
const FRAMING: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
]);

/** List headers. What the host app has set in them stays valid: `Vary` of a compression, links of a page. */
const LIST = /^(?:vary|link|access-control-expose-headers)$/i;

/** How a response is sent on its connection. */
export interface SendOptions {
  /** Close the connection after this response. */
  readonly close: boolean;
  /** Read and discard the rest of the request body until the client has received the response. */
  readonly drain?: boolean;
  /** How long the client may leave the response unread. */
  readonly stallTimeoutMs: number;
}

/** Sends a response once. @throws Node's error for a header that cannot be sent; nothing has been sent then. */
export function sendAnswer(response: ServerResponse, wire: WireResponse, options: SendOptions): void {
  if (response.headersSent || response.destroyed) return;
  const body = response.req.method === 'HEAD' ? null : wire.body;
  writeHead(response, wire, options);
  if (options.drain === true) {
    endAfterRequest(response, body);
    return;
  }
  if (body === null) response.end();
  else response.end(body);
  const socket = response.socket;
  if (socket !== null && socket.writableLength > 0) socket.setTimeout(options.stallTimeoutMs);
}

/** Writes status and headers. @throws Node's error for a header that cannot be sent */
export function writeHead(
  response: ServerResponse,
  wire: WireResponse,
  { close }: Pick<SendOptions, 'close'>,
): void {
  const length = toLength(wire, response.req.method);
  const headers = listHeaders(wire.headers);
  const isShared = response.getHeaderNames().length > 0;
  // A copy, because an instrumentation agent may add to the array.
  const list = isShared
    ? headers.map((text, at) => (at % 2 === 0 ? text : joinLists(response, headers[at - 1] ?? '', text)))
    : [...headers];
  if (isShared) addCookies(response, wire);
  else for (const cookie of wire.cookies ?? []) list.push('Set-Cookie', cookie);
  if (length !== null) list.push('Content-Length', length);
  if (close) list.push('Connection', 'close');
  response.writeHead(wire.status, list);
}

/** Headers that many responses share, as lists. */
const shared = new WeakMap<WireResponse['headers'], readonly string[]>();

/** Names and values in turn, the form that is fastest for `writeHead`. */
function listHeaders(headers: WireResponse['headers']): readonly string[] {
  const known = shared.get(headers);
  if (known !== undefined) return known;
  const list: string[] = [];
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined && !FRAMING.has(name.toLowerCase())) list.push(name, value);
  }
  if (Object.isFrozen(headers)) shared.set(headers, list);
  return list;
}

/** Keeps the cookies of the host app. When headers are already set, Node would send only the last item of a list. */
function addCookies(response: ServerResponse, { cookies = [] }: WireResponse): void {
  if (cookies.length > 0) response.appendHeader('Set-Cookie', cookies);
}

/** Node would replace the value of the host app. For list headers both values are sent; for all others the value of the API. */
function joinLists(response: ServerResponse, name: string, value: string): string {
  const set = LIST.test(name) ? response.getHeader(name) : undefined;
  if (set === undefined) return value;
  const first = [set].flat().join(', ');
  // A link may hold commas.
  if (name.toLowerCase() === 'link') return `${first}, ${value}`;
  const known = new Set(first.toLowerCase().split(/[\s,]+/));
  return [first, ...value.split(/[\s,]+/).filter((item) => !known.has(item.toLowerCase()))].join(', ');
}

/** A response to HEAD shows the length that GET would have, if it is known. 204 and 304 do not show a length. */
function toLength(
  { status, headers, body, stream }: WireResponse,
  method: string | undefined,
): string | null {
  if (status === 204 || status === 304) return null;
  if (stream !== undefined) return stream.length === null ? null : String(stream.length);
  if (typeof body === 'string') return String(Buffer.byteLength(body));
  if (body !== null) return String(body.length);
  return method === 'HEAD' ? (headers['Content-Length'] ?? headers['content-length'] ?? null) : '0';
}

function endAfterRequest(response: ServerResponse, body: string | Uint8Array | null): void {
  const request: IncomingMessage = response.req;
  const end = (): void => {
    clearTimeout(timer);
    response.end();
  };
  const timer = setTimeout(end, LINGER_MS);
  request.once('end', end).once('close', end);
  response.once('close', end);
  if (body === null) response.flushHeaders();
  else response.write(body);
  request.resume();
}

/** Responds on a connection whose bytes could not be parsed as a request, and closes it. */
export function answerSocket(socket: Duplex, wire: WireResponse): void {
  // Node removes its own error listener from a connection that asked for CONNECT.
  socket.on('error', () => socket.destroy());
  if (!socket.writable || socket.writableEnded) {
    socket.destroy();
    return;
  }
  const body = Buffer.from(wire.body ?? '');
  const lines = [`HTTP/1.1 ${wire.status} ${STATUS_CODES[wire.status] ?? ''}`];
  for (const [name, value] of Object.entries(wire.headers))
    if (!FRAMING.has(name.toLowerCase())) lines.push(`${name}: ${value.replaceAll(/[^\t -~]/g, '?')}`);
  lines.push(`Content-Length: ${body.length}`, 'Connection: close', '', '');
  socket.end(Buffer.concat([Buffer.from(lines.join('\r\n'), 'latin1'), body]));
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
}

/** Headers that do not change the response to an anonymous GET without an Origin header. */
const PLAIN: ReadonlySet<string> = new Set(
  [
    'accept',
    'accept-encoding',
    'accept-language',
    'cache-control',
    'connection',
    'dnt',
    'pragma',
    'priority',
    'referer',
    'sec-ch-ua',
    'sec-ch-ua-mobile',
    'sec-ch-ua-platform',
    'sec-fetch-dest',
    'sec-fetch-mode',
    'sec-fetch-site',
    'sec-fetch-user',
    'sec-gpc',
    'te',
    'traceparent',
    'tracestate',
    'upgrade-insecure-requests',
    'user-agent',
    'via',
    'x-forwarded-for',
    'x-forwarded-host',
    'x-forwarded-proto',
    'x-real-ip',
    'x-request-id',
  ].flatMap((name) => [name, name.replaceAll(/(?:^|-)[a-z]/g, (letters) => letters.toUpperCase())]),
);

/** Reads the headers. Returns null when they need a full check. */
function readPlain(raw: readonly string[]): { readonly ifNoneMatch: string | undefined } | null {
  let hosts = 0;
  let ifNoneMatch: string | undefined;
  for (let index = 0; index < raw.length; index += 2) {
    const name = raw[index] ?? '';
    const value = raw[index + 1] ?? '';
    // A site may have another representation than the JSON that is ready.
    if (PLAIN.has(name) && !value.includes('markdown')) continue;
    const lower = name.toLowerCase();
    if (lower === 'host') {
      hosts += 1;
      if (!PLAIN_HOST.test(value)) return null;
    } else if (lower === 'if-none-match' && ifNoneMatch === undefined) ifNoneMatch = value;
    else return null;
  }
  return hosts === 1 ? { ifNoneMatch } : null;
}

/** Full response -> its 304. All clients share one 304, so that its headers are written once. */
const unchanged = new WeakMap<WireResponse, WireResponse>();

function toUnchanged(wire: WireResponse, ifNoneMatch: string): WireResponse {
  const asked = toAsked(wire, { method: 'GET', headers: { 'if-none-match': ifNoneMatch } });
  if (asked === wire) return wire;
  const known = unchanged.get(wire) ?? asked;
  unchanged.set(wire, known);
  return known;
}

/**
 * Returns the cached response of the host for a request that depends on its address alone; a promise where the host
 * must ask its store. Null: the request must be read in full.
 */
export function findReady(
  host: Host,
  request: IncomingMessage,
  siteUrl: string,
): MaybePromise<WireResponse | null> {
  const { method } = request;
  if ((method !== 'GET' && method !== 'HEAD') || host.ready === undefined) return null;
  if (request.httpVersionMinor !== 1) return null;
  const plain = readPlain(request.rawHeaders);
  if (plain === null) return null;
  // The adapter leaves the body out of a response to HEAD.
  return thenMaybe(host.ready(siteUrl, request.url ?? ''), (wire) =>
    wire === null || plain.ifNoneMatch === undefined ? wire : toUnchanged(wire, plain.ifNoneMatch),
  );
}
