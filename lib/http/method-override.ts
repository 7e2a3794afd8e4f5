import { isFollowed } from './cross-site.ts';
import type { WireResponse } from './host.ts';
import { changeRequest, type RestRequest } from './request.ts';

/** The method that a caller wants if only GET and POST can be sent. `_method` wins over the header. null: no override. */
export function readMethod(
  { method, headers, siteUrl }: Pick<RestRequest, 'method' | 'headers' | 'siteUrl'>,
  override: unknown,
): string | null {
  const wanted = typeof override === 'string' ? override : headers['x-http-method-override'];
  if (wanted === undefined || wanted === '') return null;
  // A link or an image must not write with the login that a browser adds to it.
  return method !== 'POST' && isFollowed({ headers, siteUrl }) ? method : wanted.toUpperCase();
}

/** Overrides the method. `target` is dropped, because the same address with another method is another request. */
export function overrideMethod(request: RestRequest, override: unknown): RestRequest {
  const method = readMethod(request, override);
  return method === null ? request : changeRequest(request, { method });
}

/**
 * The response to a request with an overridden method. Caches know only the method that was sent, so they must not
 * reuse the response. The response to HEAD has no body.
 */
export function toOverridden(wire: WireResponse, method: string): WireResponse {
  const { headers, body, stream, ...rest } = wire;
  const others = Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'cache-control');
  if (method === 'HEAD') void stream?.return();
  return {
    ...rest,
    headers: { ...Object.fromEntries(others), 'Cache-Control': 'no-store' },
    body: method === 'HEAD' ? null : body,
    ...(stream === undefined || method === 'HEAD' ? {} : { stream }),
  };
}
