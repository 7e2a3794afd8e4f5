import { connect, type Socket } from 'node:net';

/** Status of a response and, if requested, its body. */
export interface Received {
  readonly status: number;
  readonly headers: string;
  readonly body: string;
}

interface Waiting {
  readonly wantsBody: boolean;
  readonly isHead: boolean;
  readonly resolve: (received: Received) => void;
  readonly reject: (error: Error) => void;
}

const HEAD_END = '\r\n\r\n';
/** Maximum number of bytes per read. */
const READ_SIZE = 64 * 1024;
const LAST_CHUNK = '\r\n0\r\n\r\n';

/**
 * A keep-alive connection that sends one request at a time and parses as little of the response as possible. A client that
 * uses more processor time than the servers would measure itself. Reconnects when the server has closed the connection.
 */
export class Connection {
  readonly #port: number;
  #socket: Socket | null = null;
  #waiting: Waiting | null = null;
  #pending: Buffer = Buffer.alloc(0);
  /** Remaining bytes; -1: the head is incomplete; -2: until the last chunk. */
  #left = -1;
  #head = '';
  #parts: Buffer[] = [];
  #closes = false;

  constructor(port: number) {
    this.#port = port;
  }

  send(
    request: string | Buffer,
    { wantsBody = false, isHead = false }: { wantsBody?: boolean; isHead?: boolean } = {},
  ): Promise<Received> {
    return new Promise((resolve, reject) => {
      this.#waiting = { wantsBody, isHead, resolve, reject };
      this.#left = -1;
      this.#parts = [];
      this.#open().write(request);
    });
  }

  close(): void {
    this.#socket?.destroy();
    this.#socket = null;
  }

  #open(): Socket {
    if (this.#socket !== null && !this.#closes) return this.#socket;
    this.close();
    this.#closes = false;
    // One buffer for all reads, because a new one per chunk would cost more than reading it.
    const onread = {
      buffer: Buffer.allocUnsafe(READ_SIZE),
      callback: (length: number, buffer: Uint8Array): boolean => {
        this.#take((buffer as Buffer).subarray(0, length));
        return true;
      },
    };
    const socket = connect({ port: this.#port, host: '127.0.0.1', noDelay: true, onread });
    socket.on('error', (error) => this.#waiting?.reject(error));
    socket.on('close', () => {
      if (socket === this.#socket)
        this.#waiting?.reject(new Error('the connection was closed before the response was complete'));
    });
    this.#socket = socket;
    return socket;
  }

  #take(chunk: Buffer): void {
    let rest = chunk;
    if (this.#left === -1) {
      const all = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
      const end = all.indexOf(HEAD_END);
      if (end === -1) {
        this.#pending = Buffer.from(all);
        return;
      }
      this.#pending = Buffer.alloc(0);
      this.#readHead(all.toString('latin1', 0, end));
      rest = all.subarray(end + HEAD_END.length);
    }
    if (this.#waiting?.wantsBody === true || this.#left === -2) this.#parts.push(Buffer.from(rest));
    if (this.#left === -2) {
      if (Buffer.concat(this.#parts).subarray(-LAST_CHUNK.length).toString('latin1') === LAST_CHUNK)
        this.#finish();
      return;
    }
    this.#left -= rest.length;
    if (this.#left <= 0) this.#finish();
  }

  #readHead(head: string): void {
    this.#head = head;
    const lower = head.toLowerCase();
    this.#closes = lower.includes('\r\nconnection: close');
    const at = lower.indexOf('\r\ncontent-length: ');
    const status = this.#status();
    if (this.#waiting?.isHead === true || status === 304 || status === 204) this.#left = 0;
    else if (at !== -1) this.#left = Number.parseInt(lower.slice(at + 18, at + 30), 10);
    else this.#left = -2;
  }

  #status(): number {
    return Number(this.#head.slice(9, 12));
  }

  #finish(): void {
    const waiting = this.#waiting;
    this.#waiting = null;
    this.#left = -1;
    waiting?.resolve({
      status: this.#status(),
      headers: this.#head,
      body: waiting.wantsBody ? Buffer.concat(this.#parts).toString() : '',
    });
  }
}
