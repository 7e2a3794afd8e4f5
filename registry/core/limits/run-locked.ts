import type { Ports } from '../host/ports.ts';
import { releaseLock, takeLock } from './locks.ts';

/** `name`: name of the lock. `ttlMs`: the time after which the lock of a crashed process is free. It is extended three times as often. `signal`: ends the work. */
interface LockedOptions {
  readonly name: string;
  readonly ttlMs: number;
  readonly signal: AbortSignal;
}

/**
 * Works while this process holds the lock. The signal of `work` is aborted when the given one is, and when another process has taken the
 * lock over, because this one was suspended for example.
 * @returns whether the lock was free
 */
export async function runLocked(
  ports: Pick<Ports, 'store' | 'now' | 'random' | 'log'>,
  { name, ttlMs, signal }: LockedOptions,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<boolean> {
  const key = await takeLock(ports, name, { ttlMs });
  if (key === null) return false;
  const lost = new AbortController();
  const extend = async (): Promise<void> => {
    try {
      if ((await takeLock(ports, name, { key, ttlMs })) === null) lost.abort();
    } catch (error) {
      ports.log({ level: 'warn', message: `the lock ${name} could not be extended`, error });
    }
  };
  let extended = Promise.resolve();
  const timer = setInterval(() => {
    extended = extend();
  }, ttlMs / 3);
  try {
    await work(AbortSignal.any([signal, lost.signal]));
  } finally {
    clearInterval(timer);
    // Otherwise it could take the lock again after its release.
    await extended;
    await releaseLock(ports, name, key);
  }
  return true;
}
