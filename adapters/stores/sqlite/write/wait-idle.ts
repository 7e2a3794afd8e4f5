import { setImmediate as turn } from 'node:timers/promises';

/** Turns of the event loop without a change. Most handlers of a batch make one commit in each turn. */
const TURNS = 2;

/** Resolves once `count` has stayed the same for some turns of the event loop, or returns null. */
export async function untilQuiet(count: () => number | null): Promise<void> {
  let last = count();
  for (let quiet = 0; quiet < TURNS && last !== null;) {
    await turn();
    const now = count();
    quiet = now === last ? quiet + 1 : 0;
    last = now;
  }
}
