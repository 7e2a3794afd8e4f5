import type { CollectionDescriptor } from '../../../lib/store/collection.ts';
import type { Store } from '../../../lib/store/store.ts';
import { contractCollections } from './collections.ts';

/** Opens an empty store of these collections. Its `close` also removes what the case left, such as files. */
export type OpenStore = (collections: readonly CollectionDescriptor[]) => Promise<Store>;

/** One case of the contract. `run` opens a store for itself, closes it, and rejects if the store breaks the contract. */
export interface StoreCase {
  /** What the store must do. */
  readonly name: string;
  run(openStore: OpenStore): Promise<void>;
}

/** Collects the cases of one part of the contract. `part`: begins their names. */
export class CaseList {
  readonly cases: StoreCase[] = [];
  readonly #part: string;

  constructor(part: string) {
    this.#part = part;
  }

  /** Adds a case that runs on an empty store. */
  test(what: string, run: (store: Store) => Promise<void>): void {
    this.cases.push({
      name: `${this.#part}: ${what}`,
      async run(openStore) {
        const store = await openStore(contractCollections);
        try {
          await run(store);
        } finally {
          await store.close();
        }
      },
    });
  }
}
