import type { SqliteDriver } from '../driver.ts';
import { Session } from '../session.ts';

/** Opens a connection that only reads. It neither writes nor checkpoints, so that the bug of older engines with a second writer does not affect it. */
export function openReadSession(driver: SqliteDriver, path: string, busyMs: number): Session {
  const session = new Session(driver.open(path, busyMs));
  session.connection.exec(
    'PRAGMA query_only = ON; PRAGMA wal_autocheckpoint = 0; PRAGMA trusted_schema = OFF; PRAGMA mmap_size = 0; PRAGMA cache_size = -16384; PRAGMA temp_store = MEMORY',
  );
  return session;
}
