/** Keeps the results of an asynchronous function by key. One that rejects is not kept. */
export async function remember<T>(
  known: Map<string, Promise<T>>,
  key: string,
  load: () => Promise<T>,
): Promise<T> {
  const loading = known.get(key) ?? load();
  known.set(key, loading);
  try {
    return await loading;
  } catch (error) {
    known.delete(key);
    throw error;
  }
}

/**
 * Keeps what is made by key. All engines of a process share it, so what is made must depend on the key alone.
 * With `most` keys it begins again, so that a process that registers something new for ever stays small.
 */
export function createMemo<T>(most: number): (key: string, make: () => T) => T {
  const known = new Map<string, T>();
  return (key, make) => {
    const found = known.get(key);
    if (found !== undefined) return found;
    const made = make();
    if (known.size >= most) known.clear();
    known.set(key, made);
    return made;
  };
}
