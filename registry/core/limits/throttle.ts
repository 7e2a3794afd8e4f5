import { hash } from 'node:crypto';

/** Counts attempts by key within a time window, in the memory of this process. */
interface Throttle {
  /** Seconds until the key may try again; 0 if it may now. Does not count an attempt. */
  wait(key: string): number;
  /** Counts one attempt. @returns seconds to wait; 0 if the attempt is within the limit */
  attempt(key: string): number;
}

interface Window {
  readonly began: number;
  count: number;
}

const MAX_KEYS = 10_000;

/** Callers choose keys of any length. The digest has a fixed length and does not share memory with the text that was sent. */
function toDigest(key: string): string {
  return hash('sha256', key, 'base64url');
}

/** `limit`: attempts per key in `windowMs` milliseconds. At most 10,000 keys are kept; the oldest are dropped first. */
export function createThrottle(now: () => number, limit: number, windowMs: number): Throttle {
  const windows = new Map<string, Window>();
  /** Milliseconds until a window ends; 0 if it has ended, or began later than now, because the clock was set back. */
  const leftOf = ({ began }: Window, time: number): number =>
    began > time ? 0 : Math.max(0, began + windowMs - time);
  return {
    wait(key) {
      const window = windows.get(toDigest(key));
      return window === undefined || window.count < limit ? 0 : Math.ceil(leftOf(window, now()) / 1000);
    },
    attempt(key) {
      const time = now();
      const digest = toDigest(key);
      let window = windows.get(digest);
      if (window === undefined || leftOf(window, time) === 0) {
        window = { began: time, count: 0 };
        windows.delete(digest);
        windows.set(digest, window);
        const [oldest] = windows.keys();
        if (windows.size > MAX_KEYS && oldest !== undefined) windows.delete(oldest);
      }
      window.count += 1;
      return window.count <= limit ? 0 : Math.ceil(leftOf(window, time) / 1000);
    },
  };
}
