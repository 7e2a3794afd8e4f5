import { setTimeout as pause } from 'node:timers/promises';
import { StoreError } from '../../lib/store/store.ts';
import { RESULT, SqliteFailure } from './driver.ts';
import type { Session } from './session.ts';
import { addExisting, addPending, isComplete, type TextIndex } from './text-index.ts';
import type { Transaction } from './transaction.ts';

/** The parts of the store that building an index needs. */
export interface BuilderOptions {
  readonly session: Session;
  readonly transaction: Transaction;
  readonly log: (message: string, error?: unknown) => void;
}

/** How long one step should take, and the pause after it. Everything else waits during a step. Milliseconds. */
const STEP_MS = 8;
const PAUSE_MS = 8;
/** The pause while the index only lacks changed records, so that many creates in a row keep three quarters of the time. Milliseconds. */
const EASY_PAUSE_MS = 24;
/** How long changed records wait for others, which are then added to the index together. Milliseconds. */
const GATHER_MS = 1000;
/** The pause after a failure, such as a full disk. Milliseconds. */
const RECOVERY_MS = 2000;
const MOST_RECORDS = 500;

/**
 * Adds records to the text indexes in short transactions, while the store is in use. What is left to do is noted in the file,
 * so the work continues where it stopped when the process ended, or while another process shares it.
 */
export class IndexBuilder {
  readonly #options: BuilderOptions;
  /** The indexes that have all records, and those in which something may be left to do. */
  readonly #complete = new Set<TextIndex>();
  readonly #todo = new Set<TextIndex>();
  /** How many records fit into a step. */
  #records = 20;
  #timer: NodeJS.Timeout | undefined;
  #isFailing = false;
  #isStopped = false;

  constructor(options: BuilderOptions) {
    this.#options = options;
  }

  /** Continues with what was left to do in the file. */
  start(indexes: Iterable<TextIndex>): void {
    for (const index of indexes) {
      if (isComplete(this.#options.session, index)) this.#complete.add(index);
      else this.#options.log(`The index for searches in ${index.table} is being built. Until then searches read every record.`);
      this.note(index);
    }
  }

  /** Must be called when a record may have changed. */
  note(index: TextIndex | undefined): void {
    if (index === undefined) return;
    this.#todo.add(index);
    if (this.#timer === undefined) this.#wait(GATHER_MS);
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  /** Whether the index has all records or lists them, so that searches may use it. */
  isComplete(index: TextIndex): boolean {
    return this.#complete.has(index);
  }

  /** Resolves when all indexes are complete. @throws StoreError `unavailable` when they cannot be written */
  async complete(): Promise<void> {
    const indexes = [...this.#todo];
    while (!this.#isStopped && indexes.some((index) => !this.#complete.has(index))) {
      if (this.#isFailing) throw new StoreError('unavailable', 'The index for searches cannot be written. The log says why.');
      await pause(PAUSE_MS);
    }
  }

  #wait(ms: number): void {
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => this.#step(), ms);
    this.#timer.unref();
  }

  #step(): void {
    this.#timer = undefined;
    const [index] = this.#todo;
    if (index === undefined) return;
    const began = performance.now();
    try {
      this.#build(index);
    } catch (error) {
      this.#recover(error);
      return;
    }
    this.#isFailing = false;
    const took = performance.now() - began;
    this.#records = Math.min(MOST_RECORDS, Math.max(1, Math.round(this.#records * Math.min(2, STEP_MS / took))));
    if (this.#todo.size > 0) this.#wait(this.#complete.has(index) ? EASY_PAUSE_MS : PAUSE_MS);
  }

  #build(index: TextIndex): void {
    const { session, transaction, log } = this.#options;
    let isLeft = false;
    transaction.aside(() => { isLeft = addPending(session, index, this.#records) || addExisting(session, index, this.#records); });
    if (isLeft) return;
    this.#todo.delete(index);
    if (this.#complete.has(index)) return;
    this.#complete.add(index);
    log(`The index for searches in ${index.table} is complete.`);
  }

  #recover(error: unknown): void {
    const isBusy = error instanceof SqliteFailure && (error.code === RESULT.busy || error.code === RESULT.locked);
    if (!isBusy && !this.#isFailing) this.#options.log('The index for searches cannot be written. The store tries again; meanwhile searches read more records.', error);
    this.#isFailing ||= !isBusy;
    this.#wait(isBusy ? PAUSE_MS : RECOVERY_MS);
  }
}
