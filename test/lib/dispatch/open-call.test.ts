import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createOnce } from '../../../lib/dispatch/open-call.ts';

const test = suite('once');

test('what is there at once is given at once, undefined too', () => {
  const once = createOnce();
  for (const value of [1, null, undefined]) {
    const key = String(value);
    assert.is(
      once(key, () => value),
      value,
    );
    assert.is(
      once(key, () => 'again'),
      value,
      key,
    );
  }
});

test('what has to be waited for is loaded once, and given at once when it is there', async () => {
  const once = createOnce();
  const first = once('a', async () => ({}));
  assert.is(
    once('a', () => 'again'),
    first,
  );
  assert.instance(first, Promise);
  const there = await first;
  assert.is(
    once('a', () => 'again'),
    there,
  );
});

test("a failure is everybody's, and stays one", async () => {
  const once = createOnce();
  const fail = () => once('a', () => Promise.reject(new Error('no')));
  const failed = fail();
  for (const asked of [failed, fail()])
    await Promise.resolve(asked).then(
      () => assert.unreachable(),
      (error: Error) => assert.is(error.message, 'no'),
    );
  assert.is(fail(), failed);
});

test('a load that throws is asked again', () => {
  const once = createOnce();
  assert.throws(
    () =>
      once('a', () => {
        throw new Error('no');
      }),
    'no',
  );
  assert.is(
    once('a', () => 1),
    1,
  );
});

test.run();
