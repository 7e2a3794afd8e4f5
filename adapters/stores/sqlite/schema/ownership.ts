import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StoreError } from '../../../../lib/store/store.ts';
import { isRunning } from '../../../backup/own-files.ts';
import { type Connection, RESULT, type SqliteDriver, SqliteFailure } from '../driver.ts';
import { WAITS } from '../waits.ts';

/** The claim of a process on a directory. */
export interface Ownership {
  /** The last process that used the directory did not close it, and no other process uses it now. */
  readonly unclean: boolean;
  /** Other processes may have the directory open at the same time. */
  readonly shared: boolean;
  release(): void;
}

/** SQLite 3.7.0 to 3.51.2 has the WAL-reset bug, in which a second process can lose a commit. It is fixed in 3.44.6 and 3.50.7. */
export function isSafeForMany(engine: string): boolean {
  const [major = 0, minor = 0, patch = 0] = engine.split('.').map(Number);
  const version = major * 1_000_000 + minor * 1000 + patch;
  return version >= 3_051_003 || (minor === 44 && patch >= 6) || (minor === 50 && patch >= 7);
}

const MARK = /^running-(\d+)-/;
/** Start of the names of directories in which a file is prepared, and the names. */
export const UNFINISHED = '.new-site-';
const PREPARED = /^\.new-site-[\dA-Za-z]{6}$/;

/** The processes that have marked a directory and still run. */
export function listUsers(directory: string): readonly number[] {
  return readdirSync(directory).flatMap((name) => {
    const id = Number(MARK.exec(name)?.[1] ?? 0);
    return id > 0 && isRunning(id) ? [id] : [];
  });
}

function isLocked(error: unknown): boolean {
  return error instanceof SqliteFailure && (error.code === RESULT.busy || error.code === RESULT.locked);
}

function tryExclusive(lock: Connection): boolean {
  try {
    // A journal on the disk would need space.
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return true;
  } catch (error) {
    if (isLocked(error)) return false;
    throw error;
  }
}

const toUnshared = ({ name, engine }: SqliteDriver): string =>
  `and SQLite ${engine} of ${name} cannot safely share it: 3.51.3 or newer can. Stop that process first, or see docs/stores.md, Commands beside a server.`;
const REPLACED =
  'which would lose what it writes if the file were replaced. Stop that process first, or choose another directory; nothing was changed.';

function refuse(directory: string, marks: readonly string[], why: string): never {
  const users = marks.map((mark) => MARK.exec(mark)?.[1]).join(', ');
  throw new StoreError(
    'unavailable',
    `${directory} is in use by another process (${users || 'unknown'}), ${why}`,
  );
}

/** Removes what processes that were killed have left. Must only run while no other process uses the directory. */
function removeLeft(directory: string, marks: readonly string[]): void {
  for (const mark of marks) rmSync(join(directory, mark), { force: true });
  for (const name of readdirSync(directory).filter((each) => PREPARED.test(each))) {
    try {
      rmSync(join(directory, name), { recursive: true });
    } catch {
      /* It belongs to another user. The store works beside it. */
    }
  }
}

function share(lock: Connection): boolean {
  try {
    // Another process that is starting holds the exclusive lock for a moment.
    lock.exec(`PRAGMA busy_timeout = ${WAITS.lock}`);
    // The transaction stays open to keep the shared lock.
    lock.exec('BEGIN');
    lock.prepare('SELECT count(*) FROM sqlite_schema').get([]);
    return true;
  } catch (error) {
    if (isLocked(error)) return false;
    throw error;
  }
}

/**
 * Claims the directory: exclusively where the engine is not safe for several processes or the file is going to be replaced, otherwise shared. The lock is an
 * operating system lock on a small SQLite file. It ends with the process in every case, so a stale process id cannot block
 * the directory. One mark per process shows the next one which processes did not close the store.
 * @throws StoreError `unavailable`
 */
export function takeDirectory(
  driver: SqliteDriver,
  directory: string,
  { toReplace = false }: { readonly toReplace?: boolean } = {},
): Ownership {
  const shared = !toReplace && isSafeForMany(driver.engine);
  const why = toReplace ? REPLACED : toUnshared(driver);
  const lock = driver.open(join(directory, 'lock'), 0);
  try {
    const marks = readdirSync(directory).filter((name) => MARK.test(name));
    const alone = tryExclusive(lock);
    if (!alone && !shared) refuse(directory, marks, why);
    if (alone) removeLeft(directory, marks);
    const own = join(directory, `running-${process.pid}-${randomBytes(4).toString('hex')}`);
    writeFileSync(own, '', { mode: 0o600 });
    if (shared) {
      if (alone) lock.exec('ROLLBACK');
      if (!share(lock)) refuse(directory, marks, why);
    }
    return {
      unclean: alone && marks.length > 0,
      shared,
      release: () => {
        rmSync(own, { force: true });
        lock.close();
      },
    };
  } catch (error) {
    lock.close();
    throw error;
  }
}
