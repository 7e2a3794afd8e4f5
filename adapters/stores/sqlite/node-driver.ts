import type { SqlValues } from '../sql/record-columns.ts';
import { copyInThread } from './copy-in-thread.ts';
import { SqliteFailure, type Connection, type SqliteDriver } from './driver.ts';

type NodeRow = SqlValues | Readonly<Record<string, unknown>>;

/** The parts of `node:sqlite` that are used. The types of Node 20 do not include them. */
interface NodeStatement {
  /** Returns rows as lists of values. Available from Node 22.16. */
  setReturnArrays?(isWanted: boolean): void;
  all(...values: readonly (string | number)[]): readonly NodeRow[];
  get(...values: readonly (string | number)[]): NodeRow | undefined;
  run(...values: readonly (string | number)[]): { readonly lastInsertRowid: number | bigint };
}

interface NodeDatabase {
  exec(sql: string): void;
  prepare(sql: string): NodeStatement;
  close(): void;
}

interface NodeSqlite {
  readonly DatabaseSync: new (path: string) => NodeDatabase;
}

function isNodeSqlite(module: unknown): module is NodeSqlite {
  return typeof module === 'object' && module !== null && 'DatabaseSync' in module;
}

function attempt<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    const code: unknown = error instanceof Error && 'errcode' in error ? error.errcode : undefined;
    throw typeof code === 'number' ? new SqliteFailure(code, error) : error;
  }
}

/** Safe, because no two columns of our statements have the same name. */
function toValues(row: NodeRow): SqlValues {
  return Array.isArray(row) ? row : Object.values(row);
}

function connect(database: NodeDatabase): Connection {
  return {
    exec: (sql) => attempt(() => database.exec(sql)),
    prepare: (sql) => {
      const statement = attempt(() => database.prepare(sql));
      statement.setReturnArrays?.(true);
      return {
        all: (values) => attempt(() => statement.all(...values).map(toValues)),
        get: (values) =>
          attempt(() => {
            const row = statement.get(...values);
            return row === undefined ? undefined : toValues(row);
          }),
        run: (values) => attempt(() => Number(statement.run(...values).lastInsertRowid)),
      };
    },
    close: () => database.close(),
  };
}

/** Node 22 warns on standard error that its SQLite is experimental, which its users cannot change. */
function loadQuietly(): unknown {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return process.getBuiltinModule?.('node:sqlite');
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** Node's own SQLite; null where Node does not have it, or only behind a flag. */
export function loadNodeDriver(): SqliteDriver | null {
  const sqlite = loadQuietly();
  if (!isNodeSqlite(sqlite)) return null;
  return {
    name: 'node:sqlite',
    engine: String(process.versions['sqlite']),
    open: (path, busyMs) => {
      const connection = connect(attempt(() => new sqlite.DatabaseSync(path)));
      connection.exec(`PRAGMA busy_timeout = ${busyMs}`);
      return connection;
    },
    backup: (path, target) => copyInThread({ driver: 'node:sqlite', path, target }),
  };
}
