import type { Json } from '../../lib/schema/schema-dialect.ts';
import { StoreError } from '../../lib/store/store.ts';
import { quoteName } from '../sql/dialect.ts';
import type { Column, IndexShape, ListTable, TableShape } from '../sql/tables.ts';
import { transact, type Connection, type Connections } from './connections.ts';
import { CREATE_STEPS, DROP_STEPS, noteSteps, readPendingNames, runSteps, type Missing } from './data-steps.ts';
import { columnType, idKeyName, postgresDialect } from './dialect.ts';
import { CREATE_LIFE } from './life.ts';

/** One step per version of the layout. The table `store:layout` holds the number of steps that were applied. */
const STEPS: readonly string[] = [
  `CREATE TABLE "store:collections" ("collection" text COLLATE "C" PRIMARY KEY, "revision" bigint NOT NULL DEFAULT 0, "last_id" bigint NOT NULL DEFAULT 0);
   CREATE TABLE "store:layout" ("version" bigint NOT NULL, "shape" text NOT NULL);
   INSERT INTO "store:layout" VALUES (0, '')`,
  CREATE_LIFE,
];

async function names(connection: Connection, sql: string, table: string): Promise<ReadonlySet<string>> {
  return new Set((await connection.query(sql, [table])).map((row) => String(row['name'])));
}

function createTable(table: TableShape): string {
  const { createTable: create, createListTable, createIndex } = postgresDialect;
  return [create(table), ...table.lists.flatMap(createListTable), ...table.indexes.map(createIndex)].join('; ');
}

/** What an existing table lacks, and the indexes that it has in excess. */
interface TableChange {
  readonly table: TableShape;
  readonly columns: readonly Column[];
  readonly lists: readonly ListTable[];
  readonly indexes: readonly IndexShape[];
  readonly dropped: readonly string[];
  /** What is to be filled from fields that existing records have. */
  readonly missing: Missing;
}

/** @throws StoreError `unavailable`: a field with a changed type */
async function compareTable(connection: Connection, table: TableShape, tables: ReadonlySet<string>): Promise<TableChange> {
  const rows = await connection.query('SELECT column_name, data_type FROM information_schema.columns WHERE table_schema = current_schema() AND table_name = $1', [table.name]);
  const existing = new Map(rows.map((row) => [String(row['column_name']), String(row['data_type'])]));
  for (const column of table.columns) {
    const type = existing.get(column.name);
    if (type !== undefined && type !== columnType(column.type)) {
      throw new StoreError('unavailable', `Field ${column.field} of ${table.name} is stored as ${type} and is now declared ${column.type}. A field cannot change its type. Give the new field another name.`);
    }
  }
  const indexes = await names(connection, 'SELECT indexname AS name FROM pg_indexes WHERE schemaname = current_schema() AND tablename = $1', table.name);
  const wanted = new Set([idKeyName(table.name), ...table.indexes.map((index) => index.name)]);
  const columns = table.columns.filter((column) => !existing.has(column.name));
  const lists = table.lists.filter((list) => !tables.has(list.name));
  return {
    table, columns, lists, indexes: table.indexes.filter((index) => !indexes.has(index.name)),
    dropped: [...indexes].filter((name) => name.startsWith(`${table.name}:`) && !wanted.has(name)),
    missing: { columns: columns.filter((column) => column.folded && existing.has(column.field)), lists: lists.filter(({ field }) => existing.has(field)) },
  };
}

