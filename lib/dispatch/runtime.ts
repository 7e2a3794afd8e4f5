import type { RouteTable } from '../compile/table.ts';
import type { Identity } from '../core/identity.ts';
import type { MaybePromise } from '../core/maybe-promise.ts';
import type { Names } from '../core/names.ts';
import type { AddressSpace } from '../http/address.ts';
import type { ParsedQuery } from '../http/query-string.ts';
import type { RestRequest } from '../http/request.ts';
import type { Uploads } from '../ports/uploads.ts';
import type { TimeLimit } from './time-limit.ts';
import type { CallTrace } from './trace.ts';

/** Translations of descriptions into one language, by the English text. */
export type Catalogue = Readonly<Record<string, string>>;

/** A failure that callers must not see. `message`: the operation that failed. */
export interface LogEvent {
  /** `info`: a note, without an error. `warn`: a failure that the site does without or tries again. `error`: something of the site is missing, lost or broken. */
  readonly level: 'info' | 'warn' | 'error';
  readonly message: string;
  /** What was thrown. */
  readonly error?: unknown;
  /** The request in which it happened, if the engine has `requestIds`. */
  readonly requestId?: string;
  /** Further details, by name. */
  readonly [detail: string]: unknown;
}

/** Options of the engine that never change. */
export interface RuntimeOptions {
  /** Wire names. */
  readonly names: Names;
  /** Addresses of the API. */
  readonly addresses: AddressSpace;
  /** Address of the front end that shows the pages, such as `https://www.example.org`: `home`, the `link` of records, SEO heads and oEmbed begin with it. Default: the address of the request. */
  readonly frontEnd: string | null;
  /** Every response of a route says which of its methods the caller may use. Else only the response to OPTIONS does. */
  readonly allow: boolean;
  /** Status for a method that a route does not have: 405 with `Allow`, or 404. Default 405. */
  readonly wrongMethod: 404 | 405;
  /** The member of `commonArgs` that holds the language. Default: none. */
  readonly languageParam: string | null;
  /** Descriptions in other languages: `{ fr: { 'English text': 'texte' } }`. Default: none. */
  readonly catalogues: Readonly<Record<string, Catalogue>>;
  /** Receives what callers must not see. If it fails, standard error says so. Default: `logToConsole`. */
  readonly log: (event: LogEvent) => void;
  /** Time of a call in milliseconds (permission, handler, embeds); 504 after that. Default 30,000. */
  readonly handlerTimeoutMs: number;
  /** Largest response, in bytes. Default 8 MiB. */
  readonly answerLimit: number;
  /** Longest time of a stream, from its first item. Milliseconds; default 1 hour. */
  readonly streamTimeoutMs: number;
  /** Most bytes of a stream. Default 4 GiB. */
  readonly streamLimit: number;
  /** `() => store.flush()`: the items of a batch wait for the disk together. Default: each waits. */
  readonly flush: ((since: number) => MaybePromise<void>) | null;
  /** `(since, run) => store.inRequest?.(since, run) ?? run()`: the items of a batch share what the store has read. Default: each reads for itself. */
  readonly inRequest: (<T>(since: number, run: () => MaybePromise<T>) => MaybePromise<T>) | null;
  /** Stores the files of multipart bodies. null: no endpoint accepts files. */
  readonly uploads: Uploads | null;
}

/** A request and the route table that it uses from start to end, even if namespaces are registered meanwhile. */
export interface Runtime {
  readonly table: RouteTable;
  readonly options: RuntimeOptions;
  readonly identity: Identity;
  readonly request: RestRequest;
  /** The parsed query, if it was already parsed. */
  readonly query: ParsedQuery | null;
  /** Time limit of the call that contains this one (a batch). */
  readonly outer?: TimeLimit;
  /** Absent: nobody listens. */
  readonly trace?: CallTrace | undefined;
}
