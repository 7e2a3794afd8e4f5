import { isLogged, type RecordChange, toChangeRow } from '../../../lib/store/change-rows.ts';
import { toSource } from '../../../lib/store/change-source.ts';
import type { ChangeSource } from '../../../lib/store/change.ts';
import { checkCollections } from '../../../lib/store/check-collections.ts';
import {
  type CheckedOperation,
  checkOperations,
  findTarget,
  resolveValues,
} from '../../../lib/store/check-operations.ts';
import { type CheckedQuery, checkQuery, collectionOf } from '../../../lib/store/check-query.ts';
import type { Collections, CollectionDescriptor } from '../../../lib/store/collection.ts';
import { eq, oneOf } from '../../../lib/store/query.ts';
import {
  type FindResult,
  type RecordKey,
  type Store,
  type StoredRecord,
  StoreError,
} from '../../../lib/store/store.ts';
import { forgetLog, insertChanges, readLog } from './change-log.ts';
import { compileCount, compileFind, PLAIN_ACCESS } from './compile-query.ts';
import type { SqlDatabase, SqlSession } from './database.ts';
import { type Dialect, quoteConstant } from './dialect.ts';
import { createRecordReader, tellIncomplete } from './record-columns.ts';
import { RecordWriter } from './record-writer.ts';
import { type TableShape, toTable } from './tables.ts';

/** A collection that a commit has locked. */
export interface Locked {
  readonly writer: RecordWriter;
  /** The largest id that was ever assigned. */
  lastId: number;
  /** The revision before the commit. */
  readonly revision: number;
  /** What the commit has changed. */
  readonly changes: RecordChange[];
}

interface Progress {
  readonly session: SqlSession;
  /** Ids of labelled records. */
  readonly ids: Map<string, number>;
}

type Create = CheckedOperation & { readonly op: 'create' };

async function create(locked: Locked, operation: Create, { session, ids }: Progress): Promise<StoredRecord> {
  const id = operation.id ?? locked.lastId + 1;
  const record = await locked.writer.insert(session, id, resolveValues(operation.values, ids));
  locked.lastId = Math.max(locked.lastId, id);
  if (operation.as !== undefined) ids.set(operation.as, id);
  return record;
}

/** Applies one operation. @returns the new record, or the removed one @throws StoreError `unique`, `version`, `missing` */
export async function applyOperation(
  locked: Locked,
  operation: CheckedOperation,
  progress: Progress,
): Promise<StoredRecord | null> {
  const { writer } = locked;
  const { session } = progress;
  if (operation.op === 'removeAll') {
    const found = await writer.find(session, operation.where);
    for (const { id } of found) await writer.remove(session, id);
    locked.changes.push(...found.map((before) => ({ before, after: null })));
    return null;
  }
  if (operation.op === 'create') {
    const after = await create(locked, operation, progress);
    locked.changes.push({ before: null, after });
    return after;
  }
  const [found] = await writer.find(session, eq('id', operation.id));
  const before = findTarget(found, operation);
  if (operation.op === 'remove') {
    await writer.remove(session, operation.id);
    locked.changes.push({ before, after: null });
    return before;
  }
  const { id: _id, version: _version, ...values } = before;
  const after = await writer.update(session, before, resolveValues(operation.values, progress.ids, values));
  locked.changes.push({ before, after });
  return after;
}

/** The columns and lists of a table as text. */
function describeShape({ columns, lists, indexes }: TableShape): string {
  return JSON.stringify([
    columns.map(({ name, type }) => [name, type]),
    lists.map(({ name, type }) => [name, type]),
    indexes.map(({ name }) => name),
  ]);
}

async function createTable(session: SqlSession, dialect: Dialect, table: TableShape): Promise<void> {
  const statements = [
    dialect.createTable(table),
    ...table.lists.flatMap((list) => dialect.createListTable(list)),
    ...table.indexes.map((index) => dialect.createIndex(index)),
  ];
  for (const text of statements) await session.run({ text, values: [] });
}

/** Creates the tables of new collections. `create`: the statements that create `store:collections` and the table of the log. @throws StoreError `unavailable` when the fields of a collection have changed */
export async function createTables(
  session: SqlSession,
  dialect: Dialect,
  { tables, create }: { readonly tables: readonly TableShape[]; readonly create: readonly string[] },
): Promise<void> {
  for (const text of create) await session.run({ text, values: [] });
  const rows = await session.run({
    text: 'SELECT "collection", "shape" FROM "store:collections"',
    values: [],
  });
  const shapes = new Map(rows.map(([name, shape]) => [String(name), String(shape)]));
  for (const table of tables) {
    const shape = shapes.get(table.name);
    if (shape === undefined) {
      await createTable(session, dialect, table);
      await session.run({
        text: `INSERT INTO "store:collections" ("collection", "shape", "revision", "last_id") VALUES (${quoteConstant(table.name)}, ${dialect.placeholder(1)}, 0, 0)`,
        values: [describeShape(table)],
      });
    } else if (shape !== describeShape(table)) {
      throw new StoreError(
        'unavailable',
        `The collection ${table.name} has other fields or indexes than its table. Use an empty database, and copy the records with a program that opens both: the old one with the descriptors that made it.`,
      );
    }
  }
}

