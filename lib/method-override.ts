import { changeRequest, type RestRequest } from './request.ts';
import type { WireResponse } from './wire.ts';

/**
 * A caller can turn a POST into another method where only GET and POST get through; `_method` wins over the header.
 * The address of such a request means different things to different callers, so that it is no longer told (`target`).
 */
export function overrideMethod(request: RestRequest, override: unknown): RestRequest {
  const wanted = typeof override === 'string' ? override : request.headers['x-http-method-override'];
  if (wanted === undefined || wanted === '') return request;
  // A link or picture on a foreign page must not write with the browser's stored login.
  const site = request.headers['sec-fetch-site'];
  const isForeign = request.method !== 'POST' && site !== undefined && site !== 'same-origin' && site !== 'none';
  return changeRequest(request, { method: isForeign ? request.method : wanted.toUpperCase() });
}

/**
 * The answer to a request that named a method of its own. Caches know the method of the request alone, and must not give the
 * answer to anybody else. The answer to HEAD has no body.
 */
export function toOverridden({ status, headers, body }: WireResponse, method: string): WireResponse {
  const others = Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'cache-control');
  return { status, headers: { ...Object.fromEntries(others), 'Cache-Control': 'no-store' }, body: method === 'HEAD' ? null : body };
}
