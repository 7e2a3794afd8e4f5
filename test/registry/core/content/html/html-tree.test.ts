import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  MAX_DEPTH,
  parseFragment,
  toMarkup,
  toStartTag,
  walk,
} from '../../../../../registry/core/content/html/html-tree.ts';

const trees = suite('parseFragment and toMarkup');
const ROWS: readonly (readonly [html: string, markup: string])[] = [
  ['<p>a <b>b</b></p>c', '<p>a <b>b</b></p>c'],
  ['<p>a<br>b<img src="x"></p>', '<p>a<br>b<img src="x"></p>'],
  ['<div><b>a</div>c', '<div><b>a</b></div>c'],
  ['</b>a', 'a'],
  ['<script>a < b && c</script>', '<script>a < b && c</script>'],
  ['a &lt; b &amp;<!-- c -->', 'a &lt; b &amp;<!-- c -->'],
  ['<svg><path d="x"/><g>y</g></svg>', '<svg><path d="x"></path><g>y</g></svg>'],
];
for (const [html, markup] of ROWS) trees(html, () => assert.is(toMarkup(parseFragment(html)), markup));
trees('nests no deeper than the limit', () => {
  const deepest = Math.max(...[...walk(parseFragment('<div>'.repeat(1000)))].map((each) => each.depth));
  assert.is(deepest, MAX_DEPTH - 1);
});
trees.run();

const walking = suite('walk');
walking('goes in document order', () => {
  const nodes = [...walk(parseFragment('<a>1<b>2</b></a>3'))].map(
    ({ node, depth }) => `${depth}${node.kind === 'element' ? node.name : node.text}`,
  );
  assert.equal(nodes, ['0a', '11', '1b', '22', '03']);
});
walking.run();

const tags = suite('toStartTag');
tags('escapes values', () =>
  assert.is(toStartTag('a', [{ name: 'title', value: '"<&' }]), '<a title="&quot;&lt;&amp;">'),
);
tags('may close itself', () => assert.is(toStartTag('br', [], true), '<br />'));
tags.run();
