/** A value that is either ready or promised. */
export type MaybePromise<T> = T | Promise<T>;

/** Continues with a value: at once if it is ready, else when its promise is fulfilled. */
export function thenMaybe<T, R>(
  value: MaybePromise<T>,
  next: (value: T) => MaybePromise<R>,
): MaybePromise<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** A native promise for any thenable, which settles only once; any other value unchanged. For results of functions that others wrote. */
export function toMaybePromise<T>(value: T | PromiseLike<T>): MaybePromise<T> {
  const isThenable =
    typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';
  return isThenable ? Promise.resolve(value) : (value as T);
}

/** Refuses a value that may be a promise. Nobody waits for it any more, and its rejection must not end the program. */
export function abandon(value: unknown): void {
  if (value instanceof Promise) value.catch(() => undefined);
}

/** Runs `last` after a function, whatever its result. */
export function finallyMaybe<T>(run: () => MaybePromise<T>, last: () => void): MaybePromise<T> {
  let isWaiting = false;
  try {
    const value = run();
    isWaiting = value instanceof Promise;
    return value instanceof Promise ? value.finally(last) : value;
  } finally {
    if (!isWaiting) last();
  }
}

/** Handles a failure that is thrown or rejected. */
export function catchMaybe<T>(
  run: () => MaybePromise<T>,
  otherwise: (error: unknown) => MaybePromise<T>,
): MaybePromise<T> {
  try {
    const value = run();
    return value instanceof Promise ? value.catch(otherwise) : value;
  } catch (error) {
    return otherwise(error);
  }
}
