// Runs in a separate thread: runs reads of a file one at a time, on a connection that never writes.
import { parentPort, workerData } from 'node:worker_threads';
import { loadDriver } from '../choose-driver.ts';
import { SqliteFailure } from '../driver.ts';
import { ReaderGate } from '../gated-worker.ts';
import { openReadSession, type Session } from '../session.ts';
import { WAITS } from '../waits.ts';
import { readInWorker, type WorkerRead, type WorkerRows } from './worker-read.ts';

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
    message: error instanceof Error ? error.message : String(error),
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
