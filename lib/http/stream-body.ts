import { brand, isObject } from '../core/objects.ts';
import { writeJson } from '../json/json-document.ts';
import { checkJson } from '../json/json-loss.ts';
import { selectFields, type Selection } from './select-fields.ts';

/** How the items of a stream are written: a line of JSON each, a server-sent event each, or bytes as they are. */
export type StreamFormat = 'ndjson' | 'sse' | 'bytes';

/** One item of a stream of server-sent events (WHATWG HTML 9.2). An event without `data` is a comment, which clients ignore. */
export interface ServerEvent {
  /** Sent back by a client that reconnects, as `Last-Event-ID`. One line without NUL. */
  readonly id?: string;
  /** Name of the event; one line. Clients call it `message` if it is absent. */
  readonly event?: string;
  /** A text is sent as it is, line by line; any other value as JSON. */
  readonly data?: unknown;
  /** How long clients wait before they reconnect. Milliseconds. */
  readonly retry?: number;
  /** Sent before the event. */
  readonly comment?: string;
}

/** What a stream is, apart from its items. */
export interface StreamOptions {
  /** Media type. Default: that of the format; of bytes `application/octet-stream`. */
  readonly type?: string | null;
  /** Bytes of the whole stream, if they are known. A stream of another length is an error. Default: not known. */
  readonly length?: number | null;
}

/** The content of a response that is sent while it is made. A handler whose endpoint has one format may return the iterable itself. */
export class StreamBody<T = unknown> {
  /** The format of the stream. */
  readonly format: StreamFormat;
  /** Iterated once, and only as fast as the client reads. */
  readonly items: AsyncIterable<T>;
  /** Media type of the body. */
  readonly type: string | null;
  /** Bytes of the whole body, if they are known. */
  readonly length: number | null;

  constructor(format: StreamFormat, items: AsyncIterable<T>, { type, length }: StreamOptions = {}) {
    this.format = format;
    this.items = items;
    this.type = type === undefined ? STREAM_FORMATS[format].type : type;
    this.length = length ?? null;
  }
}

brand(StreamBody, 'StreamBody');

/** Whether a value can be iterated as a stream. */
export function isStream(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

interface Format {
  readonly type: string;
  /** Headers that a stream has unless its handler sets them. */
  readonly headers: Readonly<Record<string, string>>;
  /** Clients reconnect, so that the engine may end such a stream at any item. */
  readonly mayEnd: boolean;
  /** Sent when the handler gives no item for so many milliseconds. null: nothing can be. */
  readonly idle: { readonly text: string; readonly ms: number } | null;
  /** `fields`: those that the client asked for; null: all. @throws TypeError for an item that cannot be written */
  readonly write: (what: string, item: unknown, fields: Selection | null) => string | Uint8Array;
}

/** Proxies must pass each item on. nginx collects a response unless it is told not to. */
const UNBUFFERED = { 'X-Accel-Buffering': 'no' };

export const STREAM_FORMATS: Readonly<Record<StreamFormat, Format>> = {
  ndjson: {
    type: 'application/x-ndjson',
    headers: UNBUFFERED,
    mayEnd: false,
    idle: null,
    write: (what, item, fields) => `${toText(what, item, fields)}\n`,
  },
  sse: {
    type: 'text/event-stream',
    headers: { ...UNBUFFERED, 'Cache-Control': 'no-store' },
    mayEnd: true,
    // Servers and proxies cut idle connections, often after a minute.
    idle: { text: ':\n\n', ms: 15_000 },
    write: writeEvent,
  },
  bytes: {
    type: 'application/octet-stream',
    headers: {},
    mayEnd: false,
    idle: null,
    write(what, item) {
      if (item instanceof Uint8Array) return item;
      throw new TypeError(`${what} an item that is not a Uint8Array`);
    },
  },
};

/** JSON holds no line break outside of its texts, where they are escaped. One that is already written may be laid out. */
function toText(what: string, item: unknown, fields: Selection | null): string {
  checkJson(`${what} an item that is`, item);
  const json = writeJson(fields === null ? item : selectFields(JSON.parse(JSON.stringify(item)), fields));
  const text = typeof json === 'string' ? json : Buffer.from(json).toString();
  return /[\r\n]/.test(text) ? JSON.stringify(JSON.parse(text)) : text;
}

const LINE_END = /\r\n|\r|\n/;

const toLines = (name: string, text: string): string =>
  text
    .split(LINE_END)
    .map((line) => `${name}: ${line}\n`)
    .join('');

/** A field of one line. A line break would begin another field, which the program did not mean. */
function toLine(what: string, name: 'id' | 'event', value: unknown): string {
  if (value === undefined) return '';
  if (typeof value !== 'string' || LINE_END.test(value) || value.includes('\0'))
    throw new TypeError(`${what} an event whose ${name} must be one line of text without NUL`);
  return `${name}: ${value}\n`;
}

const MEMBERS: ReadonlySet<string> = new Set<keyof ServerEvent>(['id', 'event', 'data', 'retry', 'comment']);

function writeEvent(what: string, item: unknown, fields: Selection | null): string {
  if (!isObject(item) || Object.keys(item).some((name) => !MEMBERS.has(name)))
    throw new TypeError(
      `${what} an item that is not an event; it must be an object with some of ${[...MEMBERS].join(', ')}`,
    );
  const { id, event, data, retry, comment } = item as ServerEvent;
  if (retry !== undefined && !(Number.isSafeInteger(retry) && retry >= 0))
    throw new TypeError(`${what} an event whose retry must be a whole number of milliseconds`);
  if (comment !== undefined && typeof comment !== 'string')
    throw new TypeError(`${what} an event whose comment must be a text`);
  const text = data === undefined || typeof data === 'string' ? data : toText(what, data, fields);
  return [
    comment === undefined ? '' : toLines('', comment),
    toLine(what, 'id', id),
    toLine(what, 'event', event),
    retry === undefined ? '' : `retry: ${retry}\n`,
    text === undefined ? '' : toLines('data', text),
    '\n',
  ].join('');
}
