import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  isPublicKey,
  isSigned,
  toPublicKey,
} from '../../../../../registry/plugins/secscan/connection/connection.ts';

// RFC 8032 7.1: tests 1 (empty message) and 2 (one byte, 0x72, the letter r)
const SEED_1 = '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60';
const KEY_1 = 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a';
const SIGNATURE_1 =
  'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b';
const KEY_2 = '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c';
const SIGNATURE_2 =
  '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00';

const keys = suite('toPublicKey');
keys('gives the key of RFC 8032', () => {
  assert.is(toPublicKey(Buffer.from(SEED_1, 'hex')), KEY_1);
});
keys.run();

const forms = suite('isPublicKey');
for (const [text, expected] of [
  [KEY_1, true],
  [KEY_1.toUpperCase(), true],
  [KEY_1.slice(2), false],
  [`${KEY_1}00`, false],
  ['', false],
  ['g'.repeat(64), false],
] as const) {
  forms(`${text.length} characters: ${expected}`, () => {
    assert.is(isPublicKey(text), expected);
  });
}
forms.run();

const signed = suite('isSigned');
const cases: readonly (readonly [
  label: string,
  given: readonly [string, string, string],
  expected: boolean,
])[] = [
  ['RFC 8032 test 1', ['', SIGNATURE_1, KEY_1], true],
  ['RFC 8032 test 2', ['r', SIGNATURE_2, KEY_2], true],
  ['another text', ['s', SIGNATURE_2, KEY_2], false],
  ['another key', ['r', SIGNATURE_2, KEY_1], false],
  ['a cut signature', ['r', SIGNATURE_2.slice(2), KEY_2], false],
  ['no signature', ['r', '', KEY_2], false],
  ['no key', ['r', SIGNATURE_2, ''], false],
  ['a key that is not a point of the curve', ['r', SIGNATURE_2, 'f'.repeat(64)], false],
];
for (const [label, [text, signature, key], expected] of cases) {
  signed(label, () => {
    assert.is(isSigned(text, signature, key), expected);
  });
}
signed.run();
