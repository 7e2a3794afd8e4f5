/** What docs/decisions.md promises. Milliseconds. */
export const LONGEST_TURN_MS = 50;

/** Watches how long the event loop is held up. */
export interface TurnWatch {
  /** Ends the watch. @returns the longest time between two turns. Milliseconds. */
  stop(): number;
}

function readClocks(): readonly [wall: number, processor: number] {
  const { user, system } = process.cpuUsage();
  return [performance.now(), (user + system) / 1000];
}

/** A turn that took long only because the machine was busy with other processes does not count: time is that of the processor where less. */
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
      // The turn in which the work came to its end has not been seen by the timer.
      look();
      clearInterval(timer);
      return longest;
    },
  };
}

const MEASUREMENTS = 3;

/** The shortest of up to three measurements of the longest turn: a shared machine makes some of them longer, and none shorter. */
export async function measureTurns(measure: () => Promise<number>): Promise<number> {
  let shortest = await measure();
  for (let count = 1; count < MEASUREMENTS && shortest >= LONGEST_TURN_MS; count += 1) shortest = Math.min(shortest, await measure());
  return shortest;
}
