import type { Outbound } from '../lib/outbound.ts';
import type { Store } from '../lib/store.ts';
import type { Upstream } from '../lib/upstream.ts';
import type { Background } from './background.ts';

export type { Outbound, OutboundAnswer, OutboundRequest } from '../lib/outbound.ts';
export type { Upstream, UpstreamAnswer, UpstreamRequest } from '../lib/upstream.ts';

/** What the handlers of all namespaces need from outside. Given once, when the site is built. */
export interface Ports {
  readonly store: Store;
  /** Wall clock: milliseconds since 1970-01-01 UTC. Injected, so that tests can move it. */
  readonly now: () => number;
  /** Cryptographically random bytes. */
  readonly random: (count: number) => Uint8Array;
  /** The one guarded way to foreign addresses; absent: outbound traffic is switched off. */
  readonly outbound?: Outbound;
  /** Connected services by name; absent services answer 503 `service_not_connected`. */
  readonly upstream: Upstream;
  /** Work that goes on beside the requests; stopped before the store is closed. */
  readonly background: Background;
  /** Where errors go that no caller may see. Never given secrets. */
  readonly log: (event: LogEvent) => void;
  /** Configured by the host; see each namespace's documentation for its members. */
  readonly config: SiteConfig;
}

export interface LogEvent {
  readonly level: 'info' | 'warn' | 'error';
  readonly message: string;
  readonly error?: unknown;
  readonly [detail: string]: unknown;
}

/** Languages of the site and secrets, plus one free member per namespace. */
export interface SiteConfig {
  /** Address prefixes: `['en', 'fr']`; the first is the default. */
  readonly prefixes: readonly string[];
  /** Values of `ml_language`: `['nl', 'en', 'fr']`. */
  readonly languages: readonly string[];
  /** Key for signatures (XLIFF origin, nonces, tokens); at least 32 random bytes, kept from start to start. */
  readonly secret: Uint8Array;
  readonly namespaces: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}
