import { changeRequest, type RestRequest } from './request.ts';
import type { WireResponse } from './host.ts';

/** The method that a caller wants where only GET and POST get through; `_method` wins over the header. null: the one that was sent. */
export function readMethod({ method, headers }: Pick<RestRequest, 'method' | 'headers'>, override: unknown): string | null {
  const wanted = typeof override === 'string' ? override : headers['x-http-method-override'];
  if (wanted === undefined || wanted === '') return null;
  // A link or picture on a foreign page must not write with the browser's stored login.
  const site = headers['sec-fetch-site'];
  const isForeign = method !== 'POST' && site !== undefined && site !== 'same-origin' && site !== 'none';
  return isForeign ? method : wanted.toUpperCase();
}

/** The address of a request with another method means different things to different callers, so that it is no longer told (`target`). */
export function overrideMethod(request: RestRequest, override: unknown): RestRequest {
  const method = readMethod(request, override);
  return method === null ? request : changeRequest(request, { method });
}

/**
 * The answer to a request that named a method of its own. Caches know the method of the request alone, and must not give the
 * answer to anybody else. The answer to HEAD has no body.
 */
export function toOverridden({ status, headers, body }: WireResponse, method: string): WireResponse {
  const others = Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'cache-control');
  return { status, headers: { ...Object.fromEntries(others), 'Cache-Control': 'no-store' }, body: method === 'HEAD' ? null : body };
}
