import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { OpenCrawlerFile } from '../../../registry/index.ts';

/** Where files for search engines come from. */
export interface CrawlerFiles {
  readonly open: OpenCrawlerFile;
  readonly siteUrl: () => string;
}

/** Answers a read of robots.txt or of a sitemap. False: the address is none of them. */
export async function sendCrawlerFile({ method = 'GET', url = '/' }: IncomingMessage, response: ServerResponse, { open, siteUrl }: CrawlerFiles): Promise<boolean> {
  const isHead = method === 'HEAD';
  const file = isHead || method === 'GET' ? await open(url.replace(/\?.*$/s, ''), siteUrl()) : null;
  if (file === null) return false;
  response.writeHead(200, { 'Content-Type': `${file.type}; charset=UTF-8`, 'X-Content-Type-Options': 'nosniff' });
  if (isHead) response.end();
  else await pipeline(Readable.from(file.text, { objectMode: false, highWaterMark: 64 * 1024 }), response);
  return true;
}
