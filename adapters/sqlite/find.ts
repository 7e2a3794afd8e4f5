import type { Predicate } from '../../lib/query.ts';
import type { CheckedQuery } from '../../lib/query-check.ts';
import type { FindResult } from '../../lib/store.ts';
import { compileCount, compileFind } from '../sql/compile-query.ts';
import { quoteName } from '../sql/dialect.ts';
import { createRecordReader } from '../sql/record-columns.ts';
import { listName, type TableShape } from '../sql/tables.ts';
import type { OpenCollection } from './apply.ts';
import { sqliteDialect } from './dialect.ts';
import type { Session } from './session.ts';

/** A list value with fewer records than this is looked up first and its records sorted; with more, each record of the walk is asked. */
const FEW = 2000;

function listConditions(where: Predicate): readonly Extract<Predicate, { op: 'hasAny' | 'hasAll' }>[] {
  if (where.op === 'and') return where.of.flatMap(listConditions);
  return where.op === 'hasAny' || where.op === 'hasAll' ? [where] : [];
}

function isSelective(session: Session, { collection, where, limit }: CheckedQuery): boolean {
  const conditions = listConditions(where);
  if (conditions.length === 0 || limit === Infinity) return true;
  return conditions.some(({ field, values }) => {
    const text = `SELECT count(*) FROM (SELECT 1 FROM ${quoteName(listName(collection.name, field))} WHERE ${sqliteDialect.inList('"value"', '?', 'integer')} LIMIT ${FEW})`;
    return session.number(text, [sqliteDialect.toListParam(values)]) < FEW;
  });
}

/** Answers checked queries of one collection. */
export function createFinder(session: Session, table: TableShape): (open: OpenCollection, query: CheckedQuery) => FindResult {
  const read = createRecordReader(table);
  const count = ({ counts }: OpenCollection, query: CheckedQuery): number => {
    const known = counts.get(query.where);
    if (known !== null) return known;
    const sql = compileCount(sqliteDialect, query);
    const total = session.number(sql.text, sql.values);
    counts.set(query.where, total);
    return total;
  };
  return (open, query) => {
    const total = query.total ? count(open, query) : -1;
    if (query.limit === 0) return { records: [], total };
    const hasLists = listConditions(query.where).length > 0;
    const sql = compileFind(sqliteDialect, query, { gather: hasLists && isSelective(session, query) });
    return { records: session.all(sql.text, sql.values).map((row) => read(row, query.fields)), total };
  };
}
