import { kindOf } from '../../core/objects.ts';
import { isHeaderName, isHeaderValue, isToken } from '../../core/text.ts';
import { RecordList } from '../../http/record-list.ts';
import { BODILESS, RawBody, RestResponse, toOwnResponse } from '../../http/response.ts';
import { isStream, STREAM_FORMATS, StreamBody } from '../../http/stream-body.ts';
import { JsonText } from '../../json/json-document.ts';
import { checkJson } from '../../json/json-loss.ts';

/** Headers that the engine also reads or writes. They are normalized, so that no header appears twice in different spellings. */
const SPELLINGS: ReadonlyMap<string, string> = new Map(
  [
    'Access-Control-Allow-Credentials',
    'Access-Control-Allow-Headers',
    'Access-Control-Allow-Methods',
    'Access-Control-Allow-Origin',
    'Access-Control-Expose-Headers',
    'Allow',
    'Cache-Control',
    'Content-Language',
    'Content-Length',
    'Content-Type',
    'ETag',
    'Link',
    'Location',
    'Vary',
    'X-Accel-Buffering',
    'X-Content-Type-Options',
    'X-Robots-Tag',
  ].map((name) => [name.toLowerCase(), name]),
);

/** Whether a value is the name of a header that a program may fill with what it likes: neither the engine nor HTTP itself uses it. */
export const isFreeHeaderName = (value: unknown): boolean =>
  isHeaderName(value) &&
  !SPELLINGS.has(String(value).toLowerCase()) &&
  !/^(?:connection|date|keep-alive|set-cookie|transfer-encoding|upgrade)$/i.test(String(value));

function checkHeader(what: string, name: string, value: unknown): void {
  if (!isToken(name))
    throw new TypeError(`${what} the header ${JSON.stringify(name)}, which is not a header name`);
  if (!isHeaderValue(value))
    throw new TypeError(
      `${what} the header ${name}: ${JSON.stringify(value)}, which must be a single line of Latin-1`,
    );
}

const toSpelling = (name: string): string => SPELLINGS.get(name.toLowerCase()) ?? name;

/** The headers in the spelling of the engine, without those that are `undefined`. Returns the same object if nothing changes. @throws TypeError for what HTTP cannot send */
export function toSendableHeaders(what: string, headers: RestResponse['headers']): RestResponse['headers'] {
  // Headers, a Map and a list: their own members are not the headers.
  if (typeof (headers as { entries?: unknown }).entries === 'function')
    throw new TypeError(
      `${what} headers that are ${kindOf(headers)}; they must be a plain object, such as Object.fromEntries(headers)`,
    );
  let isReady = true;
  for (const name in headers) {
    const value: unknown = headers[name];
    if (value !== undefined) checkHeader(what, name, value);
    isReady &&= value !== undefined && toSpelling(name) === name;
  }
  if (isReady) return headers;
  const given = Object.entries<string | undefined>(headers).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return Object.fromEntries(given.map(([name, value]) => [toSpelling(name), value]));
}

function checkRawBody(what: string, { type, content }: RawBody): void {
  if (type !== null) checkHeader(what, 'Content-Type', type);
  if (typeof content !== 'string' && !(content instanceof Uint8Array))
    throw new TypeError(`${what} a RawBody whose second argument must be a text or bytes`);
}

function checkStream(what: string, { format, items, type, length }: StreamBody): void {
  if (!Object.hasOwn(STREAM_FORMATS, format) || !isStream(items))
    throw new TypeError(
      `${what} a StreamBody that needs a format, one of ${Object.keys(STREAM_FORMATS).join(', ')}, and an async iterable`,
    );
  if (type !== null) checkHeader(what, 'Content-Type', type);
  if (length !== null && !(Number.isSafeInteger(length) && length >= 0))
    throw new TypeError(`${what} a StreamBody whose length must be a whole number of bytes`);
}

function checkContent(what: string, { content, links }: RestResponse): void {
  if (content instanceof RawBody) checkRawBody(what, content);
  else if (content instanceof StreamBody) checkStream(what, content);
  // The records of a list are checked when they are shown.
  else if (!(content instanceof RecordList || content instanceof JsonText)) checkJson(what, content);
  if (links !== null) checkJson(`${what} links with`, links);
}

/**
 * Checks that a response can be sent. This happens here, where the error message can still name the handler.
 * `what`: the handler and its endpoint. @throws TypeError for what HTTP cannot send, and for what JSON would lose
 */
export function toSendable(what: string, given: RestResponse): RestResponse {
  const response = toOwnResponse(given);
  const { status, cookies } = response;
  if (!Number.isInteger(status) || status < 200 || status > 599)
    throw new TypeError(`${what} status ${String(status)}, which must be from 200 to 599`);
  if (!Array.isArray(cookies))
    throw new TypeError(
      `${what} cookies that are ${kindOf(cookies)}; they must be a list of texts, such as ['sid=1; HttpOnly']`,
    );
  const headers = toSendableHeaders(what, response.headers);
  for (const cookie of cookies) checkHeader(what, 'Set-Cookie', cookie);
  if (!BODILESS.has(status)) checkContent(what, response);
  return headers === response.headers
    ? response
    : new RestResponse(response.content, { ...response, headers });
}
