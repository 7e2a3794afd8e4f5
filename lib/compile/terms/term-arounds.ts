import { engineError, RestError } from '../../core/errors.ts';
import type { Around } from '../../route/call.ts';
import type { EndpointDescriptor } from '../../route/descriptor.ts';
import type { NamedAround } from './arounds.ts';
import type { CallCounts } from './call-counts.ts';
import { toCallerKey } from './caller-key.ts';
import { readRate, toCounterKey, toDeprecationHeaders, toLimitHeaders } from './terms.ts';

type Headers = Readonly<Record<string, string>>;

/** Adds headers to the response of a call, also to an error. */
async function withHeaders(
  next: Parameters<Around>[1],
  headers: Headers,
): Promise<Awaited<ReturnType<typeof next>>> {
  try {
    const response = await next();
    const { Link: link, ...rest } = headers;
    const own = response.headers['Link'];
    return response.withHeaders(
      link === undefined ? rest : { ...rest, Link: own === undefined ? link : `${own}, ${link}` },
    );
  } catch (error) {
    throw error instanceof RestError ? addToError(error, headers) : error;
  }
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

/** The functions that run around the calls of an endpoint because of its own `limit` and `deprecated`, the innermost first. */
export function listTermArounds(
  { limit, deprecated }: EndpointDescriptor,
  { where, counts }: { readonly where: string; readonly counts: CallCounts },
): readonly NamedAround[] {
  const arounds: NamedAround[] = [];
  if (typeof deprecated === 'object')
    arounds.push({
      what: 'deprecated of the endpoint',
      around: (call, next) =>
        withHeaders(
          next,
          toDeprecationHeaders(deprecated, (path) => call.site.url(path)),
        ),
    });
  const rate = readRate(limit?.rate);
  if (limit !== undefined && rate !== null)
    arounds.push({
      what: 'limit of the endpoint',
      around: async (call, next) => {
        const taken = await counts.take(toCounterKey(where, toCallerKey(call, limit.per)), rate);
        const headers = toLimitHeaders(taken);
        if (taken.isRefused) throw engineError('rest_too_many_requests', { headers });
        return withHeaders(next, headers);
      },
    });
  return arounds;
}
