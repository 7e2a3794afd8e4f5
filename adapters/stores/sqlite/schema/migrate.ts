import { isListIndex } from '../../../../lib/store/collection.ts';
import { StoreError } from '../../../../lib/store/store.ts';
import { createChangeTable } from '../../sql/change-log.ts';
import { type Dialect, quoteName, type SqlValue } from '../../sql/dialect.ts';
import { listName, toDigest, toSortColumns } from '../../sql/names.ts';
import { createRecordReader } from '../../sql/record-columns.ts';
import {
  type Column,
  type IndexShape,
  type ListTable,
  type TableShape,
  toColumnValue,
  toKeyError,
} from '../../sql/tables.ts';
import { columnType } from '../dialect.ts';
import { RESULT, SqliteFailure } from '../driver.ts';
import type { Session } from '../session.ts';

/** An index that begins with a list field: a table of (item, values of the other fields, record), in this order. */
export interface ListIndex {
  readonly name: string;
  readonly table: string;
  readonly field: string;
  /** The fields after the list field, and their columns. A folded field has two columns. */
  readonly sortedBy: readonly string[];
  readonly columns: readonly string[];
}

/** Triggers keep the index up to date for every writer, including a program version that does not have the index. */
function listTriggers({ name, table, field, columns }: ListIndex): readonly string[] {
  const [index = '', records = '', list = ''] = [name, table, listName(table, field)].map(quoteName);
  const names = columns.map(quoteName);
  const of = (row: string): string => names.map((column) => `${row}.${column}`).join(', ');
  const recordOf = (row: string): string => `FROM ${records} AS r WHERE r."id" = ${row}."record"`;
  const itemsOf = (row: string): string => `FROM ${list} WHERE "record" = ${row}."id"`;
  const forget = `DELETE FROM ${index} WHERE "value" IN (SELECT "value" ${itemsOf('old')}) AND ${names.map((column) => `${column} = old.${column}`).join(' AND ')} AND "record" = old."id";`;
  const triggers = {
    listed: `AFTER INSERT ON ${list} BEGIN INSERT INTO ${index} SELECT new."value", ${of('r')}, r."id" ${recordOf('new')}; END`,
    unlisted: `AFTER DELETE ON ${list} BEGIN DELETE FROM ${index} WHERE "value" = old."value" AND (${names.join(', ')}) = (SELECT ${of('r')} ${recordOf('old')}) AND "record" = old."record"; END`,
    changed: `AFTER UPDATE OF ${names.join(', ')} ON ${records} WHEN ${names.map((column) => `old.${column} <> new.${column}`).join(' OR ')} BEGIN ${forget} INSERT INTO ${index} SELECT "value", ${of('new')}, new."id" ${itemsOf('new')}; END`,
    removed: `BEFORE DELETE ON ${records} BEGIN ${forget} END`,
  };
  return Object.entries(triggers).map(
    ([what, text]) => `CREATE TRIGGER ${quoteName(`${name} ${what}`)} ${text}`,
  );
}

/** The statements that create an index, fill it and keep it up to date. */
function describe(table: TableShape, index: ListIndex): readonly string[] {
  const { name, columns } = index;
  const list = listName(table.name, index.field);
  const typeOf = (column: string): string =>
    columnType(table.columns.find((each) => each.name === column)?.type ?? 'text');
  const keys = ['"value"', ...columns.map(quoteName), '"record"'].join(', ');
  const described = [
    `"value" ${columnType(table.lists.find((each) => each.name === list)?.type ?? 'text')}`,
    ...columns.map((column) => `${quoteName(column)} ${typeOf(column)}`),
    '"record" INTEGER',
  ];
  return [
    `CREATE TABLE ${quoteName(name)} (${described.map((each) => `${each} NOT NULL`).join(', ')}, PRIMARY KEY (${keys})) STRICT, WITHOUT ROWID`,
    `INSERT INTO ${quoteName(name)} SELECT l."value", ${columns.map((column) => `r.${quoteName(column)}`).join(', ')}, r."id" FROM ${quoteName(list)} AS l JOIN ${quoteName(table.name)} AS r ON r."id" = l."record"`,
    ...listTriggers(index),
  ];
}

function toListIndex(table: TableShape, [field = '', ...sortedBy]: readonly string[]): ListIndex {
  const columns = sortedBy.flatMap((name) => toSortColumns(table.collection, name));
  // Other tables do not have two colons in their names.
  const plain: ListIndex = {
    name: [table.name, field, ...sortedBy].join(':'),
    table: table.name,
    field,
    sortedBy,
    columns,
  };
  // An index must get a new name when its definition changes.
  return { ...plain, name: `${plain.name}:${toDigest(describe(table, plain))}` };
}

