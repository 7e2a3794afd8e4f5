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

/** The shortest of up to ten measurements of the longest turn. Load on a shared machine makes some of them longer, but none shorter. */
export async function measureTurns(measure: () => Promise<number>): Promise<number> {
  let shortest = await measure();
  for (let count = 1; count < MEASUREMENTS && shortest >= LONGEST_TURN_MS; count += 1)
    shortest = Math.min(shortest, await measure());
  return shortest;
}
