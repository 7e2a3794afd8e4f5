import { and, eq, type Predicate, type StoredRecord } from '../../../../lib/index.ts';
import {
  type ContentType,
  createHomes,
  type DocumentWrite,
  escapeMarks,
  escapeXml,
  listPostHomes,
  own,
  pause,
  type Ports,
  publishedOf,
  servicesOf,
  toAddressSources,
  toPlainText,
} from '../../../plugin.ts';
import { type Alternate, linkVersions } from '../head/canonical.ts';
import { readSeoConfig, type SeoConfig } from '../values/config.ts';
import { toDefault } from '../values/page-context.ts';
import { toText } from '../values/scalars.ts';
import {
  createListedPosts,
  createListedTerms,
  type Entry,
  type EntryPlace,
  type ListedRecords,
  toEntries,
} from './entries.ts';

/** Most records of a type in the file. A model reads it whole. */
const MOST = 100;
/** Characters of an excerpt. */
const EXCERPT = 200;

const toLine = (html: string): string => toPlainText(html).replaceAll(/\s+/g, ' ').trim();

function toItem(record: StoredRecord, url: string): string {
  const excerpt = toLine(toText(record['excerpt']));
  const short = excerpt.length > EXCERPT ? `${excerpt.slice(0, EXCERPT).trimEnd()}…` : excerpt;
  const title = escapeMarks(toLine(toText(record['title'])) || url);
  return `- [${title}](${url})${short === '' ? '' : `: ${escapeMarks(short)}`}`;
}

/** The newest records of a type in the default language that search engines may list. */
async function* listType(ports: Ports, place: EntryPlace, type: ContentType): AsyncGenerator<string> {
  const listed = createListedPosts(ports)(type);
  const [language = ''] = place.languages;
  const { records } = await ports.store.find({
    collection: 'posts',
    where: and(listed.where, eq('language', language)),
    order: [{ field: 'date_gmt', direction: 'desc' }],
    limit: MOST,
    fields: [...listed.fields, 'title', 'excerpt', 'date_gmt'],
  });
  const open = new Set((await toEntries(place, listed, records)).map(({ url }) => url));
  const urlOf = await listed.loadUrls(records, place.site);
  const items = records.flatMap((record) => {
    const url = urlOf(record);
    return open.has(url) ? [toItem(record, url)] : [];
  });
  if (items.length > 0) yield `\n## ${escapeMarks(type.labels.name)}\n\n${items.join('\n')}\n`;
}

/** Writes `/llms.txt` (llmstxt.org): what the site is, and its newest pages and posts in the default language. */
async function* writeLlmsFile(
  ports: Ports,
  place: EntryPlace,
  types: readonly ContentType[],
): AsyncGenerator<string> {
  const [language = ''] = place.languages;
  const { name, description } = await servicesOf(ports).settings();
  const about = toLine(own(description, language) ?? '');
  yield `# ${escapeMarks(toLine(own(name, language) ?? '') || place.site.home(language))}\n`;
  if (about !== '') yield `\n> ${escapeMarks(about)}\n`;
  for (const type of types) yield* listType(ports, place, type);
}

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

/** The records from one id to another one. */
const within = (after: number, last: number): Predicate =>
  and({ op: 'gt', field: 'id', value: after }, { op: 'lte', field: 'id', value: last });

