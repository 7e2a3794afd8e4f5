import type { OptionRule } from '../core/check-options.ts';
import { isJsonType } from './media-type.ts';
import type { RestRequest } from './request.ts';

function isOrigin(value: unknown): boolean {
  return (
    typeof value === 'string' &&
    /^https?:\/\/[^*]+$/.test(value) &&
    URL.canParse(value) &&
    new URL(value).origin === value
  );
}

/** Origins whose pages may write with the credentials that a browser adds by itself. */
export const ORIGINS: OptionRule = {
  wanted:
    'a list of origins as browsers send them, such as ["https://app.example", "http://localhost:5173"]: no path, no wildcard',
  fits: (value) => Array.isArray(value) && value.every(isOrigin),
};

/** The parts of a request that show whether a page of another site may have sent it. They are known before the body is read. */
export type RequestHead = Pick<RestRequest, 'method' | 'headers' | 'query' | 'siteUrl'> &
  Partial<Pick<RestRequest, 'body'>>;

/** Values of `Sec-Fetch-Site` for requests that no page of another site caused. */
const OWN: ReadonlySet<string> = new Set(['same-origin', 'none']);

/** `null` is the origin of many pages, and of addresses without an origin. */
function isOwnOrigin(origin: string, siteUrl: string): boolean {
  return origin !== 'null' && URL.canParse(siteUrl) && new URL(siteUrl).origin === origin;
}

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Whether a page that this machine served itself, to its own user, has sent the request. */
export function isOwnLoopback(origin: string, siteUrl: string): boolean {
  return isOwnOrigin(origin, siteUrl) && LOOPBACK.has(new URL(siteUrl).hostname);
}

/**
 * Whether a browser may have sent the request because somebody followed a link, or because a page has it as the address of
 * an image. A script of a page of the site can send the same, but says so. Clients other than browsers do not send these
 * headers. Over plain HTTP browsers do not send `Sec-Fetch-Site`, and the page that was left is all that is known.
 */
export function isFollowed({ headers, siteUrl }: Pick<RestRequest, 'headers' | 'siteUrl'>): boolean {
  const { 'sec-fetch-site': site, 'sec-fetch-dest': use = 'empty', referer } = headers;
  if (site !== undefined) return site !== 'same-origin' || use !== 'empty';
  return referer !== undefined && !(URL.canParse(referer) && isOwnOrigin(new URL(referer).origin, siteUrl));
}

/** Forms send GET and POST, but never JSON. Before any other cross-origin request a browser sends a preflight. */
function canBeForm({ method, headers, body }: RequestHead): boolean {
  return (
    (method === 'POST' || method === 'GET' || method === 'HEAD') &&
    body?.kind !== 'json' &&
    !isJsonType(headers['content-type'])
  );
}

/**
 * Whether a browser may have sent the request for a page of another origin without a preflight, and with the credentials
 * that it stores for the site. Clients other than browsers send neither `Origin` nor `Sec-Fetch-Site`.
 */
export function isCrossSite(request: RequestHead, trusted: ReadonlySet<string>): boolean {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (origin !== undefined && trusted.has(origin)) return false;
  const isForeign =
    (site !== undefined && !OWN.has(site)) || (origin !== undefined && !isOwnOrigin(origin, request.siteUrl));
  return isForeign && canBeForm(request);
}

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
