import { slotsOf } from '../../lib/store/match.ts';
import type { Layout, Row } from '../../lib/store/row.ts';
import { SortedRows } from './sorted-rows.ts';

/** All rows, sorted by some fields, then by id. */
export class FieldRows {
  readonly fields: readonly string[];
  readonly watched: readonly string[];
  readonly sorted: SortedRows;

  constructor(fields: readonly string[], layout: Layout) {
    this.fields = fields;
    this.watched = fields;
    this.sorted = new SortedRows([...fields.flatMap((field) => slotsOf(field, layout)), 0]);
  }

  insert(row: Row): void {
    this.sorted.insert(row);
  }

  remove(row: Row): void {
    this.sorted.remove(row);
  }
}
