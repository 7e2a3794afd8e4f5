import { createPause } from '../../../lib/core/cooperative.ts';
import { type CheckedQuery, EVERYTHING } from '../../../lib/store/check-query.ts';
import { type Compare, type Test, toCompare, toTest } from '../../../lib/store/match.ts';
import {
  type FixedValues,
  isEverything,
  searchesTexts,
  toFixedValues,
} from '../../../lib/store/query-plan.ts';
import { and, or, type Predicate } from '../../../lib/store/query.ts';
import type { Row, SortKeys } from '../../../lib/store/row.ts';
import { StoreError, type Waiter } from '../../../lib/store/store.ts';
import type { CollectionRows } from './collection-rows.ts';
import { listPlans, type Plan, type Range, smallest } from './plans.ts';
import type { Cursor } from './sorted-rows.ts';

/** Rows kept beyond the wanted ones before the surplus is dropped. */
const SPARE = 1000;

/** How many more rows may be read. Below 0: the budget was too small, and the result is not complete. */
interface Budget {
  left: number;
}

/** For work that must be done at once, however long it takes. */
const ENDLESS: Budget = { left: Infinity };

/** Direction and budget of a cursor. */
interface CursorOptions {
  readonly descending: boolean;
  readonly budget: Budget;
}

/** A cursor over the matching rows of a range, as far as the budget allows. */
function openCursor(
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
function take(next: Cursor, { offset, limit }: CheckedQuery): readonly Row[] {
  const page: Row[] = [];
  let row = next();
  for (let at = 0; at < offset && row !== undefined; at += 1) row = next();
  for (; page.length < limit && row !== undefined; row = next()) page.push(row);
  return page;
}

/** Merges several sorted cursors into one. */
function merge(cursors: readonly Cursor[], compare: Compare): Cursor {
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
class Page {
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
function sort(next: Cursor, sortKeys: SortKeys, query: CheckedQuery): readonly Row[] {
  const page = new Page(query, sortKeys);
  for (let row = next(); row !== undefined; row = next()) page.add(row);
  return page.rows;
}

/** Joins cursors one after the other. */
function chain(cursors: readonly Cursor[]): Cursor {
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
function countRest(cursor: Cursor): number {
  let count = 0;
  while (cursor() !== undefined) count += 1;
  return count;
}

/** Counts above this are cached. */
const SMALL_COUNT = 100;
/** Most rows that are looked up one by one. */
const MOST_NAMED = 1000;

/** Most rows that are read while everything else waits, which takes some milliseconds. Searched texts may be long. */
const SHORT = { fields: 5000, texts: 300 } as const;

/** A page of rows. `total` is -1 when it was not asked for. */
interface FoundRows {
  readonly page: readonly Row[];
  readonly total: number;
}

/** A query, and how many rows may be read to answer it. */
interface Search {
  readonly query: CheckedQuery;
  readonly budget: Budget;
}

/** Reads an ordered cursor until the page is full. */
function walkOrdered(
  { sortKeys }: CollectionRows,
  { ranges }: Plan,
  { query, budget }: Search,
): readonly Row[] {
  const descending = (query.order[0]?.direction ?? 'asc') === 'desc';
  const [only, ...others] = ranges;
  if (only === undefined) return [];
  if (others.length > 0)
    return take(
      merge(
        ranges.map((range) => openCursor(range, sortKeys, { descending, budget })),
        toCompare(query.order, sortKeys),
      ),
      query,
    );
  if (!isEverything(only.rest)) return take(openCursor(only, sortKeys, { descending, budget }), query);
  const [from, to] = descending ? [only.from, only.to - query.offset] : [only.from + query.offset, only.to];
  return take(only.sorted.cursor(from, to, descending), { ...query, offset: 0 });
}

function findPage(rows: CollectionRows, search: Search, plans: readonly Plan[]): readonly Row[] {
  const { query, budget } = search;
  const gathered = smallest(plans, (plan) => plan.size);
  if (gathered === undefined || gathered.size === 0) return [];
  // If the matches are evenly spread, an ordered cursor fills the page after this many rows.
  const wanted = query.offset + query.limit;
  const steps = (plan: Plan): number =>
    plan.tested === 0 ? wanted : Math.min(plan.size, (wanted * plan.size) / Math.max(1, gathered.size));
  const ordered = smallest(
    plans.filter((plan) => plan.ordered),
    steps,
  );
  if (ordered !== undefined && steps(ordered) <= 2 * gathered.size) return walkOrdered(rows, ordered, search);
  return sort(
    chain(gathered.ranges.map((range) => openCursor(range, rows.sortKeys, { descending: false, budget }))),
    rows.sortKeys,
    query,
  );
}

/** The total, computed without the rows that conditions exclude by id. Those rows are counted separately and quickly. Null when there is no such condition. */
function countWithout(rows: CollectionRows, { query, budget }: Search): number | null {
  const parts = query.where.op === 'and' ? query.where.of : [];
  const named = parts.flatMap((part) =>
    part.op === 'not' && toFixedValues(part.of).has('id') ? [part.of] : [],
  );
  if (named.length === 0) return null;
  const others = and(...parts.filter((part) => part.op !== 'not' || !named.includes(part.of)));
  const count = (where: Predicate): number =>
    search(rows, { query: { ...query, where, limit: 0, total: true }, budget }).total;
  return count(others) - count(and(others, or(...named)));
}

function countMatches(rows: CollectionRows, search: Search, plans: readonly Plan[]): number {
  const { query, budget } = search;
  const { counts, sortKeys } = rows;
  const plan = smallest(plans, (each) => each.tested);
  if (plan === undefined) return 0;
  const isSmall = plan.tested <= SMALL_COUNT;
  const known = isSmall ? null : (counts.get(query.where) ?? countWithout(rows, search));
  if (known !== null) return known;
  const count = plan.ranges.reduce(
    (sum, range) =>
      sum +
      (isEverything(range.rest)
        ? range.to - range.from
        : countRest(openCursor(range, sortKeys, { descending: false, budget }))),
    0,
  );
  if (!isSmall && budget.left >= 0) counts.set(query.where, count);
  return count;
}

/** The rows that a query names by id or by a unique key, whether or not they match all of it. Null when the query does not name its rows. */
function listNamed(rows: CollectionRows, fixed: FixedValues): readonly Row[] | null {
  const ids = fixed.get('id');
  if (ids !== undefined && ids.length <= MOST_NAMED)
    return ids.map((id) => rows.get(Number(id))).filter((row) => row !== undefined);
  for (const key of rows.keys) {
    const named = key.list(fixed, MOST_NAMED);
    if (named !== null) return named;
  }
  return null;
}

function search(rows: CollectionRows, { query, budget }: Search): FoundRows {
  const { where, order, limit, offset, total } = query;
  const fixed = toFixedValues(where);
  const named = listNamed(rows, fixed);
  if (named !== null) {
    // A single comparison is the one that names the rows, so they match.
    const matches =
      where.op === 'eq' || where.op === 'in' ? named : named.filter(toTest(where, rows.sortKeys));
    const sorted = matches.length < 2 ? matches : matches.toSorted(toCompare(order, rows.sortKeys));
    return { page: sorted.slice(offset, offset + limit), total: total ? matches.length : -1 };
  }
  const plans = listPlans(rows, query, fixed);
  return {
    page: limit === 0 ? [] : findPage(rows, { query, budget }, plans),
    total: total ? countMatches(rows, { query, budget }, plans) : -1,
  };
}

/** Runs a checked query, however long it takes. */
export function findRows(rows: CollectionRows, query: CheckedQuery): FoundRows {
  return search(rows, { query, budget: ENDLESS });
}

/** Runs a checked query if that is quick. Otherwise returns null. */
export function findSoon(rows: CollectionRows, query: CheckedQuery): FoundRows | null {
  const budget = { left: searchesTexts(query) ? SHORT.texts : SHORT.fields };
  const found = search(rows, { query, budget });
  return budget.left < 0 ? null : found;
}

/** Rows that may match, in their state when the search began. `test` is null when all of them match. */
interface Snapshot {
  readonly rows: readonly Row[];
  readonly test: Test | null;
}

/** Rows read between two checks of the clock. */
const STRIDE = 16;

/** Copies the rows, because writes replace their states while the search pauses. The states themselves never change. */
function takeSnapshots(rows: CollectionRows, query: CheckedQuery): readonly Snapshot[] {
  const plan = smallest(listPlans(rows, query, toFixedValues(query.where)), ({ size }) => size);
  return (plan?.ranges ?? []).map(({ sorted, from, to, rest }) => {
    const next = openCursor({ sorted, from, to, rest: EVERYTHING }, rows.sortKeys, {
      descending: false,
      budget: ENDLESS,
    });
    const copies: Row[] = [];
    for (let row = next(); row !== undefined; row = next())
      copies.push({ record: row.record, sortValues: row.sortValues });
    return { rows: copies, test: isEverything(rest) ? null : toTest(rest, rows.sortKeys) };
  });
}

/** Runs a query that must read many rows. It pauses so that others can run, and does not see their writes. @throws StoreError `cancelled` */
export async function findInSlices(
  rows: CollectionRows,
  query: CheckedQuery,
  waiter: Waiter | undefined,
): Promise<FoundRows> {
  const { revision, sortKeys, counts } = rows;
  const pause = createPause();
  const page = new Page(query, sortKeys);
  let [looked, total] = [0, 0];
  for (const { rows: copies, test } of takeSnapshots(rows, query)) {
    for (const row of copies) {
      looked += 1;
      if (test === null || test(row)) {
        total += 1;
        page.add(row);
      }
      const turn = looked % STRIDE === 0 ? pause() : undefined;
      if (turn === undefined) continue;
      await turn;
      if (waiter?.signal.aborted === true) throw new StoreError('cancelled', 'The read was cancelled.');
    }
  }
  if (query.total && rows.revision === revision) counts.set(query.where, total);
  return { page: page.rows, total: query.total ? total : -1 };
}
