import { fold } from '../../lib/fold.ts';
import { and, eq, type Predicate, type Scalar } from '../../lib/query.ts';
import type { CheckedQuery } from '../../lib/query-check.ts';
import { countFixed, isEverything, isOrdered, listFields, toFixedValues, toPieces, type FixedValues, type Piece } from '../../lib/query-plan.ts';
import { toTest, type Test } from '../../lib/query-test.ts';
import { toSortValue, type SortValue } from '../../lib/row.ts';
import type { CollectionRows, FieldIndex } from './collection-rows.ts';

/** A stretch of one index: ranks from `from` up to, without, `to`. `test` null: every row in it matches. */
export interface Range {
  readonly index: FieldIndex;
  readonly from: number;
  readonly to: number;
  readonly test: Test | null;
}

/** One way to answer: disjoint ranges that hold every match. */
export interface Plan {
  readonly ranges: readonly Range[];
  /** Rows to look at when all are read. */
  readonly size: number;
  /** Rows whose match has to be tested. */
  readonly tested: number;
  /** Each range is in the order of the query. */
  readonly ordered: boolean;
}

/** A plan with so few rows is taken at once. */
const FEW_ROWS = 20;
/** Most ranges that one query is split into. */
const MOST_PIECES = 1000;

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

/** The pieces of one index. A folded field is not bounded: bounds are on the text itself. */
function toRanges(rows: CollectionRows, index: FieldIndex, { where, fixed, most }: { readonly where: Predicate; readonly fixed: FixedValues; readonly most: number }): readonly Range[] {
  const depth = countFixed(index.fields, fixed, most);
  const next = index.fields[depth];
  const last = next !== undefined && rows.layout.folded[next] === undefined ? next : undefined;
  return toPieces(where, index.fields.slice(0, depth), { last, fixed }).map((piece) => toRange(rows, index, piece));
}

/** Ranges in the order of the query. A piece may fix more fields than all of them do: then a longer index leaves less to test. */
function toOrderedRanges(rows: CollectionRows, { where, order }: CheckedQuery, { leading, fixed }: { readonly leading: readonly string[]; readonly fixed: FixedValues }): readonly Range[] {
  return toPieces(where, leading, { last: undefined, fixed }).flatMap(({ values, rest }) => {
    const part = and(...values.map((value, at) => eq(leading[at] ?? 'id', value)), rest);
    const known = toFixedValues(part);
    const [longest] = rows.indexes.filter(({ fields }) => isOrdered(fields, countFixed(fields, known, 1), order)).toSorted((a, b) => b.fields.length - a.fields.length);
    return longest === undefined ? [] : toRanges(rows, longest, { where: part, fixed: known, most: 1 });
  });
}

function toPlan(rows: CollectionRows, index: FieldIndex, { query, fixed }: { query: CheckedQuery; fixed: FixedValues }): Plan {
  const { fields } = index;
  const depth = countFixed(fields, fixed, MOST_PIECES);
  const ordered = isOrdered(fields, depth, query.order);
  const ranges = ordered ? toOrderedRanges(rows, query, { leading: fields.slice(0, depth), fixed }) : toRanges(rows, index, { where: query.where, fixed, most: MOST_PIECES });
  return {
    ranges, ordered,
    size: ranges.reduce((sum, { from, to }) => sum + to - from, 0),
    tested: ranges.reduce((sum, { from, to, test }) => sum + (test === null ? 0 : to - from), 0),
  };
}

/** An index that begins with a field of which the query says nothing neither narrows nor orders: the one of the ids stands for all of them. */
function listIndexes(rows: CollectionRows, { where, order }: CheckedQuery): readonly FieldIndex[] {
  const named = new Set(['id', ...listFields(where), ...order.flatMap((each) => ('field' in each ? [each.field] : []))]);
  return rows.indexes.filter(({ fields: [first] }) => first !== undefined && named.has(first));
}

/** A plan for each index that can help; only one where it leaves so few rows that comparing it with others costs more than reading them. */
export function listPlans(rows: CollectionRows, query: CheckedQuery): readonly Plan[] {
  const fixed = toFixedValues(query.where);
  const plans: Plan[] = [];
  for (const index of listIndexes(rows, query)) {
    const plan = toPlan(rows, index, { query, fixed });
    if (plan.size <= FEW_ROWS) return [plan];
    plans.push(plan);
  }
  return plans;
}

/** The plan that costs least; undefined when there is none. */
export function smallest(plans: readonly Plan[], cost: (plan: Plan) => number): Plan | undefined {
  return plans.reduce<Plan | undefined>((best, plan) => (best === undefined || cost(plan) < cost(best) ? plan : best), undefined);
}
