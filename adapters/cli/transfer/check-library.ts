import { readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { DEMO_UPLOADS } from '../site/uploads-directory.ts';

/** What is wrong with the files of a media library. */
export interface LibraryFindings {
  /** Why the files could not be checked. */
  readonly library: readonly string[];
  /** Files that no record names. */
  readonly orphaned: readonly string[];
  /** Files that a record names and that are not there. */
  readonly missing: readonly string[];
}

const MISSING: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR']);

/** The paths of all files. Hidden ones are not part of the library. null: there is no such directory. */
async function listFiles(directory: string): Promise<readonly string[] | null> {
  try {
    const entries = await readdir(directory, { recursive: true, withFileTypes: true });
    const paths = entries.filter((entry) => entry.isFile()).map((entry) => relative(directory, join(entry.parentPath, entry.name)).split(sep));
    return paths.filter((parts) => parts.every((part) => !part.startsWith('.'))).map((parts) => parts.join('/'));
  } catch (error) {
    if (error instanceof Error && 'code' in error && MISSING.has(error.code)) return null;
    throw error;
  }
}

/** Compares the files in a directory with those that records name. `isChosen`: the operator named the directory, so it must exist. */
export async function checkLibrary(directory: string, named: ReadonlySet<string>, isChosen: boolean): Promise<LibraryFindings> {
  const found = await listFiles(directory);
  const files = new Set(found);
  const demo = new Set(await listFiles(DEMO_UPLOADS));
  const missing = [...named].filter((file) => !files.has(file) && !demo.has(file));
  if (found !== null) return { library: [], orphaned: [...files].filter((file) => !named.has(file)), missing };
  const isNeeded = isChosen || missing.length > 0;
  return { library: isNeeded ? [`${directory}: there is no such directory, so that ${missing.length} files of records were not looked for. Name the directory of the uploads with --media`] : [], orphaned: [], missing: [] };
}
