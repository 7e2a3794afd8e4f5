import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { rescue, whenever } from '../../../lib/core/whenever.ts';

const fault = new Error('no');
const later = <T>(value: T): Promise<T> => Promise.resolve(value);

const going = suite('whenever');

going('goes on at once with a value, and later with a promise of one', async () => {
  assert.is(whenever(1, (value) => value + 1), 2);
  const promised = whenever(later(1), (value) => value + 1);
  assert.instance(promised, Promise);
  assert.is(await promised, 2);
});

going.run();

const rescued = suite('rescue');

const WAYS: readonly (readonly [title: string, run: () => unknown, expected: unknown])[] = [
  ['a value', () => 1, 1],
  ['a promise', () => later(1), 1],
  ['a fault', () => { throw fault; }, fault],
  ['a rejection', () => Promise.reject(fault), fault],
];

for (const [title, run, expected] of WAYS) {
  rescued(title, async () => {
    assert.is(await rescue(run, (error) => error), expected);
  });
}

rescued('answers at once where nothing has to be waited for', () => {
  assert.is(rescue((): unknown => { throw fault; }, (error) => error), fault);
});

rescued.run();
