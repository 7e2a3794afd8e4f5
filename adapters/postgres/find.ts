import type { CheckedQuery } from '../../lib/store/check-query.ts';
import { searchesTexts } from '../../lib/store/query-cost.ts';
import type { FindResult, Waiter } from '../../lib/store/store.ts';
import { compileCount, compileFind, PLAIN_ACCESS, type Access, type Sql } from '../sql/compile-query.ts';
import { quoteConstant } from '../sql/dialect.ts';
import { createRecordReader, tellIncomplete, type SqlValues } from '../sql/record-columns.ts';
import type { TableShape } from '../sql/tables.ts';
import { chooseAccess } from './access.ts';
import { postgresDialect } from './dialect.ts';
import { toRevision, type Revisions, type RunSql } from './revisions.ts';
import type { Totals } from './totals.ts';
import type { Turns } from './turns.ts';

/** The parts of the store that reads use. */
export interface FinderOptions {
  readonly run: RunSql;
  readonly revisions: Revisions;
  readonly totals: Totals;
  readonly longReads: Turns;
}

/** With more matches, a search reads the records in the order of the query until the page is full. */
const FEW = 1000;

function choosePageAccess(table: TableShape, query: CheckedQuery, total: number): Access {
  // The planner takes every search for one that has many matches.
  return searchesTexts({ where: query.where, order: [] }) && total <= FEW ? { ...PLAIN_ACCESS, apart: true } : chooseAccess(table, query);
}

/** The total and the revision of the state that is counted. */
function compileTotal(query: CheckedQuery, table: TableShape): Sql {
  const { text, values } = compileCount(postgresDialect, query, PLAIN_ACCESS);
  return { text: `${text.replace('SELECT ', `SELECT (SELECT "revision" FROM "store:collections" WHERE "collection" = ${quoteConstant(table.name)}) AS "revision", `)}`, values };
}

/** Runs the checked queries of one collection. */
export function createFinder({ run, revisions, totals, longReads }: FinderOptions, table: TableShape): (query: CheckedQuery, waiter?: Waiter) => Promise<FindResult> {
  const read = createRecordReader(table);
  const count = async (query: CheckedQuery): Promise<number> => {
    const revision = toRevision(await revisions.read(), table.name);
    return totals.get(revision, query.where, async () => {
      const [row] = await run(compileTotal(query, table));
      return { revision: Number(row?.['revision']), total: Number(row?.['n']) };
    });
  };
  const page = async (query: CheckedQuery, total: number): Promise<readonly SqlValues[]> => {
    if (query.limit === 0 || total === 0) return [];
    return (await run(compileFind(postgresDialect, query, choosePageAccess(table, query, total)))).map((row) => Object.values(row));
  };
  const find = async (query: CheckedQuery): Promise<readonly [rows: readonly SqlValues[], total: number]> => {
    if (!query.total) return [await page(query, -1), -1];
    if (!searchesTexts(query)) return Promise.all([page(query, -1), count(query)]);
    const total = await count(query);
    return [await page(query, total), total];
  };
  return async (query, waiter) => {
    const [rows, total] = await (searchesTexts(query) ? longReads.run(() => find(query), waiter) : find(query));
    return { records: rows.map((row) => read(row, query.fields)), total, ...tellIncomplete(query, rows) };
  };
}
