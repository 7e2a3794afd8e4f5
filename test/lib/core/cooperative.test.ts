import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createPause, runInTurns, runSteps, type Steps } from '../../../lib/core/cooperative.ts';

function* count(to: number, seen: number[] = []): Steps<number> {
  for (let number = 1; number <= to; number += 1) {
    seen.push(number);
    yield;
  }
  return to;
}

const atOnce = suite('runSteps');
atOnce('does all the work and returns its result', () => {
  assert.is(runSteps(count(5)), 5);
});
atOnce('passes errors on', () => {
  assert.throws(
    () =>
      runSteps(
        (function* fail(): Steps<never> {
          yield;
          throw new RangeError('x');
        })(),
      ),
    (error: unknown) => error instanceof RangeError,
  );
});
atOnce.run();

const inTurns = suite('runInTurns');
inTurns('lets others run in between', async () => {
  const seen: number[] = [];
  const work = runInTurns(count(3, seen), createPause(0));
  setImmediate(() => {
    seen.push(0);
  });
  assert.is(await work, 3);
  assert.ok(seen.indexOf(0) > 0 && seen.indexOf(0) < 3, seen.join());
});
inTurns('does not wait before the time of a turn is over', async () => {
  let waits = 0;
  await runInTurns(count(100), () => {
    waits += 1;
    return undefined;
  });
  assert.is(waits, 100);
});
inTurns.run();
