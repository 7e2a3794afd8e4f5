/** Counts the calls of an object's function during a run. */
export function countCalls<T>(
  owner: object,
  name: string,
  run: () => T,
): { readonly calls: number; readonly result: T } {
  const original = Reflect.get(owner, name) as (...args: readonly unknown[]) => unknown;
  let calls = 0;
  Reflect.set(owner, name, (...args: readonly unknown[]) => {
    calls += 1;
    return Reflect.apply(original, owner, args);
  });
  try {
    const result = run();
    return { calls, result };
  } finally {
    Reflect.set(owner, name, original);
  }
}
