import { own } from '../../../lib/core/objects.ts';
import { repeat, rest, runLater } from '../host/background.ts';
import type { Ports } from '../host/ports.ts';
import { runLocked } from '../limits/locks.ts';

/** How much of the log is kept. Readers that were away for longer read everything again. */
export interface LogLimits {
  /** Age of the oldest change. Default 30. */
  readonly days?: number;
  /** About the size of the log. Default 256 MiB. */
  readonly bytes?: number;
}

const DAYS = 30;
const BYTES = 256 * 1024 * 1024;
const DAY_MS = 86_400_000;
const PART = 500;
const EVERY_MS = 3_600_000;
const LEASE_MS = 30_000;

type Needs = Pick<Ports, 'store' | 'now' | 'changes'>;

/** Removes the oldest changes of each collection, some hundred at a time, so that writers do not wait. */
export async function trimLog(
  { store, now, changes }: Needs,
  signal: AbortSignal,
  { days = DAYS, bytes: most = BYTES }: LogLimits = {},
): Promise<void> {
  for (const name of changes.collections) {
    while (!signal.aborted) {
      const bounds = await store.changes({ after: { [name]: 0 }, limit: 0 });
      const start = own(bounds.starts, name) ?? 0;
      const { changes: oldest } = await store.changes({ after: { [name]: start }, limit: PART });
      const rows = (own(bounds.heads, name) ?? 0) - start;
      const bytes = (JSON.stringify(oldest).length / Math.max(1, oldest.length)) * rows;
      const isFull = bytes > most / changes.collections.length;
      const old = oldest.filter(({ at }) => isFull || at < now() - days * DAY_MS);
      const last = old.at(-1);
      if (last === undefined) break;
      while (await store.forgetChanges({ [name]: last.revision })) if (signal.aborted) return;
    }
  }
}

/** Trims the log every hour until the site is closed, in one process at a time. */
export function watchLog(ports: Ports, limits?: LogLimits): void {
  const message = 'the log of changes could not be trimmed';
  runLater(ports, 'trimming the log of changes', (signal) =>
    repeat(ports.log, { signal, restMs: 0, message }, async () => {
      await rest(EVERY_MS, signal);
      if (signal.aborted) return;
      await runLocked(ports, { name: 'changes.trim', ttlMs: LEASE_MS, signal }, (held) =>
        trimLog(ports, held, limits),
      );
    }),
  );
}
