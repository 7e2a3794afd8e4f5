import { createMemoryStore } from '../../adapters/memory-store.ts';
import type { Store } from '../../lib/store.ts';
import { collections } from '../../registry/index.ts';

/** A store for the collections of the registry, and how to throw away what it leaves behind. */
export interface OpenedStore {
  readonly store: Store;
  remove(): Promise<void>;
}

/** The stores that a whole site is tested on, by name. */
export const STORES: Readonly<Record<string, () => Promise<OpenedStore>>> = {
  memory: async () => {
    const store = createMemoryStore(collections);
    return { store, remove: () => store.close() };
  },
};
