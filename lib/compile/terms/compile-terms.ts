import { engineError, RestError } from '../../core/errors.ts';
import { catchMaybe, type MaybePromise, thenMaybe } from '../../core/maybe-promise.ts';
import type { RestResponse } from '../../http/response.ts';
import type { Call } from '../../route/call.ts';
import type { DeprecationDescriptor, EndpointDescriptor } from '../../route/descriptor.ts';
import { type CallCounts, type Taken, toCallerKey } from './call-counts.ts';
import { readDate, readRate } from './read-terms.ts';

type Headers = Readonly<Record<string, string>>;

/** The headers that a call gets by `limit` and `deprecated` of its endpoint. @throws RestError `rest_too_many_requests` */
export type Terms = (call: Call) => MaybePromise<Headers>;

function addToResponse(response: RestResponse, headers: Headers): RestResponse {
  const [own, link] = [response.headers['Link'], headers['Link']];
  return response.withHeaders(
    own === undefined || link === undefined ? headers : { ...headers, Link: `${own}, ${link}` },
  );
}

function addToError(error: RestError, headers: Headers): RestError {
  const { status, message, data, additionalData, cause } = error;
  return new RestError(error.code, [status, message], {
    data,
    cause,
    headers: { ...headers, ...error.headers },
    ...(additionalData === undefined ? {} : { additionalData }),
  });
}

/** Runs the rest of a call and adds headers to its response, also to an error. */
export function withTermHeaders(
  headers: Headers,
  run: () => MaybePromise<RestResponse>,
): MaybePromise<RestResponse> {
  return catchMaybe(
    () => thenMaybe(run(), (response) => addToResponse(response, headers)),
    (error) => {
      throw error instanceof RestError ? addToError(error, headers) : error;
    },
  );
}

/** The headers of a deprecated endpoint (RFC 9745, RFC 8594). `toUrl`: address of a path below the API. */
function toDeprecationHeaders(
  { since, sunset, use }: DeprecationDescriptor,
  toUrl: (path: string) => string,
): Headers {
  return {
    Deprecation: `@${readDate(since) ?? 0}`,
    ...(sunset === undefined ? {} : { Sunset: new Date(`${sunset}T00:00:00Z`).toUTCString() }),
    ...(use === undefined
      ? {}
      : { Link: `<${use.startsWith('/') ? toUrl(use) : use}>; rel="successor-version"` }),
  };
}

/** The headers of draft-ietf-httpapi-ratelimit-headers-07, which is what readers of these headers read today. */
function toLimitHeaders({ calls, seconds, remaining, reset, isRefused }: Taken): Record<string, string> {
  return {
    'RateLimit-Policy': `${calls};w=${seconds}`,
    RateLimit: `limit=${calls}, remaining=${remaining}, reset=${reset}`,
    ...(isRefused ? { 'Retry-After': String(Math.max(1, reset)) } : {}),
  };
}

/** Compiles `limit` and `deprecated` of an endpoint. null: it has neither. `where`: names it, to counters that several processes share. */
export function compileTerms(
  { limit, deprecated }: EndpointDescriptor,
  { where, counts }: { readonly where: string; readonly counts: CallCounts },
): Terms | null {
  const toDeprecated = (call: Call): Headers =>
    typeof deprecated === 'object' ? toDeprecationHeaders(deprecated, (path) => call.site.url(path)) : {};
  const rate = readRate(limit?.rate);
  if (limit === undefined || rate === null) return typeof deprecated === 'object' ? toDeprecated : null;
  return (call) =>
    thenMaybe(counts.take(`${where}\0${toCallerKey(call, limit.per)}`, rate), (taken) => {
      const headers = Object.assign(toLimitHeaders(taken), toDeprecated(call));
      if (taken.isRefused) throw engineError('rest_too_many_requests', { headers });
      return headers;
    });
}
