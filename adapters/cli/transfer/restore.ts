import { constants, statSync } from 'node:fs';
import { chmod, copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { StoreError } from '../../../lib/index.ts';
import { createContentModel, isEmptySite } from '../../../registry/site.ts';
import { exportItems, findFormat, importItems, loadReadContext } from '../../../registry/transfer/index.ts';
import { checkSum } from '../../backup/checksum.ts';
import { makeTemporary } from '../../backup/own-files.ts';
import { createSqliteStore } from '../../sqlite-store.ts';
import { replaceStore } from '../../stores/sqlite/backup/backup.ts';
import { findDamage } from '../../stores/sqlite/errors.ts';
import { listUsers } from '../../stores/sqlite/schema/ownership.ts';
import type { CommandStore } from '../site/with-store.ts';
import { checkDatabase, checkExport, DATABASE, findBackup, type Counts, type FoundBackup } from './copies.ts';
import { openSource } from './open-source.ts';

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
  { store, content: definition, collections, languages }: CommandStore,
): Promise<Counts> {
  const counts = await checkExport(path, `${directory}: the backup`);
  const content = createContentModel(definition);
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
export async function restoreFile(
  backup: VerifiedBackup,
  target: string,
  site: Omit<CommandStore, 'store'>,
): Promise<Counts> {
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
    const content = createContentModel(opened.content);
    const items = exportItems(store, { collections: opened.collections, everything: true });
    const found = (async function* read() {
      for await (const item of items) yield { item };
    })();
    await importItems(
      { name: `restore ${backup.directory}`, found, keepsIds: true },
      { ...opened, content, asItIs: true },
    );
  } finally {
    await store.close();
  }
}

/** Restores into an empty store. If it is interrupted, a second run continues. @throws TypeError if the store has content */
export async function restoreInto(backup: VerifiedBackup, opened: CommandStore): Promise<Counts> {
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
