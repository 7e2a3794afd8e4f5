import type { CollectionDescriptor } from '../../lib/collection.ts';
import type { Predicate, Scalar } from '../../lib/query.ts';
import type { Row } from '../../lib/row.ts';
import type { Json } from '../../lib/schema-dialect.ts';
import type { StoredRecord } from '../../lib/store.ts';
import { itemType } from '../../lib/value-check.ts';

type Rows = ReadonlySet<Row>;

const NO_ROWS: Rows = new Set();

function add(rows: Map<Scalar, Set<Row>>, row: Row, values: Json | undefined): void {
  for (const value of values as readonly Scalar[]) {
    const known = rows.get(value);
    if (known === undefined) rows.set(value, new Set([row]));
    else known.add(row);
  }
}

function take(rows: Map<Scalar, Set<Row>>, row: Row, values: Json | undefined): void {
  for (const value of values as readonly Scalar[]) {
    const known = rows.get(value);
    known?.delete(row);
    if (known?.size === 0) rows.delete(value);
  }
}

/** For every list field: value -> the rows that hold it. */
export class Postings {
  readonly #fields: readonly (readonly [name: string, rows: Map<Scalar, Set<Row>>])[];

  constructor(collection: CollectionDescriptor) {
    this.#fields = Object.entries(collection.fields).filter(([, field]) => itemType(field.type) !== undefined).map(([name]) => [name, new Map()]);
  }

  insert(row: Row): void {
    for (const [name, rows] of this.#fields) add(rows, row, row.record[name]);
  }

  remove(row: Row): void {
    for (const [name, rows] of this.#fields) take(rows, row, row.record[name]);
  }

  /** Moves the row to where its next record is found. */
  replace(row: Row, next: StoredRecord): void {
    for (const [name, rows] of this.#fields) {
      // The list of a record that is made of another one is the same object unless it was written.
      if (row.record[name] === next[name]) continue;
      take(rows, row, row.record[name]);
      add(rows, row, next[name]);
    }
  }

  /** Sets of rows that together hold every match; null when the predicate does not ask for list values. */
  find(where: Predicate): readonly Rows[] | null {
    if (where.op === 'and') {
      const found = where.of.map((each) => this.find(each)).filter((each) => each !== null);
      return found.toSorted((a, b) => countRows(a) - countRows(b))[0] ?? null;
    }
    if (where.op !== 'hasAny' && where.op !== 'hasAll') return null;
    const rows = this.#fields.find(([name]) => name === where.field)?.[1];
    const sets = where.values.map((value): Rows => rows?.get(value) ?? NO_ROWS);
    if (where.op === 'hasAny') return sets;
    const [smallest] = sets.toSorted((a, b) => a.size - b.size);
    return smallest === undefined ? null : [smallest];
  }
}

/** How many rows there are to look at. */
export function countRows(sets: readonly Rows[]): number {
  return sets.reduce((sum, set) => sum + set.size, 0);
}
