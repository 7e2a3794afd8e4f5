import type { CollectionDescriptor } from '../../lib/store/collection.ts';
import { fieldOf } from '../../lib/store/check-collections.ts';
import { fold } from '../../lib/store/stored-text.ts';
import type { Predicate, Scalar } from '../../lib/store/query.ts';
import type { CheckedQuery } from '../../lib/store/check-query.ts';
import { countFixed, isEverything, isOrdered, toFixedValues, toIndexRanges, type IndexRange } from '../../lib/store/query-plan.ts';
import { showColumn, type Sql } from '../sql/compile-query.ts';
import { quoteName } from '../sql/dialect.ts';
import { toSortColumns } from '../sql/tables.ts';
import { sqliteDialect } from './dialect.ts';
import type { ListIndex } from './list-index.ts';

/** The index range that contains exactly the matches of a query. */
export interface ListIndexRange {
  readonly index: ListIndex;
  /** How many leading fields have known values. `values`: the item, then those values. */
  readonly depth: number;
  readonly range: IndexRange;
}

function listItems(where: Predicate, field: string): readonly Scalar[] {
  if (where.op === 'and') return where.of.flatMap((each) => listItems(each, field));
  return (where.op === 'hasAny' || where.op === 'hasAll') && where.field === field && where.values.length === 1 ? where.values : [];
}

function toListIndexRange(index: ListIndex, { collection, where }: CheckedQuery): ListIndexRange | null {
  const [item] = listItems(where, index.field);
  if (item === undefined) return null;
  const fixed = new Map([...toFixedValues(where), [index.field, [item]]]);
  const depth = countFixed(index.sortedBy, fixed, 1);
  const next = index.sortedBy[depth];
  // A bound is on the text itself, but a folded field is sorted by its folded text.
  const last = next === undefined || fieldOf(collection, next)?.folded ? undefined : next;
  const [range, ...others] = toIndexRanges(where, [index.field, ...index.sortedBy.slice(0, depth)], { last, fixed });
  return range !== undefined && others.length === 0 && isEverything(range.rest) ? { index, depth, range } : null;
}

/** The index range with exactly the matches, in the order of the query if `ordered`; null when no index has one. */
export function findListIndexRange(indexes: readonly ListIndex[], query: CheckedQuery, ordered: boolean): ListIndexRange | null {
  for (const index of indexes) {
    const range = toListIndexRange(index, query);
    if (range !== null && (!ordered || isOrdered(index.sortedBy, range.depth, query.order))) return range;
  }
  return null;
}

type Condition = readonly [text: string, value: Scalar];

function toConditions({ index, depth, range: { values: [item = 0, ...values], lower, upper } }: ListIndexRange, collection: CollectionDescriptor): readonly Condition[] {
  const equal = index.sortedBy.slice(0, depth).flatMap((field, at): readonly Condition[] => {
    const value = values[at] ?? '';
    return toSortColumns(collection, field).map((column) => [`${quoteName(column)} = ?`, column === field ? value : fold(String(value))]);
  });
  const next = quoteName(index.sortedBy[depth] ?? 'record');
  return [
    ['"value" = ?', item], ...equal,
    ...(lower === null ? [] : [[`${next} ${lower.open ? '>' : '>='} ?`, lower.value] as const]),
    ...(upper === null ? [] : [[`${next} ${upper.open ? '<' : '<='} ?`, upper.value] as const]),
  ];
}

function compileFrom(range: ListIndexRange, collection: CollectionDescriptor): Sql {
  const conditions = toConditions(range, collection);
  return {
    text: `FROM ${quoteName(range.index.name)} WHERE ${conditions.map(([text]) => text).join(' AND ')}`,
    values: conditions.map(([, value]) => sqliteDialect.toParam(value)),
  };
}

/** One page of an index range in the order of the query. Only the records of the page are looked up, not those before it. */
export function compileRangeFind(range: ListIndexRange, { collection, order: [first], limit, offset, fields, omitted }: CheckedQuery): Sql {
  const { text, values } = compileFrom(range, collection);
  const next = range.index.sortedBy[range.depth];
  const keys = [...(next === undefined ? [] : toSortColumns(collection, next)), 'record'].map(quoteName);
  const orderBy = (prefix: string): string => `ORDER BY ${keys.map((key) => `${prefix}${key} ${first?.direction === 'desc' ? 'DESC' : 'ASC'}`).join(', ')}`;
  const page = `SELECT ${keys.join(', ')} ${text} ${orderBy('')} LIMIT ? OFFSET ?`;
  const columns = ['id', 'version', ...fields].map((name) => showColumn(name, omitted, 'r.'));
  return {
    text: `SELECT ${columns.join(', ')} FROM (${page}) AS p CROSS JOIN ${quoteName(collection.name)} AS r ON r."id" = p."record" ${orderBy('p.')}`,
    values: [...values, limit === Infinity ? -1 : limit, offset],
  };
}

/** The number of records in an index range. */
export function compileRangeCount(range: ListIndexRange, { collection }: CheckedQuery): Sql {
  const { text, values } = compileFrom(range, collection);
  return { text: `SELECT count(*) ${text}`, values };
}
