import type { CheckedOperation } from '../../lib/store/check-operations.ts';
import { StoreError, type StoredRecord } from '../../lib/store/store.ts';
import type { Outcome } from './commit.ts';
import { toStoreError } from './failures.ts';
import type { KeyedQueue } from './keyed-queue.ts';

type Results = readonly (StoredRecord | null)[];

interface Waiting {
  readonly operations: readonly CheckedOperation[];
  readonly arrived: number;
  readonly resolve: (results: Results) => void;
  readonly reject: (error: unknown) => void;
}

/** How long a commit waits for earlier ones. Milliseconds. */
const PATIENCE_MS = 2500;
/** Most operations of a group. A commit with more is alone. */
const MOST = 128;

/**
 * Commits to the same collections that wait for an earlier one share one transaction, and so the locks, the statements and
 * the flush to the disk. Each has its own outcome.
 */
export class GroupCommit {
  readonly #queues: KeyedQueue;
  readonly #write: (group: readonly (readonly CheckedOperation[])[]) => Promise<readonly Outcome[]>;
  /** The groups that have not begun, by the names of their collections. */
  readonly #open = new Map<string, Waiting[]>();

  constructor(queues: KeyedQueue, write: (group: readonly (readonly CheckedOperation[])[]) => Promise<readonly Outcome[]>) {
    this.#queues = queues;
    this.#write = write;
  }

  /** @throws StoreError */
  async commit(operations: readonly CheckedOperation[]): Promise<Results> {
    return operations.length === 0 ? [] : new Promise((resolve, reject) => {
      const waiting = { operations, arrived: performance.now(), resolve, reject };
      const names = [...new Set(operations.map(({ collection }) => collection.name))].toSorted();
      const key = JSON.stringify(names);
      const group = this.#open.get(key);
      if (group !== undefined && group.reduce((sum, each) => sum + each.operations.length, operations.length) <= MOST) group.push(waiting);
      else this.#begin(key, names, [waiting]);
    });
  }

  #begin(key: string, names: readonly string[], group: Waiting[]): void {
    this.#open.set(key, group);
    void this.#queues.run(names, async () => {
      // Commits that arrive from here on form the next group.
      if (this.#open.get(key) === group) this.#open.delete(key);
      await this.#run(group);
    });
  }

  async #run(group: readonly Waiting[]): Promise<void> {
    const isLate = ({ arrived }: Waiting): boolean => performance.now() - arrived > PATIENCE_MS;
    const late = new Set(group.filter(isLate));
    for (const { reject } of late) reject(new StoreError('unavailable', 'Too many changes are waiting for the database. Nothing was changed.'));
    const inTime = group.filter((each) => !late.has(each));
    if (inTime.length === 0) return;
    try {
      const outcomes = await this.#write(inTime.map(({ operations }) => operations));
      for (const [at, { resolve, reject }] of inTime.entries()) {
        const outcome = outcomes[at] as Outcome;
        if ('results' in outcome) resolve(outcome.results);
        else reject(toStoreError(outcome.error));
      }
    } catch (error) {
      for (const { reject } of inTime) reject(toStoreError(error));
    }
  }
}
