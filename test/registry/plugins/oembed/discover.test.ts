import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { discoverLink } from '../../../../registry/plugins/oembed/proxy.ts';

const JSON_LINK = '<link rel="alternate" type="application/json+oembed" href="/j">';
const XML_LINK = '<link rel="alternate" type="text/xml+oembed" href="/x">';
const JSON_FOUND = { url: 'https://page.test/j', isXml: false };

const ROWS: readonly (readonly [html: string, found: ReturnType<typeof discoverLink>])[] = [
  [`<head>${JSON_LINK}</head>`, JSON_FOUND],
  [JSON_LINK, JSON_FOUND],
  [`<head>${XML_LINK}</head>`, { url: 'https://page.test/x', isXml: true }],
  [XML_LINK + JSON_LINK, JSON_FOUND],
  [
    '<link REL="Foo ALTERNATE" TYPE=" Application/JSON+oEmbed " HREF=" http://other.test/?a=1&amp;b=2 ">',
    { url: 'http://other.test/?a=1&b=2', isXml: false },
  ],
  [
    '<link rel="alternate" type="application/xml+oembed" href="x">',
    { url: 'https://page.test/dir/x', isXml: true },
  ],
  ['', null],
  ['<p>x</p>', null],
  [`<body>${JSON_LINK}`, null],
  [`<head></head>${JSON_LINK}`, null],
  [`<!-- ${JSON_LINK} -->`, null],
  [`<script>'${JSON_LINK}'</script>`, null],
  [`<title>${JSON_LINK}</title>`, null],
  ['<link rel="stylesheet" type="application/json+oembed" href="/j">', null],
  ['<link rel="alternate" type="application/json" href="/j">', null],
  ['<link rel="alternate" type="application/json+oembed" href="">', null],
  ['<link rel="alternate" type="application/json+oembed">', null],
  ['<link rel="alternate" type="application/json+oembed" href="http://">', null],
  [`${'<link rel="alternate" hreflang="x" href="/y">'.repeat(60)}${JSON_LINK}`, JSON_FOUND],
];

const discover = suite('discoverLink');

for (const [html, found] of ROWS) {
  discover(html.slice(0, 80) || 'nothing', () =>
    assert.equal(discoverLink(html, 'https://page.test/dir/page'), found),
  );
}

discover.run();
