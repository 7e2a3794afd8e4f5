import { setTimeout as pause } from 'node:timers/promises';
import { eq } from '../../../lib/store/query.ts';
import { findFirst, isRace, toWrite } from '../../../lib/store/store.ts';
import { runLater } from '../host/background.ts';
import type { Ports } from '../host/ports.ts';
import { runLocked } from '../limits/locks.ts';
import type { TaskRun } from './plugin.ts';

/** A task with its function. */
export interface Task {
  /** Identifies it, for all versions of the program: `reading.tidy`. */
  readonly name: string;
  readonly everyMs: number;
  readonly run: TaskRun;
}

type Needs = Pick<Ports, 'store' | 'now' | 'random' | 'log' | 'background'>;

/** How soon a process looks again whether a task is due. */
const LOOK_MS = 30_000;
const LOCK_MS = 30_000;
/** The time of the last run stands in a record of this collection, which nothing shows. */
const COLLECTION = 'locks';

const toRecord = (name: string): string => `task.${name}.last`;

/** When the task ran last; 0: never. */
async function readLast({ store }: Needs, name: string): Promise<number> {
  const found = await findFirst(store, {
    collection: COLLECTION,
    where: eq('name', toRecord(name)),
  });
  return Number(found?.['expires'] ?? 0);
}

async function writeLast({ store, now }: Needs, name: string): Promise<void> {
  const found = await findFirst(store, { collection: COLLECTION, where: eq('name', toRecord(name)) });
  const values = { name: toRecord(name), key: '', expires: now() };
  try {
    await store.commit([toWrite(COLLECTION, found, values)]);
  } catch (error) {
    if (!isRace(error)) throw error;
  }
}

/** Milliseconds until the task is due. A clock that was ahead does not stop it. */
async function toWait(needs: Needs, { name, everyMs }: Task): Promise<number> {
  const past = needs.now() - (await readLast(needs, name));
  return past < 0 ? 0 : Math.max(0, everyMs - past);
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

async function repeat(needs: Needs, task: Task, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    let wait = LOOK_MS;
    try {
      await runDue(needs, task, signal);
      wait = Math.min(LOOK_MS, Math.max(50, await toWait(needs, task)));
    } catch (error) {
      if (signal.aborted) return;
      needs.log({ level: 'warn', message: `the task ${task.name} could not be started`, error });
    }
    await pause(wait, undefined, { signal, ref: false }).catch(() => undefined);
  }
}

/** Runs a task in the background, at once and then whenever its period has passed, until the site is closed. A failure goes to the log. */
export function startTask(needs: Needs, task: Task): void {
  runLater(needs, `task ${task.name}`, (signal) => repeat(needs, task, signal));
}
