import { brand } from '../core/objects.ts';

/** One outbound request. */
export interface OutboundRequest {
  /** Address, `http` or `https`. */
  readonly url: string;
  /** Default GET. Redirects of a POST are not followed. */
  readonly method?: 'GET' | 'HEAD' | 'POST';
  /** The body of a POST. */
  readonly body?: string;
  /** Further headers, in lower case. They are sent only to the origin of `url`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Only checks the address and those that its name has, and sends nothing. The answer has the status 0. */
  readonly checkOnly?: boolean;
  /** Media types that the response may have. An empty list allows any. Default: HTML, JSON and XML. */
  readonly accept?: readonly string[];
  /** Time limit in milliseconds for the whole exchange, including redirects. Default 5000. */
  readonly timeoutMs?: number;
  /** Largest body in bytes. Default 150 KiB. */
  readonly maxBytes?: number;
  /** Truncate a longer body to `maxBytes` instead of refusing it. */
  readonly cut?: boolean;
  /** Value of the header `Authorization`. It is sent only to the origin of `url`, and not to another one after a redirect. */
  readonly authorization?: string | undefined;
  /** Ends the request when it is aborted. */
  readonly signal?: AbortSignal | undefined;
}

/** The response to an outbound request. */
export interface OutboundAnswer {
  /** Status of the response. */
  readonly status: number;
  /** The address after redirects. */
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The complete body. */
  readonly body: Uint8Array;
}

/** @throws OutboundRefused for every failure. */
export type Outbound = (request: OutboundRequest) => Promise<OutboundAnswer>;

/** The address was not fetched. The message is the same for every reason, so that it reveals nothing about internal networks. `cause` is only for the log; a RestError says why no address can be fetched now, and may be sent. */
export class OutboundRefused extends Error {
  /** What is wrong with the address itself, for the caller who chose it, with nothing that only a look at the network tells; '' if nothing is. */
  readonly fault: string;

  constructor(cause: unknown, fault = '') {
    super('The address could not be fetched.', { cause });
    this.name = 'OutboundRefused';
    this.fault = fault;
  }
}

brand(OutboundRefused, 'OutboundRefused');
