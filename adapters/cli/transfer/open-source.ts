import { createReadStream, statSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { UsageError } from '../options.ts';

/** A file that is read once, from its beginning. */
export interface OpenedSource {
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
  if (facts === undefined || facts.isDirectory()) throw new UsageError(`${file}: ${facts === undefined ? 'there is no such file' : 'is a directory'}`);
  return { stream: createReadStream(file, { highWaterMark: CHUNK }), size: facts.isFile() ? facts.size : 0 };
}

/** Opens a file, or standard input for `-`. @throws UsageError if there is no such file */
export async function openSource(file: string): Promise<OpenedSource> {
  const { stream, size } = openFile(file);
  const chunks: AsyncIterator<Uint8Array> = stream[Symbol.asyncIterator]();
  const first = await chunks.next();
  let done = 0;
  async function* readAll(): AsyncGenerator<Uint8Array> {
    try {
      for (let next = first; next.done !== true; next = await chunks.next()) {
        done += next.value.length;
        yield next.value;
      }
    } finally {
      stream.destroy();
    }
  }
  return { start: first.done === true ? new Uint8Array() : first.value, bytes: readAll(), size, done: () => done };
}
