import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../../../adapters/memory-store.ts';
import { collectionsOf } from '../../../../registry/index.ts';
import { Ledger } from '../../../../registry/transfer/items/ledger.ts';
import { settleForward } from '../../../../registry/transfer/plan/forward.ts';
import { coreModel } from '../../../support/transfer.ts';

/** A post whose categories were read later: 7 and -3 are ids at the source, and -3 was left out of the stored list. */
async function settle(ids: readonly (readonly [number, number])[], dryRun = false): Promise<unknown> {
  const store = createMemoryStore(collectionsOf(coreModel));
  await store.commit([
    {
      op: 'create',
      collection: 'posts',
      values: {
        type: 'post',
        language: 'en',
        status: 'publish',
        slug: 'lamp',
        categories: [5, 7],
        parent: 0,
      },
    },
  ]);
  const {
    records: [post],
  } = await store.find({ collection: 'posts' });
  const id = Number(post?.id);
  const ledger = new Ledger('copy');
  const forward = [7, -3].map((ref) => ({ collection: 'posts', id, field: 'categories', ref }));
  ledger.add({
    ids: new Map([['terms', new Map(ids)]]),
    groups: new Map(),
    forward: [...forward, { collection: 'posts', id, field: 'parent', ref: -9 }],
  });
  await settleForward(store, ledger, { keepsIds: false, dryRun });
  return (await store.find({ collection: 'posts' })).records.map(({ categories, parent }) => ({
    categories,
    parent,
  }));
}

const settling = suite('settleForward');

settling('puts the record of a negative id into the list that it was left out of', async () => {
  assert.equal(
    await settle([
      [7, 70],
      [-3, 30],
    ]),
    [{ categories: [5, 70, 30], parent: 0 }],
  );
});

settling('adds nothing for a negative id that the source does not have', async () => {
  assert.equal(await settle([[7, 70]]), [{ categories: [5, 70], parent: 0 }]);
});

settling('writes nothing in a dry run', async () => {
  assert.equal(await settle([[7, 70]], true), [{ categories: [5, 7], parent: 0 }]);
});

settling('replaces all ids of a record at once, however many they are', async () => {
  const store = createMemoryStore(collectionsOf(coreModel));
  const refs = Array.from({ length: 201 }, (_each, at) => at + 1);
  const values = { type: 'post', language: 'en', status: 'publish', slug: 'lamp', categories: refs };
  await store.commit([{ op: 'create', collection: 'posts', values: { id: 1, ...values } }]);
  const ledger = new Ledger('copy');
  ledger.add({
    ids: new Map([['terms', new Map(refs.map((ref) => [ref, ref + 1]))]]),
    groups: new Map(),
    forward: refs.map((ref) => ({ collection: 'posts', id: 1, field: 'categories', ref })),
  });
  await settleForward(store, ledger, { keepsIds: false, dryRun: false });
  assert.equal(
    (await store.get('posts', 1))?.['categories'],
    refs.map((ref) => ref + 1),
  );
});

settling.run();
