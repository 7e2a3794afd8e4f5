import type { CheckedQuery } from '../../../lib/store/check-query.ts';
import { toSortValue, type SortValue } from '../../../lib/store/collection.ts';
import {
  countFixed,
  isEverything,
  isOrdered,
  listBounds,
  type FixedValues,
  toFixedValues,
  toIndexRanges,
  type IndexRange,
} from '../../../lib/store/query-plan.ts';
import { and, eq, hasAny, not, type Order, type Predicate, type Scalar } from '../../../lib/store/query.ts';
import type { SortKeys } from '../../../lib/store/row.ts';
import { fold } from '../../../lib/store/stored-text.ts';
import { toTextCondition } from '../../../lib/store/text-condition.ts';
import type { CollectionRows } from './collection-rows.ts';
import type { FieldRows, SortedRows, ListRows } from './sorted-rows.ts';
import { RowList } from './text-rows.ts';

/** An index range: the ranks from `from` (included) to `to` (excluded). `rest`: the predicate still to be tested; with EVERYTHING each row of the range matches. */
export interface Range {
  readonly sorted: Pick<SortedRows, 'cursor'>;
  readonly from: number;
  readonly to: number;
  readonly rest: Predicate;
}

/** Most ranges that one query is split into. */
export const MOST_RANGES = 1000;

/** The sort values that rows with these field values have. */
function toPrefix(
  sortKeys: SortKeys,
  fields: readonly string[],
  values: readonly Scalar[],
): readonly SortValue[] {
  const prefix: SortValue[] = [];
  for (const [at, value] of values.entries()) {
    if (sortKeys.folded[fields[at] ?? ''] !== undefined) prefix.push(toSortValue(fold(String(value))));
    prefix.push(toSortValue(value));
  }
  return prefix;
}

function toRange(
  sorted: SortedRows,
  prefix: readonly SortValue[],
  { lower, upper, rest }: IndexRange,
): Range {
  const from =
    lower === null
      ? sorted.rank(prefix, false)
      : sorted.rank([...prefix, toSortValue(lower.value)], lower.open);
  const to =
    upper === null
      ? sorted.rank(prefix, true)
      : sorted.rank([...prefix, toSortValue(upper.value)], !upper.open);
  return { sorted, from, to: Math.max(from, to), rest };
}

/** The field, if a bound on it is a bound on the sorted rows. Rows of a folded field are sorted by their folded text, so a bound does not apply. */
export function toBounded(sortKeys: SortKeys, field: string | undefined): string | undefined {
  return field === undefined || sortKeys.folded[field] !== undefined ? undefined : field;
}

/** The ranges of an index, one for each combination of values of its leading fields. */
export function toRanges(
  { sortKeys }: CollectionRows,
  { fields, sorted }: FieldRows,
  { where, fixed, most }: { readonly where: Predicate; readonly fixed: FixedValues; readonly most: number },
): readonly Range[] {
  const depth = countFixed(fields, fixed, most);
  const ranges = toIndexRanges(where, fields.slice(0, depth), {
    last: toBounded(sortKeys, fields[depth]),
    fixed,
  });
  return ranges.map((range) => toRange(sorted, toPrefix(sortKeys, fields, range.values), range));
}

/** The index in the order of the query that has the most leading fields fixed to one value. */
function findOrdered(
  rows: CollectionRows,
  order: readonly Order[],
  fixed: FixedValues,
): FieldRows | undefined {
  const depth = ({ fields }: FieldRows): number => countFixed(fields, fixed, 1);
  return rows.indexes
    .filter((index) => isOrdered(index.fields, depth(index), order))
    .toSorted((a, b) => depth(b) - depth(a))[0];
}

function hasAlternatives(where: Predicate): boolean {
  return where.op === 'or' || (where.op === 'and' && where.of.some(hasAlternatives));
}

/** Like `toRanges`, with each range in the order of the query. With alternatives, one range may fix more fields than all ranges do; a longer index then leaves less to test. */
export function toOrderedRanges(
  rows: CollectionRows,
  index: FieldRows,
  { where, order, fixed }: Pick<CheckedQuery, 'where' | 'order'> & { readonly fixed: FixedValues },
): readonly Range[] {
  if (!hasAlternatives(where)) return toRanges(rows, index, { where, fixed, most: MOST_RANGES });
  const leading = index.fields.slice(0, countFixed(index.fields, fixed, MOST_RANGES));
  return toIndexRanges(where, leading, { last: undefined, fixed }).flatMap(({ values, rest }) => {
    const part = and(...values.map((value, at) => eq(leading[at] ?? 'id', value)), rest);
    const known = toFixedValues(part);
    const longest = findOrdered(rows, order, known);
    return longest === undefined ? [] : toRanges(rows, longest, { where: part, fixed: known, most: 1 });
  });
}

/** The ranges of a list field, for items of which every match contains at least one. A row with several of these items is only in the ranges of the first one. */
export function toListRanges(
  { sortKeys }: CollectionRows,
  list: ListRows,
  {
    where,
    items,
    fixed,
  }: { readonly where: Predicate; readonly items: readonly Scalar[]; readonly fixed: FixedValues },
): readonly Range[] {
  const depth = countFixed(list.sortedBy, fixed, MOST_RANGES / items.length);
  const leading = list.sortedBy.slice(0, depth);
  return items.flatMap((item, at) => {
    const part = at === 0 ? where : and(where, not(hasAny(list.field, items.slice(0, at))));
    const ranges = toIndexRanges(part, [list.field, ...leading], {
      last: toBounded(sortKeys, list.sortedBy[depth]),
      fixed: new Map([...fixed, [list.field, [item]]]),
    });
    return ranges.map((range) =>
      toRange(list.get(item), toPrefix(sortKeys, leading, range.values.slice(1)), range),
    );
  });
}

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
