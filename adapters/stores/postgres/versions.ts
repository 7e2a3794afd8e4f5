import { collectionOf, type Collections } from '../../../lib/store/check-collections.ts';
import type { RecordKey } from '../../../lib/store/store.ts';
import { quoteName } from '../sql/dialect.ts';
import type { RunSql } from './run-read.ts';

/** Reads the versions of records of any collections with one statement; 0 for a missing record. @throws StoreError `invalid` when the collection does not exist */
export async function readVersions(
  run: RunSql,
  collections: Collections,
  keys: readonly RecordKey[],
): Promise<readonly number[]> {
  if (keys.length === 0) return [];
  const version = ([name]: RecordKey, at: number): string =>
    `(SELECT "version" FROM ${quoteName(collectionOf(collections, name).name)} WHERE "id" = $${at + 1}) AS "v${at}"`;
  // Ids are positive safe integers, so other ids are replaced by 0, which no record has.
  const ids = keys.map(([, id]) => (Number.isSafeInteger(id) ? id : 0));
  const [row] = await run({ text: `SELECT ${keys.map(version).join(', ')}`, values: ids });
  return keys.map((_key, at) => Number(row?.[`v${at}`] ?? 0));
}
