import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { chooseType } from '../../lib/http/media-type.ts';
import { createRequest, type Engine, renamePath } from '../../lib/index.ts';
import type { FindArchive, FindRoute, OpenDocument, WrittenDocument } from '../../registry/site.ts';
import type { Answer } from './page-answer.ts';
import { toApiLanguage, toHomePath } from './page-texts.ts';
import { readPageNumber, toFirstPage } from './shown-posts.ts';

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

const MARKDOWN = 'text/markdown';
const ENDING = '.md';

/** Where the pages of addresses are found. */
interface PageFinders {
  readonly siteUrl: () => string;
  readonly findRoute: FindRoute;
  readonly findArchive: FindArchive;
}

/** An address of the site. `perPage`: records on a page of a list. */
interface AskedMarkdown {
  readonly pathname: string;
  readonly language: string;
  readonly perPage: number;
}

/** Whether a visitor wants Markdown rather than a page: by `Accept`, or by an address that ends with `.md`. */
export const wantsMarkdown = (accept: string | undefined, pathname: string): boolean =>
  pathname.endsWith(ENDING) ||
  (accept?.includes(MARKDOWN) === true && chooseType(accept, ['text/html', MARKDOWN]) === MARKDOWN);

/** The request to the API that shows what is at the address: a record, an archive, or the newest posts. null: none of these. */
async function toTarget(
  engine: Engine,
  { siteUrl, findRoute, findArchive }: PageFinders,
  { pathname, language, perPage }: AskedMarkdown,
): Promise<string | null> {
  const plain = pathname.endsWith(ENDING) ? pathname.slice(0, -ENDING.length) : pathname;
  const path = plain === '/' ? toHomePath(engine, language) : plain;
  for (const address of plain === pathname ? [path] : [`${path}/`, path]) {
    const route = await findRoute(address, siteUrl());
    if (route !== null) return route;
    const archive = await findArchive(address, siteUrl());
    const [list, ...others] = archive?.lists ?? [];
    if (archive !== null && list !== undefined && others.length === 0)
      return `${list}${list.includes('?') ? '&' : '?'}page=${archive.page}&per_page=${perPage}`;
  }
  const isHome = toFirstPage(path) === `/${language}/` && engine.prefixes.includes(language);
  return isHome ? `/cms/v2/posts?ignore_sticky=false&page=${readPageNumber(path)}&per_page=${perPage}` : null;
}

/** What is at the address of a page, as Markdown. null: it has none, so that a visitor gets the page. */
export async function showMarkdown(
  engine: Engine,
  finders: PageFinders,
  place: AskedMarkdown,
): Promise<Answer | null> {
  const target = await toTarget(engine, finders, place);
  if (target === null) return null;
  const { status, headers, body } = await engine.serve(
    createRequest(renamePath(engine.names, target), {
      language: toApiLanguage(engine, place.language),
      siteUrl: finders.siteUrl(),
      headers: { accept: MARKDOWN },
    }),
  );
  return status === 200 && headers['Content-Type']?.startsWith(MARKDOWN) === true && body !== null
    ? { status, type: MARKDOWN, text: Buffer.from(body).toString() }
    : null;
}
