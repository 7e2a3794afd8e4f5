/** Wanted are 50 ms; the processors of a shared machine vary by a factor of two, and work that takes no turns takes seconds. */
export const LONGEST_TURN_MS = 100;

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
  const timer = setInterval(() => {
    const [now, used] = readClocks();
    longest = Math.max(longest, Math.min(now - wall, used - processor));
    [wall, processor] = [now, used];
  }, 1);
  return {
    stop() {
      clearInterval(timer);
      return longest;
    },
  };
}
