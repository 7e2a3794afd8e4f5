import { type StoredRecord, StoreError } from '../../../../lib/store/store.ts';
import { quoteName, type SqlValue } from '../../sql/dialect.ts';
import { RECORD_ID, textTableName } from '../../sql/names.ts';
import { createRecordReader } from '../../sql/record-columns.ts';
import {
  type Column,
  type IndexShape,
  isPlainKey,
  type ListTable,
  type TableShape,
  type TextTable,
  toColumnValue,
} from '../../sql/tables.ts';
import { type Connection, type Connections, transact } from '../connections.ts';
import { columnType, idKeyName, postgresDialect } from '../dialect.ts';

/** Records that are filled in one transaction. */
const BATCH = 1000;

/** The table of the data steps that are not complete: what is to be filled, and the last id that was. `revision`: of the collection when the step began. */
export const CREATE_STEPS =
  'CREATE TABLE IF NOT EXISTS "store:steps" ("collection" text COLLATE "C", "name" text COLLATE "C", "after" bigint NOT NULL DEFAULT 0, "revision" bigint NOT NULL, PRIMARY KEY ("collection", "name"))';
export const DROP_STEPS = 'DROP TABLE IF EXISTS "store:steps"';

/** The folded columns, list tables and texts of a collection that existing records do not have yet. */
interface Missing {
  readonly columns: readonly Column[];
  readonly lists: readonly ListTable[];
  readonly texts: TextTable | null;
}

interface Pending extends Missing {
  readonly after: number;
}

/** Notes what is to be filled, in the transaction that creates it. An earlier program may have noted, and not completed, the same table with fewer columns. */
export async function noteSteps(
  connection: Connection,
  { name }: TableShape,
  { columns, lists, texts }: Missing,
): Promise<void> {
  const names = [...columns, ...lists, ...(texts === null ? [] : [texts])].map((each) => each.name);
  await connection.query(
    'INSERT INTO "store:steps" ("collection", "name", "revision") SELECT $1, "name", (SELECT "revision" FROM "store:collections" WHERE "collection" = $1) FROM unnest($2::text[]) AS "given" ("name") ON CONFLICT ("collection", "name") DO UPDATE SET "after" = 0',
    [name, names],
  );
}

/** The collections with steps that are not complete. Not for the holder: the table could then not be dropped before its transaction ends. */
export async function readPendingNames(connection: Connection): Promise<ReadonlySet<string>> {
  return new Set(
    (await connection.query('SELECT DISTINCT "collection" FROM "store:steps"', [])).map((row) =>
      String(row['collection']),
    ),
  );
}

/** What is to be filled. A step starts again if somebody has changed the collection since it began. Null: nothing. */
async function readPending(connection: Connection, table: TableShape): Promise<Pending | null> {
  const rows = await connection.query(
    'SELECT s."name", CASE WHEN s."revision" = c."revision" THEN s."after" ELSE 0 END AS "after" FROM "store:steps" AS s JOIN "store:collections" AS c USING ("collection") WHERE "collection" = $1',
    [table.name],
  );
  if (rows.length === 0) return null;
  const names = new Set(rows.map((row) => String(row['name'])));
  const after = Math.min(...rows.map((row) => Number(row['after'])));
  return {
    after,
    columns: table.columns.filter(({ name }) => names.has(name)),
    lists: table.lists.filter(({ name }) => names.has(name)),
    texts: names.has(table.texts?.name ?? '') ? table.texts : null,
  };
}

/** The ids and columns of records, as a table of parameters. */
function toRows(
  columns: readonly Column[],
  records: readonly StoredRecord[],
): { readonly rows: string; readonly values: readonly SqlValue[] } {
  const lists = columns.map((column, at) => `$${at + 2}::${columnType(column.type)}[]`);
  const values = columns.map((column) =>
    records.map((record) => toColumnValue(column, record[column.field] ?? '') as string | number),
  );
  return {
    rows: `unnest($1::bigint[], ${lists.join(', ')})`,
    values: [records.map(({ id }) => id), ...values],
  };
}

/** Fills columns of some records with one statement. */
async function fillColumns(
  connection: Connection,
  { name, columns }: { readonly name: string; readonly columns: readonly Column[] },
  records: readonly StoredRecord[],
): Promise<void> {
  const names = columns.map((column) => quoteName(column.name));
  const { rows, values } = toRows(columns, records);
  const text = `UPDATE ${name} AS "old" SET ${names.map((each) => `${each} = "new".${each}`).join(', ')} FROM ${rows} AS "new" ("id", ${names.join(', ')}) WHERE "old"."id" = "new"."id"`;
  await connection.query(text, values);
}

