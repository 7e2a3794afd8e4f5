import type { CheckedOperation } from '../../lib/operation-check.ts';
import { StoreError, type Durability, type StoredRecord } from '../../lib/store.ts';
import type { Applied } from './apply.ts';
import { RESULT, SqliteFailure } from './driver.ts';
import type { DurableLog } from './durable-log.ts';
import { toStoreError } from './failures.ts';
import type { Session } from './session.ts';

type Results = readonly (StoredRecord | null)[];

interface Waiting {
  readonly operations: readonly CheckedOperation[];
  readonly durability: Durability;
  readonly resolve: (results: Results) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * What the group needs of the store. `settle` writes what all of them have in common, `publish` is called when they are committed.
 * `durable` null: nothing waits for the disk.
 */
export interface GroupOptions {
  readonly session: Session;
  readonly durable: DurableLog | null;
  readonly apply: (operations: readonly CheckedOperation[]) => Applied;
  readonly settle: (applied: readonly Applied[]) => void;
  readonly publish: (applied: readonly Applied[]) => void;
  readonly log: (message: string, error: unknown) => void;
}

/** How long another process's writes are waited for. */
const PATIENCE_MS = 5000;

/**
 * Commits that arrive in one turn of the event loop share one transaction and so one flush to the disk; each is a
 * savepoint of its own, so that one that fails leaves the others alone. Nothing is acknowledged before COMMIT returned,
 * which waits for the disk unless all of them leave that to `sync`.
 */
export class GroupCommit {
  readonly #options: GroupOptions;
  #waiting: Waiting[] = [];
  #scheduled: NodeJS.Immediate | NodeJS.Timeout | null = null;
  #patientSince: number | null = null;
  /** Set after an I/O error in a write: what the disk holds is then not known, so nothing more is promised. */
  #broken: StoreError | null = null;

  constructor(options: GroupOptions) {
    this.#options = options;
  }

  commit(operations: readonly CheckedOperation[], durability: Durability): Promise<Results> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ operations, durability, resolve, reject });
      this.#scheduled ??= setImmediate(() => this.flush());
    });
  }

  /** Settles when everything that was committed is on the disk. @throws StoreError `unavailable` */
  async sync(): Promise<void> {
    if (this.#broken !== null) throw this.#broken;
    try {
      await this.#options.durable?.sync();
    } catch (error) {
      throw this.#toReason(error);
    }
  }

  /** Writes everything that waits. */
  flush(): void {
    this.#scheduled = null;
    const group = this.#waiting;
    if (group.length === 0) return;
    if (this.#broken !== null) {
      this.#waiting = [];
      for (const each of group) each.reject(this.#broken);
      return;
    }
    if (!this.#begin()) return;
    this.#waiting = [];
    this.#write(group);
  }

  /** Writes or rejects what waits; used before the store is closed. */
  finish(): void {
    if (this.#scheduled !== null) {
      clearImmediate(this.#scheduled as NodeJS.Immediate);
      clearTimeout(this.#scheduled as NodeJS.Timeout);
    }
    this.#patientSince = -Infinity;
    this.flush();
  }

  #begin(): boolean {
    try {
      this.#options.durable?.prepare(this.#waiting.every(({ durability }) => durability === 'later') ? 'later' : 'now');
      this.#options.session.connection.exec('BEGIN IMMEDIATE');
      this.#patientSince = null;
      return true;
    } catch (error) {
      const isBusy = error instanceof SqliteFailure && (error.code === RESULT.busy || error.code === RESULT.locked);
      this.#patientSince ??= performance.now();
      if (isBusy && performance.now() - this.#patientSince < PATIENCE_MS) {
        // Another process is writing. Reads go on meanwhile; the uneven pause keeps processes out of step.
        this.#scheduled = setTimeout(() => this.flush(), 1 + Math.random() * 9);
        return false;
      }
      this.#patientSince = null;
      this.#fail(this.#waiting.splice(0), error);
      return false;
    }
  }

  #write(group: readonly Waiting[]): void {
    const { session, durable, settle, publish } = this.#options;
    const done: { readonly waiting: Waiting; readonly applied: Applied }[] = [];
    const refused: (() => void)[] = [];
    try {
      for (const waiting of group) {
        const outcome = this.#attempt(waiting, group.length === 1);
        if (outcome instanceof StoreError) refused.push(() => waiting.reject(outcome));
        else done.push({ waiting, applied: outcome });
      }
      const applied = done.map((each) => each.applied);
      if (applied.length > 0) settle(applied);
      session.connection.exec(applied.length > 0 ? 'COMMIT' : 'ROLLBACK');
      if (applied.length > 0) durable?.note();
      publish(applied);
    } catch (error) {
      this.#rollBack();
      this.#fail(group, error);
      return;
    }
    for (const { waiting, applied } of done) waiting.resolve(applied.results);
    for (const reject of refused) reject();
  }

  /** A StoreError leaves the transaction as it was before this commit; any other error ends the whole group. */
  #attempt({ operations }: Waiting, isAlone: boolean): Applied | StoreError {
    const { session, apply } = this.#options;
    if (!isAlone) session.connection.exec('SAVEPOINT one');
    try {
      const applied = apply(operations);
      if (!isAlone) session.connection.exec('RELEASE one');
      return applied;
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      if (!isAlone) session.connection.exec('ROLLBACK TO one; RELEASE one');
      return error;
    }
  }

  #rollBack(): void {
    try {
      this.#options.session.connection.exec('ROLLBACK');
    } catch {
      // After a full disk or an I/O error SQLite has rolled back by itself.
    }
  }

  #fail(group: readonly Waiting[], error: unknown): void {
    const reason = this.#toReason(error);
    for (const each of group) each.reject(reason);
  }

  #toReason(error: unknown): unknown {
    if (error instanceof SqliteFailure && error.code === RESULT.io) {
      this.#broken = new StoreError('unavailable', 'A write failed with an I/O error. Reads go on; restart the program to write again, after the disk has been looked at.', { cause: error });
      this.#options.log('A write failed with an I/O error: the store is read-only until the next start.', error);
    }
    return this.#broken ?? toStoreError(error);
  }
}
