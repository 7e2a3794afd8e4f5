import { rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RESULT, SqliteFailure } from '../driver.ts';

/** A file that only takes space: enough for the files that SQLite makes to open a store. */
const NAME = 'reserve';
/** The first size that there is room for is taken. The smallest still lets a store open. */
const SIZES = [256, 128, 64].map((kibibytes) => kibibytes * 1024);

/** Result codes with which the engine tells that its own files found no space. */
const SPACE: ReadonlySet<number> = new Set([RESULT.full, RESULT.io, RESULT.canNotOpen]);

function isFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** Takes the largest of the sizes that is more than the reserve has. */
function takeSpace(path: string): void {
  const taken = sizeOf(path);
  for (const size of SIZES.filter((each) => each > taken)) {
    try {
      writeFileSync(path, Buffer.alloc(size - taken), { mode: 0o600, flag: 'a' });
      return;
    } catch (error) {
      if (!isFull(error)) throw error;
      if (SIZES.includes(taken)) truncateSync(path, taken);
      else rmSync(path, { force: true });
    }
  }
}

/** Whether a store in the directory has been opened completely before. */
export function hasReserve(directory: string): boolean {
  return SIZES.includes(sizeOf(join(directory, NAME)));
}

/** Removes the reserve of a store that is gone. */
export function removeReserve(directory: string): void {
  if (hasReserve(directory)) rmSync(join(directory, NAME));
}

/** Takes the space, if there is any left. Never fails, because a store works without its reserve. */
export function keepReserve(directory: string, log: (message: string, error: unknown) => void): void {
  const path = join(directory, NAME);
  try {
    takeSpace(path);
  } catch (error) {
    log(
      `${path} could not be written: ${error instanceof Error ? error.message : String(error)}. Without it the store cannot be opened while the disk is full.`,
      error,
    );
  }
}

/** Opens a store. If that fails for want of space, the reserve is given up for it. @throws whatever `open` throws */
export function openWithReserve<T>(directory: string, open: () => T): T {
  try {
    return open();
  } catch (error) {
    const path = join(directory, NAME);
    const mayHelp = isFull(error) || (error instanceof SqliteFailure && SPACE.has(error.code));
    if (!mayHelp || statSync(path, { throwIfNoEntry: false }) === undefined) throw error;
    rmSync(path);
    return open();
  }
}
