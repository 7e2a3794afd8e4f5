import type { Store, StoredRecord } from '../../lib/store/store.ts';

/** What is read of a record in place of what is stored. */
export type Spoil = (collection: string, record: StoredRecord) => StoredRecord;

/** A record of which one field cannot be read. */
export function withUnreadable(record: StoredRecord, field: string): StoredRecord {
  return Object.defineProperty({ ...record }, field, { enumerable: true, get: () => { throw new TypeError(`${field} is unreadable`); } });
}

/** A store in which another program has written past the site: some of its records are not what their collection promises. */
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
