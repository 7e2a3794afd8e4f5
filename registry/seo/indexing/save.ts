import { and, eq } from '../../../lib/store/query.ts';
import { StoreError, type Store } from '../../../lib/store/store.ts';
import { pause } from '../../../lib/core/pause.ts';
import { toIndexable, type Indexable, type IndexableValues } from './indexable.ts';

const LINKS_AT_ONCE = 200;

/** The indexable of this key. */
export async function findIndexable(store: Store, key: string): Promise<Indexable | null> {
  const { records: [record] } = await store.find({ collection: 'seo_indexables', where: eq('key', key), limit: 1 });
  return record === undefined ? null : toIndexable(record);
}

async function write(store: Store, values: IndexableValues, gmt: string): Promise<Indexable> {
  const found = await findIndexable(store, values.key);
  const [record] = await store.commit([found === null
    ? { op: 'create', collection: 'seo_indexables', values: { ...values, created_gmt: gmt, updated_gmt: gmt } }
    : { op: 'update', collection: 'seo_indexables', id: found.id, values: { ...values, updated_gmt: gmt } }]);
  if (record === null || record === undefined) throw new TypeError('the store answered a write of an indexable without the record');
  const saved = toIndexable(record);
  return found?.path === saved.path ? saved : adoptLinks(store, saved);
}

/** Stores an indexable under its key, new or not. Two writers at once both get there: the slower one writes over the faster. */
export async function saveIndexable(store: Store, values: IndexableValues, gmt: string): Promise<Indexable> {
  try {
    return await write(store, values, gmt);
  } catch (error) {
    if (!(error instanceof StoreError) || (error.code !== 'unique' && error.code !== 'missing')) throw error;
    return write(store, values, gmt);
  }
}

/** Links that were found before there was anything at this path now have their target. */
async function adoptLinks(store: Store, indexable: Indexable): Promise<Indexable> {
  if (indexable.path === '') return indexable;
  let adopted = 0;
  for (;;) {
    const { records } = await store.find({ collection: 'seo_links', where: and(eq('path', indexable.path), eq('target', 0)), fields: [], limit: LINKS_AT_ONCE });
    if (records.length === 0) break;
    await store.commit(records.map(({ id }) => ({ op: 'update', collection: 'seo_links', id, values: { target: indexable.id } })));
    adopted += records.length;
    await pause();
  }
  return adopted === 0 ? indexable : countIncoming(store, indexable.id);
}

/** Counts the pages that link to an indexable, anew. */
export async function countIncoming(store: Store, id: number): Promise<Indexable> {
  const { total } = await store.find({ collection: 'seo_links', where: and(eq('target', id), eq('type', 'internal')), fields: [], limit: 1, total: true });
  const [record] = await store.commit([{ op: 'update', collection: 'seo_indexables', id, values: { incoming_link_count: total } }]);
  if (record === null || record === undefined) throw new TypeError('the store answered an update without the record');
  return toIndexable(record);
}
