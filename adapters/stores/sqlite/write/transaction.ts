import { type Durability, StoreError } from '../../../../lib/store/store.ts';
import { RESULT, SqliteFailure } from '../driver.ts';
import { toStoreError } from '../errors.ts';
import { transact } from '../schema/migrate.ts';
import type { Session } from '../session.ts';
import type { Revisions } from './revisions.ts';

/** The parts that a transaction uses. `isDurable`: its end waits for the disk. `onLoss` is called when changes that others have seen were rolled back. */
interface TransactionOptions {
  readonly session: Session;
  readonly isDurable: boolean;
  readonly revisions: Revisions;
  readonly onLoss: () => void;
  readonly log: (message: string, error: unknown) => void;
}

/** How long a transaction is held for commits that may become durable later. No other process can write meanwhile. */
const HOLD_MS = 60;

/**
 * How long writes are refused after items of a batch were lost: a call that has just seen them must not write what refers to
 * them. What a longer call writes refers to nothing, because lost ids and versions are not given again.
 */
const HEAL_MS = 500;
/** How long a flush fails after a loss if its caller does not say when it began. No call that saw the lost items runs longer. */
const SEEN_MS = 5 * 60_000;

/**
 * The one write transaction of the connection. It ends with the commits that it was begun for, or is held for further commits
 * that may become durable later, until `sync`, so that a page that all of them change is written once. This process sees
 * the changes at once. Others see them when the transaction ends, which is soon.
 */
export class Transaction {
  readonly #options: TransactionOptions;
  #level: Durability | null = null;
  /** What is not synced now is with the next sync: the checksums of the log's frames form a chain. */
  #isSynced = true;
  #holding: NodeJS.Timeout | undefined;
  #next: (() => void) | undefined;
  /** COMMIT was sent to the engine. After an I/O error its frames may be complete in the log, and then the next start makes it. */
  #isEnding = false;
  /** Set when the state of the disk is unknown, or when data that others have seen is lost. Writes are then refused. */
  #broken: StoreError | null = null;
  #brokenUntil = Infinity;
  /** The last loss of items that others had seen. */
  #loss: { readonly at: number; readonly error: StoreError } | null = null;

  constructor(options: TransactionOptions) {
    this.#options = options;
  }

  /** Begins a transaction, or continues the one that is held. @throws StoreError `unavailable`; SqliteFailure, `busy` while another process writes */
  begin(level: Durability): void {
    this.#checkUsable();
    if (level === 'now') this.settle();
    if (this.#level !== null) return;
    const { session, revisions } = this.#options;
    this.#setSynced(true);
    session.connection.exec('BEGIN IMMEDIATE');
    this.#level = level;
    revisions.refresh();
  }

  /** Runs a part that can be rolled back alone. `isAlone`: it is the only part before `end`. @throws the error of `run`; SqliteFailure when the whole transaction must be rolled back */
  part<T>(isAlone: boolean, run: () => T): T {
    const {
      session: { connection },
      revisions,
    } = this.#options;
    // The only part needs no savepoint: if it fails, `end` or `giveUp` rolls back the transaction, in which nothing was counted.
    if (isAlone && !revisions.areAhead) return run();
    connection.exec('SAVEPOINT part');
    try {
      const result = run();
      connection.exec('RELEASE part');
      return result;
    } catch (error) {
      this.#takeBackPart(error);
      // The rollback to the savepoint worked, so the error belongs to this part alone.
      throw error instanceof SqliteFailure && error.code !== RESULT.io ? toStoreError(error) : error;
    }
  }

  #takeBackPart(error: unknown): void {
    try {
      this.#options.session.connection.exec('ROLLBACK TO part; RELEASE part');
    } catch (second) {
      // After some errors SQLite has already rolled back the whole transaction.
      throw error instanceof SqliteFailure ? error : second;
    }
  }

  /** Ends the transaction, or holds it if its commits may become durable later. @throws SqliteFailure */
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

