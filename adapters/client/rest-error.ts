/** What an error response says. */
interface ErrorFacts {
  /** Stable code of the error. */
  readonly code: string;
  /** What went wrong. */
  readonly message: string;
  /** Status of the response. 0: there was none. */
  readonly status: number;
  /** What the error adds. */
  readonly data?: Readonly<Record<string, unknown>>;
  /** Headers of the response. */
  readonly headers?: Headers;
}

/** A response of 400 or more. `code` is stable; the message is for people. */
export class RestError extends Error {
  /** Stable code, such as `rest_no_route`. `http_502` for a response that no routebook wrote. */
  readonly code: string;
  /** Status of the response. 0: the call did not run. */
  readonly status: number;
  /** Members of `data`. */
  readonly data: Readonly<Record<string, unknown>>;
  /** What is wrong with each parameter, by name. */
  readonly params: Readonly<Record<string, string>>;
  /** Headers of the response. */
  readonly headers: Headers;
  /** Seconds after which the call may be repeated; null: the response does not say. */
  readonly retryAfter: number | null;

  constructor({ code, message, status, data = {}, headers = new Headers() }: ErrorFacts) {
    super(message);
    this.name = 'RestError';
    this.code = code;
    this.status = status;
    this.data = data;
    this.headers = headers;
    this.retryAfter = toSeconds(headers.get('retry-after'));
    const { params = {} } = data;
    // Missing parameters are a list of names.
    this.params = Array.isArray(params)
      ? Object.fromEntries(params.map((name) => [name, message]))
      : (params as Record<string, string>);
  }
}

/** `Retry-After` is a number of seconds or a date (RFC 9110 10.2.3). */
function toSeconds(header: string | null): number | null {
  if (header === null) return null;
  const seconds = Number(header);
  const wait = Number.isNaN(seconds) ? (Date.parse(header) - Date.now()) / 1000 : seconds;
  return Number.isNaN(wait) ? null : Math.max(0, wait);
}
