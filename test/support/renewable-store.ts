import { createMemoryStore } from '../../adapters/memory-store.ts';
import type { Store } from '../../lib/store/store.ts';
import { collections } from '../../registry/index.ts';

/** A memory store that can be replaced under a running site, which is cheaper than a new site. */
export interface RenewableStore extends Store {
  /** Replaces the store with an empty one. Ids start again; the revision keeps growing. */
  renew(): void;
  /** The complete content as text. */
  dump(): Promise<string>;
}

const NAMES = collections.map((collection) => collection.name);
const REVISIONS_PER_LIFE = 1_000_000;

export function createRenewableStore(): RenewableStore {
  let inner = createMemoryStore(collections);
  let lives = 0;
  return {
    find: (query) => inner.find(query),
    get: (collection, id) => inner.get(collection, id),
    versions: (keys) => inner.versions(keys),
    commit: (operations, durability, source) => inner.commit(operations, durability, source),
    flush: (since) => inner.flush(since),
    revision: async (names) => lives * REVISIONS_PER_LIFE + (await inner.revision(names)),
    changes: (query) => inner.changes(query),
    forgetChanges: (through) => inner.forgetChanges(through),
    close: () => inner.close(),
    renew() {
      inner = createMemoryStore(collections);
      lives += 1;
    },
    async dump() {
      const all = await Promise.all(
        NAMES.map(async (name) => [name, (await inner.find({ collection: name })).records] as const),
      );
      return JSON.stringify(all.filter(([name]) => name !== 'credentials'));
    },
  };
}
