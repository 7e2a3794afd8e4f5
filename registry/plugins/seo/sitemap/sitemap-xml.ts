import { escapeXml } from '../../../../lib/core/escape.ts';
import type { Alternate } from '../head/alternates.ts';
import type { Entry } from './entries.ts';

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
