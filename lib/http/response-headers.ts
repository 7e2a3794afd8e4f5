import { ANONYMOUS, type Identity } from '../core/identity.ts';
import type { Names } from '../core/names.ts';
import { type AddressSpace, toBaseUrl } from './address.ts';
import { allowOrigin, type CorsOptions, type CorsRules, createCorsRules, toCorsHeaders } from './cors.ts';
import type { RestRequest } from './request.ts';

/** Headers that an engine sends in addition to those that HTTP needs. Default: none of them. */
export interface HeaderOptions {
  /** Headers of every response, such as `{ 'X-Robots-Tag': 'noindex' }`. */
  readonly always?: Readonly<Record<string, string>>;
  /** Pages of every origin may read what anonymous callers may. `{ allow: ['X-Key'], expose: ['RateLimit-Remaining'] }` names headers of your own. */
  readonly cors?: boolean | CorsOptions;
  /** `Link` to the index, with the relation `apiRelation` of the names. */
  readonly apiLink?: boolean;
  /** `Allow` on every response of a route. It asks the permission functions of all its endpoints. */
  readonly allow?: boolean;
  /** `ETag` on every read, made from its body, so that `If-None-Match` is answered with 304. */
  readonly etag?: boolean;
}

/** The rules for the headers of all responses of one engine, fixed when it is created. */
export interface HeadRules {
  readonly addresses: AddressSpace;
  /** Headers of every response. */
  readonly common: Readonly<Record<string, string>>;
  /**
   * The headers of a JSON response to an anonymous caller: of one that has none of its own, and of an error. Shared, so that an
   * adapter can write them once. null: they also depend on the address.
   */
  readonly json: {
    readonly plain: Readonly<Record<string, string>>;
    readonly error: Readonly<Record<string, string>>;
  } | null;
  /** Pages of every origin may read what anonymous callers may. `{ allow: ['X-Key'], expose: ['RateLimit-Remaining'] }` names headers of your own. */
  readonly cors: CorsRules | null;
  /** Path of the index and relation of the link to it. null: no link. */
  readonly apiLink: { readonly path: string; readonly relation: string } | null;
  readonly etag: boolean;
}

/** The facts about an engine that its headers show. `index`: path of the index. */
interface HeadFacts {
  readonly names: Names;
  readonly addresses: AddressSpace;
  readonly index: string;
  readonly trustedOrigins: ReadonlySet<string>;
}

/** What the headers of one response depend on. */
export interface HeadRequest {
  readonly identity: Identity;
  readonly request: Pick<RestRequest, 'method' | 'headers'> &
    Partial<Pick<RestRequest, 'siteUrl' | 'language'>>;
}

export const JSON_TYPE = 'application/json; charset=UTF-8';

/** The own headers of an error that has no others: its form depends on `Accept`. */
export const ERROR_HEADERS: Readonly<Record<string, string>> = Object.freeze({ Vary: 'Accept' });

/** Responses to an authenticated caller are private. */
const PRIVATE = 'no-cache, must-revalidate, max-age=0, no-store, private';

/** The value of a header that is a list, from two sources. */
function join(one: string | undefined, other: string | undefined): string | undefined {
  return one === undefined || other === undefined ? (one ?? other) : `${one}, ${other}`;
}

function toShared(common: HeadRules['common']): HeadRules['json'] {
  const plain = Object.freeze({ ...common, 'Content-Type': JSON_TYPE });
  return {
    plain,
    error: Object.freeze({ ...plain, Vary: join(common['Vary'], ERROR_HEADERS['Vary']) as string }),
  };
}

/** Fixes the rules of an engine. */
export function createHeadRules(
  { always = {}, cors = false, apiLink = false, etag = false }: HeaderOptions,
  { names, addresses, index, trustedOrigins }: HeadFacts,
): HeadRules {
  const own = cors === true ? {} : cors;
  const common = { ...always, ...(own === false ? {} : toCorsHeaders(names, own, always['Vary'])) };
  return {
    addresses,
    etag,
    common,
    json: apiLink || addresses.prefixes.length > 0 ? null : toShared(common),
    cors: own === false ? null : createCorsRules(names, own, trustedOrigins),
    apiLink: apiLink ? { path: index, relation: names.apiRelation } : null,
  };
}

/** The headers that show where the API is. They need an address that could be read. */
function addPlace(
  headers: Record<string, string>,
  { addresses, apiLink }: HeadRules,
  { siteUrl, language }: HeadRequest['request'],
): void {
  if (siteUrl === undefined || language === undefined) return;
  if (apiLink !== null)
    headers['Link'] = join(
      headers['Link'],
      `<${toBaseUrl(addresses, { siteUrl, language })}${apiLink.path}>; rel="${apiLink.relation}"`,
    ) as string;
  if (addresses.prefixes.length > 0) headers['Content-Language'] = language;
}

/** Whether there is any header. Quicker than `Object.keys`, which makes a list. */
export function hasMembers(headers: Readonly<Record<string, string>>): boolean {
  for (const _name in headers) return true;
  return false;
}

/** The headers of a response: those of every response, those of the caller, and its own. `type` null: there is no body. */
export function toHeaders(
  rules: HeadRules,
  asked: HeadRequest,
  { type, own }: { readonly type: string | null; readonly own: Readonly<Record<string, string>> },
): Readonly<Record<string, string>> {
  const { identity, request } = asked;
  const { origin } = request.headers;
  if (rules.json !== null && type === JSON_TYPE && origin === undefined && identity.id === ANONYMOUS.id) {
    if (own === ERROR_HEADERS) return rules.json.error;
    if (!hasMembers(own)) return rules.json.plain;
  }
  // Not with spread syntax: adding members to such a copy takes V8 ten times as long.
  const headers: Record<string, string> = Object.assign({}, rules.common);
  addPlace(headers, rules, request);
  if (origin !== undefined && rules.cors !== null)
    Object.assign(headers, allowOrigin(rules.cors, asked, origin));
  if (identity.id !== ANONYMOUS.id) headers['Cache-Control'] = PRIVATE;
  if (type !== null) headers['Content-Type'] = type;
  const { Link: link, Vary: vary } = headers;
  Object.assign(headers, own);
  if (own['Vary'] !== undefined) headers['Vary'] = join(vary, own['Vary']) as string;
  if (own['Link'] !== undefined) headers['Link'] = join(link, own['Link']) as string;
  return headers;
}
