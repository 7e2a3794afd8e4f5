import { createMemoryStore } from '../../adapters/memory-store.ts';
import { storeContract } from '../support/store-contract.ts';

storeContract('memory', async (collections) => createMemoryStore(collections));
