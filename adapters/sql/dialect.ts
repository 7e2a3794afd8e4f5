import type { FieldType } from '../../lib/store/collection.ts';
import type { Scalar } from '../../lib/store/query.ts';
import type { IndexShape, ListTable, TableShape } from './tables.ts';

/** What is bound to a placeholder. Lists only where the database takes arrays. */
export type SqlValue = string | number | boolean | readonly (string | number | boolean)[];

/** What differs between databases in the SQL that we write. Columns and names come quoted, parameters as placeholders. */
export interface Dialect {
  /** The placeholder at this position, counted from 1: `?`, `$1`. */
  placeholder(position: number): string;
  toParam(value: Scalar): SqlValue;
  /** All values as one parameter, so that the SQL text does not depend on how many there are. */
  toListParam(values: readonly Scalar[]): SqlValue;
  /** True when the column holds one of the values. */
  inList(column: string, list: string, type: FieldType): string;
  /** The place of the column's value in the list from 0, or NULL. */
  placeInList(column: string, list: string, type: FieldType): string;
  /** True when the text is a part of the column, byte by byte. */
  contains(column: string, text: string): string;
  /**
   * The form in which indexes hold a text column. Texts of fewer than `keyLength` characters compare in this form as
   * they do themselves, with whatever a column holds; of longer ones it is the beginning.
   */
  toKey(column: string): string;
  readonly keyLength: number;
  /** `LIMIT` value that means all rows. */
  readonly noLimit: string;
  createTable(table: TableShape): string;
  addColumn(table: TableShape, column: string): string;
  createListTable(list: ListTable): readonly string[];
  createIndex(index: IndexShape): string;
}

/** A name as SQL writes it. Names come from descriptors only. */
export function quoteName(name: string): string {
  return name.includes('"') ? `"${name.replaceAll('"', '""')}"` : `"${name}"`;
}

/** A constant as SQL writes it, for DDL. Values come from descriptors only. */
export function quoteConstant(value: string | number): string {
  return typeof value === 'number' ? String(value) : `'${value.replaceAll("'", "''")}'`;
}
