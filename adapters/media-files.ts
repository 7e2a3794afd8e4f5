import { chmod, link, mkdir, open, readdir, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { codeOf } from '../lib/core/thrown.ts';
import type { Media, MediaStorage } from '../registry/core/host/ports.ts';
import { findFile, type FoundFile, isPlain, readPart, resolveInside } from './files-below.ts';
import { createUploads, type DirectoryUploads } from './uploads.ts';

/** Options of `createMediaFiles`. */
export interface MediaFilesOptions {
  /** Whether files may be stored. Default false. */
  readonly writable?: boolean;
}

export type { FoundFile } from './files-below.ts';

/** The media library in a directory. */
export interface MediaFiles extends Media {
  /** The file at this path below the directory; null if it does not exist. For servers that send it. */
  find(path: string): Promise<FoundFile | null>;
}

/** Where files arrive. The name is hidden, so no file in it has a path in the library. */
const ARRIVING = '.arriving';
/** Age in milliseconds at which a file that still arrives was left by a process that has ended. */
const ABANDONED_AFTER = 3_600_000;
/** The library is served by other programs as well. */
const READABLE = 0o644;
/** The path on disk of a file to be written, whose folder exists afterwards. @throws Error for a path that leads out of the directory */
async function toTarget(directory: string, path: string): Promise<string> {
  if (!isPlain(path)) throw new Error(`"${path}" is not a path of the media library`);
  const folder = dirname(path);
  if (folder === '.') return join(await realpath(directory), path);
  await mkdir(join(directory, folder), { recursive: true });
  const inside = await resolveInside(directory, folder);
  if (inside === null) throw new Error(`"${path}" leads out of the media library`);
  return join(inside, path.slice(folder.length + 1));
}

/** Removes what a process has left that ended while files arrived. */
async function removeAbandoned(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    const path = join(directory, name);
    const facts = await stat(path).catch(() => null);
    // Another process may have removed it.
    if (facts !== null && Date.now() - facts.mtimeMs > ABANDONED_AFTER) await rm(path, { force: true });
  }
}

async function syncFolder(file: string): Promise<void> {
  const folder = await open(dirname(file), 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** `link` fails if the name is taken, so two uploads of one name never overwrite each other. */
async function publish(arriving: DirectoryUploads, id: string, target: string): Promise<boolean> {
  try {
    await link(arriving.path(id), target);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
  await chmod(target, READABLE);
  await arriving.remove(id);
  await syncFolder(target);
  return true;
}

function createStorage(directory: string): MediaStorage {
  const incoming = join(directory, ARRIVING);
  const arriving = createUploads(incoming);
  let cleaned: Promise<void> | null = null;
  const clean = async (): Promise<void> => {
    await mkdir(incoming, { recursive: true });
    await removeAbandoned(incoming);
  };
  const save: MediaStorage['save'] = async (stream, facts) => {
    cleaned ??= clean().catch((error: unknown) => {
      cleaned = null;
      throw error;
    });
    await cleaned;
    return arriving.save(stream, facts);
  };
  return {
    save,
    remove: (id) => arriving.remove(id),
    read: (id, offset, length) => readPart(arriving.path(id), offset, length),
    publish: async (id, path) => publish(arriving, id, await toTarget(directory, path)),
    async load(path) {
      const found = await findFile(directory, path);
      return found === null ? null : readFile(found.file);
    },
    async write(path, bytes) {
      const id = await save(once(bytes), { field: '', filename: '', type: '' });
      const target = await toTarget(directory, path);
      await chmod(arriving.path(id), READABLE);
      await rename(arriving.path(id), target);
      await syncFolder(target);
    },
    async discard(path) {
      const found = await findFile(directory, path);
      if (found !== null) await rm(found.file, { force: true });
    },
  };
}

/**
 * The media library in a directory. Only regular files inside the directory exist for it. A path that leads out, directly
 * or through a symbolic link, is treated as missing.
 */
export function createMediaFiles(
  directory: string,
  { writable = false }: MediaFilesOptions = {},
): MediaFiles {
  const find = (path: string): Promise<FoundFile | null> => findFile(directory, path);
  return {
    find,
    size: async (path) => (await find(path))?.size ?? null,
    storage: writable ? createStorage(directory) : undefined,
  };
}
