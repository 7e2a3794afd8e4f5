import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '../lib/core/thrown.ts';
import type { Imports } from '../registry/core/host/ports.ts';

/** Longest line, in characters. The rest of a longer line is dropped, so that the line cannot be parsed as JSON. */
export const MAX_LINE = 65_536;

const NAME = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}$/;

async function openFile(path: string): Promise<FileHandle | null> {
  try {
    // A symbolic link would lead out of the directory.
    return await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  } catch (error) {
    if (['ENOENT', 'ELOOP'].includes(String(codeOf(error)))) return null;
    throw error;
  }
}

/** Yields the lines of a file, each of bounded size. The file is closed at its end and when the reader stops early. */
async function* readLines(handle: FileHandle): AsyncGenerator<string> {
  let line = '';
  for await (const chunk of handle.createReadStream({ encoding: 'utf8' })) {
    const [first = '', ...others] = String(chunk).split('\n');
    line = (line + first).slice(0, MAX_LINE);
    for (const next of others) {
      yield line.replace(/\r$/, '');
      line = next.slice(0, MAX_LINE);
    }
  }
  if (line !== '') yield line.replace(/\r$/, '');
}

/** Import files in a directory that the owner fills. Only regular files directly in it are read. */
export function createImportFiles(directory: string): Imports {
  return {
    async lines(name) {
      const handle = NAME.test(name) ? await openFile(join(directory, name)) : null;
      if (handle === null) return null;
      if ((await handle.stat()).isFile()) return readLines(handle);
      await handle.close();
      return null;
    },
  };
}
