import { AsyncLocalStorage } from 'node:async_hooks';
import { Limiter } from '../../../lib/core/limiter.ts';
import { StoreError } from '../../../lib/store/store.ts';

/** When the present call of the store must have ended. Milliseconds, on the clock of `performance.now()`. */
const deadlines = new AsyncLocalStorage<number>();

/** Runs work whose waits end after this many milliseconds in all. It goes on if it is already past waiting. */
export function withDeadline<T>(ms: number, work: () => Promise<T>): Promise<T> {
  return deadlines.run(performance.now() + ms, work);
}

/** Runs work that several calls share, so that no call's deadline applies. */
export function withoutDeadline<T>(work: () => T): T {
  return deadlines.run(Infinity, work);
}

/** The limit in milliseconds, or what is left of the present call if that is less. At least 1: 0 means no limit to the server. */
export function limitToCall(ms: number): number {
  return Math.max(1, Math.ceil(Math.min(ms, (deadlines.getStore() ?? Infinity) - performance.now())));
}

/** Settles as `work` does, if that happens in time. Only for reads: the caller is not told what has become of the work. @throws StoreError `unavailable` */
export function inTime<T>(ms: number, work: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new StoreError('unavailable', `The database has not answered within ${ms} ms.`)),
      ms,
    );
    withDeadline(ms, work)
      .then(resolve, reject)
      .finally(() => clearTimeout(timer));
  });
}

/** `most`: how many pieces of work run at once. `patienceMs`: how long one waits to begin. `what`: what waits, for the error. */
interface TurnOptions {
  readonly most: number;
  readonly patienceMs: number;
  readonly what: string;
}

/** Lets a few pieces of work run at once. Others wait for a short time, and do not begin when their caller has gone. They fail with StoreError `unavailable`, `cancelled`. */
export function createLimiter({ most, patienceMs, what }: TurnOptions): Limiter {
  return new Limiter({
    atOnce: most,
    patienceMs: () => limitToCall(patienceMs),
    refuse: (why) =>
      why === 'cancelled'
        ? new StoreError('cancelled', 'The read was cancelled.')
        : new StoreError('unavailable', `Too many ${what} are waiting for the database.`),
  });
}
