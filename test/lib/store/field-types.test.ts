import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { toStoredValue } from '../../../lib/store/collection.ts';

const stored = suite('toStoredValue');
stored('keeps of JSON what JSON says, frozen, whoever holds the value', () => {
  const inner = { text: 'a' };
  const rows: readonly (readonly [value: unknown, expected: unknown])[] = [
    [{ inner }, { inner: { text: 'a' } }],
    [Object.freeze({ inner }), { inner: { text: 'a' } }],
    [Object.freeze({ text: 'a', no: undefined }), { text: 'a' }],
    [Object.freeze({ toJSON: () => 'b' }), 'b'],
    [Object.freeze(new Map([['a', 1]])), {}],
    [Object.freeze({ nothing: Number.NaN, zero: -0 }), { nothing: null, zero: 0 }],
    [Object.freeze([inner]), [{ text: 'a' }]],
    [undefined, undefined],
    [() => 1, undefined],
    [{ big: 1n }, undefined],
  ];
  for (const [value, expected] of rows) assert.equal(toStoredValue('json', value), expected);
  const kept = toStoredValue('json', Object.freeze({ inner })) as { inner: object };
  assert.ok(Object.isFrozen(kept.inner));
  assert.is.not(kept.inner, inner);
  inner.text = 'changed';
  assert.equal(kept.inner, { text: 'a' });
});
stored('takes a value as it is that cannot change any more', () => {
  const value = Object.freeze({ text: 'a', inner: Object.freeze({ flag: true, nothing: null }) });
  assert.is(toStoredValue('json', value), value);
});
stored('keeps what a computed member says now, however it is frozen', () => {
  let text = 'before';
  const rows: readonly object[] = [
    Object.freeze({
      get text() {
        return text;
      },
    }),
    Object.freeze(Object.defineProperty({}, 'toJSON', { value: () => ({ text }) })),
  ];
  const kept = rows.map((value) => toStoredValue('json', value));
  text = 'after';
  for (const value of kept) assert.is(JSON.stringify(value), '{"text":"before"}');
});
stored('refuses what is deeper than can be read', () => {
  let deep: object = Object.freeze({});
  for (let level = 0; level < 100_000; level += 1) deep = Object.freeze({ deep });
  assert.is(toStoredValue('json', deep), undefined);
});
stored.run();
