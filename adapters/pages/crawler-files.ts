import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { CrawlerFile, OpenCrawlerFile } from '../../registry/index.ts';

/** Where files for search engines come from. */
export interface CrawlerFiles {
  readonly open: OpenCrawlerFile;
  readonly siteUrl: () => string;
}

/** The file for search engines that a read asks for. null: the address is that of none. */
export async function findCrawlerFile(
  { method = 'GET', url = '/' }: IncomingMessage,
  { open, siteUrl }: CrawlerFiles,
): Promise<CrawlerFile | null> {
  return method === 'HEAD' || method === 'GET' ? open(url.split('?', 1)[0] ?? '', siteUrl()) : null;
}

/** Sends such a file while it is made. */
export async function sendCrawlerFile(
  { method }: IncomingMessage,
  response: ServerResponse,
  { type, text }: CrawlerFile,
): Promise<void> {
  response.writeHead(200, { 'Content-Type': `${type}; charset=UTF-8`, 'X-Content-Type-Options': 'nosniff' });
  if (method === 'HEAD') response.end();
  else await pipeline(Readable.from(text, { objectMode: false, highWaterMark: 64 * 1024 }), response);
}
