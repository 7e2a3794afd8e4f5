import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { OpenDocument, WrittenDocument } from '../../registry/site.ts';

/** Where documents come from. */
interface Documents {
  readonly openDocument: OpenDocument;
  readonly siteUrl: () => string;
}

/** The document that a read asks for, such as a sitemap. null: the address is that of none. */
export async function findDocument(
  { method = 'GET', url = '/', headers }: IncomingMessage,
  { openDocument, siteUrl }: Documents,
): Promise<WrittenDocument | null> {
  if (method !== 'HEAD' && method !== 'GET') return null;
  const [path = '', query = ''] = url.split(/\?(.*)/s, 2);
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
export async function sendDocument(
  { method }: IncomingMessage,
  response: ServerResponse,
  { type, body, headers }: WrittenDocument,
): Promise<void> {
  response.writeHead(200, { ...headers, 'Content-Type': type, 'X-Content-Type-Options': 'nosniff' });
  if (method === 'HEAD') response.end();
  else
    await pipeline(Readable.from(toParts(body), { objectMode: false, highWaterMark: 64 * 1024 }), response);
}
