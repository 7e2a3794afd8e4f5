import {
  accessSync,
  chmodSync,
  constants,
  mkdirSync,
  rmSync,
  statfsSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { codeOf, messageOf } from '../../../../lib/core/thrown.ts';
import { StoreError } from '../../../../lib/store/store.ts';
import { syncDirectory } from '../../../backup/checksum.ts';
import type { TableShape } from '../../sql/tables.ts';
import { sqliteDialect } from '../dialect.ts';
import { RESULT, type SqliteDriver, SqliteFailure } from '../driver.ts';
import { toDamage, toStoreError } from '../errors.ts';
import { Session } from '../session.ts';
import { WAITS } from '../waits.ts';
import { checkFile, migrate } from './migrate.ts';
import { type Ownership, takeDirectory } from './ownership.ts';
import { prepareTextIndexes, type TextIndex } from './text-index.ts';

/** A file that only takes space: enough for the files that SQLite makes to open a store. */
const NAME = 'reserve';
/** The first size that there is room for is taken. The smallest still lets a store open. */
const SIZES = [256, 128, 64].map((kibibytes) => kibibytes * 1024);

/** Result codes with which the engine tells that its own files found no space. */
const SPACE: ReadonlySet<number> = new Set([RESULT.full, RESULT.io, RESULT.canNotOpen]);

function isFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT'].includes(String(codeOf(error)));
}

/** Takes the largest of the sizes that is more than the reserve has. */
function takeSpace(path: string): void {
  const taken = sizeOf(path);
  for (const size of SIZES.filter((each) => each > taken)) {
    try {
      writeFileSync(path, Buffer.alloc(size - taken), { mode: 0o600, flag: 'a' });
      return;
    } catch (error) {
      if (!isFull(error)) throw error;
      if (SIZES.includes(taken)) truncateSync(path, taken);
      else rmSync(path, { force: true });
    }
  }
}

/** Whether a store in the directory has been opened completely before. */
function hasReserve(directory: string): boolean {
  return SIZES.includes(sizeOf(join(directory, NAME)));
}

/** Removes the reserve of a store that is gone. */
function removeReserve(directory: string): void {
  if (hasReserve(directory)) rmSync(join(directory, NAME));
}

/** Takes the space, if there is any left. Never fails, because a store works without its reserve. */
export function keepReserve(directory: string, log: (message: string, error: unknown) => void): void {
  const path = join(directory, NAME);
  try {
    takeSpace(path);
  } catch (error) {
    log(
      `${path} could not be written: ${messageOf(error)}. Without it the store cannot be opened while the disk is full.`,
      error,
    );
  }
}

/** Opens a store. If that fails for want of space, the reserve is given up for it. @throws whatever `open` throws */
function openWithReserve<T>(directory: string, open: () => T): T {
  try {
    return open();
  } catch (error) {
    const path = join(directory, NAME);
    const mayHelp = isFull(error) || (error instanceof SqliteFailure && SPACE.has(error.code));
    if (!mayHelp || statSync(path, { throwIfNoEntry: false }) === undefined) throw error;
    rmSync(path);
    return open();
  }
}

/** Name of the database inside the store's directory. */
export const FILE_NAME = 'site.db';
/** SQLite's name for the write-ahead log beside it. */
export const LOG_NAME = `${FILE_NAME}-wal`;

/** Options for opening a file. With durability `full`, a commit is on stable storage when it is acknowledged. */
interface OpenOptions {
  readonly directory: string;
  readonly tables: readonly TableShape[];
  readonly durability: 'full' | 'relaxed';
  readonly log: (message: string, error?: unknown) => void;
}

/** An open file, and the claim of this process on its directory. */
export interface OpenFile {
  readonly session: Session;
  /** Where further connections open it. */
  readonly path: string;
  /** This user may not write to it. */
  readonly isReadOnly: boolean;
  readonly ownership: Ownership;
  /** By collection. */
  readonly textIndexes: ReadonlyMap<string, TextIndex>;
}

function fail(directory: string, what: string, cause: unknown): never {
  const reason = messageOf(cause);
  throw new StoreError(
    'unavailable',
    `${directory} ${what}: ${reason}. Choose a directory that this user may write to`,
    { cause },
  );
}

function makeDirectory(directory: string): void {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
  } catch (error) {
    fail(directory, 'cannot be made', error);
  }
}

/** Types of network file systems (statfs(2)), whose locks are not reliable. */
const REMOTE_TYPES: ReadonlySet<number> = new Set([0x69_69, 0x51_7b, 0xff_53_4d_42, 0xfe_53_4d_42]);

function checkLocal(directory: string): void {
  // Compared as an unsigned number, because the types of SMB have their highest bit set.
  if (REMOTE_TYPES.has(statfsSync(directory).type >>> 0))
    throw new StoreError(
      'unavailable',
      `${directory} is on a network file system, where the store could lose data. Use a local disk, or PostgreSQL.`,
    );
}

/** A process that ends while it makes a new store also leaves an empty file, but no reserve: that is taken last, and given up before. */
function checkEmptied(directory: string): void {
  const path = join(directory, FILE_NAME);
  // Read before the size, because another process that makes a new store takes the reserve once its file is not empty any more.
  const wasOpened = hasReserve(directory);
  const size = statSync(path, { throwIfNoEntry: false })?.size;
  if (size === undefined) removeReserve(directory);
  if (size !== 0 || !wasOpened) return;
  throw new StoreError(
    'unavailable',
    `${path} is empty (0 bytes), although the directory held a site. Restore a backup (routebook restore BACKUP --store file:${directory} --replace), or remove the directory to begin a new site; nothing was changed.`,
  );
}

function mayWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** Where the file is opened to be read; null where it can be written. */
function findReadOnly(directory: string): string | null {
  const path = join(directory, FILE_NAME);
  if (sizeOf(path) === 0 || (mayWrite(directory) && mayWrite(path))) return null;
  // SQLite makes a log to read the file, unless it is told that nobody changes it.
  return mayWrite(directory) || sizeOf(join(directory, LOG_NAME)) > 0
    ? path
    : `${pathToFileURL(path).href}?immutable=1`;
}

function setLimits({ connection }: Session): void {
  connection.exec(
    'PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA foreign_keys = ON; PRAGMA mmap_size = 0; PRAGMA journal_size_limit = 67108864; PRAGMA cache_size = -65536; PRAGMA temp_store = MEMORY',
  );
}

function configure(session: Session, durability: OpenOptions['durability']): void {
  const mode = session.get('PRAGMA journal_mode = WAL')?.[0];
  if (mode !== 'wal')
    throw new StoreError(
      'unavailable',
      `The file system does not allow a write-ahead log (journal_mode ${String(mode)}). A network file system cannot hold the store.`,
    );
  const wanted = durability === 'full' ? 2 : 1;
  session.connection.exec(`PRAGMA synchronous = ${wanted}`);
  if (session.number('PRAGMA synchronous') !== wanted)
    throw new StoreError('unavailable', 'The durability of the store could not be set.');
}

function checkContent(session: Session, path: string): void {
  const result = session.get('PRAGMA quick_check(1)')?.[0];
  if (result !== 'ok')
    throw new StoreError(
      'unavailable',
      `${path} is damaged (${String(result)}). Restore a backup; nothing was changed.`,
      { cause: toDamage(String(result)) },
    );
}

function describeFailure(error: unknown, path: string): unknown {
  if (!(error instanceof SqliteFailure)) return error;
  if (error.code === RESULT.notADatabase || error.code === RESULT.corrupt) {
    return new StoreError(
      'unavailable',
      `${path} is damaged or is not an SQLite file (${error.message}). Restore a backup; nothing was changed.`,
      { cause: error },
    );
  }
  if (error.code === RESULT.readOnly || error.code === RESULT.canNotOpen) {
    return new StoreError(
      'unavailable',
      `${path} cannot be written (${error.message}). Give this user the right to write to the directory and its files.`,
      { cause: error },
    );
  }
  const failure = toStoreError(error);
  return failure instanceof StoreError
    ? new StoreError(failure.code, `${path}: ${failure.message}`, { cause: error })
    : failure;
}

/** Brings the file to its layout. The refusals do not know the name of the file. */
function migrateFile(session: Session, path: string, tables: readonly TableShape[]): void {
  try {
    migrate(session, sqliteDialect, tables);
  } catch (error) {
    throw error instanceof StoreError
      ? new StoreError(error.code, `${path}: ${error.message}`, { cause: error })
      : error;
  }
}

/** A file that this user may not write: the tables must be those of this program. Writes fail. */
function openReadOnly(driver: SqliteDriver, { directory, tables, log }: OpenOptions, path: string): OpenFile {
  const session = new Session(driver.open(path, WAITS.lock));
  try {
    checkFile(session, join(directory, FILE_NAME));
    setLimits(session);
    migrateFile(session, join(directory, FILE_NAME), tables);
    const textIndexes = prepareTextIndexes(session, tables, log);
    log(
      `${directory} cannot be written. Reads are served, and writes are refused until it can be and the program is started again.`,
    );
    return {
      session,
      path,
      isReadOnly: true,
      textIndexes,
      ownership: { unclean: false, shared: true, release: () => undefined },
    };
  } catch (error) {
    session.close();
    throw error;
  }
}

function openSession(
  driver: SqliteDriver,
  options: OpenOptions,
  unclean: boolean,
): Omit<OpenFile, 'ownership'> {
  const path = join(options.directory, FILE_NAME);
  const session = new Session(driver.open(path, WAITS.lock));
  try {
    checkFile(session, path);
    setLimits(session);
    configure(session, options.durability);
    chmodSync(path, 0o600);
    if (unclean) {
      options.log(`${path} was not closed properly the last time: checking it`);
      checkContent(session, path);
    }
    migrateFile(session, path, options.tables);
    const textIndexes = prepareTextIndexes(session, options.tables, options.log);
    session.connection.exec(`PRAGMA busy_timeout = ${WAITS.statement}`);
    // The entry of a new file is on disk only after its directory was synced.
    syncDirectory(options.directory);
    return { session, path, isReadOnly: false, textIndexes };
  } catch (error) {
    session.close();
    throw error;
  }
}

/** `start`: what earlier attempts have found. */
function openOwned(driver: SqliteDriver, options: OpenOptions, start: { unclean: boolean }): OpenFile {
  const ownership = takeDirectory(driver, options.directory);
  start.unclean ||= ownership.unclean;
  try {
    return { ...openSession(driver, options, start.unclean), ownership };
  } catch (error) {
    ownership.release();
    throw error;
  }
}

/** Opens or creates the store's file, with everything that is checked or set once. @throws StoreError `unavailable`, `full` */
export function openFile(driver: SqliteDriver, options: OpenOptions): OpenFile {
  makeDirectory(options.directory);
  try {
    checkLocal(options.directory);
    checkEmptied(options.directory);
    const readable = findReadOnly(options.directory);
    if (readable !== null) return openReadOnly(driver, options, readable);
    const start = { unclean: false };
    const file = openWithReserve(options.directory, () => openOwned(driver, options, start));
    keepReserve(options.directory, options.log);
    return file;
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) fail(options.directory, 'cannot be used', error);
    throw describeFailure(error, join(options.directory, FILE_NAME));
  }
}
