import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { toCheckedClock, toCheckedRandom } from '../../../../registry/core/host/host-functions.ts';
import { countUnhandled } from '../../../support/unhandled.ts';

const functions = suite('the clock and the random bytes of a host app');

functions('are used as they are', () => {
  assert.is(toCheckedClock(() => 1_700_000_000_000)(), 1_700_000_000_000);
  assert.equal(toCheckedRandom((count) => new Uint8Array(count))(2), Uint8Array.of(0, 0));
});

functions('are refused by name when they return anything else', async () => {
  const times = [
    [undefined, 'undefined'],
    [null, 'null'],
    [Number.NaN, 'NaN'],
    [9e15, 'a number'],
    ['2026-01-01', 'a text'],
    [new Date(), 'an instance of Date'],
    [Promise.reject(new Error('x')), 'an instance of Promise'],
  ] as const;
  assert.is(
    await countUnhandled(async () => {
      for (const [time, named] of times)
        assert.throws(
          toCheckedClock(() => time as number),
          (error: Error) => error.message.startsWith(`now of createSite returned ${named}; `),
        );
    }),
    0,
  );
  const bytes = [
    [undefined, 'undefined'],
    ['text', 'a text'],
    [new Uint8Array(1), '1 bytes'],
    [[0, 0], 'a list'],
  ] as const;
  for (const [given, named] of bytes)
    assert.throws(
      () => toCheckedRandom(() => given as Uint8Array)(2),
      (error: Error) => error.message.startsWith(`random of createSite returned ${named} for random(2); `),
    );
});

functions.run();
