import type { CheckedQuery } from '../../lib/query-check.ts';
import { isEverything } from '../../lib/query-plan.ts';
import { toCompare, toTest, type Compare } from '../../lib/query-test.ts';
import type { Layout, Row } from '../../lib/row.ts';
import type { Range } from './ranges.ts';
import type { Cursor } from './sorted-rows.ts';

/** Rows kept beyond those wanted before the last of them are thrown away. */
const SPARE = 1000;

/** The rows of a range that match. */
export function walk({ sorted, from, to, rest }: Range, layout: Layout, descending: boolean): Cursor {
  const next = sorted.cursor(from, to, descending);
  if (isEverything(rest)) return next;
  const test = toTest(rest, layout);
  return () => {
    let row = next();
    while (row !== undefined && !test(row)) row = next();
    return row;
  };
}

/** The rows from `offset` of one sorted walk. */
export function take(next: Cursor, { offset, limit }: CheckedQuery): readonly Row[] {
  const page: Row[] = [];
  let row = next();
  for (let at = 0; at < offset && row !== undefined; at += 1) row = next();
  for (; page.length < limit && row !== undefined; row = next()) page.push(row);
  return page;
}

/** Several sorted walks as one. */
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

/** The rows from `offset` of an unsorted walk; no more of them are kept at a time than the page needs. */
export function sort(next: Cursor, layout: Layout, { order, offset, limit }: CheckedQuery): readonly Row[] {
  const wanted = offset + limit;
  const compare = toCompare(order, layout);
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

/** How many rows are left. */
export function countRest(cursor: Cursor): number {
  let count = 0;
  while (cursor() !== undefined) count += 1;
  return count;
}
