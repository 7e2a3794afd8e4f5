/** Long tasks that wait for a turn of the event loop, longest wait first. */
const waiting: (() => void)[] = [];

/** Resumes one long task per turn, so that everything else waits for at most one slice. */
function letNextGoOn(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(letNextGoOn);
}

/** Yields to everything else that is waiting. Long tasks call it between their items. */
export function pause(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(letNextGoOn);
  });
}

/** Yields if enough time has passed since the last turn. Else it returns undefined at once, and there is nothing to await. */
export type Pause = () => Promise<void> | undefined;

/** For tasks whose items differ much in size. `sliceMs`: milliseconds of work between two turns, default 4. */
export function createPause(sliceMs = 4): Pause {
  let began = performance.now();
  const wait = async (): Promise<void> => {
    await pause();
    began = performance.now();
  };
  return () => (performance.now() - began < sliceMs ? undefined : wait());
}
