import type { CheckedQuery } from '../../../lib/store/check-query.ts';
import { fieldOf, type CollectionDescriptor } from '../../../lib/store/collection.ts';
import {
  countExcluded,
  countFixed,
  type FixedValues,
  type IndexRange,
  isOrdered,
  toFixedValues,
  toIndexRanges,
} from '../../../lib/store/query-plan.ts';
import type { Order, Predicate, Scalar } from '../../../lib/store/query.ts';
import type { Access, Walk } from './compile-query.ts';
import type { IndexShape } from './tables.ts';

/** Most index ranges that are read side by side. */
const MOST_WALKS = 20;

/** An index whose ranges are in the order of a query, and the fields that split it into ranges. */
interface OrderedIndex {
  readonly index: IndexShape;
  readonly leading: readonly string[];
}

function findLongest(
  indexes: readonly IndexShape[],
  order: readonly Order[],
  { fixed, most }: { readonly fixed: FixedValues; readonly most: number },
): OrderedIndex | null {
  const ordered = indexes.filter(
    (index) => !index.unique && isOrdered(index.fields, countFixed(index.fields, fixed, most), order),
  );
  const [index] = ordered.toSorted((a, b) => b.fields.length - a.fields.length);
  return index === undefined
    ? null
    : { index, leading: index.fields.slice(0, countFixed(index.fields, fixed, most)) };
}

/** The index that gives a page of the query without sorting. Null when there is none, or when the query has no limit. */
export function findOrderedIndex(
  indexes: readonly IndexShape[],
  { where, order, limit }: CheckedQuery,
): OrderedIndex | null {
  return limit === Infinity
    ? null
    : findLongest(indexes, order, { fixed: toFixedValues(where), most: MOST_WALKS });
}

/** Index entries that can be skipped in the time that it takes to read one record. */
const ENTRIES_A_RECORD = 20;

/** A part of the matches, and the index fields that find them. */
interface Reach {
  readonly where: Predicate;
  readonly fields: readonly string[];
  readonly leading: readonly string[];
  readonly fixed: FixedValues;
}

/** How many records the index returns that do not match because they are excluded by id. Infinity when other conditions must be tested. */
export function countMisses(
  collection: CollectionDescriptor,
  { where, fields, leading, fixed }: Reach,
): number {
  const next = fields[leading.length];
  // A folded field is sorted by its folded text, but a bound is on the text itself.
  const last = next === undefined || fieldOf(collection, next)?.folded === true ? undefined : next;
  return toIndexRanges(where, leading, { last, fixed }).reduce(
    (sum, { rest }) => sum + countExcluded(rest),
    0,
  );
}

/** Most records that a page reads. `misses`: records that the index returns and that do not match. */
export function countReads(
  { limit, offset }: Pick<CheckedQuery, 'limit' | 'offset'>,
  misses: number,
): number {
  return limit + misses + offset / ENTRIES_A_RECORD;
}

/** One range may fix more fields than all ranges do. A longer index then serves it better. */
function toReach(
  { values, rest }: IndexRange,
  leading: readonly string[],
  choose: (fixed: FixedValues) => OrderedIndex | null,
): Reach & { readonly index: IndexShape | null } {
  const fixed: FixedValues = new Map<string, readonly Scalar[]>([
    ...toFixedValues(rest),
    ...leading.map((field, at) => [field, values.slice(at, at + 1)] as const),
  ]);
  const chosen = choose(fixed);
  return {
    where: rest,
    fixed,
    index: chosen?.index ?? null,
    fields: chosen?.index.fields ?? [],
    leading: chosen?.leading ?? [],
  };
}

/** One ordered range for each combination of values of the leading fields. Each range ends when the page is full. `hintOf`: see Access. */
export function toOrderedAccess(
  indexes: readonly IndexShape[],
  query: CheckedQuery,
  { found, hintOf }: { readonly found: OrderedIndex; readonly hintOf: (index: IndexShape) => string },
): Access {
  const { index, leading } = found;
  const ranges = toIndexRanges(query.where, leading, { last: undefined, fixed: toFixedValues(query.where) });
  const reaches = ranges.map((range) =>
    toReach(range, leading, (fixed) =>
      leading.length === 0 ? found : findLongest(indexes, query.order, { fixed, most: 1 }),
    ),
  );
  const misses = reaches.reduce((sum, reach) => sum + countMisses(query.collection, reach), 0);
  const walks = reaches.map(({ index: longest, fixed, where, leading: own }): Walk => ({
    hint: longest === null ? '' : hintOf(longest),
    fixed: [...new Set([...leading, ...own])].map((field) => [field, fixed.get(field) ?? []]),
    rest: where,
  }));
  return {
    hint: hintOf(index),
    gather: false,
    leading,
    single: false,
    apart: false,
    reads: countReads(query, misses),
    walks: leading.length === 0 ? [] : walks,
  };
}
