import type { CollectionDescriptor, UniqueKey } from '../../lib/collection.ts';
import { Counts } from '../../lib/counts.ts';
import { slotsOf } from '../../lib/query-test.ts';
import { createLayout, toSortValue, type Layout, type Row } from '../../lib/row.ts';
import { Postings } from './postings.ts';
import { SortedRows } from './sorted-rows.ts';

/** Rows sorted by some fields, then by id. */
export interface FieldIndex {
  readonly fields: readonly string[];
  readonly slots: readonly number[];
  readonly rows: SortedRows;
}

/** The index of a unique key. */
export interface KeyIndex extends FieldIndex {
  readonly except: UniqueKey['except'];
}

/** True when two states of a row differ in one of the slots. */
function differ(slots: readonly number[], a: Row, b: Row): boolean {
  for (const slot of slots) if (a.slots[slot] !== b.slots[slot]) return true;
  return false;
}

/** The rows of one collection with everything that finds them fast. */
export class CollectionRows {
  readonly collection: CollectionDescriptor;
  readonly layout: Layout;
  readonly keys: readonly KeyIndex[];
  /** Those of the keys, the one of the ids, those of the descriptor. */
  readonly indexes: readonly FieldIndex[];
  readonly postings: Postings;
  readonly counts: Counts;
  readonly #byId = new Map<number, Row>();
  lastId = 0;
  revision = 0;

  constructor(collection: CollectionDescriptor) {
    this.collection = collection;
    this.layout = createLayout(collection);
    this.postings = new Postings(collection);
    this.counts = new Counts(this.layout);
    const toIndex = (fields: readonly string[], except?: UniqueKey['except']): KeyIndex => {
      const slots = fields.flatMap((field) => slotsOf(field, this.layout));
      return { fields, slots, rows: new SortedRows([...slots, 0]), except };
    };
    this.keys = (collection.unique ?? []).map(({ fields, except }) => toIndex(fields, except));
    this.indexes = [...this.keys, toIndex(['id']), ...(collection.indexes ?? []).map((fields) => toIndex(fields))];
  }

  get size(): number {
    return this.#byId.size;
  }

  get(id: number): Row | undefined {
    return this.#byId.get(id);
  }

  /** The fields of the first unique key that a row would share with another one; undefined when all are free. `own`: the row as it is now. */
  findTaken(row: Row, own: Row | null): readonly string[] | undefined {
    for (const { fields, slots, rows, except } of this.keys) {
      if ((own !== null && !differ(slots, own, row)) || this.#isFree(row, except)) continue;
      // The key holds for all others, so at most one row has these values: this one as it was, or the one in its way.
      const found = rows.first(slots.map((slot) => row.slots[slot] ?? 0));
      if (found !== undefined && found !== own) return fields;
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

  /** Gives a row another state. It stays where it is in every index whose fields are the same in both: most of them, in most updates. */
  replace(row: Row, next: Row): void {
    const moved = this.indexes.filter(({ slots }) => differ(slots, row, next));
    for (const { rows } of moved) rows.remove(row);
    this.counts.change(row, -1);
    this.postings.replace(row, next.record);
    row.record = next.record;
    row.slots = next.slots;
    this.counts.change(row, 1);
    for (const { rows } of moved) rows.insert(row);
  }

  #isFree(row: Row, except: UniqueKey['except']): boolean {
    if (except === undefined) return false;
    return Object.entries(except).every(([field, value]) => row.slots[this.layout.raw[field] ?? 0] === toSortValue(value));
  }
}
