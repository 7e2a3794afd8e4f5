import type { Limiter } from '../../../../lib/core/limiter.ts';
import { type CheckedQuery, EVERYTHING, collectionOf } from '../../../../lib/store/check-query.ts';
import type { Collections } from '../../../../lib/store/collection.ts';
import { isDeepPage } from '../../../../lib/store/count-cache.ts';
import {
  excludesById,
  type Exclusion,
  searchesTexts,
  splitExclusions,
  splitSearches,
  toFixedValues,
} from '../../../../lib/store/query-plan.ts';
import { and, type Predicate } from '../../../../lib/store/query.ts';
import type { FindResult, Snapshot, StoredRecord, Waiter } from '../../../../lib/store/store.ts';
import {
  type Access,
  compileAggregate,
  compileCount,
  compileFind,
  PLAIN_ACCESS,
  type Sql,
} from '../../sql/compile-query.ts';
import { type Dialect, quoteConstant } from '../../sql/dialect.ts';
import { findOrderedIndex, toOrderedAccess } from '../../sql/ordered-walks.ts';
import type { PageQuery } from '../../sql/page-query.ts';
import { compilePage, createRecordReader, type SqlValues, tellIncomplete } from '../../sql/record-columns.ts';
import { type TableShape, toTable } from '../../sql/tables.ts';
import type { Connection, Connections } from '../connections.ts';
import type { Totals } from '../count-cache.ts';
import { postgresDialect } from '../dialect.ts';
import { guard } from '../errors.ts';
import type { RunSql } from '../run-read.ts';
import { type Revisions, toRevision } from './revisions.ts';

/** Most texts that are looked up in an index. */
const MOST_NAMED = 100;
/** With more records before a page, only their keys are read and sorted. */
const MANY = 1000;

/** The folded fields with known values that an index begins with; not a unique key, which has the text itself. The first column of such an index is the folded text, which the planner does not know to be fixed. */
function listNamed({ collection, indexes }: TableShape, where: Predicate): readonly string[] {
  const named = [...toFixedValues(where)].filter(
    ([field, values]) => collection.fields[field]?.folded === true && values.length <= MOST_NAMED,
  );
  return named
    .map(([field]) => field)
    .filter((field) => indexes.some(({ fields, unique }) => !unique && fields[0] === field));
}

/** Chooses how a total is counted. */
export function chooseCountAccess(table: TableShape, where: Predicate): Access {
  return { ...PLAIN_ACCESS, leading: listNamed(table, where) };
}

/**
 * Chooses how a page of records is reached. The planner knows the distribution of the values. It does not see that
 * `status in (…)` in order of date can be read as a few ordered index ranges, each of which ends when the page is full.
 */
export function chooseAccess(table: TableShape, query: CheckedQuery): Access {
  const { indexes } = table;
  const leading = listNamed(table, query.where);
  if (leading.length > 0) return { ...PLAIN_ACCESS, leading };
  const found = findOrderedIndex(indexes, query);
  const access = found === null ? PLAIN_ACCESS : toOrderedAccess(indexes, query, { found, hintOf: () => '' });
  return { ...access, late: query.offset > MANY && query.order.every((order) => 'field' in order) };
}

/** The records in which a search looks for texts, and those that it excludes: an exclusion hardly makes them fewer, and for one by a list the planner would first read every record with the item. */
export function toScope(where: Predicate): Predicate {
  const { others } = splitSearches(where);
  return and(...(others.op === 'and' ? others.of : [others]).filter(({ op }) => op !== 'not'));
}

/** The parts of the store that reads use. */
interface FinderOptions {
  readonly run: RunSql;
  readonly revisions: Revisions;
  readonly totals: Totals;
  readonly longReads: Limiter;
}

/** With more matches, a search reads the records in the order of the query until the page is full. With fewer records to search in, it reads them all. */
const FEW = 1000;

/** A test of texts that no index serves. */
const scanDialect: Dialect = {
  ...postgresDialect,
  contains: (column, text) => `strpos(${column}, ${text}) > 0`,
  toPart: (text) => text,
};

