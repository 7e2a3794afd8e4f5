/** Goes on with a value at once where it is there, and later where somebody has to be asked for it first. */
export function whenever<T, R>(value: T | Promise<T>, next: (value: T) => R | Promise<R>): R | Promise<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** Does something else where it fails, at once or later. */
export function rescue<T>(run: () => T | Promise<T>, otherwise: (error: unknown) => T | Promise<T>): T | Promise<T> {
  try {
    const value = run();
    return value instanceof Promise ? value.catch(otherwise) : value;
  } catch (error) {
    return otherwise(error);
  }
}
