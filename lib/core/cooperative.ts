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

/** Work on something that may be long. It yields where it may be interrupted, some milliseconds apart at most; the caller decides whether others get a turn there. */
export type Steps<T> = Generator<void, T, void>;

/** Does the work in one turn of the event loop. */
export function runSteps<T>(steps: Steps<T>): T {
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return step.value;
  }
}

/** Does the work and yields to everything else in between. */
export async function runInTurns<T>(steps: Steps<T>, pause: Pause = createPause()): Promise<T> {
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return step.value;
    const waiting = pause();
    if (waiting !== undefined) await waiting;
  }
}

/** Milliseconds since the process began, by `now()`. The global `performance` is a getter that V8 does not inline, so it is read once. */
export const clock = performance;
