import { engineError } from '../../lib/core/errors.ts';
import { bodyTooLarge } from '../../lib/http/body.ts';
import type { Body, BodySource } from '../../lib/http/request.ts';
import type { LoadShedder } from './admission/load-shedder.ts';
import type { HttpLimits } from './http-limits.ts';
import { readParts } from './split-multipart.ts';

/** The body of requests that have none. */
export const NO_BODY: Body = Object.freeze({ kind: 'none' });

/** How long a client may take: for the next bytes, and for all of them. The time that the reader takes is not counted. Milliseconds. */
export class Patience {
  readonly #nextMs: number;
  #leftMs: number;

  constructor(nextMs: number, allMs: number) {
    this.#nextMs = nextMs;
    this.#leftMs = allMs;
  }

  /** Waits for the client. @throws RestError `rest_body_timeout`, or what the promise rejects with */
  async wait<T>(arriving: Promise<T>): Promise<T> {
    const start = performance.now();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(
        () => reject(engineError('rest_body_timeout')),
        Math.min(this.#nextMs, this.#leftMs),
      );
    });
    try {
      return await Promise.race([arriving, late]);
    } finally {
      clearTimeout(timer);
      this.#leftMs -= performance.now() - start;
    }
  }
}

/** A body as it arrives from the client. */
interface ArrivingBody {
  readonly contentType: string;
  /** Called once. @throws RestError `rest_body_timeout`, `rest_client_gone` */
  readonly chunks: (patience: Patience) => AsyncIterable<Uint8Array>;
  /** Called when the last byte has arrived. */
  readonly onEnd: () => void;
}

/** Holds the last ballast, so that its allocation is not optimised away. */
const heap: { ballast: readonly number[] } = { ballast: [] };

/**
 * The memory of a chunk lies outside the heap of V8, which frees it at the next minor collection. That comes only when the
 * heap has grown by several MB, and by then 40 MB of chunks would have been read. Ballast of the size of the chunk makes it
 * come after as many MB of chunks.
 */
function addBallast({ length }: Uint8Array): void {
  heap.ballast = Array.from<number>({ length: length / 8 }).fill(0);
}

/** @throws RestError `rest_body_too_large` */
export async function* limitChunks(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
  onEnd?: () => void,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > maxBytes) throw bodyTooLarge(maxBytes);
    addBallast(chunk);
    yield chunk;
  }
  onEnd?.();
}

/** Holds the chunks until all have arrived. @throws RestError `rest_overloaded`, and those of the chunks */
export async function readWhole(
  chunks: AsyncIterable<Uint8Array>,
  loadShedder: LoadShedder,
): Promise<Uint8Array> {
  const held: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of chunks) {
      size += chunk.length;
      held.push(chunk);
      loadShedder.hold(chunk.length);
    }
    return held.length === 1 ? (held[0] as Uint8Array) : Buffer.concat(held, size);
  } finally {
    loadShedder.release(size);
  }
}

/** The unread body of a request, within the limits of the binding. */
export function createBodySource(
  { contentType, chunks, onEnd }: ArrivingBody,
  limits: HttpLimits,
  loadShedder: LoadShedder,
): BodySource {
  const stream = (maxBytes: number): AsyncIterable<Uint8Array> =>
    limitChunks(chunks(new Patience(limits.requestTimeoutMs, limits.uploadTimeoutMs)), maxBytes, onEnd);
  return {
    maxBytes: limits.bodyBytes,
    timeoutMs: limits.uploadTimeoutMs,
    stream,
    read: (maxBytes) => readWhole(stream(maxBytes), loadShedder),
    parts: (maxBytes) => readParts(stream(maxBytes), contentType),
  };
}

/** Runs a request whose body is still arriving. It counts as in flight once the body has arrived. */
export async function countArrived<T>(
  loadShedder: LoadShedder,
  kind: 'read' | 'write',
  run: (onEnd: () => void) => Promise<T>,
): Promise<T> {
  let hasArrived = false;
  try {
    return await run(() => {
      loadShedder.enter(kind);
      hasArrived = true;
    });
  } finally {
    if (hasArrived) loadShedder.leave(kind);
  }
}
