import type { FieldType } from '../../../lib/store/collection.ts';
import type { Scalar } from '../../../lib/store/query.ts';
import type { IndexShape, ListTable, TableOptions, TableShape } from './tables.ts';

/** A value bound to a placeholder. Lists are used only where the database accepts arrays. */
export type SqlValue = string | number | boolean | readonly (string | number | boolean)[];

/** The differences between databases in the SQL that we write. Columns and names are passed quoted, parameters as placeholders. */
export interface Dialect extends TableOptions {
  /** The placeholder at this position, counted from 1: `?`, `$1`. */
  placeholder(position: number): string;
  /** The parameter for a value. */
  toParam(value: Scalar): SqlValue;
  /** All values as one parameter, so that the SQL text does not depend on their number. */
  toListParam(values: readonly Scalar[]): SqlValue;
  /** SQL that is true when the column holds one of the values. */
  inList(column: string, list: string, type: FieldType): string;
  /** SQL for the position of the column's value in the list, from 0, or NULL. */
  placeInList(column: string, list: string, type: FieldType): string;
  /** SQL that is true when the column contains the text, compared byte by byte. `text` is the placeholder of `toPart`. */
  contains(column: string, text: string): string;
  /** The parameter of `contains`. */
  toPart(text: string): SqlValue;
  /**
   * The form in which indexes hold a text column. Texts shorter than `keyLength` characters compare in this form as they
   * do themselves, whatever the column holds. Longer texts are cut to their beginning.
   */
  toKey(column: string): string;
  /** Infinity: indexes hold texts in full. */
  readonly keyLength: number;
  /** The `LIMIT` value that means all rows. */
  readonly noLimit: string;
  /** SQL that creates the table of a collection, with `id` as its key and `version`. */
  createTable(table: TableShape): string;
  /** SQL that adds one of its columns. */
  addColumn(table: TableShape, column: string): string;
  /** SQL that creates the table of a list field, with the columns `value` and `record`, and its indexes. */
  createListTable(list: ListTable): readonly string[];
  /** SQL that creates an index. */
  createIndex(index: IndexShape): string;
}

/** Quotes a name for SQL. Names come only from descriptors. */
export function quoteName(name: string): string {
  return name.includes('"') ? `"${name.replaceAll('"', '""')}"` : `"${name}"`;
}

/** Quotes a constant for DDL. Values come only from descriptors. */
export function quoteConstant(value: string | number): string {
  return typeof value === 'number' ? String(value) : `'${value.replaceAll("'", "''")}'`;
}
