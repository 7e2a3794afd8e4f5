import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

/** Maximum share of stolen processor time in a run that counts. */
export const CALM = 0.02;
export const MOST_ATTEMPTS = 10;
/** Other machines on the host are usually busy for some seconds at a time. */
const PAUSE_MS = 1000;

/** Processor time of the machine since its start, over all processors, in ticks. */
export interface Ticks {
  readonly all: number;
  /** Time given to other machines on the host while this one had work to do. */
  readonly stolen: number;
}

/** Read from a Linux kernel (proc_stat(5)). On other systems, stolen time is unknown and counts as 0. */
export function readTicks(): Ticks {
  if (process.platform !== 'linux') return { all: 0, stolen: 0 };
  const [user = 0, nice = 0, system = 0, idle = 0, disk = 0, hard = 0, soft = 0, stolen = 0] =
    /^cpu +(.*)$/m.exec(readFileSync('/proc/stat', 'utf8'))?.[1]?.split(' ').map(Number) ?? [];
  return { all: user + nice + system + idle + disk + hard + soft + stolen, stolen };
}

/** Share of the processor time that was stolen since then, 0 to 1. */
export function stolenSince(before: Ticks, read = readTicks): number {
  const now = read();
  return now.all === before.all ? 0 : (now.stolen - before.stolen) / (now.all - before.all);
}

/**
 * Repeats runs that were disturbed by the host of a virtual machine, regardless of their results. A run counts when almost
 * no processor time was stolen. When no run was calm, the calmest counts and a message is printed.
 */
export async function runCalmly<T>(
  name: string,
  run: (attempt: number) => Promise<T>,
  { read = readTicks, pauseMs = PAUSE_MS } = {},
): Promise<T> {
  const measure = async (attempt: number): Promise<{ readonly value: T; readonly stolen: number }> => {
    const before = read();
    const value = await run(attempt);
    return { value, stolen: stolenSince(before, read) };
  };
  let calmest = await measure(0);
  for (let attempt = 1; attempt < MOST_ATTEMPTS && calmest.stolen > CALM; attempt += 1) {
    await wait(pauseMs);
    const next = await measure(attempt);
    if (next.stolen < calmest.stolen) calmest = next;
  }
  if (calmest.stolen > CALM)
    console.error(
      `${name}: no calm run among ${MOST_ATTEMPTS}; ${(calmest.stolen * 100).toFixed(0)} % of the processors were stolen during the calmest`,
    );
  return calmest.value;
}
