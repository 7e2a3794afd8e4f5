import type { Limiter } from '../lib/core/limiter.ts';
import { toSource } from '../lib/store/change-source.ts';
import { checkCollections } from '../lib/store/check-collections.ts';
import { checkOperations } from '../lib/store/check-operations.ts';
import { checkQuery, collectionOf } from '../lib/store/check-query.ts';
import type { Collections } from '../lib/store/collection.ts';
import { createSortKeys } from '../lib/store/row.ts';
import { type Snapshot, type Store, StoreError } from '../lib/store/store.ts';
import {
  type Connection,
  type Connections,
  NO_LIMITS,
  openConnections,
  type ServerLimits,
  toLimits,
} from './stores/postgres/connections.ts';
import { Totals } from './stores/postgres/count-cache.ts';
import { createLimiter, inTime } from './stores/postgres/deadline.ts';
import { postgresDialect } from './stores/postgres/dialect.ts';
import { createDeniedNote, guard } from './stores/postgres/errors.ts';
import { KeyedQueue } from './stores/postgres/keyed-queue.ts';
import { Locks } from './stores/postgres/locks.ts';
import { OpenTransactions } from './stores/postgres/open-transactions.ts';
import { forgetChanges, readChanges } from './stores/postgres/read/changes.ts';
import { Finder, takeSnapshot } from './stores/postgres/read/find.ts';
import { Revisions, runInRequest } from './stores/postgres/read/revisions.ts';
import { readVersions, runOn, runRead, type RunSql } from './stores/postgres/run-read.ts';
import { type Background, prepare } from './stores/postgres/schema/prepare.ts';
import { flushAll, Life } from './stores/postgres/server-epoch.ts';
import {
  checkPostgresOptions,
  CONNECTIONS,
  LIMITS,
  type PostgresStoreOptions,
  READ_LOCK_MS,
  REVISIONS,
} from './stores/postgres/store-options.ts';
import type { OpenTable } from './stores/postgres/write/begin-commit.ts';
import { commitGroup } from './stores/postgres/write/commit.ts';
import { GroupCommit } from './stores/postgres/write/group-commit.ts';
import { LaterCommits } from './stores/postgres/write/later-commits.ts';
import { TableWriter } from './stores/postgres/write/table-writer.ts';
import { toStoreLog } from './stores/sql/store-log.ts';
import { toTable } from './stores/sql/tables.ts';

export type { PostgresStoreOptions };

/** The store counts as busy for this long after something had to wait, because requests that just began have not reached it yet. Milliseconds. */
const BUSY_MS = 250;
/** Most searches at once, and how long another one waits. Other reads need connections too. */
const SEARCHES = { most: 2, patienceMs: 2000, what: 'searches' };
/** The table of the revisions. */
const CATALOG = 'store:collections';
/** How long a read of a collection waits until others of it have ended. Milliseconds. */
const PATIENCE_MS = 2500;

interface Parts {
  readonly readers: Connections;
  readonly revisionReader: Connections;
  readonly writers: Connections;
  readonly queues: KeyedQueue;
  readonly collections: Collections;
  readonly background: Background;
  readonly life: Life;
  readonly openTransactions: OpenTransactions;
  /** Reads and writes wait for different locks. */
  readonly readLocks: Locks;
  readonly writeLocks: Locks;
  readonly most: Required<NonNullable<PostgresStoreOptions['connections']>>;
  /** How long a call may take. Milliseconds. */
  readonly callMs: number;
}

type OpenCollection = OpenTable & { readonly reads: Reads; readonly finder: Finder };

/** Runs the reads of a collection, which may use all connections but one. The last one is for the others. */
class Reads {
  readonly turns: Limiter;
  readonly #name: string;
  readonly #readers: Connections;
  readonly #locks: Locks;

