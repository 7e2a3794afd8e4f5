import {
  type SortValue,
  toSortValue,
  fieldOf,
  isScalarType,
  type CollectionDescriptor,
} from './collection.ts';
import type { StoredRecord } from './store.ts';
import { fold } from './stored-text.ts';

/** A record with its raw and folded sort values by position. The owner of a row may update it to a later state of the same record. */
export interface Row {
  /** The record as it is stored. */
  record: StoredRecord;
  /** By position, see SortKeys. */
  sortValues: readonly SortValue[];
}

/** The positions of a collection's sort values. Position 0 is the id, position 1 the version. */
export interface SortKeys {
  /** Positions of values, by field. */
  readonly raw: Readonly<Record<string, number>>;
  /** Positions of folded texts, by field. */
  readonly folded: Readonly<Record<string, number>>;
  /** The row of a record. */
  toRow(record: StoredRecord): Row;
  /** The sort values of a later state of the record, in which only the `changed` fields differ. Unchanged texts are not folded again. */
  toLaterSortValues(row: Row, record: StoredRecord, changed: readonly string[]): readonly SortValue[];
}

/** The source of the value at a position. */
interface Source {
  readonly name: string;
  readonly folds: boolean;
}

/** Whether `a` comes before `b`. Both must come from the same position. */
export function isBefore(a: SortValue, b: SortValue): boolean {
  return (a as string) < (b as string);
}

function readSortValue(record: StoredRecord, { name, folds }: Source): SortValue {
  const value = record[name];
  return toSortValue(folds ? fold(String(value)) : value);
}

/** Assigns a position to each scalar field of a collection, and a second one to each folded field. */
export function createSortKeys(collection: CollectionDescriptor): SortKeys {
  const raw: Record<string, number> = {};
  const folded: Record<string, number> = {};
  const sources: Source[] = [];
  for (const name of ['id', 'version', ...Object.keys(collection.fields)]) {
    const field = fieldOf(collection, name);
    if (field === undefined || !isScalarType(field.type)) continue;
    raw[name] = sources.push({ name, folds: false }) - 1;
    if (field.folded) folded[name] = sources.push({ name, folds: true }) - 1;
  }
  return {
    raw,
    folded,
    toRow: (record) => ({ record, sortValues: sources.map((source) => readSortValue(record, source)) }),
    toLaterSortValues: (row, record, changed) =>
      row.sortValues.map((value, at) => {
        const source = sources[at] as Source;
        return changed.includes(source.name) ? readSortValue(record, source) : value;
      }),
  };
}
