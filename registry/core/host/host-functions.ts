import { abandon } from '../../../lib/core/maybe-promise.ts';
import { kindOf } from '../../../lib/core/objects.ts';
import { type Upstream, upstreamError } from '../../../lib/ports/upstream.ts';

/** The upstream port of a site without services: every request results in 503 `service_not_connected`. */
export const notConnected: Upstream = Object.freeze({
  origin: () => null,
  request: (service: string) => Promise.reject(upstreamError('service_not_connected', { data: { service } })),
});

/** The farthest time from 1970 that a `Date` can hold, in milliseconds. */
const FARTHEST_MS = 8.64e15;

/** The clock of the host app. It throws a TypeError for anything but a time, so that records do not get wrong dates. */
export function toCheckedClock(now: () => number): () => number {
  return () => {
    const time: unknown = now();
    if (typeof time === 'number' && Math.abs(time) <= FARTHEST_MS) return time;
    abandon(time);
    throw new TypeError(
      `now of createSite returned ${kindOf(time)}; it must return the time in milliseconds since 1970, as Date.now does`,
    );
  };
}

/** The random bytes of the host app. It throws a TypeError for anything but as many bytes as were asked for. */
export function toCheckedRandom(random: (count: number) => Uint8Array): (count: number) => Uint8Array {
  return (count) => {
    const bytes: unknown = random(count);
    if (bytes instanceof Uint8Array && bytes.length === count) return bytes;
    abandon(bytes);
    const returned = bytes instanceof Uint8Array ? `${bytes.length} bytes` : kindOf(bytes);
    throw new TypeError(
      `random of createSite returned ${returned} for random(${count}); it must return a Uint8Array of that length, as randomBytes of node:crypto does`,
    );
  };
}
