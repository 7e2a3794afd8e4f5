import type { CollectionDescriptor } from '../../lib/store/collection.ts';
import { isListIndex } from '../../lib/store/check-collections.ts';
import { CountCache } from '../../lib/store/count-cache.ts';
import { emptyRecordOf } from '../../lib/store/check-operations.ts';
import { createSortKeys, type SortKeys, type Row } from '../../lib/store/row.ts';
import { StoreError, type StoredRecord } from '../../lib/store/store.ts';
import { itemType } from '../../lib/store/field-types.ts';
import { FieldRows } from './field-rows.ts';
import { ListRows } from './list-rows.ts';
import { UniqueRows } from './unique-rows.ts';

/** What keeps rows in places of its own. `watched`: the fields that decide where a row stands. */
interface Places {
  readonly watched: readonly string[];
  insert(row: Row): void;
  remove(row: Row): void;
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
  readonly sortKeys: SortKeys;
  /** New records are made of this one as later states are made of earlier ones: then all have one layout in the engine, and whatever reads them is compiled for it. */
  readonly empty: StoredRecord;
  readonly keys: readonly UniqueRows[];
  /** Those of the unique keys, the one of the ids, those of the descriptor. */
  readonly indexes: readonly FieldRows[];
  readonly lists: readonly ListRows[];
  readonly counts: CountCache;
  readonly #byId = new Map<number, Row>();
  readonly #places: readonly Places[];
  readonly #placesByField = new Map<string, readonly Places[]>();
  lastId = 0;
  revision = 0;

  constructor(collection: CollectionDescriptor) {
    const { unique = [], indexes = [] } = collection;
    this.collection = collection;
    this.sortKeys = createSortKeys(collection);
    this.empty = Object.freeze({ id: 0, version: 1, ...emptyRecordOf(collection) });
    this.counts = new CountCache(this.sortKeys);
    this.keys = unique.map((key) => new UniqueRows(key, this.sortKeys));
    const plain = indexes.filter((fields) => !isListIndex(collection, fields));
    this.indexes = [...unique.map(({ fields }) => fields), ['id'], ...plain].map((fields) => new FieldRows(fields, this.sortKeys));
    this.lists = listLists(collection).map((fields) => new ListRows(fields, this.sortKeys));
    this.#places = [...this.keys, ...this.indexes, ...this.lists];
    for (const each of this.#places) for (const field of each.watched) this.#placesByField.set(field, [...this.#placesByField.get(field) ?? [], each]);
  }

  get size(): number {
    return this.#byId.size;
  }

  get(id: number): Row | undefined {
    return this.#byId.get(id);
  }

  /** @throws StoreError `unique`, before anything has changed */
  insert(row: Row): void {
    this.#refuseTaken(this.keys, row, undefined);
    this.#byId.set(row.record.id, row);
    for (const each of this.#places) each.insert(row);
    this.counts.change(row, 1);
  }

  remove(row: Row): void {
    this.#byId.delete(row.record.id);
    for (const each of this.#places) each.remove(row);
    this.counts.change(row, -1);
  }

  /**
   * Gives a row another state of its record, in which only the `written` fields can be other ones. It stays where no
   * field has changed that decides about its place: in most indexes, in most updates.
   * @throws StoreError `unique`, before anything has changed
   */
  replace(row: Row, record: StoredRecord, written: readonly string[]): void {
    const changed = written.filter((field) => record[field] !== row.record[field]);
    const sortValues = this.sortKeys.toLaterSortValues(row, record, changed);
    const moved = this.#placesOf(changed);
    this.#refuseTaken(this.keys.filter((key) => moved.has(key)), { record, sortValues }, row);
    for (const each of moved) each.remove(row);
    this.counts.change(row, -1);
    row.record = record;
    row.sortValues = sortValues;
    this.counts.change(row, 1);
    for (const each of moved) each.insert(row);
  }

  #placesOf(fields: readonly string[]): ReadonlySet<Places> {
    const places = new Set<Places>();
    for (const field of fields) for (const each of this.#placesByField.get(field) ?? []) places.add(each);
    return places;
  }

  /** `own`: the row that may have the values of the keys already. */
  #refuseTaken(keys: readonly UniqueRows[], state: Row, own: Row | undefined): void {
    for (const key of keys) {
      const { fields } = key;
      if ((key.find(state) ?? own) !== own) throw new StoreError('unique', `Another record of ${this.collection.name} has the same ${fields.join(', ')}.`, { fields });
    }
  }
}
