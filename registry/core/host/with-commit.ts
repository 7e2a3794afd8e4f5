import type { Store } from '../../../lib/store/store.ts';

/** A store with another `commit`. Everything else is that of the store, also if it is an instance of a class. Members that are values are those of this moment. */
export function withCommit(store: Store, commit: Store['commit']): Store {
  const members = new Map<string, unknown>();
  for (
    let level: object | null = store;
    level !== null && level !== Object.prototype;
    level = Object.getPrototypeOf(level) as object | null
  )
    for (const name of Object.getOwnPropertyNames(level)) {
      const value: unknown = Reflect.get(store, name);
      members.set(name, typeof value === 'function' ? value.bind(store) : value);
    }
  return { ...(Object.fromEntries(members) as unknown as Store), commit };
}
