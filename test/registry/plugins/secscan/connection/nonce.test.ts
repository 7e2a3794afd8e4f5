import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readNonce, toNonce, toTick } from '../../../../../registry/plugins/secscan/connection/connect.ts';

const KEY = Buffer.alloc(32, 1);
const RANDOM = Buffer.alloc(16, 9);

const ticks = suite('toTick');
ticks('changes every ten minutes', () => {
  assert.is(toTick(599_999), 0);
  assert.is(toTick(600_000), 1);
});
ticks.run();

const making = suite('toNonce');
making('is 64 hexadecimal digits, another one for other random bytes', () => {
  assert.match(toNonce(RANDOM, 5, KEY), /^[0-9a-f]{64}$/);
  assert.is.not(toNonce(RANDOM, 5, KEY), toNonce(Buffer.alloc(16, 8), 5, KEY));
});
making.run();

const reading = suite('readNonce');
const nonce = toNonce(RANDOM, 5, KEY);
const cases: readonly (readonly [label: string, text: string, tick: number, expected: number | null])[] = [
  ['the same tick', nonce, 5, 5],
  ['the next tick', nonce, 6, 5],
  ['two ticks later', nonce, 7, null],
  ['an earlier tick', nonce, 4, null],
  ['other random bytes', `00${nonce.slice(2)}`, 5, null],
  ['another signature', `${nonce.slice(0, -2)}00`, 5, null],
  ['capitals', nonce.toUpperCase(), 5, null],
  ['too short', nonce.slice(2), 5, null],
  ['empty', '', 5, null],
];
for (const [label, text, tick, expected] of cases) {
  reading(label, () => {
    assert.is(readNonce(text, tick, KEY), expected);
  });
}
reading('another key', () => {
  assert.is(readNonce(nonce, 5, Buffer.alloc(32, 2)), null);
});
reading.run();
