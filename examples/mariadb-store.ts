// A store in MariaDB 10.6 or newer, written from docs/write-a-store.md: a dialect, and the transactions of its driver.
// npm install mariadb
//
//   import { createPool } from 'mariadb';
//   const store = await createMariadbStore({ pool: createPool('mariadb://routebook:secret@localhost/routebook'), collections });
import {
  createChangeTable,
  createSqlStore,
  quoteName,
  StoreError,
  type CollectionDescriptor,
  type Dialect,
  type FieldType,
  type IndexShape,
  type Sql,
  type SqlDatabase,
  type SqlSession,
  type SqlValues,
  type Store,
} from '../adapters/store.ts';

/** A connection of the package mariadb, as far as it is used here. */
export interface MariadbConnection {
  query(
    statement: { readonly sql: string; readonly rowsAsArray: true; readonly bigIntAsNumber: true },
    values: readonly unknown[],
  ): Promise<unknown>;
  release(): Promise<void>;
}

/** A pool of the package mariadb. */
export interface MariadbPool {
  getConnection(): Promise<MariadbConnection>;
  end(): Promise<void>;
}

/** By code point, and `a` is not `a ` with a space. */
const TEXT = 'LONGTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin';
/** An index entry has at most 3,072 bytes: five texts with 4 bytes per character, and a number. */
const KEY_LENGTH = 120;
/** Names are in double quotes. The server sorts by the first KB of a text, unless it is told otherwise; here it is 64 KB. */
const SETTINGS =
  "SET SESSION sql_mode = 'ANSI_QUOTES,STRICT_ALL_TABLES', max_sort_length = 65536, sort_buffer_size = 8388608, NAMES utf8mb4 COLLATE utf8mb4_nopad_bin";

function columnType(type: FieldType): string {
  return type === 'integer' || type === 'boolean' ? 'BIGINT' : TEXT;
}

/** The values of a list parameter as rows of a table `j`. */
function unpack(list: string, type: FieldType): string {
  return `JSON_TABLE(${list}, '$[*]' COLUMNS ("at" FOR ORDINALITY, "value" ${columnType(type)} PATH '$')) AS j`;
}

function indexColumn(name: string, isText: boolean): string {
  return isText ? `${quoteName(name)}(${KEY_LENGTH})` : quoteName(name);
}

function describeIndex({ name, table, columns, texts }: IndexShape): string {
  return `CREATE INDEX IF NOT EXISTS ${quoteName(name)} ON ${quoteName(table)} (${columns.map((column) => indexColumn(column, texts.includes(column))).join(', ')})`;
}

const toNumber = (value: string | number | boolean): string | number =>
  typeof value === 'boolean' ? Number(value) : value;

export const mariadbDialect: Dialect = {
  placeholder: () => '?',
  toParam: toNumber,
  toListParam: (values) => JSON.stringify(values.map(toNumber)),
  inList: (column, list, type) => `${column} IN (SELECT j."value" FROM ${unpack(list, type)})`,
  placeInList: (column, list, type) =>
    `(SELECT min(j."at") - 1 FROM ${unpack(list, type)} WHERE j."value" = ${column})`,
  contains: (column, text) => `instr(${column}, ${text}) > 0`,
  toPart: (text) => text,
  // An index holds the beginning of a text, and the server compares the rest itself.
  toKey: (column) => column,
  keyLength: Infinity,
  noLimit: '18446744073709551615',
  createTable: ({ name, columns }) =>
    `CREATE TABLE IF NOT EXISTS ${quoteName(name)} ("id" BIGINT PRIMARY KEY, "version" BIGINT NOT NULL, ${columns.map((column) => `${quoteName(column.name)} ${columnType(column.type)} NOT NULL`).join(', ')})`,
  createListTable: ({ name, type }) => [
    `CREATE TABLE IF NOT EXISTS ${quoteName(name)} ("value" ${columnType(type)} NOT NULL, "record" BIGINT NOT NULL, INDEX (${indexColumn('value', type === 'text')}, "record"), INDEX ("record"))`,
  ],
  // createSqlStore tests unique keys itself.
  createIndex: describeIndex,
  addColumn: ({ name }) => {
    throw new TypeError(`The columns of ${name} cannot be changed.`);
  },
};

const CATALOG =
  'CREATE TABLE IF NOT EXISTS "store:collections" ("collection" VARCHAR(50) CHARACTER SET ascii PRIMARY KEY, "shape" LONGTEXT NOT NULL, "revision" BIGINT NOT NULL, "last_id" BIGINT NOT NULL)';

/** The disk or a table is full. */
const FULL: ReadonlySet<unknown> = new Set([1021, 1114]);

function toStoreError(error: unknown): StoreError {
  const { errno } = error as { readonly errno?: unknown };
  return new StoreError(
    FULL.has(errno) ? 'full' : 'unavailable',
    `MariaDB: ${error instanceof Error ? error.message : String(error)}`,
    { cause: error },
  );
}

const toUnknown = (cause: unknown): StoreError =>
  new StoreError(
    'unknown',
    'MariaDB did not confirm the commit. It is not known whether the change was made.',
    { cause },
  );

function openDatabase(pool: MariadbPool): SqlDatabase {
  const ready = new WeakSet<MariadbConnection>();
  const transact = async <T>(
    begin: readonly string[],
    work: (session: SqlSession) => Promise<T>,
    toEndError = toStoreError,
  ): Promise<T> => {
    const connection = await pool.getConnection();
    const session: SqlSession = {
      run: async ({ text, values }: Sql) => {
        const rows = await connection.query({ sql: text, rowsAsArray: true, bigIntAsNumber: true }, values);
        return Array.isArray(rows) ? (rows as readonly SqlValues[]) : [];
      },
    };
    try {
      for (const text of ready.has(connection) ? begin : [SETTINGS, ...begin])
        await session.run({ text, values: [] });
      ready.add(connection);
      const result = await work(session);
      await session.run({ text: 'COMMIT', values: [] }).catch((error: unknown) => {
        throw toEndError(error);
      });
      return result;
    } catch (error) {
      // Where this fails too, the connection is lost, and the server has rolled back.
      await session.run({ text: 'ROLLBACK', values: [] }).catch(() => undefined);
      throw error;
    } finally {
      await connection.release();
    }
  };
  return {
    read: (work) => transact(['START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY'], work),
    write: (work) =>
      transact(['SET TRANSACTION ISOLATION LEVEL READ COMMITTED', 'START TRANSACTION'], work, toUnknown),
    toStoreError,
    lockRows: ' FOR UPDATE',
    close: () => pool.end(),
  };
}

/** A store in a MariaDB database that holds nothing else. Closing it ends the pool. `innodb_flush_log_at_trx_commit` must be 1, as it is unless it was changed. */
export function createMariadbStore({
  pool,
  collections,
}: {
  readonly pool: MariadbPool;
  readonly collections: readonly CollectionDescriptor[];
}): Promise<Store> {
  return createSqlStore({
    dialect: mariadbDialect,
    database: openDatabase(pool),
    collections,
    catalog: CATALOG,
    log: createChangeTable({
      name: `VARCHAR(128) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin`,
      text: TEXT,
      integer: 'BIGINT',
    }),
  });
}
