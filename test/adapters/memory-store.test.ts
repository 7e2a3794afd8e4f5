import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../adapters/memory-store.ts';
import { rejectsStore } from '../../adapters/stores/contract/rejects.ts';
import type { CollectionDescriptor } from '../../lib/store/collection.ts';
import type { Operation } from '../../lib/store/store.ts';
import { refusalOf } from '../support/refusal.ts';
import { storeContract } from '../support/store-contract.ts';
import { fuzzStores } from '../support/store-fuzz.ts';
import { createReferenceStore } from '../support/store-reference.ts';

storeContract('memory', async (collections) => createMemoryStore(collections));

const mistakes = suite('mistakes of plain JavaScript');

mistakes('a store for no collections is a TypeError that says so', () => {
  for (const wrong of [undefined, {}, 'posts'] as readonly unknown[])
    assert.match(
      refusalOf(() => createMemoryStore(wrong as readonly CollectionDescriptor[])),
      'collections must be a list',
    );
});

mistakes('an unknown operation is answered with those that there are', async () => {
  const store = createMemoryStore([{ name: 'things', fields: {} }]);
  const { message } = await rejectsStore(
    store.commit([{ op: 'insert', collection: 'things', values: {} } as unknown as Operation]),
    'invalid',
  );
  assert.match(message, 'create, update, remove and removeAll');
});

mistakes.run();

const fuzz = suite('memory: fuzz');
fuzz('random lives go as in the plainest store', async () => {
  await fuzzStores(
    400,
    async (collections) => createReferenceStore(collections),
    async (collections) => createMemoryStore(collections),
  );
});
fuzz.run();
