import { fold } from '../../lib/fold.ts';
import { and, eq, type Order, type Predicate, type Scalar } from '../../lib/query.ts';
import type { CheckedQuery } from '../../lib/query-check.ts';
import { countFixed, isEverything, isOrdered, listBounded, toFixedValues, toPieces, type FixedValues, type Piece } from '../../lib/query-plan.ts';
import { toSortValue, type SortValue } from '../../lib/row.ts';
import type { CollectionRows, FieldIndex } from './collection-rows.ts';

/** A stretch of one index: ranks from `from` up to, without, `to`. `rest`: what is left to test; EVERYTHING: every row in it matches. */
export interface Range {
  readonly index: FieldIndex;
  readonly from: number;
  readonly to: number;
  readonly rest: Predicate;
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

/** An index that can help. `narrowed`: fields by which it leaves rows out. */
interface Candidate {
  readonly index: FieldIndex;
  readonly depth: number;
  readonly narrowed: readonly string[];
  readonly ordered: boolean;
}

/** A plan with so few rows is taken at once. */
const FEW_ROWS = 20;
/** Most ranges that one query is split into. */
const MOST_PIECES = 1000;

/** What rows with these values have in the slots of the fields. */
export function toPrefix(rows: CollectionRows, fields: readonly string[], values: readonly Scalar[]): readonly SortValue[] {
  const prefix: SortValue[] = [];
  for (const [at, value] of values.entries()) {
    if (rows.layout.folded[fields[at] ?? ''] !== undefined) prefix.push(toSortValue(fold(String(value))));
    prefix.push(toSortValue(value));
  }
  return prefix;
}

function toRange(rows: CollectionRows, index: FieldIndex, { values, lower, upper, rest }: Piece): Range {
  const prefix = toPrefix(rows, index.fields, values);
  const from = lower === null ? index.rows.rank(prefix, false) : index.rows.rank([...prefix, toSortValue(lower.value)], lower.open);
  const to = upper === null ? index.rows.rank(prefix, true) : index.rows.rank([...prefix, toSortValue(upper.value)], !upper.open);
  return { index, from, to: Math.max(from, to), rest };
}

/** The pieces of one index. A folded field is not bounded: bounds are on the text itself. */
function toRanges(rows: CollectionRows, index: FieldIndex, { where, fixed, most }: { readonly where: Predicate; readonly fixed: FixedValues; readonly most: number }): readonly Range[] {
  const depth = countFixed(index.fields, fixed, most);
  const next = index.fields[depth];
  const last = next !== undefined && rows.layout.folded[next] === undefined ? next : undefined;
  return toPieces(where, index.fields.slice(0, depth), { last, fixed }).map((piece) => toRange(rows, index, piece));
}

interface Chosen {
  readonly candidate: Candidate;
  readonly fixed: FixedValues;
}

/** The index in the order of the query that fixes most fields to one value. */
function findOrdered(rows: CollectionRows, order: readonly Order[], fixed: FixedValues): FieldIndex | undefined {
  const depth = ({ fields }: FieldIndex): number => countFixed(fields, fixed, 1);
  return rows.indexes.filter((index) => isOrdered(index.fields, depth(index), order)).toSorted((a, b) => depth(b) - depth(a))[0];
}

/** Ranges in the order of the query. A piece may fix more fields than all of them do: then a longer index leaves less to test. */
function toOrderedRanges(rows: CollectionRows, { where, order }: CheckedQuery, { candidate: { index, depth }, fixed }: Chosen): readonly Range[] {
  const leading = index.fields.slice(0, depth);
  const pieces = toPieces(where, leading, { last: undefined, fixed });
  if (pieces.length === 1) return toRanges(rows, index, { where, fixed, most: MOST_PIECES });
  return pieces.flatMap(({ values, rest }) => {
    const part = and(...values.map((value, at) => eq(leading[at] ?? 'id', value)), rest);
    const known = toFixedValues(part);
    const longest = known.size === leading.length ? index : findOrdered(rows, order, known);
    return longest === undefined ? [] : toRanges(rows, longest, { where: part, fixed: known, most: 1 });
  });
}

function toPlan(rows: CollectionRows, query: CheckedQuery, chosen: Chosen): Plan {
  const { candidate: { index, ordered }, fixed } = chosen;
  const ranges = ordered ? toOrderedRanges(rows, query, chosen) : toRanges(rows, index, { where: query.where, fixed, most: MOST_PIECES });
  let [size, tested] = [0, 0];
  for (const { from, to, rest } of ranges) {
    size += to - from;
    if (!isEverything(rest)) tested += to - from;
  }
  return { ranges, ordered, size, tested };
}

/** True when `a` leaves out whatever `b` does, and is in order if `b` is: then `b` can not be better. */
function outdoes(a: Candidate, b: Candidate): boolean {
  return (a.ordered || !b.ordered) && b.narrowed.every((field) => a.narrowed.includes(field));
}

function listCandidates(rows: CollectionRows, { where, order }: CheckedQuery, fixed: FixedValues): readonly Candidate[] {
  const bounded = listBounded(where);
  let found: Candidate[] = [];
  for (const index of rows.indexes) {
    const { fields } = index;
    const depth = countFixed(fields, fixed, MOST_PIECES);
    const isBounded = bounded.includes(fields[depth] ?? '');
    const candidate: Candidate = { index, depth, narrowed: fields.slice(0, isBounded ? depth + 1 : depth), ordered: isOrdered(fields, depth, order) };
    if (found.some((other) => outdoes(other, candidate))) continue;
    found = [...found.filter((other) => !outdoes(candidate, other)), candidate];
  }
  return found;
}

/** A plan for each index that can help; only one where it leaves so few rows that comparing it with others costs more than reading them. */
export function listPlans(rows: CollectionRows, query: CheckedQuery, fixed: FixedValues): readonly Plan[] {
  const plans: Plan[] = [];
  for (const candidate of listCandidates(rows, query, fixed)) {
    const plan = toPlan(rows, query, { candidate, fixed });
    if (plan.size <= FEW_ROWS) return [plan];
    plans.push(plan);
  }
  return plans;
}

/** The plan that costs least; undefined when there is none. */
export function smallest(plans: readonly Plan[], cost: (plan: Plan) => number): Plan | undefined {
  return plans.reduce<Plan | undefined>((best, plan) => (best === undefined || cost(plan) < cost(best) ? plan : best), undefined);
}
