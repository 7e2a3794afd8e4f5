import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { escapeAttribute, escapeText } from '../../../../../lib/core/escape.ts';
import { readHtml, type HtmlReading } from '../../../../../registry/core/content/html/html.ts';
import { INHERITED_NAMES } from '../../../../support/inherited-names.ts';

function trace(html: string, reading?: HtmlReading): string {
  const parts: string[] = [];
  readHtml(
    html,
    {
      start: ({ name, attributes, from, to }) => {
        parts.push(
          `<${[name, ...attributes.map((each) => `${each.name}=${each.value}`)].join(' ')}>${reading?.positions ? `${from}-${to}` : ''}`,
        );
      },
      end: ({ name }) => {
        parts.push(`</${name}>`);
      },
      text: (text) => {
        parts.push(text);
      },
      comment: (text) => {
        parts.push(`(${text})`);
      },
    },
    reading,
  );
  return parts.join('');
}

const reading = suite('readHtml');
const ROWS: readonly (readonly [html: string, parts: string, reading?: HtmlReading])[] = [
  ['<P CLASS="a&amp;b" class=c>x</P>', '<p class=a&b>x</p>'],
  ['a<!-- b -->c<!DOCTYPE html>', 'a( b )c'],
  ['<script><b></script>', '<script><b></script>'],
  ['<title><b>&amp;</title>', '<title><b>&</title>'],
  ['<script>a<b>c</script>', '<script>a<b>c</script>', { raw: false }],
  ['é<b>x', 'é<b>1-4x', { positions: true }],
  ['a\0b', 'ab'],
  ['<', '<'],
  ['<a', ''],
];
for (const [html, parts, options] of ROWS)
  reading(JSON.stringify(html), () => assert.is(trace(html, options), parts));
reading('in a raw element only its own end tag is one', () => {
  const names: string[] = [];
  readHtml('<style><b></style><i>', {
    start: ({ name }) => {
      names.push(name);
    },
  });
  assert.equal(names, ['style', 'i']);
  names.length = 0;
  readHtml(
    '<style><b></style><i>',
    {
      start: ({ name }) => {
        names.push(name);
      },
    },
    { raw: false },
  );
  assert.equal(names, ['style', 'b', 'i']);
});
for (const name of INHERITED_NAMES) {
  reading(`an element may be called ${name}`, () => {
    const tag = name.toLowerCase();
    for (const raw of [true, false, 'place'] as const)
      assert.is(trace(`<${name}>a<b>b</b></${name}>`, { raw }), `<${tag}>a<b>b</b></${tag}>`);
  });
}
reading.run();

const escaping = suite('escapeText and escapeAttribute');
escaping('escape what means something', () => {
  assert.is(escapeText('a<b>&"'), 'a&lt;b&gt;&amp;"');
  assert.is(escapeAttribute('a<b>&"'), 'a&lt;b&gt;&amp;&quot;');
});
escaping.run();
