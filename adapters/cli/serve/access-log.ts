import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** One request, as the access log shows it. */
export interface Access {
  readonly time: Date;
  readonly address: string;
  readonly method: string;
  /** Path and query. Values of passwords, nonces and tokens are left out. */
  readonly target: string;
  readonly version: string;
  /** 499, as in nginx: the client closed the connection before it had the response. */
  readonly status: number;
  /** What was sent, with the headers. */
  readonly bytes: number;
  readonly milliseconds: number;
  /** As `target`. */
  readonly referer: string;
  readonly agent: string;
}

const CLOSED_BY_CLIENT = 499;
const SECRET = /password|nonce|token|secret|key|^preview$/i;

/** `23/Nov/2026:01:02:03 +0000` */
function toClock(time: Date): string {
  const [, day, month, year, clock] = time.toUTCString().split(' ');
  return `${day}/${month}/${year}:${clock} +0000`;
}

/** Whether a server reads the name as that of a secret. It decodes names: `p%61ssword` is `password`. */
const isSecret = (name: string): boolean => SECRET.test(new URLSearchParams(name).keys().next().value ?? '');

/** Name and password in front of a host. */
const USER = /^([^/]*\/\/)[^/]*@/;
/** How often a value is decoded: the address in it can have another one in a value. */
const MOST_NESTED = 3;

/** Whether a value is or holds an address with a secret: `redirect=%2F%3Fkey%3D…`. */
function holdsSecret(value: string, depth: number): boolean {
  const query = `?${new URLSearchParams(`=${value}`).get('') ?? ''}`;
  return USER.test(query.slice(1)) || redact(query, depth) !== query;
}

/** An address without the values of passwords, nonces and tokens in its query and fragment, and without the name and password of its host. */
export function redact(address: string, depth: number = MOST_NESTED): string {
  return address
    .split(/([?&;#])/)
    .map((part, index) => {
      if (index === 0) return part.replace(USER, '$1-@');
      const name = part.slice(0, part.indexOf('=') + 1);
      return isSecret(name.slice(0, -1)) || (depth > 0 && holdsSecret(part.slice(name.length), depth - 1))
        ? `${name}-`
        : part;
    })
    .join('');
}

/** Quotes, backslashes and everything that is not printable ASCII are escaped, so that a caller cannot write a line of the log. */
function quote(text: string): string {
  return `"${text === '' ? '-' : text.replaceAll(/[^ !#-[\]-~]/g, (character) => `\\x${(character.codePointAt(0) ?? 0).toString(16).padStart(2, '0')}`)}"`;
}

function toCombined({
  address,
  time,
  method,
  target,
  version,
  status,
  bytes,
  referer,
  agent,
}: Access): string {
  return `${address} - - [${toClock(time)}] ${quote(`${method} ${target} HTTP/${version}`)} ${status} ${bytes} ${quote(referer)} ${quote(agent)}`;
}

const FORMATS = {
  json: (access: Access): string => JSON.stringify(access),
  combined: toCombined,
} as const satisfies Readonly<Record<string, (access: Access) => string>>;

/** `json`: a JSON object for each request. `combined`: the format of Apache and nginx. */
export type AccessFormat = keyof typeof FORMATS;

export const ACCESS_FORMATS: readonly AccessFormat[] = ['json', 'combined'];

/** The line of a request. */
export function toAccessLine(format: AccessFormat, access: Access): string {
  return FORMATS[format](access);
}

/** Returns what the connection has sent since this was called for its last response. */
function createByteCount(): (socket: Socket | null) => number {
  const counted = new WeakMap<Socket, number>();
  return (socket) => {
    if (socket === null) return 0;
    const bytes = socket.bytesWritten - (counted.get(socket) ?? 0);
    counted.set(socket, socket.bytesWritten);
    return bytes;
  };
}

interface AccessLogOptions {
  readonly format: AccessFormat;
  readonly write: (line: string) => void;
  /** The address that a proxy names; undefined for that of the connection. */
  readonly address: (request: IncomingMessage) => string | undefined;
}

/** Writes a line for each request of the server when its response has been sent, or its connection is gone. */
export function logAccess(server: Server, { format, write, address }: AccessLogOptions): void {
  const countBytes = createByteCount();
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const [time, started, socket] = [new Date(), performance.now(), request.socket];
    // Known now: a closed connection has no address.
    const from = address(request) ?? socket.remoteAddress ?? '-';
    let bytes = 0;
    // Before Node's own listener, which sends the next response of the connection.
    response.prependListener('finish', () => {
      bytes = countBytes(socket);
    });
    response.once('close', () => {
      const { headers, method = '', url = '', httpVersion: version } = request;
      write(
        toAccessLine(format, {
          time,
          address: from,
          method,
          target: redact(url),
          version,
          status: response.writableFinished ? response.statusCode : CLOSED_BY_CLIENT,
          bytes,
          milliseconds: Math.round((performance.now() - started) * 10) / 10,
          referer: redact(headers.referer ?? ''),
          agent: headers['user-agent'] ?? '',
        }),
      );
    });
  });
}

const FLUSH_MS = 100;
const MOST_WAITING = 1 << 20;

/** Collects lines and writes them to a stream together, at most every 100 ms. Lines that a slow reader does not take are dropped and counted. */
export class LineWriter {
  readonly #stream: NodeJS.WritableStream & { readonly writableLength: number };
  #lines: string[] = [];
  #dropped = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(stream: NodeJS.WritableStream & { readonly writableLength: number }) {
    this.#stream = stream;
  }

  write(line: string): void {
    if (this.#stream.writableLength > MOST_WAITING) this.#dropped += 1;
    else this.#lines.push(line);
    this.#timer ??= setTimeout(() => this.flush(), FLUSH_MS);
  }

  /** Writes what was collected. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#dropped > 0)
      console.error(`note: ${this.#dropped} lines of the access log were dropped, because nobody reads them`);
    if (this.#lines.length > 0) this.#stream.write(`${this.#lines.join('\n')}\n`);
    [this.#lines, this.#dropped] = [[], 0];
  }
}
