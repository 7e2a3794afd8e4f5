/* oxlint-disable unicorn/no-thenable -- thenables are among what is tested */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { catchMaybe, finallyMaybe, thenMaybe, toMaybePromise } from '../../../lib/core/maybe-promise.ts';

const fault = new Error('no');
const later = <T>(value: T): Promise<T> => Promise.resolve(value);

const going = suite('thenMaybe');

going('goes on at once with a value, and later with a promise of one', async () => {
  assert.is(
    thenMaybe(1, (value) => value + 1),
    2,
  );
  const promised = thenMaybe(later(1), (value) => value + 1);
  assert.instance(promised, Promise);
  assert.is(await promised, 2);
});

going.run();

const rescued = suite('catchMaybe');

const WAYS: readonly (readonly [title: string, run: () => unknown, expected: unknown])[] = [
  ['a value', () => 1, 1],
  ['a promise', () => later(1), 1],
  [
    'a fault',
    () => {
      throw fault;
    },
    fault,
  ],
  ['a rejection', () => Promise.reject(fault), fault],
];

for (const [title, run, expected] of WAYS) {
  rescued(title, async () => {
    assert.is(await catchMaybe(run, (error) => error), expected);
  });
}

rescued('answers at once where nothing has to be waited for', () => {
  assert.is(
    catchMaybe(
      (): unknown => {
        throw fault;
      },
      (error) => error,
    ),
    fault,
  );
});

rescued.run();

const last = suite('finallyMaybe');

for (const [title, run, expected] of WAYS) {
  last(`runs its last step once, after ${title}`, async () => {
    const steps: string[] = [];
    const work = catchMaybe(
      () =>
        finallyMaybe(run, () => {
          steps.push('last');
        }),
      (error) => error,
    );
    if (work instanceof Promise) assert.equal(steps, []);
    assert.is(await work, expected);
    assert.equal(steps, ['last']);
  });
}

last.run();

const made = suite('toMaybePromise');

made('makes a native promise of a thenable, and leaves other values as they are', async () => {
  const value = { later: 5 };
  assert.is(toMaybePromise(value), value);
  const thenable: PromiseLike<number> = {
    then: (resolve, reject) => Promise.resolve(1).then(resolve, reject),
  };
  const promise = toMaybePromise(thenable);
  assert.instance(promise, Promise);
  assert.is(await promise, 1);
});

made.run();
