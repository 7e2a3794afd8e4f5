import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { OutboundRefused, type OutboundRequest } from '../../../../lib/ports/outbound.ts';
import { createSeoSite, SITE_URL, type SeoSite } from './seo-site.ts';

async function indexAll(site: SeoSite): Promise<void> {
  for (const route of [
    'indexing/terms',
    'indexing/posts',
    'indexing/post-type-archives',
    'indexing/general',
    'link-indexing/posts',
    'link-indexing/posts',
    'link-indexing/terms',
  ])
    await site.call(`POST /seo/v1/${route}`);
}

const ranksOf = (body: Readonly<Record<string, unknown>>) =>
  (body['seo_scores'] as readonly { seo_rank: string; count: number }[]).map(({ seo_rank, count }) => [
    seo_rank,
    count,
  ]);

const statistics = suite('statistics');
statistics('counts published posts by rank, without zeros', async () => {
  const site = await createSeoSite();
  await site.store.commit([
    {
      op: 'create',
      collection: 'seo_meta',
      values: { object_type: 'post', object_id: 101, focus_phrase: 'alpha', description: 'x' },
    },
    {
      op: 'create',
      collection: 'seo_meta',
      values: { object_type: 'post', object_id: 102, noindex: true, focus_phrase: 'beta' },
    },
  ]);
  await indexAll(site);
  const { body } = await site.call('GET /seo/v1/statistics');
  assert.equal(ranksOf(body), [
    ['ok', 1],
    ['na', 3],
    ['noindex', 1],
  ]);
  const scores = body['seo_scores'] as readonly {
    count: number;
    link: string;
    links: readonly { type: string; language: string; count: number; link: string }[];
  }[];
  assert.is(scores[0]?.link, `${SITE_URL}/en/cms-json/cms/v2/posts?include=101&per_page=100&ml_language=en`);
  // One list has posts of one language, so each language has a link of its own. Together they name every post of the rank.
  const places = new Map(
    (await site.store.find({ collection: 'posts', fields: ['language'] })).records.map(({ id, language }) => [
      id,
      language,
    ]),
  );
  for (const { count, link, links } of scores) {
    assert.is(
      links.reduce((sum, each) => sum + each.count, 0),
      count,
    );
    assert.ok(links.some((each) => each.link === link));
    for (const each of links)
      assert.equal(
        [
          ...new Set(
            (new URL(each.link).searchParams.get('include') ?? '')
              .split(',')
              .map((id) => places.get(Number(id))),
          ),
        ],
        [each.language],
      );
  }
});
statistics("covers only the caller's own posts without edit_others_posts", async () => {
  const site = await createSeoSite();
  await indexAll(site);
  assert.equal(ranksOf((await site.call('GET /seo/v1/statistics', undefined, 'editor')).body), [['na', 5]]);
  assert.equal(ranksOf((await site.call('GET /seo/v1/statistics', undefined, 'author')).body), [['na', 1]]);
  assert.equal(ranksOf((await site.call('GET /seo/v1/statistics', undefined, 'subscriber')).body), []);
});
statistics('follow every change of a post without a run of the indexing routes', async () => {
  const site = await createSeoSite();
  const read = async () => ranksOf((await site.call('GET /seo/v1/statistics')).body);
  assert.equal(await read(), [['na', 5]]);
  await site.store.commit([
    { op: 'update', collection: 'posts', id: 102, values: { status: 'trash' } },
    { op: 'update', collection: 'posts', id: 103, values: { status: 'draft' } },
  ]);
  assert.equal(await read(), [['na', 3]]);
  await site.store.commit([
    { op: 'remove', collection: 'posts', id: 104 },
    {
      op: 'create',
      collection: 'seo_meta',
      values: { object_type: 'post', object_id: 101, focus_phrase: 'alpha' },
    },
  ]);
  assert.equal(await read(), [
    ['ok', 1],
    ['na', 1],
  ]);
});
statistics('of a site with many new posts wait for the indexing routes', async () => {
  const site = await createSeoSite();
  await site.store.commit(
    Array.from(
      { length: 1001 },
      (_each, index) =>
        ({
          op: 'create',
          collection: 'posts',
          values: {
            type: 'post',
            language: 'en',
            status: 'publish',
            slug: `more-${index}`,
            title: `More ${index}`,
          },
        }) as const,
    ),
  );
  const { body } = await site.call('GET /seo/v1/statistics');
  assert.match(String(body['header']), 'not indexed yet');
  assert.equal([ranksOf(body), (body['indexing'] as Record<string, unknown>)['up_to_date']], [[], false]);
  const workouts = (await site.call('GET /seo/v1/workouts')).body;
  assert.match(
    String(workouts['message']),
    'Indexing begins with http://site.test/en/cms-json/seo/v1/indexing/prepare',
  );
});
statistics.run();

