import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { isGone, OWNER } from './own-files.ts';

/** How long a process waits for its turn at most, and how often it looks. Milliseconds. */
const [PATIENCE_MS, LOOK_MS] = [60_000, 20];

/** Makes the file that holds a turn. False: another process holds it. */
function takeTurn(path: string): boolean {
  try {
    writeFileSync(path, OWNER, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/** Turns that this process holds. */
const held = new Set<string>();

/** Whether the process that held the turn was killed. */
function isLeft(path: string): boolean {
  try {
    // Empty while the process that has just made the file has not written its name yet.
    return isGone(readFileSync(path, 'utf8')) && !held.has(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false;
    throw error;
  }
}

/** Runs a function while no other process runs one with the same path, a file that exists meanwhile. @throws TypeError if another one takes longer than a minute */
export async function inTurn<T>(path: string, run: () => T | Promise<T>): Promise<T> {
  for (const since = performance.now(); held.has(path) || !takeTurn(path); await wait(LOOK_MS)) {
    if (isLeft(path)) rmSync(path, { force: true });
    if (performance.now() - since > PATIENCE_MS)
      throw new TypeError(
        `${path} exists, so that another process seems to be writing here. If none does, remove that file and try again; nothing was changed`,
      );
  }
  held.add(path);
  try {
    return await run();
  } finally {
    held.delete(path);
    rmSync(path, { force: true });
  }
}
