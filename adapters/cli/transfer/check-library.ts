import { existsSync, statSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
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

/** Age in milliseconds from which a file belongs to an upload that has ended. */
const SETTLED_AFTER = 3_600_000;
/** Where uploads arrive. */
const ARRIVING = '.arriving';

const MISSING: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR']);

/** The paths of all files. Hidden ones are not part of the library. null: there is no such directory. */
async function listFiles(directory: string): Promise<readonly string[] | null> {
  try {
    const entries = await readdir(directory, { recursive: true, withFileTypes: true });
    const paths = entries
      .filter((entry) => entry.isFile())
      .map((entry) => relative(directory, join(entry.parentPath, entry.name)).split(sep));
    return paths
      .filter((parts) => parts.every((part) => !part.startsWith('.')))
      .map((parts) => parts.join('/'));
  } catch (error) {
    if (error instanceof Error && 'code' in error && MISSING.has(error.code)) return null;
    throw error;
  }
}

/** Compares the files in a directory with those that records name. `isChosen`: the operator named the directory, so it must exist. */
export async function checkLibrary(
  directory: string,
  named: ReadonlySet<string>,
  isChosen: boolean,
): Promise<LibraryFindings> {
  const found = await listFiles(directory);
  const files = new Set(found);
  const demo = new Set(await listFiles(DEMO_UPLOADS));
  const missing = [...named].filter((file) => !files.has(file) && !demo.has(file));
  if (found !== null)
    return { library: [], orphaned: [...files].filter((file) => !named.has(file)), missing };
  const isNeeded = isChosen || missing.length > 0;
  return {
    library: isNeeded
      ? [
          `${directory}: there is no such directory, so that ${missing.length} files of records were not looked for. Name the directory of the uploads with --media`,
        ]
      : [],
    orphaned: [],
    missing: [],
  };
}

/** Adds the paths below the uploads that a text of a record has: a page may show a file that is not in the library. */
export function addMentioned(values: object, mentioned: Set<string>): void {
  for (const [, path = ''] of JSON.stringify(values).matchAll(/\/uploads\/([^"'\\\s()<>?#,]+)/g)) {
    mentioned.add(path);
    mentioned.add(
      path.replace(/(?:%[\da-f]{2})+/gi, (bytes) => Buffer.from(bytes.replaceAll('%', ''), 'hex').toString()),
    );
  }
}

/** Removes files that uploads have left whose process was killed: orphaned ones that no text mentions, and those that still arrive. Files of the last hour may belong to an upload that is going on. @returns what was removed */
export async function repairLibrary(
  directory: string,
  orphaned: readonly string[],
): Promise<readonly string[]> {
  const arriving = existsSync(join(directory, ARRIVING)) ? await readdir(join(directory, ARRIVING)) : [];
  const removed: string[] = [];
  for (const path of [...orphaned, ...arriving.map((name) => `${ARRIVING}/${name}`)]) {
    const facts = statSync(join(directory, path), { throwIfNoEntry: false });
    if (facts === undefined || Date.now() - facts.mtimeMs < SETTLED_AFTER) continue;
    await rm(join(directory, path), { force: true });
    removed.push(path);
  }
  return removed;
}
