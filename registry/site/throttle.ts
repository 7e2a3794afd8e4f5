/** Counts attempts by key within a window of time. Kept in memory: it slows guessing down, it is no record. */
export interface Throttle {
  /** Seconds until the key may try again, 0 when it may now. Counts nothing. */
  wait(key: string): number;
  /** Counts one attempt. @returns seconds to wait, 0 when the attempt is within the limit. */
  attempt(key: string): number;
}

interface Window { readonly ends: number; count: number }

const MAX_KEYS = 10_000;

/** `limit`: attempts per key in `windowMs` milliseconds. At most 10,000 keys are remembered, the oldest are forgotten first. */
export function createThrottle(now: () => number, limit: number, windowMs: number): Throttle {
  const windows = new Map<string, Window>();
  return {
    wait(key) {
      const window = windows.get(key);
      if (window === undefined || window.count < limit || window.ends <= now()) return 0;
      return Math.ceil((window.ends - now()) / 1000);
    },
    attempt(key) {
      const time = now();
      let window = windows.get(key);
      if (window === undefined || window.ends <= time) {
        window = { ends: time + windowMs, count: 0 };
        windows.delete(key);
        windows.set(key, window);
        const [oldest] = windows.keys();
        if (windows.size > MAX_KEYS && oldest !== undefined) windows.delete(oldest);
      }
      window.count += 1;
      return window.count <= limit ? 0 : Math.ceil((window.ends - time) / 1000);
    },
  };
}
