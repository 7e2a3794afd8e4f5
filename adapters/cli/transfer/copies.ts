import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { mkdir, mkdtemp, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Store } from '../../../lib/index.ts';
import { createContentModel, isEmptySite } from '../../../registry/index.ts';
import { exportItems, findFormat, importItems, loadReadContext, readNdjson, writeNdjson, type ImportReport } from '../../../registry/transfer/index.ts';
import { findDamage, toDamage } from '../../sqlite/failures.ts';
import { createSqliteStore, type SqliteStore } from '../../sqlite-store.ts';
import { UsageError } from '../options.ts';
import type { CommandStore } from '../site/with-store.ts';
import { openSource } from './open-source.ts';

/** The files of a backup: one of them is in its directory. */
const DATABASE = 'site.db';
const EXPORT = 'site.ndjson';

/** Whether a store copies itself. */
export function isSqlite(store: Store): store is SqliteStore {
  return 'backup' in store && 'checkIntegrity' in store;
}

async function sync(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Writes all collections to a file that appears once it is complete. */
async function writeExport({ store, collections }: CommandStore, directory: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const path = join(directory, EXPORT);
  const text = writeNdjson(exportItems(store, { collections, everything: true }));
  try {
    await pipeline(Readable.from(text), createWriteStream(`${path}.part`, { mode: 0o600 }));
    await sync(`${path}.part`);
    await rename(`${path}.part`, path);
  } finally {
    await rm(`${path}.part`, { force: true });
  }
}

/** Numbers of records by collection. */
export type Counts = ReadonlyMap<string, number>;

async function countAll({ store, collections }: Pick<CommandStore, 'store' | 'collections'>): Promise<Counts> {
  const counts = new Map<string, number>();
  for await (const { collection } of exportItems(store, { collections, everything: true })) counts.set(collection, (counts.get(collection) ?? 0) + 1);
  return counts;
}

/** Reads an SQLite file completely. @throws what the store throws */
async function checkDatabase(directory: string, { collections }: Pick<CommandStore, 'collections'>): Promise<Counts> {
  const store = await createSqliteStore({ directory, collections });
  try {
    const [fault] = store.checkIntegrity();
    if (fault !== undefined) throw toDamage(fault);
    return await countAll({ store, collections });
  } finally {
    await store.close();
  }
}

/** The message of an error about the copy itself: it must not advise to restore a backup. */
function inBackup(directory: string, error: unknown): unknown {
  const reason = findDamage(error);
  return reason === undefined ? error : new TypeError(`${directory}: the backup is damaged (${reason}). Use another backup; nothing was restored from this one.`, { cause: error });
}

/** Reads a backup completely. Returns the number of records by collection. @throws TypeError if it is damaged */
export async function checkBackup(directory: string, { collections }: Pick<CommandStore, 'collections'>): Promise<Counts> {
  if (existsSync(join(directory, DATABASE))) {
    try {
      return await checkDatabase(directory, { collections });
    } catch (error) {
      throw inBackup(directory, error);
    }
  }
  if (!existsSync(join(directory, EXPORT))) throw new UsageError(`${directory}: there is no backup; it holds ${DATABASE} or ${EXPORT}`);
  const counts = new Map<string, number>();
  for await (const found of readNdjson(createReadStream(join(directory, EXPORT)))) {
    if ('leftOut' in found) throw new TypeError(`${directory}: the backup is damaged at ${found.leftOut.place}: ${found.leftOut.reason}`);
    counts.set(found.item.collection, (counts.get(found.item.collection) ?? 0) + 1);
  }
  return counts;
}

/** Writes a copy of a store in use into a directory, and reads it again. */
export async function backUp(opened: CommandStore, directory: string): Promise<Counts> {
  if (isSqlite(opened.store)) await opened.store.backup(directory);
  else await writeExport(opened, directory);
  return checkBackup(directory, opened);
}

/** Imports the file of a backup into an empty store. @throws TypeError if something of it cannot be stored */
async function importExport(directory: string, { store, content: definition, collections, languages }: CommandStore): Promise<ImportReport> {
  const content = createContentModel(definition);
  const { start, bytes } = await openSource(join(directory, EXPORT));
  const format = findFormat(start);
  if (format === undefined) throw new TypeError(`${directory}: ${EXPORT} is not an export`);
  const context = await loadReadContext(store, { content, languages });
  const report = await importItems({ name: `restore ${directory}`, ...format.read(bytes, context) }, { store, collections, content, asItIs: true });
  return report;
}

/** Restores into a directory: everything is prepared beside it, and replaces the store in one step. */
export async function restoreFile(directory: string, target: string, site: Omit<CommandStore, 'store'>): Promise<void> {
  const isDatabase = existsSync(join(directory, DATABASE));
  const prepared = isDatabase ? directory : await mkdtemp(`${target.replace(/\/+$/, '')}.restore-`);
  try {
    const store = await createSqliteStore({ directory: prepared, collections: site.collections });
    try {
      if (!isDatabase) await importExport(directory, { ...site, store });
      await store.backup(target);
    } finally {
      await store.close();
    }
  } finally {
    if (!isDatabase) await rm(prepared, { recursive: true, force: true });
  }
}

/** Restores into an empty store. If it is interrupted, a second run continues. @throws TypeError if the store has content */
export async function restoreInto(directory: string, opened: CommandStore): Promise<void> {
  if (!await isEmptySite(opened.store)) throw new TypeError('the store has content. Restore into an empty one, such as another schema (?schema=NAME), and serve that');
  if (!existsSync(join(directory, DATABASE))) {
    await importExport(directory, opened);
    return;
  }
  const from = await createSqliteStore({ directory, collections: opened.collections });
  try {
    const content = createContentModel(opened.content);
    const items = exportItems(from, { collections: opened.collections, everything: true });
    const found = (async function* read() { for await (const item of items) yield { item }; })();
    await importItems({ name: `restore ${directory}`, found, keepsIds: true }, { ...opened, content, asItIs: true });
  } finally {
    await from.close();
  }
}
