import { engineError } from '../core/errors.ts';
import type { WireStream } from '../http/host.ts';
import type { Selection } from '../http/select-fields.ts';
import { STREAM_FORMATS, type StreamBody } from '../http/stream-body.ts';
import type { TimeLimit } from './time-limit.ts';

/** Default of the longest time of a stream, in milliseconds. */
export const STREAM_TIMEOUT_MS = 3_600_000;
/** Default of the most bytes of a stream. */
export const STREAM_LIMIT = 2 ** 32;

/** Items of one turn of the event loop are sent together, up to about so many bytes. */
const CHUNK_BYTES = 16 * 1024;
/** How long the handler of a stream of events has for its last event when the server stops. */
const GRACE_MS = 1000;

/** What a stream is held to. */
interface StreamBounds {
  /** The limit of its call. It gets the time of the stream once the first item has come. */
  readonly limit: TimeLimit;
  /** Longest time from the first item to the last, in milliseconds. */
  readonly ms: number;
  /** Most bytes. */
  readonly bytes: number;
  /** null: all fields of an item. */
  readonly fields: Selection | null;
  /** Aborted when the server begins to stop. */
  readonly draining: AbortSignal | undefined;
  /** The handler, for messages: `… returned`. */
  readonly what: string;
  /** Logs a failure after the first byte, of which the client sees only that the connection breaks. */
  readonly fail: (error: unknown) => void;
}

const DONE = Object.freeze({ done: true, value: undefined });
const LEFT = new DOMException('Nobody reads the stream any more.', 'AbortError');

/** Somebody who waits for the next chunk. */
interface Reader {
  /** Bytes that are enough. */
  readonly most: number;
  /** `null`: there are no more. */
  readonly resolve: (chunk: Uint8Array | null) => void;
  readonly reject: (error: unknown) => void;
  /** The turn of the event loop has ended. What has come by now is not held back. */
  isLate: boolean;
}

/**
 * A stream as its bytes, pulled by an adapter. It asks the iterator for no item that nobody waits for. It ends the iterator
 * and aborts the signal of the call when the reader leaves or a limit is reached.
 */
export class ByteStream implements WireStream {
  readonly length: number | null;
  readonly #body: StreamBody;
  readonly #format: (typeof STREAM_FORMATS)[StreamBody['format']];
  readonly #bounds: StreamBounds;
  #items: AsyncIterator<unknown> | null = null;
  #isPulling = false;
  /** The iterator has ended or failed. */
  #hasAll = false;
  #failure: { readonly error: unknown } | null = null;
  /** Items that are written and not sent, and their size. */
  #parts: (string | Uint8Array)[] = [];
  #size = 0;
  #sent = 0;
  #reader: Reader | null = null;
  /** The chunk with the first item, until it is read. */
  #first: Uint8Array | null = null;
  #isOver = false;
  #end: NodeJS.Timeout | undefined;
  #idle: NodeJS.Timeout | undefined;
  #grace: NodeJS.Timeout | undefined;

