import { type MaybePromise, thenMaybe } from '../../../../lib/core/maybe-promise.ts';
import type { CheckedQuery } from '../../../../lib/store/check-query.ts';
import { excludesById, searchesTexts, splitExclusions } from '../../../../lib/store/query-plan.ts';
import { type FindResult, StoreError, type Waiter } from '../../../../lib/store/store.ts';
import type { Sql } from '../../sql/compile-query.ts';
import { keepMark, type PageQuery, toPageQuery } from '../../sql/page-query.ts';
import { createRecordReader, type SqlValues, tellIncomplete } from '../../sql/record-columns.ts';
import type { TableShape } from '../../sql/tables.ts';
import { sqliteDialect } from '../dialect.ts';
import { Compiler, isLong, type SearchStatements, type Statements } from '../plan/statements.ts';
import type { TextIndex } from '../schema/text-index.ts';
import type { Session } from '../session.ts';
import type { Reader } from '../worker/reader.ts';
import type { OpenCollection } from '../write/apply.ts';

/** What long reads in the other thread need. `settle` ends the open transaction, which other connections cannot see. */
export interface Far {
  readonly reader: Reader;
  /** For searches, so that other long reads do not wait for them. */
  readonly searcher: Reader;
  /** By collection. */
  readonly textIndexes: ReadonlyMap<string, TextIndex>;
  readonly settle: () => void;
  readonly revisionOf: (collection: string) => number;
  /** How many records count as few. Default: see AccessChooser. */
  readonly few?: number;
}

/** How a long read is made, and for whom. */
interface FarPlan {
  readonly page: Sql | null;
  readonly search: SearchStatements | null;
  readonly reader: Reader;
  readonly waiter: Waiter | undefined;
}

/** `base`: the count is to be subtracted from it. */
interface NearPlan extends Statements {
  readonly base: number | null;
}

/** How often a page is read again because records changed after they were counted. */
const ATTEMPTS = 3;

const withoutCount = (statements: SearchStatements): SearchStatements => ({
  ...statements,
  count: null,
  few: statements.few === null ? null : { ...statements.few, count: null },
});

/** Runs the checked queries of one collection. */
export class Finder {
  readonly #session: Session;
  readonly #table: TableShape;
  readonly #far: Far;
  readonly #read: ReturnType<typeof createRecordReader>;
  readonly #compiler: Compiler;
  readonly #fields: number;

  constructor(session: Session, table: TableShape, far: Far) {
    this.#session = session;
    this.#table = table;
    this.#far = far;
    this.#read = createRecordReader(table);
    this.#compiler = new Compiler(session, table, far.few);
    this.#fields = Object.keys(table.collection.fields).length;
  }

  /** Synchronous if the query is quick. @throws SqliteFailure; StoreError of the other thread */
  find(open: OpenCollection, query: CheckedQuery, waiter?: Waiter): MaybePromise<FindResult> {
    const base = this.#toBase(open, query);
    return base === null
      ? this.#find(open, query, waiter)
      : thenMaybe(this.#find(open, base, waiter), () => this.#find(open, query, waiter));
  }

  /** Counts the records without those that the query excludes by id, so that their total is known to it; null: there is no need to. */
  #toBase({ counts }: OpenCollection, query: CheckedQuery): CheckedQuery | null {
    const { where, total } = query;
    if (!total || counts.get(where) !== null || searchesTexts({ where, order: [] })) return null;
    const exclusion = splitExclusions(where);
    if (exclusion === null || !excludesById(exclusion) || counts.get(exclusion.others) !== null) return null;
    return { ...query, where: exclusion.others, limit: 0, offset: 0 };
  }

