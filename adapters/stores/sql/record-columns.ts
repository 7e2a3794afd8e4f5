import type { Json } from '../../../lib/schema/schema-dialect.ts';
import { emptyRecordOf } from '../../../lib/store/check-operations.ts';
import type { CheckedQuery } from '../../../lib/store/check-query.ts';
import { itemType } from '../../../lib/store/collection.ts';
import { type FindResult, type StoredRecord, StoreError } from '../../../lib/store/store.ts';
import { type Dialect, quoteName } from './dialect.ts';
import type { Column, TableShape } from './tables.ts';

/** The statement that reads a page of a table by id; its parameters are the id before the page and the limit. */
export function compilePage({ placeholder }: Dialect, { name, collection }: TableShape): string {
  const columns = ['id', 'version', ...Object.keys(collection.fields)].map(quoteName).join(', ');
  return `SELECT ${columns} FROM ${quoteName(name)} WHERE "id" > ${placeholder(1)} ORDER BY "id" LIMIT ${placeholder(2)}`;
}

/** The values of a row, in the order of its columns. */
export type SqlValues = readonly unknown[];

function parse({ field }: Column, text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    throw new StoreError(
      'unavailable',
      `The store is damaged: field ${field} of a record is not valid JSON. Restore a backup.`,
      { cause: error },
    );
  }
}

/** Returns the function that converts a column value into a field value. */
function toReader(column: Column): (value: unknown) => Json {
  if (column.type === 'boolean') return (value) => value === true || Number(value) === 1;
  if (column.type === 'integer') return Number;
  return column.type === 'json' || itemType(column.type) !== undefined
    ? (value) => parse(column, String(value))
    : String;
}

/** The ids of the records whose long texts were left out. Empty unless the query asked for that. */
export function tellIncomplete(
  { omitted }: CheckedQuery,
  rows: readonly SqlValues[],
): Pick<FindResult, 'incomplete'> {
  return omitted === null
    ? {}
    : { incomplete: rows.filter((row) => row.includes(null)).map(([id]) => Number(id)) };
}

/** Reads a record from a row with `id`, `version` and these fields, in this order. An omitted text is read as empty. */
export function createRecordReader(
  table: TableShape,
): (row: SqlValues, fields: readonly string[]) => StoredRecord {
  const readers = new Map(
    table.columns.filter((column) => !column.folded).map((column) => [column.field, toReader(column)]),
  );
  const empty: StoredRecord = { id: 0, version: 0, ...emptyRecordOf(table.collection) };
  return (row, fields) => {
    // Complete records are copies of one object, because objects with the same hidden class are created and read fastest.
    const record: Record<string, Json> & { id: number; version: number } =
      fields.length === readers.size ? { ...empty } : { id: 0, version: 0 };
    record.id = Number(row[0]);
    record.version = Number(row[1]);
    let at = 2;
    for (const field of fields) {
      const read = readers.get(field);
      if (read !== undefined) record[field] = row[at] === null ? (empty[field] ?? null) : read(row[at]);
      at += 1;
    }
    return record;
  };
}
