import type { CheckedQuery } from '../../lib/store/check-query.ts';
import { isDeepPage } from '../../lib/store/page-marks.ts';
import { excludesById, searchesTexts, splitExclusions, type Exclusion } from '../../lib/store/query-cost.ts';
import type { Predicate } from '../../lib/store/query.ts';
import type { FindResult, Waiter } from '../../lib/store/store.ts';
import { compileCount, compileFind, PLAIN_ACCESS, type Sql } from '../sql/compile-query.ts';
import { quoteConstant, type Dialect } from '../sql/dialect.ts';
import type { PageQuery } from '../sql/page-query.ts';
import { createRecordReader, tellIncomplete, type SqlValues } from '../sql/record-columns.ts';
import type { TableShape } from '../sql/tables.ts';
import { chooseAccess, chooseCountAccess } from './access.ts';
import { postgresDialect } from './dialect.ts';
import { toRevision, type Revisions } from './revisions.ts';
import type { RunSql } from './run-read.ts';
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

/** A test of texts that no index serves. */
const scanDialect: Dialect = { ...postgresDialect, contains: (column, text) => `strpos(${column}, ${text}) > 0`, toPart: (text) => text };

function compilePage(table: TableShape, query: CheckedQuery, total: number): Sql {
  if (!searchesTexts({ where: query.where, order: [] })) return compileFind(postgresDialect, query, chooseAccess(table, query));
  // The planner does not know how many matches a search has. With many, it would sort them all instead of reading an index in its order.
  return total <= FEW ? compileFind(postgresDialect, query, { ...PLAIN_ACCESS, apart: true }) : compileFind(scanDialect, query, chooseAccess(table, query));
}

/** Adds the revision of the state that is read as the first column. */
function withRevision({ text, values }: Sql, table: TableShape): Sql {
  return { text: text.replace('SELECT ', `SELECT (SELECT "revision" FROM "store:collections" WHERE "collection" = ${quoteConstant(table.name)}) AS "store:revision", `), values };
}

/** Whether the page shows how many matches there are, because it contains the last one. */
function tellsTotal({ limit, offset }: CheckedQuery, rows: readonly SqlValues[]): boolean {
  return rows.length < limit && (rows.length > 0 || offset === 0);
}

type Found = readonly [rows: readonly SqlValues[], total: number];

/** Runs the checked queries of one collection. */
export class Finder {
  readonly #parts: FinderOptions;
  readonly #table: TableShape;
  readonly #read: ReturnType<typeof createRecordReader>;

  constructor(parts: FinderOptions, table: TableShape) {
    this.#parts = parts;
    this.#table = table;
    this.#read = createRecordReader(table);
  }

  /** @throws StoreError, PostgresFailure */
  async find(query: CheckedQuery, waiter?: Waiter): Promise<FindResult> {
    const [rows, total] = await (searchesTexts(query) ? this.#parts.longReads.run(() => this.#search(query), waiter) : this.#find(query));
    return { records: rows.map((row) => this.#read(row, query.fields)), total, ...tellIncomplete(query, rows) };
  }

  async #search(query: CheckedQuery): Promise<Found> {
    const total = query.total ? await this.#count(query, await this.#readRevision()) : -1;
    return [await this.#readPage(query, total), total];
  }

  async #find(query: CheckedQuery): Promise<Found> {
    if (isDeepPage(query)) return this.#findDeep(query);
    if (!query.total) return [await this.#readPage(query, -1), -1];
    const revision = this.#readRevision();
    // It is not awaited if the page tells the total or fails.
    revision.catch(() => undefined);
    const rows = await this.#readPage(query, -1);
    return [rows, tellsTotal(query, rows) ? query.offset + rows.length : await this.#count(query, await revision)];
  }

  async #findDeep(query: CheckedQuery): Promise<Found> {
    const { totals } = this.#parts;
    const wanted = await this.#readRevision();
    const total = query.total ? await this.#count(query, wanted) : -1;
    if (query.total && total <= query.offset) return [[], total];
    let page = await totals.toPage(wanted, query);
    let found = await this.#readDeep(page);
    if (page.after !== null && found.revision !== wanted) {
      // The mark belongs to another state than the page.
      page = { ...query, after: null };
      found = await this.#readDeep(page);
    }
    totals.keepMark(found.revision, page, { rows: found.rows, read: this.#read });
    return [found.rows, total];
  }

  async #readRevision(): Promise<number> {
    return toRevision(await this.#parts.revisions.read(), this.#table.name);
  }

  async #readPage(query: CheckedQuery, total: number): Promise<readonly SqlValues[]> {
    if (query.limit === 0 || total === 0) return [];
    return (await this.#parts.run(compilePage(this.#table, query, total))).map((row) => Object.values(row));
  }

  async #readDeep(page: PageQuery): Promise<{ readonly revision: number; readonly rows: readonly SqlValues[] }> {
    const rows = (await this.#parts.run(withRevision(compileFind(postgresDialect, page, chooseAccess(this.#table, page)), this.#table))).map((row) => Object.values(row));
    return { revision: Number(rows[0]?.[0] ?? -1), rows: rows.map(([, ...row]) => row) };
  }

  #count({ where }: CheckedQuery, revision: number): Promise<number> {
    const { totals } = this.#parts;
    return totals.get(revision, where, async () => {
      // A known total less what is excluded from it is counted faster than the rest.
      const exclusion = splitExclusions(where);
      const base = exclusion === null ? null : await this.#findBase(revision, exclusion);
      if (exclusion === null || base === null) return this.#countNow(where);
      const excluded = await this.#countNow(exclusion.excluded);
      return excluded.revision === revision ? { revision, total: base - excluded.total } : this.#countNow(where);
    });
  }

  /** The total without exclusions, if it is known or is to be counted first. */
  async #findBase(revision: number, exclusion: Exclusion): Promise<number | null> {
    const { totals } = this.#parts;
    const { others } = exclusion;
    return excludesById(exclusion) ? totals.get(revision, others, () => this.#countNow(others)) : totals.find(revision, others);
  }

  async #countNow(where: Predicate): Promise<{ readonly revision: number; readonly total: number }> {
    const { collection } = this.#table;
    const [row] = await this.#parts.run(withRevision(compileCount(postgresDialect, { collection, where }, chooseCountAccess(this.#table, where)), this.#table));
    return { revision: Number(row?.['store:revision']), total: Number(row?.['n']) };
  }
}
