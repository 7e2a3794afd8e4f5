import { lstat, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { Media } from '../registry/ports.ts';

/** Whether each segment is a plain file or folder name: not `..`, not a hidden file, not a device name. */
function isPlain(path: string): boolean {
  return path !== '' && path.length <= 1024 && path.split('/').every((part) => part !== '' && !part.startsWith('.') && !/[\\:\0]/.test(part));
}

/**
 * The media library in a directory. Only regular files inside the directory exist for it. A path that leads out, directly
 * or through a symbolic link, is treated as missing.
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
