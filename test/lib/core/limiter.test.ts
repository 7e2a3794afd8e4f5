import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Limiter } from '../../../lib/core/limiter.ts';
import { rejects } from '../../support/rejects.ts';

const test = suite('Limiter');

test('runs a limited number at once and the others in the order of arrival, and refuses those that cannot wait', async () => {
  const limiter = new Limiter({ atOnce: 2, waiting: 3 });
  const begun: number[] = [];
  const finish: (() => void)[] = [];
  const work = (index: number) =>
    limiter.run(
      () =>
        new Promise<number>((resolve) => {
          begun.push(index);
          finish.push(() => resolve(index));
        }),
    );
  const results = Array.from({ length: 5 }, (_each, index) => work(index));
  const { status, headers } = await rejects(work(5), 'rest_overloaded');
  assert.equal([begun, status, headers['Retry-After']], [[0, 1], 503, '1']);
  for (let index = 0; index < 5; index += 1) {
    finish[index]?.();
    await results[index];
    await new Promise(setImmediate);
    assert.equal(begun.length, Math.min(index + 3, 5));
  }
  assert.equal(
    [begun, await Promise.all(results)],
    [
      [0, 1, 2, 3, 4],
      [0, 1, 2, 3, 4],
    ],
  );
});

test('frees the place if the work fails', async () => {
  const limiter = new Limiter({ atOnce: 1, waiting: 1 });
  const failures = await Promise.allSettled(
    [0, 1].map(() =>
      limiter.run(async () => {
        throw new Error('no');
      }),
    ),
  );
  assert.equal(
    failures.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  assert.is(await limiter.run(async () => 5), 5);
});

test.run();
