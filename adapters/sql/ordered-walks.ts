import type { CheckedQuery } from '../../lib/query-check.ts';
import type { Order, Scalar } from '../../lib/query.ts';
import { countFixed, isOrdered, toFixedValues, toPieces, type FixedValues, type Piece } from '../../lib/query-plan.ts';
import type { Access, Walk } from './compile-query.ts';
import type { IndexShape } from './tables.ts';

/** Most walks side by side. */
const MOST_WALKS = 20;

/** An index whose pieces lie in the order of a query, and the fields by which it is cut into them. */
export interface OrderedIndex {
  readonly index: IndexShape;
  readonly leading: readonly string[];
}

function findLongest(indexes: readonly IndexShape[], order: readonly Order[], { fixed, most }: { readonly fixed: FixedValues; readonly most: number }): OrderedIndex | null {
  const ordered = indexes.filter((index) => !index.unique && isOrdered(index.fields, countFixed(index.fields, fixed, most), order));
  const [index] = ordered.toSorted((a, b) => b.fields.length - a.fields.length);
  return index === undefined ? null : { index, leading: index.fields.slice(0, countFixed(index.fields, fixed, most)) };
}

/** The index that gives a page of the query without sorting; null when there is none, or no page was asked for. */
export function findOrderedIndex(indexes: readonly IndexShape[], { where, order, limit }: CheckedQuery): OrderedIndex | null {
  return limit === Infinity ? null : findLongest(indexes, order, { fixed: toFixedValues(where), most: MOST_WALKS });
}

/** A piece may fix more fields than all of them do: then a longer index serves it better. */
function toWalk({ values, rest }: Piece, leading: readonly string[], choose: (fixed: FixedValues) => { readonly hint: string; readonly leading: readonly string[] }): Walk {
  const known: FixedValues = new Map<string, readonly Scalar[]>([...toFixedValues(rest), ...leading.map((field, at) => [field, values.slice(at, at + 1)] as const)]);
  const chosen = choose(known);
  return { hint: chosen.hint, fixed: [...new Set([...leading, ...chosen.leading])].map((field) => [field, known.get(field) ?? []]), rest };
}

/** One walk in the order of the query for each combination of the leading fields' values: each may end when the page is full. `hintOf`: see Access. */
export function toOrderedAccess(indexes: readonly IndexShape[], query: CheckedQuery, { found, hintOf }: { readonly found: OrderedIndex; readonly hintOf: (index: IndexShape) => string }): Access {
  const { index, leading } = found;
  const pieces = leading.length === 0 ? [] : toPieces(query.where, leading, { last: undefined, fixed: toFixedValues(query.where) });
  const choose = (fixed: FixedValues): { readonly hint: string; readonly leading: readonly string[] } => {
    const longest = findLongest(indexes, query.order, { fixed, most: 1 });
    return longest === null ? { hint: '', leading: [] } : { hint: hintOf(longest.index), leading: longest.leading };
  };
  return { hint: hintOf(index), gather: false, leading, single: false, walks: pieces.map((piece) => toWalk(piece, leading, choose)) };
}
