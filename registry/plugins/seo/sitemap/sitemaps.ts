import { findInBatches, findFirst, and, gt, lte } from '../../../../lib/index.ts';
import {
  escapeXml,
  listPostHomes,
  pause,
  type Ports,
  publishedOf,
  toAddressSources,
} from '../../../plugin.ts';
import { type Alternate, linkVersions } from '../head/canonical.ts';
import type { SeoConfig } from '../values/config.ts';
import { toDefault } from '../values/page-context.ts';
import {
  type Entry,
  type EntryPlace,
  type ListedRecords,
  toEntries,
  toListedPosts,
  toListedTerms,
} from './entries.ts';

/** Limits of one sitemap (sitemaps.org, protocol 0.9). */
const MAX_ENTRIES = 50_000;
const MAX_BYTES = 50 * 1024 * 1024;
/** Bytes of an element that names an address: its markup, a home page of 50 bytes and the longest slug. */
const ADDRESS_BYTES = 320;

/** Number of entries of one sitemap, for a site with so many languages. Each entry may name a version in each of them, and the default one. */
export function toPartSize(languages: number): number {
  const links = languages < 2 ? 0 : languages + 1;
  return Math.min(MAX_ENTRIES, Math.floor(MAX_BYTES / (ADDRESS_BYTES * (1 + links))));
}

/** The pages of one kind, in numbered parts. Each part is one sitemap. */
interface SitemapSource {
  /** Numbers of the parts that may have entries, ascending. */
  parts(): AsyncIterable<number>;
  /** The entries of a part, some at a time; never an empty list. */
  entries(place: EntryPlace, part: number): AsyncIterable<readonly Entry[]>;
}

/** Records that are read at once. */
const PAGE = 100;

/** A part holds the records of a range of ids, so that a part is found without counting those before it. */
function createRecordSource({ store, config }: Ports, listed: ListedRecords): SitemapSource {
  const size = toPartSize(config.prefixes.length);
  const { collection, where, fields } = listed;
  return {
    async *parts() {
      for (let after = 0; ; await pause()) {
        const next = await findFirst(store, {
          collection,
          where: and(where, gt('id', after)),
          fields: [],
        });
        if (next === undefined) return;
        const part = Math.ceil(next.id / size);
        yield part;
        after = part * size;
      }
    },
    async *entries(place, part) {
      const within = and(gt('id', (part - 1) * size), lte('id', part * size), where);
      for await (const records of findInBatches(store, { collection, where: within, fields, limit: PAGE })) {
        const entries = await toEntries(place, listed, records);
        if (entries.length > 0) yield entries;
        await pause();
      }
    },
  };
}

/** The home pages that list posts. A page that is a home page is listed with the records of its type. */
function createHomeSource(ports: Ports, postTypes: readonly string[]): SitemapSource {
  const sources = toAddressSources(ports);
  return {
    async *parts() {
      yield 1;
    },
    async *entries({ languages, site }, part) {
      const listing = part === 1 ? await listPostHomes(sources, languages, publishedOf(postTypes)) : [];
      if (listing.length === 0) return;
      const urls = Object.fromEntries(listing.map((language) => [language, `${site.home(language)}/`]));
      const alternates = linkVersions(urls, toDefault({ languages }, urls));
      yield Object.values(urls).map((url) => ({ url, modified: '', alternates }));
    },
  };
}

/** The sources by the name in the addresses of their sitemaps: `home`, `posts-post`, `terms-category`. */
export function createSitemapSources(
  ports: Ports,
  { postTypes, taxonomies }: SeoConfig,
): ReadonlyMap<string, SitemapSource> {
  const { content } = ports;
  return new Map([
    ['home', createHomeSource(ports, postTypes)],
    ...postTypes
      .flatMap((name) => content.types.get(name) ?? [])
      .map((type) => [`posts-${type.name}`, createRecordSource(ports, toListedPosts(ports, type))] as const),
    ...taxonomies
      .flatMap((name) => content.taxonomies.get(name) ?? [])
      .map(
        (taxonomy) =>
          [`terms-${taxonomy.name}`, createRecordSource(ports, toListedTerms(ports, taxonomy))] as const,
      ),
  ]);
}

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';
const SITEMAPS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

const toLink = ({ hreflang, href }: Alternate): string =>
  `<xhtml:link rel="alternate" hreflang="${escapeXml(hreflang)}" href="${escapeXml(href)}"/>\n`;

function toUrl({ url, modified, alternates }: Entry): string {
  const lastmod = modified === '' ? '' : `<lastmod>${escapeXml(modified)}</lastmod>`;
  return `<url><loc>${escapeXml(url)}</loc>${lastmod}${alternates.length === 0 ? '' : '\n'}${alternates.map(toLink).join('')}</url>\n`;
}

/** Writes a sitemap while its entries are read. */
export async function* writeSitemap(pages: AsyncIterable<readonly Entry[]>): AsyncGenerator<string> {
  yield `${DECLARATION}<urlset ${SITEMAPS} xmlns:xhtml="http://www.w3.org/1999/xhtml">\n`;
  for await (const entries of pages) yield entries.map(toUrl).join('');
  yield '</urlset>\n';
}

/** Writes the index of sitemaps while their addresses are found. */
export async function* writeSitemapIndex(urls: AsyncIterable<string>): AsyncGenerator<string> {
  yield `${DECLARATION}<sitemapindex ${SITEMAPS}>\n`;
  for await (const url of urls) yield `<sitemap><loc>${escapeXml(url)}</loc></sitemap>\n`;
  yield '</sitemapindex>\n';
}

/** The entries of a part; null if it has none. A sitemap without entries would not be valid. */
export async function openPart(
  source: SitemapSource,
  place: EntryPlace,
  part: number,
): Promise<AsyncIterable<readonly Entry[]> | null> {
  const pages = source.entries(place, part)[Symbol.asyncIterator]();
  const first = await pages.next();
  if (first.done === true) return null;
  return (async function* resume() {
    yield first.value;
    yield* { [Symbol.asyncIterator]: () => pages };
  })();
}
