import type { MaybePromise } from '../core/maybe-promise.ts';
import type { RequestHead } from './cross-site.ts';
import type { RestError } from '../core/errors.ts';
import type { RestRequest } from './request.ts';

/** What an adapter needs of the engine. */
export interface Host {
  /** Language prefixes: `['en', 'fr']`. */
  readonly prefixes: readonly string[];
  /** Path segment of the API. */
  readonly apiSegment: string;
  /** Link relation under which site pages name the API. */
  readonly apiRelation: string;
  /** Runs a request from authentication to bytes. Never rejects: every failure is an answer. */
  serve(request: RestRequest): Promise<WireResponse>;
  /** Refuses a request by what its head says, before its body is read; `serve` asks the same again. @throws RestError */
  checkHead?(head: RequestHead): void;
  /**
   * The answer to an anonymous GET without a body, when it is at hand: whole, for `toAsked` to cut; a promise where the store has to be asked first. Null: ask `serve`.
   * `target`: path and query as the client wrote them. To be asked only where no header changes the answer. Never throws or rejects.
   */
  ready?(siteUrl: string, target: string): MaybePromise<WireResponse | null>;
  /** Whether so much waits for the store of the host that a request had better wait before it is begun. Default: it never does. */
  isBusy?(kind: 'read' | 'write'): boolean;
  /** The answer to a request that could not be read; `request` holds what is known of it. Same shape as every error. */
  refuse(error: RestError, request: Pick<RestRequest, 'method' | 'headers'>): WireResponse;
}

/** A finished answer: what an adapter sends, byte for byte. `body` null: no body (HEAD, 204, 304). */
export interface WireResponse {
  readonly status: number;
  /** Names as sent; values are valid header text. */
  readonly headers: Readonly<Record<string, string>>;
  /** Values of `Set-Cookie`, each a header of its own. Absent: none. */
  readonly cookies?: readonly string[];
  readonly body: string | Uint8Array | null;
}
