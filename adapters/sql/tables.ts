import { createHash } from 'node:crypto';
import type { CollectionDescriptor, FieldType } from '../../lib/store/collection.ts';
import { isListIndex } from '../../lib/store/check-collections.ts';
import { fold } from '../../lib/store/stored-text.ts';
import type { Json } from '../../lib/schema/schema-dialect.ts';
import { EMPTY_VALUES, itemType } from '../../lib/store/field-types.ts';

/** One column of a collection's table: a field, or the folded text of one. */
export interface Column {
  readonly name: string;
  readonly field: string;
  readonly type: FieldType;
  readonly folded: boolean;
}

/** The values of one list field, one row each, so that they can be looked up: (value, record). */
export interface ListTable {
  readonly name: string;
  readonly field: string;
  readonly type: FieldType;
}

/** One index of a collection's table. */
export interface IndexShape {
  readonly name: string;
  readonly table: string;
  /** As declared; the columns have the folded texts beside them. */
  readonly fields: readonly string[];
  readonly columns: readonly string[];
  /** Those of the columns that hold texts. */
  readonly texts: readonly string[];
  readonly unique: boolean;
  /** Rows that hold all these values are not in the index. */
  readonly except: Readonly<Record<string, string | number>> | null;
}

/** How a collection is laid out in a database: the same in all of them. */
export interface TableShape {
  readonly name: string;
  readonly collection: CollectionDescriptor;
  readonly columns: readonly Column[];
  readonly lists: readonly ListTable[];
  readonly indexes: readonly IndexShape[];
}

/** The column with the folded text of a field. No field can have a colon in its name. */
export function foldedName(field: string): string {
  return `${field}:folded`;
}

/** The columns that a field is sorted by: a folded one by its folded text, then by the text. */
export function toSortColumns({ fields }: CollectionDescriptor, field: string): readonly string[] {
  return fields[field]?.folded ? [foldedName(field), field] : [field];
}

/** PostgreSQL cuts names at 63 bytes without a word; the table's index has a longer name yet. */
const LONGEST_NAME = 56;

/** Twelve hexadecimal digits for a definition, as a part of a name. */
export function toDigest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 12);
}

/** The name of a list field's table. */
export function listName(collection: string, field: string): string {
  const name = `${collection}:${field}`;
  return name.length <= LONGEST_NAME ? name : `${collection}:${toDigest(field)}`;
}

// Long values last: a database that reads a row from its start does not have to read over them.
const WEIGHT = (column: Column): number => (column.folded ? 3 : column.type === 'json' ? 2 : 0);

function toColumns(collection: CollectionDescriptor): readonly Column[] {
  const columns = Object.entries(collection.fields).flatMap(([field, { type, folded }]): Column[] => {
    const raw: Column = { name: field, field, type, folded: false };
    return folded ? [raw, { name: foldedName(field), field, type, folded: true }] : [raw];
  });
  const isLong = (column: Column): number => (collection.fields[column.field]?.folded ? 1 : 0);
  return columns.toSorted((a, b) => WEIGHT(a) - WEIGHT(b) || isLong(a) - isLong(b));
}

function toIndex(collection: CollectionDescriptor, fields: readonly string[], key: { readonly unique: boolean; readonly except: IndexShape['except'] }): IndexShape {
  // A unique key minds the text itself; an index serves an order, which has the folded text first.
  const toNames = (names: readonly string[]): readonly string[] => (key.unique ? names : names.flatMap((field) => toSortColumns(collection, field)));
  const columns = toNames(fields);
  const texts = toNames(fields.filter((field) => collection.fields[field]?.type === 'text'));
  // Databases limit the length of names, and an index whose definition changes must get another name.
  return { name: `${collection.name}:${toDigest([columns, key.unique, key.except])}`, table: collection.name, fields, columns, texts, ...key };
}

/** Lays out a collection. */
export function toTable(collection: CollectionDescriptor): TableShape {
  return {
    name: collection.name, collection, columns: toColumns(collection),
    lists: Object.entries(collection.fields).flatMap(([field, { type }]) => {
      const item = itemType(type);
      return item === undefined ? [] : [{ name: listName(collection.name, field), field, type: item }];
    }),
    indexes: [
      ...(collection.unique ?? []).map((key) => toIndex(collection, key.fields, { unique: true, except: key.except ?? null })),
      // A list field has a table of its own, which is its index; SQLite keeps one more for each index that begins with it.
      ...(collection.indexes ?? []).filter((fields) => !isListIndex(collection, fields)).map((fields) => toIndex(collection, fields, { unique: false, except: null })),
    ],
  };
}

/** The value of a column. Lists and JSON are kept as JSON text, which keeps their order. */
export function toColumnValue(column: Column, value: Json): string | number | boolean {
  if (column.folded) return fold(String(value));
  if (column.type === 'json' || itemType(column.type) !== undefined) return JSON.stringify(value);
  return value as string | number | boolean;
}

/** The value of a field that was never given, as its column holds it. */
export function emptyColumnValue(column: Column): string | number | boolean {
  return toColumnValue(column, EMPTY_VALUES[column.type]);
}
