import { fold } from '../../lib/fold.ts';
import type { Predicate, Scalar } from '../../lib/query.ts';
import type { CheckedQuery } from '../../lib/query-check.ts';
import { countFixed, isEverything, isOrdered, toFixedValues, toPieces, type FixedValues, type Piece } from '../../lib/query-plan.ts';
import { toCompare, toTest, type Compare, type Test } from '../../lib/query-test.ts';
import { toSortValue, type Row, type SortValue } from '../../lib/row.ts';
import type { CollectionRows, FieldIndex } from './collection-rows.ts';
import { countRows } from './postings.ts';
import type { Cursor } from './sorted-rows.ts';

/** A stretch of one index: ranks from `from` up to, without, `to`. `test` null: every row in it matches. */
interface Range {
  readonly index: FieldIndex;
  readonly from: number;
  readonly to: number;
  readonly test: Test | null;
}

/** One way to answer: disjoint ranges that hold every match. */
interface Plan {
  readonly ranges: readonly Range[];
  /** Rows to look at when all are read. */
  readonly size: number;
  /** Rows whose match has to be tested. */
  readonly tested: number;
  /** Each range is in the order of the query. */
  readonly ordered: boolean;
}

/** Most ranges that one query is split into. */
const MOST_PIECES = 1000;
/** Counting more rows than this is worth remembering. */
const SMALL_COUNT = 1000;

function toPrefix(rows: CollectionRows, fields: readonly string[], values: readonly Scalar[]): readonly SortValue[] {
  return values.flatMap((value, at) => (rows.layout.folded[fields[at] ?? ''] === undefined ? [toSortValue(value)] : [toSortValue(fold(String(value))), toSortValue(value)]));
}

function toRange(rows: CollectionRows, index: FieldIndex, piece: Piece): Range {
  const prefix = toPrefix(rows, index.fields, piece.values);
  const { lower, upper, rest } = piece;
  const from = lower === null ? index.rows.rank(prefix, false) : index.rows.rank([...prefix, toSortValue(lower.value)], lower.open);
  const to = upper === null ? index.rows.rank(prefix, true) : index.rows.rank([...prefix, toSortValue(upper.value)], !upper.open);
  return { index, from, to: Math.max(from, to), test: isEverything(rest) ? null : toTest(rest, rows.layout) };
}

function toPlan(rows: CollectionRows, index: FieldIndex, { query, fixed }: { query: CheckedQuery; fixed: FixedValues }): Plan {
  const { fields } = index;
  const depth = countFixed(fields, fixed, MOST_PIECES);
  const next = fields[depth];
  const bounded = next !== undefined && rows.layout.folded[next] === undefined ? next : undefined;
  const ranges = toPieces(query.where, fields.slice(0, depth), { last: bounded, fixed }).map((piece) => toRange(rows, index, piece));
  return {
    ranges, ordered: isOrdered(fields, depth, query.order),
    size: ranges.reduce((sum, { from, to }) => sum + to - from, 0),
    tested: ranges.reduce((sum, { from, to, test }) => sum + (test === null ? 0 : to - from), 0),
  };
}

function walk({ index, from, to, test }: Range, descending: boolean): Cursor {
  const next = index.rows.cursor(from, to, descending);
  if (test === null) return next;
  return () => {
    let row = next();
    while (row !== undefined && !test(row)) row = next();
    return row;
  };
}

