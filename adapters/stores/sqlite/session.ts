import type { SqlValue } from '../sql/dialect.ts';
import type { SqlValues } from '../sql/record-columns.ts';
import type { Connection, Statement, SqliteDriver } from './driver.ts';

/** Opens a connection that only reads. It neither writes nor checkpoints, so that the bug of older engines with a second writer does not affect it. */
export function openReadSession(driver: SqliteDriver, path: string, busyMs: number): Session {
  const session = new Session(driver.open(path, busyMs));
  session.connection.exec(
    'PRAGMA query_only = ON; PRAGMA wal_autocheckpoint = 0; PRAGMA trusted_schema = OFF; PRAGMA mmap_size = 0; PRAGMA cache_size = -16384; PRAGMA temp_store = MEMORY',
  );
  return session;
}

/** Most prepared statements. The one prepared first is dropped first. Tracking every use would cost more than preparing a statement again now and then. */
const KEPT = 250;

/** A connection that prepares each statement once. */
export class Session {
  readonly connection: Connection;
  readonly #statements = new Map<string, Statement>();

  constructor(connection: Connection) {
    this.connection = connection;
  }

  /** All rows. */
  all(text: string, values: readonly SqlValue[] = []): readonly SqlValues[] {
    return this.#prepare(text).all(values as readonly (string | number)[]);
  }

  /** The first row. */
  get(text: string, values: readonly SqlValue[] = []): SqlValues | undefined {
    return this.#prepare(text).get(values as readonly (string | number)[]);
  }

  /** Runs the statement. @returns the id of the inserted row. */
  run(text: string, values: readonly SqlValue[] = []): number {
    return this.#prepare(text).run(values as readonly (string | number)[]);
  }

  /** The single number that the statement returns. */
  number(text: string, values: readonly SqlValue[] = []): number {
    return Number(this.get(text, values)?.[0] ?? 0);
  }

  /** Closes the connection. The session cannot be used afterwards. */
  close(): void {
    this.#statements.clear();
    this.connection.close();
  }

  #prepare(text: string): Statement {
    const known = this.#statements.get(text);
    if (known !== undefined) return known;
    const statement = this.connection.prepare(text);
    this.#statements.set(text, statement);
    const [oldest] = this.#statements.keys();
    if (this.#statements.size > KEPT && oldest !== undefined) this.#statements.delete(oldest);
    return statement;
  }
}
