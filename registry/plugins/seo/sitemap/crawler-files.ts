import { createHomes } from '../../../core/addresses/homes.ts';
import type { Ports } from '../../../core/host/ports.ts';
import { servicesOf } from '../../../core/services.ts';
import { readSeoConfig } from '../values/config.ts';
import type { Entry, EntryPlace } from './entries.ts';
import { writeSitemap, writeSitemapIndex } from './sitemap-xml.ts';
import { createSitemapSources, type SitemapSource } from './sources.ts';

/** A file that search engines read. */
export interface CrawlerFile {
  /** Media type, without a charset. The text is to be sent as UTF-8. */
  readonly type: string;
  /** The text in parts, which are read from the store as they are taken. It can be read once. Rejects if the store fails. */
  readonly text: AsyncIterable<string>;
}

/**
 * Opens the file with this path: `/robots.txt`, `/sitemap.xml`, or one of the sitemaps that the latter names.
 * `siteUrl`: address of the site, without a trailing slash. null: there is no such file, or the site has no sitemaps.
 */
export type OpenCrawlerFile = (path: string, siteUrl: string) => Promise<CrawlerFile | null>;

const SITEMAP = /^\/sitemap-(?<name>[a-z0-9_-]+)-(?<part>[1-9]\d{0,10})\.xml$/;
const XML = 'application/xml';

async function* single(text: string): AsyncGenerator<string> {
  yield text;
}

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

/** Opens sitemaps and robots.txt of a site whose `config.seo.sitemaps` is true. `frontEnd`: as in `createSite`. */
export function createCrawlerFiles(ports: Ports, frontEnd: string | undefined): OpenCrawlerFile {
  const config = readSeoConfig(ports);
  if (!config.sitemaps) return () => Promise.resolve(null);
  const {
    store,
    config: { prefixes },
  } = ports;
  const { publishDue } = servicesOf(ports).schedule;
  const sources = createSitemapSources(ports, config);

  async function* listSitemaps(place: EntryPlace, pagesUrl: string): AsyncGenerator<string> {
    for (const [name, source] of sources) {
      for await (const part of source.parts())
        if ((await openPart(source, place, part)) !== null) yield `${pagesUrl}/sitemap-${name}-${part}.xml`;
    }
  }

  return async (path, siteUrl) => {
    const pagesUrl = frontEnd ?? siteUrl;
    if (path === '/robots.txt')
      return {
        type: 'text/plain',
        text: single(`User-agent: *\nDisallow:\n\nSitemap: ${pagesUrl}/sitemap.xml\n`),
      };
    const { name = '', part = '' } = SITEMAP.exec(path)?.groups ?? {};
    const source = sources.get(name);
    if (source === undefined && path !== '/sitemap.xml') return null;
    await publishDue();
    const place = { store, languages: prefixes, site: createHomes(prefixes, pagesUrl) };
    if (source === undefined) return { type: XML, text: writeSitemapIndex(listSitemaps(place, pagesUrl)) };
    const pages = await openPart(source, place, Number(part));
    return pages === null ? null : { type: XML, text: writeSitemap(pages) };
  };
}
