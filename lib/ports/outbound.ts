import { brand } from '../core/brand.ts';

/** One fetch to a foreign address. */
export interface OutboundRequest {
  readonly url: string;
  /** Default GET. */
  readonly method?: 'GET' | 'HEAD';
  /** Media types that the answer may have; an empty list allows any. Default: HTML, JSON and XML. */
  readonly accept?: readonly string[];
  /** Milliseconds for the whole exchange, redirects included. Default 5000. */
  readonly timeoutMs?: number;
  /** Of the body. Default 150 KiB. */
  readonly maxBytes?: number;
  /** Take the first `maxBytes` of a longer body in place of refusing it. */
  readonly cut?: boolean;
  readonly signal?: AbortSignal;
}

export interface OutboundAnswer {
  readonly status: number;
  /** After redirects. */
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** @throws OutboundRefused, whatever went wrong. */
export type Outbound = (request: OutboundRequest) => Promise<OutboundAnswer>;

/** The address was not fetched. One shape for every reason, so that nobody learns about inner networks; `cause` is for the log alone. */
export class OutboundRefused extends Error {
  constructor(cause: unknown) {
    super('The address could not be fetched.', { cause });
    this.name = 'OutboundRefused';
  }
}

brand(OutboundRefused, 'OutboundRefused');
