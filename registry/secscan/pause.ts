/** Lets other work have its turn when enough time has gone since the last turn; else returns at once. */
export type Pause = () => Promise<void>;

/** `sliceMs`: milliseconds of work between two turns, default 4. */
export function createPause(sliceMs = 4): Pause {
  let began = performance.now();
  return async () => {
    if (performance.now() - began < sliceMs) return;
    await new Promise<void>((resolve) => { setImmediate(resolve); });
    began = performance.now();
  };
}
