import type { Worker } from 'node:worker_threads';
import { StoreError, type Waiter } from '../../../../lib/store/store.ts';
import { SqliteFailure } from '../driver.ts';
import { toStoreError } from '../errors.ts';
import { startGatedWorker } from '../gated-worker.ts';
import { WAITS } from '../waits.ts';
import type { ReaderAnswer, ReaderStart, WorkerRead, WorkerRows } from './reader-thread.ts';

/** A thread that runs reads. It keeps the process alive only during a read. */
interface ReadingThread {
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

/** Options of a reader. */
interface ReaderOptions {
  readonly path: string;
  /** Name of the store's driver. */
  readonly driver: string;
  readonly log: (message: string, error?: unknown) => void;
}

interface Waiting {
  readonly read: WorkerRead;
  readonly waiter: Waiter | undefined;
  readonly since: number;
  readonly resolve: (rows: WorkerRows) => void;
  readonly reject: (error: unknown) => void;
}

const cancelled = (): StoreError => new StoreError('cancelled', 'The read was cancelled.');
const crowded = (): StoreError =>
  new StoreError('unavailable', 'Too many long reads are waiting for the store.');
const closed = (): StoreError => new StoreError('closed', 'The store is closed.');

/**
 * Runs reads that may take long, one at a time, in a thread with its own connection, so that they do not block the process.
 * The first read starts the thread. The next read starts a new one if the thread has failed. A cancelled read is not begun.
 */
export class Reader {
  readonly #options: ReaderOptions;
  #thread: ReadingThread | null = null;
  #waiting: Waiting[] = [];
  #work: Promise<void> | null = null;
  #isClosed = false;
  /** A thread could not be started. The store must read by itself. */
  isBroken = false;

  constructor(options: ReaderOptions) {
    this.#options = options;
  }

  /** @throws StoreError `unavailable`, also when too many reads wait, `cancelled`, `closed` */
  read(read: WorkerRead, waiter?: Waiter): Promise<WorkerRows> {
    return new Promise((resolve, reject) => {
      const since = performance.now();
      const oldest = this.#waiting.find(({ waiter: other }) => other?.signal.aborted !== true);
      if (this.#isClosed) reject(closed());
      else if (oldest !== undefined && since - oldest.since > WAITS.read) reject(crowded());
      else {
        this.#waiting.push({ read, waiter, since, resolve, reject });
        this.#work ??= this.#readAll();
      }
    });
  }

  /** Ends the thread after its current read. Waiting reads fail with `closed`. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { reject } of this.#waiting.splice(0)) reject(closed());
    await this.#work;
    await this.#thread?.end();
  }

  async #readAll(): Promise<void> {
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      const { waiter, since, resolve, reject } = next;
      if (waiter?.signal.aborted === true) reject(cancelled());
      else if (performance.now() - since > WAITS.read) reject(crowded());
      else await this.#readOne(next).then(resolve, reject);
    }
    this.#work = null;
  }

  async #readOne({ read }: Waiting): Promise<WorkerRows> {
    const thread = this.#thread === null || this.#thread.isOver ? await this.#start() : this.#thread;
    try {
      return await thread.read(read);
    } catch (error) {
      throw thread.isOver
        ? new StoreError('unavailable', 'The thread for long reads has ended.', { cause: error })
        : toStoreError(error);
    }
  }

  async #start(): Promise<ReadingThread> {
    const { path, driver, log } = this.#options;
    try {
      return (this.#thread = await startReading({ path, driver }));
    } catch (error) {
      this.isBroken = true;
      log('A thread for long reads cannot be started. Searches will delay other requests.', error);
      throw new StoreError('unavailable', 'A thread for long reads cannot be started.', { cause: error });
    }
  }
}
