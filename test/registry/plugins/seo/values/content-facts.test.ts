import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  MAX_MARKUP,
  readContent,
  toPlainText,
} from '../../../../../registry/plugins/seo/values/content-facts.ts';

const TEXTS: readonly (readonly [html: string, text: string])[] = [
  ['', ''],
  ['plain', 'plain'],
  ['<p>One <b>bold</b>\n word.</p><p>Two</p>', 'One bold\nword.\nTwo'],
  ['<!-- cms:paragraph --><p>a</p><!-- /cms:paragraph -->', 'a'],
  ['a<script>evil()</script>b<style>p{}</style>c', 'abc'],
  ['<script>var p = "<p>";</script>after', 'after'],
  ['Fish &amp; chips &lt;3', 'Fish & chips <3'],
  ['a<br>b', 'a\nb'],
  ['a < b', 'a < b'],
  ['<p>open <p>next', 'open\nnext'],
];

const reading = suite('readContent');
for (const [html, text] of TEXTS) {
  reading(JSON.stringify(html), () => {
    assert.is(readContent(html).text, text);
  });
}
reading('paragraphs, headings and links in order', () => {
  const facts = readContent(
    '<h2>Head <em>line</em></h2><p>See <a href=" /x ">x</a> &amp; <img src="a.png" alt=" A "></p><p> </p><h3>Two</h3><a>none</a><img alt="no address">',
  );
  assert.equal(facts.headings, ['Head line', 'Two']);
  assert.equal(facts.paragraphs, ['See x &']);
  assert.equal(facts.links, [
    { url: '/x', image: false, alt: '' },
    { url: 'a.png', image: true, alt: 'A' },
  ]);
});
reading('skips links inside scripts', () => {
  assert.equal(
    readContent('<script><a href="/x">x</a></script><template><img src="a.png"></template>').links,
    [],
  );
});
reading('counts words in other writing systems', () => {
  assert.is(readContent('<p>Été à l’été, déjà-vu 3 mots — 日本</p>').words, 7);
});
reading('reads at most a thousand links', () => {
  assert.is(readContent('<a href="/x">x</a>'.repeat(1200)).links.length, 1000);
});
reading('reads a huge text up to the limit', () => {
  assert.is(readContent('a '.repeat(MAX_MARKUP)).words, MAX_MARKUP / 2);
});
reading.run();

const plain = suite('toPlainText');
plain('returns one line', () => {
  assert.is(toPlainText('<p>One</p>\n<p>two &amp; <i>three</i></p>'), 'One two & three');
  assert.is(toPlainText('  a \n b '), 'a b');
});
plain.run();
