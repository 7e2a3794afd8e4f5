import type { ChangeSource } from '../../../../lib/store/change.ts';
import type { CheckedOperation } from '../../../../lib/store/check-operations.ts';
import type { Durability, StoredRecord } from '../../../../lib/store/store.ts';
import { RESULT, SqliteFailure } from '../driver.ts';
import { WAITS } from '../waits.ts';
import type { Applied } from './apply.ts';
import type { Transaction } from './transaction.ts';

type Results = readonly (StoredRecord | null)[];

interface Waiting {
  readonly operations: readonly CheckedOperation[];
  readonly durability: Durability;
  readonly source: ChangeSource;
  readonly resolve: (results: Results) => void;
  readonly reject: (error: unknown) => void;
}

/** How a commit is made, and by whom. */
type CommitOptions = Pick<Waiting, 'durability' | 'source'>;

/** The parts of the store that the group uses. `publish` is called for each applied commit. */
interface GroupOptions {
  readonly transaction: Transaction;
  readonly apply: (operations: readonly CheckedOperation[]) => Applied;
  readonly publish: (applied: Applied, source: ChangeSource) => void;
}

/**
 * Commits that arrive in one turn of the event loop share one transaction, and so one flush to the disk. Each is a savepoint
 * of its own, so that a failed commit does not affect the others. A commit is acknowledged only after the transaction has
 * ended, unless all commits of the group may become durable later.
 */
export class GroupCommit {
  readonly #options: GroupOptions;
  #waiting: Waiting[] = [];
  #scheduled: NodeJS.Immediate | NodeJS.Timeout | null = null;
  #patientSince: number | null = null;

  constructor(options: GroupOptions) {
    this.#options = options;
  }

  commit(operations: readonly CheckedOperation[], options: CommitOptions): Promise<Results> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ operations, ...options, resolve, reject });
      this.#scheduled ??= setImmediate(() => this.flush());
    });
  }

  /** Writes all waiting commits. */
  flush(): void {
    this.#scheduled = null;
    if (this.#waiting.length > 0 && this.#begin()) this.#write(this.#waiting.splice(0));
  }

  /** Writes or rejects all waiting commits. Called before the store closes. */
  finish(): void {
    if (this.#scheduled !== null) {
      clearImmediate(this.#scheduled as NodeJS.Immediate);
      clearTimeout(this.#scheduled as NodeJS.Timeout);
    }
    this.#patientSince = -Infinity;
    this.flush();
  }

  #begin(): boolean {
    const { transaction } = this.#options;
    try {
      transaction.begin(this.#waiting.every(({ durability }) => durability === 'later') ? 'later' : 'now');
      this.#patientSince = null;
      return true;
    } catch (error) {
      const isBusy =
        error instanceof SqliteFailure && (error.code === RESULT.busy || error.code === RESULT.locked);
      this.#patientSince ??= performance.now();
      if (isBusy && performance.now() - this.#patientSince < WAITS.commit) {
        // Another process is writing. Reads continue meanwhile. The random pause keeps processes from retrying in step.
        this.#scheduled = setTimeout(() => this.flush(), 1 + Math.random() * 9);
        return false;
      }
      this.#patientSince = null;
      this.#fail(this.#waiting.splice(0), error);
      return false;
    }
  }

  #write(group: readonly Waiting[]): void {
    const outcomes: (() => void)[] = [];
    try {
      for (const waiting of group) outcomes.push(this.#attempt(waiting, group.length === 1));
      this.#options.transaction.end();
    } catch (error) {
      this.#fail(group, error);
      return;
    }
    for (const tell of outcomes) tell();
  }

  /** @returns a function that settles the caller's promise. @throws SqliteFailure, which fails the whole group */
  #attempt({ operations, source, resolve, reject }: Waiting, isAlone: boolean): () => void {
    const { transaction, apply, publish } = this.#options;
    try {
      const applied = transaction.part(isAlone, () => apply(operations));
      publish(applied, source);
      return () => resolve(applied.results);
    } catch (error) {
      if (error instanceof SqliteFailure) throw error;
      return () => reject(error);
    }
  }

  #fail(group: readonly Waiting[], error: unknown): void {
    const reason = this.#options.transaction.giveUp(error);
    for (const each of group) each.reject(reason);
  }
}
