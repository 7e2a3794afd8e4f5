import { toSource } from '../lib/store/change-source.ts';
import { checkCollections } from '../lib/store/check-collections.ts';
import { checkOperations } from '../lib/store/check-operations.ts';
import { checkQuery, collectionOf } from '../lib/store/check-query.ts';
import type { Collections, CollectionDescriptor } from '../lib/store/collection.ts';
import { CountCache } from '../lib/store/count-cache.ts';
import { createSortKeys } from '../lib/store/row.ts';
import { type Store, StoreError } from '../lib/store/store.ts';
import { type StoreLog, toStoreLog } from './stores/sql/store-log.ts';
import { toTable } from './stores/sql/tables.ts';
import { type BackupOptions, Backups, takeSnapshot } from './stores/sqlite/backup/backup.ts';
import type { SqliteDriver } from './stores/sqlite/driver.ts';
import { chooseDriver } from './stores/sqlite/drivers.ts';
import { guard, guardLong, toStoreError } from './stores/sqlite/errors.ts';
import { type Far, Finder } from './stores/sqlite/read/find.ts';
import { createDamageChecks } from './stores/sqlite/schema/damage-checks.ts';
import { keepReserve, openFile, type OpenFile } from './stores/sqlite/schema/open-file.ts';
import { Reader } from './stores/sqlite/worker/reader.ts';
import { applyOperations, type OpenCollection, publishCounts } from './stores/sqlite/write/apply.ts';
import { ChangeLog } from './stores/sqlite/write/change-log.ts';
import { GroupCommit } from './stores/sqlite/write/group-commit.ts';
import { IndexBuilder } from './stores/sqlite/write/index-builder.ts';
import { Revisions } from './stores/sqlite/write/revisions.ts';
import { TableWriter } from './stores/sqlite/write/table-writer.ts';
import { Transaction } from './stores/sqlite/write/transaction.ts';

/** Options of `createSqliteStore`. `collections`: those that the store has. `log`: gets notes for the operator. */
export interface SqliteStoreOptions {
  /** Directory that holds the database and nothing else. Created when it is missing. It must not be on a network file system. */
  readonly directory: string;
  readonly collections: readonly CollectionDescriptor[];
  /** `full` (default): an acknowledged commit survives a power failure if the disk honours fsync. `relaxed`: it survives the end of the process. */
  readonly durability?: 'full' | 'relaxed';
  readonly log?: (message: string, error?: unknown) => void;
  /** Default: node:sqlite where Node has it, otherwise libsql. */
  readonly driver?: SqliteDriver;
}

export type { BackupOptions };

/** A store in one file. `backup` writes a consistent copy into a directory while the store stays in use, and its SHA-256 beside it. A copy of the copy can be opened as a store. */
export interface SqliteStore extends Store {
  /** Other processes may have the directory open at the same time. */
  readonly shared: boolean;
  /** @throws StoreError `full`, `unavailable`, `closed` */
  backup(directory: string, options?: BackupOptions): Promise<void>;
  /** Reads the whole file and compares its tables and indexes. Blocks until it is done. Returns what is damaged, at most 20 lines. @throws StoreError `closed` */
  checkIntegrity(): readonly string[];
  /** Compares each folded text with its folded form. Blocks until it is done. Returns the texts that were changed outside of the store (`posts 5: title`), at most 20. @throws StoreError `closed` */
  checkTexts(): readonly string[];
}

type OpenEntry = OpenCollection & { readonly finder: Finder };
type Open = ReadonlyMap<string, OpenEntry>;

function openCollections({ session }: OpenFile, collections: Collections, far: Far): Open {
  return new Map(
    [...collections.values()].map((collection) => {
      const table = toTable(collection);
      const sortKeys = createSortKeys(collection);
      return [
        collection.name,
        {
          writer: new TableWriter(session, table),
          sortKeys,
          counts: new CountCache(sortKeys),
          finder: new Finder(session, table, far),
        },
      ];
    }),
  );
}

/** The parts of an open store. */
interface Parts {
  readonly file: OpenFile;
  readonly open: Open;
  readonly revisions: Revisions;
  readonly changeLog: ChangeLog;
  readonly group: GroupCommit;
  readonly transaction: Transaction;
  readonly readers: readonly Reader[];
  readonly builder: IndexBuilder;
  readonly backups: Backups;
}

interface Surroundings {
  readonly driver: SqliteDriver;
  readonly directory: string;
  readonly log: StoreLog;
}

function assemble(
  file: OpenFile,
  collections: Collections,
  { driver, directory, log, isDurable }: Surroundings & { readonly isDurable: boolean },
): Parts {
  const { session, path, ownership, textIndexes } = file;
  const [reader, searcher] = [1, 2].map(() => new Reader({ path, driver: driver.name, log })) as [
    Reader,
    Reader,
  ];
  const open = openCollections(file, collections, {
    reader,
    searcher,
    textIndexes,
    settle: () => transaction.settle(),
    revisionOf: (name) => revisions.of(name),
  });
  const forget = (): void => {
    for (const { counts, writer } of open.values()) {
      counts.clear();
      writer.forget();
    }
  };
  const revisions = new Revisions(session, { shared: ownership.shared, onReload: forget });
  const transaction = new Transaction({
    session,
    isDurable,
    revisions,
    onLoss: () => {
      for (const { writer } of open.values()) writer.skipGiven();
    },
    log,
  });
  const group = new GroupCommit({
    transaction,
    apply: (operations) => applyOperations(session, open, operations),
    publish: (applied, source) => {
      const changed = new Set(applied.changes.map(({ collection }) => collection));
      changeLog.add(applied.changes, source);
      publishCounts(open, applied);
      for (const name of changed) builder.note(textIndexes.get(name));
    },
  });
  const changeLog = new ChangeLog(session, revisions, collections);
  const builder = new IndexBuilder(textIndexes.values(), { session, transaction, log });
  return {
    file,
    open,
    revisions,
    changeLog,
    group,
    transaction,
    readers: [reader, searcher],
    builder,
    backups: new Backups(driver, directory),
  };
}

