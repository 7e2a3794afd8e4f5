import { engineError, type ErrorBody, type RestError, toErrorBody } from '../core/errors.ts';
import { type Names, vendorHeader } from '../core/names.ts';
import { isObject } from '../core/objects.ts';
import { writeJson } from '../json/json-document.ts';
import { createChangeTag, createEtag, isUnchanged } from './etag.ts';
import type { WireResponse, WireStream } from './host.ts';
import { withoutAccept } from './media-type.ts';
import { isRead, type RestRequest } from './request.ts';
import {
  ERROR_HEADERS,
  hasMembers,
  type HeadRequest,
  type HeadRules,
  JSON_TYPE,
  toHeaders,
} from './response-headers.ts';
import { BODILESS, RawBody, type RestResponse } from './response.ts';
import { StreamBody } from './stream-body.ts';

const SCRIPT_TYPE = 'application/javascript; charset=UTF-8';

/** How to send a response. */
export interface WireOptions extends HeadRequest {
  readonly names: Names;
  readonly head: HeadRules;
  readonly envelope: boolean;
  /** Name of the JSONP callback; null: none. */
  readonly callback: string | null;
  /** Largest response body, in bytes. */
  readonly answerLimit: number;
  /** The error to send in place of a response of that many bytes. Default: the caller asked for too much. */
  readonly refuseLarge?: (size: number) => RestError;
}

interface Content {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** null: no media type. */
  readonly type: string | null;
  readonly text: string | Uint8Array;
}

/** Bytes are sent unchanged, in every requested form. */
const isRaw = ({ content }: RestResponse): boolean =>
  content instanceof RawBody || content instanceof StreamBody;

function isErrorBody(body: unknown): body is ErrorBody {
  return isObject(body) && typeof body['code'] === 'string' && isObject(body['data']);
}

/** The response as an envelope, which is JSON whatever the client accepts. */
function toEnvelope({ names }: WireOptions, response: RestResponse): object {
  const counts = new Set([vendorHeader(names, 'Total'), vendorHeader(names, 'TotalPages')]);
  const headers = Object.entries(withoutAccept(response.headers)).map(([name, value]) => [
    name,
    counts.has(name) ? Number(value) : value,
  ]);
  return { body: response.body, status: response.status, headers: Object.fromEntries(headers) };
}

function toContent(response: RestResponse, options: WireOptions): Content {
  const { status, headers, content } = response;
  if (content instanceof RawBody) return { status, headers, type: content.type, text: content.content };
  if (options.envelope)
    return { status: 200, headers: {}, type: JSON_TYPE, text: writeJson(toEnvelope(options, response)) };
  if (status >= 400 && isErrorBody(response.body)) return toErrorContent(response.body, response, options);
  return { status, headers, type: JSON_TYPE, text: writeJson(content) };
}

/** Only errors depend on `Accept`; `Vary` makes caches keep the forms apart. */
function toErrorContent(
  error: ErrorBody,
  { status, headers: own }: RestResponse,
  { request }: WireOptions,
): Content {
  const headers = hasMembers(own)
    ? { ...own, Vary: own['Vary'] === undefined ? 'Accept' : `${own['Vary']}, Accept` }
    : ERROR_HEADERS;
  if (wantsProblem(request.headers['accept']))
    return { status, headers, type: PROBLEM_TYPE, text: writeJson(toProblem(error)) };
  return { status, headers, type: JSON_TYPE, text: writeJson(error) };
}

function toScript(content: Content, callback: string): Content {
  const text = typeof content.text === 'string' ? content.text : Buffer.from(content.text).toString('utf8');
  // The comment prevents a Flash file from hiding in the response; U+2028/9 end a line in old script engines.
  const safe = text.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
  return { ...content, type: SCRIPT_TYPE, text: `/**/${callback}(${safe})` };
}

function withinBudget(content: Content, options: WireOptions): Content {
  // No UTF-16 unit takes more than three bytes, so most responses need no counting.
  if (
    content.text.length * 3 <= options.answerLimit ||
    Buffer.byteLength(content.text) <= options.answerLimit
  )
    return content;
  const error =
    options.refuseLarge?.(Buffer.byteLength(content.text)) ?? engineError('rest_answer_too_large');
  const body = toErrorBody(error, options.identity);
  return { status: body.data.status, headers: {}, type: JSON_TYPE, text: JSON.stringify(body) };
}

