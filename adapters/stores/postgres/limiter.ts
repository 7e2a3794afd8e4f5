import { Limiter } from '../../../lib/core/limiter.ts';
import { StoreError } from '../../../lib/store/store.ts';
import { limitToCall } from './deadline.ts';

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
