import type { CheckedQuery } from '../../lib/query-check.ts';
import type { FindResult } from '../../lib/store.ts';
import { compileCount, compileFind, type Sql } from '../sql/compile-query.ts';
import { createRecordReader, tellIncomplete, type SqlValues } from '../sql/record-columns.ts';
import type { TableShape } from '../sql/tables.ts';
import { AccessChooser } from './access.ts';
import type { OpenCollection } from './apply.ts';
import { sqliteDialect } from './dialect.ts';
import { listListIndexes } from './list-index.ts';
import { compileStretchCount, compileStretchFind, findStretch } from './list-walk.ts';
import type { Session } from './session.ts';

/** Answers checked queries of one collection. */
export function createFinder(session: Session, table: TableShape): (open: OpenCollection, query: CheckedQuery) => FindResult {
  const read = createRecordReader(table);
  const chooser = new AccessChooser(session, table);
  const listIndexes = listListIndexes(table);
  const compilePage = (query: CheckedQuery): Sql => {
    const stretch = findStretch(listIndexes, query, true);
    return stretch === null ? compileFind(sqliteDialect, query, chooser.toFind(query)) : compileStretchFind(stretch, query);
  };
  const compileTotal = (query: CheckedQuery): Sql => {
    const stretch = findStretch(listIndexes, query, false);
    return stretch === null ? compileCount(sqliteDialect, query, chooser.toCount(query)) : compileStretchCount(stretch, query);
  };
  const count = ({ counts }: OpenCollection, query: CheckedQuery): number => {
    const known = counts.get(query.where);
    if (known !== null) return known;
    const sql = compileTotal(query);
    const total = session.number(sql.text, sql.values);
    counts.set(query.where, total);
    return total;
  };
  const all = Object.keys(table.collection.fields).length;
  const page = ({ writer }: OpenCollection, query: CheckedQuery): readonly SqlValues[] => {
    const { text, values, single } = compilePage(query);
    if (query.limit > 1 && single !== true) return session.all(text, values);
    // One row costs less to fetch than a list of one.
    const row = session.get(text, values);
    if (row === undefined) return [];
    if (query.fields.length === all && query.omitted === null) writer.keep(row);
    return [row];
  };
  return (open, query) => {
    const total = query.total ? count(open, query) : -1;
    const rows = query.limit === 0 ? [] : page(open, query);
    return { records: rows.map((row) => read(row, query.fields)), total, ...tellIncomplete(query, rows) };
  };
}
