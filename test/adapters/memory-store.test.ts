import { suite } from 'uvu';
import { createMemoryStore } from '../../adapters/memory-store.ts';
import { storeContract } from '../support/store-contract.ts';
import { fuzzStores } from '../support/store-fuzz.ts';
import { createReferenceStore } from '../support/store-reference.ts';

storeContract('memory', async (collections) => createMemoryStore(collections));

const fuzz = suite('memory: fuzz');
fuzz('random lives go as in the plainest store', async () => {
  await fuzzStores(400, async (collections) => createReferenceStore(collections), async (collections) => createMemoryStore(collections));
});
fuzz.run();
