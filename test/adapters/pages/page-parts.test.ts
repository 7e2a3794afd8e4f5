import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { withServer } from '../../support/routebook.ts';

const test = suite('parts of the pages of the server');

test('a post has landmarks, one main heading, date, author, terms, a search field, languages by name and a link to the API', () =>
  withServer(['serve', '--port', '0', '--store', 'memory'], async (origin) => {
    const response = await fetch(`${origin}/en/the-dockers-pie/`);
    const html = await response.text();
    assert.is(response.status, 200);
    for (const part of [
      '<meta name="viewport" content="width=device-width, initial-scale=1">',
      '<meta name="color-scheme" content="light dark">',
      'href="#main"',
      '<header>',
      '<main id="main"',
      '<footer>',
      '<form role="search" action="/en/">',
      '<time datetime="2025-11-11T17:00:00Z">November 11, 2025</time>',
      '<a href="/en/author/contributor/" rel="author">Jo Tanguy</a>',
      '<a href="/en/category/food-and-drink/" rel="tag">Food and drink</a>',
      '<nav aria-label="Languages">',
      '<a href="/en/cms-json/">API of this site</a>',
    ])
      assert.ok(html.includes(part), part);
    assert.is(html.match(/<h1[ >]/g)?.length, 1);
    assert.match(html, /<a [^>]*hreflang="fr"[^>]*>Français<\/a>/);
    assert.match(html, /prefers-color-scheme: ?dark/);
    const policy = response.headers.get('content-security-policy') ?? '';
    for (const part of [
      "script-src 'none'",
      "style-src-elem 'sha256-",
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ])
      assert.ok(policy.includes(part), policy);
    assert.equal([...html.matchAll(/<(?:script|link)\b[^>]*\bsrc=|<link rel="stylesheet"/g)], []);
  }));

test.run();
