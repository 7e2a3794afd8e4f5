import { engineError } from '../core/errors.ts';
import type { StoredFile } from '../ports/uploads.ts';
import type { RestRequest } from './request.ts';
import { RestResponse } from './response.ts';
import { StreamBody } from './stream-body.ts';

/** Bytes of a file from the first position up to the last one, which is included (RFC 9110 14.1.2). */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

const ONE_RANGE = /^bytes=[ \t]*(?:(\d{1,15})-(\d{0,15})|-(\d{1,15}))[ \t]*$/i;

/**
 * Reads a `Range` header for a file of so many bytes. null: the whole file, which also answers a header that is not valid, or
 * asks for several ranges. `unsatisfiable`: no byte of the file is in the range.
 */
export function parseRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | null {
  const [match, from, to, suffix] = ONE_RANGE.exec(header ?? '') ?? [];
  if (match === undefined) return null;
  if (suffix !== undefined) {
    const length = Math.min(Number(suffix), size);
    return length === 0 ? 'unsatisfiable' : { first: size - length, last: size - 1 };
  }
  const first = Number(from);
  const last = to === undefined || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (to !== undefined && to !== '' && Number(to) < first) return null;
  return first >= size ? 'unsatisfiable' : { first, last };
}

/**
 * A stored file as a response: the whole, or with 206 the one range that the request names, for downloads that go on after a
 * break. The endpoint has `streams: 'bytes'`. `type`: media type; a type that the client named when it sent the file is not
 * to be trusted, and a browser may run it. @throws RestError `rest_range_not_satisfiable`
 */
export function fileResponse(
  { method, headers: asked }: Pick<RestRequest, 'method' | 'headers'>,
  file: StoredFile,
  { type = 'application/octet-stream', headers = {} }: FileOptions = {},
): RestResponse {
  const { size, etag, storedAt } = file;
  // A date is too coarse to tell whether the part that the client has is of this file (RFC 9110 13.1.5).
  const isAsked = method === 'GET' && (asked['if-range'] ?? etag) === etag;
  const range = isAsked ? parseRange(asked['range'], size) : null;
  if (range === 'unsatisfiable')
    throw engineError('rest_range_not_satisfiable', { headers: { 'Content-Range': `bytes */${size}` } });
  const { first, last } = range ?? { first: 0, last: size - 1 };
  const own = {
    'Accept-Ranges': 'bytes',
    'Last-Modified': new Date(storedAt).toUTCString(),
    ETag: etag,
    'X-Content-Type-Options': 'nosniff',
    ...headers,
    ...(range === null ? {} : { 'Content-Range': `bytes ${first}-${last}/${size}` }),
  };
  const length = last + 1 - first;
  return new RestResponse(new StreamBody('bytes', file.read(first, last + 1), { type, length }), {
    status: range === null ? 200 : 206,
    headers: own,
  });
}

/** How a file is sent. */
export interface FileOptions {
  /** Media type. Default: `application/octet-stream`, which browsers save. */
  readonly type?: string;
  /** Further headers, such as `Content-Disposition`. */
  readonly headers?: Readonly<Record<string, string>>;
}
