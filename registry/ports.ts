import type { LogEvent } from '../lib/dispatch/runtime.ts';
import type { Outbound } from '../lib/ports/outbound.ts';
import type { Store } from '../lib/store/store.ts';
import type { Upstream } from '../lib/ports/upstream.ts';
import type { Background } from './background.ts';

export type { LogEvent } from '../lib/dispatch/runtime.ts';
export type { Outbound, OutboundAnswer, OutboundRequest } from '../lib/ports/outbound.ts';
export type { Upstream, UpstreamAnswer, UpstreamRequest } from '../lib/ports/upstream.ts';

/** What the handlers of all namespaces need from outside. Given once, when the site is built. */
export interface Ports {
  readonly store: Store;
  /** Wall clock: milliseconds since 1970-01-01 UTC. Injected, so that tests can move it. */
  readonly now: () => number;
  /** Cryptographically random bytes. */
  readonly random: (count: number) => Uint8Array;
  /** The one guarded way to foreign addresses; absent: outbound traffic is switched off. */
  readonly outbound?: Outbound | undefined;
  /** Connected services by name; absent services answer 503 `service_not_connected`. */
  readonly upstream: Upstream;
  /** Directories that the host gives the site; absent: it has none. */
  readonly files?: Files | undefined;
  /** Work that goes on beside the requests; stopped before the store is closed. */
  readonly background: Background;
  /** Where errors go that no caller may see. Never given secrets. */
  readonly log: (event: LogEvent) => void;
  /** The media files; absent: the site has none of its own. */
  readonly media?: Media | undefined;
  /** Files to import; absent: there are none. */
  readonly imports?: Imports | undefined;
  /** False: what is shown is made anew each time. Absent: finished parts of answers are kept. */
  readonly cache?: false | undefined;
  /** Configured by the host; see each namespace's documentation for its members. */
  readonly config: SiteConfig;
}

/**
 * Files in the configured directories: `locales` is read, `output` is written. A name is one to four parts of letters,
 * digits, dots, hyphens and underscores, joined by slashes; no part begins with a dot.
 */
export interface Files {
  /** Names of the files below the directories, in order; files with other names are left out. `prefix`: first parts of the names, such as `plugins/`. */
  list(directory: 'locales', prefix: string): Promise<readonly string[]>;
  /** null: there is no such file. @throws Error when it is larger than `maxBytes` or can not be read. */
  read(directory: 'locales', name: string, maxBytes: number): Promise<Uint8Array | null>;
  /** Writes the whole file or leaves the old one. @throws Error when the directory can not be written. */
  write(directory: 'output', name: string, bytes: Uint8Array): Promise<void>;
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

/** The files of the media library. */
export interface Media {
  /** Bytes of the file at this path below the library's root (`2023/12/picture.png`); null when there is no such file. */
  size(path: string): Promise<number | null>;
}

/** What an owner lays down for the site to take in. */
export interface Imports {
  /** Lines of the file of this name (letters, digits, `.`, `_`, `-`), without line ends; null when there is no such file. */
  lines(name: string): Promise<AsyncIterable<string> | null>;
}
