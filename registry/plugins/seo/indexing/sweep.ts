import { type Operation, type Store, type StoredRecord, and, eq, oneOf } from '../../../../lib/index.ts';
import { pause } from '../../../plugin.ts';
import { toNumber } from '../values/json.ts';
import { countIncoming } from './save.ts';

const PAGE = 200;
const SOURCES = { post: 'posts', term: 'terms' } as const;

/** Indexables of one page whose object was removed or is in the trash. */
async function listGone(
  store: Store,
  type: keyof typeof SOURCES,
  records: readonly StoredRecord[],
): Promise<readonly number[]> {
  const ids = records.map((record) => toNumber(record['object_id']));
  const { records: objects } = await store.find({
    collection: SOURCES[type],
    where: oneOf('id', ids),
    fields: type === 'post' ? ['status'] : [],
  });
  const alive = new Set(objects.filter((object) => object['status'] !== 'trash').map(({ id }) => id));
  return records.filter((record) => !alive.has(toNumber(record['object_id']))).map(({ id }) => id);
}

/** Removes an indexable and its own links. Links to it stay without a target until another object has its path. */
async function forget(store: Store, id: number): Promise<void> {
  const { records: inward } = await store.find({
    collection: 'seo_links',
    where: eq('target', id),
    fields: [],
  });
  const { records: outward } = await store.find({
    collection: 'seo_links',
    where: eq('indexable', id),
    fields: ['target'],
  });
  await store.commit([
    ...inward.map((link): Operation => ({
      op: 'update',
      collection: 'seo_links',
      id: link.id,
      values: { target: 0 },
    })),
    { op: 'removeAll', collection: 'seo_links', where: eq('indexable', id) },
    { op: 'remove', collection: 'seo_indexables', id },
  ]);
  await recount(
    store,
    outward.map((link) => toNumber(link['target'])).filter((target) => target !== 0 && target !== id),
  );
}

async function recount(store: Store, targets: readonly number[]): Promise<void> {
  for (const target of new Set(targets)) {
    if ((await store.get('seo_indexables', target)) !== null) await countIncoming(store, target);
    await pause();
  }
}

/** Removes the index data of posts and terms that no longer exist. */
export async function sweepIndex(store: Store): Promise<void> {
  for (const type of ['post', 'term'] as const) {
    for (let behind = 0; ; await pause()) {
      const { records } = await store.find({
        collection: 'seo_indexables',
        where: and(eq('object_type', type), { op: 'gt', field: 'id', value: behind }),
        order: [{ field: 'id', direction: 'asc' }],
        fields: ['object_id'],
        limit: PAGE,
      });
      if (records.length === 0) break;
      for (const id of await listGone(store, type, records)) await forget(store, id);
      behind = records.at(-1)?.id ?? behind;
    }
  }
}
