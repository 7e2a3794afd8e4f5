import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Host } from '../../lib/http/host.ts';
import type { AddressOf } from './caller-address.ts';
import { checkHost, HOST_OPTIONS } from './check-host.ts';
import { LoadShedder, OVERLOADED } from './load-shedder.ts';
import { HTTP_LIMITS } from './http-limits.ts';
import { createLines, type Lines } from './lines.ts';
import type { HttpLimits } from './http-limits.ts';
import type { Connections } from './node-request.ts';
import { SharedRefusal } from './shared-refusal.ts';
import { HeadCache } from './head-cache.ts';

/** What node:http calls with every request, and what a host app has for those of its own. */
export type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/** How requests are taken from node:http. */
export interface ListenerOptions {
  /**
   * Absolute address of the site without a trailing slash. Default: the address on which the connection came in.
   * It is never taken from the Host header, which the client writes: links, cached answers and mails would carry a stranger's name.
   */
  readonly siteUrl?: string | (() => string);
  /** Whom a request comes from, for throttles; nothing: its connection tells. Default: it always does. */
  readonly address?: AddressOf<IncomingMessage>;
  /** Gets every request whose address is not the API's. Default: 404. */
  readonly otherwise?: Listener;
  readonly limits?: Partial<HttpLimits>;
  /** Shared by listeners that share one budget of requests in flight. Default: one of its own. */
  readonly loadShedder?: LoadShedder;
}

/** Everything that requests of one listener have in common. */
export interface Binding {
  readonly host: Host;
  readonly limits: HttpLimits;
  readonly loadShedder: LoadShedder;
  readonly lines: Lines;
  readonly siteUrl: string | (() => string) | undefined;
  readonly address: AddressOf<IncomingMessage> | undefined;
  readonly otherwise: Listener | undefined;
  readonly connections: Connections;
  readonly heads: HeadCache;
  /** The answer to those who come while there is too much to do. */
  readonly overloaded: SharedRefusal;
}

/** What the requests of a listener share, with the defaults filled in. `maker`: the function that the host app called. @throws TypeError */
export function toBinding(maker: string, host: Host, options: ListenerOptions): Binding {
  checkHost({ name: maker, options: HOST_OPTIONS }, host, options);
  const { siteUrl, address, otherwise } = options;
  const limits = { ...HTTP_LIMITS, ...options.limits };
  const { loadShedder = new LoadShedder(limits) } = options;
  return {
    host, limits, loadShedder, lines: createLines(loadShedder, host), siteUrl, address, otherwise,
    connections: new WeakMap(), heads: new HeadCache(), overloaded: new SharedRefusal(host, OVERLOADED),
  };
}
