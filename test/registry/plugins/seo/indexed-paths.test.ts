import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Fixture } from '../../../../registry/transfer/fixture/fixture.ts';
import { createWholeSite, type WholeSite } from '../../../support/whole-site.ts';

const PAGE = { author: 1, status: 'publish', date: '2024-01-01T00:00:00' };

const FIXTURE = {
  site: { name: 'Moving', timezone_string: 'UTC', default_category: 1 },
  users: [{ id: 1, login: 'admin', name: 'Admin', slug: 'admin', role: 'administrator' }],
  categories: [
    { id: 1, name: 'News', slug: 'news' },
    { id: 2, name: 'Local', slug: 'local', parent: 1 },
  ],
  posts: [
    {
      id: 11,
      ...PAGE,
      slug: 'lamp',
      title: 'Lamp',
      content: '<p><a href="/en/old/child/">old</a> <a href="/en/new/child/">new</a></p>',
      categories: [2],
    },
  ],
  pages: [
    { id: 41, ...PAGE, slug: 'old', title: 'Above' },
    {
      id: 42,
      ...PAGE,
      slug: 'child',
      title: 'Child',
      parent: 41,
      content: '<p><a href="../beside/">beside</a></p>',
    },
  ],
} as unknown as Fixture;

const ROUTES = ['prepare', 'terms', 'posts', 'post-type-archives', 'general', 'indexables-complete'];

type Row = Readonly<Record<string, unknown>>;

async function step(site: WholeSite, route: string): Promise<readonly Row[]> {
  const { status, body } = await site.ask({ method: 'POST', target: `/seo/v1/${route}`, as: 'admin' });
  assert.is(status, 200);
  return (body as { readonly objects: readonly Row[] }).objects;
}

async function runIndex(site: WholeSite): Promise<void> {
  for (const route of ROUTES) await step(site, `indexing/${route}`);
  for (const route of ['link-indexing/posts', 'link-indexing/terms', 'indexing/complete'])
    await step(site, route);
}

async function change(site: WholeSite, target: string, body: Row): Promise<void> {
  assert.is((await site.ask({ method: 'POST', target, as: 'admin', body })).status, 200);
}

/** The path and the number of incoming links of a record, by its key in the index. */
async function readIndex(
  site: WholeSite,
): Promise<Readonly<Record<string, readonly [path: unknown, incoming: unknown]>>> {
  const { records } = await site.store.find({ collection: 'seo_indexables' });
  return Object.fromEntries(
    records.map((record) => [record['key'], [record['path'], record['incoming_link_count']]]),
  );
}

/** The paths that the text of a record links to, and the keys of the records at them. */
async function readLinks(
  site: WholeSite,
  key: string,
): Promise<readonly (readonly [path: unknown, target: unknown])[]> {
  const { records } = await site.store.find({ collection: 'seo_indexables', fields: ['key'] });
  const keys = new Map(records.map((record) => [record.id, record['key']]));
  const { records: links } = await site.store.find({
    collection: 'seo_links',
    order: [{ field: 'path', direction: 'asc' }],
  });
  return links
    .filter(({ indexable }) => keys.get(Number(indexable)) === key)
    .map(({ path, target }) => [path, keys.get(Number(target))]);
}

async function onSite(run: (site: WholeSite) => Promise<void>, permalinks = '/%postname%/'): Promise<void> {
  const site = await createWholeSite({ fixture: FIXTURE, content: 'core', permalinks });
  try {
    await runIndex(site);
    await run(site);
  } finally {
    await site.close();
  }
}

const paths = suite('indexed paths');
paths('follow the slug of a page above, with the links to and from the page', () =>
  onSite(async (site) => {
    assert.equal(await readLinks(site, 'post:11'), [
      ['/en/new/child/', undefined],
      ['/en/old/child/', 'post:42'],
    ]);
    assert.equal(await readLinks(site, 'post:42'), [['/en/old/beside/', undefined]]);
    await change(site, '/cms/v2/pages/41', { slug: 'new' });
    const moved = await step(site, 'indexing/posts');
    assert.equal(
      moved.map(({ object_id: id, permalink }) => [id, permalink]),
      [
        [41, 'http://site.test/en/new/'],
        [42, 'http://site.test/en/new/child/'],
      ],
    );
    await step(site, 'link-indexing/posts');
    assert.equal(await readLinks(site, 'post:11'), [
      ['/en/new/child/', 'post:42'],
      ['/en/old/child/', undefined],
    ]);
    assert.equal(await readLinks(site, 'post:42'), [['/en/new/beside/', undefined]]);
    assert.equal((await readIndex(site))['post:42'], ['/en/new/child/', 1]);
    assert.equal(await step(site, 'indexing/posts'), []);
    assert.equal(await step(site, 'link-indexing/posts'), []);
  }),
);
paths('follow the slug of a category above', () =>
  onSite(async (site) => {
    await change(site, '/cms/v2/categories/1', { slug: 'world' });
    assert.equal(
      (await step(site, 'indexing/terms')).map(({ permalink }) => permalink),
      ['http://site.test/en/category/world/', 'http://site.test/en/category/world/local/'],
    );
  }),
);
paths('are right in every report', () =>
  onSite(async (site) => {
    const pathOf = async (key: string): Promise<unknown> => {
      assert.is((await site.ask({ target: '/seo/v1/statistics', as: 'admin' })).status, 200);
      return (await readIndex(site))[key]?.[0];
    };
    assert.is(await pathOf('post:11'), '/en/admin/news/local/lamp/');
    await change(site, '/cms/v2/categories/1', { slug: 'world' });
    assert.is(await pathOf('post:11'), '/en/admin/world/local/lamp/');
    assert.is(await pathOf('term:2'), '/en/category/world/local/');
    await change(site, '/cms/v2/users/1', { slug: 'chief' });
    assert.is(await pathOf('post:11'), '/en/chief/world/local/lamp/');
    await change(site, '/cms/v2/settings', { show_on_front: 'page', page_on_front: 41 });
    assert.is(await pathOf('post:41'), '/en/');
  }, '/%author%/%category%/%postname%/'),
);
paths.run();