/** Fills the table of texts for the ids above the first one; up to the last record, if there is one. */
async function fillTexts(
  connection: Connection,
  { name, columns }: TextTable,
  { after, records }: { readonly after: number; readonly records: readonly StoredRecord[] },
): Promise<void> {
  const last = records.at(-1);
  // The step may have started again, and records may have been removed since.
  await connection.query(
    `DELETE FROM ${quoteName(name)} WHERE ${quoteName(RECORD_ID)} > $1 AND ${quoteName(RECORD_ID)} <= $2`,
    [after, last?.id ?? Number.MAX_SAFE_INTEGER],
  );
  if (last === undefined) return;
  const { rows, values } = toRows(columns, records);
  await connection.query(
    `INSERT INTO ${quoteName(name)} (${[RECORD_ID, ...columns.map((column) => column.name)].map(quoteName).join(', ')}) SELECT * FROM ${rows}`,
    values,
  );
}

/** Fills the list table of some records. */
async function fillList(
  connection: Connection,
  { name, field, type }: ListTable,
  records: readonly StoredRecord[],
): Promise<void> {
  // The step may have started again.
  await connection.query(`DELETE FROM ${quoteName(name)} WHERE "record" = ANY($1::bigint[])`, [
    records.map(({ id }) => id),
  ]);
  const rows = records.flatMap((record) =>
    [...new Set(record[field] as readonly (string | number)[])].map((value) => ({ value, id: record.id })),
  );
  await connection.query(
    `INSERT INTO ${quoteName(name)} ("value", "record") SELECT * FROM unnest($1::${columnType(type)}[], $2::bigint[])`,
    [rows.map(({ value }) => value), rows.map(({ id }) => id)],
  );
}

/** Fills the next records. @returns the last id; null: there are no more */
async function fillBatch(
  connection: Connection,
  table: TableShape,
  { columns, lists, texts, after }: Pending,
): Promise<number | null> {
  const fields = [...new Set([...columns, ...lists, ...(texts?.columns ?? [])].map(({ field }) => field))];
  const read = createRecordReader(table);
  const rows = await connection.query(
    `SELECT ${['id', 'version', ...fields].map(quoteName).join(', ')} FROM ${quoteName(table.name)} WHERE "id" > $1 ORDER BY "id" LIMIT ${BATCH}`,
    [after],
  );
  const records = rows.map((row) => read(Object.values(row), fields));
  if (texts !== null) await fillTexts(connection, texts, { after, records });
  const last = records.at(-1);
  if (last === undefined) return null;
  if (columns.length > 0) await fillColumns(connection, { name: quoteName(table.name), columns }, records);
  for (const list of lists) await fillList(connection, list, records);
  await connection.query(
    'UPDATE "store:steps" SET "after" = $2, "revision" = (SELECT "revision" FROM "store:collections" WHERE "collection" = $1) WHERE "collection" = $1',
    [table.name, last.id],
  );
  return last.id;
}

/**
 * Fills what existing records lack, a batch in each transaction, while others read. `holder` keeps others from writing; it is asked
 * before each batch, because its locks are gone if its connection is lost. The notes stay until the migration ends, for what others write before that.
 */
export async function runSteps(
  connections: Connections,
  table: TableShape,
  holder: Connection,
): Promise<void> {
  const pending = await connections.use((connection) => readPending(connection, table));
  if (pending === null) return;
  for (let after: number | null = pending.after; after !== null;) {
    const from: number = after;
    await holder.query('SELECT 1', []);
    after = await transact(connections, async (connection) => {
      // A crash may undo the last batches, with the note of how far they came. What ends the migration is flushed after them.
      await connection.script('SET LOCAL synchronous_commit = off');
      return fillBatch(connection, table, { ...pending, after: from });
    });
  }
}

/** What an existing table lacks, and what it has in excess. */
export interface TableChange {
  readonly table: TableShape;
  readonly columns: readonly Column[];
  readonly lists: readonly ListTable[];
  /** Of the table of texts. */
  readonly texts: readonly Column[];
  /** The table of texts does not exist. */
  readonly isTextless: boolean;
  readonly indexes: readonly IndexShape[];
  /** Statements that drop indexes and folded texts. A folded text that nobody writes any more would be wrong when it is declared again. */
  readonly drops: readonly string[];
  /** What is to be filled from fields that existing records have. */
  readonly missing: Missing;
}

/** The names that a query with one parameter returns. */
export async function readNames(
  connection: Connection,
  sql: string,
  value: string,
): Promise<ReadonlySet<string>> {
  return new Set((await connection.query(sql, [value])).map((row) => String(row['name'])));
}

async function readColumns(connection: Connection, table: string): Promise<ReadonlyMap<string, string>> {
  const rows = await connection.query(
    'SELECT column_name, data_type FROM information_schema.columns WHERE table_schema = current_schema() AND table_name = $1',
    [table],
  );
  return new Map(rows.map((row) => [String(row['column_name']), String(row['data_type'])]));
}