/** The indexes of a collection that begin with a list field. An index on a list field alone is the table of that field. */
export function listListIndexes(table: TableShape): readonly ListIndex[] {
  const { collection } = table;
  const declared = (collection.indexes ?? []).filter(
    (fields) => fields.length > 1 && isListIndex(collection, fields),
  );
  return declared.map((fields) => toListIndex(table, fields));
}

/** Creates the new indexes of a table from the stored records, and drops indexes that are no longer declared. Must run inside a transaction. */
function migrateListIndexes(session: Session, table: TableShape): void {
  const wanted = listListIndexes(table);
  // Triggers are dropped before the tables that they write to.
  const rows = session.all(
    "SELECT type, name FROM sqlite_schema WHERE type IN ('table', 'trigger') ORDER BY type DESC",
  );
  const own = rows
    .map(([type, name]) => [String(type), String(name)] as const)
    .filter(([, name]) => name.startsWith(`${table.name}:`) && name.split(':').length > 2);
  const isKept = (name: string): boolean =>
    wanted.some((index) => name === index.name || name.startsWith(`${index.name} `));
  for (const [type, name] of own)
    if (!isKept(name)) session.connection.exec(`DROP ${type} ${quoteName(name)}`);
  for (const index of wanted.filter(({ name }) => !own.some(([, each]) => each === name))) {
    for (const sql of describe(table, index)) session.connection.exec(sql);
  }
}

/** Marks files of this program: `rtbk` in ASCII. */
const APPLICATION_ID = 0x72_74_62_6b;

/** Layout 3: the records that a text index does not have yet are listed, as changed ones are, instead of noted as a range. Its view of trigrams has their records. */
function listUnindexed(session: Session): void {
  const progress = '"store:text-indexes"';
  if (session.number("SELECT count(*) FROM sqlite_schema WHERE name = 'store:text-indexes'") === 0) return;
  for (const [name, next, last] of session.all(`SELECT "name", "next", "last" FROM ${progress}`)) {
    const [, table = ''] = String(name).split(':');
    session.run(
      `INSERT OR IGNORE INTO ${quoteName(`${String(name)} pending`)} SELECT "id" FROM ${quoteName(table)} WHERE "id" > ? AND "id" <= ?`,
      [Number(next), Number(last)],
    );
    const terms = quoteName(`${String(name)} terms`);
    session.connection.exec(
      `DROP TABLE IF EXISTS ${terms}; CREATE VIRTUAL TABLE ${terms} USING fts5vocab(${quoteName(String(name))}, instance)`,
    );
  }
  session.connection.exec(`DROP TABLE ${progress}`);
}

/** One step per version of the file's layout. The `user_version` of a file is the number of steps that were applied. */
const STEPS: readonly ((session: Session) => void)[] = [
  (session) =>
    session.connection.exec(
      'CREATE TABLE "store:revisions" ("collection" TEXT PRIMARY KEY, "revision" INTEGER NOT NULL) STRICT, WITHOUT ROWID;' +
        'CREATE TABLE "store:shape" ("shape" TEXT NOT NULL) STRICT; INSERT INTO "store:shape" VALUES (\'\')',
    ),
  (session) =>
    session.connection.exec(
      `${createChangeTable({ name: 'TEXT', text: 'TEXT', integer: 'INTEGER' })} STRICT, WITHOUT ROWID`,
    ),
  listUnindexed,
];

function namesOf(session: Session, kind: 'table' | 'index', table?: string): ReadonlySet<string> {
  const rows = session.all("SELECT name FROM sqlite_schema WHERE type = ? AND (? = '' OR tbl_name = ?)", [
    kind,
    table ?? '',
    table ?? '',
  ]);
  return new Set(rows.map(([name]) => String(name)));
}

/** Fills a new folded column or list table from the existing fields. */
function fill(
  session: Session,
  table: TableShape,
  { columns, lists }: { columns: readonly Column[]; lists: readonly ListTable[] },
): void {
  if (columns.length + lists.length === 0) return;
  const fields = [...columns, ...lists].map(({ field }) => field);
  const read = createRecordReader(table);
  const name = quoteName(table.name);
  for (let last = 0; ;) {
    const rows = session.all(
      `SELECT ${['id', 'version', ...fields].map(quoteName).join(', ')} FROM ${name} WHERE "id" > ? ORDER BY "id" LIMIT 500`,
      [last],
    );
    for (const row of rows) {
      const record = read(row, fields);
      last = record.id;
      for (const column of columns)
        session.run(`UPDATE ${name} SET ${quoteName(column.name)} = ? WHERE "id" = ?`, [
          toColumnValue(column, record[column.field] ?? '') as SqlValue,
          last,
        ]);
      for (const list of lists)
        for (const value of new Set(record[list.field] as readonly (string | number)[]))
          session.run(`INSERT INTO ${quoteName(list.name)} VALUES (?, ?)`, [value, last]);
    }
    if (rows.length === 0) return;
  }
}

