import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { addParagraphs, addParagraphsInSteps } from '../../../../../registry/core/content/html/paragraphs.ts';

const paragraphs = suite('addParagraphs');
const ROWS: readonly (readonly [text: string, markup: string])[] = [
  ['', ''],
  ['  \n\n ', ''],
  ['Text.', '<p>Text.</p>\n'],
  ['a\nb\n\nc', '<p>a<br />\nb</p>\n<p>c</p>\n'],
  ['a\r\nb\r\n\r\n\r\nc\rd', '<p>a<br />\nb</p>\n<p>c<br />\nd</p>\n'],
  ['x<br>\ny<br />\nz', '<p>x<br>\ny<br />\nz</p>\n'],
  ['a <a\nhref="x">b</a> c', '<p>a <a href="x">b</a> c</p>\n'],
  ['a <img alt="\n\n" src=x> c', '<p>a <img alt="  " src=x> c</p>\n'],
  ['a <!-- x\n\ny --> b', '<p>a <!-- x  y --> b</p>\n'],
  ['<!-- x\ny -->\n\na', '<!-- x y -->\n<p>a</p>\n'],
  [
    '<h2>T</h2>\ntext\n\n<ul>\n<li>a</li>\n\n<li>b</li>\n</ul>\n\nend',
    '<h2>T</h2>\n<p>text</p>\n<ul>\n<li>a</li>\n\n<li>b</li>\n</ul>\n<p>end</p>\n',
  ],
  ['<div>a\n\nb</div>', '<div>a\n\nb</div>\n'],
  ['<pre>a\n\n<b>b</b></pre>c', '<pre>a\n\n<b>b</b></pre>\n<p>c</p>\n'],
  ['<script>\na\n\n"<p>"\n</script>', '<script>\na\n\n"<p>"\n</script>\n'],
  ['x\n<hr>\ny', '<p>x</p>\n<hr>\n<p>y</p>\n'],
  ['<!-- note -->\n\nx', '<!-- note -->\n<p>x</p>\n'],
  ['<ul><li>a<li>b</ul>c', '<ul><li>a<li>b</ul>\n<p>c</p>\n'],
  ['</div>x', '<p></div>x</p>\n'],
  ['<div>never closed\n\nx', '<div>never closed\n\nx\n'],
  ['1 < 2 & 3', '<p>1 < 2 & 3</p>\n'],
  ['🚀\n\n日本', '<p>🚀</p>\n<p>日本</p>\n'],
];
for (const [text, markup] of ROWS)
  paragraphs(JSON.stringify(text), () => assert.is(addParagraphs(text), markup));
paragraphs('markup with paragraphs stays as it is', () => {
  const markup = '<p>a</p>\n<p>b<br />\nc</p>\n';
  assert.is(addParagraphs(markup), markup);
});
paragraphs('are the same with and without the shortcut for texts without tags', () => {
  const piece = fc.oneof(
    fc.constantFrom('\n', '\n\n', '\r\n', ' ', '\0', '&', '>', '\u00a0\n'),
    fc.string({ unit: 'grapheme', maxLength: 4 }).map((text) => text.replaceAll(/[<~]/g, '')),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const text = `${pieces.join('')}~ 2`;
      assert.is(addParagraphs(text.replace('~', '<')), addParagraphs(text).replace('~', '<'));
    }),
    { numRuns: 2000 },
  );
});
paragraphs('yields often, whatever the text is made of', () => {
  for (const text of ['a\n', 'a\n\n', '<em>a</em>\n\n', '<p>a</p>\n'])
    assert.ok([...addParagraphsInSteps(text.repeat(20_000))].length >= 20, text);
});

paragraphs.run();