/** The rows from `offset` of several sorted walks as one. */
function merge(cursors: readonly Cursor[], compare: Compare, { offset, limit }: CheckedQuery): readonly Row[] {
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
function sort(next: Cursor, compare: Compare, { offset, limit }: CheckedQuery): readonly Row[] {
  const wanted = offset + limit;
  let kept: Row[] = [];
  for (let row = next(); row !== undefined; row = next()) {
    kept.push(row);
    if (kept.length >= wanted * 2 + SMALL_COUNT) kept = kept.sort(compare).slice(0, wanted);
  }
  return kept.sort(compare).slice(offset, wanted);
}

function chain(cursors: readonly Cursor[]): Cursor {
  let at = 0;
  return () => {
    let row = cursors[at]?.();
    while (row === undefined && at < cursors.length) { at += 1; row = cursors[at]?.(); }
    return row;
  };
}

function walkPostings(sets: readonly ReadonlySet<Row>[], test: Test): Cursor {
  const rows = sets.length === 1 ? sets[0] ?? new Set<Row>() : new Set(sets.flatMap((set) => [...set]));
  const values = rows.values();
  return () => {
    let next = values.next();
    while (next.done !== true && !test(next.value)) next = values.next();
    return next.done === true ? undefined : next.value;
  };
}

function countRest(cursor: Cursor): number {
  let count = 0;
  while (cursor() !== undefined) count += 1;
  return count;
}

/** All ways to answer one query, and what is needed to take one of them. */
interface Choice {
  readonly plans: readonly Plan[];
  readonly postings: readonly ReadonlySet<Row>[] | null;
  readonly compare: Compare;
  readonly test: Test;
}

function toChoice(rows: CollectionRows, query: CheckedQuery): Choice {
  const fixed = toFixedValues(query.where);
  return {
    plans: rows.indexes.map((index) => toPlan(rows, index, { query, fixed })),
    postings: rows.postings.find(query.where), compare: toCompare(query.order, rows.layout), test: toTest(query.where, rows.layout),
  };
}

function smallest(plans: readonly Plan[], cost: (plan: Plan) => number): Plan | undefined {
  return plans.reduce<Plan | undefined>((best, plan) => (best === undefined || cost(plan) < cost(best) ? plan : best), undefined);
}

function findPage(query: CheckedQuery, { plans, postings, compare, test }: Choice): readonly Row[] {
  const gathered = smallest(plans, (plan) => plan.size);
  const listed = postings === null ? Infinity : countRows(postings);
  const fewest = Math.min(gathered?.size ?? Infinity, listed);
  // An ordered walk ends when the page is full: if matches lie evenly, after this many rows.
  const steps = (plan: Plan): number => (plan.tested === 0 ? query.offset + query.limit : Math.min(plan.size, (query.offset + query.limit) * plan.size / Math.max(1, fewest)));
  const ordered = smallest(plans.filter((plan) => plan.ordered), steps);
  const descending = (query.order[0]?.direction ?? 'asc') === 'desc';
  if (ordered !== undefined && steps(ordered) <= 2 * fewest) {
    const [only, ...others] = ordered.ranges;
    if (only?.test === null && others.length === 0) {
      const [from, to] = descending ? [only.from, only.to - query.offset] : [only.from + query.offset, only.to];
      return merge([only.index.rows.cursor(from, to, descending)], compare, { ...query, offset: 0 });
    }
    return merge(ordered.ranges.map((range) => walk(range, descending)), compare, query);
  }
  if (postings !== null && listed === fewest) return sort(walkPostings(postings, test), compare, query);
  return sort(chain((gathered?.ranges ?? []).map((range) => walk(range, false))), compare, query);
}

function countAll({ plans, postings, test }: Choice): number {
  const plan = smallest(plans, (each) => each.tested);
  if (plan === undefined || (postings !== null && countRows(postings) < plan.tested)) return countRest(walkPostings(postings ?? [], test));
  return plan.ranges.reduce((sum, range) => sum + (range.test === null ? range.to - range.from : countRest(walk(range, false))), 0);
}

function countMatches(rows: CollectionRows, where: Predicate, choice: Choice): number {
  const plan = smallest(choice.plans, (each) => each.tested);
  if (plan !== undefined && plan.tested <= SMALL_COUNT) return countAll(choice);
  const known = rows.counts.get(where);
  if (known !== null) return known;
  const count = countAll(choice);
  rows.counts.set(where, count);
  return count;
}

/** The rows that a query names by their ids; null when it does not. */
function findNamed(rows: CollectionRows, where: Predicate): readonly Row[] | null {
  const ids = toFixedValues(where).get('id');
  if (ids === undefined || ids.size > SMALL_COUNT) return null;
  const test = toTest(where, rows.layout);
  return [...ids].map((id) => rows.get(Number(id))).filter((row) => row !== undefined).filter(test);
}

/** Answers a checked query. `total` is -1 when it was not asked for. */
export function findRows(rows: CollectionRows, query: CheckedQuery): { readonly page: readonly Row[]; readonly total: number } {
  const named = findNamed(rows, query.where);
  if (named !== null) {
    const sorted = named.toSorted(toCompare(query.order, rows.layout));
    return { page: sorted.slice(query.offset, query.offset + query.limit), total: query.total ? named.length : -1 };
  }
  const choice = toChoice(rows, query);
  return { page: query.limit === 0 ? [] : findPage(query, choice), total: query.total ? countMatches(rows, query.where, choice) : -1 };
}
