import type { CheckedQuery } from '../../lib/store/check-query.ts';
import { compileFind, PLAIN_ACCESS, type Sql } from '../sql/compile-query.ts';
import { compileWhere, Params } from '../sql/compile-where.ts';
import { quoteName } from '../sql/dialect.ts';
import type { SqlValues } from '../sql/record-columns.ts';
import { sqliteDialect } from './dialect.ts';
import type { Session } from './session.ts';

/** A search as statements that take little time each. */
export interface FarSearch {
  /** The ids of the records to test, from an index. Null: all records are tested. */
  readonly candidates: Sql | null;
  /** The last id of the next records after an id. Parameters: the id, their number. */
  readonly end: string;
  /** The ids that match. Its first parameters are a list of ids, or the bounds of a range of ids. */
  readonly filter: Sql;
  /** The page. Its first parameter is the list of all ids that match. Null: it is not wanted. */
  readonly page: Sql | null;
}

/** Most records that are tested between two looks at whether somebody still waits. */
const STEP = 2000;

/** The statements of a search. `candidates`: see FarSearch. */
export function compileSearch(query: CheckedQuery, candidates: Sql | null): FarSearch {
  const { collection, where, limit } = query;
  const name = quoteName(collection.name);
  const params = new Params(sqliteDialect);
  const reached = candidates === null ? '"id" > ? AND "id" <= ?' : sqliteDialect.inList('"id"', '?', 'integer');
  const test = compileWhere({ dialect: sqliteDialect, collection, params, gather: false }, where);
  // A list of several ids, so that it is compiled as a list. The ids follow when they are known.
  const found: CheckedQuery = { ...query, where: { op: 'in', field: 'id', values: [0, 1] } };
  return {
    candidates,
    end: `SELECT max("id") FROM (SELECT "id" FROM ${name} WHERE "id" > ? ORDER BY "id" LIMIT ?)`,
    filter: { text: `SELECT "id" FROM ${name} NOT INDEXED WHERE ${reached} AND ${test}`, values: params.values },
    page: limit === 0 ? null : compileFind(sqliteDialect, found, { ...PLAIN_ACCESS, hint: ' NOT INDEXED' }),
  };
}

/** The first parameters of each step. */
function* listSteps(session: Session, { candidates, end }: FarSearch): Generator<readonly (string | number)[]> {
  if (candidates !== null) {
    const ids = session.all(candidates.text, candidates.values).map(([id]) => Number(id));
    for (let at = 0; at < ids.length; at += STEP) yield [JSON.stringify(ids.slice(at, at + STEP))];
    return;
  }
  for (let last = 0; ;) {
    const next = session.number(end, [last, STEP]);
    if (next === 0) return;
    yield [last, next];
    last = next;
  }
}

/** Finds all matches, and the records of the page. @throws SqliteFailure, the error of `checkWaiting` */
export function searchFar(session: Session, search: FarSearch, checkWaiting: () => void): { readonly total: number; readonly rows: readonly SqlValues[] } {
  const { filter, page } = search;
  const found: number[] = [];
  for (const step of listSteps(session, search)) {
    checkWaiting();
    for (const [id] of session.all(filter.text, [...step, ...filter.values])) found.push(Number(id));
  }
  checkWaiting();
  const rows = page === null || found.length === 0 ? [] : session.all(page.text, [JSON.stringify(found), ...page.values.slice(1)]);
  return { total: found.length, rows };
}
