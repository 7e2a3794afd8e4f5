import type { RestError } from '../core/errors.ts';
import type { MaybePromise } from '../core/maybe-promise.ts';
import type { AddressSpace } from './address.ts';
import type { RequestHead } from './cross-site.ts';
import type { RestRequest } from './request.ts';

/** What only an adapter can reach. */
export interface HostTools {
  /** The bytes of a file of an installed package. null: the package is not installed. */
  readPackageFile(name: string, path: string): Promise<Uint8Array | null>;
}

/** The parts of a request that lead to its endpoint. They are known before the body is read. */
export type UnreadHead = Pick<RestRequest, 'method' | 'headers' | 'path' | 'query' | 'siteUrl'>;

/** The interface between adapters and the engine. `H`: what `context` of an adapter returns. */
export interface Host<H = unknown> extends AddressSpace {
  /** Gives the host what only an adapter can reach. Each adapter calls it once, before the first request. */
  attach?(tools: HostTools): void;
  /** Every response has an id of its own, so that none may be sent twice. Default: false. */
  readonly requestIds?: boolean;
  /** How long adapters wait for a promise of their option `context`, in milliseconds. Default: 30,000. */
  readonly handlerTimeoutMs?: number;
  /** Handles a request, from authentication to bytes. Never throws or rejects: every failure becomes a response. A promise only if something is waited for. */
  serve(request: RestRequest<H>): MaybePromise<WireResponse>;
  /** Refuses a request by its head, before its body is read. `serve` repeats this check. @throws RestError */
  checkHead?(head: RequestHead): void;
  /** Whether the endpoint reads the body itself. The adapter then passes the body unread. Default: never. */
  takesUnread?(head: UnreadHead): boolean;
  /**
   * The cached response to an anonymous GET without a body. It is complete; `toAsked` reduces it. A promise if the store must be asked first. null: call `serve`.
   * `target`: path and query as the client wrote them. Call it only if no header changes the response. Never throws or rejects.
   */
  ready?(siteUrl: string, target: string): MaybePromise<WireResponse | null>;
  /** Whether the store of the host is so busy that a new request should wait. Default: never. */
  isBusy?(kind: 'read' | 'write'): boolean;
  /** The response to a request that could not be read. `request` holds its known parts. It has the form of every error. */
  refuse(
    error: RestError,
    request: Pick<RestRequest, 'method' | 'headers'> & Partial<Pick<RestRequest, 'path'>>,
  ): WireResponse;
}

/** A body that is sent while it is made. It is pulled as fast as the client reads. `return` ends it early; a failure means that the connection must break. */
export interface WireStream extends AsyncIterable<Uint8Array> {
  /** Bytes, if they are known. */
  readonly length: number | null;
  /** The next bytes. */
  next(): Promise<IteratorResult<Uint8Array>>;
  return(): Promise<IteratorResult<Uint8Array>>;
}

/** A complete response, which an adapter sends byte for byte. `body` null: no body (HEAD, 204, 304), or a stream. */
export interface WireResponse {
  /** Status of the response. */
  readonly status: number;
  /** Names as sent. Values are valid header text. */
  readonly headers: Readonly<Record<string, string>>;
  /** Values of `Set-Cookie`, one header each. Absent: none. */
  readonly cookies?: readonly string[];
  /** null: no body, or a stream. */
  readonly body: string | Uint8Array | null;
  /** Absent: the body is complete. */
  readonly stream?: WireStream;
}
