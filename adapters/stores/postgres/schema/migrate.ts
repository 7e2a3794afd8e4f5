import type { Json } from '../../../../lib/schema/schema-dialect.ts';
import { StoreError } from '../../../../lib/store/store.ts';
import { createChangeTable } from '../../sql/change-log.ts';
import { quoteName } from '../../sql/dialect.ts';
import { type Column, type IndexShape, listTables, type TableShape, toKeyError } from '../../sql/tables.ts';
import { type Connection, type Connections, transact } from '../connections.ts';
import { addColumn, createTextTable, postgresDialect } from '../dialect.ts';
import { PostgresFailure, TAKEN } from '../errors.ts';
import { CREATE_LIFE } from '../server-epoch.ts';
import {
  compareTable,
  CREATE_STEPS,
  DROP_STEPS,
  noteSteps,
  readNames,
  readPendingNames,
  runSteps,
  type TableChange,
} from './compare-tables.ts';

/**
 * Layout 3 keeps texts that are searched in a table of their own, where the descriptors tell so. Programs of layout 2 would write
 * nothing there. They read until they are restarted, and what they write fails because of this name.
 */
const KEEP_OUT = 'ALTER TABLE "store:collections" RENAME COLUMN "last_id" TO "highest_id"';

/** Layout 4 logs changes, which programs of layout 3 would not do: what they write fails because of this name. */
const CREATE_CHANGES = `${createChangeTable({ name: 'text COLLATE "C"', text: 'text', integer: 'bigint' })}; ALTER TABLE "store:collections" RENAME COLUMN "highest_id" TO "newest_id"`;

/** One step per version of the layout, taken when everything else is done. The table `store:layout` holds the number of steps that were taken. */
const STEPS: readonly string[] = [
  `CREATE TABLE "store:collections" ("collection" text COLLATE "C" PRIMARY KEY, "revision" bigint NOT NULL DEFAULT 0, "last_id" bigint NOT NULL DEFAULT 0);
   CREATE TABLE "store:layout" ("version" bigint NOT NULL, "shape" text NOT NULL);
   INSERT INTO "store:layout" VALUES (0, '')`,
  CREATE_LIFE,
  KEEP_OUT,
  CREATE_CHANGES,
];

function createTable(table: TableShape): string {
  const { createTable: create, createListTable, createIndex } = postgresDialect;
  const texts = table.texts === null ? [] : [createTextTable(table.texts)];
  return [
    create(table),
    ...table.lists.flatMap(createListTable),
    ...texts,
    ...table.indexes.map(createIndex),
  ].join('; ');
}

/** Adds columns and tables, which takes no time, and notes what is to be filled. */
async function addParts(
  connection: Connection,
  { table, columns, lists, texts, isTextless, missing }: TableChange,
): Promise<void> {
  const { createListTable } = postgresDialect;
  const apart = table.texts;
  const addTexts =
    apart === null
      ? []
      : isTextless
        ? [createTextTable(apart)]
        : texts.map((column) => addColumn(apart, column.name));
  const statements = [
    ...columns.map((column) => addColumn(table, column.name)),
    ...lists.flatMap((list) => createListTable(list)),
    ...addTexts,
  ];
  if (statements.length > 0) await connection.script(statements.join('; '));
  await noteSteps(connection, table, missing);
}

interface Layout {
  readonly version: number;
  readonly shape: string;
}

async function readLayout(connection: Connection, schema: string): Promise<Layout> {
  // `to_regclass` uses a cache that may not yet show what another process has just created.
  const [found] = await connection.query(
    "SELECT 1 FROM pg_tables WHERE schemaname = $1 AND tablename = 'store:layout'",
    [schema],
  );
  if (found === undefined) return { version: 0, shape: '' };
  const [row] = await connection.query('SELECT "version", "shape" FROM "store:layout"', []);
  return { version: Number(row?.['version']), shape: String(row?.['shape']) };
}