/** The complete response, as sent to GET: problem details, envelope, JSONP, ETag. */
export function toWire(response: RestResponse, options: WireOptions): WireResponse {
  const { status, cookies } = response;
  const wire =
    BODILESS.has(status) && !(options.envelope && !isRaw(response))
      ? {
          status,
          headers: toHeaders(options.head, options, { type: null, own: response.headers }),
          body: null,
        }
      : response.content instanceof StreamBody
        ? toStreamed(response, response.content, options)
        : toWhole(response, options);
  return cookies.length === 0 ? wire : { ...wire, cookies };
}

/** The engine has made bytes of the items. Nothing is added to them, and no tag is made of them. */
function toStreamed(
  { status, headers: own }: RestResponse,
  { type, items }: StreamBody,
  { head, ...asked }: WireOptions,
): WireResponse {
  return { status, headers: toHeaders(head, asked, { type, own }), body: null, stream: items as WireStream };
}

function toWhole(response: RestResponse, options: WireOptions): WireResponse {
  const plain = withinBudget(toContent(response, options), options);
  const content = options.callback === null || isRaw(response) ? plain : toScript(plain, options.callback);
  const headers = toHeaders(options.head, options, { type: content.type, own: content.headers });
  const etag =
    content.status < 300 && headers['ETag'] === undefined ? toEtag(content, response, options) : null;
  return {
    status: content.status,
    headers: etag === null ? headers : Object.assign({}, headers, { ETag: etag }),
    body: content.text,
  };
}

/** The tag of a response whose handler sets none: a handler knows better what its response depends on. null: it has none. */
function toEtag({ text }: Content, { version }: RestResponse, { head, request }: WireOptions): string | null {
  if (isRead(request.method)) return head.etag || version !== null ? createEtag(text, version) : null;
  return version === null ? null : createChangeTag(version);
}

/** Reduces a complete response: 304 if `If-None-Match` matches, no body for HEAD. Ends a stream that is then not sent. */
export function toAsked(
  wire: WireResponse,
  { method, headers }: Pick<RestRequest, 'method' | 'headers'>,
): WireResponse {
  const etag = wire.headers['ETag'];
  const isKnown = isRead(method) && etag !== undefined && isUnchanged(headers['if-none-match'], etag);
  if (wire.stream !== undefined && (isKnown || method === 'HEAD')) return withoutStream(wire, isKnown);
  if (isKnown) return { ...wire, status: 304, body: null };
  if (method !== 'HEAD' || wire.body === null) return wire;
  return {
    ...wire,
    headers: { ...wire.headers, 'Content-Length': String(Buffer.byteLength(wire.body)) },
    body: null,
  };
}

function withoutStream({ stream, ...wire }: WireResponse, isKnown: boolean): WireResponse {
  void stream?.return();
  if (isKnown) return { ...wire, status: 304 };
  const length = stream?.length ?? null;
  return length === null ? wire : { ...wire, headers: { ...wire.headers, 'Content-Length': String(length) } };
}

const TYPE = 'application/problem+json';
const RANGE = /(?:^|,)\s*application\/problem\+json([^,]*)/i;

/** Whether `Accept` names RFC 9457 problem details. */
export function wantsProblem(accept: string | undefined): boolean {
  const [, parameters] = RANGE.exec(accept ?? '') ?? [];
  return parameters !== undefined && !/;\s*q=0(?:\.0*)?\s*(?:;|$)/i.test(parameters);
}

/** The error as problem details, with the code and the named parameters beside the members of the RFC. */
export function toProblem({ code, message, data, ...beside }: ErrorBody): Readonly<Record<string, unknown>> {
  const { status, ...rest } = data;
  return { type: 'about:blank', title: code, status, detail: message, code, ...rest, ...beside };
}

const PROBLEM_TYPE = `${TYPE}; charset=UTF-8`;
