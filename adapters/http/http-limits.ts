/** Limits of an HTTP binding. Each one can be set. The defaults suit a small machine with or without a proxy. */
export interface HttpLimits {
  /** Longest request target, in bytes; 414 above it. Default 8 KiB. */
  readonly urlBytes: number;
  /** Size of all header lines together, in bytes; 431 above it. Default 16 KiB. */
  readonly headerBytes: number;
  /** Number of header lines; 431 above it. Default 100. */
  readonly headerCount: number;
  /** Longest request body, in bytes; 413 above it. Default 1 MiB. */
  readonly bodyBytes: number;
  /** Time until the last header line has arrived; 408 after it. Default 5 s. */
  readonly headersTimeoutMs: number;
  /** Time until the last byte of the body has arrived; 408 after it. Default 15 s. */
  readonly requestTimeoutMs: number;
  /**
   * Time for a body that its endpoint reads itself (`accepts`); 408 after it. `requestTimeoutMs` then limits how long the next
   * bytes may take. Default 5 minutes.
   */
  readonly uploadTimeoutMs: number;
  /** How long an idle connection is kept open. Default 5 s. */
  readonly keepAliveTimeoutMs: number;
  /** How often the timeouts are checked. Default 1 s. */
  readonly checkIntervalMs: number;
  /** A connection whose client takes no byte of the response for this long is cut. Default 30 s. */
  readonly stallTimeoutMs: number;
  /** Requests on one connection before it is closed. Default 1,000. */
  readonly requestsPerSocket: number;
  /** Connections at once; more are not accepted. Default 10,000. */
  readonly connections: number;
  /** Requests handled at once; 503 above it. Default 256. */
  readonly inFlight: number;
  /** Streams at once, beside the requests that are handled; 503 above it. Default 4,096. */
  readonly streams: number;
  /** Size of all request bodies that are still arriving, in bytes; 503 above it. Default 64 MiB. */
  readonly bufferedBytes: number;
  /** How long a request may wait for the event loop; 503 after it. Halved under sustained overload. Default 500 ms. */
  readonly loopDelayMs: number;
}

/** The limits of a server that is given no others. */
export const HTTP_LIMITS: HttpLimits = Object.freeze({
  urlBytes: 8 * 1024,
  headerBytes: 16 * 1024,
  headerCount: 100,
  bodyBytes: 1024 * 1024,
  headersTimeoutMs: 5000,
  requestTimeoutMs: 15_000,
  uploadTimeoutMs: 300_000,
  keepAliveTimeoutMs: 5000,
  checkIntervalMs: 1000,
  stallTimeoutMs: 30_000,
  requestsPerSocket: 1000,
  connections: 10_000,
  inFlight: 256,
  streams: 4096,
  bufferedBytes: 64 * 1024 * 1024,
  loopDelayMs: 500,
});
