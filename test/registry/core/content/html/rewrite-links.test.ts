import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runSteps } from '../../../../../lib/core/cooperative.ts';
import { rewriteLinks } from '../../../../../registry/core/content/html/rewrite-links.ts';

const upper = (html: string): string =>
  runSteps(
    rewriteLinks(html, ({ address, written }) => (address.startsWith('/a') ? written.toUpperCase() : null)),
  );

const ROWS: readonly (readonly [name: string, html: string, expected: string])[] = [
  ['double quotes', '<p><a class="x" href="/a/b">A</a> b</p>', '<p><a class="x" href="/A/B">A</a> b</p>'],
  [
    'single quotes, upper case and a reference',
    "<A HREF='/a?x=1&amp;y' id=b>A</A>",
    "<A HREF='/A?X=1&AMP;Y' id=b>A</A>",
  ],
  ['no quotes', '<area href=/a target=_blank>', '<area href="/A" target=_blank>'],
  ['the first of two', '<a href="/a" href="/a">', '<a href="/A" href="/a">'],
  [
    'several links',
    '<a href="/a">1</a><a href="/b">2</a><a href="/a/">3</a>\r\n<a href="/a">',
    '<a href="/A">1</a><a href="/b">2</a><a href="/A/">3</a>\r\n<a href="/A">',
  ],
  [
    'other elements and attributes',
    '<link href="/a"><a data-href="/a" title="href=/a"><img src="/a">',
    '<link href="/a"><a data-href="/a" title="href=/a"><img src="/a">',
  ],
  [
    'text that only looks like a link',
    '<!-- <a href="/a"> --><script>"<a href=/a>"</script> href="/a" &lt;a href="/a"&gt;',
    '<!-- <a href="/a"> --><script>"<a href=/a>"</script> href="/a" &lt;a href="/a"&gt;',
  ],
  ['a tag that parsers read differently', '<a "href="/a">', '<a "href="/a">'],
];

const rewriting = suite('rewriteLinks');
for (const [name, html, expected] of ROWS) rewriting(name, () => assert.is(upper(html), expected));
rewriting('quotes and brackets of a new address do not end the attribute', () => {
  const evil = (quote: string): string =>
    runSteps(rewriteLinks(`<a href=${quote}/a${quote}>`, () => `/x"'><b>`));
  assert.equal(
    ['"', "'", ''].map(evil),
    ['"', "'", '"'].map((quote) => `<a href=${quote}/x&quot;&#039;&gt;&lt;b&gt;${quote}>`),
  );
});
rewriting.run();
