import * as assert from 'uvu/assert';
import type { CollectionDescriptor } from '../../lib/store/collection.ts';
import type { Operation, Store, StoredRecord, Values } from '../../lib/store/store.ts';

/** Opens an empty store of these collections. Its `close` also removes what the test left. */
export type CreateStore = (collections: readonly CollectionDescriptor[]) => Promise<Store>;

/** Runs `test` on a fresh store and closes it. */
export type OnStore = (test: (store: Store) => Promise<void>) => () => Promise<void>;

/** Creates an article. */
export const article = (values: Values, as?: string): Operation => ({ op: 'create', collection: 'articles', values, ...(as === undefined ? {} : { as }) });
/** Creates a note. */
export const note = (values: Values): Operation => ({ op: 'create', collection: 'notes', values });

/** Creates one article and returns it. */
export async function createOne(store: Store, values: Values = {}): Promise<StoredRecord> {
  const [record] = await store.commit([article(values)]);
  assert.ok(record);
  return record;
}

/** The complete content of the store as one text. */
export async function dump(store: Store): Promise<string> {
  return JSON.stringify([await store.find({ collection: 'articles', total: true }), await store.find({ collection: 'notes', total: true })]);
}
