import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { engineError, RestError } from '../../lib/core/errors.ts';
import { parseMediaType } from '../../lib/http/media-type.ts';
import type { BodyPart } from '../../lib/http/request.ts';
import { PARSER_LIMITS, partError, type PartHead, type PartHeaders, readPartHead } from './part-head.ts';

/** Most parts of one body. A form has as many members at most. */
const PARTS = 1000;
/** RFC 2046 5.1.1. */
const BOUNDARY = /^[\w'()+,./:=? -]{0,69}[\w'()+,./:=?-]$/;

/** @throws RestError `rest_invalid_multipart` */
function toBoundary(contentType: string): string {
  const boundary = parseMediaType(contentType)?.parameters.get('boundary') ?? '';
  if (!BOUNDARY.test(boundary))
    throw engineError('rest_invalid_multipart', {
      message: 'The Content-Type of a multipart body must have a boundary of at most 70 characters.',
    });
  return boundary;
}

/** The parts that the parser has found, for one reader that asks for them one after another. */
class PartQueue {
  #waiting: { readonly head: PartHead; readonly stream: Readable }[] = [];
  readonly #open = new Set<Readable>();
  #failure: unknown = null;
  #isDone = false;
  #count = 0;
  #hasHeaders = true;
  #wake = (): void => undefined;

  /** Takes a part that begins. The parser does not report a part that ends before its headers do. */
  open(stream: Readable): void {
    this.checkHeaders();
    this.#hasHeaders = false;
    this.#count += 1;
    this.#open.add(stream);
    // The failure is reported by the queue. Without a listener it would end the program.
    stream.on('error', () => undefined).on('close', () => this.#open.delete(stream));
    if (this.#count > PARTS)
      this.fail(engineError('rest_too_many_parameters', { message: `More than ${PARTS} parts were sent.` }));
  }

  add(headers: PartHeaders, stream: Readable): void {
    this.#hasHeaders = true;
    try {
      this.#waiting.push({ head: readPartHead(headers), stream });
    } catch (error) {
      this.fail(error);
    }
    this.#wake();
  }

  checkHeaders(): void {
    if (!this.#hasHeaders) this.fail(partError('ends within its headers'));
  }

  /** Ends the queue. Parts that wait are dropped. The bytes of open parts end with the same error. */
  fail(error: unknown): void {
    this.#failure ??=
      error instanceof RestError ? error : engineError('rest_invalid_multipart', { cause: error });
    for (const stream of this.#open) stream.destroy(this.#failure as Error);
    this.#open.clear();
    this.#waiting = [];
    this.#wake();
  }

  finish(): void {
    this.checkHeaders();
    this.#isDone = true;
    this.#wake();
  }

  /** A part that is cut off ends with an error of the parser. The reader gets the one of the queue. */
  async *#bytesOf(stream: Readable): AsyncGenerator<Uint8Array> {
    try {
      yield* stream;
    } catch (error) {
      throw this.#failure ?? error;
    }
  }

  async *read(): AsyncGenerator<BodyPart> {
    for (;;) {
      const part = this.#waiting.shift();
      if (part !== undefined) {
        const { head, stream } = part;
        yield { ...head, bytes: this.#bytesOf(stream) };
        // The parser waits until the part is read. What the reader left is skipped.
        stream.resume();
      } else if (this.#failure !== null) throw this.#failure;
      else if (this.#isDone) return;
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
    }
  }
}

/**
 * Parses a body of type multipart/form-data while it arrives. Never holds more than a few chunks.
 * @throws RestError `rest_invalid_multipart`, `rest_too_many_parameters`, and those of the chunks
 */
export async function* readParts(
  chunks: AsyncIterable<Uint8Array>,
  contentType: string,
): AsyncGenerator<BodyPart> {
  const boundary = toBoundary(contentType);
  // Loaded when the first such body arrives, because most programs never get one.
  const { Dicer } = await import('@fastify/busboy');
  const queue = new PartQueue();
  const stop = new AbortController();
  const parser = new Dicer({ boundary, ...PARSER_LIMITS })
    .on('part', (part) => {
      queue.open(part);
      part.on('header', (headers) => queue.add(headers as PartHeaders, part));
    })
    .on('error', (error: unknown) => queue.fail(error))
    .on('finish', () => queue.finish());
  const feed = async (): Promise<void> => {
    // After the last boundary the parser takes no more. What follows it has no meaning (RFC 2046 5.1.1).
    for await (const chunk of chunks)
      if (parser.writable && !parser.write(chunk)) await once(parser, 'drain', { signal: stop.signal });
    parser.end();
  };
  feed().catch((error: unknown) => queue.fail(error));
  try {
    yield* queue.read();
  } finally {
    stop.abort();
  }
}
