import { open } from 'node:fs/promises';
import type { Durability } from '../../../../lib/store/store.ts';
import { RESULT, SqliteFailure } from '../driver.ts';
import type { Session } from '../session.ts';

/** `PRAGMA synchronous` in WAL mode. FULL syncs the log with every COMMIT. NORMAL only writes it, and a later sync makes it durable. */
const SYNCHRONOUS: Readonly<Record<Durability, number>> = { now: 2, later: 1 };

/**
 * Decides when the write-ahead log is on stable storage. The checksums of its frames form a chain, so that a sync makes all
 * earlier commits durable. Without a sync, a power failure may undo the last commits, but never a part of one.
 */
export class DurableLog {
  readonly #session: Session;
  readonly #path: string;
  #level: Durability = 'now';
  /** The number of commits that did not wait for the disk, and how many of them have been synced since. */
  #late = 0;
  #synced = 0;
  #running: Promise<void> | null = null;

  /** `path`: path of the log. The session must sync with every COMMIT. */
  constructor(session: Session, path: string) {
    this.#session = session;
    this.#path = path;
  }

  /** Sets the durability of the next COMMIT. Must be called outside a transaction. @throws SqliteFailure */
  prepare(level: Durability): void {
    if (level === this.#level) return;
    this.#session.connection.exec(`PRAGMA synchronous = ${SYNCHRONOUS[level]}`);
    this.#level = level;
  }

  /** Must be called after a COMMIT. */
  note(): void {
    if (this.#level === 'later') this.#late += 1;
    else this.#synced = this.#late;
  }

  /** Resolves when all commits are on the disk. Does not block the process. Callers share what one of them has begun. @throws SqliteFailure `io` */
  async sync(): Promise<void> {
    const late = this.#late;
    while (this.#synced < late) {
      this.#running ??= this.#sync().finally(() => {
        this.#running = null;
      });
      await this.#running;
    }
  }

  async #sync(): Promise<void> {
    const late = this.#late;
    try {
      // SQLite does not lock the log itself, so closing another handle on it does not release a lock.
      const log = await open(this.#path, 'r+');
      try {
        await log.sync();
      } finally {
        await log.close();
      }
    } catch (error) {
      throw new SqliteFailure(RESULT.io, error);
    }
    this.#synced = Math.max(this.#synced, late);
  }
}
