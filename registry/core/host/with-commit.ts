import type { Store } from '../../../lib/store/store.ts';

/** A store with another `commit`. Everything else is that of the store. */
export function withCommit(store: Store, commit: Store['commit']): Store {
  const bound = new Map<PropertyKey, unknown>();
  return new Proxy(store, {
    get(target, name) {
      if (name === 'commit') return commit;
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      if (!bound.has(name)) bound.set(name, value.bind(target) as unknown);
      return bound.get(name);
    },
  });
}
