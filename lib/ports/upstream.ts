import { createErrors, type ErrorTable } from '../core/errors.ts';

/** One request to a configured service. */
export interface UpstreamRequest {
  readonly method: string;
  /** Begins with a slash, without query; joined to the configured base. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text and bytes are sent as they are, any other value as JSON. */
  readonly body?: unknown;
  /** Milliseconds for the whole exchange. Default 10,000. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

export interface UpstreamAnswer {
  readonly status: number;
  /** Names in lower case, without those that concern one connection and without cookies. */
  readonly headers: Readonly<Record<string, string>>;
  /** At most 2 MiB. */
  readonly body: Uint8Array;
}

export interface Upstream {
  /** Configured base address of a service, or null when it is not connected. */
  origin(service: string): string | null;
  /** @throws RestError `service_not_connected` 503, `service_timeout` 504, `service_bad_response` 502 (the network failed). */
  request(service: string, request: UpstreamRequest): Promise<UpstreamAnswer>;
}

export const UPSTREAM_ERRORS = {
  service_not_connected: [503, 'The site is not connected to this service. The host can connect it in its configuration.'],
  service_bad_response: [502, 'The connected service gave no usable answer.'],
  service_timeout: [504, 'The connected service did not answer in time.'],
} as const satisfies ErrorTable;

/** Makes an error about a connected service. `data`: `{service}`, and `upstream_status` where the service answered. */
export const upstreamError = createErrors(UPSTREAM_ERRORS);
