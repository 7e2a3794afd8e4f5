import type { Operation, Store, StoredRecord, Values } from '../../../lib/store/store.ts';
import * as assert from './expect.ts';

/** Creates an article. */
export const article = (values: Values, as?: string): Operation => ({
  op: 'create',
  collection: 'articles',
  values,
  ...(as === undefined ? {} : { as }),
});
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
  return JSON.stringify([
    await store.find({ collection: 'articles', total: true }),
    await store.find({ collection: 'notes', total: true }),
  ]);
}
