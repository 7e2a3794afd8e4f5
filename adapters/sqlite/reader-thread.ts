// Runs in a thread of its own: answers reads of a file, one after the other, on a connection that never writes.
import { parentPort, workerData } from 'node:worker_threads';
import { loadDriver } from './choose-driver.ts';
import { SqliteFailure } from './driver.ts';
import { readFar, type FarRead, type FarRows } from './far-read.ts';
import { ReaderGate } from './reader-gate.ts';
import { Session } from './session.ts';

/** What the thread is started with. `driver`: name of the one that the store uses: two engines must not have one file open in one process. */
export interface ReaderStart {
  readonly path: string;
  readonly driver: string;
  readonly word: Int32Array;
}

/** What the thread says: that it is ready, what was read, or why that failed. */
export type ReaderAnswer = { readonly ready: true } | { readonly found: FarRows } | { readonly code: number | null; readonly message: string };

const BUSY_MS = 5000;

function toFailure(error: unknown): ReaderAnswer {
  return { code: error instanceof SqliteFailure ? error.code : null, message: error instanceof Error ? error.message : String(error) };
}

async function open({ path, driver }: ReaderStart): Promise<Session> {
  const session = new Session((await loadDriver(driver)).open(path, BUSY_MS));
  // It neither writes nor checkpoints: the fault of older engines that a second writer can bring about is none of its business.
  session.connection.exec('PRAGMA query_only = ON; PRAGMA wal_autocheckpoint = 0; PRAGMA trusted_schema = OFF; PRAGMA mmap_size = 0; PRAGMA cache_size = -16384; PRAGMA temp_store = MEMORY');
  return session;
}

const start = workerData as ReaderStart;
const loadShedder = new ReaderGate(start.word);
const port = parentPort;
const say = (answer: ReaderAnswer): void => port?.postMessage(answer, []);

function answer(session: Session, read: FarRead): void {
  if (!loadShedder.enter()) return;
  try {
    say({ found: readFar(session, read) });
  } catch (error) {
    say(toFailure(error));
  } finally {
    loadShedder.leave();
  }
}

function close(session: Session): void {
  if (loadShedder.enter()) session.close();
  loadShedder.leave();
  port?.close();
}

try {
  const session = await open(start);
  port?.on('message', (read: FarRead | null) => { if (read === null) close(session); else answer(session, read); });
  say({ ready: true });
} finally {
  loadShedder.leave();
}
