import { createReadStream, statSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { START_BYTES } from '../../../registry/transfer/index.ts';
import { UsageError } from '../frame/options.ts';

/** A file that is read once, from its beginning. */
interface OpenedSource {
  /** The first bytes, by which its format is recognised. They are part of `bytes` as well. */
  readonly start: Uint8Array;
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Size in bytes; 0 if it is not known. */
  readonly size: number;
  /** Bytes that were read so far. */
  readonly done: () => number;
}

const CHUNK = 256 * 1024;

function openFile(file: string): { stream: Readable; size: number } {
  if (file === '-') return { stream: process.stdin, size: 0 };
  const facts = statSync(file, { throwIfNoEntry: false });
  if (facts === undefined || facts.isDirectory())
    throw new UsageError(`${file}: ${facts === undefined ? 'there is no such file' : 'is a directory'}`);
  return { stream: createReadStream(file, { highWaterMark: CHUNK }), size: facts.isFile() ? facts.size : 0 };
}

/** The first bytes. A pipe may deliver them in small pieces. */
async function readStart(chunks: AsyncIterator<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for (let length = 0; length < START_BYTES;) {
    const next = await chunks.next();
    if (next.done === true) break;
    parts.push(next.value);
    length += next.value.length;
  }
  return Buffer.concat(parts);
}

/** Opens a file, or standard input for `-`. @throws UsageError if there is no such file */
export async function openSource(file: string): Promise<OpenedSource> {
  const { stream, size } = openFile(file);
  const chunks: AsyncIterator<Uint8Array> = stream[Symbol.asyncIterator]();
  const first = await readStart(chunks);
  let done = 0;
  async function* readAll(): AsyncGenerator<Uint8Array> {
    try {
      for (
        let next: IteratorResult<Uint8Array> = { value: first };
        next.done !== true;
        next = await chunks.next()
      ) {
        done += next.value.length;
        yield next.value;
      }
    } finally {
      stream.destroy();
    }
  }
  return { start: first, bytes: readAll(), size, done: () => done };
}
