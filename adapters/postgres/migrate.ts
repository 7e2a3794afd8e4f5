import type { Json } from '../../lib/schema/schema-dialect.ts';
import { StoreError, type StoredRecord } from '../../lib/store/store.ts';
import { quoteName } from '../sql/dialect.ts';
import { createRecordReader } from '../sql/record-columns.ts';
import { toColumnValue, type Column, type ListTable, type TableShape } from '../sql/tables.ts';
import type { Connection } from './connections.ts';
import { columnType, idKeyName, postgresDialect } from './dialect.ts';

/** One step per version of the layout. The table `store:layout` holds the number of steps that were applied. */
const STEPS: readonly string[] = [
  `CREATE TABLE "store:collections" ("collection" text COLLATE "C" PRIMARY KEY, "revision" bigint NOT NULL DEFAULT 0, "last_id" bigint NOT NULL DEFAULT 0);
   CREATE TABLE "store:layout" ("version" bigint NOT NULL, "shape" text NOT NULL);
   INSERT INTO "store:layout" VALUES (0, '')`,
];

const BATCH = 500;

/** Fills a new folded column or list table from the existing fields. */
async function fill(connection: Connection, table: TableShape, { columns, lists }: { columns: readonly Column[]; lists: readonly ListTable[] }): Promise<void> {
  if (columns.length + lists.length === 0) return;
  const read = createRecordReader(table);
  const name = quoteName(table.name);
  const fields = [...columns, ...lists].map(({ field }) => field);
  for (let last = 0; ;) {
    const rows = await connection.query(`SELECT ${['id', 'version', ...fields].map(quoteName).join(', ')} FROM ${name} WHERE "id" > $1 ORDER BY "id" LIMIT ${BATCH}`, [last]);
    if (rows.length === 0) return;
    const records = rows.map((row) => read(Object.values(row), fields));
    last = records.at(-1)?.id ?? last;
    if (columns.length > 0) await fillColumns(connection, { name, columns }, records);
    for (const list of lists) await fillList(connection, list, records);
  }
}

/** Fills columns of some records with one statement. */
async function fillColumns(connection: Connection, { name, columns }: { readonly name: string; readonly columns: readonly Column[] }, records: readonly StoredRecord[]): Promise<void> {
  const names = columns.map((column) => quoteName(column.name));
  const lists = columns.map((column, at) => `$${at + 2}::${columnType(column.type)}[]`);
  const values = columns.map((column) => records.map((record) => toColumnValue(column, record[column.field] ?? '') as string | number));
  const text = `UPDATE ${name} AS "old" SET ${names.map((each) => `${each} = "new".${each}`).join(', ')} FROM unnest($1::bigint[], ${lists.join(', ')}) AS "new" ("id", ${names.join(', ')}) WHERE "old"."id" = "new"."id"`;
  await connection.query(text, [records.map(({ id }) => id), ...values]);
}

/** Fills the list table of some records with one statement. */
async function fillList(connection: Connection, { name, field, type }: ListTable, records: readonly StoredRecord[]): Promise<void> {
  const rows = records.flatMap((record) => [...new Set(record[field] as readonly (string | number)[])].map((value) => ({ value, id: record.id })));
  await connection.query(`INSERT INTO ${quoteName(name)} ("value", "record") SELECT * FROM unnest($1::${columnType(type)}[], $2::bigint[])`, [rows.map(({ value }) => value), rows.map(({ id }) => id)]);
}

async function names(connection: Connection, sql: string, table: string): Promise<ReadonlySet<string>> {
  return new Set((await connection.query(sql, [table])).map((row) => String(row['name'])));
}

async function alterTable(connection: Connection, table: TableShape): Promise<void> {
  const rows = await connection.query('SELECT column_name, data_type FROM information_schema.columns WHERE table_schema = current_schema() AND table_name = $1', [table.name]);
  const existing = new Map(rows.map((row) => [String(row['column_name']), String(row['data_type'])]));
  for (const column of table.columns) {
    const type = existing.get(column.name);
    if (type !== undefined && type !== columnType(column.type)) {
      throw new StoreError('unavailable', `Field ${column.field} of ${table.name} is stored as ${type} and is now declared ${column.type}. A field cannot change its type. Give the new field another name.`);
    }
  }
  const added = table.columns.filter((column) => !existing.has(column.name));
  for (const column of added) await connection.script(postgresDialect.addColumn(table, column.name));
  await fill(connection, table, { columns: added.filter((column) => column.folded && existing.has(column.field)), lists: [] });
}

