import { constants, createWriteStream, existsSync, statSync } from 'node:fs';
import { chmod, copyFile, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { StoreError } from '../../../lib/index.ts';
import { isEmptySite } from '../../../registry/site.ts';
import {
  exportItems,
  findFormat,
  importItems,
  loadReadContext,
  writeNdjson,
} from '../../../registry/transfer/index.ts';
import { checkSum, placeWithSum, syncFile } from '../../backup/checksum.ts';
import { makeTemporary, nameOwn, removeLeft } from '../../backup/own-files.ts';
import { createSqliteStore, type SqliteStore } from '../../sqlite-store.ts';
import { replaceStore } from '../../stores/sqlite/backup/backup.ts';
import { findDamage } from '../../stores/sqlite/errors.ts';
import { listUsers } from '../../stores/sqlite/schema/ownership.ts';
import { defineCommand } from '../frame/command.ts';
import { note, print, printJson } from '../frame/output.ts';
import { isMissing } from '../site/open-store.ts';
import { readSite, type SiteDescription } from '../site/read-site.ts';
import { SITE_OPTIONS } from '../site/site-options.ts';
import { type CommandStore, withStore } from '../site/with-store.ts';
import {
  checkDatabase,
  checkExport,
  type Counts,
  DATABASE,
  EXPORT,
  findBackup,
  type FoundBackup,
  isSqlite,
} from '../transfer/backup-files.ts';
import { openSource } from '../transfer/open-source.ts';

/** A store with one kind of backup must not leave it beside the other kind, nor remove what may be the last copy of another site. */
function checkKind(directory: string, name: typeof DATABASE | typeof EXPORT): void {
  const other = name === DATABASE ? EXPORT : DATABASE;
  if (existsSync(join(directory, other)))
    throw new TypeError(
      `${directory} holds ${other}, the backup of another kind of store; this one is ${name}. Choose another directory, or remove the files of that backup first; nothing was written`,
    );
}

/** The message of damage that a check of a new copy found: a copy of a damaged store has its damage. */
function describeDamage(error: unknown, directory: string, store: SqliteStore): unknown {
  const reason = findDamage(error);
  if (reason === undefined) return error;
  const older = existsSync(join(directory, DATABASE))
    ? `The older backup in ${directory} is still there`
    : 'No backup was made';
  return store.checkIntegrity().length > 0
    ? new TypeError(
        `The store is damaged (${reason}), and so would be its backup. ${older}. Restore an older backup`,
        { cause: error },
      )
    : new TypeError(
        `The copy was damaged while it was written to ${directory} (${reason}). ${older}. Check the disk, or choose another directory`,
        { cause: error },
      );
}

async function copyStore(store: SqliteStore, directory: string, opened: CommandStore): Promise<Counts> {
  let counts: Counts = new Map();
  try {
    await store.backup(directory, {
      check: async (copy) => {
        counts = await checkDatabase(copy, opened);
      },
    });
  } catch (error) {
    throw describeDamage(error, directory, store);
  }
  return counts;
}

/** Names of exports that are being written. */
const UNFINISHED = { prefix: `${EXPORT}.`, suffix: '.part' };

/** Writes all collections to a file, and puts it in place once it was read again. */
async function writeExport({ store, collections }: CommandStore, directory: string): Promise<Counts> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const path = join(directory, EXPORT);
  removeLeft(directory, UNFINISHED);
  // Its own name, because another backup may be running. It must not write to a file that this one has checked and summed.
  const made = join(directory, nameOwn(UNFINISHED));
  const text = writeNdjson(exportItems(store, { collections, everything: true }));
  try {
    await pipeline(Readable.from(text), createWriteStream(made, { flags: 'wx', mode: 0o600 }));
    syncFile(made);
    const counts = await checkExport(
      made,
      `The copy was not written correctly to ${directory}, so that no backup was made: it`,
    );
    await placeWithSum(made, path);
    return counts;
  } finally {
    await rm(made, { force: true });
  }
}

/** Writes a copy of a store in use into a directory. It is read again before it replaces an older copy. @throws TypeError if it is damaged */
export async function backUp(opened: CommandStore, directory: string): Promise<Counts> {
  const { store } = opened;
  const isDatabase = isSqlite(store);
  checkKind(directory, isDatabase ? DATABASE : EXPORT);
  return isDatabase ? copyStore(store, directory, opened) : writeExport(opened, directory);
}

export const backup = defineCommand({
  description: [
    'It replaces an older copy only when it is sound. Copy the directory of the media library as well.',
    'Beside a running server, the store must be PostgreSQL or a recent SQLite (docs/stores.md).',
  ],
  operands: { target: { help: 'Directory for the copy.' } },
  options: { ...SITE_OPTIONS, json: { help: 'Print the number of records by collection as JSON.' } },
  examples: [['routebook backup /backups/monday', 'a copy that restore reads']],
  async run({ values, operands: { target } }) {
    const counts = await withStore(values, (opened) => backUp(opened, target));
    if (values.json) printJson(Object.fromEntries(counts));
    else print(`Copied and checked ${[...counts.values()].reduce((sum, count) => sum + count, 0)} records.`);
  },
});

/** A backup whose bytes are those that were written, as far as that can be told. `hasSum`: false for one of an earlier version. */
interface VerifiedBackup extends FoundBackup {
  readonly hasSum: boolean;
}

/** Finds the backup in a directory, and compares it with its sum before anything opens it. @throws UsageError, TypeError */
export async function verifyBackup(directory: string): Promise<VerifiedBackup> {
  const found = findBackup(directory);
  return { ...found, hasSum: await checkSum(found.path) };
}

