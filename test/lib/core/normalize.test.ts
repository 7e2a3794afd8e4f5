import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type NormalForm, normalize } from '../../../lib/core/text.ts';
import { createRandom } from '../../support/random.ts';

const FORMS: readonly NormalForm[] = ['NFC', 'NFD', 'NFKC', 'NFKD'];
/** Letters and marks of several classes, composed and not, inside and outside of the first plane. */
const UNITS = [
  'a',
  'e',
  ' ',
  'é',
  'ﬁ',
  '漢',
  '가',
  '\u1100',
  '\u1161',
  '\u0301',
  '\u0316',
  '\u0327',
  '\u0345',
  '\u0334',
  '\uFF76',
  '\uFF9E',
  '\u{1D165}',
  '\u{E0101}',
  '😀',
  '\uD800',
];

const normalizing = suite('normalize');

normalizing('is that of JavaScript, as long as no row of marks is longer than 64', () => {
  const random = createRandom(64);
  for (let round = 0; round < 400; round += 1) {
    const text =
      Array.from({ length: random.below(200) }, () => random.pick(UNITS)).join('') +
      '\u0301\u0316'.repeat(random.below(20));
    for (const form of FORMS) assert.is(normalize(text, form), text.normalize(form), JSON.stringify(text));
  }
  for (const at of [0, 1, 63, 64, 65, 200]) {
    const text = `${'x'.repeat(at)}${'\u0301\u0316'.repeat(32)}b`;
    for (const form of FORMS) assert.is(normalize(text, form), text.normalize(form));
  }
});

normalizing('keeps every mark of a longer row', () => {
  const row = '\u0301\u0316'.repeat(500);
  assert.equal([...normalize(`x${row}y`, 'NFD')].toSorted(), [...`x${row}y`].toSorted());
});

normalizing.run();
