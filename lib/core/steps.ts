import type { Pause } from './pause.ts';

/** Work on something that may be long. It yields where it may be interrupted, some milliseconds apart at most; the caller decides whether others get a turn there. */
export type Steps<T> = Generator<void, T, void>;

/** Does the work in one turn of the event loop. */
export function runSteps<T>(steps: Steps<T>): T {
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return step.value;
  }
}

/** Does the work and yields to everything else in between. */
export async function runInTurns<T>(steps: Steps<T>, pause: Pause): Promise<T> {
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return step.value;
    const waiting = pause();
    if (waiting !== undefined) await waiting;
  }
}
