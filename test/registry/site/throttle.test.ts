import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createThrottle } from '../../../registry/site/throttle.ts';

const test = suite('createThrottle');

test('counts each key by itself and says how long to wait', () => {
  let now = 0;
  const throttle = createThrottle(() => now, 2, 60_000);
  assert.equal([throttle.attempt('a'), throttle.attempt('a'), throttle.attempt('a'), throttle.attempt('b')], [0, 0, 60, 0]);
  now = 59_500;
  assert.is(throttle.attempt('a'), 1);
  now = 60_000;
  assert.is(throttle.attempt('a'), 0);
});

test('forgets the oldest key when there are too many', () => {
  const throttle = createThrottle(() => 0, 1, 1000);
  throttle.attempt('first');
  for (let index = 0; index < 9_999; index += 1) throttle.attempt(`k${index}`);
  assert.is(throttle.attempt('first'), 1);
  throttle.attempt('one more');
  assert.is(throttle.attempt('first'), 0);
});

test.run();
