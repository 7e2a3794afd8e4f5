import type { SqlValues } from '../sql/record-columns.ts';
import { copyInThread } from './copy-in-thread.ts';
import { RESULT, SqliteFailure, type Connection, type SqliteDriver } from './driver.ts';

interface LibsqlStatement {
  readonly reader: boolean;
  /** Returns rows as lists of values. Not for statements without a result. */
  raw(): unknown;
  all(values: readonly (string | number)[]): SqlValues[];
  get(values: readonly (string | number)[]): SqlValues | undefined;
  run(values: readonly (string | number)[]): { readonly lastInsertRowid: number | bigint };
}

interface LibsqlDatabase {
  exec(sql: string): unknown;
  prepare(sql: string): LibsqlStatement;
  close(): unknown;
}

type OpenLibsql = new (path: string, options: { readonly timeout: number }) => LibsqlDatabase;

function attempt<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    const code: unknown = error instanceof Error && 'rawCode' in error ? error.rawCode : undefined;
    throw typeof code === 'number' ? new SqliteFailure(code, error) : error;
  }
}

function prepare(database: LibsqlDatabase, sql: string): LibsqlStatement {
  const statement = attempt(() => database.prepare(sql));
  if (statement.reader) statement.raw();
  return statement;
}

function connect(database: LibsqlDatabase): Connection {
  return {
    exec: (sql) => {
      attempt(() => database.exec(sql));
    },
    prepare: (sql) => {
      const statement = prepare(database, sql);
      // After `all`, `get` of libsql does not start over and returns a row of that call. Single rows therefore use a separate statement.
      let single: LibsqlStatement | undefined;
      return {
        all: (values) => attempt(() => statement.all(values)),
        get: (values) => attempt(() => (single ??= prepare(database, sql)).get(values)),
        run: (values) => attempt(() => Number(statement.run(values).lastInsertRowid)),
      };
    },
    close: () => {
      database.close();
    },
  };
}

function isMissing(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    (error.code === 'ERR_MODULE_NOT_FOUND' || error.code === 'MODULE_NOT_FOUND')
  );
}

/** The constructor of libsql gives its reason as text alone. */
function open(Database: OpenLibsql, path: string, busyMs: number): Connection {
  try {
    return connect(new Database(path, { timeout: busyMs }));
  } catch (error) {
    throw new SqliteFailure(RESULT.canNotOpen, error);
  }
}

/** The driver for the optional package libsql, for Node before 22.13; null when it is not installed. */
export async function loadLibsqlDriver(): Promise<SqliteDriver | null> {
  let Database: OpenLibsql;
  try {
    Database = (await import('libsql')).default as unknown as OpenLibsql;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
  const memory = connect(new Database(':memory:', { timeout: 0 }));
  const row = memory.prepare('SELECT sqlite_version()').get([]);
  memory.close();
  return {
    name: 'libsql',
    engine: String(row?.[0]),
    open: (path, busyMs) => {
      const connection = open(Database, path, busyMs);
      connection.exec(`PRAGMA busy_timeout = ${busyMs}`);
      return connection;
    },
    backup: (path, target) => copyInThread({ driver: 'libsql', path, target }),
  };
}
