import { engineError } from './errors.ts';
import type { Host } from './host.ts';
import { parseQuery } from './params.ts';

export interface Address {
  readonly language: string;
  /** Below the API base, decoded once, with a leading slash and without a trailing one; `/` is the base itself. */
  readonly path: string;
  /** Raw, without `?`. */
  readonly query: string;
}

/**
 * Finds language, path and query in the target of a request (`/en/cms-json/cms/v2/posts?page=2`); null when the address is
 * not one of the API. `/en/?rest_route=/cms/v2/posts` means the same. Prefix and API segment count letter for letter.
 * @throws RestError `rest_invalid_encoding`, `rest_no_route` (an encoded slash, which no route holds)
 */
export function parseAddress(host: Pick<Host, 'prefixes' | 'apiSegment'>, target: string): Address | null {
  const mark = target.indexOf('?');
  const path = mark === -1 ? target : target.slice(0, mark);
  const query = mark === -1 ? '' : target.slice(mark + 1);
  const slash = path.indexOf('/', 1);
  const language = path.slice(1, slash === -1 ? path.length : slash);
  if (!host.prefixes.includes(language)) return null;
  const rest = slash === -1 ? '' : path.slice(slash + 1);
  if (rest === '') return toRouteAddress(language, query);
  if (!rest.startsWith(host.apiSegment)) return null;
  const below = rest.slice(host.apiSegment.length);
  if (below !== '' && below[0] !== '/') return null;
  checkAscii(target);
  return { language, path: decodePath(below), query };
}

/**
 * Decodes a path once and takes one trailing slash off; '' is `/`.
 * @throws RestError `rest_invalid_encoding` (bad `%`, or NUL), `rest_no_route` (an encoded slash)
 */
export function decodePath(raw: string): string {
  const path = raw.endsWith('/') ? raw.slice(0, -1) : raw;
  if (path === '') return '/';
  if (!path.includes('%')) return path;
  // An encoded slash would let a path pass a rule of a proxy in front that a plain slash does not.
  if (/%2f/i.test(path)) throw engineError('rest_no_route');
  try {
    const decoded = decodeURIComponent(path);
    if (!decoded.includes('\0')) return decoded;
  } catch { /* URIError: answered below, like NUL */ }
  throw engineError('rest_invalid_encoding', { message: 'The path of the address is not percent-encoded UTF-8 without NUL.' });
}

/** The form for servers that can not rewrite addresses. The parameter itself is taken out, so that no route and no link shows it. */
function toRouteAddress(language: string, query: string): Address | null {
  if (!query.includes('rest_route')) return null;
  checkAscii(query);
  const route = parseQuery(query).params['rest_route'];
  if (typeof route !== 'string') return null;
  if (route !== '' && !route.startsWith('/')) throw engineError('rest_no_route');
  const kept = query.split('&').filter((pair) => pair !== 'rest_route' && !pair.startsWith('rest_route='));
  return { language, path: route.length > 1 && route.endsWith('/') ? route.slice(0, -1) : route || '/', query: kept.join('&') };
}

/** Bytes above 0x7f reach an adapter in whatever encoding the client had; only percent signs say which one it was. */
function checkAscii(text: string): void {
  if (/[^\x21-\x7e]/.test(text)) {
    throw engineError('rest_invalid_encoding', { message: 'The address holds a character outside of ASCII that is not percent-encoded.' });
  }
}