function closeSession({ session, ownership }: OpenFile): void {
  session.close();
  ownership.release();
}

async function closeFile(
  { file, group, transaction, readers, builder, backups }: Parts,
  { directory, log }: Surroundings,
): Promise<void> {
  await backups.idle();
  builder.stop();
  group.finish();
  await Promise.all(readers.map((reader) => reader.close()));
  try {
    transaction.settle();
    if (!file.isReadOnly) file.session.connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } catch (error) {
    // The log is complete and is read at the next start. Items of a batch that was not acknowledged may be missing.
    log('The store could not be closed cleanly.', error);
  }
  closeSession(file);
  if (file.isReadOnly) return;
  // The disk may have been full when the store was opened, and the files that are closed now left room. Another process writes the same bytes.
  keepReserve(directory, log);
}

/** What the methods of an open store use. `checkOpen`: throws if it is closed. */
interface Opened {
  readonly parts: Parts;
  readonly collections: Collections;
  readonly checkOpen: () => void;
}

function createReads({
  parts: { open, revisions, changeLog, transaction },
  collections,
  checkOpen,
}: Opened): Required<Pick<Store, 'find' | 'get' | 'versions' | 'revision' | 'changes'>> {
  const collectionNamed = (name: string): OpenEntry => {
    checkOpen();
    collectionOf(collections, name);
    return open.get(name) as OpenEntry;
  };
  return {
    find: async (query, waiter) => {
      const checked = checkQuery(collections, query);
      const collection = collectionNamed(checked.collection.name);
      return guardLong(() => {
        revisions.refresh();
        return collection.finder.find(collection, checked, waiter);
      });
    },
    get: (name, id) => {
      const { writer } = collectionNamed(name);
      return Number.isSafeInteger(id) ? guard(() => writer.get(id)) : null;
    },
    versions: (keys) =>
      guard(() =>
        keys.map(([name, id]) => (Number.isSafeInteger(id) ? collectionNamed(name).writer.version(id) : 0)),
      ),
    revision: (names) => {
      checkOpen();
      return guard(() => revisions.sum(names));
    },
    changes: (query) => {
      checkOpen();
      // What is read must not be rolled back later.
      transaction.settle();
      return guard(() => changeLog.read(query));
    },
  };
}

function createWrites({
  parts: { changeLog, group, transaction, builder },
  collections,
  checkOpen,
}: Opened): Required<Pick<Store, 'commit' | 'flush' | 'forgetChanges' | 'prepared'>> {
  return {
    commit: async (operations, durability = 'now', source) => {
      checkOpen();
      const checked = checkOperations(collections, operations);
      return checked.length === 0 ? [] : group.commit(checked, { durability, source: toSource(source) });
    },
    flush: async (since) => {
      checkOpen();
      transaction.sync(since);
    },
    forgetChanges: async (through) => {
      checkOpen();
      let isLeft = false;
      guard(() =>
        transaction.aside(() => {
          isLeft = changeLog.forget(through);
        }),
      );
      return isLeft;
    },
    prepared: async () => {
      checkOpen();
      await builder.complete();
    },
  };
}

function createStore(parts: Parts, collections: Collections, around: Surroundings): SqliteStore {
  const { file, transaction, backups } = parts;
  let isOpen = true;
  const checkOpen = (): void => {
    if (!isOpen) throw new StoreError('closed', 'The store is closed.');
  };
  const opened = { parts, collections, checkOpen };
  return {
    collections: [...collections.keys()],
    shared: file.ownership.shared,
    ...createReads(opened),
    ...createWrites(opened),
    ...createDamageChecks(file.session, collections, checkOpen),
    backup: async (target, options = {}) => {
      checkOpen();
      transaction.settle();
      await backups.make(target, options);
    },
    snapshot: async () => {
      checkOpen();
      transaction.settle();
      return takeSnapshot(around.driver, file.path, collections);
    },
    close: async () => {
      if (!isOpen) return;
      isOpen = false;
      await closeFile(parts, around);
    },
  };
}

/**
 * A store in one SQLite file. A commit is on stable storage when it is acknowledged.
 * @throws StoreError `unavailable` when the file is damaged, written by another program or a newer version, not writable, or used by
 * another process where sharing is unsafe; TypeError when a descriptor is invalid or SQLite is not available.
 */
export async function createSqliteStore(options: SqliteStoreOptions): Promise<SqliteStore> {
  const collections = checkCollections(options.collections);
  const driver = options.driver ?? (await chooseDriver());
  const log = toStoreLog(options.log);
  const { directory, durability = 'full' } = options;
  if (typeof directory !== 'string' || directory === '')
    throw new TypeError('createSqliteStore needs the path of a directory');
  log(`Store ${directory}: ${driver.name}, SQLite ${driver.engine}`);
  const file = openFile(driver, {
    directory,
    tables: options.collections.map((collection) => toTable(collection)),
    durability,
    log,
  });
  const around = { directory, driver, log };
  try {
    const parts = assemble(file, collections, { ...around, isDurable: durability === 'full' });
    return createStore(parts, collections, around);
  } catch (error) {
    closeSession(file);
    throw toStoreError(error);
  }
}
