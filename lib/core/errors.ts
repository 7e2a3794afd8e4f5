import { describe } from './check-options.ts';
import type { Identity } from './identity.ts';
import { brand, isObject, own } from './objects.ts';
import { isHeaderValue, isToken } from './text.ts';

/**
 * Optional parts of one error response. `data`: members beside `status`. `additionalData`: sent beside `data` as
 * `additional_data`. `headers`: sent with the response, such as Retry-After.
 */
export interface ErrorDetail {
  /** Default: the message of the table. */
  readonly message?: string | undefined;
  /** Members of `data` beside `status`. */
  readonly data?: Readonly<Record<string, unknown>>;
  /** Further values of `data`, as `additional_data` of the response. */
  readonly additionalData?: readonly unknown[] | undefined;
  /** Headers of the response. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The original error, for the log. It is never sent. */
  readonly cause?: unknown;
}

/** `denied`: 401 for an anonymous caller, 403 for a known caller. */
type ErrorStatus = number | 'denied';

/** Status and default message of a code, and its headers where the detail has none. */
type ErrorRow = readonly [status: ErrorStatus, message: string, headers?: Readonly<Record<string, string>>];

function isErrorStatus(status: unknown): status is ErrorStatus {
  return status === 'denied' || (Number.isInteger(status) && Number(status) >= 400 && Number(status) <= 599);
}

/** The part of a row that is wrong, with its value; null: none is. */
function findFault(row: unknown): readonly [part: string, given: unknown] | null {
  if (!Array.isArray(row)) return ['it', row];
  const [status, message, headers] = row as readonly unknown[];
  if (!isErrorStatus(status)) return ['the status', status];
  if (typeof message !== 'string') return ['the message', message];
  if (headers === undefined) return null;
  if (!isObject(headers)) return ['the third member', headers];
  const bad = Object.entries(headers).find(([name, value]) => !isToken(name) || !isHeaderValue(value));
  return bad === undefined ? null : [`the header ${JSON.stringify(bad[0])}`, bad[1]];
}

/** @throws TypeError for anything but a row. `what`: where it stands */
function checkRow(what: string, row: unknown): asserts row is ErrorRow {
  const fault = findFault(row);
  if (fault === null) return;
  throw new TypeError(
    `${what} must be [status, message, headers?] with a status from 400 to 599 or 'denied', and headers such as { 'Retry-After': '5' }; ${fault[0]} is ${describe(fault[1])}`,
  );
}

// Shared by the errors of `createErrors`, which all calls share.
const NOTHING = Object.freeze({});

/** An error that is sent as a response. `code` is stable; the message may change. */
export class RestError extends Error {
  /** Stable code, such as `rest_no_route`. */
  readonly code: string;
  /** Status of the response. */
  readonly status: ErrorStatus;
  /** Members of `data` beside `status`. */
  readonly data: Readonly<Record<string, unknown>>;
  /** Sent as `additional_data`, if given. */
  readonly additionalData: readonly unknown[] | undefined;
  /** Headers of the response. */
  readonly headers: Readonly<Record<string, string>>;

  /** @throws TypeError for a status that is not an error status */
  constructor(code: string, row: ErrorRow, detail: ErrorDetail = {}) {
    checkRow('RestError: the second argument', row);
    const [status, message, headers = NOTHING] = row;
    // This is a response and not a bug. Nobody reads its stack, and capturing one is the expensive part. A cause keeps its own stack.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(detail.message ?? message, detail.cause === undefined ? undefined : { cause: detail.cause });
    Error.stackTraceLimit = stackTraceLimit;
    this.name = 'RestError';
    this.code = code;
    this.status = status;
    this.data = detail.data ?? NOTHING;
    this.additionalData = detail.additionalData;
    this.headers = detail.headers ?? headers;
  }
}

brand(RestError, 'RestError');

/** One row per code: status, default message, and headers if it has any. */
export type ErrorTable = Readonly<Record<string, ErrorRow>>;

/** Binds a table of codes. The returned function creates the error of one row. Without detail it returns the same frozen error each time. */
export function createErrors<T extends ErrorTable>(table: T) {
  // Creating an error costs more than most permission checks, and nearly every anonymous read is refused something.
  const plain = new Map<string, RestError>();
  for (const [code, row] of Object.entries(table)) checkRow(`createErrors: ${code}`, row);
  return (code: keyof T & string, detail?: ErrorDetail): RestError => {
    const known = detail === undefined ? plain.get(code) : undefined;
    if (known !== undefined) return known;
    const row = own<ErrorRow>(table, code);
    if (row === undefined)
      throw new TypeError(`createErrors: the table does not have the code ${JSON.stringify(code)}`);
    const error = new RestError(code, row, detail);
    if (detail === undefined) plain.set(code, Object.freeze(error));
    return error;
  };
}

const retryAfter = (seconds: number) => ({ 'Retry-After': String(seconds) });

