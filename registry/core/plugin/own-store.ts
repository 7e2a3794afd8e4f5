import { StoreError, type Store } from '../../../lib/store/store.ts';

/** A store that has only some collections, all of which another store has. */
export function createOwnStore(
  store: Store,
  collections: readonly string[],
): Pick<Store, 'find' | 'get' | 'versions' | 'commit' | 'revision'> {
  const check = (names: readonly string[]): void => {
    const foreign = names.find((name) => !collections.includes(name));
    if (foreign !== undefined)
      throw new StoreError(
        'invalid',
        `"${foreign}" is not a collection of the plugin; it has ${collections.length === 0 ? 'none' : collections.join(', ')}`,
      );
  };
  return {
    async find(query, waiter) {
      check([query.collection]);
      return store.find(query, waiter);
    },
    get(collection, id) {
      check([collection]);
      return store.get(collection, id);
    },
    versions(records) {
      check(records.map(([collection]) => collection));
      return store.versions(records);
    },
    async commit(operations, durability) {
      check(operations.map(({ collection }) => collection));
      return store.commit(operations, durability);
    },
    revision(names) {
      check(names);
      return store.revision(names);
    },
  };
}
