import { StoreError } from '../../../../lib/store/store.ts';
import { quoteName } from '../../sql/dialect.ts';
import { textTableName } from '../../sql/names.ts';
import {
  isPlainKey,
  type Column,
  type IndexShape,
  type ListTable,
  type TableShape,
} from '../../sql/tables.ts';
import type { Connection } from '../connections.ts';
import { columnType, idKeyName, postgresDialect } from '../dialect.ts';
import type { Missing } from './data-steps.ts';

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
