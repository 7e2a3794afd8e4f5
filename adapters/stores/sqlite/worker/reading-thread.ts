import type { Worker } from 'node:worker_threads';
import { SqliteFailure } from '../driver.ts';
import { startGatedWorker } from '../gated-worker.ts';
import type { ReaderAnswer, ReaderStart } from './reader-thread.ts';
import type { WorkerRead, WorkerRows } from './worker-read.ts';

/** A thread that runs reads. It keeps the process alive only during a read. */
export interface ReadingThread {
  /** The thread has failed and accepts no more reads. */
  readonly isOver: boolean;
  /** Runs one read at a time. @throws SqliteFailure, or the error that ended the thread */
  read(read: WorkerRead): Promise<WorkerRows>;
  /** Must not be called during a read. */
  end(): Promise<void>;
}

interface Asked {
  readonly resolve: (rows: WorkerRows) => void;
  readonly reject: (error: unknown) => void;
}

/** Asks the thread to end, and waits for it. */
function endWorker(worker: Worker): Promise<void> {
  return new Promise((ended) => {
    worker.once('exit', () => ended());
    worker.ref();
    worker.postMessage(null, []);
  });
}

/** Starts a thread for a file that the process has open. Rejects if the thread cannot be started. */
export function startReading(start: Omit<ReaderStart, 'word'>): Promise<ReadingThread> {
  return new Promise((resolve, reject) => {
    const { worker } = startGatedWorker('worker/reader-thread.js', start);
    let asked: Asked | null = null;
    let isOver = false;
    const settle = (tell: (by: Asked) => void): void => {
      const by = asked;
      asked = null;
      worker.unref();
      if (by !== null) tell(by);
    };
    const fail = (error: unknown): void => {
      isOver = true;
      reject(error);
      settle((by) => by.reject(error));
    };
    const thread: ReadingThread = {
      get isOver() {
        return isOver;
      },
      read: (read) =>
        new Promise((found, failed) => {
          asked = { resolve: found, reject: failed };
          worker.ref();
          worker.postMessage(read, []);
        }),
      end: async () => {
        if (!isOver) await endWorker(worker);
      },
    };
    worker.on('message', (answer: ReaderAnswer) => {
      if ('ready' in answer) resolve(thread);
      else if ('found' in answer) settle((by) => by.resolve(answer.found));
      else
        settle((by) =>
          by.reject(
            answer.code === null ? new Error(answer.message) : new SqliteFailure(answer.code, answer.message),
          ),
        );
    });
    worker.on('error', fail);
    worker.on('exit', () => fail(new Error('The reading thread has ended.')));
  });
}
