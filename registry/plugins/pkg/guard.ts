import type { Json } from '../../../lib/index.ts';
import { type Ports, changeOption, isObject } from '../../plugin.ts';
import { pkgError } from './errors.ts';

/** When the last fetch began (milliseconds since 1970-01-01 UTC), and the number of failures in a row. */
interface Stamp {
  readonly began: number;
  readonly failures: number;
}

const NAME = ['pkg', 'fetch'] as const;
const INTERVAL_MS = 2 * 60 * 60 * 1000;
/** Each failure doubles the interval, up to 32 hours. */
const MAX_DOUBLINGS = 4;

function toStamp(value: Json | undefined): Stamp {
  const { began = 0, failures = 0 } = isObject(value) ? (value as Partial<Stamp>) : {};
  return { began, failures };
}

/**
 * Allows one fetch every two hours. The time is stored before the fetch begins, so that only one of several concurrent callers
 * continues, across all processes of the store. @throws RestError `subscription_fetched_recently` with Retry-After
 */
export async function checkInterval({ store, now }: Pick<Ports, 'store' | 'now'>): Promise<void> {
  await changeOption(store, NAME, (value) => {
    const { began, failures } = toStamp(value);
    const time = now();
    const wait = began + INTERVAL_MS * 2 ** Math.min(failures, MAX_DOUBLINGS) - time;
    // After the clock was set back, the stored time may be in the future. It must not block the route for good.
    if (wait > 0 && began <= time) {
      throw pkgError('subscription_fetched_recently', {
        headers: { 'Retry-After': String(Math.ceil(wait / 1000)) },
      });
    }
    return { began: time, failures };
  });
}

/** Records the outcome of the fetch. A failure doubles the next interval, a success resets it to two hours. */
export async function noteOutcome({ store }: Pick<Ports, 'store'>, isFine: boolean): Promise<void> {
  await changeOption(store, NAME, (value) => {
    const { began, failures } = toStamp(value);
    return { began, failures: isFine ? 0 : failures + 1 };
  });
}