/** The message of an error about the copy itself: it names the backup, and does not advise to restore one. */
function inBackup(error: unknown, { directory }: FoundBackup, copy: string): unknown {
  const reason = findDamage(error);
  if (reason !== undefined)
    return new TypeError(
      `${directory}: the backup is damaged (${reason}). Use another backup; nothing was restored from this one.`,
      { cause: error },
    );
  return error instanceof StoreError
    ? new StoreError(error.code, error.message.replaceAll(copy, directory), { cause: error.cause })
    : error;
}

/** The log of a database, which belongs to it if a store has opened it in place. @throws TypeError if the backup with its sum is not all of it */
function findLog({ directory, path, hasSum }: VerifiedBackup): string | null {
  const log = `${path}-wal`;
  if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) === 0) return null;
  if (hasSum)
    throw new TypeError(
      `${log} holds changes that were made after the backup, when it was opened as a site. Remove that file to restore the backup as it was made; nothing was restored`,
    );
  const [user] = listUsers(directory);
  if (user !== undefined)
    throw new TypeError(
      `${directory} is in use by another process (${user}). Stop it first, or make a backup of it; nothing was restored`,
    );
  return log;
}

/** Copies the database of a backup, which stays as it is, and reads the copy completely. */
async function takeDatabase(
  backup: VerifiedBackup,
  to: string,
  site: Pick<CommandStore, 'collections'>,
): Promise<Counts> {
  const path = join(to, DATABASE);
  const log = findLog(backup);
  await copyFile(backup.path, path, constants.COPYFILE_FICLONE);
  if (log !== null) await copyFile(log, `${path}-wal`, constants.COPYFILE_FICLONE);
  await chmod(path, 0o600);
  try {
    return await checkDatabase(to, site);
  } catch (error) {
    throw inBackup(error, backup, to);
  }
}

/** Imports the file of a backup into an empty store. @throws TypeError if it is damaged, or something of it cannot be stored */
async function importExport(
  { directory, name, path }: FoundBackup,
  { store, model: content, collections, languages }: CommandStore,
): Promise<Counts> {
  const counts = await checkExport(path, `${directory}: the backup`);
  const { start, bytes } = await openSource(path);
  const format = findFormat(start);
  if (format === undefined) throw new TypeError(`${directory}: ${name} is not an export`);
  const context = await loadReadContext(store, { content, languages });
  await importItems(
    { name: `restore ${directory}`, ...format.read(bytes, context) },
    { store, collections, content, asItIs: true },
  );
  return counts;
}

/** Restores into a directory: everything is prepared in it, and replaces the store in one step. */
async function restoreFile(backup: VerifiedBackup, target: string, site: SiteDescription): Promise<Counts> {
  return replaceStore(target, async (directory) => {
    if (backup.name === DATABASE) return takeDatabase(backup, directory, site);
    const store = await createSqliteStore({ directory, collections: site.collections });
    try {
      return await importExport(backup, { ...site, store });
    } finally {
      await store.close();
    }
  });
}

async function importDatabase(backup: FoundBackup, from: string, opened: CommandStore): Promise<void> {
  const store = await createSqliteStore({ directory: from, collections: opened.collections });
  try {
    const items = exportItems(store, { collections: opened.collections, everything: true });
    const found = (async function* read() {
      for await (const item of items) yield { item };
    })();
    await importItems(
      { name: `restore ${backup.directory}`, found, keepsIds: true },
      { ...opened, content: opened.model, asItIs: true },
    );
  } finally {
    await store.close();
  }
}

/** Restores into an empty store. If it is interrupted, a second run continues. @throws TypeError if the store has content */
async function restoreInto(backup: VerifiedBackup, opened: CommandStore): Promise<Counts> {
  if (!(await isEmptySite(opened.store)))
    throw new TypeError(
      'the store has content. Restore into an empty one, such as another schema (?schema=NAME), and serve that',
    );
  if (backup.name !== DATABASE) return importExport(backup, opened);
  const copy = makeTemporary('restore');
  try {
    const counts = await takeDatabase(backup, copy, opened);
    await importDatabase(backup, copy, opened);
    return counts;
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

const FILE = 'file:';

export const restore = defineCommand({
  description: [
    'Stop the server before: what was written after the backup is lost. A database must be empty: restore into another schema and serve that.',
  ],
  operands: { source: { help: 'Directory that backup wrote.' } },
  options: { ...SITE_OPTIONS, replace: { help: 'Replace the content of a directory that holds a site.' } },
  examples: [
    ['routebook restore /backups/monday --store file:./data --replace', 'the site as it was on Monday'],
  ],
  async run({ values, operands: { source } }) {
    const { store } = values;
    const site = await readSite(values);
    const backup = await verifyBackup(source);
    const restoreTo = async (): Promise<Counts> => {
      if (!store.startsWith(FILE)) return withStore(values, (opened) => restoreInto(backup, opened));
      if (!isMissing(store) && !values.replace)
        throw new TypeError(`--store "${store}" holds a site. Add --replace to replace it`);
      return restoreFile(backup, store.slice(FILE.length), site);
    };
    const counts = await restoreTo();
    print(`Restored ${[...counts.values()].reduce((sum, count) => sum + count, 0)} records.`);
    if (!backup.hasSum)
      note(
        `${backup.path} has no SHA-256 beside it, as backups of earlier versions: a text that changed since was not noticed.`,
      );
  },
});
