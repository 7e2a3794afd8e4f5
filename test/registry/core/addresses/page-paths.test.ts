import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readAddress, toPostPath } from '../../../../registry/core/addresses/page-paths.ts';

const SITE = 'https://example.org';
const LANGUAGES = ['en', 'fr', 'nl'];

const ROWS: readonly (readonly [url: string, target: unknown])[] = [
  ['https://example.org/', { kind: 'front', language: 'en', page: 1 }],
  ['https://example.org', { kind: 'front', language: 'en', page: 1 }],
  ['https://example.org/fr', { kind: 'front', language: 'fr', page: 1 }],
  ['https://example.org/en/alpha/', { kind: 'post', language: 'en', slug: 'alpha' }],
  ['http://example.org/en/alpha#top', { kind: 'post', language: 'en', slug: 'alpha' }],
  ['https://example.org/alpha', { kind: 'post', language: 'en', slug: 'alpha' }],
  ['https://example.org/fr/%C3%A9t%C3%A9/', { kind: 'post', language: 'fr', slug: '%c3%a9t%c3%a9' }],
  ['https://example.org/en/?p=12', { kind: 'post-id', language: 'en', id: 12 }],
  ['https://example.org/en/page/2/?s=red', { kind: 'search', language: 'en', text: 'red' }],
  [
    `https://example.org/en/?s=${'😀'.repeat(201)}`,
    { kind: 'search', language: 'en', text: '😀'.repeat(200) },
  ],
  ['https://example.org/en/?s=red+wine', { kind: 'search', language: 'en', text: 'red wine' }],
  [
    'https://example.org/en/category/news/news-child/',
    { kind: 'term', language: 'en', page: 1, taxonomy: 'category', slug: 'news-child' },
  ],
  [
    'https://example.org/nl/tag/rood/',
    { kind: 'term', language: 'nl', page: 1, taxonomy: 'post_tag', slug: 'rood' },
  ],
  ['https://example.org/en/author/admin/', { kind: 'author', language: 'en', page: 1, slug: 'admin' }],
  ['https://example.org/en/2024/01/', { kind: 'date', language: 'en', page: 1, date: '2024-01' }],
  ['https://example.org/en/page/2/', { kind: 'front', language: 'en', page: 2 }],
  [
    'https://example.org/en/category/news/page/3',
    { kind: 'term', language: 'en', page: 3, taxonomy: 'category', slug: 'news' },
  ],
  ['https://example.org/en/2024/page/2/', { kind: 'date', language: 'en', page: 2, date: '2024' }],
  ['https://example.org/en/page/', { kind: 'post', language: 'en', slug: 'page' }],
  ['https://example.org/en/alpha/page/2/', null],
  ['https://example.org/en/page/0/', null],
  ['https://example.org/en/a/b/', null],
  ['https://example.org/en/a%2Fb/', null],
  ['https://other.example/en/alpha/', null],
  ['https://example.org:8443/en/alpha/', null],
  ['https://user:pw@example.org/en/alpha/', null],
  ['https://example.org.evil.example/en/alpha/', null],
  ['ftp://example.org/en/alpha/', null],
  ['javascript:alert(1)', null],
  ['/en/alpha/', null],
  ['', null],
];

const reading = suite('readAddress');
for (const [url, expected] of ROWS) {
  reading(`reads ${url}`, () => {
    assert.equal(readAddress(url, SITE, LANGUAGES), expected);
  });
}
reading('a site in a subdirectory reads only URLs below it', () => {
  assert.equal(readAddress('https://example.org/site/en/alpha/', 'https://example.org/site', LANGUAGES), {
    kind: 'post',
    language: 'en',
    slug: 'alpha',
  });
  assert.is(
    readAddress('https://example.org/sitemap/en/alpha/', 'https://example.org/site', LANGUAGES),
    null,
  );
});
reading.run();

const writing = suite('paths');
writing('a post without a slug is addressed by its id', () => {
  assert.is(toPostPath({ language: 'en', slug: '', id: 7 }), '/en/?p=7');
  assert.is(toPostPath({ language: 'fr', slug: '%c3%a9t%c3%a9', id: 7 }), '/fr/%c3%a9t%c3%a9/');
});
writing.run();
