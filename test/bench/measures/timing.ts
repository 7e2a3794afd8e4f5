import { runCalmly } from '../calm.ts';

/** Duration of one call in microseconds. */
export interface Timing {
  readonly cpu: number;
  readonly wall: number;
}

/** Warm-up relative to the measured time. The compiler needs some thousand calls. */
const WARM_UP = 2;

async function repeat(run: () => unknown, seconds: number): Promise<number> {
  const end = performance.now() + seconds * 1000;
  let count = 0;
  while (performance.now() < end) {
    for (let once = 0; once < 10; once += 1) await run();
    count += 10;
  }
  return count;
}

/** Repeats a call for some time after a warm-up, and repeats disturbed runs. */
export async function timeCalls(run: () => unknown, seconds: number): Promise<Timing> {
  await repeat(run, seconds * WARM_UP);
  return runCalmly('a call', async () => {
    const before = process.cpuUsage();
    const started = performance.now();
    const count = await repeat(run, seconds);
    const { user, system } = process.cpuUsage(before);
    return { cpu: (user + system) / count, wall: ((performance.now() - started) * 1000) / count };
  });
}

/** Runs once and returns the milliseconds with the result. */
export async function timeOnce<T>(
  run: () => Promise<T> | T,
): Promise<readonly [value: T, milliseconds: number]> {
  const started = performance.now();
  const value = await run();
  return [value, performance.now() - started];
}

/** Bytes in use. Exact only when the process was started with `--expose-gc`, which allows a full collection first. */
export function readMemory(): { readonly heap: number; readonly resident: number } {
  globalThis.gc?.();
  const { heapUsed, external, rss } = process.memoryUsage();
  return { heap: heapUsed + external, resident: rss };
}
