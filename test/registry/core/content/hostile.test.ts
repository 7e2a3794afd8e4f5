import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseFragment, toMarkup } from '../../../../registry/core/content/html/html-tree.ts';
import { countWords, toPlainText } from '../../../../registry/core/content/html/plain-text.ts';
import { renderExcerpt } from '../../../../registry/core/content/render/excerpt.ts';
import { renderContent, renderTitle } from '../../../../registry/core/content/render/render.ts';
import { sanitiseContent, sanitiseTitle } from '../../../../registry/core/content/sanitise/sanitise.ts';
import { parseSearch } from '../../../../registry/core/content/search-query.ts';
import { toSlug } from '../../../../registry/core/content/slug.ts';
import { isAll, isLong } from '../../../support/long-mode.ts';

/** A recursion of so many steps overflows the stack, too. */
const SIZE = isAll || isLong ? 1 << 18 : 1 << 16;
const FULL = 1 << 20;
const repeat = (piece: string, size: number): string =>
  piece.repeat(Math.ceil(size / piece.length)).slice(0, size);
const fill = (piece: string): string => repeat(piece, SIZE);

/** The names say what is repeated. */
const INPUTS: readonly string[] = [
  ...[
    '<div>',
    '<b>',
    '<p>',
    '</p>',
    '<div></p>',
    '<div><p><b><i>',
    '<a></b>',
    '<table><tr><td>',
    '<ul><li>',
    '<script>',
    '<pre>x</',
    '<svg>',
    '<select>',
    '<br>\n',
    '<!--',
    '<!-- cms:p {"a":1',
    '<!-- cms:paragraph -->',
    '<!-- cms:paragraph -->\n<p>Some text.</p>\n<!-- /cms:paragraph -->\n',
    '<!-- cms:code --><!-- /cms:p -->',
    '<',
    '&',
    '&amp',
    '&#1',
    '"a',
    '<a title="',
    '<a href="x" b=\'',
    '\n',
    '\n  ',
    ' ',
    '\t',
    '-',
    '%e6',
    '日',
    'word ',
    '-a "',
    'x',
  ].map(fill),
  `<a ${Array.from({ length: 40_000 }, (_, index) => `a${index}`).join(' ')}>`,
  `<p style="${fill('a:(;')}">`,
  `<img srcset="${fill('a 1x,')}">`,
  `<a href="${fill(' j')}">`,
  `<!-- cms:p {${fill('{"a":')}} -->`,
  `<!-- cms:p ${fill(' ')} -->`,
  `<!-- cms:embed -->${fill('\t\thttp://')}<!-- /cms:embed -->`,
  `<!-- cms:p {"a":${fill('[')}} -->`,
];

const FUNCTIONS: Readonly<Record<string, (text: string) => unknown>> = {
  renderContent,
  renderTitle,
  automaticExcerpt: (text) => renderExcerpt({ excerpt: '', content: text }),
  writtenExcerpt: (text) => renderExcerpt({ excerpt: text, content: '' }),
  sanitiseContent,
  sanitiseTitle,
  toSlug,
  parseSearch,
  toPlainText,
  countWords,
  tree: (text) => toMarkup(parseFragment(text)),
};

const hostile = suite('long hostile texts');
for (const [name, run] of Object.entries(FUNCTIONS)) {
  hostile(`${name} ends and does not overflow the stack`, () => {
    for (const input of INPUTS) assert.not.throws(() => run(input), input.slice(0, 40));
  });
}
if (isAll || isLong)
  hostile('a full mebibyte of deep nesting, comments or attributes', () => {
    for (const piece of [
      '<div>',
      '<p>',
      '<!--',
      '<!-- cms:p {"a":1',
      '<a title="',
      '<p class="x" onclick="y">a</p>',
    ]) {
      const input = repeat(piece, FULL);
      for (const run of [sanitiseContent, renderContent]) assert.type(run(input), 'string', piece);
    }
  });
hostile.run();
