/** A value that is either ready or promised. */
export type MaybePromise<T> = T | Promise<T>;

/** Continues with a value: at once if it is ready, else when its promise is fulfilled. */
export function thenMaybe<T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** Handles a failure that is thrown or rejected. */
export function catchMaybe<T>(run: () => MaybePromise<T>, otherwise: (error: unknown) => MaybePromise<T>): MaybePromise<T> {
  try {
    const value = run();
    return value instanceof Promise ? value.catch(otherwise) : value;
  } catch (error) {
    return otherwise(error);
  }
}
