import type { Json } from '../../../lib/schema/schema-dialect.ts';
import {
  isListIndex,
  type CollectionDescriptor,
  EMPTY_VALUES,
  type FieldType,
  itemType,
} from '../../../lib/store/collection.ts';
import { StoreError } from '../../../lib/store/store.ts';
import { fold } from '../../../lib/store/stored-text.ts';
import {
  foldedName,
  isMoved,
  listName,
  searchedName,
  textTableName,
  toDigest,
  toSortColumns,
} from './names.ts';

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
  /** The columns that hold texts, except those that are indexed as they are. */
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
  return new StoreError(
    'unavailable',
    `Collection ${table}: several records of the store have the same ${fields.join(' and ')}, which is now declared a unique key. Change these records with the previous declaration, or exempt them with \`except\`.`,
    { cause },
  );
}

// Long values come last, so that a database that reads rows from the start can skip them.
const WEIGHT = (column: Column): number => (column.folded ? 3 : column.type === 'json' ? 2 : 0);

function toColumns(
  collection: CollectionDescriptor,
  { textsApart = false }: TableOptions,
): readonly Column[] {
  const columns = Object.entries(collection.fields).flatMap(([field, { type, folded }]): Column[] => {
    const raw: Column = { name: field, field, type, folded: false };
    return folded && !(textsApart && isMoved(collection, field))
      ? [raw, { name: foldedName(field), field, type, folded: true }]
      : [raw];
  });
  const isLong = (column: Column): number => (collection.fields[column.field]?.folded ? 1 : 0);
  return columns.toSorted((a, b) => WEIGHT(a) - WEIGHT(b) || isLong(a) - isLong(b));
}

/** Whether indexes hold the text of a field as it is, although they hold only the beginning of others. A folded text may be longer than the text. */
export function isPlainKey(
  { fields }: CollectionDescriptor,
  field: string,
  { plainLength = 0 }: TableOptions,
): boolean {
  const { folded, maxLength = Infinity } = fields[field] ?? {};
  return folded !== true && maxLength <= plainLength;
}

interface IndexKey {
  readonly unique: boolean;
  readonly except: IndexShape['except'];
}

function toIndex(
  collection: CollectionDescriptor,
  { fields, ...key }: IndexKey & { readonly fields: readonly string[] },
  options: TableOptions,
): IndexShape {
  // A unique key compares the text itself. An index serves an order, in which the folded text comes first.
  const toNames = (names: readonly string[]): readonly string[] =>
    key.unique ? names : names.flatMap((field) => toSortColumns(collection, field));
  const isText = (field: string): boolean => collection.fields[field]?.type === 'text';
  const plain = fields.filter((field) => isText(field) && isPlainKey(collection, field, options));
  const texts = toNames(fields.filter(isText)).filter((column) => !plain.includes(column));
  // An index that ends with such a text also holds the id, which ends every order: it alone then gives a page of ids. Others do not: an index by a number that many records share would be ten times as large.
  const hasId = !key.unique && texts.length === 0 && plain.includes(fields.at(-1) ?? '');
  const columns = [...toNames(fields), ...(hasId ? ['id'] : [])];
  // Databases limit the length of names, and an index must get a new name when its definition changes.
  return {
    name: `${collection.name}:${toDigest([columns, key.unique, key.except, ...(plain.length === 0 ? [] : [plain])])}`,
    table: collection.name,
    fields,
    columns,
    texts,
    ...key,
  };
}

function toTexts(collection: CollectionDescriptor, { textsApart = false }: TableOptions): TextTable | null {
  const { name, search } = collection;
  if (!textsApart || search === undefined) return null;
  return {
    name: textTableName(name),
    columns: search.map((field): Column => ({
      name: searchedName(collection, field),
      field,
      type: 'text',
      folded: true,
    })),
  };
}

/** The names of all tables of a collection. */
export function listTables({ name, lists, texts }: TableShape): readonly string[] {
  return [name, ...lists.map((list) => list.name), ...(texts === null ? [] : [texts.name])];
}

/** What differs between the tables of databases. */
export interface TableOptions {
  /** Fields with at most this `maxLength` are indexed as they are, without `toKey`: `texts` of IndexShape leaves them out. Default: 0. */
  readonly plainLength?: number;
  /** The folded texts that are searched are in a table of their own (`texts` of TableShape), which the store writes with the record. Default: false. */
  readonly textsApart?: boolean;
}

/** Builds the table shape of a collection. */
export function toTable(collection: CollectionDescriptor, options: TableOptions = {}): TableShape {
  return {
    name: collection.name,
    collection,
    columns: toColumns(collection, options),
    texts: toTexts(collection, options),
    lists: Object.entries(collection.fields).flatMap(([field, { type }]) => {
      const item = itemType(type);
      return item === undefined ? [] : [{ name: listName(collection.name, field), field, type: item }];
    }),
    indexes: [
      ...(collection.unique ?? []).map((key) =>
        toIndex(collection, { fields: key.fields, unique: true, except: key.except ?? null }, options),
      ),
      // The table of a list field serves as its index. SQLite adds one more for each index that begins with the list field.
      ...(collection.indexes ?? [])
        .filter((fields) => !isListIndex(collection, fields))
        .map((fields) => toIndex(collection, { fields, unique: false, except: null }, options)),
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
