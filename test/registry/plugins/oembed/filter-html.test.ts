import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { filterEmbedHtml } from '../../../../registry/plugins/oembed/foreign-answer.ts';
import { INHERITED_NAMES } from '../../../support/inherited-names.ts';

const frame = (src: string, more = ' title=""'): string =>
  `<iframe src="${src}" sandbox="allow-scripts" security="restricted"${more}></iframe>`;

const ROWS: readonly (readonly [html: string, left: string])[] = [
  ['', ''],
  ['plain text', ''],
  ['<p>text</p>', ''],
  ['<script>alert(1)</script>', ''],
  ['<style>*{}</style>', ''],
  ['<img src=x onerror=alert(1)>', ''],
  ['<svg onload=alert(1)><a href="http://a.test">x</a></svg>', ''],
  ['<object><a href="http://a.test">x</a></object>', ''],
  ['<!-- <blockquote>x</blockquote> -->', ''],
  ['<blockquote class="x" onclick="y" style="position:fixed">t</blockquote>', '<blockquote>t</blockquote>'],
  [
    '<blockquote><p>a <b>b</b></p><script>c</script><img src=x>d</blockquote>',
    '<blockquote>a bd</blockquote>',
  ],
  ['<blockquote>&lt;script&gt;</blockquote>', '<blockquote>&lt;script&gt;</blockquote>'],
  ['<div><blockquote>a</blockquote></div>', '<blockquote>a</blockquote>'],
  ['<blockquote><iframe src="https://a.test"></iframe></blockquote>', '<blockquote></blockquote>'],
  ['<a href="https://a.test" target="_top" onclick="x">t</a>', '<a href="https://a.test">t</a>'],
  ['<a href="javascript:alert(1)">t</a>', '<a>t</a>'],
  ['<a href=" javascript:alert(1)">t</a>', '<a>t</a>'],
  ['<a href="java\tscript:alert(1)">t</a>', '<a>t</a>'],
  ['<a href="data:text/html,x">t</a>', '<a>t</a>'],
  ['<a href="/x">t</a>', '<a>t</a>'],
  ['<a href="http://a.test/&quot;onx=&quot;">t</a>', '<a href="http://a.test/&quot;onx=&quot;">t</a>'],
  ['<iframe src="https://a.test/x"></iframe>', frame('https://a.test/x')],
  [
    '<iframe src="https://a.test/" sandbox="allow-same-origin allow-scripts" allow="camera" srcdoc="<script>1</script>" onload="x" width="10" height="9" name="n" title="T"></iframe>',
    frame('https://a.test/', ' width="10" height="9" title="T"'),
  ],
  ['<iframe src="https://a.test/" width="100%" height="1e3"></iframe>', frame('https://a.test/')],
  ['<iframe src="http://a.test/"></iframe>', ''],
  ['<iframe src="//a.test/"></iframe>', ''],
  ['<iframe src="javascript:alert(1)"></iframe>', ''],
  ['<iframe srcdoc="x"></iframe>', ''],
  ['<iframe src="https://"></iframe>', ''],
  ['<IFRAME SRC="HTTPS://a.test/"></IFRAME>', frame('HTTPS://a.test/')],
  [
    '<iframe src="https://a.test/" src="javascript:1"><blockquote>x</blockquote></iframe>',
    frame('https://a.test/'),
  ],
  ['<blockquote>open', '<blockquote>open</blockquote>'],
  ['<blockquote><!--></blockquote><script>1</script>-->', '<blockquote></blockquote>'],
];

const filter = suite('filterEmbedHtml');

for (const [html, left] of ROWS) {
  filter(html, () => {
    assert.is(filterEmbedHtml(html), left);
    assert.is(filterEmbedHtml(left), left);
  });
}

for (const name of INHERITED_NAMES) {
  filter(`an element called ${name} is left out like any other`, () => {
    const html = `<${name} onclick="x"><script>x</script><blockquote><${name} onclick="x">t<script>x</script></${name}></blockquote></${name}>`;
    assert.is(filterEmbedHtml(html), '<blockquote>t</blockquote>');
  });
}

filter('deep nesting does not break it', () => {
  assert.ok(filterEmbedHtml('<blockquote>'.repeat(20_000)).startsWith('<blockquote><blockquote>'));
});

filter.run();
