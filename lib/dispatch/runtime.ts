import type { Identity } from '../core/identity.ts';
import type { Names } from '../core/names.ts';
import type { ParsedQuery } from '../http/query-string.ts';
import type { RestRequest } from '../http/request.ts';
import type { RouteTable } from '../route/table.ts';
import type { TimeLimit } from './time-limit.ts';

/** Description texts of one language, by their English form. */
export type Catalogue = Readonly<Record<string, string>>;

/** Something went wrong that no caller may see. `message`: what was being done. */
export interface LogEvent {
  readonly level: 'info' | 'warn' | 'error';
  readonly message: string;
  readonly error?: unknown;
  readonly [detail: string]: unknown;
}

/** What runs a request: options that are fixed for the life of the engine. */
export interface RuntimeOptions {
  readonly names: Names;
  /** Neutral name of the language parameter; null: the site has none. */
  readonly languageParam: string | null;
  /** Language -> catalogue of description texts; English needs none. */
  readonly catalogues: Readonly<Record<string, Catalogue>>;
  readonly log: (event: LogEvent) => void;
  /** Time for one call: permission, handler and embedded records together. Milliseconds. */
  readonly handlerTimeoutMs: number;
  /** Largest answer. Bytes. */
  readonly answerLimit: number;
  /** Settles when all that was committed with durability `later` is durable; null: calls inside others commit `now`, too. */
  readonly flush: (() => Promise<void>) | null;
}

/** One table and the request that runs on it from beginning to end, whatever is registered meanwhile. */
export interface Runtime {
  readonly table: RouteTable;
  readonly options: RuntimeOptions;
  readonly identity: Identity;
  readonly request: RestRequest;
  /** That of the request, where somebody has read it already. */
  readonly query: ParsedQuery | null;
  /** Time of the call inside which this one runs (a batch). */
  readonly outer?: TimeLimit;
}
