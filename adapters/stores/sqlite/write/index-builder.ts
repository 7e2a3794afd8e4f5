import { setTimeout as pause } from 'node:timers/promises';
import { StoreError } from '../../../../lib/store/store.ts';
import { RESULT, SqliteFailure } from '../driver.ts';
import { addPending, mergeSome, type TextIndex } from '../schema/text-index.ts';
import type { Session } from '../session.ts';
import type { Transaction } from './transaction.ts';

/** The parts of the store that building an index needs. */
interface BuilderOptions {
  readonly session: Session;
  readonly transaction: Transaction;
  readonly log: (message: string, error?: unknown) => void;
}

/** The pause between two steps. Everything else waits during a step, which takes about as long. Milliseconds. */
const PAUSE_MS = 8;
/** The pause if records have changed since the last step, so that writers keep most of the time. Milliseconds. */
const BUSY_PAUSE_MS = 56;
/** How long changed records wait for others, and the next step for another process that writes. Milliseconds. */
const GATHER_MS = 1000;
/** The pause after a failure, such as a full disk. Milliseconds. */
const RECOVERY_MS = 2000;

/**
 * Adds the listed records to the text indexes in short transactions, while the store is in use. Together they take a quarter of the
 * time that adding each in its commit would take. The lists are in the file, so the work continues where it stopped when the process ended.
 */
export class IndexBuilder {
  readonly #options: BuilderOptions;
  /** The indexes in which something may be left to do. */
  readonly #todo: Set<TextIndex>;
  #timer: NodeJS.Timeout | undefined;
  /** Whether records have changed since the last step. */
  #isBusy = false;
  #isFailing = false;
  #isStopped = false;
  /** How many callers wait until nothing is left. */
  #hurrying = 0;

  /** Continues with what was left to do in the file. */
  constructor(indexes: Iterable<TextIndex>, options: BuilderOptions) {
    this.#options = options;
    this.#todo = new Set(indexes);
    if (this.#todo.size > 0) this.#wait(GATHER_MS);
  }

  /** Must be called when a record may have changed. */
  note(index: TextIndex | undefined): void {
    if (index === undefined) return;
    this.#todo.add(index);
    this.#isBusy = true;
    if (this.#timer === undefined) this.#wait(GATHER_MS);
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  /** Does all that is left without rests, and resolves when nothing waits. @throws StoreError `unavailable` when the indexes cannot be written */
  async complete(): Promise<void> {
    this.#hurrying += 1;
    try {
      clearTimeout(this.#timer);
      if (this.#todo.size > 0) this.#wait(0);
      while (!this.#isStopped && this.#todo.size > 0) {
        if (this.#isFailing)
          throw new StoreError('unavailable', 'The index for searches cannot be written. The log says why.');
        await pause(PAUSE_MS);
      }
    } finally {
      this.#hurrying -= 1;
    }
  }

  #wait(ms: number): void {
    if (this.#isStopped) return;
    // A step between two items of a batch would end the transaction that they share.
    this.#timer = setTimeout(() => this.#options.transaction.afterwards(() => this.#step()), ms);
    this.#timer.unref();
  }

  #step(): void {
    this.#timer = undefined;
    const [index] = this.#todo;
    if (index === undefined || this.#isStopped) return;
    const { session, transaction } = this.#options;
    const pauseMs = this.#isBusy ? BUSY_PAUSE_MS : PAUSE_MS;
    this.#isBusy = false;
    let isLeft = false;
    try {
      transaction.aside(() => {
        // Both, so that searches never have many parts to look up.
        isLeft = addPending(session, index);
        isLeft = mergeSome(session, index) || isLeft;
      });
      this.#isFailing = false;
      if (!isLeft) this.#todo.delete(index);
      if (this.#todo.size > 0) this.#wait(this.#hurrying > 0 ? 0 : pauseMs);
    } catch (error) {
      this.#recover(error);
    }
  }

  #recover(error: unknown): void {
    const isBusy =
      error instanceof SqliteFailure && (error.code === RESULT.busy || error.code === RESULT.locked);
    if (!isBusy && !this.#isFailing)
      this.#options.log(
        'The index for searches cannot be written. The store tries again; meanwhile searches read more records.',
        error,
      );
    this.#isFailing ||= !isBusy;
    // Each attempt holds up the process for as long as it waits for the other writer.
    this.#wait(isBusy ? GATHER_MS : RECOVERY_MS);
  }
}