/** Adds columns and list tables, which takes no time, and notes what is to be filled. */
async function addParts(connection: Connection, { table, columns, lists, missing }: TableChange): Promise<void> {
  const { addColumn, createListTable } = postgresDialect;
  const statements = [...columns.map((column) => addColumn(table, column.name)), ...lists.flatMap((list) => createListTable(list))];
  if (statements.length > 0) await connection.script(statements.join('; '));
  await noteSteps(connection, table, missing);
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

/** What the tables of this program are. `shape`: as text. `from`: the layout that was found. */
interface Wanted {
  readonly from: number;
  readonly schema: string;
  readonly tables: readonly TableShape[];
  readonly shape: string;
}

async function finish(connection: Connection, { shape }: Wanted, statements: readonly string[]): Promise<void> {
  await connection.script([...statements, DROP_STEPS].join('; '));
  await connection.query('UPDATE "store:layout" SET "version" = $1, "shape" = $2', [STEPS.length, shape]);
}

async function createAll(connection: Connection, wanted: Wanted): Promise<void> {
  await createSchema(connection, wanted.schema);
  for (const step of STEPS) await connection.script(step);
  await createTables(connection, wanted.tables);
  await finish(connection, wanted, []);
}

async function createTables(connection: Connection, tables: readonly TableShape[]): Promise<void> {
  if (tables.length > 0) await connection.script(tables.map(createTable).join('; '));
  await connection.query('INSERT INTO "store:collections" ("collection") SELECT unnest($1::text[]) ON CONFLICT DO NOTHING', [tables.map((table) => table.name)]);
}

/** Keeps other programs from changing these collections until the transaction of the holder ends. They can still read them. */
async function holdWriters(holder: Connection, changed: readonly string[]): Promise<void> {
  await holder.query('SELECT 1 FROM "store:collections" WHERE "collection" = ANY($1::text[]) ORDER BY "collection" FOR UPDATE', [changed]);
}

/** Without statistics of its expressions, the planner takes a new index for one that leads to few records, and reads the whole table by it. */
const addIndex = (index: IndexShape): string => `${postgresDialect.createIndex(index)}; ANALYZE ${quoteName(index.table)}`;

async function changeAll(connections: Connections, holder: Connection, wanted: Wanted): Promise<void> {
  const { schema, tables } = wanted;
  const existing = await names(holder, 'SELECT tablename AS name FROM pg_tables WHERE schemaname = $1', schema);
  const changes: TableChange[] = [];
  for (const table of tables) if (existing.has(table.name)) changes.push(await compareTable(holder, table, existing));
  const pending = existing.has('store:steps') ? await connections.use(readPendingNames) : new Set<string>();
  const changed = changes.filter(({ table, columns, lists, indexes }) => columns.length + lists.length + indexes.length > 0 || pending.has(table.name));
  await holdWriters(holder, changed.map(({ table }) => table.name));
  // A key that records violate is refused before anything is changed.
  const isEarly = ({ unique, columns }: IndexShape, added: readonly Column[]): boolean => unique && columns.every((name) => added.every((column) => column.name !== name));
  const keys = changed.flatMap(({ indexes, columns }) => indexes.filter((index) => isEarly(index, columns)));
  if (keys.length > 0) await transact(connections, (connection) => connection.script(keys.map((index) => postgresDialect.createIndex(index)).join('; ')));
  await transact(connections, async (connection) => {
    for (const step of STEPS.slice(wanted.from)) await connection.script(step);
    await connection.script(CREATE_STEPS);
    await createTables(connection, tables.filter((table) => !existing.has(table.name)));
    for (const each of changed) await addParts(connection, each);
  });
  for (const { table } of changed) await runSteps(connections, table, holder);
  for (const index of changed.flatMap(({ indexes }) => indexes).filter((each) => !keys.includes(each))) await transact(connections, (connection) => connection.script(addIndex(index)));
  const dropped = changes.flatMap((each) => each.dropped.map((name) => `DROP INDEX ${quoteName(name)}`));
  await transact(connections, (connection) => finish(connection, wanted, dropped));
}

const isCurrent = (layout: Layout, shape: string): boolean => layout.version === STEPS.length && layout.shape === shape;

/**
 * Brings the database to the layout of this program and its tables to the descriptors. If several processes start at once, one of
 * them migrates. Others can read meanwhile, and change the collections that stay as they are. If it is interrupted, the next start
 * continues. Fields, collections and indexes may be added at any time; those no longer declared are kept.
 * @throws StoreError `unavailable`: a newer layout, or a field with a changed type; PostgresFailure when records violate a new unique key.
 */
export async function migrate(connections: Connections, schema: string, tables: readonly TableShape[]): Promise<void> {
  const shape = JSON.stringify(tables.map(({ name, columns, lists, indexes }) => [name, columns, lists, indexes]) as Json);
  const found = await connections.use((connection) => readLayout(connection, schema));
  checkLayout(schema, found);
  // Checking every table would slow down each start, so it is done only when the descriptors have changed.
  if (isCurrent(found, shape)) return;
  await transact(connections, async (holder) => {
    await holder.query('SELECT pg_advisory_xact_lock(hashtext($1))', [`routebook ${schema}`]);
    // Checked again inside the lock, because another process may have migrated in the meantime.
    const layout = await readLayout(holder, schema);
    checkLayout(schema, layout);
    if (isCurrent(layout, shape)) return;
    const wanted: Wanted = { schema, tables, shape, from: layout.version };
    if (layout.version === 0) await createAll(holder, wanted);
    else await changeAll(connections, holder, wanted);
  });
}
