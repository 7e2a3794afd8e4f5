import { closeSync, mkdirSync, mkdtempSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { messageOf } from '../../../../lib/core/thrown.ts';
import { collectionOf } from '../../../../lib/store/check-query.ts';
import type { Collections, CollectionDescriptor } from '../../../../lib/store/collection.ts';
import { type Snapshot, StoreError } from '../../../../lib/store/store.ts';
import { placeWithSum, removeSums, syncDirectory, syncFile } from '../../../backup/checksum.ts';
import { compilePage, createRecordReader } from '../../sql/record-columns.ts';
import { toTable } from '../../sql/tables.ts';
import { sqliteDialect } from '../dialect.ts';
import type { SqliteDriver } from '../driver.ts';
import { chooseDriver } from '../drivers.ts';
import { guard, toStoreError } from '../errors.ts';
import { FILE_NAME, keepReserve, LOG_NAME } from '../schema/open-file.ts';
import { takeDirectory, UNFINISHED } from '../schema/ownership.ts';
import { openReadSession } from '../session.ts';
import { WAITS } from '../waits.ts';

/** Options of `backup`. `check`: reads the copy, a directory that can be opened as a store, before it replaces an older one. If it throws, the older one stays. */
export interface BackupOptions {
  readonly check?: (copy: string) => Promise<void>;
}

/** Removes the log of an older copy, which does not belong to the new file. Directly before the file is replaced, because the log may hold what the older file lacks. */
function removeOld(directory: string): void {
  for (const suffix of ['-wal', '-shm']) rmSync(join(directory, `${FILE_NAME}${suffix}`), { force: true });
}

/** A file is complete without its log once the last connection has closed it. */
function checkClosed(directory: string): void {
  if ((statSync(join(directory, LOG_NAME), { throwIfNoEntry: false })?.size ?? 0) > 0)
    throw new StoreError('unavailable', `${join(directory, FILE_NAME)} was not closed completely.`);
}

/** How a file is prepared in an empty directory, and put in the place of the old one. */
interface Replacement<T> {
  make(directory: string): Promise<T>;
  place(made: string, path: string): void | Promise<void>;
}

/** Replaces the file of a directory in one step, once the new one is complete and on disk. Until then the old one stays as it is. */
async function replaceFile<T>(driver: SqliteDriver, to: string, { make, place }: Replacement<T>): Promise<T> {
  mkdirSync(to, { recursive: true, mode: 0o700 });
  const ownership = takeDirectory(driver, to, { toReplace: true });
  try {
    const making = mkdtempSync(join(to, UNFINISHED));
    try {
      const made = await make(making);
      checkClosed(making);
      syncFile(join(making, FILE_NAME));
      await place(join(making, FILE_NAME), join(to, FILE_NAME));
      return made;
    } finally {
      rmSync(making, { recursive: true, force: true });
    }
  } finally {
    ownership.release();
  }
}

/** Where a copy is made from and to. */
interface Copy extends BackupOptions {
  readonly from: string;
  readonly to: string;
}

/**
 * Writes a copy of the open store into another directory, and its SHA-256 beside it. The copy appears in one step, once it
 * is complete and on disk, and replaces an older copy in that directory.
 * @throws StoreError `full`, `unavailable`; what `check` throws
 */
async function backUp(driver: SqliteDriver, { from, to, check }: Copy): Promise<void> {
  if (resolve(from) === resolve(to))
    throw new StoreError('unavailable', 'The directory of a backup must not be the directory of the store.');
  try {
    await replaceFile(driver, to, {
      make: async (directory) => {
        const path = join(directory, FILE_NAME);
        // The copy holds logins and secrets. SQLite fills an empty file, and gives the same mode to its journal.
        closeSync(openSync(path, 'wx', 0o600));
        await driver.backup(join(from, FILE_NAME), path);
        await check?.(directory);
      },
      place: (made, path) => placeWithSum(made, path, () => removeOld(to)),
    });
  } catch (error) {
    const failure = toStoreError(error);
    throw failure instanceof StoreError
      ? failure
      : new StoreError('unavailable', `The backup to ${to} failed: ${messageOf(error)}`, { cause: error });
  }
}

/** Replaces the store of a directory that no process serves. `prepare`: makes a store in an empty directory, and closes it. @throws what it throws; StoreError `unavailable` */
export async function replaceStore<T>(to: string, prepare: (directory: string) => Promise<T>): Promise<T> {
  return replaceFile(await chooseDriver(), to, {
    make: prepare,
    place: (made, path) => {
      removeSums(path);
      removeOld(to);
      renameSync(made, path);
      syncDirectory(dirname(path));
      // The first start says so if there is no space for it.
      keepReserve(dirname(path), () => undefined);
    },
  });
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
  async make(target: string, { check }: BackupOptions): Promise<void> {
    const copy = backUp(this.#driver, {
      from: this.#directory,
      to: target,
      ...(check === undefined ? {} : { check }),
    });
    this.#running = Promise.allSettled([this.#running, copy]);
    await copy;
  }

  /** Resolves when no backup is running. */
  async idle(): Promise<void> {
    await this.#running;
  }
}

/** Takes a snapshot of a file: a read transaction on a connection of its own, which does not keep writers from writing. */
export function takeSnapshot(driver: SqliteDriver, path: string, collections: Collections): Snapshot {
  return guard(() => {
    const session = openReadSession(driver, path, WAITS.lock);
    const readers = new Map<
      CollectionDescriptor,
      (after: number, limit: number) => ReturnType<ReturnType<typeof createRecordReader>>[]
    >();
    const readerOf = (collection: CollectionDescriptor) => {
      const table = toTable(collection);
      const [read, text, fields] = [
        createRecordReader(table),
        compilePage(sqliteDialect, table),
        Object.keys(collection.fields),
      ];
      return (after: number, limit: number) =>
        session.all(text, [after, limit]).map((row) => read(row, fields));
    };
    for (const collection of collections.values()) readers.set(collection, readerOf(collection));
    session.connection.exec('BEGIN');
    // The transaction sees the state of its first read.
    session.get('SELECT count(*) FROM sqlite_schema');
    return {
      read: (name, after, limit) =>
        guard(() => readers.get(collectionOf(collections, name))?.(after, limit) ?? []),
      close: async () => session.close(),
    };
  });
}
