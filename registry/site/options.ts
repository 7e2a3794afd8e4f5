import type { Json } from '../../lib/schema-dialect.ts';
import { and, eq } from '../../lib/query.ts';
import { StoreError, type Store, type StoredRecord } from '../../lib/store.ts';

const ATTEMPTS = 5;

async function findOption(store: Store, group: string, key: string): Promise<StoredRecord | undefined> {
  const { records } = await store.find({ collection: 'options', where: and(eq('group', group), eq('key', key)), limit: 1 });
  return records[0];
}

/** The stored value; undefined when it was never written. */
export async function readOption(store: Store, group: string, key: string): Promise<Json | undefined> {
  return (await findOption(store, group, key))?.['value'];
}

/** All values of a group by key. */
export async function readOptions(store: Store, group: string): Promise<Readonly<Record<string, Json>>> {
  const { records } = await store.find({ collection: 'options', where: eq('group', group) });
  return Object.fromEntries(records.map((record) => [String(record['key']), record['value'] ?? null]));
}

/**
 * Replaces the value by what `change` makes of it. Two writers at once both take effect: the slower one starts again.
 * @throws StoreError `version` when that happened five times.
 */
export async function changeOption(store: Store, [group, key]: readonly [group: string, key: string], change: (value: Json | undefined) => Json): Promise<Json> {
  for (let attempt = 1; ; attempt += 1) {
    const found = await findOption(store, group, key);
    const value = change(found?.['value']);
    try {
      await store.commit([found === undefined
        ? { op: 'create', collection: 'options', values: { group, key, value } }
        : { op: 'update', collection: 'options', id: found.id, values: { value }, version: found.version }]);
      return value;
    } catch (error) {
      const raced = error instanceof StoreError && (error.code === 'version' || error.code === 'unique' || error.code === 'missing');
      if (!raced || attempt === ATTEMPTS) throw error;
    }
  }
}

/** Writes the value, whatever was there. */
export async function writeOption(store: Store, name: readonly [group: string, key: string], value: Json): Promise<void> {
  await changeOption(store, name, () => value);
}

/** Removes the value; no error when there is none. */
export async function removeOption(store: Store, group: string, key: string): Promise<void> {
  await store.commit([{ op: 'removeAll', collection: 'options', where: and(eq('group', group), eq('key', key)) }]);
}
