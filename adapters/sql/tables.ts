import { createHash } from 'node:crypto';
import type { CollectionDescriptor, FieldType } from '../../lib/store/collection.ts';
import { isListIndex } from '../../lib/store/check-collections.ts';
import { fold } from '../../lib/store/stored-text.ts';
import type { Json } from '../../lib/schema/schema-dialect.ts';
import { EMPTY_VALUES, itemType } from '../../lib/store/field-types.ts';
import { StoreError } from '../../lib/store/store.ts';

/** One column of a collection's table: a field, or the folded text of a field. */
export interface Column {
  /** As in the table. */
  readonly name: string;
  /** The field whose value or folded text it holds. */
  readonly field: string;
  /** Type of the field. */
  readonly type: FieldType;
  /** It holds the folded text. */
  readonly folded: boolean;
}

/** The table of one list field, with one row per value, for lookups: (value, record). */
export interface ListTable {
  /** As in the database. */
  readonly name: string;
  /** The list field. */
  readonly field: string;
  /** Type of an item. */
  readonly type: FieldType;
}

/** The folded texts that are searched, with one row per record, in a database that keeps them apart. */
export interface TextTable {
  /** As in the database. */
  readonly name: string;
  /** Without RECORD_ID. */
  readonly columns: readonly Column[];
}

/** The key of a table of texts: the id of the record. */
export const RECORD_ID = 'record:id';

/** One index of a collection's table. */
export interface IndexShape {
  /** As in the database. It changes with the definition. */
  readonly name: string;
  /** The table that it indexes. */
  readonly table: string;
  /** As declared. The columns also include the folded texts. */
  readonly fields: readonly string[];
  /** Its columns, in order. */
  readonly columns: readonly string[];
  /** The columns that hold texts. */
  readonly texts: readonly string[];
  /** No two rows may have the same values. */
  readonly unique: boolean;
  /** Rows with all of these values are excluded from the index. */
  readonly except: Readonly<Record<string, string | number>> | null;
}

/** The tables, columns and indexes of a collection, the same in every database. */
export interface TableShape {
  /** That of the collection. */
  readonly name: string;
  /** What the table is made of. */
  readonly collection: CollectionDescriptor;
  /** Without `id` and `version`. */
  readonly columns: readonly Column[];
  /** One for each list field. */
  readonly lists: readonly ListTable[];
  /** null: there is none, and all columns are in the table itself. */
  readonly texts: TextTable | null;
  /** Of unique keys first. */
  readonly indexes: readonly IndexShape[];
}

/** The error of a unique key that cannot be added, because records violate it. */
export function toKeyError({ table, fields }: IndexShape, cause: unknown): StoreError {
  return new StoreError('unavailable', `Collection ${table}: several records of the store have the same ${fields.join(' and ')}, which is now declared a unique key. Change these records with the previous declaration, or exempt them with \`except\`.`, { cause });
}

/** The column with the folded text of a field. Field names cannot contain a colon. */
export function foldedName(field: string): string {
  return `${field}:folded`;
}

/** The columns that a field is sorted by. A folded field is sorted by its folded text, then by the text. */
export function toSortColumns({ fields }: CollectionDescriptor, field: string): readonly string[] {
  return fields[field]?.folded ? [foldedName(field), field] : [field];
}

/** The name of the table of a collection's texts. Names of collections and fields cannot contain a hyphen. */
export function textTableName(collection: string): string {
  return `search-texts:${collection}`;
}

/** Whether the folded text of a field is only in the table of texts. A text that is indexed is in both. */
export function isMoved(collection: CollectionDescriptor, field: string): boolean {
  return collection.search?.includes(field) === true && !(collection.indexes ?? []).some((index) => !isListIndex(collection, index) && index.includes(field));
}

/** The column with the folded text of a field in the table of texts. Queries use the columns of both tables together, so they have different names. */
export function searchedName(collection: CollectionDescriptor, field: string): string {
  return isMoved(collection, field) ? foldedName(field) : `${field}:search`;
}

