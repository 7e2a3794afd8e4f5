import { connect, type Socket } from 'node:net';

/** A response. `null`: the connection broke before it was complete. */
export interface Answer {
  readonly status: number;
  readonly retryAfter: string | null;
}

const HEAD_END = '\r\n\r\n';
/** One buffer for all sockets of the process, because each read is parsed before the next one. */
const READ_BUFFER = Buffer.allocUnsafe(64 * 1024);

/** Maximum idle time of a reused connection. The server closes it after 5 s, which could cross with a request. */
const KEPT_MS = 4000;

/** A keep-alive connection with one request at a time. It parses the head of a response and counts the bytes of its body. */
export class KeptSocket {
  readonly #port: number;
  #socket: Socket | null = null;
  #take: ((answer: Answer | null) => void) | null = null;
  #head = '';
  /** Remaining bytes of the body; -1: the head is incomplete. */
  #left = -1;
  #answer: Answer | null = null;
  /** Whether the server announced that it closes the connection after this response. */
  #isLast = false;
  #usedAt = 0;

  constructor(port: number) {
    this.#port = port;
  }

  /** Opens the connection unless it is open. */
  open(): Promise<void> {
    if (this.#socket !== null) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const onread = {
        buffer: READ_BUFFER,
        callback: (length: number): boolean => {
          this.#read(READ_BUFFER.subarray(0, length));
          return true;
        },
      };
      const socket = connect({ port: this.#port, host: '127.0.0.1', noDelay: true, onread }, () => resolve());
      this.#socket = socket;
      socket.on('error', reject);
      socket.on('close', () => {
        if (socket !== this.#socket) return;
        this.#socket = null;
        this.#finish(null);
      });
    });
  }

  /** Never rejects. */
  async send(message: string): Promise<Answer | null> {
    if (performance.now() - this.#usedAt > KEPT_MS) this.close();
    try {
      await this.open();
    } catch {
      return null;
    }
    return new Promise((resolve) => {
      this.#take = resolve;
      this.#head = '';
      this.#left = -1;
      if (this.#socket === null) this.#finish(null);
      else this.#socket.write(message);
    });
  }

  close(): void {
    this.#socket?.destroy();
    this.#socket = null;
    this.#isLast = false;
  }

  #read(chunk: Buffer): void {
    let size = chunk.length;
    if (this.#left === -1) {
      const before = this.#head.length;
      this.#head += chunk.toString('latin1');
      const end = this.#head.indexOf(HEAD_END);
      if (end === -1) return;
      size -= end + HEAD_END.length - before;
      this.#readHead(this.#head.slice(0, end));
    }
    this.#left -= size;
    if (this.#left <= 0) this.#finish(this.#answer);
  }

  #readHead(head: string): void {
    this.#left = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
    this.#answer = {
      status: Number(head.slice(9, 12)),
      retryAfter: /\r\nretry-after: ([^\r]+)/i.exec(head)?.[1] ?? null,
    };
    this.#isLast = /\r\nconnection: close/i.test(head);
  }

  #finish(answer: Answer | null): void {
    const take = this.#take;
    this.#take = null;
    this.#usedAt = performance.now();
    if (this.#isLast) this.close();
    take?.(answer);
  }
}