function alterTable(session: Session, dialect: Dialect, table: TableShape): void {
  const existing = new Map(
    session
      .all('SELECT name, type FROM pragma_table_info(?)', [table.name])
      .map(([name, type]) => [String(name), String(type)]),
  );
  for (const column of table.columns) {
    const type = existing.get(column.name);
    if (type !== undefined && type !== columnType(column.type)) {
      throw new StoreError(
        'unavailable',
        `Field ${column.field} of ${table.name} is stored as ${type} and is now declared ${column.type}. A field cannot change its type. Give the new field another name.`,
      );
    }
  }
  const added = table.columns.filter((column) => !existing.has(column.name));
  for (const column of added) session.connection.exec(dialect.addColumn(table, column.name));
  fill(session, table, {
    columns: added.filter((column) => column.folded && existing.has(column.field)),
    lists: [],
  });
}

/** @throws StoreError for a unique key that records violate */
function addIndex({ connection }: Session, index: IndexShape, sql: string): void {
  try {
    connection.exec(sql);
  } catch (error) {
    throw index.unique && error instanceof SqliteFailure && error.code === RESULT.constraint
      ? toKeyError(index, error)
      : error;
  }
}

function migrateTable(session: Session, dialect: Dialect, table: TableShape): void {
  const tables = namesOf(session, 'table');
  const isNew = !tables.has(table.name);
  if (isNew) session.connection.exec(dialect.createTable(table));
  else alterTable(session, dialect, table);
  const lists = table.lists.filter((list) => !tables.has(list.name));
  for (const list of lists) for (const sql of dialect.createListTable(list)) session.connection.exec(sql);
  if (!isNew) fill(session, table, { columns: [], lists });
  const indexes = namesOf(session, 'index', table.name);
  const wanted = new Set(table.indexes.map((index) => index.name));
  for (const name of indexes)
    if (name.startsWith(`${table.name}:`) && !wanted.has(name))
      session.connection.exec(`DROP INDEX ${quoteName(name)}`);
  for (const index of table.indexes)
    if (!indexes.has(index.name)) addIndex(session, index, dialect.createIndex(index));
  migrateListIndexes(session, table);
  session.run('INSERT OR IGNORE INTO "store:revisions" VALUES (?, 0)', [table.name]);
}

/** Runs one transaction. If the process dies in it, the file stays unchanged. */
export function transact(session: Session, run: () => void): void {
  session.connection.exec('BEGIN IMMEDIATE');
  try {
    run();
    session.connection.exec('COMMIT');
  } catch (error) {
    // After some failures SQLite has already rolled back.
    try {
      session.connection.exec('ROLLBACK');
    } catch {
      /* the first error says it */
    }
    throw error;
  }
}

/** @throws StoreError `unavailable` when the file belongs to another program or a newer version. */
export function checkFile(session: Session, path: string): void {
  const application = session.number('PRAGMA application_id');
  const isEmpty = session.number('SELECT count(*) FROM sqlite_schema') === 0;
  if (application !== APPLICATION_ID && !(isEmpty && application === 0))
    throw new StoreError(
      'unavailable',
      `${path} is an SQLite file of another program. Choose another directory; nothing was changed.`,
    );
  const version = session.number('PRAGMA user_version');
  if (version > STEPS.length)
    throw new StoreError(
      'unavailable',
      `${path} has layout ${version}, but this program supports ${STEPS.length}. It was written by a newer version of routebook. Use that version, or restore a backup of this one; nothing was changed.`,
    );
}

/**
 * Brings the file to the layout of this program and its tables to the descriptors. Fields, collections and indexes may
 * be added at any time; those no longer declared are kept.
 * @throws StoreError `unavailable` when the type of a field has changed, or when records violate a new unique key.
 */
export function migrate(session: Session, dialect: Dialect, tables: readonly TableShape[]): void {
  for (const [version, step] of STEPS.entries()) {
    transact(session, () => {
      // Checked inside the transaction, because another process may have taken this step meanwhile.
      if (session.number('PRAGMA user_version') !== version) return;
      step(session);
      session.connection.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
      session.connection.exec(`PRAGMA user_version = ${version + 1}`);
    });
  }
  const shape = JSON.stringify(
    tables.map((table) => [table.name, table.columns, table.lists, table.indexes, listListIndexes(table)]),
  );
  // Checking every table would slow down each start, so it is done only when the descriptors have changed.
  if (session.get('SELECT "shape" FROM "store:shape"')?.[0] === shape) return;
  for (const table of tables) transact(session, () => migrateTable(session, dialect, table));
  transact(session, () => {
    session.run('UPDATE "store:shape" SET "shape" = ?', [shape]);
  });
}
