import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { toFoundLinks } from '../../../../../registry/plugins/seo/indexing/indexable.ts';

const PAGE = { path: '/en/alpha/', siteUrl: 'https://example.org', languages: ['en', 'fr'] };

const ROWS: readonly (readonly [url: string, image: boolean, type: string | null, path: string])[] = [
  ['/en/beta/', false, 'internal', '/en/beta/'],
  ['../beta', false, 'internal', '/en/beta/'],
  ['/beta', false, 'internal', '/en/beta/'],
  ['https://example.org/fr/Beta/?utm=1#top', false, 'internal', '/fr/beta/'],
  ['http://example.org/en/?p=12', false, 'internal', '/en/?p=12'],
  ['/en/category/news/child/', false, 'internal', '/en/category/child/'],
  ['/en/deep/er/page/', false, 'internal', '/en/deep/er/page/'],
  ['https://other.example/en/beta/', false, 'external', ''],
  ['//other.example/x', false, 'external', ''],
  ['/uploads/a.png', true, 'image-internal', ''],
  ['https://other.example/a.png', true, 'image-external', ''],
  ['#part', false, null, ''],
  ['/en/alpha/#part', false, null, ''],
  ['?replytocom=1', false, null, ''],
  ['mailto:a@b.example', false, null, ''],
  ['tel:123', false, null, ''],
  ['javascript:alert(1)', false, null, ''],
  ['data:image/png;base64,AAAA', true, null, ''],
  ['https://user:pw@other.example/', false, null, ''],
  ['https://', false, null, ''],
];

const links = suite('toFoundLinks');
for (const [url, image, type, path] of ROWS) {
  links(`${image ? 'image' : 'link'} ${url}`, () => {
    assert.equal(
      toFoundLinks([{ url, image, alt: '' }], PAGE).map((link) => [link.type, link.path]),
      type === null ? [] : [[type, path]],
    );
  });
}
links('leaves out duplicates', () => {
  const link = { url: '/en/beta/', image: false, alt: '' };
  assert.is(toFoundLinks([link, link, { ...link, url: 'https://example.org/en/beta/' }], PAGE).length, 1);
});
links.run();