  #find(open: OpenCollection, query: CheckedQuery, waiter?: Waiter): MaybePromise<FindResult> {
    const page = toPageQuery(query, open.counts.marks, sqliteDialect);
    const near: NearPlan = { ...this.#planCount(open, query), page: this.#compilePage(page) };
    if (!isLong(query, near)) return this.#findNear(open, page, near);
    const far: PageQuery = page.after === undefined ? query : { ...query, after: null };
    const statements: NearPlan = {
      count: near.count === null ? null : this.#compiler.total(query),
      base: null,
      page: this.#compilePage(far),
    };
    const search = this.#toSearch(far);
    const reader = searchesTexts(query) ? this.#far.searcher : this.#far.reader;
    if (reader.isBroken) return this.#findNear(open, far, statements);
    return this.#findFar(open, far, { page: statements.page?.sql ?? null, search, reader, waiter }).catch(
      (error: unknown) => {
        if (!reader.isBroken || !(error instanceof StoreError) || error.code !== 'unavailable') throw error;
        return this.#findNear(open, far, statements);
      },
    );
  }

  #compilePage(query: PageQuery): Statements['page'] {
    return query.limit === 0 ? null : this.#compiler.page(query);
  }

  /** A known total less what is excluded from it is counted faster than the rest. */
  #planCount({ counts }: OpenCollection, query: CheckedQuery): Omit<NearPlan, 'page'> {
    if (!query.total || counts.get(query.where) !== null) return { count: null, base: null };
    const exclusion = splitExclusions(query.where);
    const base = exclusion === null ? null : counts.get(exclusion.others);
    return {
      base,
      count: this.#compiler.total(
        exclusion === null || base === null ? query : { ...query, where: exclusion.excluded },
      ),
    };
  }

  #findNear(open: OpenCollection, query: PageQuery, { count, base, page }: NearPlan): FindResult {
    const total = query.total
      ? (open.counts.get(query.where) ?? this.#count(open, query, { count, base }))
      : -1;
    const rows = page === null ? [] : this.#readPage(open, query, page.sql);
    keepMark(open.counts.marks, query, { rows, read: this.#read });
    return this.#toResult(query, rows, total);
  }

  /** Null: the query searches no texts, or they have no index. */
  #toSearch(query: PageQuery): SearchStatements | null {
    const index = this.#far.textIndexes.get(query.collection.name);
    return index === undefined || !searchesTexts({ where: query.where, order: [] })
      ? null
      : this.#compiler.search(query, index);
  }

  async #findFar(
    { counts }: OpenCollection,
    query: PageQuery,
    { page, search, reader, waiter }: FarPlan,
  ): Promise<FindResult> {
    const { settle, revisionOf } = this.#far;
    const { name } = this.#table;
    for (let attempt = 1; ; attempt += 1) {
      try {
        settle();
      } catch (error) {
        // The commit that was held back was rolled back. Its writers get the error; the read does not need it.
        if (!(error instanceof StoreError)) throw error;
      }
      const known = query.total && attempt < ATTEMPTS ? counts.get(query.where) : null;
      const before = revisionOf(name);
      // The other thread may see a later state, to which the mark does not apply. Then the page is read again.
      const marked = attempt < ATTEMPTS ? toPageQuery(query, counts.marks, sqliteDialect) : query;
      const isMarked = (marked.after ?? null) !== null;
      const isCounted = query.total && known === null;
      const statements = search ?? {
        count: isCounted ? this.#compiler.total(query).sql : null,
        page: isMarked ? (this.#compilePage(marked)?.sql ?? null) : page,
        few: null,
      };
      const { revision, total, rows } = await reader.read(
        { collection: name, offset: query.offset, ...(isCounted ? statements : withoutCount(statements)) },
        waiter,
      );
      const isStale = isMarked && revision !== before;
      if (revision === revisionOf(name) && !isStale) {
        if (isCounted) counts.set(query.where, total);
        keepMark(counts.marks, marked, { rows, read: this.#read });
      }
      // The cached total may belong to another state than the page.
      if (!isStale && (known === null || revision === before))
        return this.#toResult(query, rows, query.total ? (known ?? total) : -1);
    }
  }

  #count({ counts }: OpenCollection, query: CheckedQuery, { count, base }: Omit<NearPlan, 'page'>): number {
    const { text, values } = (count ?? this.#compiler.total(query)).sql;
    const counted = this.#session.number(text, values);
    const total = base === null ? counted : base - counted;
    counts.set(query.where, total);
    return total;
  }

  #readPage(
    { writer }: OpenCollection,
    query: PageQuery,
    { text, values, single }: Sql,
  ): readonly SqlValues[] {
    if (query.limit > 1 && single !== true) return this.#session.all(text, values);
    // Fetching one row costs less than fetching a list of one.
    const row = this.#session.get(text, values);
    if (row === undefined) return [];
    if (query.fields.length === this.#fields && query.omitted === null && query.after === undefined)
      writer.keep(row);
    return [row];
  }

  #toResult(query: CheckedQuery, rows: readonly SqlValues[], total: number): FindResult {
    return {
      records: rows.map((row) => this.#read(row, query.fields)),
      total,
      ...tellIncomplete(query, rows),
    };
  }
}
