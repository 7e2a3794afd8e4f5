import type { CheckedQuery } from '../../../../lib/store/check-query.ts';
import { splitSearches } from '../../../../lib/store/query-cost.ts';
import type { Predicate } from '../../../../lib/store/query.ts';
import { compileFind, PLAIN_ACCESS, type Access, type Sql } from '../../sql/compile-query.ts';
import { compileWhere, Params } from '../../sql/compile-where.ts';
import { quoteName } from '../../sql/dialect.ts';
import type { SqlValues } from '../../sql/record-columns.ts';
import { sqliteDialect } from '../dialect.ts';
import type { Compiler } from '../plan/statements.ts';
import type { TextIndex } from '../schema/text-index.ts';
import type { Session } from '../session.ts';
import { intersect, NO_IDS, parseIds, subtract, unite, type IdList } from './id-list.ts';
import { TextMatches } from './text-matches.ts';

/** A search as statements that take little time each. Those for ids return them as one text. */
export interface FarSearch {
  /** The index of the texts; null: there is none. */
  readonly index: Pick<TextIndex, 'name' | 'fields'> | null;
  /** The conditions that search texts. */
  readonly texts: Predicate;
  /** The ids of the records that satisfy all other conditions. */
  readonly others: Sql;
  /** The ids that match, of a list of ids or of a range of them, which is the first parameter or the first two. */
  readonly amongList: Sql;
  readonly amongRange: Sql;
  /** The ids of some of the first records in the order of the query that satisfy the other conditions. Null: no index has the order. */
  readonly first: Sql | null;
  /** The ids of the page in its order, without the other columns of the records before it, and its records. Their first parameter is a list of ids. Null: it is not wanted. */
  readonly page: { readonly ids: Sql; readonly records: Sql } | null;
  /** How many matches there are up to the end of the page. */
  readonly end: number;
  /** Most records that are tested between two looks at whether somebody still waits. */
  readonly step: number;
}

const STEP = 2000;
const BY_ID: Access = { ...PLAIN_ACCESS, hint: ' NOT INDEXED' };
/** One in so many of the first records matches, if the page is found among them. */
const SPREAD = 20;
/** Most of the first records that are looked at. */
const MOST_FIRST = 10_000;

interface Parts {
  readonly compiler: Compiler;
  /** See FarSearch. */
  readonly index: TextIndex | null;
  readonly step?: number | undefined;
}

/** The statements of a search. */
export function compileSearch(query: CheckedQuery, { compiler, index, step = STEP }: Parts): FarSearch {
  const { collection, where, offset, limit, order } = query;
  const { texts, others } = splitSearches(where);
  const filter = (among: string): Sql => {
    const params = new Params(sqliteDialect);
    const test = compileWhere({ dialect: sqliteDialect, collection, params, gather: false }, where);
    return {
      text: `SELECT group_concat("id") FROM ${quoteName(collection.name)} NOT INDEXED WHERE ${among} AND ${test}`,
      values: params.values,
    };
  };
  // A list of several ids, so that it is compiled as a list. The ids follow when they are known.
  const found: CheckedQuery = { ...query, where: { op: 'in', field: 'id', values: [0, 1] } };
  const span = SPREAD * (offset + limit);
  const first =
    limit > 0 && span <= MOST_FIRST && order.every((each) => 'field' in each)
      ? compiler.ordered({ ...query, where: others, fields: [], omitted: null, offset: 0, limit: span })
      : null;
  return {
    index: index === null ? null : { name: index.name, fields: index.fields },
    texts,
    others: compiler.ids({ ...query, where: others }),
    amongList: filter(sqliteDialect.inList('"id"', '?', 'integer')),
    amongRange: filter('"id" >= ? AND "id" <= ?'),
    first,
    page:
      limit === 0
        ? null
        : {
            ids: compileFind(sqliteDialect, { ...found, fields: [], omitted: null }, BY_ID),
            records: compileFind(sqliteDialect, { ...found, offset: 0 }, BY_ID),
          },
    end: offset + limit,
    step,
  };
}

const toList = (ids: IdList): string => `[${ids.join()}]`;

/** Neighbours are read as a range, because looking up each record takes longer than testing some that cannot match. */
const DENSE = 4;

/** The records of a list that match, found in steps. Further matches may be among them. */
function testEach(
  session: Session,
  { amongList, amongRange, step }: FarSearch,
  { ids, checkWaiting }: { readonly ids: IdList; readonly checkWaiting: () => void },
): IdList {
  // One step after the other, so they are in ascending order.
  const found: number[] = [];
  for (let at = 0; at < ids.length; at += step) {
    checkWaiting();
    const some = ids.subarray(at, at + step);
    const [low = 0, high = 0] = [some[0], some.at(-1)];
    const [{ text, values }, among] =
      high - low < DENSE * some.length ? [amongRange, [low, high]] : [amongList, [toList(some)]];
    found.push(...parseIds(session.get(text, [...among, ...values])?.[0]));
  }
  return Float64Array.from(found);
}

function findAll(session: Session, search: FarSearch, checkWaiting: () => void): IdList {
  const { index, texts, others, step } = search;
  const matches = index === null ? null : new TextMatches(session, index);
  const candidates = matches?.find(texts) ?? null;
  if (candidates !== null && candidates.length <= step)
    return testEach(session, search, { ids: candidates, checkWaiting });
  checkWaiting();
  const allowed = parseIds(session.get(others.text, others.values)?.[0]);
  const among = candidates === null ? allowed : intersect(candidates, allowed);
  const { most, least } = matches?.toBounds(texts, among) ?? { most: among, least: NO_IDS };
  return unite(least, testEach(session, search, { ids: subtract(most, least), checkWaiting }));
}

/** The ids from which the page is read: those of its beginning, if that is enough, or all. */
function toBeginning(session: Session, { first, end, step }: FarSearch, found: IdList): IdList {
  if (first === null || found.length <= step) return found;
  const among = parseIds(
    session
      .all(first.text, first.values)
      .map(([id]) => id)
      .join(),
  );
  const beginning = intersect(found, among);
  return beginning.length >= end ? beginning : found;
}

/** Finds all matches, and the records of the page. @throws SqliteFailure, the error of `checkWaiting` */
export function searchFar(
  session: Session,
  search: FarSearch,
  checkWaiting: () => void,
): { readonly total: number; readonly rows: readonly SqlValues[] } {
  const { page } = search;
  const found = findAll(session, search, checkWaiting);
  checkWaiting();
  if (page === null || found.length === 0) return { total: found.length, rows: [] };
  const select = ({ text, values }: Sql, ids: string): readonly SqlValues[] =>
    session.all(text, [ids, ...values.slice(1)]);
  const ids = select(page.ids, toList(toBeginning(session, search, found))).map(([id]) => Number(id));
  return { total: found.length, rows: select(page.records, JSON.stringify(ids)) };
}
