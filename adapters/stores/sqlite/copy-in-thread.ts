import { SqliteFailure } from './driver.ts';
import { startGatedWorker } from './gated-worker.ts';

/** What is copied where, and the driver of the store: two engines must not open the same file in one process. */
export interface CopyStart {
  readonly driver: string;
  readonly path: string;
  readonly target: string;
}

/** The message of the thread when it has finished: empty, or the error. */
export interface CopyOutcome {
  readonly code?: number;
  readonly message?: string;
}

/** Copies one state of a file on a separate connection in a separate thread, so that reads and writes continue. @throws SqliteFailure */
export function copyInThread(start: CopyStart): Promise<void> {
  return new Promise((resolve, reject) => {
    const { worker } = startGatedWorker('backup-thread.js', start);
    worker.once('message', ({ code, message }: CopyOutcome) => {
      if (message === undefined) resolve();
      else reject(code === undefined ? new Error(message) : new SqliteFailure(code, message));
    });
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('The thread that makes the copy has ended.')));
  });
}
