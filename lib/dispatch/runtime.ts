import type { Identity } from '../core/identity.ts';
import type { MaybePromise } from '../core/maybe-promise.ts';
import type { Names } from '../core/names.ts';
import type { AddressSpace } from '../http/address.ts';
import type { ParsedQuery } from '../http/query-string.ts';
import type { Uploads } from '../ports/uploads.ts';
import type { RestRequest } from '../http/request.ts';
import type { RouteTable } from '../route/table.ts';
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
  /** Address of the pages. null: that of the request. */
  readonly frontEnd: string | null;
  /** Every response of a route says which of its methods the caller may use. Else only the response to OPTIONS does. */
  readonly allow: boolean;
  /** Status for a method that the route does not have: 405 with `Allow`, or 404 as in WordPress. Default 405. */
  readonly wrongMethod: 404 | 405;
  /** Neutral name of the language parameter. null: the site has none. */
  readonly languageParam: string | null;
  /** Language -> translations of descriptions. English needs none. */
  readonly catalogues: Readonly<Record<string, Catalogue>>;
  /** Receives failures that callers must not see. */
  readonly log: (event: LogEvent) => void;
  /** Time limit of one call in milliseconds: permission, handler and embedded records together. */
  readonly handlerTimeoutMs: number;
  /** Largest response body, in bytes. */
  readonly answerLimit: number;
  /** Resolves when everything that was committed with durability `later` is durable. null: inner calls also commit `now`. */
  readonly flush: ((since: number) => MaybePromise<void>) | null;
  /** Runs an inner call, whose store need not know of changes since the outer one began. null: runs it as it is. */
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
