import type { Predicate } from '../../lib/query.ts';
import type { CheckedQuery } from '../../lib/query-check.ts';
import { countFixed, isEverything, listCombinations, toFixedValues, type FixedValues } from '../../lib/query-plan.ts';
import { toCompare, toTest } from '../../lib/query-test.ts';
import type { Row } from '../../lib/row.ts';
import type { CollectionRows, KeyIndex } from './collection-rows.ts';
import { listPlans, smallest, toPrefix, type Plan } from './plans.ts';
import { countRows } from './postings.ts';
import { chain, countRest, merge, sort, take, walk, walkPostings } from './walks.ts';

/** Counting more rows than this is worth remembering. */
const SMALL_COUNT = 100;
/** Most rows that are looked up one by one. */
const MOST_NAMED = 1000;

/** All ways to answer one query. */
interface Choice {
  readonly plans: readonly Plan[];
  readonly postings: readonly ReadonlySet<Row>[] | null;
}

/** An ordered walk that ends when the page is full. */
function walkOrdered({ layout }: CollectionRows, { ranges }: Plan, query: CheckedQuery): readonly Row[] {
  const descending = (query.order[0]?.direction ?? 'asc') === 'desc';
  const [only, ...others] = ranges;
  if (only === undefined) return [];
  if (others.length > 0) return take(merge(ranges.map((range) => walk(range, layout, descending)), toCompare(query.order, layout)), query);
  if (!isEverything(only.rest)) return take(walk(only, layout, descending), query);
  const [from, to] = descending ? [only.from, only.to - query.offset] : [only.from + query.offset, only.to];
  return take(only.index.rows.cursor(from, to, descending), { ...query, offset: 0 });
}

function findPage(rows: CollectionRows, query: CheckedQuery, { plans, postings }: Choice): readonly Row[] {
  const gathered = smallest(plans, (plan) => plan.size);
  const listed = postings === null ? Infinity : countRows(postings);
  const fewest = Math.min(gathered?.size ?? Infinity, listed);
  // An ordered walk ends when the page is full: if matches lie evenly, after this many rows.
  const steps = (plan: Plan): number => (plan.tested === 0 ? query.offset + query.limit : Math.min(plan.size, (query.offset + query.limit) * plan.size / Math.max(1, fewest)));
  const ordered = smallest(plans.filter((plan) => plan.ordered), steps);
  if (ordered !== undefined && steps(ordered) <= 2 * fewest) return walkOrdered(rows, ordered, query);
  const { layout } = rows;
  if (postings !== null && listed === fewest) return sort(walkPostings(postings, toTest(query.where, layout)), layout, query);
  return sort(chain((gathered?.ranges ?? []).map((range) => walk(range, layout, false))), layout, query);
}

function countAll({ layout }: CollectionRows, where: Predicate, { plans, postings }: Choice): number {
  const plan = smallest(plans, (each) => each.tested);
  if (plan === undefined || (postings !== null && countRows(postings) < plan.tested)) return countRest(walkPostings(postings ?? [], toTest(where, layout)));
  return plan.ranges.reduce((sum, range) => sum + (isEverything(range.rest) ? range.to - range.from : countRest(walk(range, layout, false))), 0);
}

function countMatches(rows: CollectionRows, where: Predicate, choice: Choice): number {
  const plan = smallest(choice.plans, (each) => each.tested);
  if (plan !== undefined && plan.tested <= SMALL_COUNT) return countAll(rows, where, choice);
  const known = rows.counts.get(where);
  if (known !== null) return known;
  const count = countAll(rows, where, choice);
  rows.counts.set(where, count);
  return count;
}

/** True when records that need not differ in the key may have these values. */
function mayRepeat({ except }: KeyIndex, fixed: FixedValues): boolean {
  return except !== undefined && Object.entries(except).every(([field, value]) => fixed.get(field)?.includes(value) ?? true);
}

/** The rows that a query names by their ids or by a unique key, one by one, whether or not they match it all; null when it does not. */
function listNamed(rows: CollectionRows, fixed: FixedValues): readonly Row[] | null {
  const ids = fixed.get('id');
  if (ids !== undefined && ids.length <= MOST_NAMED) return ids.map((id) => rows.get(Number(id))).filter((row) => row !== undefined);
  const key = rows.keys.find((each) => countFixed(each.fields, fixed, MOST_NAMED) === each.fields.length && !mayRepeat(each, fixed));
  if (key === undefined) return null;
  return listCombinations(key.fields, fixed).map((values) => key.rows.first(toPrefix(rows, key.fields, values))).filter((row) => row !== undefined);
}

/** Answers a checked query. `total` is -1 when it was not asked for. */
export function findRows(rows: CollectionRows, query: CheckedQuery): { readonly page: readonly Row[]; readonly total: number } {
  const { where, order, limit, offset, total } = query;
  const fixed = toFixedValues(where);
  const named = listNamed(rows, fixed)?.filter(toTest(where, rows.layout));
  if (named !== undefined) {
    const sorted = named.length < 2 ? named : named.sort(toCompare(order, rows.layout));
    return { page: sorted.slice(offset, offset + limit), total: total ? named.length : -1 };
  }
  const choice: Choice = { plans: listPlans(rows, query, fixed), postings: rows.postings.find(where) };
  return { page: limit === 0 ? [] : findPage(rows, query, choice), total: total ? countMatches(rows, where, choice) : -1 };
}
