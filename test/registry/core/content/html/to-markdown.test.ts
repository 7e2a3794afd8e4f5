import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { toMarkdown } from '../../../../../registry/core/content/html/to-markdown.ts';

const markdown = suite('HTML as Markdown');

markdown('keeps the marks of ordinary nesting, and leaves out those of more than eight levels', () => {
  assert.is(
    toMarkdown('<p>a <b>b <i>c</i></b> <a href="/x"><span>l <em>m</em></span></a></p>').trim(),
    'a **b *c*** [l *m*](</x>)',
  );
  for (const name of ['i', 'span', 'a href="/x"']) {
    const text = toMarkdown(`<${name}>`.repeat(250) + 'x');
    assert.ok(text.length < 100, `${name}: ${text.length} characters`);
    assert.match(text, 'x');
  }
});

/** HTML, and the Markdown that every reader of CommonMark and of its tables turns into the same. */
const ROWS: readonly (readonly [html: string, markdown: string])[] = [
  ['<h1>One</h1><h2>Two <em>x</em></h2><h6>Six</h6>', '# One\n\n## Two *x*\n\n###### Six'],
  ['<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>', '- a\n  - b\n- c'],
  ['<ol><li>a</li><li>b</li></ol>', '1. a\n2. b'],
  ['<ol start="3"><li>a</li></ol>', '3. a'],
  [
    '<table><thead><tr><th>A</th><th>B</th></tr></thead><tbody><tr><td>1</td><td>x|y</td></tr></tbody></table>',
    '| A | B |\n| --- | --- |\n| 1 | x\\|y |',
  ],
  ['<pre><code>a *b*\n  c</code></pre>', '```\na *b*\n  c\n```'],
  ['<pre>a\n```\nb</pre>', '````\na\n```\nb\n````'],
  ['<p>Use <code>a`b</code></p>', 'Use ``a`b``'],
  ['<p><a href="https://e.org/a b">x [y]</a></p>', '[x \\[y\\]](<https://e.org/a%20b>)'],
  ['<p><img src="/a.png" alt="A cat"></p>', '![A cat](</a.png>)'],
  ['<blockquote><p>a</p><p>b</p></blockquote>', '> a\n>\n> b'],
  ['<p>a<br>b</p><hr>', 'a\\\nb\n\n---'],
  [
    '<p>1. not a list</p><p># no heading</p><p>*no* emphasis</p>',
    '1\\. not a list\n\n\\# no heading\n\n\\*no\\* emphasis',
  ],
  ['<p>a<script>alert(1)</script></p><style>b</style>', 'a'],
  ['<p>5 &lt; 6 &amp;amp; x</p>', '5 \\< 6 \\&amp; x'],
];

markdown('has headings, lists, tables, code and links', () => {
  assert.equal(
    ROWS.map(([html]) => toMarkdown(html).trim()),
    ROWS.map(([, text]) => text),
  );
});

markdown.run();
