import type { SqlValues } from '../../sql/record-columns.ts';
import type { SearchStatements } from '../plan/statements.ts';
import type { Session } from '../session.ts';

/** A read of one state of a collection. */
export interface WorkerRead extends SearchStatements {
  readonly collection: string;
  /** Records before the page. If the count is not larger, the page is not read. */
  readonly offset: number;
}

/** The result of a read. `revision`: revision of the collection in the state that was read. `total` is -1 when it was not counted. */
export interface WorkerRows {
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

function readRows(session: Session, read: WorkerRead): Omit<WorkerRows, 'revision'> {
  const { few, offset } = read;
  const { count, page } =
    few !== null && session.number(few.probe.text, few.probe.values) < few.below ? few : read;
  const total = count === null ? -1 : session.number(count.text, count.values);
  const isBeyond = count !== null && total <= offset;
  return { total, rows: page === null || isBeyond ? [] : session.all(page.text, page.values) };
}

/** Makes all reads in one transaction. @throws SqliteFailure */
export function readInWorker(session: Session, read: WorkerRead): WorkerRows {
  session.connection.exec('BEGIN');
  try {
    const revision = session.number('SELECT "revision" FROM "store:revisions" WHERE "collection" = ?', [
      read.collection,
    ]);
    const found = readRows(session, read);
    session.connection.exec('COMMIT');
    return { revision, ...found };
  } catch (error) {
    rollBack(session);
    throw error;
  }
}
