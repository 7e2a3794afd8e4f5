import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { countWords, toPlainText } from '../../../../../registry/core/content/html/plain-text.ts';

const plain = suite('toPlainText');
const TEXTS: readonly (readonly [html: string, text: string])[] = [
  ['', ''],
  ['<p>a</p><p>b</p>', 'a b'],
  ['a<br>b', 'a b'],
  ['<b>a</b>b', 'ab'],
  ['a&nbsp;&amp;&lt;b&gt;', 'a &<b>'],
  ['a<script>x</script><style>y</style>b', 'a b'],
  ['a<template>x<template>y</template>z</template>b', 'a b'],
  ['<!-- cms:paragraph -->\n<p>a</p>\n<!-- /cms:paragraph -->', 'a'],
  ['<script>x', ''],
  ['1 < 2', '1 < 2'],
];
for (const [html, text] of TEXTS) plain(JSON.stringify(html), () => assert.is(toPlainText(html), text));
plain('is the same with and without the shortcut for texts without markup', () => {
  const unmarked = fc
    .string({ unit: 'binary', maxLength: 60 })
    .map((text) => text.replaceAll(/[<&]/g, ' \n'));
  fc.assert(
    fc.property(unmarked, (text) => assert.is(toPlainText(text), toPlainText(`${text}<i></i>`))),
    { numRuns: 2000 },
  );
});
plain.run();

const counting = suite('countWords');
const COUNTS: readonly (readonly [text: string, count: number])[] = [
  ['', 0],
  ['  ', 0],
  ['one', 1],
  ['one two\nthree', 3],
  ['it’s co-operative', 2],
  ['a – b', 2],
  ['日本語', 3],
  ['Node 日本 20', 4],
  ['über café', 2],
  ['мир', 1],
];
for (const [text, count] of COUNTS) counting(JSON.stringify(text), () => assert.is(countWords(text), count));
counting.run();
