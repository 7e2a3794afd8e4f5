import type { CollectionDescriptor, UniqueKey } from '../../lib/collection.ts';
import { Counts } from '../../lib/counts.ts';
import { slotsOf } from '../../lib/query-test.ts';
import { createLayout, toSortValue, type Layout, type Row } from '../../lib/row.ts';
import { Postings } from './postings.ts';
import { SortedRows } from './sorted-rows.ts';

/** Rows sorted by some fields, then by id. */
export interface FieldIndex {
  readonly fields: readonly string[];
  readonly rows: SortedRows;
}

/** The rows of one collection with everything that finds them fast. */
export class CollectionRows {
  readonly collection: CollectionDescriptor;
  readonly layout: Layout;
  readonly indexes: readonly FieldIndex[];
  readonly postings: Postings;
  readonly counts: Counts;
  readonly #unique: readonly { readonly key: UniqueKey; readonly slots: readonly number[]; readonly rows: SortedRows }[];
  readonly #byId = new Map<number, Row>();
  lastId = 0;
  revision = 0;

  constructor(collection: CollectionDescriptor) {
    this.collection = collection;
    this.layout = createLayout(collection);
    this.postings = new Postings(collection);
    this.counts = new Counts(this.layout);
    const slotsOfAll = (fields: readonly string[]): readonly number[] => fields.flatMap((field) => slotsOf(field, this.layout));
    const toIndex = (fields: readonly string[]): FieldIndex => ({ fields, rows: new SortedRows([...slotsOfAll(fields), 0]) });
    this.#unique = (collection.unique ?? []).map((key) => ({ key, slots: slotsOfAll(key.fields), rows: toIndex(key.fields).rows }));
    this.indexes = [...this.#unique.map(({ key, rows }) => ({ fields: key.fields, rows })), { fields: ['id'], rows: new SortedRows([0]) }, ...(collection.indexes ?? []).map(toIndex)];
  }

  get size(): number {
    return this.#byId.size;
  }

  get(id: number): Row | undefined {
    return this.#byId.get(id);
  }

  /** The fields of the first unique key that the row shares with another one; undefined when all are free. */
  findTaken(row: Row): readonly string[] | undefined {
    for (const { key, slots, rows } of this.#unique) {
      const except = Object.entries(key.except ?? {});
      if (except.length > 0 && except.every(([field, value]) => row.slots[this.layout.raw[field] ?? 0] === toSortValue(value))) continue;
      const prefix = slots.map((slot) => row.slots[slot] ?? 0);
      // The key holds for all others, so at most one row has these values: this one as it was, or the one in its way.
      const found = rows.first(prefix);
      if (found !== undefined && found.record.id !== row.record.id) return key.fields;
    }
    return undefined;
  }

  insert(row: Row): void {
    this.#byId.set(row.record.id, row);
    for (const { rows } of this.indexes) rows.insert(row);
    this.postings.insert(row);
    this.counts.change(row, 1);
  }

  remove(row: Row): void {
    this.#byId.delete(row.record.id);
    for (const { rows } of this.indexes) rows.remove(row);
    this.postings.remove(row);
    this.counts.change(row, -1);
  }
}
