import { fieldOf } from '../../../../lib/store/check-collections.ts';
import type { CheckedQuery } from '../../../../lib/store/check-query.ts';
import type { CollectionDescriptor } from '../../../../lib/store/collection.ts';
import {
  countFixed,
  isEverything,
  isOrdered,
  toFixedValues,
  toIndexRanges,
  type IndexRange,
} from '../../../../lib/store/query-plan.ts';
import type { Predicate, Scalar } from '../../../../lib/store/query.ts';
import { fold } from '../../../../lib/store/stored-text.ts';
import { showColumn, type Sql } from '../../sql/compile-query.ts';
import { compileWhere, Params } from '../../sql/compile-where.ts';
import { quoteName } from '../../sql/dialect.ts';
import { toSortColumns } from '../../sql/names.ts';
import { compileAfter, listSelected, type PageQuery } from '../../sql/page-query.ts';
import { sqliteDialect } from '../dialect.ts';
import type { ListIndex } from '../schema/list-index.ts';

/** Most ranges of an index that are read side by side, such as those of several languages. */
const MOST_RANGES = 20;

/** The ranges of an index that together contain the matches of a query. Their `rest` has only conditions on other lists, which are looked up by the id of the record. */
export interface ListIndexRange {
  readonly index: ListIndex;
  readonly item: Scalar;
  /** How many leading fields have known values. `values`: the item, then those values. */
  readonly depth: number;
  readonly ranges: readonly IndexRange[];
}

function listItems(where: Predicate, field: string): readonly Scalar[] {
  if (where.op === 'and') return where.of.flatMap((each) => listItems(each, field));
  return (where.op === 'hasAny' || where.op === 'hasAll') &&
    where.field === field &&
    where.values.length === 1
    ? where.values
    : [];
}

function toListIndexRange(index: ListIndex, { collection, where }: CheckedQuery): ListIndexRange | null {
  const [item] = listItems(where, index.field);
  if (item === undefined) return null;
  const fixed = new Map([...toFixedValues(where), [index.field, [item]]]);
  const depth = countFixed(index.sortedBy, fixed, MOST_RANGES);
  const next = index.sortedBy[depth];
  // A bound is on the text itself, but a folded field is sorted by its folded text.
  const last = next === undefined || fieldOf(collection, next)?.folded ? undefined : next;
  const ranges = toIndexRanges(where, [index.field, ...index.sortedBy.slice(0, depth)], {
    last,
    fixed,
  });
  return ranges.length > 0 && ranges.every(({ rest }) => isAboutLists(rest))
    ? { index, item, depth, ranges }
    : null;
}

function isAboutLists(rest: Predicate): boolean {
  if (rest.op === 'not') return isAboutLists(rest.of);
  return 'field' in rest ? rest.op === 'hasAny' || rest.op === 'hasAll' : rest.of.every(isAboutLists);
}

/** The index ranges that contain the matches, in the order of the query if `ordered`. */
export function listListIndexRanges(
  indexes: readonly ListIndex[],
  query: CheckedQuery,
  ordered: boolean,
): readonly ListIndexRange[] {
  return indexes.flatMap((index) => {
    const range = toListIndexRange(index, query);
    return range !== null && (!ordered || isOrdered(index.sortedBy, range.depth, query.order)) ? [range] : [];
  });
}

type Condition = readonly [text: string, value: Scalar];

function toConditions(
  { index, depth }: ListIndexRange,
  { values: [item = 0, ...values], lower, upper }: IndexRange,
  collection: CollectionDescriptor,
): readonly Condition[] {
  const equal = index.sortedBy.slice(0, depth).flatMap((field, at): readonly Condition[] => {
    const value = values[at] ?? '';
    return toSortColumns(collection, field).map((column) => [
      `${quoteName(column)} = ?`,
      column === field ? value : fold(String(value)),
    ]);
  });
  const next = quoteName(index.sortedBy[depth] ?? 'record');
  return [
    ['"value" = ?', item],
    ...equal,
    ...(lower === null ? [] : [[`${next} ${lower.open ? '>' : '>='} ?`, lower.value] as const]),
    ...(upper === null ? [] : [[`${next} ${upper.open ? '<' : '<='} ?`, upper.value] as const]),
  ];
}

function compileFrom(
  walk: ListIndexRange,
  range: IndexRange,
  { collection, page }: { readonly collection: CollectionDescriptor; readonly page?: PageQuery },
): Sql {
  const conditions = toConditions(walk, range, collection);
  const params = new Params(sqliteDialect);
  const id = `${quoteName(walk.index.name)}."record"`;
  const target = { dialect: sqliteDialect, collection, params, gather: false, id };
  const others = isEverything(range.rest) ? [] : [compileWhere(target, range.rest)];
  const after =
    page === undefined
      ? []
      : compileAfter(page, {
          dialect: sqliteDialect,
          params,
          toSql: ({ name }) => quoteName(name === 'id' ? 'record' : name),
        });
  return {
    text: `FROM ${quoteName(walk.index.name)} WHERE ${[...conditions.map(([text]) => text), ...others, ...after].join(' AND ')}`,
    values: [...conditions.map(([, value]) => sqliteDialect.toParam(value)), ...params.values],
  };
}

/** One page of index ranges in the order of the query. Only the records of the page are looked up, not those before it. */
export function compileRangeFind(walk: ListIndexRange, query: PageQuery): Sql {
  const {
    collection,
    order: [first],
    limit,
    offset,
    omitted,
  } = query;
  const last = walk.index.sortedBy.at(-1);
  const isByLast = last !== undefined && first !== undefined && 'field' in first && first.field === last;
  const keys = [...(isByLast ? toSortColumns(collection, last) : []), 'record'].map(quoteName);
  const orderBy = (prefix: string): string =>
    `ORDER BY ${keys.map((key) => `${prefix}${key} ${first?.direction === 'desc' ? 'DESC' : 'ASC'}`).join(', ')}`;
  const all = limit === Infinity ? -1 : limit;
  const toPage = (from: string): string => `SELECT ${keys.join(', ')} ${from} ${orderBy('')} LIMIT ?`;
  const parts = walk.ranges.map((range) => compileFrom(walk, range, { collection, page: query }));
  const [only] = parts;
  // Each range ends where the page does.
  const end = limit === Infinity ? -1 : offset + limit;
  const { text, values }: Sql =
    parts.length === 1 && only !== undefined
      ? only
      : {
          text: `FROM (${parts.map((part) => `SELECT * FROM (${toPage(part.text)})`).join(' UNION ALL ')})`,
          values: parts.flatMap((part) => part.values.concat(end)),
        };
  const columns = listSelected(query).map((name) => showColumn(name, omitted, 'r.'));
  return {
    text: `SELECT ${columns.join(', ')} FROM (${toPage(text)} OFFSET ?) AS p CROSS JOIN ${quoteName(collection.name)} AS r ON r."id" = p."record" ${orderBy('p.')}`,
    values: [...values, all, offset],
  };
}

/** The number of records in index ranges. */
export function compileRangeCount(walk: ListIndexRange, { collection }: CheckedQuery): Sql {
  const parts = walk.ranges.map((range) => compileFrom(walk, range, { collection }));
  return {
    text: `SELECT ${parts.map(({ text }) => `(SELECT count(*) ${text})`).join(' + ')}`,
    values: parts.flatMap(({ values }) => values),
  };
}
