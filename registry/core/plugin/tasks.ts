import { own } from '../../../lib/core/objects.ts';
import { eq } from '../../../lib/store/query.ts';
import { findFirst, isRace, type StoredRecord, toWrite } from '../../../lib/store/store.ts';
import { repeat, rest, runLater } from '../host/background.ts';
import type { Ports } from '../host/ports.ts';
import { runLocked } from '../limits/locks.ts';
import type { TaskRun } from './plugin.ts';

/** A task with its function. */
export interface Task {
  /** Identifies it, for all versions of the program: `reading.tidy`. */
  readonly name: string;
  /** `30s`, `15m`, `1h` or `7d`. */
  readonly every: string;
  readonly run: TaskRun;
}

type Needs = Pick<Ports, 'store' | 'now' | 'random' | 'log' | 'background'>;

/** How soon a process looks again whether a task is due. */
const LOOK_MS = 30_000;
const LOCK_MS = 30_000;
/** The time of the last run stands in a record of this collection, which nothing shows. */
const COLLECTION = 'locks';

const UNIT_MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

const toPeriodMs = (every: string): number =>
  Number(every.slice(0, -1)) * (own(UNIT_MS, every.slice(-1)) ?? 0);

const toRecord = (name: string): string => `task.${name}.last`;

const findLast = ({ store }: Needs, name: string): Promise<StoredRecord | undefined> =>
  findFirst(store, { collection: COLLECTION, where: eq('name', toRecord(name)) });

async function writeLast(needs: Needs, name: string): Promise<void> {
  const { store, now } = needs;
  const values = { name: toRecord(name), key: '', expires: now() };
  const found = await findLast(needs, name);
  try {
    // Without its version: the last run counts.
    await store.commit([toWrite(COLLECTION, found && { id: found.id }, values)]);
  } catch (error) {
    if (!isRace(error)) throw error;
  }
}

/** Milliseconds until the task is due. A clock that was ahead does not stop it. */
async function toWait(needs: Needs, { name, every }: Task): Promise<number> {
  const last = Number((await findLast(needs, name))?.['expires'] ?? 0);
  const past = needs.now() - last;
  return past < 0 ? 0 : Math.max(0, toPeriodMs(every) - past);
}

async function runDue(needs: Needs, task: Task, signal: AbortSignal): Promise<void> {
  if ((await toWait(needs, task)) > 0) return;
  await runLocked(needs, { name: `task.${task.name}`, ttlMs: LOCK_MS, signal }, async (both) => {
    // Another process may have run it before the lock was taken.
    if ((await toWait(needs, task)) > 0) return;
    try {
      await task.run({ signal: both });
    } catch (error) {
      if (!both.aborted)
        needs.log({
          level: 'error',
          message: `the task ${task.name} failed, and runs again when it is due`,
          error,
        });
    }
    if (!both.aborted) await writeLast(needs, task.name);
  });
}

/** Runs a task in the background, at once and then whenever its period has passed, until the site is closed. A failure goes to the log. */
export function startTask(needs: Needs, task: Task): void {
  const message = `the task ${task.name} could not be started`;
  runLater(needs, `task ${task.name}`, (signal) =>
    repeat(needs.log, { signal, restMs: LOOK_MS, message }, async () => {
      await runDue(needs, task, signal);
      await rest(Math.min(LOOK_MS, Math.max(50, await toWait(needs, task))), signal);
    }),
  );
}
