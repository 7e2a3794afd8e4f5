import { engineError, RestError } from '../../core/errors.ts';
import { catchMaybe, type MaybePromise, thenMaybe } from '../../core/maybe-promise.ts';
import type { RestResponse } from '../../http/response.ts';
import type { Call } from '../../route/call.ts';
import type { EndpointDescriptor } from '../../route/descriptor.ts';
import { type CallCounts, toCallerKey } from './call-counts.ts';
import { readRate, toDeprecationHeaders, toLimitHeaders } from './terms.ts';

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