/** A part holds the records of a range of ids, so that a part is found without counting those before it. */
function createRecordSource({ store, config }: Ports, listed: ListedRecords): SitemapSource {
  const size = toPartSize(config.prefixes.length);
  const { collection, where, fields } = listed;
  const order = [{ field: 'id', direction: 'asc' }] as const;
  return {
    async *parts() {
      for (let after = 0; ; await pause()) {
        const {
          records: [next],
        } = await store.find({
          collection,
          where: and(where, { op: 'gt', field: 'id', value: after }),
          order,
          limit: 1,
          fields: [],
        });
        if (next === undefined) return;
        const part = Math.ceil(next.id / size);
        yield part;
        after = part * size;
      }
    },
    async *entries(place, part) {
      for (let after = (part - 1) * size; ; await pause()) {
        const { records } = await store.find({
          collection,
          where: and(within(after, part * size), where),
          order,
          limit: PAGE,
          fields,
        });
        const entries = await toEntries(place, listed, records);
        if (entries.length > 0) yield entries;
        const last = records.at(-1);
        if (last === undefined || records.length < PAGE) return;
        after = last.id;
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
function createSitemapSources(
  ports: Ports,
  { postTypes, taxonomies }: SeoConfig,
): ReadonlyMap<string, SitemapSource> {
  const [toPosts, toTerms] = [createListedPosts(ports), createListedTerms(ports)];
  const { content } = ports;
  return new Map([
    ['home', createHomeSource(ports, postTypes)],
    ...postTypes
      .flatMap((name) => content.types.get(name) ?? [])
      .map((type) => [`posts-${type.name}`, createRecordSource(ports, toPosts(type))] as const),
    ...taxonomies
      .flatMap((name) => content.taxonomies.get(name) ?? [])
      .map((taxonomy) => [`terms-${taxonomy.name}`, createRecordSource(ports, toTerms(taxonomy))] as const),
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
async function* writeSitemap(pages: AsyncIterable<readonly Entry[]>): AsyncGenerator<string> {
  yield `${DECLARATION}<urlset ${SITEMAPS} xmlns:xhtml="http://www.w3.org/1999/xhtml">\n`;
  for await (const entries of pages) yield entries.map(toUrl).join('');
  yield '</urlset>\n';
}

/** Writes the index of sitemaps while their addresses are found. */
async function* writeSitemapIndex(urls: AsyncIterable<string>): AsyncGenerator<string> {
  yield `${DECLARATION}<sitemapindex ${SITEMAPS}>\n`;
  for await (const url of urls) yield `<sitemap><loc>${escapeXml(url)}</loc></sitemap>\n`;
  yield '</sitemapindex>\n';
}

const SITEMAP = /^\/sitemap-(?<name>[a-z0-9_-]+)-(?<part>[1-9]\d{0,10})\.xml$/;
const XML = 'application/xml; charset=UTF-8';
const LLMS = '/llms.txt';

/** The entries of a part; null if it has none. A sitemap without entries would not be valid. */
async function openPart(
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

/** Writes robots.txt, llms.txt, the index of sitemaps and the sitemaps that it names, from the store as they are taken. `frontEnd`: as in `createSite`. */
export function createCrawlerFiles(ports: Ports, frontEnd: string | undefined): DocumentWrite {
  const {
    store,
    config: { prefixes },
  } = ports;
  const { publishDue } = servicesOf(ports).schedule;
  const seo = readSeoConfig(ports);
  const sources = createSitemapSources(ports, seo);

  async function* listSitemaps(place: EntryPlace, pagesUrl: string): AsyncGenerator<string> {
    for (const [name, source] of sources) {
      for await (const part of source.parts())
        if ((await openPart(source, place, part)) !== null) yield `${pagesUrl}/sitemap-${name}-${part}.xml`;
    }
  }

  return async ({ siteUrl }, { path }) => {
    const pagesUrl = frontEnd ?? siteUrl;
    if (path === '/robots.txt')
      return {
        type: 'text/plain; charset=UTF-8',
        body: `User-agent: *\nDisallow:\n\nSitemap: ${pagesUrl}/sitemap.xml\n`,
      };
    const { name = '', part = '' } = SITEMAP.exec(path)?.groups ?? {};
    const source = sources.get(name);
    if (source === undefined && path !== '/sitemap.xml' && path !== LLMS) return null;
    await publishDue();
    const place = { store, languages: prefixes, site: createHomes(prefixes, pagesUrl) };
    if (path === LLMS) {
      const types = seo.postTypes.flatMap((type) => ports.content.types.get(type) ?? []);
      return { type: 'text/markdown; charset=UTF-8', body: writeLlmsFile(ports, place, types) };
    }
    if (source === undefined) return { type: XML, body: writeSitemapIndex(listSitemaps(place, pagesUrl)) };
    const pages = await openPart(source, place, Number(part));
    return pages === null ? null : { type: XML, body: writeSitemap(pages) };
  };
}
