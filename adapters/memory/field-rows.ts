import { slotsOf } from '../../lib/query-test.ts';
import type { Layout, Row } from '../../lib/row.ts';
import { SortedRows } from './sorted-rows.ts';

/** All rows, sorted by some fields, then by id. */
export class FieldRows {
  readonly fields: readonly string[];
  readonly sorted: SortedRows;
  readonly #slots: readonly number[];

  constructor(fields: readonly string[], layout: Layout) {
    this.fields = fields;
    this.#slots = fields.flatMap((field) => slotsOf(field, layout));
    this.sorted = new SortedRows([...this.#slots, 0]);
  }

  insert(row: Row): void {
    this.sorted.insert(row);
  }

  remove(row: Row): void {
    this.sorted.remove(row);
  }

  /** True when two states of a row stand in different places. */
  differ(a: Row, b: Row): boolean {
    return this.#slots.some((slot) => a.slots[slot] !== b.slots[slot]);
  }
}
