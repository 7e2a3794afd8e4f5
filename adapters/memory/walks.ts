import type { CheckedQuery } from '../../lib/query-check.ts';
import type { Compare, Test } from '../../lib/query-test.ts';
import type { Row } from '../../lib/row.ts';
import type { Range } from './plans.ts';
import type { Cursor } from './sorted-rows.ts';

/** Rows kept beyond those wanted before the last of them are thrown away. */
const SPARE = 1000;

/** The rows of a range that match. */
export function walk({ index, from, to, test }: Range, descending: boolean): Cursor {
  const next = index.rows.cursor(from, to, descending);
  if (test === null) return next;
  return () => {
    let row = next();
    while (row !== undefined && !test(row)) row = next();
    return row;
  };
}

/** The rows from `offset` of several sorted walks as one. */
export function merge(cursors: readonly Cursor[], compare: Compare, { offset, limit }: CheckedQuery): readonly Row[] {
  const heads = cursors.map((next) => ({ next, row: next() })).filter((head) => head.row !== undefined);
  const page: Row[] = [];
  for (let at = 0; at < offset + limit && heads.length > 0; at += 1) {
    let best = 0;
    for (let other = 1; other < heads.length; other += 1) {
      const [a, b] = [heads[other]?.row, heads[best]?.row];
      if (a !== undefined && b !== undefined && compare(a, b) < 0) best = other;
    }
    const head = heads[best];
    if (head?.row === undefined) break;
    if (at >= offset) page.push(head.row);
    head.row = head.next();
    if (head.row === undefined) heads.splice(best, 1);
  }
  return page;
}

/** The rows from `offset` of an unsorted walk; no more of them are kept at a time than the page needs. */
export function sort(next: Cursor, compare: Compare, { offset, limit }: CheckedQuery): readonly Row[] {
  const wanted = offset + limit;
  let kept: Row[] = [];
  for (let row = next(); row !== undefined; row = next()) {
    kept.push(row);
    if (kept.length >= wanted * 2 + SPARE) kept = kept.sort(compare).slice(0, wanted);
  }
  return kept.sort(compare).slice(offset, wanted);
}

/** One walk after the other. */
export function chain(cursors: readonly Cursor[]): Cursor {
  let at = 0;
  return () => {
    let row = cursors[at]?.();
    while (row === undefined && at < cursors.length) { at += 1; row = cursors[at]?.(); }
    return row;
  };
}

/** The rows of some sets, each once, that match. */
export function walkPostings(sets: readonly ReadonlySet<Row>[], test: Test): Cursor {
  const rows = sets.length === 1 ? sets[0] ?? new Set<Row>() : new Set(sets.flatMap((set) => [...set]));
  const values = rows.values();
  return () => {
    let next = values.next();
    while (next.done !== true && !test(next.value)) next = values.next();
    return next.done === true ? undefined : next.value;
  };
}

/** How many rows are left. */
export function countRest(cursor: Cursor): number {
  let count = 0;
  while (cursor() !== undefined) count += 1;
  return count;
}
