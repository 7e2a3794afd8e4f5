import type { ChangeSource } from '../../../../lib/store/change.ts';
import type { CheckedOperation } from '../../../../lib/store/check-operations.ts';
import { type Durability, type StoredRecord, StoreError } from '../../../../lib/store/store.ts';
import { withDeadline } from '../deadline.ts';
import { toStoreError } from '../errors.ts';
import type { KeyedQueue } from '../keyed-queue.ts';
import type { Locks } from '../locks.ts';
import type { Group, Outcome } from './commit.ts';

type Results = readonly (StoredRecord | null)[];

interface Waiting {
  readonly operations: readonly CheckedOperation[];
  readonly durability: Durability;
  readonly source: ChangeSource;
  readonly arrived: number;
  readonly resolve: (results: Results) => void;
  readonly reject: (error: unknown) => void;
}

/** The parts of the store that the groups use. `write`: runs a group. */
interface GroupOptions {
  readonly queues: KeyedQueue;
  readonly locks: Locks;
  readonly write: (group: Group) => Promise<readonly Outcome[]>;
  /** How long a commit may wait in all, for earlier ones, for a connection and for locks. Milliseconds. */
  readonly callMs: number;
}

/** How long a commit waits for earlier ones. Milliseconds. */
const PATIENCE_MS = 2500;
/** Most operations of a group. A commit with more is alone. */
const MOST = 128;

/**
 * Commits to the same collections that wait for an earlier one share one transaction, and so the locks, the statements and
 * the flush to the disk. Each has its own outcome. The flush is left to a later one if all of them may be durable later.
 */
export class GroupCommit {
  readonly #options: GroupOptions;
  /** The groups that have not begun, by the names of their collections. */
  readonly #open = new Map<string, Waiting[]>();

  constructor(options: GroupOptions) {
    this.#options = options;
  }

  /** @throws StoreError */
  async commit(
    operations: readonly CheckedOperation[],
    options: Pick<Waiting, 'durability' | 'source'>,
  ): Promise<Results> {
    if (operations.length === 0) return [];
    const names = [...new Set(operations.map(({ collection }) => collection.name))].toSorted();
    this.#options.locks.check(names);
    return new Promise((resolve, reject) => {
      const waiting = { operations, ...options, arrived: performance.now(), resolve, reject };
      const key = JSON.stringify(names);
      const group = this.#open.get(key);
      if (
        group !== undefined &&
        group.reduce((sum, each) => sum + each.operations.length, operations.length) <= MOST
      )
        group.push(waiting);
      else this.#begin(key, names, [waiting]);
    });
  }

  #begin(key: string, names: readonly string[], group: Waiting[]): void {
    this.#open.set(key, group);
    void this.#options.queues.run(names, async () => {
      // Commits that arrive from here on form the next group.
      if (this.#open.get(key) === group) this.#open.delete(key);
      await this.#run(group);
    });
  }

  async #run(group: readonly Waiting[]): Promise<void> {
    const isLate = ({ arrived }: Waiting): boolean => performance.now() - arrived > PATIENCE_MS;
    const late = new Set(group.filter(isLate));
    for (const { reject } of late)
      reject(
        new StoreError('unavailable', 'Too many changes are waiting for the database. Nothing was changed.'),
      );
    const inTime = group.filter((each) => !late.has(each));
    if (inTime.length === 0) return;
    try {
      const passed = performance.now() - Math.min(...inTime.map(({ arrived }) => arrived));
      const durability = inTime.every((each) => each.durability === 'later') ? 'later' : 'now';
      const outcomes = await withDeadline(this.#options.callMs - passed, () =>
        this.#options.write({ commits: inTime, durability }),
      );
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
