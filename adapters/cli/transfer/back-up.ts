import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { exportItems, writeNdjson } from '../../../registry/transfer/index.ts';
import { placeWithSum, syncFile } from '../../backup/checksum.ts';
import { nameOwn, removeLeft } from '../../backup/own-files.ts';
import type { SqliteStore } from '../../sqlite-store.ts';
import { findDamage } from '../../stores/sqlite/errors.ts';
import type { CommandStore } from '../site/with-store.ts';
import { checkDatabase, checkExport, DATABASE, EXPORT, isSqlite, type Counts } from './copies.ts';

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
