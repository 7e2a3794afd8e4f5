import type { OptionRule } from '../core/check-options.ts';
import { engineError, type RestError } from '../core/errors.ts';
import { OWN_LANGUAGE } from '../core/language-code.ts';
import { own } from '../core/objects.ts';
import { invalidParam } from '../schema/invalid.ts';
import { parseQuery } from './query-string.ts';
import type { RestRequest } from './request.ts';

/** The parameter that names the language of an address without a prefix, in every dialect. */
const LANGUAGE = 'lang';

/** Where the API is: its language prefixes, and the path after them. */
export interface AddressSpace {
  /** Empty: no language stands in the address. */
  readonly prefixes: readonly string[];
  /** '' or a path without a trailing slash: `/cms-json`. */
  readonly base: string;
  /** The parameter of the API that names a language. It and `lang` choose the language of an address without a prefix. */
  readonly languageParam?: string | null;
}

/** Path and query of a target below the API base. */
export interface Target {
  /** Decoded once, with a leading slash and without a trailing one. `/` is the base itself. */
  readonly path: string;
  /** Not decoded, without `?`. */
  readonly query: string;
}

export interface Address extends Target {
  readonly language: string;
}

/**
 * Parses a target below the API base: `/cms/v2/posts?page=2`.
 * @throws RestError `rest_bad_request`, `rest_invalid_encoding`, `rest_no_route` (an encoded slash, which no route contains)
 */
export function parseTarget(target: string): Target {
  checkForm(target);
  checkAscii(target);
  const { path, query } = splitTarget(target);
  return { path: decodePath(path), query };
}

/**
 * Finds language, path and query in the target of an HTTP request (`/en/cms-json/cms/v2/posts?page=2`); null if the address does
 * not belong to the API. `/en/?rest_route=/cms/v2/posts` is equivalent. Without a prefix (`/cms-json/cms/v2/posts?lang=fr`), a
 * parameter names the language. Prefix and base are case-sensitive.
 * @throws RestError as `parseTarget`; `rest_invalid_param` for a language that is not a prefix
 */
export function parseAddress(space: AddressSpace, target: string): Address | null {
  checkForm(target);
  const { prefixes, base } = space;
  const { path, query } = splitTarget(target);
  if (prefixes.length === 0)
    return toAddress(target, { language: OWN_LANGUAGE, path: cutBase(base, path), query });
  if (base !== '' && (path === '/' || path.startsWith(base))) return toDefaultAddress(space, target);
  const slash = path.indexOf('/', 1);
  const language = path.slice(1, slash === -1 ? path.length : slash);
  if (!prefixes.includes(language)) return null;
  const rest = slash === -1 ? '' : path.slice(slash);
  if (base !== '' && (rest === '' || rest === '/')) return toRouteAddress(language, query);
  return toAddress(target, { language, path: cutBase(base, rest), query });
}

/** Absolute address of the base of the API, in the language of a request. */
export function toBaseUrl(
  { prefixes, base }: AddressSpace,
  { siteUrl, language }: Pick<RestRequest, 'siteUrl' | 'language'>,
): string {
  return prefixes.length === 0 ? siteUrl + base : `${siteUrl}/${language}${base}`;
}

/** An address without a prefix. null: it does not belong to the API. */
function toDefaultAddress(space: AddressSpace, target: string): Address | null {
  const { path, query } = splitTarget(target);
  const address =
    path === '/'
      ? toRouteAddress('', query)
      : toAddress(target, { language: '', path: cutBase(space.base, path), query });
  return address === null ? null : { ...address, language: chooseLanguage(space, query) };
}

