import type { UniqueKey } from '../../../lib/store/collection.ts';
import { countFixed, listCombinations, type FixedValues } from '../../../lib/store/query-plan.ts';
import type { Scalar } from '../../../lib/store/query.ts';
import { toSortValue, type SortKeys, type Row, type SortValue } from '../../../lib/store/row.ts';

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
