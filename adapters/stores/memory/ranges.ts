import type { CheckedQuery } from '../../../lib/store/check-query.ts';
import {
  countFixed,
  isOrdered,
  toFixedValues,
  toIndexRanges,
  type FixedValues,
  type IndexRange,
} from '../../../lib/store/query-plan.ts';
import { and, eq, not, type Order, type Predicate, type Scalar } from '../../../lib/store/query.ts';
import { toSortValue, type SortKeys, type SortValue } from '../../../lib/store/row.ts';
import { fold } from '../../../lib/store/stored-text.ts';
import type { CollectionRows } from './collection-rows.ts';
import type { FieldRows } from './field-rows.ts';
import type { ListRows } from './list-rows.ts';
import type { SortedRows } from './sorted-rows.ts';

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
    const part =
      at === 0 ? where : and(where, not({ op: 'hasAny', field: list.field, values: items.slice(0, at) }));
    const ranges = toIndexRanges(part, [list.field, ...leading], {
      last: toBounded(sortKeys, list.sortedBy[depth]),
      fixed: new Map([...fixed, [list.field, [item]]]),
    });
    return ranges.map((range) =>
      toRange(list.get(item), toPrefix(sortKeys, leading, range.values.slice(1)), range),
    );
  });
}
