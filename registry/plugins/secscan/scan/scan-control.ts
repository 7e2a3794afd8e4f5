import { type Ports, releaseLock, takeLock } from '../../../plugin.ts';
import type { SecscanHost } from '../connection/host.ts';
import { readSettings } from '../connection/stored-settings.ts';
import { createScope } from '../rules/rule.ts';
import { secscanError } from '../settings/errors.ts';
import { changeScanState, changeStateOf, SCAN_LOCK, SCAN_LOCK_MS } from './scan-state.ts';
import { runScan, type ScanJob } from './scan.ts';

interface Running {
  readonly controller: AbortController;
  readonly over: Promise<void>;
}

const toSeconds = (now: number): number => Math.floor(now / 1000);

/** Runs a scan and records its outcome. Always releases the lock. */
async function runNoted(ports: Ports, job: ScanJob): Promise<void> {
  try {
    const end = await runScan(ports, job);
    const now = toSeconds(ports.now());
    await changeStateOf(ports, job.id, {
      status: end === 'finished' ? 'finished' : 'stopped',
      ended: now,
      ...(end === 'finished' ? { last_finished: now } : {}),
    });
  } catch (error) {
    await changeStateOf(ports, job.id, { status: 'failed', ended: toSeconds(ports.now()) });
    throw error;
  } finally {
    await releaseLock(ports, SCAN_LOCK, job.key);
  }
}

/** Starts and stops scans. At most one scan runs across all processes of a store. */
export function createScanControl(ports: Ports, host: SecscanHost) {
  let running: Running | null = null;

  async function launch(key: string, siteUrl: string): Promise<number> {
    const scope = createScope(siteUrl, await readSettings(ports), await host.blockedHosts());
    const { id } = await changeScanState(ports, (state) => ({
      id: state.id + 1,
      status: 'running',
      started: toSeconds(ports.now()),
      ended: 0,
      total: 0,
      done: 0,
      faults: 0,
      stop_requested: false,
    }));
    const controller = new AbortController();
    const over = ports.background.run('secscan', (signal) =>
      runNoted(ports, { id, key, scope, host, signal: AbortSignal.any([signal, controller.signal]) }),
    );
    running = { controller, over };
    void over.then(() => {
      if (running?.over === over) running = null;
    });
    return id;
  }

  return {
    /** Resolves as soon as the scan has started. @returns its number. @throws RestError `scan_running`, `rest_shutting_down` */
    async start(siteUrl: string): Promise<number> {
      const key = await takeLock(ports, SCAN_LOCK, { ttlMs: SCAN_LOCK_MS });
      if (key === null) throw secscanError('scan_running');
      try {
        return await launch(key, siteUrl);
      } catch (error) {
        await releaseLock(ports, SCAN_LOCK, key);
        throw error;
      }
    },
    /** Stops the running scan, if any. A scan of this process has stopped when the promise settles; another process finishes its batch first. */
    async stop(): Promise<void> {
      await changeScanState(ports, (state) => ({ stop_requested: state.status === 'running' }));
      running?.controller.abort();
      await running?.over;
    },
  };
}
