/**
 * Runs work that must finish within `ms` milliseconds. The work gets a signal that is aborted when the time is over or
 * `outer` is aborted. The work is not awaited after that.
 * @throws DOMException `TimeoutError` when the time is over; the abort reason of `outer` when it was aborted.
 */
export async function withDeadline<T>(
  ms: number,
  outer: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const timeout = new AbortController();
  const timer = setTimeout(
    () => timeout.abort(new DOMException(`not finished after ${ms} ms`, 'TimeoutError')),
    ms,
  );
  const signal = outer === undefined ? timeout.signal : AbortSignal.any([outer, timeout.signal]);
  try {
    signal.throwIfAborted();
    const aborted = new Promise<never>((_, reject) =>
      signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
    );
    return await Promise.race([work(signal), aborted]);
  } finally {
    clearTimeout(timer);
  }
}

/** Whether the error is a missed deadline. */
export function isTimeout(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'TimeoutError';
}