  /** Runs `run`, which must not throw, once no transaction is held: at most some 60 ms later. Only one can wait. */
  afterwards(run: () => void): void {
    if (this.#level === null) run();
    else this.#next = run;
  }

  /**
   * Runs a transaction of its own, which changes no records and does not wait for the disk: a power failure may undo it.
   * @throws StoreError `full`, `unavailable`, of the transaction that is held; SqliteFailure
   */
  aside(run: () => void): void {
    this.#checkUsable();
    this.settle();
    this.#setSynced(false);
    transact(this.#options.session, run);
  }

  /** Returns when all commits are on the disk that settled after `since`. @throws StoreError `full`, `unavailable` */
  sync(since = performance.now() - SEEN_MS): void {
    if (this.#loss !== null && this.#loss.at >= since) throw this.#loss.error;
    if (this.#brokenUntil === Infinity) this.#checkUsable();
    this.settle();
  }

  /** Rolls back what is not committed. @returns the error for the waiting callers */
  giveUp(error: unknown): unknown {
    const { session, revisions, onLoss, log } = this.#options;
    const reason = this.#toReason(error);
    // Held changes were acknowledged. Changes of this turn have not been seen by anybody.
    const isSeen = this.#holding !== undefined && revisions.areAhead;
    this.#close();
    try {
      session.connection.exec('ROLLBACK');
    } catch {
      /* After a full disk or an I/O error SQLite has already rolled back. */
    }
    revisions.takeBack(isSeen);
    if (isSeen) onLoss();
    if (isSeen && this.#broken === null) {
      this.#broken = new StoreError(
        'unavailable',
        'Items of a batch could not be written after others had seen them. Reads continue; writes are accepted again after half a second.',
        { cause: error },
      );
      this.#loss = { at: performance.now(), error: this.#broken };
      this.#brokenUntil = this.#loss.at + HEAL_MS;
      log('Items of a batch could not be written after others had seen them. Their batch fails.', error);
    }
    return reason;
  }

  /** Whether the next COMMIT syncs the log. Must be called outside a transaction. @throws SqliteFailure */
  #setSynced(isSynced: boolean): void {
    if (!this.#options.isDurable || isSynced === this.#isSynced) return;
    this.#options.session.connection.exec(`PRAGMA synchronous = ${isSynced ? 2 : 1}`);
    this.#isSynced = isSynced;
  }

  #checkUsable(): void {
    if (performance.now() >= this.#brokenUntil) this.#broken = null;
    if (this.#broken !== null) throw this.#broken;
  }

  #commit(): void {
    const { session, revisions } = this.#options;
    const isChanged = revisions.areAhead;
    if (isChanged) revisions.write();
    this.#isEnding = isChanged;
    session.connection.exec(isChanged ? 'COMMIT' : 'ROLLBACK');
    this.#close();
    revisions.settle();
  }

  #close(): void {
    this.#level = null;
    this.#isEnding = false;
    clearTimeout(this.#holding);
    this.#holding = undefined;
    if (this.#next !== undefined) queueMicrotask(this.#next);
    this.#next = undefined;
  }

  /** Nobody waits for this. A later `sync` reports the failure to callers that ask for durability. */
  #settleAlone(): void {
    try {
      this.settle();
    } catch {
      /* Already logged by `giveUp`, because held changes were seen. */
    }
  }

  #toReason(error: unknown): unknown {
    if (error instanceof SqliteFailure && error.code === RESULT.io) {
      this.#brokenUntil = Infinity;
      this.#broken = new StoreError(
        'unavailable',
        'A write failed with an I/O error. Reads continue. Check the disk and restart the program to write again.',
        { cause: error },
      );
      this.#options.log(
        'A write failed with an I/O error. The store is read-only until the next start.',
        error,
      );
      if (this.#isEnding)
        return new StoreError(
          'unknown',
          'The commit failed with an I/O error. The next start tells whether it was made.',
          { cause: error },
        );
    }
    return this.#broken ?? toStoreError(error);
  }
}
