import {
  type ChangeRow,
  fromChangeRow,
  isLogged,
  type RecordChange,
  toChangeRow,
} from '../../../lib/store/change-rows.ts';
import type { Change, ChangeSource } from '../../../lib/store/change.ts';
import { emptyRecordOf } from '../../../lib/store/check-operations.ts';
import {
  isListIndex,
  type CollectionDescriptor,
  itemType,
  type UniqueKey,
  type SortValue,
  toSortValue,
} from '../../../lib/store/collection.ts';
import { CountCache } from '../../../lib/store/count-cache.ts';
import { countFixed, type FixedValues, listCombinations } from '../../../lib/store/query-plan.ts';
import type { Scalar } from '../../../lib/store/query.ts';
import { createSortKeys, type Row, type SortKeys } from '../../../lib/store/row.ts';
import { type StoredRecord, StoreError } from '../../../lib/store/store.ts';
import { FieldRows, ListRows } from './sorted-rows.ts';
import { TextRows } from './text-rows.ts';

/** Joins the values of all fields into one key. Stored texts cannot contain NUL, so different values give different keys. */
function join(values: readonly SortValue[]): SortValue {
  const [only] = values;
  return values.length === 1 && only !== undefined ? only : values.join('\0');
}

/** The rows of one unique key, by their values. Rows that the key exempts are not included. */
export class UniqueRows {
  readonly fields: readonly string[];
  readonly watched: readonly string[];
  readonly #positions: readonly number[];
  readonly #except: readonly (readonly [field: string, value: Scalar, position: number])[];
  readonly #rows = new Map<SortValue, Row>();

  constructor({ fields, except }: UniqueKey, sortKeys: SortKeys) {
    const positionOf = (field: string): number => sortKeys.raw[field] ?? 0;
    this.fields = fields;
    this.watched = [...new Set([...fields, ...Object.keys(except ?? {})])];
    this.#positions = fields.map(positionOf);
    this.#except = Object.entries(except ?? {}).map(([field, value]) => [field, value, positionOf(field)]);
  }

  /** The row with the same values as this one; undefined when there is none, or when the key exempts this row. */
  find(row: Row): Row | undefined {
    return this.#isFree(row) ? undefined : this.#rows.get(this.#keyOf(row));
  }

