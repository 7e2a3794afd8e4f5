import type { CheckedQuery } from '../../../lib/store/check-query.ts';
import {
  countFixed,
  isEverything,
  isOrdered,
  listBounds,
  type FixedValues,
} from '../../../lib/store/query-plan.ts';
import { toTextCondition } from '../../../lib/store/text-condition.ts';
import type { CollectionRows } from './collection-rows.ts';
import type { FieldRows } from './field-rows.ts';
import { MOST_RANGES, toBounded, toListRanges, toOrderedRanges, toRanges, type Range } from './ranges.ts';
import { RowList } from './text-rows.ts';

/** One way to run a query: disjoint ranges that contain every match. */
export interface Plan {
  readonly ranges: readonly Range[];
  /** Rows to read in all ranges. */
  readonly size: number;
  /** Rows that must be tested for a match. */
  readonly tested: number;
  /** Each range is in the order of the query. */
  readonly ordered: boolean;
}

/** A useful index. `narrowed`: the fields by which it excludes rows. */
interface Candidate {
  readonly index: FieldRows;
  readonly narrowed: readonly string[];
  readonly ordered: boolean;
}

/** A plan with at most this many rows is chosen at once. */
const FEW_ROWS = 20;

function toPlan(ranges: readonly Range[], ordered: boolean): Plan {
  let [size, tested] = [0, 0];
  for (const { from, to, rest } of ranges) {
    size += to - from;
    if (!isEverything(rest)) tested += to - from;
  }
  return { ranges, ordered, size, tested };
}

/** True when `a` excludes every row that `b` excludes, and is ordered if `b` is. Then `b` cannot be better. */
function outdoes(a: Candidate, b: Candidate): boolean {
  return (a.ordered || !b.ordered) && b.narrowed.every((field) => a.narrowed.includes(field));
}

function listCandidates(
  { indexes, sortKeys }: CollectionRows,
  { where, order }: CheckedQuery,
  fixed: FixedValues,
): readonly Candidate[] {
  const bounds = listBounds(where);
  let found: Candidate[] = [];
  for (const index of indexes) {
    const { fields } = index;
    const depth = countFixed(fields, fixed, MOST_RANGES);
    const next = toBounded(sortKeys, fields[depth]);
    const isBounded = bounds.some(({ field }) => field === next);
    const candidate: Candidate = {
      index,
      narrowed: fields.slice(0, isBounded ? depth + 1 : depth),
      ordered: isOrdered(fields, depth, order),
    };
    if (found.some((other) => outdoes(other, candidate))) continue;
    found = [...found.filter((other) => !outdoes(candidate, other)), candidate];
  }
  return found;
}

function* makePlans(rows: CollectionRows, query: CheckedQuery, fixed: FixedValues): Generator<Plan> {
  const { where, order } = query;
  for (const { index, ordered } of listCandidates(rows, query, fixed)) {
    yield toPlan(
      ordered
        ? toOrderedRanges(rows, index, { where, order, fixed })
        : toRanges(rows, index, { where, fixed, most: MOST_RANGES }),
      ordered,
    );
  }
  for (const list of rows.lists) {
    const items = list.findItems(where);
    if (items !== null)
      yield toPlan(
        toListRanges(rows, list, { where, items, fixed }),
        isOrdered(list.sortedBy, countFixed(list.sortedBy, fixed, MOST_RANGES / items.length), order),
      );
  }
}

/** The plan of a search that the index of texts narrows; null when it does not. */
function planSearch({ collection, texts }: CollectionRows, { where }: CheckedQuery): Plan | null {
  const condition = texts === null ? null : toTextCondition(collection, where);
  if (texts === null || condition === null) return null;
  const found = texts.find(condition);
  return toPlan([{ sorted: new RowList(found), from: 0, to: found.length, rest: where }], false);
}

/** One plan for each useful index. If a plan has very few rows it is the only one, because comparing plans would cost more than reading them. */
export function listPlans(rows: CollectionRows, query: CheckedQuery, fixed: FixedValues): readonly Plan[] {
  const plans: Plan[] = [];
  for (const plan of makePlans(rows, query, fixed)) {
    if (plan.size <= FEW_ROWS) return [plan];
    plans.push(plan);
  }
  const found = planSearch(rows, query);
  return found === null ? plans : [...plans, found];
}

/** The plan with the lowest cost; undefined when there are no plans. */
export function smallest(plans: readonly Plan[], cost: (plan: Plan) => number): Plan | undefined {
  return plans.reduce<Plan | undefined>(
    (best, plan) => (best === undefined || cost(plan) < cost(best) ? plan : best),
    undefined,
  );
}
