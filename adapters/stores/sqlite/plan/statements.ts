import type { CheckedQuery } from '../../../../lib/store/check-query.ts';
import { isEverything, searchesTexts } from '../../../../lib/store/query-plan.ts';
import { compileCount, compileFind, PLAIN_ACCESS, type Access, type Sql } from '../../sql/compile-query.ts';
import { countReads } from '../../sql/ordered-walks.ts';
import type { PageQuery } from '../../sql/page-query.ts';
import type { TableShape } from '../../sql/tables.ts';
import { sqliteDialect } from '../dialect.ts';
import { listListIndexes, type ListIndex } from '../schema/list-index.ts';
import type { TextIndex } from '../schema/text-index.ts';
import type { Session } from '../session.ts';
import { AccessChooser } from './access-path.ts';
import {
  compileRangeCount,
  compileRangeFind,
  listListIndexRanges,
  type ListIndexRange,
} from './list-walk.ts';
import { compileTextProbe, lookUpTexts, reachByTexts } from './text-lookup.ts';

/** A statement, and the most records that it reads. */
interface Priced {
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

/** The statements of a read. Null: not wanted. */
interface ReadStatements {
  readonly count: Sql | null;
  readonly page: Sql | null;
}

/** Statements for another thread, and others for the case that `probe` counts fewer than `below`. */
export interface SearchStatements extends ReadStatements {
  readonly few: (ReadStatements & { readonly probe: Sql; readonly below: number }) | null;
}

/** A search with fewer candidates than this reads all of them. With more, it reads the page in its order. */
const FEW_CANDIDATES = 1000;

/** By the ids that the index of texts gives. */
const REACHED: Access = { ...PLAIN_ACCESS, hint: ' NOT INDEXED' };

/** Whether every record of the ranges matches. */
function isExact({ ranges }: ListIndexRange): boolean {
  return ranges.every(({ rest }) => isEverything(rest));
}

/** Compiles the queries of one collection. */
export class Compiler {
  readonly #chooser: AccessChooser;
  readonly #listIndexes: readonly ListIndex[];
  readonly #few: number;

  constructor(session: Session, table: TableShape, few?: number) {
    this.#few = few ?? FEW_CANDIDATES;
    this.#chooser = new AccessChooser(session, table, few);
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

  /** The statements of a search for texts. */
  search(query: PageQuery, index: TextIndex): SearchStatements {
    const { where, limit, total } = query;
    const compile = (access: (of: 'toFind' | 'toCount') => Access): ReadStatements => ({
      count: total ? compileCount(sqliteDialect, query, access('toCount')) : null,
      page: limit === 0 ? null : compileFind(sqliteDialect, query, access('toFind')),
    });
    const [lookUp, probe] = [reachByTexts(index, where), compileTextProbe(index, where, this.#few)];
    return {
      ...compile((of) => ({ ...this.#chooser[of](query), lookUp: lookUpTexts(index, where) })),
      few:
        lookUp === null || probe === null
          ? null
          : { ...compile(() => ({ ...REACHED, lookUp })), probe, below: this.#few },
    };
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
