import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** A function with one text. Work that others interrupt is done to its end. */
export type TextFunction = (text: string) => unknown;

/** The smallest time that is worth comparing, in ms of the processor. */
const MEASURABLE = 4;
const SHORTEST = 256;
const REPEATS = 5;
/** Most that the time may grow when the text doubles. */
const MOST_GROWTH = 2.3;

async function timeOnce(run: TextFunction, text: string): Promise<number> {
  const before = process.cpuUsage();
  try {
    await run(text);
  } catch {
    // A refusal is an answer too. The time until then counts.
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as (options: { readonly type: 'minor' }) => void;

/** The best of several times. Each begins with little garbage, so that the collector runs for long texts no more than for short ones. */
async function timeBest(run: TextFunction, text: string): Promise<number> {
  let best = Infinity;
  for (let count = 0; count < REPEATS; count += 1) {
    collectGarbage({ type: 'minor' });
    best = Math.min(best, await timeOnce(run, text));
  }
  return best;
}

/**
 * Lengthens a text until its time can be measured, and compares it with that of twice the text.
 * @returns the times if each comparison finds too much growth; null if one does not, or if `longest` characters take too little time to compare
 */
export async function findFastGrowth(
  run: TextFunction,
  make: (length: number) => string,
  longest: number,
): Promise<string | null> {
  let length = SHORTEST;
  while ((await timeOnce(run, make(length))) < MEASURABLE) {
    length *= 2;
    if (length > longest) return null;
  }
  let found = '';
  // Shorter texts too: much longer ones measure the memory of the machine.
  for (const share of [1, 0.5, 1, 0.25, 2]) {
    const tried = Math.min(length * share, longest);
    const [one, two] = [await timeBest(run, make(tried)), await timeBest(run, make(2 * tried))];
    if (two <= MOST_GROWTH * one) return null;
    found = `${tried} characters ${one} ms, twice as many ${two} ms`;
  }
  return found;
}
