import type { Sql } from '../../sql/compile-query.ts';
import type { SqlValues } from '../../sql/record-columns.ts';
import type { Session } from '../session.ts';
import { searchFar, type FarSearch } from './worker-search.ts';

/** A read of one state of a collection. `count` and `page` are null when they are not wanted. */
export interface FarRead {
  readonly collection: string;
  readonly count: Sql | null;
  readonly page: Sql | null;
  /** Records before the page. If the count is not larger, the page is not read. */
  readonly offset: number;
  /** Instead of both: finds all matches in steps. */
  readonly search: FarSearch | null;
}

/** The result of a read. `revision`: revision of the collection in the state that was read. `total` is -1 when it was not counted. */
export interface FarRows {
  readonly revision: number;
  readonly total: number;
  readonly rows: readonly SqlValues[];
}

function rollBack(session: Session): void {
  try {
    session.connection.exec('ROLLBACK');
  } catch {
    // SQLite has already ended the transaction, as after an I/O error. The first error counts.
  }
}

function readRows(session: Session, { count, page, offset }: FarRead): Omit<FarRows, 'revision'> {
  const total = count === null ? -1 : session.number(count.text, count.values);
  const isBeyond = count !== null && total <= offset;
  return { total, rows: page === null || isBeyond ? [] : session.all(page.text, page.values) };
}

/** Makes all reads in one transaction. `checkWaiting` throws when nobody waits any more. @throws SqliteFailure */
export function readFar(session: Session, read: FarRead, checkWaiting: () => void): FarRows {
  session.connection.exec('BEGIN');
  try {
    const revision = session.number('SELECT "revision" FROM "store:revisions" WHERE "collection" = ?', [
      read.collection,
    ]);
    const found =
      read.search === null ? readRows(session, read) : searchFar(session, read.search, checkWaiting);
    session.connection.exec('COMMIT');
    return { revision, ...found };
  } catch (error) {
    rollBack(session);
    throw error;
  }
}
