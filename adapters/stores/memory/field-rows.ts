import { positionsOf } from '../../../lib/store/match.ts';
import type { SortKeys, Row } from '../../../lib/store/row.ts';
import { SortedRows } from './sorted-rows.ts';

/** All rows, sorted by the given fields, then by id. */
export class FieldRows {
  readonly fields: readonly string[];
  readonly watched: readonly string[];
  readonly sorted: SortedRows;

  constructor(fields: readonly string[], sortKeys: SortKeys) {
    this.fields = fields;
    this.watched = fields;
    this.sorted = new SortedRows([...fields.flatMap((field) => positionsOf(field, sortKeys)), 0]);
  }

  insert(row: Row): void {
    this.sorted.insert(row);
  }

  remove(row: Row): void {
    this.sorted.remove(row);
  }
}
