import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { toSortText, toStoredText } from '../../../lib/store/stored-text.ts';

const sort = suite('toSortText');
sort('sorts as the bytes of UTF-8 do', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
      const bytes = Math.sign(Buffer.compare(Buffer.from(a), Buffer.from(b)));
      const [left, right] = [toSortText(a), toSortText(b)];
      assert.is(left === right ? 0 : left < right ? -1 : 1, bytes);
    }),
    { numRuns: 2000 },
  );
});
sort('keeps what is part of what', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary', maxLength: 2 }), (text, part) => {
      assert.is(toSortText(text).includes(toSortText(part)), text.includes(part));
    }),
    { numRuns: 2000 },
  );
});
sort('puts an emoji behind U+FF5E, which its first unit does not', () => {
  assert.equal(['\u{1F600}', '\uFF5E'].toSorted(), ['\u{1F600}', '\uFF5E']);
  assert.ok(toSortText('\uFF5E') < toSortText('\u{1F600}'));
});
sort.run();

const stored = suite('toStoredText');
stored('replaces NUL and lone surrogates, and nothing else', () => {
  for (const [text, expected] of [
    ['a\0b', 'a\uFFFDb'],
    ['\uD800', '\uFFFD'],
    ['\uDC00x\uD83D', '\uFFFDx\uFFFD'],
    ['\u{1F600}', '\u{1F600}'],
    ['é\n\t', 'é\n\t'],
    ['', ''],
  ] as const)
    assert.is(toStoredText(text), expected);
});
stored.run();
