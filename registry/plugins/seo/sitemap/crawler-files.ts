import { escapeXml } from '../../../../lib/core/escape.ts';
import { createHomes } from '../../../core/addresses/homes.ts';
import type { Ports } from '../../../core/host/ports.ts';
import { servicesOf } from '../../../core/services.ts';
import type { Alternate } from '../head/alternates.ts';
import { readSeoConfig } from '../values/config.ts';
import type { Entry, EntryPlace } from './entries.ts';
import { createSitemapSources, type SitemapSource } from './sources.ts';

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
