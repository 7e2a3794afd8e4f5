import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../adapters/memory-store.ts';
import { storeCases } from '../../adapters/store-contract.ts';
import { rejectsStore } from '../../adapters/stores/contract/cases.ts';
import type { CollectionDescriptor } from '../../lib/store/collection.ts';
import { type Operation, type Store, type StoredRecord, StoreError } from '../../lib/store/store.ts';
import { refusalOf } from '../support/refusal.ts';
import { storeContract } from '../support/store-contract.ts';
import { fuzzStores } from '../support/store-fuzz.ts';
import { createReferenceStore } from '../support/store-reference.ts';

storeContract('memory', async (collections) => createMemoryStore(collections));

/** Stores that break the contract, by what they do. */
const WRONG: Readonly<Record<string, (store: Store) => Partial<Store>>> = {
  'gives another reason': ({ commit }) => ({
    commit: (...given) =>
      commit(...given).catch((error: unknown) => {
        throw error instanceof StoreError && error.code === 'version'
          ? new StoreError('missing', error.message)
          : error;
      }),
  }),
  'ignores versions': ({ commit }) => ({
    commit: (operations, ...more) =>
      commit(
        operations.map((each) => ('version' in each ? { ...each, version: undefined } : each)),
        ...more,
      ),
  }),
  'keeps half of a commit': ({ commit }) => ({
    async commit(operations, ...more) {
      const results: (StoredRecord | null)[] = [];
      for (const each of operations) results.push(...(await commit([each], ...more)));
      return results;
    },
  }),
  'counts no changes': () => ({ revision: () => 1 }),
};

const contract = suite('the contract of stores');

for (const [what, spoil] of Object.entries(WRONG))
  contract(`refuses one that ${what}`, async () => {
    for (const { run } of storeCases) {
      const refused = await run(async (collections) => {
        const store = createMemoryStore(collections);
        return { ...store, ...spoil(store) };
      }).then(
        () => false,
        () => true,
      );
      if (refused) return;
    }
    assert.unreachable('a broken store passes all cases');
  });

contract.run();

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
