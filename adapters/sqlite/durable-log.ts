import { open } from 'node:fs/promises';
import type { Durability } from '../../lib/store/store.ts';
import { RESULT, SqliteFailure } from './driver.ts';
import type { Session } from './session.ts';

/** `PRAGMA synchronous` in WAL mode: FULL syncs the log with every COMMIT, NORMAL writes it and leaves the rest to whoever syncs it next. */
const SYNCHRONOUS: Readonly<Record<Durability, number>> = { now: 2, later: 1 };

/**
 * Decides when the write-ahead log is on stable storage. Its frames are checksummed in a chain, so that a sync makes all
 * commits before it durable, and a power failure without one takes back the last of them and never a part of one.
 */
export class DurableLog {
  readonly #session: Session;
  readonly #path: string;
  #level: Durability = 'now';
  /** Commits that did not wait for the disk, and how many of them have reached it since. */
  #late = 0;
  #synced = 0;

  /** `path`: of the log. The session syncs with every COMMIT. */
  constructor(session: Session, path: string) {
    this.#session = session;
    this.#path = path;
  }

  /** Outside of a transaction: what the next COMMIT does. @throws SqliteFailure */
  prepare(level: Durability): void {
    if (level === this.#level) return;
    this.#session.connection.exec(`PRAGMA synchronous = ${SYNCHRONOUS[level]}`);
    this.#level = level;
  }

  /** After a COMMIT. */
  note(): void {
    if (this.#level === 'later') this.#late += 1;
    else this.#synced = this.#late;
  }

  /** Settles when everything that was committed is on the disk; meanwhile the process goes on. @throws SqliteFailure `io` */
  async sync(): Promise<void> {
    const late = this.#late;
    if (this.#synced >= late) return;
    try {
      // SQLite never locks the log itself, so that closing another handle on it gives up no lock.
      const log = await open(this.#path, 'r+');
      try { await log.sync(); } finally { await log.close(); }
    } catch (error) {
      throw new SqliteFailure(RESULT.io, error);
    }
    this.#synced = Math.max(this.#synced, late);
  }
}
