import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { OpenCrawlerFile, OpenDocument, WrittenDocument } from '../../registry/index.ts';

/** Where files for search engines come from. */
export interface CrawlerFiles {
  readonly open: OpenCrawlerFile;
  readonly openDocument: OpenDocument;
  readonly siteUrl: () => string;
}

/** The document that a read asks for: a file for search engines, or one of a plugin. null: the address is that of none. */
export async function findCrawlerFile(
  { method = 'GET', url = '/', headers }: IncomingMessage,
  { open, openDocument, siteUrl }: CrawlerFiles,
): Promise<WrittenDocument | null> {
  if (method !== 'HEAD' && method !== 'GET') return null;
  const [path = '', query = ''] = url.split(/\?(.*)/s, 2);
  const file = await open(path, siteUrl());
  if (file !== null) return { type: `${file.type}; charset=UTF-8`, body: file.text };
  return openDocument(path, {
    siteUrl: siteUrl(),
    query,
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')]),
    ),
  });
}

/** Parts of a body, whatever form it has. */
function toParts(
  body: WrittenDocument['body'],
): Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array> {
  return typeof body === 'string' || body instanceof Uint8Array ? [body] : body;
}

/** Sends a document while it is made. */
export async function sendCrawlerFile(
  { method }: IncomingMessage,
  response: ServerResponse,
  { type, body, headers }: WrittenDocument,
): Promise<void> {
  response.writeHead(200, { ...headers, 'Content-Type': type, 'X-Content-Type-Options': 'nosniff' });
  if (method === 'HEAD') response.end();
  else
    await pipeline(Readable.from(toParts(body), { objectMode: false, highWaterMark: 64 * 1024 }), response);
}
