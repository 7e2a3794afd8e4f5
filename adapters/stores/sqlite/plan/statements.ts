import type { CheckedQuery } from '../../../../lib/store/check-query.ts';
import { searchesTexts } from '../../../../lib/store/query-cost.ts';
import { isEverything } from '../../../../lib/store/query-plan.ts';
import { compileAggregate, compileCount, compileFind, type Sql } from '../../sql/compile-query.ts';
import { quoteName } from '../../sql/dialect.ts';
import { countReads, findOrderedIndex } from '../../sql/ordered-walks.ts';
import type { PageQuery } from '../../sql/page-query.ts';
import type { IndexShape, TableShape } from '../../sql/tables.ts';
import { sqliteDialect } from '../dialect.ts';
import { listListIndexes, type ListIndex } from '../schema/list-index.ts';
import type { Session } from '../session.ts';
import { AccessChooser } from './access-path.ts';
import {
  compileRangeCount,
  compileRangeFind,
  listListIndexRanges,
  type ListIndexRange,
} from './list-walk.ts';

/** A statement, and the most records that it reads. */
export interface Priced {
  readonly sql: Sql;
  readonly reads: number;
}

/** The statements of a query. null: the total is not wanted or already known; the query asks for no records. */
export interface Statements {
  readonly count: Priced | null;
  readonly page: Priced | null;
}

/** Most records that are read while everything else waits, which takes some milliseconds. Searched texts may be long. */
const SHORT = { fields: 1000, texts: 50 } as const;

/** Whether a query may take so long that it delays others noticeably. */
export function isLong(query: CheckedQuery, { count, page }: Statements): boolean {
  const most = searchesTexts(query) ? SHORT.texts : SHORT.fields;
  return (count !== null && count.reads > most) || (page !== null && page.reads > most);
}

/** Records that are read at most without steps. A search for a known number of matches that is more than this reads the page in its order, which soon ends. */
const MANY = 1000;

/** Whether a long query looks for texts in so many records that it is made in steps. `known`: the number of matches, if it is known. */
export function isSearch(query: CheckedQuery, { count, page }: Statements, known: number | null): boolean {
  if (!searchesTexts({ where: query.where, order: [] })) return false;
  return (
    (count !== null && count.reads > MANY) ||
    (page !== null && page.reads > MANY && (known === null || known <= MANY))
  );
}

/** Whether every record of the range matches. */
function isExact({ range }: ListIndexRange): boolean {
  return isEverything(range.rest);
}

/** Compiles the queries of one collection. */
export class Compiler {
  readonly #chooser: AccessChooser;
  readonly #indexes: readonly IndexShape[];
  readonly #listIndexes: readonly ListIndex[];

  constructor(session: Session, table: TableShape, few?: number) {
    this.#chooser = new AccessChooser(session, table, few);
    this.#indexes = table.indexes;
    this.#listIndexes = listListIndexes(table);
  }

  page(query: PageQuery): Priced {
    const range = this.#findRange(query, true);
    if (range !== null)
      return { sql: compileRangeFind(range, query), reads: isExact(range) ? countReads(query, 0) : Infinity };
    const access = this.#chooser.toFind(query);
    return { sql: compileFind(sqliteDialect, query, access), reads: access.reads };
  }

  total(query: CheckedQuery): Priced {
    const range = this.#findRange(query, false);
    if (range !== null) return { sql: compileRangeCount(range, query), reads: isExact(range) ? 0 : Infinity };
    const access = this.#chooser.toCount(query);
    return { sql: compileCount(sqliteDialect, query, access), reads: access.reads };
  }

  /** The page, if an index has its order. */
  ordered(query: PageQuery): Sql | null {
    const range = this.#findRange(query, true);
    if (range !== null) return compileRangeFind(range, query);
    return findOrderedIndex(this.#indexes, query) === null
      ? null
      : compileFind(sqliteDialect, query, this.#chooser.toFind(query));
  }

  /** The ids of all matches, as one text. */
  ids(query: CheckedQuery): Sql {
    const range = this.#findRange(query, false);
    if (range !== null) return compileRangeCount(range, query, 'group_concat("record")');
    return compileAggregate(sqliteDialect, query, {
      access: this.#chooser.toCount(query),
      aggregate: `group_concat(${quoteName(query.collection.name)}."id")`,
    });
  }

  /** An intersection of several lists begins with the item that the fewest records have. */
  #findRange(query: CheckedQuery, ordered: boolean): ListIndexRange | null {
    const ranges = listListIndexRanges(this.#listIndexes, query, ordered);
    if (ranges.length < 2) return ranges[0] ?? null;
    const sizeOf = ({ index: { field }, item }: ListIndexRange): number =>
      this.#chooser.countItem(field, item);
    return ranges.toSorted((a, b) => sizeOf(a) - sizeOf(b))[0] ?? null;
  }
}
