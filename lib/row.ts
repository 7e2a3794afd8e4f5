import type { CollectionDescriptor } from './collection.ts';
import { fieldOf, isScalarType } from './collection-check.ts';
import { fold } from './fold.ts';
import type { Json } from './schema-dialect.ts';
import type { Scalar } from './query.ts';
import type { StoredRecord } from './store.ts';
import { toSortText } from './text-order.ts';

/** A value whose `<` is the order of every store: numbers, booleans as 0 and 1, texts by code point. */
export type SortValue = string | number;

/** A record with its sort values: the raw and the folded ones by slot. Whoever keeps a row may give it a later state of the same record. */
export interface Row {
  record: StoredRecord;
  slots: readonly SortValue[];
}

/** Where the sort values of a collection's fields stand. Slot 0 is the id, slot 1 the version. */
export interface Layout {
  readonly raw: Readonly<Record<string, number>>;
  readonly folded: Readonly<Record<string, number>>;
  /** `before`: the row of an earlier state of the record, so that texts which stay are not folded again. */
  toRow(record: StoredRecord, before?: Row): Row;
}

/** The sort value of a scalar. */
export function toSortValue(value: Json | Scalar | undefined): SortValue {
  if (typeof value === 'string') return toSortText(value);
  return typeof value === 'number' ? value : Number(value === true);
}

/** True when `a` comes before `b`; both come from the same slot. */
export function isBefore(a: SortValue, b: SortValue): boolean {
  return (a as string) < (b as string);
}

/** Lays out the slots of a collection. */
export function createLayout(collection: CollectionDescriptor): Layout {
  const raw: Record<string, number> = {};
  const folded: Record<string, number> = {};
  const sources: { readonly name: string; readonly folds: boolean }[] = [];
  for (const name of ['id', 'version', ...Object.keys(collection.fields)]) {
    const field = fieldOf(collection, name);
    if (field === undefined || !isScalarType(field.type)) continue;
    raw[name] = sources.push({ name, folds: false }) - 1;
    if (field.folded) folded[name] = sources.push({ name, folds: true }) - 1;
  }
  return {
    raw, folded,
    toRow: (record, before) => {
      const slots = sources.map(({ name, folds }, slot): SortValue => {
        const value = record[name];
        const known = before?.record[name] === value ? before?.slots[slot] : undefined;
        return known ?? toSortValue(folds ? fold(String(value)) : value);
      });
      return { record, slots };
    },
  };
}
