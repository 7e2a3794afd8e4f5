import { setTimeout as pause } from 'node:timers/promises';
import { runWithSource } from '../../../lib/store/change-source.ts';
import { runLater } from '../host/background.ts';
import type { Ports } from '../host/ports.ts';
import { runLocked } from '../limits/run-locked.ts';
import type { Schedule } from '../records/schedule.ts';

const LOCK = 'posts.schedule';
/** How soon another process goes on when the one that publishes has crashed. */
const LEASE_MS = 6000;
/** Least time between two looks, so that many writes do not cost a query each. */
const REST_MS = 200;
/** Longest wait of a timer. The clock may be set, and the computer may sleep. */
const LONGEST_MS = 60_000;

async function publishOnTime(ports: Ports, schedule: Schedule, signal: AbortSignal): Promise<void> {
  const { changes, now } = ports;
  while (!signal.aborted) {
    const seen = await changes.revision();
    const wait = (await schedule.findNext()) - now();
    if (wait <= 0)
      await runLocked(ports, { name: LOCK, ttlMs: LEASE_MS, signal }, async () => schedule.publishDue());
    const woken = new AbortController();
    const options = { signal: AbortSignal.any([signal, woken.signal]), background: true };
    const timer = wait <= 0 ? REST_MS : Math.min(wait, LONGEST_MS);
    await Promise.race([
      changes.until(seen, options),
      pause(timer, undefined, { signal: options.signal, ref: false }).catch(() => undefined),
    ]);
    woken.abort();
    if (wait > REST_MS) await pause(REST_MS, undefined, { signal, ref: false }).catch(() => undefined);
  }
}

/**
 * Publishes scheduled posts at their time until the site is closed, also when nobody reads. One process of the site does it at a
 * time. Reads do not depend on it: they publish what is due themselves.
 */
export function watchSchedule(ports: Ports, schedule: Schedule): void {
  runLater(ports, 'publishing scheduled posts', async (signal) => {
    while (!signal.aborted) {
      try {
        await runWithSource({ by: 0, from: 'schedule', request: '' }, () =>
          publishOnTime(ports, schedule, signal),
        );
      } catch (error) {
        if (signal.aborted) return;
        ports.log({ level: 'warn', message: 'scheduled posts could not be looked for', error });
        await pause(LEASE_MS, undefined, { signal, ref: false }).catch(() => undefined);
      }
    }
  });
}
