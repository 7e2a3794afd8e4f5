import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { renderExcerpt, toExcerpt, cutWords } from '../../../../../registry/core/content/render/excerpt.ts';
import { renderContent, renderTitle } from '../../../../../registry/core/content/render/render.ts';

const words = (count: number): string =>
  Array.from({ length: count }, (_, index) => `word${index + 1}`).join(' ');
const block = (name: string, html: string, attributes = ''): string =>
  `<!-- cms:${name} ${attributes}-->\n${html}\n<!-- /cms:${name} -->`;

const titles = suite('renderTitle');
const TITLES: readonly (readonly [title: string, rendered: string])[] = [
  ['Alpha', 'Alpha'],
  ['Bold <strong>move</strong> &amp; more', 'Bold <strong>move</strong> &amp; more'],
  ['Fish &amp; Chips &lt;now&gt;', 'Fish &amp; Chips &lt;now&gt;'],
  ['Über Café ñandú', 'Über Café ñandú'],
  ['日本語のタイトル 🚀', '日本語のタイトル 🚀'],
  ['', ''],
  ['Tom & Jerry', 'Tom &#038; Jerry'],
  ['A &amp B &; &#; &#x110000000;', 'A &#038;amp B &#038;; &#038;#; &#038;#x110000000;'],
  ['it&#8217;s', 'it&#8217;s'],
  ['1 < 2', '1 &lt; 2'],
  ['  spaced  ', 'spaced'],
];
for (const [title, rendered] of TITLES)
  titles(JSON.stringify(title), () => assert.is(renderTitle(title), rendered));
titles.run();

const contents = suite('renderContent');
const CONTENTS: readonly (readonly [content: string, rendered: string])[] = [
  ['', ''],
  [' \n ', ''],
  ['Text.', '<p>Text.</p>\n'],
  [block('paragraph', '<p>Body of post 101.</p>'), '\n<p>Body of post 101.</p>\n'],
  ['<!-- cms:paragraph --><p>x</p><!-- /cms:paragraph -->', '<p>x</p>'],
  [block('group', block('columns', '<p>x</p>'), '{"layout":{"type":"flex"}} '), '\n\n<p>x</p>\n\n'],
  [
    block(
      'embed',
      '<figure class="a"><div>\nhttps://x.org/?a=1&amp;b=2\n</div></figure>',
      '{"url":"https://x.org/"} ',
    ),
    '\n<figure class="a"><div>\n<a href="https://x.org/?a=1&amp;b=2">https://x.org/?a=1&amp;b=2</a>\n</div></figure>\n',
  ],
  [
    '<!-- cms:embed {"url":"https://x.org/?a=\\u0022"} /-->',
    '<figure class="cms-block-embed"><a href="https://x.org/?a=&quot;">https://x.org/?a="</a></figure>',
  ],
  ['<!-- cms:embed {"url":"javascript:alert(1)"} /-->', ''],
  ['<!-- cms:separator /-->', '<hr class="cms-block-separator" />'],
  ['<!-- cms:latest-posts {"a":1} /-->x', 'x'],
  ['<!-- cms:constructor /-->x', 'x'],
  ['a\n\nb<!-- cms:paragraph -->', 'a\n\nb'],
  ['<!-- wp:paragraph -->\n<p>x</p>', '<!-- wp:paragraph -->\n<p>x</p>\n'],
];
for (const [content, rendered] of CONTENTS)
  contents(JSON.stringify(content), () => assert.is(renderContent(content), rendered));
contents('footnotes come from the meta field, cleaned, once', () => {
  const footnotes = JSON.stringify([
    { id: 'a"', content: '<em>note</em><script>x</script>' },
    { id: 1 },
    null,
    'x',
  ]);
  const html = renderContent('<!-- cms:footnotes /-->'.repeat(3), { footnotes });
  assert.is(
    html,
    '<ol class="cms-block-footnotes"><li id="a&quot;"><em>note</em>x <a href="#a&quot;-link" aria-label="Jump to footnote reference 1">↩︎</a></li></ol>',
  );
  for (const bad of ['', '{', '{}', 'null', '[]'])
    assert.is(renderContent('<!-- cms:footnotes /-->', { footnotes: bad }), '');
});
contents.run();

const excerpts = suite('renderExcerpt');
const EXCERPTS: readonly (readonly [
  name: string,
  excerpt: string,
  content: string,
  words: number | undefined,
  rendered: string,
])[] = [
  [
    '55 words by default',
    '',
    block('paragraph', `<p>${words(80)}</p>`),
    undefined,
    `<p>${words(55)} [&hellip;]</p>\n`,
  ],
  [
    'a length of one’s own',
    '',
    block('paragraph', `<p>${words(80)}</p>`),
    5,
    `<p>${words(5)} [&hellip;]</p>\n`,
  ],
  ['all of it', '', block('paragraph', `<p>${words(80)}</p>`), 80, `<p>${words(80)}</p>\n`],
  ['one more than there are', '', words(3), 4, `<p>${words(3)}</p>\n`],
  ['none', '', words(3), 0, '<p> [&hellip;]</p>\n'],
  ['less than none', '', words(3), -5, '<p> [&hellip;]</p>\n'],
  ['nothing to cut', '', '', 5, ''],
  ['only markup', '', '<!-- cms:paragraph --><p></p>', 5, ''],
  ['hand-written, never cut', words(80), 'x', 5, `<p>${words(80)}</p>\n`],
  ['hand-written in paragraphs', 'a\nb\n\nc', 'x', 5, '<p>a<br />\nb</p>\n<p>c</p>\n'],
  [
    'text stays text',
    '',
    '<p>a &lt;b&gt; &amp; c</p><script>x</script><p>d</p>',
    55,
    '<p>a &lt;b&gt; &amp; c d</p>\n',
  ],
  [
    'captions and embeds are left out',
    '',
    `${block('image', '<figcaption>cap</figcaption>')}${block('core/embed', 'https://x.org')}${block('list', '<ul><li>a</li></ul>')}`,
    55,
    '<p>a</p>\n',
  ],
];
for (const [name, excerpt, content, length, rendered] of EXCERPTS)
  excerpts(name, () => assert.is(renderExcerpt({ excerpt, content }, length), rendered));

excerpts('the end of the first look at a long text is no cut in a word', () => {
  const filler = `<!-- ${'x'.repeat(16_350)} -->`;
  assert.is(toExcerpt(`${filler}one two three four five`, 4), 'one two three four […]');
  assert.is(toExcerpt(`${'<b></b>'.repeat(4000)}one two`, 4), 'one two');
});
excerpts.run();

const cutting = suite('cutWords');
const CUTS: readonly (readonly [text: string, words: number, cut: string])[] = [
  ['a b c', 2, 'a b…'],
  ['a b c', 3, 'a b c'],
  ['a b c', 0, '…'],
  ['', 0, ''],
  [' a  b ', 2, 'a b'],
  [' a  b  c ', 2, 'a b…'],
  ['a', -1, '…'],
];
for (const [text, words, cut] of CUTS)
  cutting(`${words} of ${JSON.stringify(text)}`, () => assert.is(cutWords(text, words, '…'), cut));
cutting.run();
