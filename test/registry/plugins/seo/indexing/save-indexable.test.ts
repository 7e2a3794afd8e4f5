import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../../../../adapters/memory-store.ts';
import { eq } from '../../../../../lib/store/query.ts';
import type { Store } from '../../../../../lib/store/store.ts';
import { collections } from '../../../../../registry/index.ts';
import { toValues } from '../../../../../registry/plugins/seo/indexing/indexable.ts';
import { saveIndexable } from '../../../../../registry/plugins/seo/indexing/save.ts';

const WRITING = { gmt: '2024-01-01T00:00:00', siteUrl: 'http://site.test', languages: ['en'] };
const page = (id: number, path: string) =>
  toValues({
    key: `post:${id}`,
    object_type: 'post',
    object_sub_type: 'page',
    language: 'en',
    object_id: id,
    path,
  });

const saving = suite('saveIndexable');
saving(
  'lets links to a page that moved be read again, also if one of the linking pages is removed at the same moment',
  async () => {
    const store = createMemoryStore(collections);
    let isDue = false;
    const contested: Store = {
      ...store,
      commit: async (operations, durability) => {
        if (isDue && operations.length > 1) {
          isDue = false;
          await store.commit([
            { op: 'remove', collection: 'seo_indexables', id: first.id },
            { op: 'removeAll', collection: 'seo_links', where: eq('indexable', first.id) },
          ]);
        }
        return store.commit(operations, durability);
      },
    };
    const target = await saveIndexable(store, page(1, '/en/quay/'), WRITING);
    const first = await saveIndexable(store, page(2, '/en/first/'), WRITING);
    const second = await saveIndexable(store, page(3, '/en/second/'), WRITING);
    await store.commit(
      [first, second].flatMap(({ id }) => [
        { op: 'update', collection: 'seo_indexables', id, values: { links_version: 5 } },
        {
          op: 'create',
          collection: 'seo_links',
          values: { indexable: id, target: target.id, type: 'internal', path: '/en/quay/' },
        },
      ]),
    );
    isDue = true;
    await saveIndexable(contested, page(1, '/en/pier/'), WRITING);
    assert.is(isDue, false);
    assert.is((await store.get('seo_indexables', second.id))?.['links_version'], 0);
    assert.is(await store.get('seo_indexables', first.id), null);
    await store.close();
  },
);
saving.run();