/** @throws StoreError `unavailable` */
function checkTypes({ name, columns }: TableShape, existing: ReadonlyMap<string, string>): void {
  for (const column of columns) {
    const type = existing.get(column.name);
    if (type !== undefined && type !== columnType(column.type)) {
      throw new StoreError(
        'unavailable',
        `Field ${column.field} of ${name} is stored as ${type} and is now declared ${column.type}. A field cannot change its type. Give the new field another name.`,
      );
    }
  }
}

/** Refuses texts that an index could not hold as they are, of records that were written before their length was limited. @throws StoreError `unavailable` */
async function checkLengths(
  connection: Connection,
  { name, collection, columns }: TableShape,
  {
    indexes,
    existing,
  }: { readonly indexes: readonly IndexShape[]; readonly existing: ReadonlyMap<string, string> },
): Promise<void> {
  const fields = columns
    .map(({ field }) => field)
    .filter(
      (field) =>
        existing.has(field) &&
        isPlainKey(collection, field, postgresDialect) &&
        indexes.some((index) => index.fields.includes(field)),
    );
  if (fields.length === 0) return;
  const tests = fields.map((field) => `length(${quoteName(field)}) > ${postgresDialect.keyLength}`);
  const [found] = await connection.query(
    `SELECT "id", ${fields.map(quoteName).join(', ')} FROM ${quoteName(name)} WHERE ${tests.join(' OR ')} LIMIT 1`,
    [],
  );
  const field = fields.find(
    (each) => Array.from(String(found?.[each] ?? '')).length > postgresDialect.keyLength,
  );
  if (field === undefined) return;
  throw new StoreError(
    'unavailable',
    `Field ${field} of ${name} may now have at most ${String(collection.fields[field]?.maxLength)} characters, and that of record ${String(found?.['id'])} is longer than an index can hold. Shorten it with the version of the program that wrote it; nothing was changed.`,
  );
}

/** Statements that drop the folded texts of a table which are not declared. */
function dropFolded(
  name: string,
  existing: ReadonlyMap<string, string>,
  declared: readonly Column[],
): readonly string[] {
  const isFolded = (column: string): boolean => column.includes(':') && existing.get(column) === 'text';
  return [...existing.keys()]
    .filter((column) => isFolded(column) && !declared.some((each) => each.name === column))
    .map((column) => `ALTER TABLE ${quoteName(name)} DROP COLUMN ${quoteName(column)}`);
}

async function compareTexts(
  connection: Connection,
  { name, texts }: TableShape,
  tables: ReadonlySet<string>,
): Promise<Pick<TableChange, 'texts' | 'isTextless' | 'drops'>> {
  const apart = textTableName(name);
  const isTextless = !tables.has(apart);
  if (texts === null)
    return { texts: [], isTextless, drops: isTextless ? [] : [`DROP TABLE ${quoteName(apart)}`] };
  const existing = await readColumns(connection, apart);
  return {
    texts: texts.columns.filter((column) => !existing.has(column.name)),
    isTextless,
    drops: dropFolded(apart, existing, texts.columns),
  };
}

/** Compares an existing table with its descriptor. `tables`: the names of all tables. @throws StoreError `unavailable`: a field with a changed type, or a text that is too long for its index */
export async function compareTable(
  connection: Connection,
  table: TableShape,
  tables: ReadonlySet<string>,
): Promise<TableChange> {
  const existing = await readColumns(connection, table.name);
  checkTypes(table, existing);
  const names = await readNames(
    connection,
    'SELECT indexname AS name FROM pg_indexes WHERE schemaname = current_schema() AND tablename = $1',
    table.name,
  );
  const indexes = table.indexes.filter((index) => !names.has(index.name));
  await checkLengths(connection, table, { indexes, existing });
  const wanted = new Set([idKeyName(table.name), ...table.indexes.map((index) => index.name)]);
  const columns = table.columns.filter((column) => !existing.has(column.name));
  const lists = table.lists.filter((list) => !tables.has(list.name));
  const apart = await compareTexts(connection, table, tables);
  const dropped = [...names]
    .filter((name) => name.startsWith(`${table.name}:`) && !wanted.has(name))
    .map((name) => `DROP INDEX ${quoteName(name)}`);
  return {
    table,
    columns,
    lists,
    ...apart,
    indexes,
    drops: [...dropped, ...dropFolded(table.name, existing, table.columns), ...apart.drops],
    missing: {
      columns: columns.filter((column) => column.folded && existing.has(column.field)),
      lists: lists.filter(({ field }) => existing.has(field)),
      texts: apart.texts.length > 0 ? table.texts : null,
    },
  };
}
