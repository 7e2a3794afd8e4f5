import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Names } from '../../../lib/core/names.ts';
import type { SiteView } from '../../../lib/route/call.ts';
import type { LinkDescriptor } from '../../../lib/route/descriptor.ts';
import { prepareLink, prepareLinks } from '../../../lib/route/links.ts';
import { TEST_NAMES } from '../../support/site.ts';

const NAMES: Names = { ...TEST_NAMES, segments: { cms: 'wp' }, curie: { ...TEST_NAMES.curie, wire: 'wp' } };
const SITE = { wireUrl: (path: string) => `http://site.test${path}` } as SiteView;

const links = suite('a prepared link');

const HREFS: readonly (readonly [
  href: string,
  record: Readonly<Record<string, unknown>>,
  expected: string,
])[] = [
  ['/cms/v2/posts', {}, '/wp/v2/posts'],
  ['/cms/v2/posts/{id}', { id: 7 }, '/wp/v2/posts/7'],
  ['/cms/v2/posts/{id}/revisions/{newest}', { id: 7, newest: 12 }, '/wp/v2/posts/7/revisions/12'],
  [
    '/cms/v2/comments?post={id}&x={type}',
    { id: 7, type: 'a b/ç?' },
    '/wp/v2/comments?post=7&x=a%20b%2F%C3%A7%3F',
  ],
  ['/cms/v2/{count}', { count: 1e21 }, '/wp/v2/1e%2B21'],
  ['/cms/v2/{type}', { type: 'cms' }, '/wp/v2/cms'],
];
for (const [href, record, expected] of HREFS) {
  links(`${href} of ${JSON.stringify(record)}`, () => {
    assert.equal(prepareLink('self', { href }, NAMES).toLink(SITE, record), {
      href: `http://site.test${expected}`,
    });
    assert.equal(prepareLink('self', { href, embeddable: true }, NAMES).toLink(SITE, record), {
      embeddable: true,
      href: `http://site.test${expected}`,
    });
  });
}

links('has its relation in both words, and the capabilities that it asks for', () => {
  const table: Readonly<Record<string, LinkDescriptor>> = {
    self: { href: '/a' },
    'cms:action': { href: '/b', when: 'edit_posts publish_posts' },
  };
  const shown = prepareLinks(table, NAMES).map(({ name, relation, capabilities }) => ({
    name,
    relation,
    capabilities,
  }));
  assert.equal(shown, [
    { name: 'self', relation: 'self', capabilities: [] },
    { name: 'cms:action', relation: 'wp:action', capabilities: ['edit_posts', 'publish_posts'] },
  ]);
});

links.run();
