/** Limits of an HTTP binding. Every one can be set; the defaults suit a small machine behind a proxy or without one. */
export interface HttpLimits {
  /** Longest request target, bytes: 414 above. Default 8 KiB. */
  readonly urlBytes: number;
  /** All header lines together, bytes: 431 above. Default 16 KiB. */
  readonly headerBytes: number;
  /** Number of header lines: 431 above. Default 100. */
  readonly headerCount: number;
  /** Longest request body, bytes: 413 above. Default 1 MiB. */
  readonly bodyBytes: number;
  /** Time until the last header line has come: 408 after. Default 5 s. */
  readonly headersTimeoutMs: number;
  /** Time until the last byte of the body has come: 408 after. Default 15 s. */
  readonly requestTimeoutMs: number;
  /** How long an idle connection is kept. Default 5 s. */
  readonly keepAliveTimeoutMs: number;
  /** How often the times are looked at. Default 1 s. */
  readonly checkIntervalMs: number;
  /** A connection that takes no byte of its answer for so long is cut. Default 30 s. */
  readonly stallTimeoutMs: number;
  /** Requests on one connection before it is closed. Default 1,000. */
  readonly requestsPerSocket: number;
  /** Connections at once; more are not accepted. Default 10,000. */
  readonly connections: number;
  /** Requests being handled at once: 503 above. Default 256. */
  readonly inFlight: number;
  /** All bodies together that are still coming, bytes: 503 above. Default 64 MiB. */
  readonly bufferedBytes: number;
  /** How long a request may wait for the event loop: 503 after. Half of it while more comes than can be done. Default 500 ms. */
  readonly loopDelayMs: number;
}

export const HTTP_LIMITS: HttpLimits = Object.freeze({
  urlBytes: 8 * 1024,
  headerBytes: 16 * 1024,
  headerCount: 100,
  bodyBytes: 1024 * 1024,
  headersTimeoutMs: 5000,
  requestTimeoutMs: 15_000,
  keepAliveTimeoutMs: 5000,
  checkIntervalMs: 1000,
  stallTimeoutMs: 30_000,
  requestsPerSocket: 1000,
  connections: 10_000,
  inFlight: 256,
  bufferedBytes: 64 * 1024 * 1024,
  loopDelayMs: 500,
});
