import type { Predicate } from '../../lib/query.ts';
import type { CheckedQuery } from '../../lib/query-check.ts';
import { toFixedValues } from '../../lib/query-plan.ts';
import { toCompare, toTest, type Compare, type Test } from '../../lib/query-test.ts';
import type { Row } from '../../lib/row.ts';
import type { CollectionRows } from './collection-rows.ts';
import { listPlans, smallest, type Plan } from './plans.ts';
import { countRows } from './postings.ts';
import { chain, countRest, merge, sort, walk, walkPostings } from './walks.ts';

/** Counting more rows than this is worth remembering. */
const SMALL_COUNT = 1000;

/** All ways to answer one query, and what is needed to take one of them. */
interface Choice {
  readonly plans: readonly Plan[];
  readonly postings: readonly ReadonlySet<Row>[] | null;
  readonly compare: Compare;
  readonly test: Test;
}

function toChoice(rows: CollectionRows, query: CheckedQuery): Choice {
  return {
    plans: listPlans(rows, query), postings: rows.postings.find(query.where),
    compare: toCompare(query.order, rows.layout), test: toTest(query.where, rows.layout),
  };
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
