import type { StoredRecord } from '../../../../lib/store/store.ts';
import { quoteName, type SqlValue } from '../../sql/dialect.ts';
import { RECORD_ID } from '../../sql/names.ts';
import { createRecordReader } from '../../sql/record-columns.ts';
import {
  toColumnValue,
  type Column,
  type ListTable,
  type TableShape,
  type TextTable,
} from '../../sql/tables.ts';
import { transact, type Connection, type Connections } from '../connections.ts';
import { columnType } from '../dialect.ts';

/** Records that are filled in one transaction. */
const BATCH = 1000;

/** The table of the data steps that are not complete: what is to be filled, and the last id that was. `revision`: of the collection when the step began. */
export const CREATE_STEPS =
  'CREATE TABLE IF NOT EXISTS "store:steps" ("collection" text COLLATE "C", "name" text COLLATE "C", "after" bigint NOT NULL DEFAULT 0, "revision" bigint NOT NULL, PRIMARY KEY ("collection", "name"))';
export const DROP_STEPS = 'DROP TABLE IF EXISTS "store:steps"';

/** The folded columns, list tables and texts of a collection that existing records do not have yet. */
export interface Missing {
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
