import { contractCollections } from './store-collections.ts';
import { atomicity, uniqueKeys } from './store-contract-commits.ts';
import { life } from './store-contract-life.ts';
import { longTexts } from './store-contract-long-texts.ts';
import { deepPages } from './store-contract-pages.ts';
import { mistakes, reads } from './store-contract-queries.ts';
import { changes, ids, records } from './store-contract-records.ts';
import type { CreateStore, OnStore } from './store-contract-steps.ts';

export type { CreateStore } from './store-contract-steps.ts';

/** Tests of the complete contract of lib/store/store.ts and lib/store/query.ts. Stores that pass them are interchangeable. */
export function storeContract(name: string, createStore: CreateStore): void {
  const onStore: OnStore = (test) => async () => {
    const store = await createStore(contractCollections);
    try {
      await test(store);
    } finally {
      await store.close();
    }
  };
  for (const part of [records, changes, ids, atomicity, uniqueKeys, longTexts, reads, deepPages, mistakes, life]) part(name, onStore);
}
