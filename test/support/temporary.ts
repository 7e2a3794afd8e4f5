import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A new folder of its own. */
export function makeFolder(): string {
  return mkdtempSync(join(tmpdir(), 'routebook-'));
}

/** Removes a folder with all that is in it. */
export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

/** Runs the test in a folder that is gone afterwards. */
export async function inFolder<T>(test: (folder: string) => Promise<T>): Promise<T> {
  const folder = makeFolder();
  try {
    return await test(folder);
  } finally {
    removeFolder(folder);
  }
}
