import { createReadStream } from 'node:fs';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { decodePercent } from '../../lib/core/text.ts';
import { isUnchanged } from '../../lib/http/etag.ts';
import { type ByteRange, parseRange } from '../../lib/http/file-response.ts';
import { mediaTypeOf } from '../../registry/site.ts';
import type { FoundFile, MediaFiles } from '../media-files.ts';

/** A type of files that cannot be uploaded, because browsers run what is in them. */
const SVG = ['svg', 'image/svg+xml'] as const;
/** Types of the files of a program. */
const PROGRAM = [
  SVG,
  ['html', 'text/html'],
  ['js', 'text/javascript'],
  ['css', 'text/css'],
  ['json', 'application/json'],
  ['woff2', 'font/woff2'],
] as const;
/** Types that are sent with their encoding. */
const TEXTUAL = /^text\/|\+xml$/;
const UNKNOWN = 'application/octet-stream';

/** A directory whose files have addresses. */
interface Folder {
  /** Its group is the path of a file; undefined: the address lacks the slash at its end. */
  readonly address: RegExp;
  readonly headers: Readonly<Record<string, string>>;
  /** Media types by extension, beside those of uploads. */
  readonly types: ReadonlyMap<string, string>;
  /** What addresses show that the scripts of this page read, such as `posts/12`. null: they are not found. */
  readonly page: string | null;
}

/** The media library, with or without a language before it. An SVG opened by itself is a document, so a file gets no rights at all. */
export const UPLOADS: Folder = {
  address: /^(?:\/[a-z-]{2,12})?\/uploads\/(.+)$/,
  headers: { 'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox" },
  types: new Map([SVG]),
  page: null,
};

/**
 * The built editor. It holds a password of its user, so it runs no script but its own and sends nothing to other sites. Posts show
 * pictures and frames of any site, and styles of their own.
 */
export const EDITOR: Folder = {
  address: /^\/edit(?:\/(.*))?$/,
  headers: {
    'Content-Security-Policy': [
      "default-src 'self'",
      "style-src 'self' 'unsafe-inline'",
      "connect-src 'self' blob: data:",
      'img-src * data: blob:',
      'media-src * data: blob:',
      "font-src 'self' data:",
      "frame-src 'self' blob: https:",
      "object-src 'none'",
      "base-uri 'self'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'Referrer-Policy': 'same-origin',
    // A new build takes the place of the old one under the same names.
    'Cache-Control': 'no-cache',
  },
  types: new Map<string, string>(PROGRAM),
  page: 'index.html',
};

/** The media type of a file by its name; undefined: not known. */
const typeOf = (path: string, { types }: Folder): string | undefined =>
  mediaTypeOf(path) ?? types.get(path.slice(path.lastIndexOf('.') + 1));

const isHidden = (path: string): boolean => path.split('/').some((part) => part.startsWith('.'));

/** The path of a file in the folder; null: the address is none of the folder's. */
function toPath({ address }: Folder, pathname: string): string | null {
  const [all, path = ''] = address.exec(pathname) ?? [];
  return all === undefined ? null : decodePercent(path);
}

/** A file, and the path whose type it has. */
interface SentFile {
  readonly path: string;
  readonly found: FoundFile;
}

async function findSent({ folder, files }: ServedFolder, pathname: string): Promise<SentFile | null> {
  const path = toPath(folder, pathname);
  const found = path === null ? null : await files.find(path);
  if (path === null) return null;
  if (found !== null) return { path, found };
  const { page } = folder;
  if (page === null || typeOf(path, folder) !== undefined || isHidden(path)) return null;
  const shown = await files.find(page);
  return shown === null ? null : { path: page, found: shown };
}

/** Browsers must show a file as what it is. */
function headersOf(path: string, folder: Folder): Record<string, string> {
  const type = typeOf(path, folder) ?? UNKNOWN;
  return {
    ...folder.headers,
    'Content-Type': TEXTUAL.test(type) ? `${type}; charset=UTF-8` : type,
    'X-Content-Type-Options': 'nosniff',
    ...(type === UNKNOWN ? { 'Content-Disposition': 'attachment' } : {}),
  };
}

/** The tag of a file, which changes whenever the file is written. */
const toTag = ({ size, changed }: FoundFile): string =>
  `"${size.toString(36)}-${Math.trunc(changed).toString(36)}"`;

/** Status and headers of a response, and which bytes of the file it has; null for none. */
interface FileAnswer {
  readonly status: number;
  readonly headers: Record<string, string | number>;
  readonly part: ByteRange | null;
}

function toFileAnswer(
  headers: IncomingHttpHeaders,
  found: FoundFile,
  ofFile: Readonly<Record<string, string>>,
): FileAnswer {
  const tag = toTag(found);
  const { size } = found;
  const own = { ...ofFile, ETag: tag, 'Accept-Ranges': 'bytes' };
  if (isUnchanged(headers['if-none-match'], tag)) return { status: 304, headers: own, part: null };
  // A date does not tell two changes in a second apart.
  const isAsked = (headers['if-range'] ?? tag) === tag;
  const range = isAsked ? parseRange(headers.range, size) : null;
  if (range === 'unsatisfiable')
    return {
      status: 416,
      headers: { ...own, 'Content-Range': `bytes */${size}`, 'Content-Length': 0 },
      part: null,
    };
  const { first, last } = range ?? { first: 0, last: size - 1 };
  return {
    status: range === null ? 200 : 206,
    headers: {
      ...own,
      ...(range === null ? {} : { 'Content-Range': `bytes ${first}-${last}/${size}` }),
      'Content-Length': last + 1 - first,
    },
    part: size === 0 ? null : { first, last },
  };
}

/** The files of a folder. */
export interface ServedFolder {
  readonly folder: Folder;
  readonly files: Pick<MediaFiles, 'find'>;
}

/** Answers a read of a file, whole or in part. False: the address is none of a file. */
export async function sendFile(
  { method = 'GET', url = '/', headers }: IncomingMessage,
  response: ServerResponse,
  served: ServedFolder,
): Promise<boolean> {
  const isHead = method === 'HEAD';
  const isRead = isHead || method === 'GET';
  const [pathname = ''] = url.split('?', 1);
  const named = served.folder.address.exec(pathname);
  if (isRead && named !== null && named[1] === undefined) {
    // As web servers do for a directory, so that addresses in its page may be relative.
    response.writeHead(301, { Location: `${pathname}/${url.slice(pathname.length)}` }).end();
    return true;
  }
  const sent = isRead ? await findSent(served, pathname) : null;
  if (sent === null) return false;
  const { path, found } = sent;
  // Range is defined for GET only.
  const asked = isHead ? { ...headers, range: undefined } : headers;
  const { status, headers: own, part } = toFileAnswer(asked, found, headersOf(path, served.folder));
  response.writeHead(status, own);
  if (isHead || part === null) response.end();
  else await pipeline(createReadStream(found.file, { start: part.first, end: part.last }), response);
  return true;
}
