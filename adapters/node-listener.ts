import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { parseBody } from '../lib/body.ts';
import { engineError } from '../lib/errors.ts';
import type { RestError } from '../lib/errors.ts';
import type { Host } from '../lib/host.ts';
import { Gate } from './gate.ts';
import { HTTP_LIMITS } from './http-limits.ts';
import type { HttpLimits } from './http-limits.ts';
import { announcesBody, checkBodyHeaders, readHeaders, readTarget, toRestError } from './intake.ts';
import type { HeaderMap } from './intake.ts';
import { answerSocket, sendAnswer } from './node-answer.ts';
import { checkVersion, hasUnreadBody, NodeRequest, readBody, toOwnAddress } from './node-request.ts';
import type { Exchange } from './node-request.ts';

export type Listener = (request: IncomingMessage, response: ServerResponse) => void;

export interface ListenerOptions {
  /**
   * Absolute address of the site without a trailing slash. Default: the address on which the connection came in.
   * It is never taken from the Host header, which the client writes: links, cached answers and mails would carry a stranger's name.
   */
  readonly siteUrl?: string | (() => string);
  /** Gets every request whose address is not the API's. Default: 404. */
  readonly otherwise?: Listener;
  readonly limits?: Partial<HttpLimits>;
  /** Shared by listeners that share one budget of requests in flight. Default: one of its own. */
  readonly gate?: Gate;
}

/** Everything that requests of one listener have in common. */
export interface Binding {
  readonly host: Host;
  readonly limits: HttpLimits;
  readonly gate: Gate;
  readonly siteUrl: string | (() => string) | undefined;
  readonly otherwise: Listener | undefined;
  /** The last exchange of each connection. */
  readonly exchanges: WeakMap<Duplex, Exchange>;
}

export function toBinding(host: Host, options: ListenerOptions): Binding {
  const limits = { ...HTTP_LIMITS, ...options.limits };
  return { host, limits, gate: options.gate ?? new Gate(limits), siteUrl: options.siteUrl, otherwise: options.otherwise, exchanges: new WeakMap() };
}

/** Takes one request: to the engine, to the rest of the host app, or back with an error. */
export function takeRequest(binding: Binding, exchange: Exchange): void {
  const { request, response } = exchange;
  binding.exchanges.set(request.socket, exchange);
  let incoming: NodeRequest | null = null;
  let hasBody = false;
  try {
    const address = readTarget(binding.host, binding.limits, request.url ?? '');
    if (address !== null) {
      const headers = readHeaders(request.rawHeaders, binding.limits);
      checkVersion(request.httpVersion, headers);
      hasBody = announcesBody(headers);
      if (hasBody) checkBodyHeaders(headers, binding.limits);
      binding.gate.enter();
      incoming = new NodeRequest(exchange, address, { headers, siteUrl: toSiteUrl(binding, request) });
    }
  } catch (error) {
    refuse(binding, exchange, toRestError(error));
    return;
  }
  if (incoming !== null) void run(binding, exchange, { incoming, hasBody });
  else if (binding.otherwise === undefined) refuse(binding, exchange, engineError('rest_no_route'));
  else binding.otherwise(request, response);
}

/** Never rejects. */
async function run(binding: Binding, exchange: Exchange, { incoming, hasBody }: { incoming: NodeRequest; hasBody: boolean }): Promise<void> {
  const { gate, host, limits } = binding;
  try {
    if (hasBody) incoming.body = parseBody(await readBody(exchange, limits), incoming.headers['content-type']);
    const wire = await host.serve(incoming);
    // Node drops bytes that follow an offer to upgrade; an open connection would wait for their answer.
    const close = gate.closing || incoming.headers['upgrade'] !== undefined;
    sendAnswer(exchange.response, wire, { close, stallTimeoutMs: limits.stallTimeoutMs });
  } catch (error) {
    refuse(binding, exchange, toRestError(error));
  } finally {
    gate.leave();
  }
}

/** Answers with an error. A connection with an unread rest of a body is ended: nobody knows where the next request would begin. */
export function refuse(binding: Binding, exchange: Exchange, error: RestError): void {
  const { request, response, broken, awaitsContinue } = exchange;
  if (request.socket.destroyed || response.headersSent) return;
  const unread = hasUnreadBody(request);
  const wire = binding.host.refuse(error, { method: request.method ?? 'GET', headers: toHeaderMap(request) });
  try {
    sendAnswer(response, wire, {
      close: unread || binding.gate.closing, drain: unread && !broken && !awaitsContinue, stallTimeoutMs: binding.limits.stallTimeoutMs,
    });
  } catch {
    // Not even the refusal could be sent as headers: the last resort is to say so without any.
    answerSocket(request.socket, { status: 500, headers: {}, body: null });
  }
}

function toHeaderMap(request: IncomingMessage): HeaderMap {
  const headers: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(request.headers)) if (typeof value === 'string') headers[name] = value;
  return headers;
}

function toSiteUrl({ siteUrl }: Binding, request: IncomingMessage): string {
  if (siteUrl === undefined) return toOwnAddress(request.socket);
  return typeof siteUrl === 'string' ? siteUrl : siteUrl();
}
