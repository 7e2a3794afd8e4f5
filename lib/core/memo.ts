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
