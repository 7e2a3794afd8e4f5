import { ANONYMOUS, type Identity } from '../core/identity.ts';
import { type Names, vendorHeader } from '../core/names.ts';

/** Headers that pages of other origins need beside those of every API. */
export interface CorsOptions {
  /** Request headers that they may send, such as `X-Key` of an authentication of the host's own. */
  readonly allow?: readonly string[];
  /** Response headers that they may read, such as `RateLimit-Remaining`. */
  readonly expose?: readonly string[];
}

/** The rules for pages of other origins, fixed for an engine. */
export interface CorsRules {
  readonly allowHeaders: string;
  readonly trustedOrigins: ReadonlySet<string>;
}

/** What the headers of one response depend on. */
interface CorsRequest {
  readonly identity: Identity;
  readonly request: { readonly method: string };
}

function toAllowHeaders(names: Names, { allow = [] }: CorsOptions): string {
  return [
    'Authorization',
    vendorHeader(names, 'Nonce'),
    'Content-Disposition',
    'Content-MD5',
    'Content-Type',
    'If-Match',
    'If-None-Match',
    ...allow,
  ].join(', ');
}

/** Fixes the rules of an engine. */
export function createCorsRules(
  names: Names,
  cors: CorsOptions,
  trustedOrigins: ReadonlySet<string>,
): CorsRules {
  // @wordpress/api-fetch sends every PUT, PATCH and DELETE as a POST with this header.
  return { allowHeaders: `${toAllowHeaders(names, cors)}, X-HTTP-Method-Override`, trustedOrigins };
}

/** A shared cache must not reuse a response for another origin, so `Vary` always includes it. */
export function toCorsHeaders(
  names: Names,
  cors: CorsOptions,
  vary: string | undefined,
): Readonly<Record<string, string>> {
  return {
    'Access-Control-Expose-Headers': [
      vendorHeader(names, 'Total'),
      vendorHeader(names, 'TotalPages'),
      'Link',
      'ETag',
      'Location',
      'Allow',
      ...(cors.expose ?? []),
    ].join(', '),
    'Access-Control-Allow-Headers': toAllowHeaders(names, cors),
    Vary: vary === undefined ? 'Origin' : `${vary}, Origin`,
  };
}

/**
 * CORS headers for the origin of the request. Credentials that a browser adds by itself must not open the responses to an
 * authenticated caller to pages of other sites. Nor may a preflight allow them requests that forms cannot send. Both are
 * only for origins that the site trusts.
 */
export function allowOrigin(
  { allowHeaders, trustedOrigins }: CorsRules,
  { identity, request }: CorsRequest,
  origin: string,
): Record<string, string> {
  const isOpen = identity.id === ANONYMOUS.id && request.method !== 'OPTIONS';
  return {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Allow-Methods': 'OPTIONS, GET, POST, PUT, PATCH, DELETE',
    'Access-Control-Allow-Headers': allowHeaders,
    ...(isOpen || trustedOrigins.has(origin) ? { 'Access-Control-Allow-Credentials': 'true' } : {}),
  };
}