  /** The rows that a query names by their key values, whether or not they match all of it. Null when the query does not name them, or when it may include exempt rows. */
  list(fixed: FixedValues, most: number): readonly Row[] | null {
    if (countFixed(this.fields, fixed, most) < this.fields.length || this.#includesFree(fixed)) return null;
    return listCombinations(this.fields, fixed)
      .map((values) => this.#rows.get(join(values.map(toSortValue))))
      .filter((row) => row !== undefined);
  }

  insert(row: Row): void {
    if (!this.#isFree(row)) this.#rows.set(this.#keyOf(row), row);
  }

  remove(row: Row): void {
    if (!this.#isFree(row)) this.#rows.delete(this.#keyOf(row));
  }

  #keyOf(row: Row): SortValue {
    return join(this.#positions.map((position) => row.sortValues[position] ?? 0));
  }

  #isFree(row: Row): boolean {
    return (
      this.#except.length > 0 &&
      this.#except.every(([, value, position]) => row.sortValues[position] === toSortValue(value))
    );
  }

  #includesFree(fixed: FixedValues): boolean {
    return (
      this.#except.length > 0 &&
      this.#except.every(([field, value]) => fixed.get(field)?.includes(value) ?? true)
    );
  }
}

/** The log of one collection. Its revisions have no gaps, so that the place of each is known. */
export class ChangeRows {
  #rows: ChangeRow[] = [];
  /** The revision after which the log begins. */
  start = 0;

  add(row: ChangeRow): void {
    this.#rows.push(row);
  }

  after(revision: number, limit: number): readonly Change[] {
    const first = Math.max(0, revision - this.start);
    return this.#rows.slice(first, first + limit).map(fromChangeRow);
  }

  forget(through: number): void {
    const gone = Math.min(Math.max(0, through - this.start), this.#rows.length);
    this.#rows = this.#rows.slice(gone);
    this.start += gone;
  }
}

/** An index that places rows. `watched`: the fields that decide where a row is placed. */
interface Places {
  readonly watched: readonly string[];
  insert(row: Row): void;
  remove(row: Row): void;
}

/** The declared indexes that begin with a list field, and one for each list field that has none. */
function listLists(collection: CollectionDescriptor): readonly (readonly string[])[] {
  const { fields, indexes = [] } = collection;
  const declared = indexes.filter((index) => isListIndex(collection, index));
  const others = Object.entries(fields).filter(
    ([name, { type }]) => itemType(type) !== undefined && !declared.some(([first]) => first === name),
  );
  return [...declared, ...others.map(([name]) => [name])];
}

/** The rows of one collection, with all indexes on them. */
export class CollectionRows {
  readonly collection: CollectionDescriptor;
  readonly sortKeys: SortKeys;
  /** New records are copies of this one, as later states are copies of earlier ones. All records then share one hidden class, and the code that reads them is compiled for it. */
  readonly empty: StoredRecord;
  readonly keys: readonly UniqueRows[];
  /** The indexes of the unique keys, of the ids and of the descriptor, in this order. */
  readonly indexes: readonly FieldRows[];
  readonly lists: readonly ListRows[];
  /** Null: no text of the collection is searched by index. */
  readonly texts: TextRows | null;
  readonly counts: CountCache;
  readonly #byId = new Map<number, Row>();
  readonly #places: readonly Places[];
  readonly #placesByField = new Map<string, readonly Places[]>();
  /** The log, if the collection has one. */
  readonly changes = new ChangeRows();
  lastId = 0;
  revision = 0;

  constructor(collection: CollectionDescriptor) {
    const { unique = [], indexes = [], search } = collection;
    this.collection = collection;
    this.sortKeys = createSortKeys(collection);
    this.empty = Object.freeze({ id: 0, version: 1, ...emptyRecordOf(collection) });
    this.counts = new CountCache(this.sortKeys);
    this.keys = unique.map((key) => new UniqueRows(key, this.sortKeys));
    const plain = indexes.filter((fields) => !isListIndex(collection, fields));
    this.indexes = [...unique.map(({ fields }) => fields), ['id'], ...plain].map(
      (fields) => new FieldRows(fields, this.sortKeys),
    );
    this.lists = listLists(collection).map((fields) => new ListRows(fields, this.sortKeys));
    this.texts = search === undefined ? null : new TextRows(search, this.sortKeys);
    this.#places = [
      ...this.keys,
      ...this.indexes,
      ...this.lists,
      ...(this.texts === null ? [] : [this.texts]),
    ];
    for (const each of this.#places)
      for (const field of each.watched)
        this.#placesByField.set(field, [...(this.#placesByField.get(field) ?? []), each]);
  }

  /** Counts the changes of a commit, and logs them. */
  count(changes: readonly RecordChange[], source: ChangeSource): void {
    if (!isLogged(this.collection)) {
      this.revision += 1;
      return;
    }
    const at = Date.now();
    for (const change of changes) {
      this.revision += 1;
      this.changes.add(toChangeRow(this.collection, change, { revision: this.revision, source, at }));
    }
  }

  get size(): number {
    return this.#byId.size;
  }

  /** The records as they are now, by id. They are shared, not copied. */
  list(): readonly StoredRecord[] {
    return [...this.#byId.values()].map(({ record }) => record).sort((one, other) => one.id - other.id);
  }

  get(id: number): Row | undefined {
    return this.#byId.get(id);
  }

  /** @throws StoreError `unique`, before anything changes */
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
   * Gives a row a new state of its record, in which only the `written` fields may differ. The row is moved only in indexes
   * that depend on a changed field; most updates leave it in place in most indexes.
   * @throws StoreError `unique`, before anything changes
   */
  replace(row: Row, record: StoredRecord, written: readonly string[]): void {
    const changed = written.filter((field) => record[field] !== row.record[field]);
    const sortValues = this.sortKeys.toLaterSortValues(row, record, changed);
    const moved = this.#placesOf(changed);
    this.#refuseTaken(
      this.keys.filter((key) => moved.has(key)),
      { record, sortValues },
      row,
    );
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

  /** `own`: the row that may already have these key values. */
  #refuseTaken(keys: readonly UniqueRows[], state: Row, own: Row | undefined): void {
    for (const key of keys) {
      const { fields } = key;
      if ((key.find(state) ?? own) !== own)
        throw new StoreError(
          'unique',
          `Another record of ${this.collection.name} has the same ${fields.join(', ')}.`,
          { fields },
        );
    }
  }
}
