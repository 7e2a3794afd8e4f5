/** Lets everything else that waits have its turn: long work calls it between its items. */
export function pause(): Promise<void> {
  return new Promise((resolve) => { setImmediate(resolve); });
}

/** Lets others have their turn when enough time has gone since the last one; else returns at once. */
export type Pause = () => Promise<void>;

/** For work whose items are of very different size. `sliceMs`: milliseconds of work between two turns, default 4. */
export function createPause(sliceMs = 4): Pause {
  let began = performance.now();
  return async () => {
    if (performance.now() - began < sliceMs) return;
    await pause();
    began = performance.now();
  };
}
