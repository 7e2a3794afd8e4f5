import type { CollectionDescriptor } from '../../lib/collection.ts';
import { isListIndex } from '../../lib/collection-check.ts';
import { Counts } from '../../lib/counts.ts';
import { createLayout, type Layout, type Row } from '../../lib/row.ts';
import { itemType } from '../../lib/value-check.ts';
import { FieldRows } from './field-rows.ts';
import { ListRows } from './list-rows.ts';
import { UniqueRows } from './unique-rows.ts';

/** What keeps rows in places of its own. `differ`: two states of a row have different ones. */
interface Places {
  insert(row: Row): void;
  remove(row: Row): void;
  differ(a: Row, b: Row): boolean;
}

/** One index for each that begins with a list field, and for each list field without any. */
function listLists(collection: CollectionDescriptor): readonly (readonly string[])[] {
  const { fields, indexes = [] } = collection;
  const declared = indexes.filter((index) => isListIndex(collection, index));
  const others = Object.entries(fields).filter(([name, { type }]) => itemType(type) !== undefined && !declared.some(([first]) => first === name));
  return [...declared, ...others.map(([name]) => [name])];
}

/** The rows of one collection with everything that finds them fast. */
export class CollectionRows {
  readonly collection: CollectionDescriptor;
  readonly layout: Layout;
  readonly keys: readonly UniqueRows[];
  /** Those of the unique keys, the one of the ids, those of the descriptor. */
  readonly indexes: readonly FieldRows[];
  readonly lists: readonly ListRows[];
  readonly counts: Counts;
  readonly #byId = new Map<number, Row>();
  readonly #places: readonly Places[];
  lastId = 0;
  revision = 0;

  constructor(collection: CollectionDescriptor) {
    const { unique = [], indexes = [] } = collection;
    this.collection = collection;
    this.layout = createLayout(collection);
    this.counts = new Counts(this.layout);
    this.keys = unique.map((key) => new UniqueRows(key, this.layout));
    const plain = indexes.filter((fields) => !isListIndex(collection, fields));
    this.indexes = [...unique.map(({ fields }) => fields), ['id'], ...plain].map((fields) => new FieldRows(fields, this.layout));
    this.lists = listLists(collection).map((fields) => new ListRows(fields, this.layout));
    this.#places = [...this.keys, ...this.indexes, ...this.lists];
  }

  get size(): number {
    return this.#byId.size;
  }

  get(id: number): Row | undefined {
    return this.#byId.get(id);
  }

  /** The fields of the first unique key that a row would share with another one; undefined when all are free. `own`: the row as it is now. */
  findTaken(row: Row, own: Row | null): readonly string[] | undefined {
    return this.keys.find((key) => (key.find(row) ?? own) !== own)?.fields;
  }

  insert(row: Row): void {
    this.#byId.set(row.record.id, row);
    for (const each of this.#places) each.insert(row);
    this.counts.change(row, 1);
  }

  remove(row: Row): void {
    this.#byId.delete(row.record.id);
    for (const each of this.#places) each.remove(row);
    this.counts.change(row, -1);
  }

  /** Gives a row another state. It stays where both have the same place: in most indexes, in most updates. */
  replace(row: Row, next: Row): void {
    const moved = this.#places.filter((each) => each.differ(row, next));
    for (const each of moved) each.remove(row);
    this.counts.change(row, -1);
    row.record = next.record;
    row.slots = next.slots;
    this.counts.change(row, 1);
    for (const each of moved) each.insert(row);
  }
}
