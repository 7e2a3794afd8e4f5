import type { CheckedQuery } from '../../../lib/store/check-query.ts';
import { toCompare, toTest, type Compare } from '../../../lib/store/match.ts';
import { isEverything } from '../../../lib/store/query-plan.ts';
import type { SortKeys, Row } from '../../../lib/store/row.ts';
import type { Range } from './plans.ts';
import type { Cursor } from './sorted-rows.ts';

/** Rows kept beyond the wanted ones before the surplus is dropped. */
const SPARE = 1000;

/** How many more rows may be read. Below 0: the budget was too small, and the result is not complete. */
export interface Budget {
  left: number;
}

/** For work that must be done at once, however long it takes. */
export const ENDLESS: Budget = { left: Infinity };

/** Direction and budget of a cursor. */
interface CursorOptions {
  readonly descending: boolean;
  readonly budget: Budget;
}

/** A cursor over the matching rows of a range, as far as the budget allows. */
export function openCursor(
  { sorted, from, to, rest }: Range,
  sortKeys: SortKeys,
  { descending, budget }: CursorOptions,
): Cursor {
  const next = sorted.cursor(from, to, descending);
  const test = isEverything(rest) ? null : toTest(rest, sortKeys);
  return () => {
    for (let row = next(); row !== undefined; row = next()) {
      budget.left -= 1;
      if (budget.left < 0) return undefined;
      if (test === null || test(row)) return row;
    }
    return undefined;
  };
}

/** The page of rows from `offset` of a sorted cursor. */
export function take(next: Cursor, { offset, limit }: CheckedQuery): readonly Row[] {
  const page: Row[] = [];
  let row = next();
  for (let at = 0; at < offset && row !== undefined; at += 1) row = next();
  for (; page.length < limit && row !== undefined; row = next()) page.push(row);
  return page;
}

/** Merges several sorted cursors into one. */
export function merge(cursors: readonly Cursor[], compare: Compare): Cursor {
  const heads = cursors.map((next) => ({ next, row: next() })).filter((head) => head.row !== undefined);
  return () => {
    let best = 0;
    for (let other = 1; other < heads.length; other += 1) {
      const [a, b] = [heads[other]?.row, heads[best]?.row];
      if (a !== undefined && b !== undefined && compare(a, b) < 0) best = other;
    }
    const head = heads[best];
    const row = head?.row;
    if (head === undefined) return undefined;
    head.row = head.next();
    if (head.row === undefined) heads.splice(best, 1);
    return row;
  };
}

/** Collects a page from rows in any order, without keeping many more rows than the page needs. */
export class Page {
  readonly #compare: Compare;
  readonly #isRanked: boolean;
  readonly #offset: number;
  readonly #wanted: number;
  #kept: Row[] = [];

  constructor({ order, offset, limit }: CheckedQuery, sortKeys: SortKeys) {
    this.#compare = toCompare(order, sortKeys);
    this.#isRanked = order.some((each) => 'rank' in each);
    this.#offset = offset;
    this.#wanted = limit === 0 ? 0 : offset + limit;
  }

  add(row: Row): void {
    if (this.#wanted === 0) return;
    this.#kept.push(row);
    // Ranking a row may mean reading its texts, so the rank is computed once now and not during a sort.
    if (this.#isRanked) this.#compare(row, row);
    if (this.#kept.length >= this.#wanted * 2 + SPARE)
      this.#kept = this.#kept.sort(this.#compare).slice(0, this.#wanted);
  }

  get rows(): readonly Row[] {
    return this.#kept.sort(this.#compare).slice(this.#offset, this.#wanted);
  }
}

/** The page of rows from `offset` of an unsorted cursor. */
export function sort(next: Cursor, sortKeys: SortKeys, query: CheckedQuery): readonly Row[] {
  const page = new Page(query, sortKeys);
  for (let row = next(); row !== undefined; row = next()) page.add(row);
  return page.rows;
}

/** Joins cursors one after the other. */
export function chain(cursors: readonly Cursor[]): Cursor {
  let at = 0;
  return () => {
    let row = cursors[at]?.();
    while (row === undefined && at < cursors.length) {
      at += 1;
      row = cursors[at]?.();
    }
    return row;
  };
}

/** Counts the remaining rows. */
export function countRest(cursor: Cursor): number {
  let count = 0;
  while (cursor() !== undefined) count += 1;
  return count;
}
