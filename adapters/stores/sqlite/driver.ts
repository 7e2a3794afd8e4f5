import { messageOf } from '../../../lib/core/thrown.ts';
import type { SqlValues } from '../sql/record-columns.ts';

/** The interface between the store and the SQLite engine of the process. All calls but `backup` are synchronous and on one thread. */
export interface SqliteDriver {
  /** Name of the package or module. */
  readonly name: string;
  /** Version of the engine: `3.53.4`. */
  readonly engine: string;
  /** Opens or creates a file. `busyMs`: how long a statement waits for a lock of another connection. @throws SqliteFailure */
  open(path: string, busyMs: number): Connection;
  /** Writes a consistent copy of an open file to a new one while it stays in use. @throws SqliteFailure */
  backup(path: string, target: string): Promise<void>;
}

/** An open connection to a database file. */
export interface Connection {
  /** Runs statements without parameters or results. @throws SqliteFailure */
  exec(sql: string): void;
  /** @throws SqliteFailure */
  prepare(sql: string): Statement;
  /** Must be called once. */
  close(): void;
}

/** A prepared statement. */
export interface Statement {
  /** All rows. @throws SqliteFailure */
  all(values: readonly (string | number)[]): readonly SqlValues[];
  /** The first row. @throws SqliteFailure */
  get(values: readonly (string | number)[]): SqlValues | undefined;
  /** Runs the statement. @returns the id of the row that was inserted last. @throws SqliteFailure */
  run(values: readonly (string | number)[]): number;
}

/** An error of the engine, in the same form for every driver. */
export class SqliteFailure extends Error {
  /** SQLite's result code without its extension: 19 for a constraint, 13 for a full disk, … (sqlite.org/rescode.html). */
  readonly code: number;

  constructor(extended: number, cause: unknown) {
    super(messageOf(cause), { cause });
    this.name = 'SqliteFailure';
    this.code = extended & 0xff;
  }
}

/** The result codes that the store distinguishes. */
export const RESULT = {
  error: 1,
  busy: 5,
  locked: 6,
  readOnly: 8,
  io: 10,
  corrupt: 11,
  full: 13,
  canNotOpen: 14,
  constraint: 19,
  notADatabase: 26,
} as const;