  constructor(body: StreamBody, bounds: StreamBounds) {
    this.length = body.length;
    this.#body = body;
    this.#format = STREAM_FORMATS[body.format];
    this.#bounds = bounds;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Waits for the first item, so that a failure before it is an ordinary error. @throws what the iterator throws, TypeError for an item that cannot be written */
  async open(): Promise<void> {
    const { limit, ms, draining } = this.#bounds;
    this.#items = this.#body.items[Symbol.asyncIterator]();
    this.#first = await this.#read(1);
    limit.extend(ms);
    this.#end = setTimeout(() => this.#stop(engineError('rest_handler_timeout')), ms).unref();
    if (draining?.aborted === true) this.#drain();
    else draining?.addEventListener('abort', this.#drain, { once: true });
  }

  async next(): Promise<IteratorResult<Uint8Array>> {
    const first = this.#first;
    this.#first = null;
    if (first !== null) return { done: false, value: first };
    try {
      const value = this.#isOver && this.#failure === null ? null : await this.#read(CHUNK_BYTES);
      if (value !== null) return { done: false, value };
    } catch (error) {
      this.#close(error);
      throw error;
    }
    this.#close();
    return DONE;
  }

  async return(): Promise<IteratorResult<Uint8Array>> {
    this.#first = null;
    this.#close();
    return DONE;
  }

  readonly #drain = (): void => {
    if (this.#format.mayEnd) this.#grace = setTimeout(() => this.#close(), GRACE_MS).unref();
  };

  /** A limit is reached. Clients of events come back; others must see that something is missing. */
  #stop(error: Error): void {
    this.#close(this.#format.mayEnd ? undefined : error);
  }

  /** Ends the stream once, before its reader has read all of it or after it. */
  #close(error?: unknown): void {
    if (this.#isOver) return;
    const { draining, limit, fail } = this.#bounds;
    this.#isOver = true;
    clearTimeout(this.#end);
    clearTimeout(this.#grace);
    draining?.removeEventListener('abort', this.#drain);
    if (!this.#hasAll) {
      limit.abort(LEFT);
      // A generator that waits for something returns when that has come. Its end is not waited for.
      Promise.resolve(this.#items?.return?.()).catch(fail);
    }
    this.#hasAll = true;
    this.#parts = [];
    this.#size = 0;
    if (error !== undefined) {
      fail(error);
      this.#failure = { error };
    }
    this.#advance();
  }

  /** The items of this turn of the event loop, and at least one. null: there are no more. */
  #read(most: number): Promise<Uint8Array | null> {
    return new Promise((resolve, reject) => {
      const reader: Reader = { most, resolve, reject, isLate: false };
      this.#reader = reader;
      setImmediate(() => {
        reader.isLate = true;
        if (this.#reader !== reader) return;
        this.#advance();
        const { idle } = this.#format;
        if (this.#reader === reader && idle !== null)
          this.#idle = setTimeout(() => this.#add(idle.text), idle.ms);
      });
      this.#advance();
    });
  }

  /** Gives the reader what it waits for, or asks the iterator for the next item. */
  #advance(): void {
    const reader = this.#reader;
    if (reader === null) return;
    if (this.#hasAll || this.#size >= reader.most || (this.#size > 0 && reader.isLate)) this.#deliver(reader);
    else this.#pull();
  }

  #pull(): void {
    if (this.#isPulling || this.#items === null) return;
    this.#isPulling = true;
    const end = (error: unknown): void => {
      this.#hasAll = true;
      this.#failure ??= { error };
      this.#advance();
    };
    try {
      Promise.resolve(this.#items.next()).then((item) => {
        this.#isPulling = false;
        this.#take(item);
      }, end);
    } catch (error) {
      end(error);
    }
  }

  #take({ done = false, value }: IteratorResult<unknown>): void {
    const { what, fields } = this.#bounds;
    // Nobody reads what comes after the end.
    if (this.#isOver) return;
    if (done) {
      this.#hasAll = true;
      this.#advance();
      return;
    }
    try {
      this.#add(this.#format.write(what, value, fields));
    } catch (error) {
      if (this.#reader === null) this.#close(error);
      else this.#reader.reject(error);
    }
  }

  #add(part: string | Uint8Array): void {
    this.#parts.push(part);
    this.#size += part.length;
    this.#advance();
  }

  #deliver({ resolve, reject }: Reader): void {
    this.#reader = null;
    clearTimeout(this.#idle);
    try {
      const chunk = joinParts(this.#parts);
      this.#parts = [];
      this.#size = 0;
      this.#count(chunk);
      if (chunk.length === 0 && this.#failure !== null) reject(this.#failure.error);
      else resolve(chunk.length === 0 ? null : chunk);
    } catch (error) {
      reject(error);
    }
  }

  /** @throws TypeError for a stream that is longer than it may be, or has another length than it says */
  #count({ length: more }: Uint8Array): void {
    const { bytes, what } = this.#bounds;
    this.#sent += more;
    const isShort = more === 0 && this.#failure === null && !this.#isOver && this.#sent < (this.length ?? 0);
    if (isShort || this.#sent > (this.length ?? Infinity))
      throw new TypeError(`${what} a stream of ${this.#sent} bytes or more instead of ${this.length}`);
    if (this.#sent <= bytes) return;
    this.#stop(
      new TypeError(`${what} a stream of more than the ${bytes} bytes that the option streamLimit allows`),
    );
  }
}

function joinParts(parts: readonly (string | Uint8Array)[]): Uint8Array {
  const [only] = parts;
  if (parts.length === 1 && only instanceof Uint8Array) return only;
  return typeof only === 'string'
    ? Buffer.from(parts.join(''))
    : Buffer.concat(parts as readonly Uint8Array[]);
}
