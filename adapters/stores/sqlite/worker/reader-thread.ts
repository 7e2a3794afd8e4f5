import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../../../../lib/core/thrown.ts';
import type { SqlValues } from '../../sql/record-columns.ts';
import { SqliteFailure } from '../driver.ts';
import { loadDriver } from '../drivers.ts';
import { ReaderGate } from '../gated-worker.ts';
import type { SearchStatements } from '../plan/statements.ts';
import { openReadSession, type Session } from '../session.ts';
import { WAITS } from '../waits.ts';

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
function readInWorker(session: Session, read: WorkerRead): WorkerRows {
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

// Runs in a separate thread: runs reads of a file one at a time, on a connection that never writes.
/** Start parameters of the thread. `driver`: the driver of the store, because two engines must not open the same file in one process. */
export interface ReaderStart {
  readonly path: string;
  readonly driver: string;
  readonly word: Int32Array;
}

/** A message of the thread: it is ready, a result, or an error. */
export type ReaderAnswer =
  | { readonly ready: true }
  | { readonly found: WorkerRows }
  | { readonly code: number | null; readonly message: string };

function toFailure(error: unknown): ReaderAnswer {
  return {
    code: error instanceof SqliteFailure ? error.code : null,
    message: messageOf(error),
  };
}

async function open({ path, driver }: ReaderStart): Promise<Session> {
  return openReadSession(await loadDriver(driver), path, WAITS.lock);
}

const start = workerData as ReaderStart;
const gate = new ReaderGate(start.word);
const port = parentPort;
const say = (answer: ReaderAnswer): void => port?.postMessage(answer, []);

function answer(session: Session, read: WorkerRead): void {
  if (!gate.enter()) return;
  try {
    say({ found: readInWorker(session, read) });
  } catch (error) {
    say(toFailure(error));
  } finally {
    gate.leave();
  }
}

function close(session: Session): void {
  if (gate.enter()) session.close();
  gate.leave();
  port?.close();
}

try {
  const session = await open(start);
  port?.on('message', (read: WorkerRead | null) => {
    if (read === null) close(session);
    else answer(session, read);
  });
  say({ ready: true });
} finally {
  gate.leave();
}
