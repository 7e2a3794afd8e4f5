import { randomUUID } from 'node:crypto';
import { lstat, mkdir, open, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { codeOf } from '../lib/core/thrown.ts';

/** A regular file. */
export interface FoundFile {
  /** Path on disk. */
  readonly file: string;
  /** Bytes. */
  readonly size: number;
  /** When it was written, in milliseconds. */
  readonly changed: number;
}

const MISSING: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP']);

/** Whether each segment is a plain file or folder name: not `..`, not a hidden file, not a device name. */
export function isPlain(path: string): boolean {
  return (
    path !== '' &&
    path.length <= 1024 &&
    path.split('/').every((part) => part !== '' && !part.startsWith('.') && !/[\\:\0]/.test(part))
  );
}

/** The real path, if it is inside the directory; null if it is missing or leads out. */
export async function resolveInside(directory: string, path: string): Promise<string | null> {
  if (!isPlain(path)) return null;
  try {
    const root = await realpath(directory);
    const found = await realpath(join(root, path));
    return found.startsWith(root.endsWith(sep) ? root : root + sep) ? found : null;
  } catch (error) {
    if (MISSING.has(codeOf(error))) return null;
    throw error;
  }
}

/** The regular file at this path below the directory; null if there is none, or if it lies outside. */
export async function findFile(directory: string, path: string): Promise<FoundFile | null> {
  const file = await resolveInside(directory, path);
  if (file === null) return null;
  const facts = await lstat(file);
  return facts.isFile() ? { file, size: facts.size, changed: facts.mtimeMs } : null;
}

/** At most `length` bytes of a file. */
export async function readPart(file: string, offset: number, length: number): Promise<Uint8Array> {
  const handle = await open(file, 'r');
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(length), 0, length, offset);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** What a file gets. */
export type FileContent = Parameters<typeof writeFile>[1];

/** Writes the new file to disk completely before it replaces the old one. */
export async function writeWhole(path: string, content: FileContent): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const temporary = `${path}.${randomUUID()}.part`;
  try {
    const file = await open(temporary, 'wx');
    try {
      await writeFile(file, content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
