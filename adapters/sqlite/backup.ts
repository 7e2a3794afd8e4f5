import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { StoreError } from '../../lib/store/store.ts';
import type { SqliteDriver } from './driver.ts';
import { toStoreError } from './failures.ts';
import { FILE_NAME } from './open-file.ts';
import { takeDirectory } from './ownership.ts';

function sync(path: string): void {
  const handle = openSync(path, 'r');
  try { fsyncSync(handle); } finally { closeSync(handle); }
}

/** Removes the log of an older copy, which does not belong to the new file. */
function removeOld(directory: string): void {
  for (const suffix of ['-wal', '-shm']) rmSync(join(directory, `${FILE_NAME}${suffix}`), { force: true });
}

/**
 * Writes a copy of the open store into another directory. The copy appears in one step, once it is complete and on disk,
 * and replaces an older copy in that directory.
 * @throws StoreError `full`, `unavailable`
 */
async function backUp(driver: SqliteDriver, { from, to }: { readonly from: string; readonly to: string }): Promise<void> {
  if (resolve(from) === resolve(to)) throw new StoreError('unavailable', 'The directory of a backup must not be the directory of the store.');
  try {
    mkdirSync(to, { recursive: true, mode: 0o700 });
    const ownership = takeDirectory(driver, to);
    const path = join(to, `${FILE_NAME}.new`);
    try {
      rmSync(path, { force: true });
      // The copy holds logins and secrets. SQLite fills an empty file, and gives the same mode to its journal.
      closeSync(openSync(path, 'wx', 0o600));
      await driver.backup(join(from, FILE_NAME), path);
      sync(path);
      removeOld(to);
      renameSync(path, join(to, FILE_NAME));
      if (process.platform !== 'win32') sync(to);
    } finally {
      rmSync(path, { force: true });
      ownership.release();
    }
  } catch (error) {
    const failure = toStoreError(error);
    throw failure instanceof StoreError ? failure : new StoreError('unavailable', `The backup to ${to} failed: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

/** Makes backups of an open store. */
export class Backups {
  readonly #driver: SqliteDriver;
  readonly #directory: string;
  #running: Promise<unknown> = Promise.resolve();

  constructor(driver: SqliteDriver, directory: string) {
    this.#driver = driver;
    this.#directory = directory;
  }

  /** See SqliteStore. @throws StoreError `full`, `unavailable` */
  async make(target: string): Promise<void> {
    const copy = backUp(this.#driver, { from: this.#directory, to: target });
    this.#running = Promise.allSettled([this.#running, copy]);
    await copy;
  }

  /** Resolves when no backup is running. */
  async idle(): Promise<void> {
    await this.#running;
  }
}
