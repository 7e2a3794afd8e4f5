import { setTimeout as pause } from 'node:timers/promises';
import { StoreError } from '../../../../lib/store/store.ts';
import { RESULT, SqliteFailure } from '../driver.ts';
import type { TextIndex } from '../schema/text-index.ts';
import type { Session } from '../session.ts';
import type { Transaction } from '../write/transaction.ts';
import { addExisting, addPending, isComplete } from './fill-text-index.ts';
import { mergeSome, stopOwnMerges } from './text-merge.ts';

/** The parts of the store that building an index needs. */
export interface BuilderOptions {
  readonly session: Session;
  readonly transaction: Transaction;
  readonly log: (message: string, error?: unknown) => void;
}

/** How long one step should take, and the pause after it. Everything else waits during a step. Milliseconds. */
const STEP_MS = 8;
const PAUSE_MS = 8;
/** The pause of a complete index if records have changed since the last step, so that writers keep most of the time. Once they pause, the index catches up. Milliseconds. */
const BUSY_PAUSE_MS = 56;
/** How long changed records wait for others, which are then added to the index together, and the next step for another process that writes. Milliseconds. */
const GATHER_MS = 1000;
/** The pause after a failure, such as a full disk. Milliseconds. */
const RECOVERY_MS = 2000;
/** How often records are added before parts of the index are merged even though more records wait, and how many steps of that come before the next are added. */
const MOST_UNMERGED = 32;
const MERGES = 8;

/** Finds how much fits into a step. */
class Pace {
  amount: number;
  readonly #most: number;

  constructor(amount: number, most: number) {
    this.amount = amount;
    this.#most = most;
  }

  /** `isFull`: the step had as much to do as it was given. */
  note(took: number, isFull: boolean): void {
    this.amount = Math.min(
      this.#most,
      Math.max(1, Math.round(this.amount * Math.min(isFull ? 2 : 1, STEP_MS / took))),
    );
  }
}

/** What was done to an index in this process. */
interface Progress {
  isPrepared: boolean;
  /** Steps that added records since everything was merged. */
  unmerged: number;
  merges: number;
  /** The last step was for changed records alone, and more of them wait. */
  isListed: boolean;
}

/**
 * Adds records to the text indexes in short transactions, while the store is in use, and merges what was added once no more wait. What is left to do is noted in the file,
 * so the work continues where it stopped when the process ended, or while another process shares it.
 */
export class IndexBuilder {
  readonly #options: BuilderOptions;
  /** The indexes that have all records, and those in which something may be left to do. */
  readonly #complete = new Set<TextIndex>();
  readonly #todo = new Set<TextIndex>();
  readonly #progress = new Map<TextIndex, Progress>();
  readonly #records = new Pace(20, 500);
  readonly #pages = new Pace(8, 500);
  #timer: NodeJS.Timeout | undefined;
  /** Whether records have changed since the last step. */
  #isBusy = false;
  #isFailing = false;
  #isStopped = false;
  /** How many callers wait until nothing is left. */
  #hurrying = 0;

  constructor(options: BuilderOptions) {
    this.#options = options;
  }

  /** Continues with what was left to do in the file. */
  start(indexes: Iterable<TextIndex>): void {
    for (const index of indexes) {
      if (isComplete(this.#options.session, index)) this.#complete.add(index);
      else
        this.#options.log(
          `The index for searches in ${index.table} is being built. Until then searches read every record.`,
        );
      this.note(index);
    }
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

  /** Whether the index has all records or lists them, so that searches may use it. */
  isComplete(index: TextIndex): boolean {
    return this.#complete.has(index);
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
    try {
      const ms = this.#advance(index);
      if (this.#todo.size > 0) this.#wait(this.#hurrying > 0 ? 0 : ms);
      this.#isFailing = false;
    } catch (error) {
      this.#recover(error);
    }
  }

  /** @returns how long to wait for the next step, in milliseconds */
  #advance(index: TextIndex): number {
    const progress = this.#progress.get(index) ?? {
      isPrepared: false,
      unmerged: 0,
      merges: 0,
      isListed: false,
    };
    this.#progress.set(index, progress);
    const isMergeDue = progress.unmerged >= MOST_UNMERGED;
    const restMs = this.#isBusy && this.#complete.has(index) ? BUSY_PAUSE_MS : PAUSE_MS;
    this.#isBusy = false;
    if (!isMergeDue || progress.merges >= MERGES) {
      progress.merges = 0;
      const added = this.#add(index, progress);
      // Records that change meanwhile are added together.
      if (added !== 'none') return added === 'all' && !isMergeDue ? GATHER_MS : restMs;
    }
    progress.merges += 1;
    if (this.#merge(index)) return restMs;
    if (!isMergeDue) this.#todo.delete(index);
    progress.unmerged = 0;
    return restMs;
  }

  /** Adds as many records as fit into a step. @returns whether those were all that wait */
  #add(index: TextIndex, progress: Progress): 'all' | 'some' | 'none' {
    const { session, log } = this.#options;
    let [count, isListed, isLeft] = [0, false, false];
    this.#measure(this.#records, (most) => {
      if (!progress.isPrepared) stopOwnMerges(session, index);
      // While records keep changing, every other step is for the older ones.
      const areOlderDue = progress.isListed && !this.#complete.has(index);
      const added = areOlderDue ? { count: 0, isMore: true } : addPending(session, index, most);
      count = added.count;
      isListed = added.isMore;
      isLeft = isListed && !areOlderDue ? !this.#complete.has(index) : addExisting(session, index, most);
      progress.isListed = isListed && !areOlderDue;
      return isListed || isLeft;
    });
    progress.isPrepared = true;
    if (count > 0 || isLeft) progress.unmerged += 1;
    if (!isLeft && !this.#complete.has(index)) {
      this.#complete.add(index);
      log(`The index for searches in ${index.table} is complete.`);
    }
    if (isListed || isLeft) return 'some';
    return count > 0 ? 'all' : 'none';
  }

  #merge(index: TextIndex): boolean {
    let isChanged = false;
    this.#measure(this.#pages, (pages) => (isChanged = mergeSome(this.#options.session, index, pages)));
    return isChanged;
  }

  /** `run` returns whether it had as much to do as it was given. */
  #measure(pace: Pace, run: (amount: number) => boolean): void {
    const began = performance.now();
    let isFull = false;
    this.#options.transaction.aside(() => {
      isFull = run(pace.amount);
    });
    pace.note(performance.now() - began, isFull);
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
