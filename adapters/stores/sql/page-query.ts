import type { CheckedQuery } from '../../../lib/store/check-query.ts';
import { isDeepPage, type PageMark, type PageMarks } from '../../../lib/store/count-cache.ts';
import type { Direction, Scalar } from '../../../lib/store/query.ts';
import type { StoredRecord } from '../../../lib/store/store.ts';
import { fold } from '../../../lib/store/stored-text.ts';
import type { Params } from './compile-where.ts';
import type { Dialect } from './dialect.ts';
import { toSortColumns } from './names.ts';
import type { SqlValues } from './record-columns.ts';

/** A page. `after`: it begins `offset` matches after the mark; null: it is deep, and no mark is known. */
export interface PageQuery extends CheckedQuery {
  readonly after?: PageMark | null;
}

/** A column of an order, and the value of the mark in it. `column`: SQL in the form that indexes hold. */
export interface MarkedColumn {
  readonly field: string;
  readonly name: string;
  readonly value: Scalar;
}

const OPERATORS: Readonly<Record<Direction, string>> = { asc: '>', desc: '<' };

function orderFields({ order }: CheckedQuery): readonly string[] {
  return [...new Set(order.flatMap((each) => ('field' in each ? [each.field] : [])))];
}

/** The columns of the order, with the values of the mark. */
function listMarkedColumns(query: CheckedQuery, { record }: PageMark): readonly MarkedColumn[] {
  return orderFields(query).flatMap((field) =>
    toSortColumns(query.collection, field).map((name): MarkedColumn => {
      const value = record[field] as Scalar;
      return { field, name, value: name === field ? value : fold(String(value)) };
    }),
  );
}

/** SQL that is true for the records after the mark. `toSql`: the column as SQL. */
export function compileAfter(
  query: PageQuery,
  {
    dialect,
    params,
    toSql,
  }: { readonly dialect: Dialect; readonly params: Params; readonly toSql: (column: MarkedColumn) => string },
): readonly string[] {
  if (query.after === undefined || query.after === null) return [];
  const beyond = OPERATORS[query.order[0]?.direction ?? 'asc'];
  const compile = ([first, ...others]: readonly MarkedColumn[]): string => {
    if (first === undefined) return '(1=0)';
    const column = toSql(first);
    const add = (): string => params.add(dialect.toParam(first.value));
    if (others.length === 0) return `${column} ${beyond} ${add()}`;
    // The first condition is redundant. It bounds the range of the index.
    return `${column} ${beyond}= ${add()} AND (${column} ${beyond} ${add()} OR (${compile(others)}))`;
  };
  return [compile(listMarkedColumns(query, query.after))];
}

/** A page that begins at the nearest mark, if it is deep. Indexes hold only the beginning of longer texts than `keyLength`. */
export function toPageQuery(
  query: CheckedQuery,
  marks: PageMarks,
  { keyLength }: Pick<Dialect, 'keyLength'>,
): PageQuery {
  if (!isDeepPage(query)) return query;
  const mark = marks.find(query);
  if (
    mark === null ||
    listMarkedColumns(query, mark).some(({ value }) => typeof value === 'string' && value.length >= keyLength)
  )
    return { ...query, after: null };
  return { ...query, after: mark, offset: query.offset - mark.at };
}

/** The names of the columns that a page selects: those of the record, and behind them those of its order if a mark is wanted. */
export function listSelected(query: PageQuery): readonly string[] {
  const shown = ['id', 'version', ...query.fields];
  return query.after === undefined
    ? shown
    : [
        ...new Set([
          ...shown,
          ...orderFields(query).flatMap((field) => toSortColumns(query.collection, field)),
        ]),
      ];
}

/** Keeps the end of a page as a mark. `page`: as it was read; `read`: reads a record of the collection. */
export function keepMark(
  marks: PageMarks,
  page: PageQuery,
  {
    rows,
    read,
  }: {
    readonly rows: readonly SqlValues[];
    readonly read: (row: SqlValues, fields: readonly string[]) => StoredRecord;
  },
): void {
  const last = rows.at(-1);
  if (page.after === undefined || last === undefined) return;
  const names = listSelected(page);
  const fields = orderFields(page).filter((field) => field !== 'id' && field !== 'version');
  const record = read([last[0], last[1], ...fields.map((field) => last[names.indexOf(field)])], fields);
  marks.add(page, { record, at: (page.after?.at ?? 0) + page.offset + rows.length });
}
