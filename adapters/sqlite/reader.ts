import { StoreError, type Waiter } from '../../lib/store/store.ts';
import { toStoreError } from './failures.ts';
import type { FarRead, FarRows } from './far-read.ts';
import { startReading, type ReadingThread } from './reading-thread.ts';

/** What a reader is made with. */
export interface ReaderOptions {
  readonly path: string;
  /** Name of the driver of the store. */
  readonly driver: string;
  readonly log: (message: string, error?: unknown) => void;
}

interface Waiting {
  readonly read: FarRead;
  readonly waiter: Waiter | undefined;
  readonly since: number;
  readonly resolve: (rows: FarRows) => void;
  readonly reject: (error: unknown) => void;
}

/** When a read has waited so long to begin, no more are taken. */
const PATIENCE_MS = 2000;

const closed = (): StoreError => new StoreError('closed', 'The store is closed.');

/**
 * Does reads that may take long one after the other in a thread with a connection of its own, so that the process goes on
 * meanwhile. The first of them starts the thread, and so does the next one when the thread has failed. A read that nobody waits for any more is not begun.
 */
export class Reader {
  readonly #options: ReaderOptions;
  #thread: ReadingThread | null = null;
  #waiting: Waiting[] = [];
  #work: Promise<void> | null = null;
  #isClosed = false;
  /** No thread could be started: the store has to read by itself. */
  isBroken = false;

  constructor(options: ReaderOptions) {
    this.#options = options;
  }

  /** @throws StoreError `unavailable` also when too many wait, `cancelled`, `closed` */
  read(read: FarRead, waiter?: Waiter): Promise<FarRows> {
    return new Promise((resolve, reject) => {
      const since = performance.now();
      const [oldest] = this.#waiting;
      if (this.#isClosed) reject(closed());
      else if (oldest !== undefined && since - oldest.since > PATIENCE_MS) reject(new StoreError('unavailable', 'Too many long reads wait for the store.'));
      else {
        this.#waiting.push({ read, waiter, since, resolve, reject });
        this.#work ??= this.#readAll();
      }
    });
  }

  /** Ends the thread when it is through with its read; those that wait are `closed`. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { reject } of this.#waiting.splice(0)) reject(closed());
    await this.#work;
    await this.#thread?.end();
  }

  async #readAll(): Promise<void> {
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      const { read, waiter, resolve, reject } = next;
      if (waiter?.signal.aborted === true) reject(new StoreError('cancelled', 'Nobody waits for the read any more.'));
      else await this.#readOne(read).then(resolve, reject);
    }
    this.#work = null;
  }

  async #readOne(read: FarRead): Promise<FarRows> {
    const thread = this.#thread === null || this.#thread.isOver ? await this.#start() : this.#thread;
    try {
      return await thread.read(read);
    } catch (error) {
      throw thread.isOver ? new StoreError('unavailable', 'The thread of long reads has ended.', { cause: error }) : toStoreError(error);
    }
  }

  async #start(): Promise<ReadingThread> {
    const { path, driver, log } = this.#options;
    try {
      return this.#thread = await startReading({ path, driver });
    } catch (error) {
      this.isBroken = true;
      log('No thread can be started for long reads: searches hold up other requests.', error);
      throw new StoreError('unavailable', 'No thread can be started for long reads.', { cause: error });
    }
  }
}
