/** A value that is there, or that will come. */
export type MaybePromise<T> = T | Promise<T>;

/** Goes on with a value at once where it is there, and later where somebody has to be asked for it first. */
export function thenMaybe<T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** Does something else where it fails, at once or later. */
export function catchMaybe<T>(run: () => MaybePromise<T>, otherwise: (error: unknown) => MaybePromise<T>): MaybePromise<T> {
  try {
    const value = run();
    return value instanceof Promise ? value.catch(otherwise) : value;
  } catch (error) {
    return otherwise(error);
  }
}
