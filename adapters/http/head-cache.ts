import { ServerResponse, STATUS_CODES } from 'node:http';
import type { WireResponse } from '../../lib/http/host.ts';

/** What node does not document. Whatever else stands there is left alone. */
interface Headed {
  /** The head of an answer as it will be sent. */
  _header?: unknown;
  /** The last answer that `maxRequestsPerSocket` of the server allows: its head ends the connection. */
  maxRequestsOnConnectionReached?: unknown;
}

/** A head that stays the same but for its date, in one line of which it stands. */
const REPEATABLE = /^(HTTP\/1\.1 .*\r\nDate: )[^\r\n]*(\r\nConnection: keep-alive\r\n(?:Keep-Alive: timeout=\d+\r\n)?\r\n)$/s;

const WRITE_HEAD = ServerResponse.prototype.writeHead;

/** A head around its date. */
interface Head {
  readonly before: string;
  readonly after: string;
}

/**
 * The heads that node wrote for answers which are given again and again. Checking a dozen headers and joining them takes
 * node as long as everything that this library does for such an answer; written once, only the date changes.
 */
export class HeadCache {
  readonly #heads = new WeakMap<WireResponse, Head>();
  #second = 0;
  #date = '';

  /** Gives the answer the head that was kept for it. False: there is none, or this response is not like those it was kept from. */
  repeat(response: ServerResponse, wire: WireResponse): boolean {
    const head = this.#heads.get(wire);
    if (head === undefined || !isPlain(response) || response.statusMessage !== undefined) return false;
    response.statusCode = wire.status;
    (response as Headed)._header = `${head.before}${this.#readDate()}${head.after}`;
    return true;
  }

  /** Keeps the head that node has just written for the answer, if these names and values are all that it says: what an agent in node adds is of one request. */
  keep(response: ServerResponse, wire: WireResponse, headers: readonly string[]): void {
    const written = (response as Headed)._header;
    const [, before, after] = (typeof written === 'string' && isPlain(response) ? REPEATABLE.exec(written) : null) ?? [];
    if (before !== undefined && after !== undefined && before === toHead(wire.status, headers)) this.#heads.set(wire, { before, after });
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

/** A head as node writes it, up to its date. */
function toHead(status: number, headers: readonly string[]): string {
  let head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`;
  for (let at = 0; at < headers.length; at += 2) head += `${headers[at]}: ${headers[at + 1]}\r\n`;
  return `${head}Date: `;
}

/** Whether nobody else has a word in the head: no header of a host app, none of its functions around node's, and a connection that stays open. */
function isPlain(response: ServerResponse): boolean {
  return response.shouldKeepAlive && (response as Headed).maxRequestsOnConnectionReached !== true && response.sendDate && response.getHeaderNames().length === 0 && response.writeHead === WRITE_HEAD;
}
