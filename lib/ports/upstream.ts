import { createErrors, type ErrorTable } from '../core/errors.ts';

/** One request to a configured service. */
export interface UpstreamRequest {
  /** Method of the request. */
  readonly method: string;
  /** Begins with a slash and has no query. It is appended to the configured base. */
  readonly path: string;
  /** Parameters of the address. */
  readonly query?: Readonly<Record<string, string>> | undefined;
  /** Headers beside those of the service. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Strings and bytes are sent unchanged, any other value as JSON. */
  readonly body?: unknown;
  /** Time limit in milliseconds for the whole exchange. Default 10,000. */
  readonly timeoutMs?: number;
  /** Ends the request when it is aborted. */
  readonly signal?: AbortSignal | undefined;
}

/** The response of a connected service. */
export interface UpstreamAnswer {
  /** Status of the response. */
  readonly status: number;
  /** Names in lower case, without hop-by-hop headers and cookies. */
  readonly headers: Readonly<Record<string, string>>;
  /** At most 2 MiB. */
  readonly body: Uint8Array;
}

/** Sends requests to the services that the host connects. */
export interface Upstream {
  /** Configured base address of a service, or null if it is not connected. */
  origin(service: string): string | null;
  /** @throws RestError `service_not_connected` 503, `service_timeout` 504, `service_bad_response` 502 (the network failed). */
  request(service: string, request: UpstreamRequest): Promise<UpstreamAnswer>;
}

export const UPSTREAM_ERRORS = {
  service_not_connected: [
    503,
    'The site is not connected to this service. The host can connect it in its configuration.',
  ],
  service_bad_response: [502, 'The connected service did not return a usable response.'],
  service_timeout: [504, 'The connected service did not respond in time.'],
} as const satisfies ErrorTable;

/** Creates an error about a connected service. `data`: `{service}`, and `upstream_status` if the service responded. */
export const upstreamError = createErrors(UPSTREAM_ERRORS);
