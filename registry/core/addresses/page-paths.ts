import { own } from '../../../lib/core/objects.ts';
import { decodePercent } from '../../../lib/core/text.ts';

/** The page of the site that a URL points to. `language` is a language of the site; `page` counts from 1. */
export type Target =
  | { readonly kind: 'front'; readonly language: string; readonly page: number }
  | { readonly kind: 'post'; readonly language: string; readonly slug: string }
  | { readonly kind: 'post-id'; readonly language: string; readonly id: number }
  | {
      readonly kind: 'term';
      readonly language: string;
      readonly taxonomy: string;
      readonly slug: string;
      readonly page: number;
    }
  | { readonly kind: 'author'; readonly language: string; readonly slug: string; readonly page: number }
  | { readonly kind: 'search'; readonly language: string; readonly text: string }
  | { readonly kind: 'date'; readonly language: string; readonly date: string; readonly page: number };

/** Taxonomy by the first path segment of its archives. */
export const TAXONOMY_SEGMENTS: Readonly<Record<string, string>> = { category: 'category', tag: 'post_tag' };

type Reader = (
  groups: Readonly<Record<string, string>>,
  place: { readonly language: string; readonly page: number },
) => Target;

const FORMS: readonly (readonly [form: RegExp, read: Reader])[] = [
  [/^$/, (_groups, place) => ({ kind: 'front', ...place })],
  [
    /^(?<segment>category|tag)\/(?:[^/]+\/)*(?<slug>[^/]+)$/,
    ({ segment = '', slug = '' }, place) => ({
      kind: 'term',
      ...place,
      taxonomy: own(TAXONOMY_SEGMENTS, segment) ?? '',
      slug: encodeSlug(slug),
    }),
  ],
  [
    /^author\/(?<slug>[^/]+)$/,
    ({ slug = '' }, place) => ({ kind: 'author', ...place, slug: encodeSlug(slug) }),
  ],
  [
    /^(?<year>\d{4})(?:\/(?<month>\d{2}))?(?:\/(?<day>\d{2}))?$/,
    ({ year, month, day }, place) => ({
      kind: 'date',
      ...place,
      date: [year, month, day].filter(Boolean).join('-'),
    }),
  ],
  [/^(?<slug>[^/]+)$/, ({ slug = '' }, { language }) => ({ kind: 'post', language, slug: encodeSlug(slug) })],
];

/** The form in which a slug is stored and used in paths: percent-encoded, in lower case. */
export function encodeSlug(slug: string): string {
  return encodeURIComponent(decodeText(slug)).toLowerCase();
}

/** `/en/alpha/`; `/en/?p=3` for a post without a slug. */
export function toPostPath(post: {
  readonly language: string;
  readonly slug: string;
  readonly id: number;
}): string {
  return post.slug === '' ? `/${post.language}/?p=${post.id}` : `/${post.language}/${encodeSlug(post.slug)}/`;
}

/** `/en/author/admin/`. */
export function toAuthorPath(language: string, slug: string): string {
  return `/${language}/author/${encodeSlug(slug)}/`;
}

/** `/en/2024/01/` for `2024-01`. */
export function toDatePath(language: string, date: string): string {
  return `/${language}/${date.replaceAll('-', '/')}/`;
}

/** The suffix of an archive's path for its further pages: `page/2/`; '' for the first page. */
export function toPagePart(page: number): string {
  return page === 1 ? '' : `page/${page}/`;
}

/** A stray percent sign is part of the name. */
const decodeText = (text: string): string => decodePercent(text) ?? text;

/** The page that an http(s) URL of this site points to; null for an invalid URL, a URL on another host or an unknown form. */
export function readAddress(url: string, siteUrl: string, languages: readonly string[]): Target | null {
  const place = readPlace(url, siteUrl, languages);
  return place === null ? null : (readQuery(place) ?? readForm(place));
}

/** A place of the site: its `language` and `query`. `below`: the decoded path below the home page of the language, without outer slashes. */
export interface SitePath {
  readonly language: string;
  readonly below: string;
  readonly query: URLSearchParams;
}

/** Language and path of a URL on this site's host; null for any other. */
export function readPlace(url: string, siteUrl: string, languages: readonly string[]): SitePath | null {
  const place = toSitePath(url, siteUrl);
  if (place === null) return null;
  const [, first = '', ...rest] = place.path.split('/').map(decodeText);
  const known = languages.includes(first);
  const language = known ? first : (languages[0] ?? '');
  const below = (known ? rest : [first, ...rest]).filter((part) => part !== '').join('/');
  return { language, below, query: place.query };
}

/** The path of a home page or of one of its further pages, below the language. */
const HOME_PAGE = /^(?:page\/[1-9]\d{0,5})?$/;

function readQuery({ query, language, below }: SitePath): Target | null {
  if (!HOME_PAGE.test(below)) return null;
  const id = query.get('p') ?? query.get('page_id');
  if (id !== null && /^[1-9]\d{0,14}$/.test(id)) return { kind: 'post-id', language, id: Number(id) };
  const text = query.get('s');
  // By characters, because half of a surrogate pair cannot be encoded.
  return text === null ? null : { kind: 'search', language, text: Array.from(text).slice(0, 200).join('') };
}

/** Archives continue at `page/2` below their own path, and with `?paged=2`. Other pages are not paged. */
const PAGE = /^[1-9]\d{0,5}$/;
const PAGED = /^(?:(?<base>.+)\/)?page\/(?<page>[1-9]\d{0,5})$/;

/** The page of a list that a place may be. `path`: that of the list, below the language; `isNamed`: the number is part of the path. */
export function readPaged({ below, query }: SitePath): {
  readonly path: string;
  readonly page: number;
  readonly isNamed: boolean;
} {
  const { base = '', page = '' } = PAGED.exec(below)?.groups ?? {};
  if (page !== '') return { path: base, page: Number(page), isNamed: true };
  const paged = query.get('paged') ?? '';
  return { path: below, page: PAGE.test(paged) ? Number(paged) : 1, isNamed: false };
}

function readForm(asked: SitePath): Target | null {
  const { path, page, isNamed } = readPaged(asked);
  const place = { language: asked.language, page };
  for (const [form, read] of FORMS) {
    const match = form.exec(path);
    if (match === null) continue;
    const target = read(match.groups ?? {}, place);
    return !isNamed || 'page' in target ? target : null;
  }
  return null;
}

/** Path and query of a URL on this site's host; null for any other URL and for a URL with a user name. The scheme may differ. */
export function toSitePath(
  url: string,
  siteUrl: string,
): { readonly path: string; readonly query: URLSearchParams } | null {
  if (!URL.canParse(url) || !URL.canParse(siteUrl)) return null;
  const [address, site] = [new URL(url), new URL(siteUrl)];
  const web = address.protocol === 'http:' || address.protocol === 'https:';
  if (!web || address.host !== site.host || address.username !== '' || address.password !== '') return null;
  const base = site.pathname.replace(/\/$/, '');
  if (base !== '' && address.pathname !== base && !address.pathname.startsWith(`${base}/`)) return null;
  return { path: address.pathname.slice(base.length), query: address.searchParams };
}