/** PostgreSQL silently cuts names at 63 bytes, and the names of indexes are longer than those of their table. */
const LONGEST_NAME = 56;

/** Twelve hexadecimal digits that identify a definition, for use in a name. */
export function toDigest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 12);
}

/** The name of a list field's table. */
export function listName(collection: string, field: string): string {
  const name = `${collection}:${field}`;
  return name.length <= LONGEST_NAME ? name : `${collection}:${toDigest(field)}`;
}

// Long values come last, so that a database that reads rows from the start can skip them.
const WEIGHT = (column: Column): number => (column.folded ? 3 : column.type === 'json' ? 2 : 0);

function toColumns(collection: CollectionDescriptor, { textsApart = false }: TableOptions): readonly Column[] {
  const columns = Object.entries(collection.fields).flatMap(([field, { type, folded }]): Column[] => {
    const raw: Column = { name: field, field, type, folded: false };
    return folded && !(textsApart && isMoved(collection, field)) ? [raw, { name: foldedName(field), field, type, folded: true }] : [raw];
  });
  const isLong = (column: Column): number => (collection.fields[column.field]?.folded ? 1 : 0);
  return columns.toSorted((a, b) => WEIGHT(a) - WEIGHT(b) || isLong(a) - isLong(b));
}

function toIndex(collection: CollectionDescriptor, fields: readonly string[], key: { readonly unique: boolean; readonly except: IndexShape['except'] }): IndexShape {
  // A unique key compares the text itself. An index serves an order, in which the folded text comes first.
  const toNames = (names: readonly string[]): readonly string[] => (key.unique ? names : names.flatMap((field) => toSortColumns(collection, field)));
  const columns = toNames(fields);
  const texts = toNames(fields.filter((field) => collection.fields[field]?.type === 'text'));
  // Databases limit the length of names, and an index must get a new name when its definition changes.
  return { name: `${collection.name}:${toDigest([columns, key.unique, key.except])}`, table: collection.name, fields, columns, texts, ...key };
}

function toTexts(collection: CollectionDescriptor, { textsApart = false }: TableOptions): TextTable | null {
  const { name, search } = collection;
  if (!textsApart || search === undefined) return null;
  return { name: textTableName(name), columns: search.map((field): Column => ({ name: searchedName(collection, field), field, type: 'text', folded: true })) };
}

/** The names of all tables of a collection. */
export function listTables({ name, lists, texts }: TableShape): readonly string[] {
  return [name, ...lists.map((list) => list.name), ...(texts === null ? [] : [texts.name])];
}

/** What differs between databases. */
export interface TableOptions {
  /** See Dialect. */
  readonly textsApart?: boolean;
}

/** Builds the table shape of a collection. */
export function toTable(collection: CollectionDescriptor, options: TableOptions = {}): TableShape {
  return {
    name: collection.name, collection, columns: toColumns(collection, options), texts: toTexts(collection, options),
    lists: Object.entries(collection.fields).flatMap(([field, { type }]) => {
      const item = itemType(type);
      return item === undefined ? [] : [{ name: listName(collection.name, field), field, type: item }];
    }),
    indexes: [
      ...(collection.unique ?? []).map((key) => toIndex(collection, key.fields, { unique: true, except: key.except ?? null })),
      // The table of a list field serves as its index. SQLite adds one more for each index that begins with the list field.
      ...(collection.indexes ?? []).filter((fields) => !isListIndex(collection, fields)).map((fields) => toIndex(collection, fields, { unique: false, except: null })),
    ],
  };
}

/** The column value of a field value. Lists and JSON are stored as JSON text, which preserves their order. */
export function toColumnValue(column: Column, value: Json): string | number | boolean {
  if (column.folded) return fold(String(value));
  if (column.type === 'json' || itemType(column.type) !== undefined) return JSON.stringify(value);
  return value as string | number | boolean;
}

/** The column value of a field that was never set. */
export function emptyColumnValue(column: Column): string | number | boolean {
  return toColumnValue(column, EMPTY_VALUES[column.type]);
}
