import { SqliteFailure, type Connection, type SqliteDriver } from './driver.ts';
import type { SqlRow } from '../sql/record-columns.ts';

/** What is used of `node:sqlite`, which the types of Node 20 do not know. */
interface NodeStatement {
  all(...values: readonly (string | number)[]): SqlRow[];
  run(...values: readonly (string | number)[]): { readonly lastInsertRowid: number | bigint };
}

interface NodeDatabase {
  exec(sql: string): void;
  prepare(sql: string): NodeStatement;
  close(): void;
}

interface NodeSqlite {
  readonly DatabaseSync: new (path: string, options: { readonly timeout: number }) => NodeDatabase;
  readonly backup?: (source: NodeDatabase, path: string) => Promise<unknown>;
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

function connect(database: NodeDatabase): Connection {
  return {
    exec: (sql) => attempt(() => database.exec(sql)),
    prepare: (sql) => {
      const statement = attempt(() => database.prepare(sql));
      return {
        all: (values) => attempt(() => statement.all(...values)),
        run: (values) => attempt(() => Number(statement.run(...values).lastInsertRowid)),
      };
    },
    close: () => database.close(),
  };
}

/** Node's own SQLite; null where this Node does not have it without a flag. */
export function loadNodeDriver(): SqliteDriver | null {
  const sqlite: unknown = process.getBuiltinModule?.('node:sqlite');
  if (!isNodeSqlite(sqlite)) return null;
  const databases = new WeakMap<Connection, NodeDatabase>();
  return {
    name: 'node:sqlite',
    engine: String(process.versions['sqlite']),
    open: (path, busyMs) => {
      const database = attempt(() => new sqlite.DatabaseSync(path, { timeout: busyMs }));
      const connection = connect(database);
      databases.set(connection, database);
      return connection;
    },
    backup: async (connection, path) => {
      const database = databases.get(connection);
      // Step by step in a thread of its own, where this Node can (22.16).
      if (sqlite.backup === undefined || database === undefined) connection.prepare('VACUUM INTO ?').run([path]);
      else await sqlite.backup(database, path);
    },
  };
}
