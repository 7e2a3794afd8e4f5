import { engineError } from '../core/errors.ts';
import { parseQuery } from './query-string.ts';

/** Where the API stands: language prefixes and the segment behind them. */
export interface AddressSpace {
  readonly prefixes: readonly string[];
  readonly apiSegment: string;
}

/** Path and query of a target below the API base. */
export interface Target {
  /** Decoded once, with a leading slash and without a trailing one; `/` is the base itself. */
  readonly path: string;
  /** Raw, without `?`. */
  readonly query: string;
}

export interface Address extends Target {
  readonly language: string;
}

/**
 * Reads a target below the API base: `/cms/v2/posts?page=2`.
 * @throws RestError `rest_bad_request`, `rest_invalid_encoding`, `rest_no_route` (an encoded slash, which no route holds)
 */
export function parseTarget(target: string): Target {
  checkForm(target);
  checkAscii(target);
  const { path, query } = splitTarget(target);
  return { path: decodePath(path), query };
}

/**
 * Finds language, path and query in the target of an HTTP request (`/en/cms-json/cms/v2/posts?page=2`); null when the address is
 * not one of the API. `/en/?rest_route=/cms/v2/posts` means the same. Prefix and API segment count letter for letter.
 * @throws RestError as `parseTarget`
 */
export function parseAddress(host: AddressSpace, target: string): Address | null {
  checkForm(target);
  const { path, query } = splitTarget(target);
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

function splitTarget(target: string): Target {
  const mark = target.indexOf('?');
  return mark === -1 ? { path: target, query: '' } : { path: target.slice(0, mark), query: target.slice(mark + 1) };
}

/** Only the origin form of RFC 9112 3.2.1 is read. @throws RestError `rest_bad_request` */
function checkForm(target: string): void {
  if (target[0] !== '/' || target.includes('#')) {
    throw engineError('rest_bad_request', { message: 'The request target must be a path that begins with a slash, without host and fragment.' });
  }
}

/**
 * Decodes a path once and takes one trailing slash off; '' is `/`.
 * @throws RestError `rest_invalid_encoding` (bad `%`, or NUL), `rest_no_route` (an encoded slash)
 */
function decodePath(raw: string): string {
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
