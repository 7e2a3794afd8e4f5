import { StoreError, type Durability } from '../../lib/store.ts';
import { RESULT, SqliteFailure } from './driver.ts';
import type { DurableLog } from './durable-log.ts';
import { toStoreError } from './failures.ts';
import type { Revisions } from './revisions.ts';
import type { Session } from './session.ts';

/** What a transaction needs. `durable` null: nothing waits for the disk. */
export interface TransactionOptions {
  readonly session: Session;
  readonly durable: DurableLog | null;
  readonly revisions: Revisions;
  readonly log: (message: string, error: unknown) => void;
}

/** How long a transaction is held for commits that have time: meanwhile no other process can write. */
const HOLD_MS = 20;

/**
 * The one write transaction of the connection. It ends with the commits that it was begun for, or it is held for more
 * of those that have time until `sync`, so that a page which all of them change is written once. The process sees what
 * is in it at once, others and the file when it ends, which is soon.
 */
export class Transaction {
  readonly #options: TransactionOptions;
  #level: Durability | null = null;
  #holding: NodeJS.Timeout | undefined;
  /** Set when it is not known what the disk holds, or when something is gone that others have seen: nothing more is promised. */
  #broken: StoreError | null = null;

  constructor(options: TransactionOptions) {
    this.#options = options;
  }

  /** Begins one, or goes on with the one that is held. @throws StoreError `unavailable`; SqliteFailure, `busy` while another process writes */
  begin(level: Durability): void {
    if (this.#broken !== null) throw this.#broken;
    if (level === 'now') this.settle();
    if (this.#level !== null) return;
    const { session, durable, revisions } = this.#options;
    durable?.prepare(level);
    session.connection.exec('BEGIN IMMEDIATE');
    this.#level = level;
    revisions.refresh();
  }

  /** Runs as a part that can be taken back alone. After an error of the engine the whole transaction is to be given up. @throws what `run` throws */
  part<T>(run: () => T): T {
    const { connection } = this.#options.session;
    connection.exec('SAVEPOINT part');
    try {
      const result = run();
      connection.exec('RELEASE part');
      return result;
    } catch (error) {
      if (!(error instanceof SqliteFailure)) connection.exec('ROLLBACK TO part; RELEASE part');
      throw error;
    }
  }

  /** Ends it, or holds it if it has time. @throws SqliteFailure */
  end(): void {
    if (this.#level === 'now') this.#commit();
    else this.#holding ??= setTimeout(() => this.#settleAlone(), HOLD_MS);
  }

  /** Ends the transaction that is held. @throws StoreError `full`, `unavailable` */
  settle(): void {
    if (this.#level === null) return;
    try {
      this.#commit();
    } catch (error) {
      throw this.giveUp(error);
    }
  }

  /** Settles when everything that was committed is on the disk. @throws StoreError `full`, `unavailable` */
  async sync(): Promise<void> {
    if (this.#broken !== null) throw this.#broken;
    this.settle();
    try {
      await this.#options.durable?.sync();
    } catch (error) {
      throw this.#toReason(error);
    }
  }

  /** Takes back what is not committed. @returns what to tell those who wait for it */
  giveUp(error: unknown): unknown {
    const { session, revisions, log } = this.#options;
    const reason = this.#toReason(error);
    // Held means told: what was written in this turn alone, nobody has seen.
    const isSeen = this.#holding !== undefined && revisions.areAhead;
    this.#close();
    try {
      session.connection.exec('ROLLBACK');
    } catch {
      // After a full disk or an I/O error SQLite has rolled back by itself.
    }
    revisions.takeBack(isSeen);
    if (isSeen && this.#broken === null) {
      this.#broken = new StoreError('unavailable', 'The items of a batch could not be written after others had seen them. Reads go on; restart the program to write again.', { cause: error });
      log('The items of a batch could not be written after others had seen them: the store is read-only until the next start.', error);
    }
    return reason;
  }

  #commit(): void {
    const { session, durable, revisions } = this.#options;
    const isChanged = revisions.areAhead;
    if (isChanged) revisions.write();
    session.connection.exec(isChanged ? 'COMMIT' : 'ROLLBACK');
    if (isChanged) durable?.note();
    this.#close();
    revisions.settle();
  }

  #close(): void {
    this.#level = null;
    clearTimeout(this.#holding);
    this.#holding = undefined;
  }

  /** Nobody waits for it: whoever asks whether it is durable hears of a failure. */
  #settleAlone(): void {
    try {
      this.settle();
    } catch (error) {
      this.#options.log('The items of a batch could not be written.', error);
    }
  }

  #toReason(error: unknown): unknown {
    if (error instanceof SqliteFailure && error.code === RESULT.io) {
      this.#broken = new StoreError('unavailable', 'A write failed with an I/O error. Reads go on; restart the program to write again, after the disk has been looked at.', { cause: error });
      this.#options.log('A write failed with an I/O error: the store is read-only until the next start.', error);
    }
    return this.#broken ?? toStoreError(error);
  }
}
