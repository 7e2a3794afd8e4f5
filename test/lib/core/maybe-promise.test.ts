import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { catchMaybe, thenMaybe } from '../../../lib/core/maybe-promise.ts';

const fault = new Error('no');
const later = <T>(value: T): Promise<T> => Promise.resolve(value);

const going = suite('thenMaybe');

going('goes on at once with a value, and later with a promise of one', async () => {
  assert.is(thenMaybe(1, (value) => value + 1), 2);
  const promised = thenMaybe(later(1), (value) => value + 1);
  assert.instance(promised, Promise);
  assert.is(await promised, 2);
});

going.run();

const rescued = suite('catchMaybe');

const WAYS: readonly (readonly [title: string, run: () => unknown, expected: unknown])[] = [
  ['a value', () => 1, 1],
  ['a promise', () => later(1), 1],
  ['a fault', () => { throw fault; }, fault],
  ['a rejection', () => Promise.reject(fault), fault],
];

for (const [title, run, expected] of WAYS) {
  rescued(title, async () => {
    assert.is(await catchMaybe(run, (error) => error), expected);
  });
}

rescued('answers at once where nothing has to be waited for', () => {
  assert.is(catchMaybe((): unknown => { throw fault; }, (error) => error), fault);
});

rescued.run();
