import { positionsOf } from '../../../lib/store/match.ts';
import type { Predicate, Scalar } from '../../../lib/store/query.ts';
import type { SortKeys, Row } from '../../../lib/store/row.ts';
import { SortedRows } from './sorted-rows.ts';

const NO_ROWS = new SortedRows([0]);

/** For each item of one list field, the rows that contain it, sorted by other fields, then by id. */
export class ListRows {
  /** The list field. */
  readonly field: string;
  readonly sortedBy: readonly string[];
  readonly watched: readonly string[];
  readonly #positions: readonly number[];
  readonly #rows = new Map<Scalar, SortedRows>();

  constructor(fields: readonly string[], sortKeys: SortKeys) {
    const [field = '', ...sortedBy] = fields;
    this.watched = fields;
    this.field = field;
    this.sortedBy = sortedBy;
    this.#positions = sortedBy.flatMap((name) => positionsOf(name, sortKeys));
  }

  get(item: Scalar): SortedRows {
    return this.#rows.get(item) ?? NO_ROWS;
  }

  insert(row: Row): void {
    for (const item of this.#itemsOf(row)) {
      const known = this.#rows.get(item) ?? new SortedRows([...this.#positions, 0]);
      known.insert(row);
      this.#rows.set(item, known);
    }
  }

  remove(row: Row): void {
    for (const item of this.#itemsOf(row)) {
      const known = this.get(item);
      known.remove(row);
      if (known.size === 0) this.#rows.delete(item);
    }
  }

  /** The items with the fewest rows of which every match must contain at least one. Null when the predicate does not ask for items. */
  findItems(where: Predicate): readonly Scalar[] | null {
    if (where.op === 'and')
      return this.#fewest(where.of.map((each) => this.findItems(each)).filter((each) => each !== null));
    if ((where.op !== 'hasAny' && where.op !== 'hasAll') || where.field !== this.field) return null;
    return where.op === 'hasAny' ? where.values : this.#fewest(where.values.map((item) => [item]));
  }

  #fewest(choices: readonly (readonly Scalar[])[]): readonly Scalar[] | null {
    const count = (items: readonly Scalar[]): number =>
      items.reduce<number>((sum, item) => sum + this.get(item).size, 0);
    return choices.reduce<readonly Scalar[] | null>(
      (best, each) => (best === null || count(each) < count(best) ? each : best),
      null,
    );
  }

  #itemsOf(row: Row): ReadonlySet<Scalar> {
    return new Set(row.record[this.field] as readonly Scalar[]);
  }
}
