import { suite } from 'uvu';
import { createMemoryStore } from '../../adapters/memory-store.ts';
import { createTestStore, findPostgres, skipPostgres, type TestPostgres } from '../support/postgres.ts';
import { storeContract, type CreateStore } from '../support/store-contract.ts';
import { fuzzStores } from '../support/store-fuzz.ts';

function run({ url }: TestPostgres): void {
  const createStore: CreateStore = (collections) => createTestStore(url, collections);
  storeContract('postgres', createStore);

  const fuzz = suite('postgres: fuzz');
  fuzz('random operations give the same results as the memory store', async () => {
    await fuzzStores(40, async (collections) => createMemoryStore(collections), createStore);
  });
  fuzz.run();
}

const server = await findPostgres({ fsync: false });
if (server === null) skipPostgres('postgres store');
else run(server);