function createTable(table: TableShape): string {
  const { createTable: create, createListTable, createIndex } = postgresDialect;
  return [create(table), ...table.lists.flatMap(createListTable), ...table.indexes.map(createIndex)].join('; ');
}

async function migrateTable(connection: Connection, table: TableShape, tables: ReadonlySet<string>): Promise<void> {
  await alterTable(connection, table);
  const lists = table.lists.filter((list) => !tables.has(list.name));
  for (const list of lists) await connection.script(postgresDialect.createListTable(list).join('; '));
  await fill(connection, table, { columns: [], lists });
  const indexes = await names(connection, 'SELECT indexname AS name FROM pg_indexes WHERE schemaname = current_schema() AND tablename = $1', table.name);
  const wanted = new Set([idKeyName(table.name), ...table.indexes.map((index) => index.name)]);
  const dropped = [...indexes].filter((name) => name.startsWith(`${table.name}:`) && !wanted.has(name)).map((name) => `DROP INDEX ${quoteName(name)}`);
  const created = table.indexes.filter((index) => !indexes.has(index.name)).map((index) => postgresDialect.createIndex(index));
  if (dropped.length + created.length > 0) await connection.script([...dropped, ...created].join('; '));
}

interface Layout { readonly version: number; readonly shape: string }

async function readLayout(connection: Connection, schema: string): Promise<Layout> {
  // `to_regclass` uses a cache that may not yet show what another process has just created.
  const [found] = await connection.query("SELECT 1 FROM pg_tables WHERE schemaname = $1 AND tablename = 'store:layout'", [schema]);
  if (found === undefined) return { version: 0, shape: '' };
  const [row] = await connection.query('SELECT "version", "shape" FROM "store:layout"', []);
  return { version: Number(row?.['version']), shape: String(row?.['shape']) };
}

function checkLayout(schema: string, { version }: Layout): void {
  if (version > STEPS.length) throw new StoreError('unavailable', `The tables in the schema ${schema} have layout ${version}, but this program supports ${STEPS.length}. They were made by a newer version of routebook. Use that version, or name another schema (?schema=NAME); nothing was changed.`);
}

/** A role without the right to create schemas may use one that was made for it. */
async function createSchema(connection: Connection, schema: string): Promise<void> {
  const [found] = await connection.query('SELECT 1 FROM pg_namespace WHERE nspname = $1', [schema]);
  if (found === undefined) await connection.script(`CREATE SCHEMA IF NOT EXISTS ${quoteName(schema)}`);
}

async function change(connection: Connection, { schema, tables, shape }: { readonly schema: string; readonly tables: readonly TableShape[]; readonly shape: string }): Promise<void> {
  await connection.query('SELECT pg_advisory_xact_lock(hashtext($1))', [`routebook ${schema}`]);
  // Checked again inside the lock, because another process may have migrated in the meantime.
  const layout = await readLayout(connection, schema);
  checkLayout(schema, layout);
  if (layout.version === STEPS.length && layout.shape === shape) return;
  if (layout.version === 0) await createSchema(connection, schema);
  for (const step of STEPS.slice(layout.version)) await connection.script(step);
  const existing = await names(connection, 'SELECT tablename AS name FROM pg_tables WHERE schemaname = $1', schema);
  const added = tables.filter((table) => !existing.has(table.name));
  if (added.length > 0) await connection.script(added.map(createTable).join('; '));
  for (const table of tables) if (existing.has(table.name)) await migrateTable(connection, table, existing);
  await connection.query('INSERT INTO "store:collections" ("collection") SELECT unnest($1::text[]) ON CONFLICT DO NOTHING', [tables.map((table) => table.name)]);
  await connection.query('UPDATE "store:layout" SET "version" = $1, "shape" = $2', [STEPS.length, shape]);
}

/**
 * Brings the database to the layout of this program and its tables to the descriptors, in one transaction. If several
 * processes start at once, one of them migrates. Fields, collections and indexes may be added at any time; those no longer declared are kept.
 * @throws StoreError `unavailable`: a newer layout, or a field with a changed type; PostgresFailure when records violate a new unique key.
 */
export async function migrate(connection: Connection, schema: string, tables: readonly TableShape[]): Promise<void> {
  const shape = JSON.stringify(tables.map(({ name, columns, lists, indexes }) => [name, columns, lists, indexes]) as Json);
  const layout = await readLayout(connection, schema);
  checkLayout(schema, layout);
  // Checking every table would slow down each start, so it is done only when the descriptors have changed.
  if (layout.version === STEPS.length && layout.shape === shape) return;
  await connection.script('BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0');
  await change(connection, { schema, tables, shape });
  await connection.script('COMMIT');
}
