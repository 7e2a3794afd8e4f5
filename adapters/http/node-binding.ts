import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Host } from '../../lib/http/host.ts';
import { LoadShedder } from './admission/load-shedder.ts';
import { HOST_OPTIONS, checkHost } from './check-binding.ts';
import type { AddressOf, ContextOption } from './host-options.ts';
import { HTTP_LIMITS, type HttpLimits } from './http-limits.ts';
import type { Connections } from './node-request.ts';
import { HOST_TOOLS } from './package-files.ts';

/** A request listener of node:http. */
export type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/** Options of the bindings to Node. */
interface OwnOptions {
  /** Address of the site without a trailing slash, or a function that returns it. Default: that of the connection, never of the Host header, which the client controls. */
  readonly siteUrl?: string | (() => string);
  /** `(request) => text`: the caller's address, behind a proxy. Default: that of the connection. */
  readonly address?: AddressOf<IncomingMessage>;
  /** Gets every request outside of the API. Default: 404. */
  readonly otherwise?: Listener;
  /** Limits that differ from `HTTP_LIMITS`. */
  readonly limits?: Partial<HttpLimits>;
  /** `new LoadShedder(HTTP_LIMITS)`: listeners share its budget of requests in flight. Default: one each. */
  readonly loadShedder?: LoadShedder;
}

/** Options of a listener for node:http. `H`: type of `call.host`. */
export type ListenerOptions<H = unknown> = OwnOptions & ContextOption<H, [request: IncomingMessage]>;

/** Everything that the requests of one listener share. */
export interface Binding {
  readonly host: Host;
  readonly limits: HttpLimits;
  readonly loadShedder: LoadShedder;
  readonly siteUrl: string | (() => string) | undefined;
  readonly address: AddressOf<IncomingMessage> | undefined;
  readonly otherwise: Listener | undefined;
  readonly context: ListenerOptions['context'];
  readonly connections: Connections;
}

/** Builds the binding of a listener, with the defaults filled in. `maker`: the function that the host app called. @throws TypeError */
export function toBinding(maker: string, host: Host, options: ListenerOptions): Binding {
  checkHost({ name: maker, options: HOST_OPTIONS }, host, options);
  host.attach?.(HOST_TOOLS);
  const { siteUrl, address, otherwise, context } = options;
  const limits = { ...HTTP_LIMITS, ...options.limits };
  const { loadShedder = new LoadShedder(limits) } = options;
  loadShedder.watch(host);
  return {
    host,
    limits,
    loadShedder,
    siteUrl,
    address,
    otherwise,
    context,
    connections: new WeakMap(),
  };
}
