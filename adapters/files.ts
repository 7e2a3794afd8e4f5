import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '../lib/core/thrown.ts';
import type { Files } from '../registry/core/host/ports.ts';
import { writeWhole } from './files-below.ts';

/** Directories of the host. `locales` holds .mo files in `plugins/`, `themes/` and `other/`. Generated .mo files go to `output`. */
export interface FileDirectories {
  /** Directory of compiled translations (`.mo`). */
  readonly locales: string;
  /** Directory of generated translations. */
  readonly output: string;
}

const PART = '[A-Za-z0-9_][A-Za-z0-9._-]{0,127}';
const NAME = new RegExp(`^${PART}(?:/${PART}){0,3}$`);
const MAX_DEPTH = 4;
const MAX_FILES = 10_000;

/** The site has already checked its names; this is a second safeguard. @throws TypeError for a name that could lead out of the directory. */
function toPath(directory: string, name: string): string {
  if (!NAME.test(name)) throw new TypeError(`"${name}" is not a file name`);
  return join(directory, ...name.split('/'));
}

const isMissing = (error: unknown): boolean => ['ENOENT', 'ENOTDIR'].includes(String(codeOf(error)));

async function listBelow(directory: string, prefix: string, found: string[]): Promise<void> {
  if (prefix.split('/').length > MAX_DEPTH) return;
  // Symbolic links are skipped, because they could lead out of the directory.
  const entries = await readdir(prefix === '' ? directory : toPath(directory, prefix.slice(0, -1)), {
    withFileTypes: true,
  });
  for (const entry of entries) {
    const name = `${prefix}${entry.name}`;
    if (!NAME.test(name) || found.length >= MAX_FILES) continue;
    if (entry.isFile()) found.push(name);
    if (entry.isDirectory()) await listBelow(directory, `${name}/`, found);
  }
}

async function listFiles(directory: string, prefix: string): Promise<readonly string[]> {
  const found: string[] = [];
  try {
    await listBelow(directory, prefix, found);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  return found.sort();
}

async function readWithin(path: string, maxBytes: number): Promise<Uint8Array | null> {
  try {
    const { size } = await stat(path);
    if (size > maxBytes) throw new RangeError(`the file has ${size} bytes, more than ${maxBytes}`);
    return await readFile(path);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** Files in directories on disk. A missing directory counts as empty; `output` is created on the first write. */
export function createFiles(directories: FileDirectories): Files {
  return {
    list: (directory, prefix) => listFiles(directories[directory], prefix),
    read: async (directory, name, maxBytes) => readWithin(toPath(directories[directory], name), maxBytes),
    write: async (directory, name, bytes) => writeWhole(toPath(directories[directory], name), bytes),
  };
}
