import type { Sql } from '../sql/compile-query.ts';
import type { Connection, Connections, SqlRow } from './connections.ts';
import { isWorthAnother } from './errors.ts';

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