/** The language that a parameter names, else the default. @throws RestError `rest_invalid_param` */
function chooseLanguage({ prefixes, languageParam = null }: AddressSpace, query: string): string {
  const { params } = parseQuery(query);
  const named = [LANGUAGE, languageParam ?? LANGUAGE].map((name) => own(params, name));
  const language = prefixes.find((prefix) => named.includes(prefix));
  // The route checks its own parameter, which may name a language that has no prefix.
  if (language === undefined && named[0] !== undefined && languageParam !== LANGUAGE) {
    const message = `${LANGUAGE} is not one of ${prefixes.join(', ')}.`;
    throw invalidParam(LANGUAGE, message, 'rest_not_in_enum');
  }
  return language ?? prefixes[0] ?? OWN_LANGUAGE;
}

/** The path below the base. null: it is not below the base. */
function cutBase(base: string, path: string): string | null {
  if (!path.startsWith(base)) return null;
  const below = path.slice(base.length);
  return below === '' || below[0] === '/' ? below : null;
}

function toAddress(
  target: string,
  { language, path, query }: Omit<Address, 'path'> & { readonly path: string | null },
): Address | null {
  if (path === null) return null;
  checkAscii(target);
  return { language, path: decodePath(path), query };
}

function splitTarget(target: string): Target {
  const mark = target.indexOf('?');
  return mark === -1
    ? { path: target, query: '' }
    : { path: target.slice(0, mark), query: target.slice(mark + 1) };
}

/** Only the origin form of RFC 9112 3.2.1 is accepted. @throws RestError `rest_bad_request` */
function checkForm(target: string): void {
  if (target[0] !== '/' || target.includes('#')) {
    throw engineError('rest_bad_request', {
      message: 'The request target must be a path that begins with a slash, without a host or fragment.',
    });
  }
}

/**
 * Decodes a path once and removes one trailing slash; '' becomes `/`.
 * @throws RestError `rest_invalid_encoding` (bad `%`, or NUL), `rest_no_route` (an encoded slash)
 */
function decodePath(raw: string): string {
  const path = raw.endsWith('/') ? raw.slice(0, -1) : raw;
  if (path === '') return '/';
  if (!path.includes('%')) return path;
  // An encoded slash could bypass a path rule of a reverse proxy.
  if (/%2f/i.test(path)) throw engineError('rest_no_route');
  try {
    const decoded = decodeURIComponent(path);
    if (!decoded.includes('\0')) return decoded;
  } catch {
    /* URIError: answered below, like NUL */
  }
  throw engineError('rest_invalid_encoding', {
    message: 'The path of the address must be percent-encoded UTF-8 without NUL.',
  });
}

/** The form for servers that cannot rewrite addresses. The parameter itself is removed, so that no route and no link shows it. */
function toRouteAddress(language: string, query: string): Address | null {
  if (!query.includes('rest_route')) return null;
  checkAscii(query);
  const route = parseQuery(query).params['rest_route'];
  if (typeof route !== 'string') return null;
  if (route !== '' && !route.startsWith('/')) throw engineError('rest_no_route');
  const kept = query.split('&').filter((pair) => pair !== 'rest_route' && !pair.startsWith('rest_route='));
  return {
    language,
    path: route.length > 1 && route.endsWith('/') ? route.slice(0, -1) : route || '/',
    query: kept.join('&'),
  };
}

/** The encoding of bytes above 0x7f is unknown: clients may send any. Only percent-encoding is unambiguous. */
export function toEncodingError(): RestError {
  return engineError('rest_invalid_encoding', {
    message: 'The address contains a non-ASCII character that is not percent-encoded.',
  });
}

function checkAscii(text: string): void {
  if (/[^\x21-\x7e]/.test(text)) throw toEncodingError();
}

const ADDRESS = /^https?:\/\/[^\s?#@\\]*[^\s?#@\\/]$/i;

/** Whether a string is the absolute URL of a site, without a trailing slash. */
export function isSiteUrl(text: string): boolean {
  return ADDRESS.test(text) && URL.canParse(text);
}

/** The absolute URL of a site. */
export const SITE_ADDRESS: OptionRule = {
  wanted: 'an absolute URL without a trailing slash, such as "https://www.example.org"',
  fits: (value) => typeof value === 'string' && isSiteUrl(value),
};
