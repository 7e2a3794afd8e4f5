import { and, desc, eq, type StoredRecord } from '../../../../lib/index.ts';
import {
  type ContentType,
  createHomes,
  type DocumentWrite,
  escapeMarks,
  own,
  type Ports,
  servicesOf,
  toPlainText,
  toPost,
} from '../../../plugin.ts';
import { readSeoConfig } from '../values/config.ts';
import { type EntryPlace, toEntries, toListedPosts } from './entries.ts';
import { createSitemapSources, openPart, writeSitemap, writeSitemapIndex } from './sitemaps.ts';

/** Most records of a type in the file. A model reads it whole. */
const MOST = 100;
/** Characters of an excerpt. */
const EXCERPT = 200;

function toItem(record: StoredRecord, url: string): string {
  const post = toPost(record);
  const excerpt = toPlainText(post.excerpt);
  const short = excerpt.length > EXCERPT ? `${excerpt.slice(0, EXCERPT).trimEnd()}…` : excerpt;
  return `- [${escapeMarks(toPlainText(post.title) || url)}](${url})${short === '' ? '' : `: ${escapeMarks(short)}`}`;
}

/** The newest records of a type in the default language that search engines may list. */
async function* listType(ports: Ports, place: EntryPlace, type: ContentType): AsyncGenerator<string> {
  const listed = toListedPosts(ports, type);
  const [language = ''] = place.languages;
  const { records } = await ports.store.find({
    collection: 'posts',
    where: and(listed.where, eq('language', language)),
    order: [desc('date_gmt')],
    limit: MOST,
    fields: [...listed.fields, 'title', 'excerpt', 'date_gmt'],
  });
  const items = (await toEntries(place, listed, records)).map(({ record, url }) => toItem(record, url));
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
  const about = toPlainText(own(description, language) ?? '');
  yield `# ${escapeMarks(toPlainText(own(name, language) ?? '') || place.site.home(language))}\n`;
  if (about !== '') yield `\n> ${escapeMarks(about)}\n`;
  for (const type of types) yield* listType(ports, place, type);
}

const SITEMAP = /^\/sitemap-(?<name>[a-z0-9_-]+)-(?<part>[1-9]\d{0,10})\.xml$/;
const XML = 'application/xml; charset=UTF-8';
const LLMS = '/llms.txt';

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
