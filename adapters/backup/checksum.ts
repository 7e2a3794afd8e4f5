import { createHash } from 'node:crypto';
import {
  closeSync,
  createReadStream,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname } from 'node:path';
import { codeOf } from '../../lib/core/thrown.ts';
import { inTurn } from './own-files.ts';

/** Endings of the files beside a copy: its sum, the sum of a copy that is just being put in place, and the file that holds the turn to do so. */
const [SUM, NEXT, TURN] = ['.sha256', '.sha256.new', '.placing'];
const CHUNK = 1024 * 1024;

/** Writes to the disk what the system still holds of a file. */
export function syncFile(path: string): void {
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Writes the entries of a directory to the disk. Windows has no such call. */
export function syncDirectory(path: string): void {
  if (process.platform !== 'win32') syncFile(path);
}

async function sumOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: CHUNK }))
    hash.update(chunk as Uint8Array);
  return hash.digest('hex');
}

/** The sum in a file that `sha256sum` reads; empty if the file holds none. */
function readSum(path: string): string | undefined {
  try {
    return /^[\da-f]{64}(?= [ *])/.exec(readFileSync(path, 'utf8'))?.[0] ?? '';
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Completes what a process that was killed has left: afterwards no sum waits for its copy. */
async function settle(path: string): Promise<void> {
  const next = readSum(`${path}${NEXT}`);
  if (next === undefined) return;
  if ((await sumOf(path).catch(() => null)) === next) renameSync(`${path}${NEXT}`, `${path}${SUM}`);
  else rmSync(`${path}${NEXT}`);
}

/**
 * Puts a finished file in the place of an older one, with its SHA-256 beside it, as `sha256sum --check` reads it. The new sum
 * stands beside the old one until the file has been replaced, so that one of them fits whenever the process is killed.
 * `prepare` runs directly before the file is replaced.
 */
export async function placeWithSum(
  made: string,
  path: string,
  prepare: () => void = () => undefined,
): Promise<void> {
  const [directory, sum] = [dirname(path), await sumOf(made)];
  // Two backups into one directory would replace the sums of each other.
  await inTurn(`${path}${TURN}`, async () => {
    await settle(path);
    writeFileSync(`${path}${NEXT}`, `${sum}  ${basename(path)}\n`, { mode: 0o600 });
    syncFile(`${path}${NEXT}`);
    syncDirectory(directory);
    prepare();
    renameSync(made, path);
    syncDirectory(directory);
    renameSync(`${path}${NEXT}`, `${path}${SUM}`);
    syncDirectory(directory);
  });
}

/** Removes the sums of a file that is going to change. */
export function removeSums(path: string): void {
  for (const ending of [SUM, NEXT]) rmSync(`${path}${ending}`, { force: true });
}

/** Compares a file with its sum. Returns whether it has one. @throws TypeError if the file is not the one that was summed */
export async function checkSum(path: string): Promise<boolean> {
  const [expected, next] = [readSum(`${path}${SUM}`), readSum(`${path}${NEXT}`)];
  if (expected === undefined && next === undefined) return false;
  const sum = await sumOf(path);
  if (sum === expected || sum === next) return true;
  // The sum of a first copy that was not put in place: the file is older and has none.
  if (expected === undefined) return false;
  throw new TypeError(
    `${path} is not the file that backup wrote: its SHA-256 differs from the one in ${basename(path)}${SUM}. It was damaged, changed, or opened as a site since. Use another backup, or fetch this one again from where it was made; nothing was restored. To restore it all the same, remove ${path}${SUM}`,
  );
}
