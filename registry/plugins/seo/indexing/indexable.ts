import type { Json, StoredRecord } from '../../../../lib/index.ts';
import {
  encodeSlug,
  type PageTarget,
  readAddress,
  readPlace,
  TAXONOMY_SEGMENTS,
  toAuthorPath,
  toDatePath,
  toPagePart,
  toPathKey,
  toPostPath,
  toSitePath,
} from '../../../plugin.ts';
import type { SeoFields } from '../values/collections.ts';
import type { ContentLink } from '../values/content-facts.ts';
import { isWebAddress } from '../values/scalars.ts';

/** Increased when the builders change what they store, so that every indexable is rebuilt. */
export const BUILDER_VERSION = 5;

/** Members of the response that no query filters by. */
type Facts = Readonly<Record<string, Json>>;

type IndexableFields = SeoFields<'seo_indexables', { readonly facts: Facts }>;

/** An indexable as stored. */
export interface Indexable extends StoredRecord, IndexableFields {}

/** An indexable that the store has returned, as the collection declares it. */
export function toIndexable(record: StoredRecord | null | undefined): Indexable {
  if (record === null || record === undefined)
    throw new TypeError('the store did not return the record of the written indexable');
  return record as Indexable;
}

/** The values of an indexable, without the counts that the link index adds. The store leaves empty what an object of its kind does not have. */
export function toValues(
  own: Partial<IndexableFields> &
    Pick<IndexableFields, 'key' | 'object_type' | 'object_sub_type' | 'language' | 'path'>,
) {
  const facts: Facts = {};
  return { is_public: true, builder_version: BUILDER_VERSION, facts, ...own };
}

export type IndexableValues = ReturnType<typeof toValues>;

type LinkType = 'internal' | 'external' | 'image-internal' | 'image-external';

/** A link as stored in the index. `path`: path of the page it points to, below the site, as `toLinkPath` writes it; '' for a link to another site. */
export interface FoundLink {
  readonly [field: string]: string;
  readonly url: string;
  readonly path: string;
  readonly type: LinkType;
}

/** The page that contains the links. `path`: its own path below the site. */
export interface LinkPage {
  readonly path: string;
  readonly siteUrl: string;
  readonly languages: readonly string[];
}

/** Path of a term without the terms above, so that links to it are equal whichever of them they name. */
export function toTermPath({
  language,
  taxonomy,
  slug,
}: Pick<Extract<PageTarget, { kind: 'term' }>, 'language' | 'taxonomy' | 'slug'>): string {
  const segment = Object.entries(TAXONOMY_SEGMENTS).find(([, name]) => name === taxonomy)?.[0] ?? taxonomy;
  return `/${language}/${segment}/${encodeSlug(slug)}/`;
}

const PATHS: { readonly [K in PageTarget['kind']]: (target: Extract<PageTarget, { kind: K }>) => string } = {
  front: ({ language, page }) => `/${language}/${toPagePart(page)}`,
  post: ({ language, slug }) => toPostPath({ language, slug, id: 0 }),
  'post-id': ({ language, id }) => toPostPath({ language, slug: '', id }),
  term: (target) => toTermPath(target) + toPagePart(target.page),
  author: ({ language, slug, page }) => toAuthorPath(language, slug) + toPagePart(page),
  search: ({ language }) => `/${language}/?s`,
  date: ({ language, date, page }) => toDatePath(language, date) + toPagePart(page),
};

function pathOf<K extends PageTarget['kind']>(
  target: Extract<PageTarget, { kind: K }> & { kind: K },
): string {
  return PATHS[target.kind](target);
}

/** The path by which links to one page of the site are equal. */
export function toLinkPath(address: string, { siteUrl, languages }: Omit<LinkPage, 'path'>): string {
  const target = readAddress(address, siteUrl, languages);
  if (target !== null) return pathOf(target);
  const place = readPlace(address, siteUrl, languages);
  return place === null ? '' : toPathKey(place);
}

function toFoundLink({ url, image }: ContentLink, { path, siteUrl, languages }: LinkPage): FoundLink | null {
  const base = `${siteUrl}${path}`;
  if (url.startsWith('#') || !URL.canParse(url, base)) return null;
  const address = new URL(url, base).href;
  if (!isWebAddress(address)) return null;
  if (toSitePath(address, siteUrl) === null)
    return { url: address, path: '', type: image ? 'image-external' : 'external' };
  if (image) return { url: address, path: '', type: 'image-internal' };
  return { url: address, path: toLinkPath(address, { siteUrl, languages }), type: 'internal' };
}

/** Links and images of a text without duplicates. Fragments, links of the page to itself and invalid URLs are left out. */
export function toFoundLinks(links: readonly ContentLink[], page: LinkPage): readonly FoundLink[] {
  const found = links.map((link) => toFoundLink(link, page)).filter((link) => link !== null);
  const own = toLinkPath(`${page.siteUrl}${page.path}`, page);
  const others = found.filter(({ type, path }) => type !== 'internal' || path !== own);
  return [...new Map(others.map((link) => [`${link.type} ${link.url}`, link])).values()];
}
