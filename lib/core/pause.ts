/** Long works that wait for a turn of the event loop, the one that has waited longest first. */
const waiting: (() => void)[] = [];

/** One long work a turn: however many there are, everything else waits for one slice at most. */
function letNextGoOn(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(letNextGoOn);
}

/** Lets everything else that waits have its turn: long work calls it between its items. */
export function pause(): Promise<void> {
  return new Promise((resolve) => { if (waiting.push(resolve) === 1) setImmediate(letNextGoOn); });
}

/** Lets others have their turn when enough time has gone since the last one; else returns at once, and nothing has to be awaited. */
export type Pause = () => Promise<void> | undefined;

/** For work whose items are of very different size. `sliceMs`: milliseconds of work between two turns, default 4. */
export function createPause(sliceMs = 4): Pause {
  let began = performance.now();
  const wait = async (): Promise<void> => {
    await pause();
    began = performance.now();
  };
  return () => (performance.now() - began < sliceMs ? undefined : wait());
}