const workouts = suite('workouts');
workouts('orphaned posts have no incoming links', async () => {
  const site = await createSeoSite();
  await site.store.commit([
    {
      op: 'create',
      collection: 'seo_meta',
      values: { object_type: 'post', object_id: 103, cornerstone: true },
    },
  ]);
  await indexAll(site);
  const { records } = await site.store.find({ collection: 'seo_indexables', fields: ['key'] });
  const idOf = (key: string) => records.find((record) => record['key'] === key)?.id;
  const { json } = (await site.call('GET /seo/v1/workouts')).body as {
    json: Record<string, { indexablesByStep: Record<string, number[]> }>;
  };
  assert.equal(json['cornerstone']?.indexablesByStep, { chooseCornerstones: [idOf('post:103')] });
  assert.equal(json['orphaned']?.indexablesByStep, {
    improveRemove: [idOf('post:101'), idOf('post:103'), idOf('post:104')],
  });
});
workouts('list no post as orphaned before the links are read, and say so', async () => {
  const site = await createSeoSite();
  const read = async () =>
    (await site.call('GET /seo/v1/workouts')).body as {
      json: { orphaned: { posts: readonly { object_id: number }[] } };
      message: string;
      indexing: { up_to_date: boolean };
    };
  await site.call('POST /seo/v1/indexing/prepare');
  await site.call('POST /seo/v1/indexing/posts');
  const early = await read();
  assert.equal([early.json.orphaned.posts, early.indexing.up_to_date], [[], false]);
  assert.match(early.message, 'no orphaned posts are listed');
  await site.call('POST /seo/v1/indexing/complete');
  const done = await read();
  assert.equal(
    [done.json.orphaned.posts.map((post) => post.object_id), done.message, done.indexing.up_to_date],
    [[101, 103, 104], '', true],
  );
  await site.store.commit([
    { op: 'update', collection: 'posts', id: 102, values: { content: '<a href="/en/alpha/">alpha</a>' } },
  ]);
  assert.equal(
    (await read()).json.orphaned.posts.map((post) => post.object_id),
    [103, 104],
  );
});
workouts('merges and keeps what a client stores', async () => {
  const site = await createSeoSite();
  await site.call('POST /seo/v1/workouts', {
    orphaned: { finishedSteps: ['improveRemove'], indexablesByStep: { update: [1, 2] } },
  });
  await site.call('POST /seo/v1/workouts', { orphaned: { indexablesByStep: { removed: [3] } } });
  const again = await createSeoSite({ ports: { store: site.store } });
  const {
    json: { cornerstone, orphaned },
  } = (await again.call('GET /seo/v1/workouts')).body as {
    json: Record<string, { posts: readonly { id: number }[] }>;
  };
  assert.equal(cornerstone, { finishedSteps: [], indexablesByStep: { chooseCornerstones: [] }, posts: [] });
  assert.equal(
    { ...orphaned, posts: [] },
    {
      finishedSteps: ['improveRemove'],
      indexablesByStep: { update: [1, 2], removed: [3], improveRemove: orphaned?.posts.map(({ id }) => id) },
      posts: [],
    },
  );
});
for (const body of [
  { nope: {} },
  { orphaned: { nope: 1 } },
  { orphaned: { indexablesByStep: { update: ['x'] } } },
  { cornerstone: 5 },
]) {
  workouts(`refuses ${JSON.stringify(body)}`, async () => {
    const site = await createSeoSite();
    const answer = await site.call('POST /seo/v1/workouts', body);
    assert.equal([answer.status, answer.body['code']], [400, 'rest_invalid_param']);
  });
}
workouts.run();

const search = suite('meta search');
search('finds names of custom fields by prefix', async () => {
  const site = await createSeoSite();
  await site.store.commit([
    {
      op: 'update',
      collection: 'posts',
      id: 101,
      values: { meta: { footnotes: '', _hidden: 'x', list: [1], color: 'red', count: 3 } },
    },
    { op: 'create', collection: 'seo_meta', values: { object_type: 'post', object_id: 101, title: 'Mine' } },
  ]);
  const ask = async (query: string) =>
    (await site.call(`GET /seo/v1/meta/search?post_id=101${query}`)).body['meta'];
  assert.equal(await ask(''), [
    { key: 'color', value: 'red' },
    { key: 'count', value: 3 },
    { key: 'footnotes', value: '' },
    { key: 'seo_title', value: 'Mine' },
  ]);
  assert.equal(await ask('&query=_'), [{ key: '_hidden', value: 'x' }]);
  assert.equal(await ask('&query=co'), [
    { key: 'color', value: 'red' },
    { key: 'count', value: 3 },
  ]);
  assert.equal(await ask('&query=none'), []);
});
search('returns at most 25 names', async () => {
  const site = await createSeoSite();
  await site.store.commit([
    {
      op: 'update',
      collection: 'posts',
      id: 101,
      values: {
        meta: Object.fromEntries(Array.from({ length: 40 }, (_each, index) => [`m${index}`, index])),
      },
    },
  ]);
  assert.is(
    ((await site.call('GET /seo/v1/meta/search?post_id=101')).body['meta'] as readonly unknown[]).length,
    25,
  );
});
for (const [query, role, status, code] of [
  ['', 'administrator', 400, 'rest_missing_callback_param'],
  ['post_id=x', 'administrator', 400, 'rest_invalid_param'],
  ['post_id=999', 'administrator', 404, 'post_not_found'],
  ['post_id=999', 'subscriber', 403, 'rest_forbidden'],
  ['post_id=101', '', 401, 'rest_forbidden'],
  ['post_id=101', 'author', 403, 'rest_forbidden'],
  ['post_id=102', 'contributor', 403, 'rest_forbidden'],
] as const) {
  search(`${query} as ${role}: ${status}`, async () => {
    const site = await createSeoSite();
    const answer = await site.call(`GET /seo/v1/meta/search?${query}`, undefined, role);
    assert.equal([answer.status, answer.body['code']], [status, code]);
  });
}
search('an author may search a post of their own', async () => {
  const site = await createSeoSite();
  assert.is((await site.call('GET /seo/v1/meta/search?post_id=102', undefined, 'author')).status, 200);
});
search.run();

