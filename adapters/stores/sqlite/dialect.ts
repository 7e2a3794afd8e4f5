import type { FieldType } from '../../../lib/store/collection.ts';
import type { Scalar } from '../../../lib/store/query.ts';
import { type Dialect, quoteConstant, quoteName, type SqlValue } from '../sql/dialect.ts';
import { type Column, emptyColumnValue, type IndexShape } from '../sql/tables.ts';

const toNumber = (value: Scalar): string | number => (typeof value === 'boolean' ? Number(value) : value);

/** The database type of a field. */
export function columnType(type: FieldType): string {
  return type === 'integer' || type === 'boolean' ? 'INTEGER' : 'TEXT';
}

function describeColumn(column: Column): string {
  const empty = emptyColumnValue(column);
  return `${quoteName(column.name)} ${columnType(column.type)} NOT NULL DEFAULT ${quoteConstant(typeof empty === 'boolean' ? Number(empty) : empty)}`;
}

/** The condition of the index of a key with exceptions. A query uses that index only if it has the condition as it is. */
export function describeHeld(except: NonNullable<IndexShape['except']>): string {
  const parts = Object.entries(except).map(
    ([field, value]) => `${quoteName(field)} = ${quoteConstant(value)}`,
  );
  return `NOT (${parts.join(' AND ')})`;
}

function describeIndex({ name, table, columns, unique, except }: IndexShape): string {
  const held = except === null ? '' : ` WHERE ${describeHeld(except)}`;
  return `CREATE ${unique ? 'UNIQUE INDEX' : 'INDEX'} ${quoteName(name)} ON ${quoteName(table)} (${columns.map(quoteName).join(', ')})${held}`;
}

/**
 * SQLite: booleans are 0 and 1, and lists of parameters are passed as JSON. Texts compare as bytes (BINARY), which is by code point.
 * AUTOINCREMENT is needed, because without it the id of the last record is reused after its removal.
 */
export const sqliteDialect: Dialect = {
  placeholder: () => '?',
  toParam: toNumber,
  toListParam: (values): SqlValue => JSON.stringify(values.map(toNumber)),
  inList: (column, list) => `${column} IN (SELECT value FROM json_each(${list}))`,
  placeInList: (column, list) => `(SELECT key FROM json_each(${list}) WHERE value = ${column})`,
  contains: (column, text) => `instr(${column}, ${text}) > 0`,
  toPart: (text) => text,
  toKey: (column) => column,
  keyLength: Infinity,
  noLimit: '-1',
  createTable: ({ name, columns }) =>
    `CREATE TABLE ${quoteName(name)} ("id" INTEGER PRIMARY KEY AUTOINCREMENT, "version" INTEGER NOT NULL, ${columns.map(describeColumn).join(', ')}) STRICT`,
  addColumn: ({ name, columns }, column) => {
    const added = columns.find((each) => each.name === column);
    if (added === undefined) throw new TypeError(`${name} has no column ${column}`);
    return `ALTER TABLE ${quoteName(name)} ADD COLUMN ${describeColumn(added)}`;
  },
  createListTable: ({ name, type }) => [
    `CREATE TABLE ${quoteName(name)} ("value" ${columnType(type)} NOT NULL, "record" INTEGER NOT NULL, PRIMARY KEY ("value", "record")) STRICT, WITHOUT ROWID`,
    `CREATE INDEX ${quoteName(`${name}:record`)} ON ${quoteName(name)} ("record", "value")`,
  ],
  createIndex: describeIndex,
};