  constructor(name: string, { readers, readLocks, most }: Parts) {
    this.turns = createLimiter({
      most: Math.max(1, most.read - 1),
      patienceMs: PATIENCE_MS,
      what: `reads of ${name}`,
    });
    this.#name = name;
    this.#readers = readers;
    this.#locks = readLocks;
  }

  run<T>(use: (connection: Connection) => Promise<T>): Promise<T> {
    // Checked before and after waiting: a lock that was found meanwhile ends the wait of all.
    this.#locks.check([this.#name]);
    return this.turns.run(() => this.#locks.run([this.#name], () => runRead(this.#readers, use)));
  }
}

function openCollections(parts: Parts, revisions: Revisions): ReadonlyMap<string, OpenCollection> {
  const longReads = createLimiter(SEARCHES);
  return new Map(
    [...parts.collections.values()].map((collection) => {
      const table = toTable(collection, postgresDialect);
      const reads = new Reads(collection.name, parts);
      const run: RunSql = ({ text, values }) => reads.run((connection) => connection.query(text, values));
      const totals = new Totals(createSortKeys(collection));
      return [
        collection.name,
        {
          reads,
          writer: new TableWriter(table),
          totals,
          finder: new Finder({ run, revisions, totals, longReads }, table),
        },
      ];
    }),
  );
}

/** A batch asks for the revisions again and again. If their table is locked, only one request waits for it. */
function openRevisions({ revisionReader, readLocks, life }: Parts): Revisions {
  const run = runOn(revisionReader, 'revisions');
  return new Revisions(
    (sql) => readLocks.run([CATALOG], () => run(sql)),
    () => life.begin(),
  );
}

function createBusy(
  { readers, queues }: Parts,
  open: ReadonlyMap<string, OpenCollection>,
): (kind: 'read' | 'write') => boolean {
  const read = [readers, ...[...open.values()].map(({ reads }) => reads.turns)];
  const both = [...read, queues];
  return (kind) =>
    (kind === 'write' ? both : read).some(({ waitedAt }) => performance.now() - waitedAt < BUSY_MS);
}

async function closeParts(
  { queues, background, readers, revisionReader, writers }: Parts,
  later: LaterCommits,
): Promise<void> {
  await queues.idle();
  // Nobody waits for what was left to a later flush. A server that is gone must not keep the store open.
  await Promise.allSettled([later.flush(Infinity)]);
  await Promise.all([
    background.stop(),
    ...[readers, revisionReader, writers].map((connections) => connections.close()),
  ]);
}

/** What the methods of an open store use. `checkOpen`: throws if it is closed. */
interface Opened {
  readonly open: ReadonlyMap<string, OpenCollection>;
  readonly revisions: Revisions;
  readonly checkOpen: () => void;
}

function createReads(
  { readers, collections, callMs }: Parts,
  { open, revisions, checkOpen }: Opened,
): Pick<Store, 'find' | 'get' | 'versions'> {
  const run = runOn(readers);
  const collectionNamed = (name: string): OpenCollection => {
    checkOpen();
    collectionOf(collections, name);
    return open.get(name) as OpenCollection;
  };
  const read = <T>(names: readonly string[], work: () => Promise<T>): Promise<T> =>
    inTime(callMs, () => guard(work)).finally(() => revisions.noteShown(names));
  return {
    find: async (query, waiter) => {
      const checked = checkQuery(collections, query);
      const { name } = checked.collection;
      const { finder } = collectionNamed(name);
      return read([name], () => finder.find(checked, waiter));
    },
    get: async (name, id) => {
      const { writer, reads } = collectionNamed(name);
      return Number.isSafeInteger(id)
        ? read([name], () => reads.run((connection) => writer.get(connection, id)))
        : null;
    },
    versions: async (keys) => {
      checkOpen();
      return read(
        keys.map(([name]) => name),
        () => readVersions(run, collections, keys),
      );
    },
  };
}

function createStore(parts: Parts): Store {
  const { writers, collections, queues, writeLocks, life, openTransactions, callMs } = parts;
  const revisions = openRevisions(parts);
  const later = new LaterCommits(() => flushAll(writers));
  const open = openCollections(parts, revisions);
  const commits = new GroupCommit({
    queues,
    callMs,
    locks: writeLocks,
    write: (group) =>
      commitGroup(writers, { writers: open, locks: writeLocks, life, later }, group).finally(() =>
        openTransactions.note(),
      ),
  });
  let isOpen = true;
  const checkOpen = (): void => {
    if (!isOpen) throw new StoreError('closed', 'The store is closed.');
  };
  return {
    collections: [...collections.keys()],
    ...createReads(parts, { open, revisions, checkOpen }),
    commit: async (operations, durability = 'now', source) => {
      checkOpen();
      const checked = checkOperations(collections, operations);
      return commits
        .commit(checked, { durability, source: toSource(source) })
        .finally(() => revisions.noteShown(checked.map(({ collection }) => collection.name)));
    },
    flush: async (since) => {
      checkOpen();
      await inTime(callMs, () => guard(() => later.flush(since)));
    },
    revision: (names) => {
      checkOpen();
      return revisions.sum(names, callMs);
    },
    changes: async (query) => {
      checkOpen();
      return inTime(callMs, () => guard(() => readChanges(runOn(parts.readers), collections, query)));
    },
    forgetChanges: async (through) => {
      checkOpen();
      return inTime(callMs, () => guard(() => forgetChanges(runOn(writers), collections, through)));
    },
    inRequest: runInRequest,
    isBusy: createBusy(parts, open),
    close: async () => {
      if (!isOpen) return;
      isOpen = false;
      await closeParts(parts, later);
    },
  };
}

/**
 * A store in a PostgreSQL database, for any number of processes and hosts. A commit is on stable storage when it is acknowledged.
 * @throws StoreError `unavailable` when the server cannot be reached, may lose commits, or holds tables of a newer version;
 * TypeError when a descriptor is invalid or the package pg is not installed.
 */
export async function createPostgresStore(options: PostgresStoreOptions): Promise<Store> {
  checkPostgresOptions(options);
  const collections = checkCollections(options.collections);
  const { url, schema = 'routebook', durability = 'full', pooling = 'session' } = options;
  const log = toStoreLog(options.log);
  const { statementMs, lockMs, connectMs } = { ...LIMITS, ...options.limits };
  const most = { ...CONNECTIONS, ...options.connections };
  const background = await prepare({
    url,
    schema,
    durability,
    pooling,
    log,
    collections: [...collections.values()],
  });
  const onLost = (error: Error): void => log(`A connection to the database was lost: ${error.message}`);
  const open = (count: number, limits: ServerLimits): Promise<Connections> =>
    openConnections({
      url,
      schema,
      most: count,
      limits,
      pooling,
      connectMs,
      onLost,
      onDenied: createDeniedNote(log),
    });
  const readers = await open(most.read, toLimits(statementMs, Math.min(lockMs, READ_LOCK_MS)));
  const revisionReader = await open(REVISIONS, toLimits(statementMs, Math.min(lockMs, READ_LOCK_MS)));
  const writers = await open(most.write, toLimits(statementMs, lockMs));
  const life = new Life(writers, log);
  const store = createStore({
    readers,
    revisionReader,
    writers,
    collections,
    life,
    openTransactions: new OpenTransactions(readers, log),
    queues: new KeyedQueue(),
    background,
    readLocks: new Locks(),
    writeLocks: new Locks(),
    most,
    callMs: statementMs,
  });
  const snapshot = async (): Promise<Snapshot> => {
    // Rejects if the store is closed.
    await store.flush();
    return takeSnapshot(() => open(1, NO_LIMITS), collections);
  };
  const prepared = async (): Promise<void> => {
    await store.flush();
    await background.done;
  };
  return { ...store, prepared, snapshot };
}
