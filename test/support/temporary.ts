import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Creates a new temporary folder. */
export function makeFolder(): string {
  return mkdtempSync(join(tmpdir(), 'routebook-'));
}

/** Removes a folder and its content. */
export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

/** Makes temporary folders, which are removed after the tests of a suite. */
export function createFolders(suite: { after(hook: () => void): void }): () => string {
  const made: string[] = [];
  suite.after(() => {
    for (const folder of made) removeFolder(folder);
  });
  return () => {
    const folder = makeFolder();
    made.push(folder);
    return folder;
  };
}

/** Runs the test in a temporary folder, which is removed afterwards. */
export async function inFolder<T>(test: (folder: string) => Promise<T>): Promise<T> {
  const folder = makeFolder();
  try {
    return await test(folder);
  } finally {
    removeFolder(folder);
  }
}
