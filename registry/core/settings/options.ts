import { isDeepStrictEqual } from 'node:util';
import type { Json } from '../../../lib/schema/schema-dialect.ts';
import { and, eq, type Predicate } from '../../../lib/store/query.ts';
import {
  findFirst,
  retryRaces,
  type Store,
  type StoredRecord,
  toRemoveAll,
  toWrite,
} from '../../../lib/store/store.ts';

/** Languages of a site without configured languages. */
export const DEFAULT_LANGUAGES: readonly string[] = ['nl', 'en', 'fr'];

/** Orders languages by preference: those with a URL prefix come first. */
export function orderLanguages({
  prefixes,
  languages,
}: {
  readonly prefixes: readonly string[];
  readonly languages: readonly string[];
}): readonly string[] {
  return [...new Set([...prefixes, ...languages])];
}

/** Group of the secrets that a site creates when it is first built: its key for signatures. */
export const SECRETS = 'secret';

const isOption = (group: string, key: string): Predicate => and(eq('group', group), eq('key', key));

async function findOption(store: Store, group: string, key: string): Promise<StoredRecord | undefined> {
  return findFirst(store, {
    collection: 'options',
    where: isOption(group, key),
  });
}

/** The stored value; undefined if it was never written. */
export async function readOption(store: Store, group: string, key: string): Promise<Json | undefined> {
  return (await findOption(store, group, key))?.['value'];
}

/** All values of a group by key. */
export async function readOptions(store: Store, group: string): Promise<Readonly<Record<string, Json>>> {
  const { records } = await store.find({ collection: 'options', where: eq('group', group) });
  return Object.fromEntries(records.map((record) => [String(record['key']), record['value'] ?? null]));
}

/** Replaces the value by the result of `change`; the same value is not written again. Concurrent changes are applied one after the other, so none is lost. */
export async function changeOption(
  store: Store,
  [group, key]: readonly [group: string, key: string],
  change: (value: Json | undefined) => Json,
): Promise<Json> {
  return retryRaces(async () => {
    const found = await findOption(store, group, key);
    const value = change(found?.['value']);
    if (found !== undefined && isDeepStrictEqual(found['value'], value)) return value;
    await store.commit([toWrite('options', found, { group, key, value })]);
    return value;
  });
}

/** Writes the value, regardless of the stored one. */
export async function writeOption(
  store: Store,
  name: readonly [group: string, key: string],
  value: Json,
): Promise<void> {
  await changeOption(store, name, () => value);
}

/** Removes the value. A missing value is not an error. */
export async function removeOption(store: Store, group: string, key: string): Promise<void> {
  await store.commit([toRemoveAll('options', isOption(group, key))]);
}
