import { codeOf } from '../../../lib/core/thrown.ts';
import type { SqlValues } from '../sql/record-columns.ts';
import { type Connection, RESULT, type SqliteDriver, SqliteFailure } from './driver.ts';
import { startGatedWorker } from './gated-worker.ts';

/** What is copied where, and the driver of the store: two engines must not open the same file in one process. */
export interface CopyStart {
  readonly driver: string;
  readonly path: string;
  readonly target: string;
}

/** The message of the thread when it has finished: empty, or the error. */
export interface CopyOutcome {
  readonly code?: number;
  readonly message?: string;
}

/** Copies one state of a file on a separate connection in a separate thread, so that reads and writes continue. @throws SqliteFailure */
function copyInThread(start: CopyStart): Promise<void> {
  return new Promise((resolve, reject) => {
    const { worker } = startGatedWorker('copy-thread.js', start);
    worker.once('message', ({ code, message }: CopyOutcome) => {
      if (message === undefined) resolve();
      else reject(code === undefined ? new Error(message) : new SqliteFailure(code, message));
    });
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('The thread that makes the copy has ended.')));
  });
}

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
  return ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'].includes(String(codeOf(error)));
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
async function loadLibsqlDriver(): Promise<SqliteDriver | null> {
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
    // The first name is that of Node, the second that of libsql.
    const { errcode, rawCode = errcode } = error as {
      readonly errcode?: unknown;
      readonly rawCode?: unknown;
    };
    throw typeof rawCode === 'number' ? new SqliteFailure(rawCode, error) : error;
  }
}

/** Safe, because no two columns of our statements have the same name. */
function toValues(row: NodeRow): SqlValues {
  return Array.isArray(row) ? row : Object.values(row);
}

function connectNode(database: NodeDatabase): Connection {
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
function loadNodeDriver(): SqliteDriver | null {
  const sqlite = loadQuietly();
  if (!isNodeSqlite(sqlite)) return null;
  return {
    name: 'node:sqlite',
    engine: String(process.versions['sqlite']),
    open: (path, busyMs) => {
      const connection = connectNode(attempt(() => new sqlite.DatabaseSync(path)));
      connection.exec(`PRAGMA busy_timeout = ${busyMs}`);
      return connection;
    },
    backup: (path, target) => copyInThread({ driver: 'node:sqlite', path, target }),
  };
}

/** `node:sqlite` where Node has it, otherwise libsql. @throws TypeError when neither is available. */
export async function chooseDriver(): Promise<SqliteDriver> {
  const driver = loadNodeDriver() ?? (await loadLibsqlDriver());
  if (driver === null)
    throw new TypeError(
      `The file store needs Node 22.13 or newer, or the package libsql beside Node ${process.versions.node}. npm leaves it out with --omit=optional and on platforms that it has no build for. Use a newer Node, or --store postgres://…`,
    );
  return driver;
}

/** The driver with this name. @throws TypeError when it is not available */
export async function loadDriver(name: string): Promise<SqliteDriver> {
  const drivers = [loadNodeDriver(), await loadLibsqlDriver()];
  const driver = drivers.find((each) => each?.name === name);
  if (driver === undefined || driver === null) throw new TypeError(`There is no driver ${name}.`);
  return driver;
}
