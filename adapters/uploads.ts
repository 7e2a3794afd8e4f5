import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { engineError } from '../lib/core/errors.ts';
import { codeOf } from '../lib/core/thrown.ts';
import type { StoredFile, Uploads } from '../lib/ports/uploads.ts';

/** Uploads in a directory. */
export interface DirectoryUploads extends Uploads {
  /** Path of a stored file. @throws TypeError for an id that `save` did not return */
  path(id: string): string;
  /** Opens a stored file for reading. */
  open(id: string): Promise<StoredFile | null>;
}

const ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

async function writeNew(path: string, stream: AsyncIterable<Uint8Array>): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await writeFile(file, stream);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Opens the file when the first byte is asked for, because some responses send none. */
async function* readPart(path: string, from: number, to: number): AsyncGenerator<Uint8Array> {
  if (to > from) yield* createReadStream(path, { start: from, end: to - 1 });
}

/**
 * Stores each file under a new random name, which is its id. The client's file name is never used. While a file arrives its
 * name ends in `.part`; such a file is left only by a process that ended in the middle. The directory is created when it is needed.
 */
export function createUploads(directory: string): DirectoryUploads {
  if (typeof directory !== 'string' || directory === '')
    throw new TypeError('createUploads needs the path of a directory');
  const toPath = (id: string): string => {
    if (!ID.test(id)) throw new TypeError(`"${id}" is not the id of an upload`);
    return join(directory, id);
  };
  return {
    path: toPath,
    async save(stream) {
      const id = randomUUID();
      const temporary = `${toPath(id)}.part`;
      await mkdir(directory, { recursive: true });
      try {
        await writeNew(temporary, stream);
        await rename(temporary, toPath(id));
        return id;
      } catch (error) {
        await rm(temporary, { force: true });
        throw codeOf(error) === 'ENOSPC' ? engineError('rest_storage_full', { cause: error }) : error;
      }
    },
    async open(id) {
      const path = toPath(id);
      try {
        const { size, mtimeMs } = await stat(path);
        // An id is never used twice, and its file never changes.
        return { size, storedAt: mtimeMs, etag: `"${id}"`, read: (from, to) => readPart(path, from, to) };
      } catch (error) {
        if (codeOf(error) === 'ENOENT') return null;
        throw error;
      }
    },
    async remove(id) {
      await rm(toPath(id), { force: true });
    },
  };
}
