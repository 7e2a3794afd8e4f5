import { collectionOf, type Collections } from '../../lib/store/check-collections.ts';
import type { RecordKey } from '../../lib/store/store.ts';
import { quoteName } from '../sql/dialect.ts';
import type { RunSql } from './revisions.ts';

/** Reads the versions of records of any collections in one statement; 0 for one that is not there. @throws StoreError `invalid` when there is no such collection */
export async function readVersions(run: RunSql, collections: Collections, keys: readonly RecordKey[]): Promise<readonly number[]> {
  if (keys.length === 0) return [];
  const version = ([name]: RecordKey, at: number): string => `(SELECT "version" FROM ${quoteName(collectionOf(collections, name).name)} WHERE "id" = $${at + 1}) AS "v${at}"`;
  // No id is beyond the safe integers, and none is 0.
  const ids = keys.map(([, id]) => (Number.isSafeInteger(id) ? id : 0));
  const [row] = await run({ text: `SELECT ${keys.map(version).join(', ')}`, values: ids });
  return keys.map((_key, at) => Number(row?.[`v${at}`] ?? 0));
}
