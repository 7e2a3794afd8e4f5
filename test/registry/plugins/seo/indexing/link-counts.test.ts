import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createContentModel } from '../../../../../registry/core/model/content-model.ts';
import { createSeoSite, SITE_URL, type SeoSite } from '../seo-site.ts';

const CONTENT = {
  core: true,
  types: [
    {
      name: 'book',
      base: 'books',
      supports: ['title', 'editor'] as const,
      permalink: '/Shelf/%author%/%postname%.html',
    },
  ],
};
const DATE = {
  date: '2024-07-05T10:00:00',
  date_gmt: '2024-07-05T10:00:00',
  modified_gmt: '2024-07-05T10:00:00',
};

/** Path -> the record behind it, with posts under `/%year%/%monthnum%/%postname%/`. */
const TARGETS: readonly (readonly [url: string, object: number])[] = [
  ['/en/2024/07/lamp/', 20],
  ['/2024/07/lamp', 20],
  ['/en/?p=20', 20],
  ['/en/Shelf/editor-slug/lamp.html', 21],
  ['/en/about/team/', 23],
  ['/en/?page_id=23', 23],
  ['/en/category/news/', 2],
  ['/en/category/news/local/', 40],
  ['/en/category/local/', 40],
];
const NOWHERE = [
  '/en/lamp/',
  '/en/2023/07/lamp/',
  '/en/Shelf/author-slug/lamp.html',
  '/en/team/',
  '/en/2024/07/lampe/',
  '/en/category/nothing/',
  '/en/category/news/local/page/2/',
];

const toContent = (urls: readonly string[]): string =>
  urls.map((url) => `<p><a href="${url}">link</a></p>`).join('');

const RECORDS = [
  { id: 20, type: 'post', slug: 'lamp' },
  { id: 21, type: 'book', slug: 'lamp', author: 2 },
  { id: 22, type: 'page', slug: 'about' },
  { id: 23, type: 'page', slug: 'team', parent: 22 },
];

async function createSite(): Promise<SeoSite> {
  const site = await createSeoSite({
    ports: { content: createContentModel(CONTENT, '/%year%/%monthnum%/%postname%/') },
  });
  const urls = [...TARGETS.map(([url]) => url), ...NOWHERE];
  const records = [...RECORDS, { id: 30, type: 'post', slug: 'linking', content: toContent(urls) }];
  await site.store.commit(
    records.map(
      (values) =>
        ({
          op: 'create',
          collection: 'posts',
          values: {
            language: 'en',
            status: 'publish',
            author: 1,
            title: `Record ${values.id}`,
            content: '',
            ...DATE,
            ...values,
          },
        }) as const,
    ),
  );
  await site.store.commit([
    {
      op: 'create',
      collection: 'terms',
      values: { id: 40, taxonomy: 'category', slug: 'local', name: 'Local', language: 'en', parent: 2 },
    },
  ]);
  return site;
}

type Shown = Readonly<Record<string, unknown>>;

async function follow(site: SeoSite, ...routes: readonly string[]): Promise<readonly Shown[]> {
  const objects: Shown[] = [];
  for (const route of routes) {
    for (let isLeft = true; isLeft;) {
      const { body } = await site.call(`POST /seo/v1/${route}`);
      objects.push(...(body['objects'] as readonly Shown[]));
      isLeft = body['next_url'] !== false;
    }
  }
  return objects;
}

async function targetsOf(site: SeoSite): Promise<ReadonlyMap<string, unknown>> {
  const { records: indexables } = await site.store.find({ collection: 'seo_indexables' });
  const objects = new Map(indexables.map(({ id, object_id }) => [id, object_id]));
  const { records: links } = await site.store.find({ collection: 'seo_links' });
  return new Map(
    links.map(({ url, target }) => [String(url).slice(SITE_URL.length), objects.get(Number(target)) ?? 0]),
  );
}

const counts = suite('internal links');

counts('lead to the records whose permalinks they are, of every type and under every structure', async () => {
  const site = await createSite();
  await follow(site, 'indexing/terms', 'indexing/posts', 'link-indexing/posts');
  const targets = await targetsOf(site);
  for (const [url, object] of TARGETS) assert.is(targets.get(url), object, url);
  for (const url of NOWHERE) assert.is(targets.get(url), 0, url);
});

counts('are counted for a record that is indexed after them', async () => {
  const site = await createSite();
  await follow(site, 'link-indexing/posts', 'indexing/posts');
  const targets = await targetsOf(site);
  for (const [url, object] of TARGETS.filter(([url]) => !url.includes('?') && !url.includes('category')))
    assert.is(targets.get(url), object, url);
  const { records: indexables } = await site.store.find({ collection: 'seo_indexables' });
  assert.equal(
    indexables
      .filter(({ object_id }) => [20, 21, 23].includes(Number(object_id)))
      .map(({ incoming_link_count }) => Number(incoming_link_count) > 0),
    [true, true, true],
  );
});

counts('do not include links of a record to itself', async () => {
  const site = await createSite();
  await site.store.commit([
    {
      op: 'update',
      collection: 'posts',
      id: 21,
      values: { content: toContent([`${SITE_URL}/en/Shelf/editor-slug/lamp.html`, '/en/about/']) },
    },
  ]);
  await follow(site, 'indexing/posts', 'link-indexing/posts');
  const { records: indexables } = await site.store.find({ collection: 'seo_indexables' });
  assert.is(indexables.find(({ object_id }) => object_id === 21)?.['link_count'], 1);
});

counts('show the permalink of the indexed record', async () => {
  const site = await createSite();
  const shown = await follow(site, 'indexing/posts');
  const permalinks = new Map(shown.map(({ object_id, permalink }) => [object_id, permalink]));
  assert.equal(
    [20, 21, 23].map((id) => permalinks.get(id)),
    ['/en/2024/07/lamp/', '/en/Shelf/editor-slug/lamp.html', '/en/about/team/'].map(
      (path) => `${SITE_URL}${path}`,
    ),
  );
});

counts.run();
