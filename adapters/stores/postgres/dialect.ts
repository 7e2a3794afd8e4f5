import type { FieldType } from '../../../lib/store/collection.ts';
import { type Dialect, quoteConstant, quoteName } from '../sql/dialect.ts';
import { RECORD_ID } from '../sql/names.ts';
import { type Column, emptyColumnValue, type IndexShape, type TextTable } from '../sql/tables.ts';

/** Length of an indexed text, in characters. An index entry may have 2,700 bytes: four texts with 4 bytes per character, and some numbers. */
const KEY_LENGTH = 150;

const TYPES: Readonly<Partial<Record<FieldType, string>>> = { integer: 'bigint', boolean: 'boolean' };

/** The database type of a field. Lists and JSON are stored as text, because `jsonb` rejects NUL and does not keep the order of members. */
export function columnType(type: FieldType): string {
  return TYPES[type] ?? 'text';
}

function describeType(type: FieldType): string {
  const name = columnType(type);
  return name === 'text' ? 'text COLLATE "C"' : name;
}

function describeColumn(column: Column): string {
  const empty = emptyColumnValue(column);
  return `${quoteName(column.name)} ${describeType(column.type)} NOT NULL DEFAULT ${typeof empty === 'boolean' ? String(empty) : quoteConstant(empty)}`;
}

const toKey = (column: string): string => `left(${column}, ${KEY_LENGTH})`;

/** Distinguishes long texts with the same beginning. */
function describeRest(columns: readonly string[]): string {
  const isShort = columns.map((column) => `length(${column}) < ${KEY_LENGTH}`).join(' AND ');
  return `(CASE WHEN ${isShort} THEN '' ELSE ${columns.map((column) => `md5(${column})`).join(' || ')} END)`;
}

function describeIndex({ name, table, columns, texts, unique, except }: IndexShape): string {
  const isText = new Set(texts);
  const keys = columns.map((column) => (isText.has(column) ? toKey(quoteName(column)) : quoteName(column)));
  const all = unique && texts.length > 0 ? [...keys, describeRest(texts.map(quoteName))] : keys;
  const held =
    except === null
      ? ''
      : ` WHERE NOT (${Object.entries(except)
          .map(([field, value]) => `${quoteName(field)} = ${quoteConstant(value)}`)
          .join(' AND ')})`;
  return `CREATE ${unique ? 'UNIQUE INDEX' : 'INDEX'} ${quoteName(name)} ON ${quoteName(table)} (${all.join(', ')})${held}`;
}

/** Rows up to this size, in bytes, are not compressed, so that scans take a quarter of the time. It is the most that the server accepts. */
const LONG_ROW = 8160;

/** SQL that creates the table of a collection's texts. */
export function createTextTable({ name, columns }: TextTable): string {
  return `CREATE TABLE ${quoteName(name)} (${quoteName(RECORD_ID)} bigint PRIMARY KEY, ${columns.map(describeColumn).join(', ')}) WITH (toast_tuple_target = ${LONG_ROW})`;
}

/** SQL that adds a column to a table that has it declared. */
export function addColumn({ name, columns }: Pick<TextTable, 'name' | 'columns'>, column: string): string {
  const added = columns.find((each) => each.name === column);
  if (added === undefined) throw new TypeError(`${name} has no column ${column}`);
  return `ALTER TABLE ${quoteName(name)} ADD COLUMN ${describeColumn(added)}`;
}

/** The name of the primary key constraint on ids. */
export function idKeyName(table: string): string {
  return `${table}:id`;
}

/** PostgreSQL: parameters have types, lists are arrays, and texts compare as bytes in every locale. */
export const postgresDialect: Dialect = {
  placeholder: (position) => `$${position}`,
  toParam: (value) => value,
  toListParam: (values) => values,
  inList: (column, list, type) => `${column} = ANY(${list}::${columnType(type)}[])`,
  placeInList: (column, list, type) => `(array_position(${list}::${columnType(type)}[], ${column}) - 1)`,
  // An index of trigrams serves LIKE only.
  contains: (column, text) => `${column} LIKE ${text}`,
  toPart: (text) => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`,
  toKey,
  keyLength: KEY_LENGTH,
  plainLength: KEY_LENGTH,
  textsApart: true,
  noLimit: 'ALL',
  createTable: ({ name, columns }) =>
    `CREATE TABLE ${quoteName(name)} ("id" bigint CONSTRAINT ${quoteName(idKeyName(name))} PRIMARY KEY, "version" bigint NOT NULL, ${columns.map(describeColumn).join(', ')})`,
  addColumn,
  createListTable: ({ name, type }) => [
    `CREATE TABLE ${quoteName(name)} ("value" ${describeType(type)} NOT NULL, "record" bigint NOT NULL)`,
    `CREATE INDEX ON ${quoteName(name)} (${type === 'text' ? toKey('"value"') : '"value"'}, "record")`,
    `CREATE INDEX ON ${quoteName(name)} ("record", ${type === 'text' ? toKey('"value"') : '"value"'})`,
  ],
  createIndex: describeIndex,
};
