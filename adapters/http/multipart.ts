import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { engineError, RestError } from '../../lib/core/errors.ts';
import { parseMediaType } from '../../lib/http/media-type.ts';
import type { BodyPart } from '../../lib/http/request.ts';

/** Most parts of one body. A form has as many members at most. */
const PARTS = 1000;
/** Headers of one part: bytes of all lines together, and lines. Browsers send two or three short ones. */
const HEADERS = { headerSize: 16 * 1024, headerPairs: 32 } as const;
/** RFC 2046 5.1.1. */
const BOUNDARY = /^[\w'()+,./:=? -]{0,69}[\w'()+,./:=?-]$/;

/** @throws RestError `rest_invalid_multipart` */
function checkBoundary(contentType: string): void {
  const boundary = parseMediaType(contentType)?.parameters.get('boundary') ?? '';
  if (!BOUNDARY.test(boundary)) throw engineError('rest_invalid_multipart', { message: 'The Content-Type of a multipart body must have a boundary of at most 70 characters.' });
}

/** The parts that the parser has found, for one reader that asks for them one after another. */
class PartQueue {
  #waiting: { readonly name: string | undefined; readonly filename: string | undefined; readonly type: string; readonly stream: Readable }[] = [];
  readonly #open = new Set<Readable>();
  #failure: unknown = null;
  #isDone = false;
  #wake = (): void => undefined;

  add(name: string | undefined, stream: Readable, { filename, type }: { filename: string | undefined; type: string }): void {
    this.#open.add(stream);
    // The failure is reported by the queue. Without a listener it would end the program.
    stream.on('error', () => undefined).on('close', () => this.#open.delete(stream));
    this.#waiting.push({ name, filename, type, stream });
    this.#wake();
  }

  /** Ends the queue. The bytes of open parts end with the same error. */
  fail(error: unknown): void {
    this.#failure ??= error instanceof RestError ? error : engineError('rest_invalid_multipart', { cause: error });
    for (const stream of this.#open) stream.destroy(this.#failure as Error);
    this.#wake();
  }

  finish(): void {
    this.#isDone = true;
    this.#wake();
  }

  async *read(): AsyncGenerator<BodyPart> {
    for (;;) {
      const part = this.#waiting.shift();
      if (part !== undefined) {
        const { name, stream, type, filename = null } = part;
        if (name === undefined) throw engineError('rest_invalid_multipart', { message: 'A part of the multipart body has no name.' });
        yield { name, filename, type, bytes: stream };
        // The parser waits until the part is read. What the reader left is skipped.
        stream.resume();
      } else if (this.#failure !== null) throw this.#failure;
      else if (this.#isDone) return;
      else await new Promise<void>((resolve) => { this.#wake = resolve; });
    }
  }
}

/**
 * Parses a body of type multipart/form-data while it arrives. Never holds more than a few chunks.
 * @throws RestError `rest_invalid_multipart`, `rest_too_many_parameters`, and those of the chunks
 */
export async function* readParts(chunks: AsyncIterable<Uint8Array>, contentType: string): AsyncGenerator<BodyPart> {
  checkBoundary(contentType);
  // Loaded when the first such body arrives, because most programs never get one.
  const { Busboy } = await import('@fastify/busboy');
  const queue = new PartQueue();
  const stop = new AbortController();
  const parser = new Busboy({ headers: { 'content-type': contentType }, limits: { parts: PARTS, ...HEADERS }, isPartAFile: () => true })
    .on('file', (...[name, stream, filename, , type]) => queue.add(name, stream, { filename, type }))
    .on('partsLimit', () => queue.fail(engineError('rest_too_many_parameters', { message: `More than ${PARTS} parts were sent.` })))
    .on('error', (error: unknown) => queue.fail(error))
    .on('finish', () => queue.finish());
  const feed = async (): Promise<void> => {
    for await (const chunk of chunks) if (!parser.write(chunk)) await once(parser, 'drain', { signal: stop.signal });
    parser.end();
  };
  feed().catch((error: unknown) => queue.fail(error));
  try {
    yield* queue.read();
  } finally {
    stop.abort();
  }
}
