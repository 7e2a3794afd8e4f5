import { ServerResponse, STATUS_CODES } from 'node:http';
import type { WireResponse } from '../../lib/http/host.ts';

/** Undocumented properties of Node's responses. No others are used. */
interface Headed {
  /** The head of a response as it will be sent. */
  _header?: unknown;
  /** Set on the last response that the server's `maxRequestsPerSocket` allows. Its head closes the connection. */
  maxRequestsOnConnectionReached?: unknown;
}

/** Matches a head that stays the same except for its one Date line. */
const REPEATABLE = /^(HTTP\/1\.1 .*\r\nDate: )[^\r\n]*(\r\nConnection: keep-alive\r\n(?:Keep-Alive: timeout=\d+\r\n)?\r\n)$/s;

/** The part of a head that differs between bodies. The adapter writes it last, just before the date. */
const LENGTH = /(?<=\r\nContent-Length: )\d+\r\nDate: $/;

const WRITE_HEAD = ServerResponse.prototype.writeHead;

/** The parts of a head before and after its date. */
interface Head {
  readonly before: string;
  readonly after: string;
}

/**
 * Caches the heads that Node wrote for responses that are sent repeatedly. Checking a dozen headers and joining them takes
 * Node as long as everything else that this library does for such a response. In a cached head only the date changes.
 */
export class HeadCache {
  readonly #heads = new WeakMap<WireResponse, Head>();
  /** Heads without the length of the body: headers that many responses share -> status -> head. */
  readonly #openHeads = new WeakMap<WireResponse['headers'], Map<number, Head>>();
  /** Headers that were sent once. Most are never sent again, so their heads are not read yet. */
  readonly #sent = new WeakSet<WireResponse['headers']>();
  #second = 0;
  #date = '';

  /** Applies the cached head. Returns false when none is cached, or when this response is not like those it was cached from. */
  repeat(response: ServerResponse, wire: WireResponse): boolean {
    const head = this.#heads.get(wire);
    if (head === undefined || !isPlain(response) || response.statusMessage !== undefined) return false;
    response.statusCode = wire.status;
    (response as Headed)._header = `${head.before}${this.#readDate()}${head.after}`;
    return true;
  }

  /** Caches the head that Node has just written, if it holds exactly these names and values. An instrumentation agent may add headers for one request only. */
  keep(response: ServerResponse, wire: WireResponse, headers: readonly string[]): void {
    const head = readHead(response, wire, headers);
    if (head !== null) this.#heads.set(wire, head);
  }

  /** Applies the head of responses with the same status and headers, as `repeat`. `length`: of the body. */
  fill(response: ServerResponse, { status, headers }: WireResponse, length: string): boolean {
    const head = this.#openHeads.get(headers)?.get(status);
    if (head === undefined || !isPlain(response) || response.statusMessage !== undefined) return false;
    response.statusCode = status;
    (response as Headed)._header = `${head.before}${length}\r\nDate: ${this.#readDate()}${head.after}`;
    return true;
  }

  /** Caches the head for `fill`. Only for headers that are frozen, which other responses may share. */
  keepOpen(response: ServerResponse, wire: WireResponse, headers: readonly string[]): void {
    if (!Object.isFrozen(wire.headers)) return;
    if (!this.#sent.has(wire.headers)) { this.#sent.add(wire.headers); return; }
    const head = readHead(response, wire, headers);
    if (head === null || !LENGTH.test(head.before)) return;
    const heads = this.#openHeads.get(wire.headers) ?? new Map<number, Head>();
    this.#openHeads.set(wire.headers, heads.set(wire.status, { before: head.before.replace(LENGTH, ''), after: head.after }));
  }

  #readDate(): string {
    const second = Math.trunc(Date.now() / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#date = new Date(second * 1000).toUTCString();
    }
    return this.#date;
  }
}

/** The head that Node has just written. null: it holds more than these names and values, or cannot be repeated. */
function readHead(response: ServerResponse, { status }: WireResponse, headers: readonly string[]): Head | null {
  const written = (response as Headed)._header;
  const [, before, after] = (typeof written === 'string' && isPlain(response) ? REPEATABLE.exec(written) : null) ?? [];
  return before !== undefined && after !== undefined && before === toHead(status, headers) ? { before, after } : null;
}

/** A head as Node writes it, up to its date. */
function toHead(status: number, headers: readonly string[]): string {
  let head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`;
  for (let at = 0; at < headers.length; at += 2) head += `${headers[at]}: ${headers[at + 1]}\r\n`;
  return `${head}Date: `;
}

/** Whether nothing else changes the head: the host app has set no header and wrapped no function, and the connection stays open. */
function isPlain(response: ServerResponse): boolean {
  return response.shouldKeepAlive && (response as Headed).maxRequestsOnConnectionReached !== true && response.sendDate && response.getHeaderNames().length === 0 && response.writeHead === WRITE_HEAD;
}