/** The codes of the engine itself. Namespaces have their own tables. */
export const ENGINE_ERRORS = {
  rest_no_route: [404, 'No route was found matching the URL and request method.'],
  rest_wrong_method: [405, 'The route does not have this method. The header Allow lists those that it has.'],
  rest_invalid_namespace: [404, 'The specified namespace could not be found.'],
  rest_invalid_json: [400, 'Invalid JSON body passed.'],
  rest_invalid_encoding: [
    400,
    'The address holds a percent sign that is not followed by two hexadecimal digits of valid UTF-8.',
  ],
  rest_invalid_param: [400, 'Invalid parameter(s).'],
  rest_missing_callback_param: [400, 'Missing parameter(s).'],
  rest_callback_invalid: [400, 'Invalid JSONP callback function.'],
  rest_callback_disabled: [400, 'JSONP support is disabled on this site.'],
  rest_forbidden: ['denied', 'Sorry, you are not allowed to do that.'],
  rest_invalid_credentials: [401, 'The user name or application password is not correct.'],
  rest_cookie_invalid_nonce: [403, 'Cookie check failed'],
  rest_cross_site_write: [
    403,
    'The request comes from a page of another site. Such a page cannot write here unless the site trusts its origin.',
  ],
  rest_too_many_attempts: [429, 'Too many failed logins. Wait before trying again.'],
  rest_precondition_failed: [
    412,
    'The resource has changed since it was read: its ETag does not match If-Match.',
  ],
  rest_conflict: [
    409,
    'The record was changed by somebody else at the same moment. Read it again and repeat the request.',
  ],
  rest_duplicate: [409, 'Another record has the same value already.'],
  rest_uri_too_long: [414, 'The address is too long.'],
  rest_too_many_parameters: [400, 'Too many query parameters.'],
  rest_body_too_large: [413, 'The request body is too large.'],
  rest_body_timeout: [408, 'The request body did not arrive in time.'],
  rest_not_acceptable: [406, 'The response is not available in a media type that the Accept header names.'],
  rest_unsupported_media_type: [415, 'The media type of the request body is not supported.'],
  rest_invalid_multipart: [400, 'The multipart body is not complete, or is not valid.'],
  rest_answer_too_large: [
    413,
    'The response is too large. Ask for fewer items with per_page, or fewer fields with _fields.',
  ],
  rest_range_not_satisfiable: [416, 'The file has none of the bytes that Range asks for.'],
  rest_bad_request: [400, 'The request is not valid HTTP.'],
  rest_expectation_failed: [417, 'The Expect header asks for something that the server does not do.'],
  rest_headers_too_large: [431, 'The request headers are too large.'],
  rest_overloaded: [503, 'The server is busy. Try again shortly.', retryAfter(1)],
  rest_starting: [503, 'The site is starting. Try again shortly.', retryAfter(1)],
  rest_shutting_down: [503, 'The server is shutting down.', retryAfter(1)],
  rest_client_gone: [499, 'The client disconnected before the response was ready.'],
  rest_handler_timeout: [504, 'The request took too long.'],
  rest_storage_full: [507, 'The site cannot store anything more: its disk is full.'],
  rest_storage_unavailable: [
    503,
    'The storage of the site cannot be reached, or takes no writes.',
    retryAfter(5),
  ],
  rest_outcome_unknown: [
    500,
    'It is not known whether the change was made, because its storage did not confirm it. Do not simply repeat it. Send an update or a removal again with If-Match and the ETag from before: 412 tells that something was changed. Before you create a record again, look for it, for example by its slug.',
  ],
  rest_too_many_requests: [429, 'Too many requests. Wait as many seconds as Retry-After says.'],
  rest_invalid_key: [
    400,
    'Idempotency-Key must be a text in quotes of at most 255 visible ASCII characters, such as a UUID.',
  ],
  rest_key_running: [
    409,
    'A call with this Idempotency-Key is still running. Send it again shortly for its response.',
  ],
  rest_key_reused: [422, 'Another call has had this Idempotency-Key already. Use a new key for each call.'],
  rest_batch_not_allowed: [400, 'The requested route does not support batch requests.'],
  parse_path_failed: [400, 'Could not parse the path.'],
  rest_no_reference_page: [
    501,
    'The reference page needs the package "@fastify/swagger-ui", which is not installed. Beside routebook, run: npm install @fastify/swagger-ui',
  ],
  rest_internal_error: [500, 'The request could not be completed because of an error on the site.'],
} as const satisfies ErrorTable;

/** Creates an error of the engine's own table. */
export const engineError = createErrors(ENGINE_ERRORS);

/** The wire form of the body of an error response. */
export interface ErrorBody {
  /** Stable code, such as `rest_no_route`. */
  readonly code: string;
  /** For people. It may be improved. */
  readonly message: string;
  /** The status, and what else clients may need. */
  readonly data: Readonly<Record<string, unknown>> & { readonly status: number };
  /** Further values of `data`, if there are any. */
  readonly additional_data?: readonly unknown[];
}

/** The HTTP status of an error for this caller. */
export function toStatus(error: RestError, identity: Identity): number {
  if (error.status !== 'denied') return error.status;
  return identity.id === 0 ? 401 : 403;
}

/** The wire body of an error for this caller. */
export function toErrorBody(error: RestError, identity: Identity): ErrorBody {
  const body = {
    code: error.code,
    message: error.message,
    data: { status: toStatus(error, identity), ...error.data },
  };
  return error.additionalData === undefined ? body : { ...body, additional_data: error.additionalData };
}

/** 409 `rest_duplicate` for a unique key that another record has. It names these fields of the key, also in `data.fields`, and not the other record. */
export function duplicateError(fields: readonly string[], cause?: Error): RestError {
  const message =
    fields.length === 0 ? undefined : `Another record has the same ${fields.join(' and ')} already.`;
  return engineError('rest_duplicate', { message, data: { fields }, cause });
}
