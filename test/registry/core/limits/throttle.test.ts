import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createThrottle } from '../../../../registry/core/accounts/guess-limits.ts';

const test = suite('createThrottle');

test('counts each key by itself and says how long to wait', () => {
  let now = 0;
  const throttle = createThrottle(() => now, 2, 60_000);
  assert.equal(
    [throttle.attempt('a'), throttle.attempt('a'), throttle.attempt('a'), throttle.attempt('b')],
    [0, 0, 60, 0],
  );
  now = 59_500;
  assert.is(throttle.attempt('a'), 1);
  now = 60_000;
  assert.is(throttle.attempt('a'), 0);
});

test('begins again when the clock is set back, so that nobody waits for longer than the window', () => {
  let now = 10 * 60_000;
  const throttle = createThrottle(() => now, 1, 60_000);
  assert.equal([throttle.attempt('a'), throttle.attempt('a'), throttle.wait('a')], [0, 60, 60]);
  now -= 5 * 60_000;
  assert.equal([throttle.wait('a'), throttle.attempt('a'), throttle.attempt('a')], [0, 0, 60]);
});

test('forgets the oldest key when there are too many', () => {
  const throttle = createThrottle(() => 0, 1, 1000);
  throttle.attempt('first');
  for (let index = 0; index < 9_999; index += 1) throttle.attempt(`k${index}`);
  assert.is(throttle.attempt('first'), 1);
  throttle.attempt('one more');
  assert.is(throttle.attempt('first'), 0);
});

/** Bytes in use after a full garbage collection. */
const collect = (() => {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
})();

function readHeap(): number {
  collect();
  return process.memoryUsage().heapUsed;
}

test('keeps nothing of long keys: 12,000 take as much as 12,000 short ones', () => {
  const throttle = createThrottle(() => 0, 1, 1000);
  const before = readHeap();
  // Slices of larger texts, as a name is a slice of its header.
  for (let index = 0; index < 12_000; index += 1)
    throttle.attempt(`${'x'.repeat(10_000)}${index}:password`.slice(1, 10_003));
  const grown = readHeap() - before;
  assert.is(throttle.attempt('one that came after them'), 0);
  assert.ok(grown < 4_000_000, `${grown} bytes`);
});

test('distinguishes long keys', () => {
  const throttle = createThrottle(() => 0, 1, 1000);
  const keys = ['a', 'b'].map((last) => `${'x'.repeat(10_000)}${last}`);
  assert.equal(
    [...keys, ...keys].map((key) => throttle.attempt(key)),
    [0, 0, 1, 1],
  );
});

test.run();
