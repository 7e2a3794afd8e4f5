import { createReadStream, existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { countOne } from '../../../lib/core/objects.ts';
import type { Store } from '../../../lib/index.ts';
import { exportItems, readNdjson } from '../../../registry/transfer/index.ts';
import { createSqliteStore, type SqliteStore } from '../../sqlite-store.ts';
import { toDamage } from '../../stores/sqlite/errors.ts';
import { UsageError } from '../frame/options.ts';
import type { CommandStore } from '../site/with-store.ts';

/** The files of a backup: one of them is in its directory. */
export const DATABASE = 'site.db';
export const EXPORT = 'site.ndjson';

/** A backup in a directory. */
export interface FoundBackup {
  readonly directory: string;
  readonly name: typeof DATABASE | typeof EXPORT;
  readonly path: string;
}

/** Whether a store copies itself. */
export function isSqlite(store: Store): store is SqliteStore {
  return 'backup' in store && 'checkIntegrity' in store;
}

/** Numbers of records by collection. */
export type Counts = ReadonlyMap<string, number>;

async function countAll({
  store,
  collections,
}: Pick<CommandStore, 'store' | 'collections'>): Promise<Counts> {
  const counts = new Map<string, number>();
  for await (const { collection } of exportItems(store, { collections, everything: true }))
    countOne(counts, collection);
  return counts;
}

/** Reads an SQLite file completely. Its bytes may change, because it is opened as a store. @throws what the store throws */
export async function checkDatabase(
  directory: string,
  { collections }: Pick<CommandStore, 'collections'>,
): Promise<Counts> {
  // SQLite takes an empty file for a new database.
  if (statSync(join(directory, DATABASE)).size === 0) throw toDamage('the file is empty');
  const store = await createSqliteStore({ directory, collections });
  try {
    const [fault] = store.checkIntegrity();
    if (fault !== undefined) throw toDamage(fault);
    return await countAll({ store, collections });
  } finally {
    await store.close();
  }
}

/** The bytes of a file. @throws TypeError if they are not UTF-8 */
async function* readText(path: string): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let bytes = 0;
  const decode = (chunk?: Uint8Array): void => {
    try {
      decoder.decode(chunk, { stream: chunk !== undefined });
    } catch (error) {
      throw new TypeError(`${path} is damaged: a text is not valid UTF-8, after byte ${bytes}`, {
        cause: error,
      });
    }
  };
  for await (const chunk of createReadStream(path) as AsyncIterable<Uint8Array>) {
    decode(chunk);
    bytes += chunk.length;
    yield chunk;
  }
  decode();
}

/** Reads an export completely. `label`: what the message calls it. @throws TypeError if it is damaged */
export async function checkExport(path: string, label: string): Promise<Counts> {
  const counts = new Map<string, number>();
  for await (const found of readNdjson(readText(path))) {
    if ('leftOut' in found)
      throw new TypeError(`${label} is damaged at ${found.leftOut.place}: ${found.leftOut.reason}`);
    countOne(counts, found.item.collection);
  }
  return counts;
}

/** The file of the backup in a directory. @throws UsageError if there is none; TypeError if there are two */
export function findBackup(directory: string): FoundBackup {
  const [name, other] = ([DATABASE, EXPORT] as const).filter((each) => existsSync(join(directory, each)));
  if (name === undefined)
    throw new UsageError(`${directory}: there is no backup; it holds ${DATABASE} or ${EXPORT}`);
  if (other !== undefined)
    throw new TypeError(
      `${directory} holds two backups, ${name} and ${other}. Move the one that you do not want to another directory; nothing was restored`,
    );
  return { directory, name, path: join(directory, name) };
}
