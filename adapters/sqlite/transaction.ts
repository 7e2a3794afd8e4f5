import { StoreError, type Durability } from '../../lib/store/store.ts';
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
 * How long nothing is written after items of a batch were lost. Their batch is still to ask whether they are durable, and must be
 * told no; after so long no call can be left that saw them.
 */
const HEAL_MS = 5 * 60_000;

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
  #brokenUntil = Infinity;

  constructor(options: TransactionOptions) {
    this.#options = options;
  }

  /** Begins one, or goes on with the one that is held. @throws StoreError `unavailable`; SqliteFailure, `busy` while another process writes */
  begin(level: Durability): void {
    this.#checkUsable();
    if (level === 'now') this.settle();
    if (this.#level !== null) return;
    const { session, durable, revisions } = this.#options;
    durable?.prepare(level);
    session.connection.exec('BEGIN IMMEDIATE');
    this.#level = level;
    revisions.refresh();
  }

  /** Runs as a part that is taken back alone. `isAlone`: no other part comes before `end`. @throws what `run` throws; SqliteFailure: the whole transaction is to be given up */
  part<T>(isAlone: boolean, run: () => T): T {
    const { session: { connection }, revisions } = this.#options;
    // The only part needs no bounds: when it fails, `end` or `giveUp` takes back the transaction, in which nothing was counted.
    if (isAlone && !revisions.areAhead) return run();
    connection.exec('SAVEPOINT part');
    try {
      const result = run();
      connection.exec('RELEASE part');
      return result;
    } catch (error) {
      this.#takeBackPart(error);
      // The engine is at one with itself again: the fault was that of this part.
      throw error instanceof SqliteFailure && error.code !== RESULT.io ? toStoreError(error) : error;
    }
  }

  #takeBackPart(error: unknown): void {
    try {
      this.#options.session.connection.exec('ROLLBACK TO part; RELEASE part');
    } catch (second) {
      // After some errors SQLite has taken back all of the transaction by itself.
      throw error instanceof SqliteFailure ? error : second;
    }
  }

  /** Ends it, or holds it if it has time. @throws SqliteFailure */
  end(): void {
    if (this.#level === 'now' || !this.#options.revisions.areAhead) this.#commit();
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
    this.#checkUsable();
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
      this.#broken = new StoreError('unavailable', 'The items of a batch could not be written after others had seen them. Reads go on; writes are taken again in some minutes.', { cause: error });
      this.#brokenUntil = performance.now() + HEAL_MS;
      log('The items of a batch could not be written after others had seen them: the store is read-only for some minutes.', error);
    }
    return reason;
  }

  #checkUsable(): void {
    if (performance.now() >= this.#brokenUntil) this.#broken = null;
    if (this.#broken !== null) throw this.#broken;
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
    } catch {
      // Logged by `giveUp`: what is held was seen.
    }
  }

  #toReason(error: unknown): unknown {
    if (error instanceof SqliteFailure && error.code === RESULT.io) {
      this.#brokenUntil = Infinity;
      this.#broken = new StoreError('unavailable', 'A write failed with an I/O error. Reads go on; restart the program to write again, after the disk has been looked at.', { cause: error });
      this.#options.log('A write failed with an I/O error: the store is read-only until the next start.', error);
    }
    return this.#broken ?? toStoreError(error);
  }
}
