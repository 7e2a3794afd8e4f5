import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isTimeout, withDeadline } from '../../../adapters/outbound/http-client.ts';

const never = (): Promise<never> => new Promise(() => {});
const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => null,
    (error: unknown) => error,
  );

const deadline = suite('withDeadline');

deadline('passes on the result of the work', async () => {
  assert.is(await withDeadline(1000, undefined, async () => 7), 7);
  const error = new Error('own');
  assert.is(await failureOf(withDeadline(1000, undefined, () => Promise.reject(error))), error);
  assert.not(isTimeout(error));
});

deadline('does not wait beyond the time, and aborts the work', async () => {
  let signal: AbortSignal | undefined;
  const error = await failureOf(
    withDeadline(20, undefined, (given) => {
      signal = given;
      return never();
    }),
  );
  assert.ok(isTimeout(error));
  assert.ok(signal?.aborted);
});

deadline('gives up with the outer signal and its reason', async () => {
  const outer = new AbortController();
  const reason = new Error('gone');
  const work = failureOf(withDeadline(1000, outer.signal, never));
  outer.abort(reason);
  assert.is(await work, reason);
  let ran = false;
  assert.is(
    await failureOf(
      withDeadline(1000, outer.signal, async () => {
        ran = true;
      }),
    ),
    reason,
  );
  assert.not(ran);
});

deadline.run();
