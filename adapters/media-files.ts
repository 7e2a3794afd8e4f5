import { lstat, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { Media } from '../registry/ports.ts';

/** Whether each part names a file or folder: no way up, no hidden file, no device name of a file system. */
function isPlain(path: string): boolean {
  return path !== '' && path.length <= 1024 && path.split('/').every((part) => part !== '' && !part.startsWith('.') && !/[\\:\0]/.test(part));
}

/**
 * The media library in a directory. Only plain files inside of it are there: a path that leads out, also by way of a
 * symbolic link, is answered like one that leads nowhere.
 */
export function createMediaFiles(directory: string): Media {
  return {
    async size(path) {
      if (!isPlain(path)) return null;
      try {
        const root = await realpath(directory);
        const file = await realpath(join(root, path));
        if (!file.startsWith(root.endsWith(sep) ? root : root + sep)) return null;
        const facts = await lstat(file);
        return facts.isFile() ? facts.size : null;
      } catch (error) {
        if (error instanceof Error && 'code' in error && ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP'].includes(String(error.code))) return null;
        throw error;
      }
    },
  };
}
