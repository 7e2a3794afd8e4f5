import { suite } from 'uvu';
import { createMemoryStore } from '../../adapters/memory-store.ts';
import { createSqliteStore } from '../../adapters/sqlite-store.ts';
import { storeContract, type CreateStore } from '../support/store-contract.ts';
import { fuzzStores } from '../support/store-fuzz.ts';
import { makeFolder, removeFolder } from '../support/temporary.ts';

const createStore: CreateStore = async (collections) => {
  const directory = makeFolder();
  const store = await createSqliteStore({ directory, collections, durability: 'relaxed' });
  return {
    ...store,
    close: async () => {
      await store.close();
      removeFolder(directory);
    },
  };
};

storeContract('sqlite', createStore);

const fuzz = suite('sqlite: fuzz');
fuzz('random lives go as in memory', async () => {
  await fuzzStores(100, async (collections) => createMemoryStore(collections), createStore);
});
fuzz.run();
