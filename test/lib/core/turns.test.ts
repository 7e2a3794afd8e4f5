import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createPause, pause } from '../../../lib/core/cooperative.ts';

/** Counts the turns of the event loop until the work is over. */
async function countTurns<T>(
  run: (turn: () => number) => Promise<T>,
): Promise<readonly [value: T, turns: number]> {
  let turns = 0;
  let isOver = false;
  const next = (): void => {
    turns += 1;
    if (!isOver) setImmediate(next);
  };
  setImmediate(next);
  const value = await run(() => turns);
  isOver = true;
  return [value, turns];
}

const pauses = suite('pause');

pauses('lets one long work go on in a turn, in the order in which they came', async () => {
  const [seen] = await countTurns(async (turn) => {
    const steps: (readonly [work: string, turn: number])[] = [];
    const work = async (name: string): Promise<void> => {
      for (let step = 0; step < 4; step += 1) {
        await pause();
        steps.push([name, turn()]);
      }
    };
    await Promise.all([work('a'), work('b'), work('c')]);
    return steps;
  });
  assert.is(seen.map(([name]) => name).join(''), 'abcabcabcabc');
  assert.is(new Set(seen.map(([, turn]) => turn)).size, seen.length);
});

pauses('goes on after all works were done', async () => {
  await pause();
  await pause();
});

pauses.run();

const slices = suite('createPause');

slices('waits for nothing before the slice is over, and then for a turn', async () => {
  const patient = createPause(60_000);
  assert.is(patient(), undefined);
  const hasty = createPause(0);
  const [, turns] = await countTurns(async () => {
    for (let step = 0; step < 5; step += 1) await hasty();
  });
  assert.ok(turns >= 5, String(turns));
});

slices('begins a new slice after each turn', async () => {
  const { now } = performance;
  let time = 0;
  performance.now = () => time;
  try {
    const wait = createPause(10);
    time = 9;
    assert.is(wait(), undefined);
    time = 10;
    await wait();
    time = 19;
    assert.is(wait(), undefined);
    time = 20;
    assert.is.not(wait(), undefined);
  } finally {
    performance.now = now;
  }
  await pause();
});

slices.run();
