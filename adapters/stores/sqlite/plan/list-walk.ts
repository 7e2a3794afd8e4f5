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

/** An index range that contains the matches of a query. `range.rest` has only conditions on other lists, which are looked up by the id of the record. */
export interface ListIndexRange {
  readonly index: ListIndex;
  readonly item: Scalar;
  /** How many leading fields have known values. `values`: the item, then those values. */
  readonly depth: number;
  readonly range: IndexRange;
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
  const depth = countFixed(index.sortedBy, fixed, 1);
  const next = index.sortedBy[depth];
  // A bound is on the text itself, but a folded field is sorted by its folded text.
  const last = next === undefined || fieldOf(collection, next)?.folded ? undefined : next;
  const [range, ...others] = toIndexRanges(where, [index.field, ...index.sortedBy.slice(0, depth)], {
    last,
    fixed,
  });
  return range !== undefined && others.length === 0 && isAboutLists(range.rest)
    ? { index, item, depth, range }
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
  {
    index,
    depth,
    range: {
      values: [item = 0, ...values],
      lower,
      upper,
    },
  }: ListIndexRange,
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
  range: ListIndexRange,
  { collection, page }: { readonly collection: CollectionDescriptor; readonly page?: PageQuery },
): Sql {
  const conditions = toConditions(range, collection);
  const { rest } = range.range;
  const params = new Params(sqliteDialect);
  const others = isEverything(rest)
    ? []
    : [
        compileWhere(
          {
            dialect: sqliteDialect,
            collection,
            params,
            gather: false,
            id: `${quoteName(range.index.name)}."record"`,
          },
          rest,
        ),
      ];
  const after =
    page === undefined
      ? []
      : compileAfter(page, {
          dialect: sqliteDialect,
          params,
          toSql: ({ name }) => quoteName(name === 'id' ? 'record' : name),
        });
  return {
    text: `FROM ${quoteName(range.index.name)} WHERE ${[...conditions.map(([text]) => text), ...others, ...after].join(' AND ')}`,
    values: [...conditions.map(([, value]) => sqliteDialect.toParam(value)), ...params.values],
  };
}

/** One page of an index range in the order of the query. Only the records of the page are looked up, not those before it. */
export function compileRangeFind(range: ListIndexRange, query: PageQuery): Sql {
  const {
    collection,
    order: [first],
    limit,
    offset,
    omitted,
  } = query;
  const { text, values } = compileFrom(range, { collection, page: query });
  const next = range.index.sortedBy[range.depth];
  const keys = [...(next === undefined ? [] : toSortColumns(collection, next)), 'record'].map(quoteName);
  const orderBy = (prefix: string): string =>
    `ORDER BY ${keys.map((key) => `${prefix}${key} ${first?.direction === 'desc' ? 'DESC' : 'ASC'}`).join(', ')}`;
  const page = `SELECT ${keys.join(', ')} ${text} ${orderBy('')} LIMIT ? OFFSET ?`;
  const columns = listSelected(query).map((name) => showColumn(name, omitted, 'r.'));
  return {
    text: `SELECT ${columns.join(', ')} FROM (${page}) AS p CROSS JOIN ${quoteName(collection.name)} AS r ON r."id" = p."record" ${orderBy('p.')}`,
    values: [...values, limit === Infinity ? -1 : limit, offset],
  };
}

/** The number of records in an index range. */
export function compileRangeCount(range: ListIndexRange, { collection }: CheckedQuery): Sql {
  const { text, values } = compileFrom(range, { collection });
  return { text: `SELECT count(*) ${text}`, values };
}
