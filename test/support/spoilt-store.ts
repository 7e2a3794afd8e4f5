import type { Store, StoredRecord } from '../../lib/store/store.ts';

/** Returns the record to be read instead of the stored one. */
export type Spoil = (collection: string, record: StoredRecord) => StoredRecord;

/** A record with one field that cannot be read. */
export function withUnreadable(record: StoredRecord, field: string): StoredRecord {
  return Object.defineProperty({ ...record }, field, {
    enumerable: true,
    get: () => {
      throw new TypeError(`${field} is unreadable`);
    },
  });
}

/** A store that another program has written to directly: some of its records violate their collection descriptor. */
export function createSpoiltStore(store: Store, spoil: Spoil): Store {
  return {
    ...store,
    find: async (query) => {
      const found = await store.find(query);
      return { ...found, records: found.records.map((record) => spoil(query.collection, record)) };
    },
    get: async (collection, id) => {
      const record = await store.get(collection, id);
      return record === null ? null : spoil(collection, record);
    },
  };
}
