/** Runs work when it is the turn of its owner. */
type InTurn = <T>(owner: number, work: () => Promise<T>) => Promise<T>;

/** Runs work of at most `atOnce` owners at once, one of each owner. Owners who wait take turns, so that one with much work delays the others by one piece of it. */
export function createOwnerQueue(atOnce: number): InTurn {
  /** What waits, by owner, in the order of the turns. */
  const waiting = new Map<number, (() => void)[]>();
  const running = new Set<number>();
  const startNext = (): void => {
    for (const [owner, line] of waiting) {
      if (running.size >= atOnce) return;
      if (running.has(owner)) continue;
      const start = line.shift();
      if (line.length === 0) waiting.delete(owner);
      running.add(owner);
      start?.();
    }
  };
  const leave = (owner: number): void => {
    running.delete(owner);
    const line = waiting.get(owner);
    if (line !== undefined && waiting.delete(owner)) waiting.set(owner, line);
    startNext();
  };
  return async (owner, work) => {
    await new Promise<void>((resolve) => {
      waiting.set(owner, [...(waiting.get(owner) ?? []), resolve]);
      startNext();
    });
    try {
      return await work();
    } finally {
      leave(owner);
    }
  };
}