/** Adds the revision of the state that is read as the first column. */
function withRevision({ text, values }: Sql, table: TableShape): Sql {
  return {
    text: text.replace(
      'SELECT ',
      `SELECT (SELECT "revision" FROM "store:collections" WHERE "collection" = ${quoteConstant(table.name)}) AS "store:revision", `,
    ),
    values,
  };
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
    const [rows, total] = await (searchesTexts(query)
      ? this.#parts.longReads.run(() => this.#search(query), waiter)
      : this.#find(query));
    return {
      records: rows.map((row) => this.#read(row, query.fields)),
      total,
      ...tellIncomplete(query, rows),
    };
  }

  async #search(query: CheckedQuery): Promise<Found> {
    const narrow = this.#isNarrow(query.where);
    // It is not awaited if there is nothing to read.
    narrow.catch(() => undefined);
    const total = query.total ? await this.#count(query, await this.#readRevision(), narrow) : -1;
    if (query.limit === 0 || total === 0) return [[], total];
    return [await this.#readRows(this.#compileSearch(query, { isNarrow: await narrow, total })), total];
  }

  /** The planner does not know how many records have a text, so it is told how to find them. */
  #compileSearch(
    query: CheckedQuery,
    { isNarrow, total }: { readonly isNarrow: boolean; readonly total: number },
  ): Sql {
    const access = chooseAccess(this.#table, query);
    if (!searchesTexts({ where: query.where, order: [] })) return compileFind(postgresDialect, query, access);
    if (total > FEW)
      return compileFind(scanDialect, query, {
        ...access,
        each: !searchesTexts({ where: EVERYTHING, order: query.order }),
      });
    return isNarrow
      ? compileFind(scanDialect, query, { ...access, each: true })
      : compileFind(postgresDialect, query, { ...PLAIN_ACCESS, apart: true });
  }

  /** Whether a search has few records to search in. Then they are read, because the index could name many more for a common word. */
  async #isNarrow(where: Predicate): Promise<boolean> {
    const { collection, texts } = this.#table;
    if (texts === null || !searchesTexts({ where, order: [] })) return false;
    const { totals } = this.#parts;
    // There are at least as many records to search in as matches.
    if ((totals.recall(where) ?? 0) > FEW) return false;
    const others = toScope(where);
    const recalled = totals.recall(others);
    if (recalled !== null) return recalled <= FEW;
    const { text, values } = compileAggregate(
      postgresDialect,
      { collection, where: others },
      { access: chooseCountAccess(this.#table, others), aggregate: '1' },
    );
    const [row] = await this.#parts.run({
      text: `SELECT count(*) AS "n" FROM (${text} LIMIT ${FEW + 1}) AS p`,
      values,
    });
    return Number(row?.['n']) <= FEW;
  }

  async #find(query: CheckedQuery): Promise<Found> {
    if (isDeepPage(query)) return this.#findDeep(query);
    if (!query.total) return [await this.#readPage(query), -1];
    const revision = this.#readRevision();
    // It is not awaited if the page tells the total or fails.
    revision.catch(() => undefined);
    const rows = await this.#readPage(query);
    return [
      rows,
      tellsTotal(query, rows) ? query.offset + rows.length : await this.#count(query, await revision),
    ];
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

  async #readPage(query: CheckedQuery): Promise<readonly SqlValues[]> {
    return query.limit === 0
      ? []
      : this.#readRows(compileFind(postgresDialect, query, chooseAccess(this.#table, query)));
  }

  async #readRows(sql: Sql): Promise<readonly SqlValues[]> {
    return (await this.#parts.run(sql)).map((row) => Object.values(row));
  }

  async #readDeep(
    page: PageQuery,
  ): Promise<{ readonly revision: number; readonly rows: readonly SqlValues[] }> {
    const rows = await this.#readRows(
      withRevision(compileFind(postgresDialect, page, chooseAccess(this.#table, page)), this.#table),
    );
    return { revision: Number(rows[0]?.[0] ?? -1), rows: rows.map(([, ...row]) => row) };
  }

  #count({ where }: CheckedQuery, revision: number, narrow?: Promise<boolean>): Promise<number> {
    const { totals } = this.#parts;
    return totals.get(revision, where, async () => {
      // A known total less what is excluded from it is counted faster than the rest.
      const exclusion = splitExclusions(where);
      const base = exclusion === null ? null : await this.#findBase(revision, exclusion);
      if (exclusion === null || base === null) return this.#countNow(where, narrow);
      const excluded = await this.#countNow(exclusion.excluded);
      return excluded.revision === revision
        ? { revision, total: base - excluded.total }
        : this.#countNow(where, narrow);
    });
  }

  /** The total without exclusions, if it is known or is to be counted first. */
  async #findBase(revision: number, exclusion: Exclusion): Promise<number | null> {
    const { totals } = this.#parts;
    const { others } = exclusion;
    return excludesById(exclusion)
      ? totals.get(revision, others, () => this.#countNow(others))
      : totals.find(revision, others);
  }

  async #countNow(
    where: Predicate,
    narrow = this.#isNarrow(where),
  ): Promise<{ readonly revision: number; readonly total: number }> {
    const { collection } = this.#table;
    const each = await narrow;
    const sql = compileCount(
      each ? scanDialect : postgresDialect,
      { collection, where },
      { ...chooseCountAccess(this.#table, where), each },
    );
    const [row] = await this.#parts.run(withRevision(sql, this.#table));
    return { revision: Number(row?.['store:revision']), total: Number(row?.['n']) };
  }
}

/** A connection that is lent until `end` is called. */
async function borrow(
  connections: Connections,
): Promise<{ readonly connection: Connection; readonly end: () => Promise<void> }> {
  let giveBack = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    giveBack = resolve;
  });
  let done: Promise<void> = Promise.resolve();
  const connection = await new Promise<Connection>((resolve, reject) => {
    done = connections.use(async (lent) => {
      resolve(lent);
      await ended;
      await lent.script('ROLLBACK');
    });
    done.catch(reject);
  });
  return {
    connection,
    end: async () => {
      giveBack();
      await done;
    },
  };
}

/** Takes a snapshot: a transaction of its own that sees one state of the database. `open`: connections for it alone. */
export async function takeSnapshot(
  open: () => Promise<Connections>,
  collections: Collections,
): Promise<Snapshot> {
  const connections = await open();
  return guard(async () => {
    try {
      const { connection, end } = await borrow(connections);
      // The transaction sees the state of its first query. A pool of transactions has begun it already.
      await connection.script('BEGIN; SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY; SELECT 1');
      return {
        read: (name, after, limit): Promise<readonly StoredRecord[]> =>
          guard(async () => {
            const table = toTable(collectionOf(collections, name), postgresDialect);
            const rows = await connection.query(
              compilePage(postgresDialect, table),
              [after, limit],
              `page ${name}`,
            );
            const [read, fields] = [createRecordReader(table), Object.keys(table.collection.fields)];
            return rows.map((row) => read(Object.values(row), fields));
          }),
        close: async () => {
          await end();
          await connections.close();
        },
      };
    } catch (error) {
      await connections.close();
      throw error;
    }
  });
}
