import type { Store, StoredRecord } from '../../lib/store/store.ts';
import { collections } from '../../registry/index.ts';

/** Every record of a store by collection and id. */
export async function dumpStore(store: Store): Promise<ReadonlyMap<string, string>> {
  const found = await Promise.all(
    collections.map(async ({ name }): Promise<readonly (readonly [string, StoredRecord])[]> =>
      (await store.find({ collection: name })).records.map((record) => [
        `${name} ${String(name === 'post_history' ? record['post'] : record.id)}`,
        record,
      ]),
    ),
  );
  return new Map(found.flat().map(([key, record]) => [key, JSON.stringify(record)]));
}

/** Names of the records that were created, changed or removed between two dumps: `posts 101`. Revisions are named by their post. */
export function changedBetween(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): readonly string[] {
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((key) => before.get(key) !== after.get(key))
    .sort();
}
