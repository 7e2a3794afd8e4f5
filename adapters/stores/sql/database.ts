import type { StoreError } from '../../../lib/store/store.ts';
import type { Sql } from './compile-query.ts';
import type { SqlValues } from './record-columns.ts';

/** A connection on which a transaction is open. */
export interface SqlSession {
  /** Runs a statement. @returns its rows, each as the list of its values; empty for a statement without rows */
  run(sql: Sql): Promise<readonly SqlValues[]>;
}

/** What `createSqlStore` needs of a database. Several transactions may be open at once. */
export interface SqlDatabase {
  /** Runs reads that see one state of the database. */
  read<T>(work: (session: SqlSession) => Promise<T>): Promise<T>;
  /** Runs `work` in a transaction that sees what others have committed before each of its statements. It is rolled back if `work` fails. When the promise resolves, it is on stable storage. @throws StoreError `unknown` if the server did not confirm the commit */
  write<T>(work: (session: SqlSession) => Promise<T>): Promise<T>;
  /** The error of the store for an error of the driver: `full`, else `unavailable`. */
  toStoreError(error: unknown): StoreError;
  /** Follows a SELECT to lock its rows until the end of the transaction: ` FOR UPDATE`. */
  readonly lockRows: string;
  /** Ends all connections. */
  close(): Promise<void>;
}
