import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runSteps } from '../../../../../lib/core/cooperative.ts';
import { NO_TERMS } from '../../../../../registry/plugins/ml/glossary/glossary.ts';
import { toMachineText } from '../../../../../registry/plugins/ml/machine/machine-text.ts';
import { createRandom } from '../../../../support/random.ts';

const isKnown = (name: string): boolean => name === 'gallery';
const MARKED = { isShortcode: isKnown, glossary: NO_TERMS };
const shout = (piece: string): string =>
  piece
    .split(/(<span translate="no"[^]*?<\/span>|<[^>]*>|&#?\w+;)/)
    .map((part, index) => (index % 2 === 0 ? part.toUpperCase() : part))
    .join('');
const translate = (text: string): string => {
  const cut = runSteps(toMachineText(text, MARKED));
  return cut.write(cut.pieces.map(shout));
};

const CASES: readonly (readonly [text: string, pieces: readonly string[], translated: string])[] = [
  ['Hello', ['Hello'], 'HELLO'],
  ['R&D < 5 "x"', ['R&amp;D &lt; 5 "x"'], 'R&D < 5 "X"'],
  [
    '<p>Hello <b class="x">world</b> &amp; all</p>\n<p>2024</p>',
    ['Hello <b class="x">world</b> &amp; all'],
    '<p>HELLO <b class="x">WORLD</b> &amp; ALL</p>\n<p>2024</p>',
  ],
  [
    '<!-- cms:list -->\n<ul><!-- cms:list-item -->\n<li>one</li>\n<!-- /cms:list-item --></ul>\n<!-- /cms:list -->',
    ['one'],
    '<!-- cms:list -->\n<ul><!-- cms:list-item -->\n<li>ONE</li>\n<!-- /cms:list-item --></ul>\n<!-- /cms:list -->',
  ],
  ['one\n\n two \r\n\r\nthree', ['one', 'two', 'three'], 'ONE\n\n TWO \r\n\r\nTHREE'],
  [
    'a <script>if (a < b) x("<p>y</p>")</script> b <svg><text>c</text></svg> d',
    ['a', 'b', 'd'],
    'A <script>if (a < b) x("<p>y</p>")</script> B <svg><text>c</text></svg> D',
  ],
  [
    '<iframe src="x">a</iframe><pre>b <b>c</b></pre><p title="a > b">d</p>',
    ['d'],
    '<iframe src="x">a</iframe><pre>b <b>c</b></pre><p title="a > b">D</p>',
  ],
  [
    '[gallery] see [gallery ids="1,2"] now',
    [
      '<span translate="no" class="notranslate" id="m0">[gallery]</span> see <span translate="no" class="notranslate" id="m1">[gallery ids=&quot;1,2&quot;]</span> now',
    ],
    '[gallery] SEE [gallery ids="1,2"] NOW',
  ],
  [
    'Hello %s, {name} <code>a &lt; b</code>',
    [
      'Hello <span translate="no" class="notranslate" id="m0">%s</span>, <span translate="no" class="notranslate" id="m1">{name}</span> <span translate="no" class="notranslate" id="m2">&lt;code&gt;a &amp;lt; b&lt;/code&gt;</span>',
    ],
    'HELLO %s, {name} <code>a &lt; b</code>',
  ],
  ['<a href="/{x}?a=%s">go</a>', ['<a href="/{x}?a=%s">go</a>'], '<a href="/{x}?a=%s">GO</a>'],
  ['', [], ''],
  ['<p></p>', [], '<p></p>'],
  ['{name}', [], '{name}'],
];

const text = suite('toMachineText');
for (const [source, pieces, translated] of CASES) {
  text(`cuts ${JSON.stringify(source)}`, () => {
    assert.equal(runSteps(toMachineText(source, MARKED)).pieces, pieces);
    assert.is(translate(source), translated);
  });
}
text('marks that a service moves return to their new place', () => {
  const cut = runSteps(toMachineText('From %1$s to %2$s', MARKED));
  assert.is(
    cut.write([
      '<span class="notranslate" id="m1" translate="no">%2$s</span> à <span translate="no" id="m0">x</span>',
    ]),
    '%2$s à %1$s',
  );
});
const PARTS = [
  '<p>',
  '</p>',
  '<b>',
  '</b>',
  'word',
  ' ',
  '\n\n',
  '[gallery]',
  '%s',
  '{a}',
  '<code>',
  '</code>',
  '<script>',
  '</script>',
  '<!-- cms:p -->',
  '<!--',
  '-->',
  '&amp;',
  '&',
  '<',
  '<svg>',
  '</svg>',
  '<br/>',
  'é',
  '[a b="c"]',
  '[/a]',
  '<pre>',
  '</pre>',
  '<span id="m0">',
  '</span>',
];
text('a text whose pieces come back as they are is the same, whatever its markup', () => {
  const random = createRandom(7);
  for (let round = 0; round < 1000; round += 1) {
    const source = Array.from({ length: 1 + random.below(14) }, () => random.pick(PARTS)).join('');
    const cut = runSteps(toMachineText(source, MARKED));
    assert.is(cut.write(cut.pieces), source);
  }
});
text.run();