const size = suite('file size');
const media = { size: async (path: string) => (path === '2023/12/a b.png' ? 1234 : null) };
size('of a file of the site', async () => {
  const site = await createSeoSite({ ports: { media } });
  const { body } = await site.call(
    `GET /seo/v1/file_size?url=${encodeURIComponent(`${SITE_URL}/uploads/2023/12/a%20b.png`)}`,
  );
  assert.equal(body, { type: 'success', size_in_bytes: 1234 });
});
for (const url of [
  `${SITE_URL}/uploads/none.png`,
  `${SITE_URL}/2023/12/a%20b.png`,
  `${SITE_URL}/uploads/%E6.png`,
  'https://other.example/uploads/2023/12/a%20b.png',
  'http://site.test.other.example/uploads/2023/12/a%20b.png',
  'file:///etc/passwd',
  'nope',
]) {
  size(`not found: ${url}`, async () => {
    const site = await createSeoSite({ ports: { media } });
    const { status, body } = await site.call(`GET /seo/v1/file_size?url=${encodeURIComponent(url)}`);
    assert.equal([status, body['type'], typeof body['response']], [404, 'failure', 'string']);
  });
}
size('of the address that the media route shows, which has the prefix of a language', async () => {
  const site = await createSeoSite({ ports: { media } });
  const ask = async (path: string) =>
    (await site.call(`GET /seo/v1/file_size?url=${encodeURIComponent(`${SITE_URL}${path}`)}`)).status;
  assert.equal(
    [await ask('/fr/uploads/2023/12/a%20b.png'), await ask('/xx/uploads/2023/12/a%20b.png')],
    [200, 404],
  );
});
size('a site without a library responds 404', async () => {
  const site = await createSeoSite();
  assert.is((await site.call(`GET /seo/v1/file_size?url=${SITE_URL}/uploads/a.png`)).status, 404);
});
size('of a file on a configured media host', async () => {
  const asked: OutboundRequest[] = [];
  const outbound = async (request: OutboundRequest) => {
    asked.push(request);
    if (request.url.endsWith('refused')) throw new OutboundRefused('inner network');
    return {
      status: request.url.endsWith('gone') ? 404 : 200,
      url: request.url,
      headers: request.url.endsWith('unsized') ? {} : { 'content-length': '77' },
      body: new Uint8Array(),
    };
  };
  const site = await createSeoSite({ ports: { outbound }, settings: { mediaHosts: ['cdn.example'] } });
  const ask = async (path: string) =>
    (await site.call(`GET /seo/v1/file_size?url=https://cdn.example/${path}`)).status;
  assert.equal((await site.call('GET /seo/v1/file_size?url=https://cdn.example/a.png')).body, {
    type: 'success',
    size_in_bytes: 77,
  });
  assert.equal([await ask('gone'), await ask('unsized'), await ask('refused')], [404, 404, 404]);
  assert.is((await site.call('GET /seo/v1/file_size?url=https://other.example/a.png')).status, 404);
  assert.equal(
    asked.map(({ method }) => method),
    ['HEAD', 'HEAD', 'HEAD', 'HEAD'],
  );
});
size('a media host without outbound requests', async () => {
  const site = await createSeoSite({ settings: { mediaHosts: ['cdn.example'] } });
  const { status, body } = await site.call('GET /seo/v1/file_size?url=https://cdn.example/a.png');
  assert.equal([status, body['code']], [503, 'service_not_connected']);
});
size('a missing URL', async () => {
  const site = await createSeoSite();
  assert.is((await site.call('GET /seo/v1/file_size')).body['code'], 'rest_missing_callback_param');
});
size.run();