function checkLayout(schema: string, { version }: Layout): void {
  if (version > STEPS.length)
    throw new StoreError(
      'unavailable',
      `The tables in the schema ${schema} have layout ${version}, but this program supports ${STEPS.length}. They were made by a newer version of routebook. Use that version, or name another schema (?schema=NAME); nothing was changed.`,
    );
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

/** Takes the steps of the layout, in the transaction that keeps other writers away. The tables of the collections come first, as in reads, so that none waits for the other. */
async function finish(
  holder: Connection,
  { from, tables, shape }: Wanted,
  drops: readonly string[],
): Promise<void> {
  await holder.script([...drops, DROP_STEPS, ...STEPS.slice(from)].join('; '));
  await holder.query(
    'INSERT INTO "store:collections" ("collection") SELECT unnest($1::text[]) ON CONFLICT DO NOTHING',
    [tables.map((table) => table.name)],
  );
  await holder.query('UPDATE "store:layout" SET "version" = $1, "shape" = $2', [STEPS.length, shape]);
}

async function createAll(connection: Connection, wanted: Wanted): Promise<void> {
  await createSchema(connection, wanted.schema);
  await createTables(connection, wanted.tables);
  await finish(connection, wanted, []);
}

async function createTables(connection: Connection, tables: readonly TableShape[]): Promise<void> {
  if (tables.length > 0) await connection.script(tables.map(createTable).join('; '));
}

/**
 * Keeps other programs from changing these collections until the transaction of the holder ends; from changing any if the layout
 * changes. They can still read them.
 */
async function holdWriters(holder: Connection, { from }: Wanted, changed: readonly string[]): Promise<void> {
  if (from < STEPS.length) await holder.script('LOCK TABLE "store:collections" IN EXCLUSIVE MODE');
  await holder.query(
    'SELECT 1 FROM "store:collections" WHERE "collection" = ANY($1::text[]) ORDER BY "collection" FOR UPDATE',
    [changed],
  );
}

const isChanged = ({ columns, lists, texts, indexes }: TableChange): boolean =>
  columns.length + lists.length + texts.length + indexes.length > 0;

/** @throws StoreError for a key that records violate */
async function addIndex(connection: Connection, index: IndexShape): Promise<void> {
  await connection.script(postgresDialect.createIndex(index)).catch((error: unknown) => {
    throw error instanceof PostgresFailure && error.state === TAKEN ? toKeyError(index, error) : error;
  });
}

async function addIndexes(
  connections: Connections,
  table: TableShape,
  indexes: readonly IndexShape[],
): Promise<void> {
  for (const index of indexes) await transact(connections, (connection) => addIndex(connection, index));
  // Without statistics of its expressions, the planner takes a new index for one that leads to few records, and reads the whole table by it.
  await transact(connections, (connection) =>
    connection.script(`ANALYZE ${listTables(table).map(quoteName).join(', ')}`),
  );
}

async function changeAll(connections: Connections, holder: Connection, wanted: Wanted): Promise<void> {
  const { schema, tables } = wanted;
  const existing = await readNames(
    holder,
    'SELECT tablename AS name FROM pg_tables WHERE schemaname = $1',
    schema,
  );
  const changes: TableChange[] = [];
  for (const table of tables)
    if (existing.has(table.name)) changes.push(await compareTable(holder, table, existing));
  const pending = existing.has('store:steps') ? await connections.use(readPendingNames) : new Set<string>();
  const changed = changes.filter((each) => isChanged(each) || pending.has(each.table.name));
  await holdWriters(
    holder,
    wanted,
    changed.map(({ table }) => table.name),
  );
  // A key that records violate is refused before anything is changed.
  const isEarly = ({ unique, columns }: IndexShape, added: readonly Column[]): boolean =>
    unique && columns.every((name) => added.every((column) => column.name !== name));
  const keys = changed.flatMap(({ indexes, columns }) => indexes.filter((index) => isEarly(index, columns)));
  if (keys.length > 0)
    await transact(connections, async (connection) => {
      for (const index of keys) await addIndex(connection, index);
    });
  await transact(connections, async (connection) => {
    await connection.script(CREATE_STEPS);
    await createTables(
      connection,
      tables.filter((table) => !existing.has(table.name)),
    );
    for (const each of changed) await addParts(connection, each);
  });
  for (const { table } of changed) await runSteps(connections, table, holder);
  for (const { table, indexes } of changed)
    await addIndexes(
      connections,
      table,
      indexes.filter((index) => !keys.includes(index)),
    );
  await finish(
    holder,
    wanted,
    changes.flatMap(({ drops }) => drops),
  );
}

const isCurrent = (layout: Layout, shape: string): boolean =>
  layout.version === STEPS.length && layout.shape === shape;

/**
 * Brings the database to the layout of this program and its tables to the descriptors. If several processes start at once, one of
 * them migrates. Others can read meanwhile, and change the collections that stay as they are. If it is interrupted, the next start
 * continues. Fields, collections and indexes may be added at any time; those no longer declared are kept.
 * @throws StoreError `unavailable`: a newer layout, or a field with a changed type, or a new unique key that records violate.
 */
export async function migrate(
  connections: Connections,
  schema: string,
  tables: readonly TableShape[],
): Promise<void> {
  const shape = JSON.stringify(
    tables.map(({ name, columns, lists, texts, indexes }) => [name, columns, lists, texts, indexes]) as Json,
  );
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
