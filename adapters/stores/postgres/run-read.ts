import { collectionOf } from '../../../lib/store/check-query.ts';
import type { Collections } from '../../../lib/store/collection.ts';
import type { RecordKey } from '../../../lib/store/store.ts';
import type { Sql } from '../sql/compile-query.ts';
import { quoteName } from '../sql/dialect.ts';
import type { Connection, Connections, SqlRow } from './connections.ts';
import { isWorthAnother } from './errors.ts';

/** Reads the versions of records of any collections with one statement; 0 for a missing record. @throws StoreError `invalid` when the collection does not exist */
export async function readVersions(
  run: RunSql,
  collections: Collections,
  keys: readonly RecordKey[],
): Promise<readonly number[]> {
  if (keys.length === 0) return [];
  const version = ([name]: RecordKey, at: number): string =>
    `(SELECT "version" FROM ${quoteName(collectionOf(collections, name).name)} WHERE "id" = $${at + 1}) AS "v${at}"`;
  // Ids are positive safe integers, so other ids are replaced by 0, which no record has.
  const ids = keys.map(([, id]) => (Number.isSafeInteger(id) ? id : 0));
  const [row] = await run({ text: `SELECT ${keys.map(version).join(', ')}`, values: ids });
  return keys.map((_key, at) => Number(row?.[`v${at}`] ?? 0));
}

/** Runs a single statement that reads. */
export type RunSql = (sql: Sql) => Promise<readonly SqlRow[]>;

/** Runs a read. It changes nothing, so it is tried on another connection if its own turns out to be dead. @throws PostgresFailure */
export async function runRead<T>(
  readers: Connections,
  run: (connection: Connection) => Promise<T>,
): Promise<T> {
  const started = performance.now();
  try {
    return await readers.use(run);
  } catch (error) {
    if (!isWorthAnother(error, { attempt: 1, started })) throw error;
    return readers.use(run);
  }
}

/** Runs single statements that read, each on any of these connections. `name`: of the statement, if it is always the same. */
export function runOn(connections: Connections, name?: string): RunSql {
  return ({ text, values }) => runRead(connections, (connection) => connection.query(text, values, name));
}
