import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { IntervalHistogram } from 'node:perf_hooks';

const RESOLUTION_MS = 10;
const WINDOW_MS = 500;

// There is one event loop, so there is one gauge, started with the first question. It keeps no process alive.
let histogram: IntervalHistogram | null = null;
let windowStart = 0;
let last = 0;
let delay = 0;

/**
 * How late the event loop runs, in ms: the smaller mean of the last two windows of half a second, so that one long pause
 * (a start, a collection of garbage) is not taken for overload.
 */
export function readLoopDelay(): number {
  const now = performance.now();
  if (histogram === null) {
    histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
    histogram.enable();
    windowStart = now;
  } else if (now - windowStart >= WINDOW_MS) {
    const mean = histogram.count === 0 ? 0 : Math.max(0, histogram.mean / 1e6 - RESOLUTION_MS);
    delay = Math.min(last, mean);
    last = mean;
    windowStart = now;
    histogram.reset();
  }
  return delay;
}
