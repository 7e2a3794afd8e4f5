import type { Call } from '../route/call.ts';

/** What is loaded once under a key. It is waited for until it is there, and given at once from then on. A failure stays one; whoever waits for it sees it. */
export function createOnce(): Call['once'] {
  const loaded = new Map<string, unknown>();
  return <T>(key: string, load: () => T | Promise<T>): T | Promise<T> => {
    // What was put in under a key is what its `load` gave.
    const known = loaded.get(key) as T | Promise<T> | undefined;
    if (known !== undefined || loaded.has(key)) return known as T | Promise<T>;
    const value = load();
    loaded.set(key, value);
    if (value instanceof Promise) value.then((there) => loaded.set(key, there), () => undefined);
    return value;
  };
}
