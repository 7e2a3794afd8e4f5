import { engineError } from '../../lib/core/errors.ts';
import { createRecord, own } from '../../lib/core/objects.ts';
import { type Address, parseAddress } from '../../lib/http/address.ts';
import { checkBodyLength, checkContentEncoding } from '../../lib/http/body.ts';
import type { Host } from '../../lib/http/host.ts';
import type { HttpLimits } from './http-limits.ts';

/** Names in lower case. */
export type HeaderMap = Readonly<Record<string, string | undefined>>;

/**
 * Returns the address of a request target; null when it does not belong to the API.
 * @throws RestError `rest_uri_too_long`, and those of `parseAddress`
 */
export function readTarget(host: Host, limits: HttpLimits, target: string): Address | null {
  if (target.length > limits.urlBytes)
    throw engineError('rest_uri_too_long', {
      message: `The address is longer than ${limits.urlBytes} bytes.`,
    });
  return parseAddress(host, target);
}

/** A host name or an address with an optional port. */
const HOST = /^(?:[\w.~%-]*|\[[\da-fA-F:.]+\])(?::\d*)?$/;
/** Stricter: what a request that is answered from the cache may name without a full check. */
export const PLAIN_HOST = /^[\w.-]+(?::\d*)?$/;

/** Returns the last valid Host header of the connection. `known`: the one before. That it was sent once, `readHeaders` checks. @throws RestError `rest_bad_request` when it is missing or invalid, or with HTTP/2 */
export function checkHost(version: string, host: string | undefined, known: string | null): string | null {
  if (host === undefined ? version === '1.0' : host === known || HOST.test(host)) return host ?? known;
  const message =
    version === '2.0'
      ? 'The server of the host app speaks HTTP/2, and this listener HTTP/1.1 alone. Serve HTTP/1.1, and let a proxy speak HTTP/2.'
      : 'The Host header is missing or is not a host name with an optional port.';
  throw engineError('rest_bad_request', { message });
}

/** Headers that must not be repeated: two values would disagree about where a request ends, who sent it or what it says. */
const SINGLE: ReadonlySet<string> = new Set([
  'authorization',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'host',
  'origin',
  'transfer-encoding',
  'x-http-method-override',
]);

/**
 * Returns headers by lower-case name, from names and values in turn. Repeated headers are joined.
 * @throws RestError `rest_headers_too_large`, `rest_bad_request` (a header was repeated that must not be)
 */
export function readHeaders(raw: readonly string[], limits: HttpLimits): HeaderMap {
  if (raw.length > limits.headerCount * 2)
    throw engineError('rest_headers_too_large', {
      message: `More than ${limits.headerCount} headers were sent.`,
    });
  const headers = createRecord<string>();
  let bytes = 0;
  for (let at = 0; at < raw.length; at += 2) {
    const name = (raw[at] ?? '').toLowerCase();
    const value = raw[at + 1] ?? '';
    const known = own(headers, name);
    bytes += name.length + value.length + 4;
    if (known === undefined) headers[name] = value;
    else if (SINGLE.has(name))
      throw engineError('rest_bad_request', { message: `The header ${name} was sent more than once.` });
    else headers[name] = `${known}${name === 'cookie' ? ';' : ','} ${value}`;
  }
  if (bytes > limits.headerBytes)
    throw engineError('rest_headers_too_large', {
      message: `The headers are larger than ${limits.headerBytes} bytes.`,
    });
  return headers;
}

/** Whether the headers of a message announce a body (RFC 9112 6.3). */
export function announcesBody(headers: HeaderMap): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/**
 * Refuses a body that can be refused by its headers alone. `maxBytes` null: the endpoint has its own limit.
 * @throws RestError `rest_body_too_large`, `rest_unsupported_media_type` (compressed), `rest_bad_request` (Transfer-Encoding other than chunked)
 */
export function checkBodyHeaders(headers: HeaderMap, maxBytes: number | null): void {
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') {
    throw engineError('rest_bad_request', { message: 'Transfer-Encoding must be chunked.' });
  }
  if (maxBytes !== null) checkBodyLength(headers, maxBytes);
  checkContentEncoding(headers['content-encoding']);
}