/** The calls of a store that have not ended. */
export class RunningWork {
  readonly #toStoreError: (error: unknown) => StoreError;
  readonly #running = new Set<Promise<unknown>>();
  #last: Promise<unknown> = Promise.resolve();
  #isOpen = true;

  constructor(toStoreError: (error: unknown) => StoreError) {
    this.#toStoreError = toStoreError;
  }

  /** @throws StoreError `closed`, or that of the work */
  async run<T>(begin: () => Promise<T>): Promise<T> {
    if (!this.#isOpen) throw new StoreError('closed', 'The store is closed.');
    const work = begin();
    this.#running.add(work);
    try {
      return await work;
    } catch (error) {
      throw error instanceof StoreError ? error : this.#toStoreError(error);
    } finally {
      this.#running.delete(work);
    }
  }

  /** Runs the work after that of earlier calls of this method, so that commits happen in the order in which they were asked for. */
  runInTurn<T>(begin: () => Promise<T>): Promise<T> {
    return this.run(() => {
      const mine = this.#last.then(begin);
      this.#last = mine.catch(() => undefined);
      return mine;
    });
  }

  /** Refuses further calls and waits for those that run. @returns false if this was done before */
  async end(): Promise<boolean> {
    if (!this.#isOpen) return false;
    this.#isOpen = false;
    await Promise.allSettled(this.#running);
    return true;
  }
}

/** What a store in an SQL database is made of. */
export interface SqlStoreOptions {
  /** The SQL of the database. */
  readonly dialect: Dialect;
  /** Its transactions. The store closes it. */
  readonly database: SqlDatabase;
  /** The records to store. */
  readonly collections: readonly CollectionDescriptor[];
  /** Creates the table `store:collections`, unless it exists, with the columns `collection` (its key), `shape` (texts), `revision` and `last_id` (integers up to 2 ** 53). */
  readonly catalog: string;
  /** Creates the table of the log of changes, unless it exists: `createChangeTable` with the types of the database. */
  readonly log: string;
}

type Writers = ReadonlyMap<string, RecordWriter>;

function inList(names: readonly string[]): string {
  return names.map(quoteConstant).join(', ');
}

/** Locks the rows of the collections, always in the same order. Only the holder of the locks may change the collections. */
async function lock(
  session: SqlSession,
  writers: Writers,
  { names, lockRows }: { readonly names: readonly string[]; readonly lockRows: string },
): Promise<ReadonlyMap<string, Locked>> {
  const rows = await session.run({
    text: `SELECT "collection", "last_id", "revision" FROM "store:collections" WHERE "collection" IN (${inList(names)}) ORDER BY "collection"${lockRows}`,
    values: [],
  });
  return new Map(
    rows.map(([name, lastId, revision]) => [
      String(name),
      {
        writer: writers.get(String(name)) as RecordWriter,
        lastId: Number(lastId),
        revision: Number(revision),
        changes: [],
      },
    ]),
  );
}

/** What a commit does, and who makes it. */
interface Commit {
  readonly dialect: Dialect;
  readonly operations: readonly CheckedOperation[];
  readonly source: ChangeSource;
}

/** Counts the changes of a collection, and logs them if it has a log. */
async function endChanges(
  session: SqlSession,
  { writer, lastId, revision, changes }: Locked,
  { dialect, source }: Commit,
): Promise<void> {
  const { collection, name } = writer.table;
  const isKept = isLogged(collection);
  for (const [index, change] of isKept ? changes.entries() : []) {
    const at = Date.now();
    const row = toChangeRow(collection, change, { revision: revision + index + 1, source, at });
    const params = row.map((_value, position) => dialect.placeholder(position + 1));
    await session.run({ text: insertChanges([`(${params.join(', ')})`]), values: row });
  }
  await session.run({
    text: `UPDATE "store:collections" SET "revision" = "revision" + ${isKept ? changes.length : 1}, "last_id" = ${dialect.placeholder(1)} WHERE "collection" = ${quoteConstant(name)}`,
    values: [lastId],
  });
}

async function applyAll(
  session: SqlSession,
  locked: ReadonlyMap<string, Locked>,
  commit: Commit,
): Promise<readonly (StoredRecord | null)[]> {
  const progress = { session, ids: new Map<string, number>() };
  const results: (StoredRecord | null)[] = [];
  for (const operation of commit.operations)
    results.push(await applyOperation(locked.get(operation.collection.name) as Locked, operation, progress));
  for (const each of locked.values()) if (each.changes.length > 0) await endChanges(session, each, commit);
  return results;
}

async function find(session: SqlSession, dialect: Dialect, query: CheckedQuery): Promise<FindResult> {
  const read = createRecordReader(toTable(query.collection, dialect));
  const total = query.total
    ? Number((await session.run(compileCount(dialect, query, PLAIN_ACCESS)))[0]?.[0])
    : -1;
  const rows = query.limit === 0 ? [] : await session.run(compileFind(dialect, query, PLAIN_ACCESS));
  return { records: rows.map((row) => read(row, query.fields)), total, ...tellIncomplete(query, rows) };
}

async function readVersions(
  session: SqlSession,
  dialect: Dialect,
  { collections, keys }: { readonly collections: Collections; readonly keys: readonly RecordKey[] },
): Promise<readonly number[]> {
  const found = new Map<string, number>();
  for (const name of new Set(keys.map(([each]) => each))) {
    const ids = keys.flatMap(([each, id]) => (each === name && Number.isSafeInteger(id) ? [id] : []));
    const { records } = await find(
      session,
      dialect,
      checkQuery(collections, { collection: name, where: oneOf('id', ids), fields: [] }),
    );
    for (const { id, version } of records) found.set(`${name} ${id}`, version);
  }
  return keys.map(([name, id]) => found.get(`${name} ${id}`) ?? 0);
}

function createStore({ dialect, database }: SqlStoreOptions, collections: Collections): Store {
  const writers: Writers = new Map(
    [...collections.values()].map((collection) => [
      collection.name,
      new RecordWriter(dialect, toTable(collection, dialect)),
    ]),
  );
  const work = new RunningWork(database.toStoreError);
  const findChecked = (query: CheckedQuery): Promise<FindResult> =>
    work.run(() => database.read((session) => find(session, dialect, query)));
  return {
    collections: [...collections.keys()],
    find: async (query) => findChecked(checkQuery(collections, query)),
    get: async (name, id) => {
      collectionOf(collections, name);
      if (!Number.isSafeInteger(id)) return null;
      return (
        (await findChecked(checkQuery(collections, { collection: name, where: eq('id', id) }))).records[0] ??
        null
      );
    },
    versions: (keys) =>
      work.run(() => database.read((session) => readVersions(session, dialect, { collections, keys }))),
    commit: async (operations, _durability, given) => {
      const source = toSource(given);
      const checked = checkOperations(collections, operations);
      const names = [...new Set(checked.map(({ collection }) => collection.name))];
      const write = async (session: SqlSession): Promise<readonly (StoredRecord | null)[]> =>
        applyAll(session, await lock(session, writers, { names, lockRows: database.lockRows }), {
          dialect,
          operations: checked,
          source,
        });
      return names.length === 0 ? work.run(async () => []) : work.runInTurn(() => database.write(write));
    },
    // Every commit is durable when its promise settles.
    flush: () => work.run(async () => undefined),
    revision: async (names) => {
      for (const name of names) collectionOf(collections, name);
      if (names.length === 0) return work.run(async () => 0);
      const [row] = await work.run(() =>
        database.read((session) =>
          session.run({
            text: `SELECT sum("revision") AS "n" FROM "store:collections" WHERE "collection" IN (${inList(names)})`,
            values: [],
          }),
        ),
      );
      return Number(row?.[0]);
    },
    changes: async (query) =>
      work.run(() => database.read((session) => readLog(session, { dialect, collections }, query))),
    forgetChanges: async (through) =>
      work.run(() => database.write((session) => forgetLog(session, { dialect, collections }, through))),
    close: async () => {
      if (await work.end()) await database.close();
    },
  };
}

/** A complete store in any SQL database: the plain form, with a statement for each step. @throws StoreError; TypeError when a descriptor is invalid */
export async function createSqlStore(options: SqlStoreOptions): Promise<Store> {
  const { dialect, database, catalog, log } = options;
  if (dialect.textsApart === true)
    throw new TypeError('createSqlStore does not write tables of texts: leave textsApart out of the dialect');
  const collections = checkCollections(options.collections);
  try {
    await database.write((session) =>
      createTables(session, dialect, {
        tables: [...collections.values()].map((collection) => toTable(collection, dialect)),
        create: [catalog, log],
      }),
    );
  } catch (error) {
    await database.close();
    throw error instanceof StoreError ? error : database.toStoreError(error);
  }
  return createStore(options, collections);
}
