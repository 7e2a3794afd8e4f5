import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  MAX_DEPTH,
  parseFragment,
  toMarkup,
  toStartTag,
  type HtmlNode,
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
  const depthOf = (nodes: readonly HtmlNode[]): number =>
    Math.max(0, ...nodes.map((node) => (node.kind === 'element' ? 1 + depthOf(node.children) : 1)));
  assert.is(depthOf(parseFragment('<div>'.repeat(1000))), MAX_DEPTH);
});
trees.run();

const tags = suite('toStartTag');
tags('escapes values', () =>
  assert.is(toStartTag('a', [{ name: 'title', value: '"<&' }]), '<a title="&quot;&lt;&amp;">'),
);
tags('may close itself', () => assert.is(toStartTag('br', [], true), '<br />'));
tags.run();
