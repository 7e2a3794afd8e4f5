import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../../../adapters/memory-store.ts';
import { createSqliteStore } from '../../../../adapters/sqlite-store.ts';
import type { LogEvent } from '../../../../lib/dispatch/runtime.ts';
import { createRequest } from '../../../../lib/http/create-request.ts';
import { type Upstream, upstreamError, type UpstreamRequest } from '../../../../lib/ports/upstream.ts';
import type { Operation, Store, Values } from '../../../../lib/store/store.ts';
import { CAPABILITIES } from '../../../../registry/core/accounts/roles.ts';
import { notConnected } from '../../../../registry/core/host/host-functions.ts';
import { createCommonArgs } from '../../../../registry/core/schemas/common-args.ts';
import { collections } from '../../../../registry/index.ts';
import { createPhotofeedNamespace } from '../../../../registry/plugins/builder/photofeed.ts';
import { photofeedDescriptor } from '../../../../registry/plugins/builder/routes.ts';
import { checkAnswer } from '../../../support/answers.ts';
import { createTestPorts, TEST_CONFIG, TEST_NOW } from '../../../support/ports.ts';
import { createTestEngine } from '../../../support/site.ts';
import { createSpoiltStore, withUnreadable } from '../../../support/spoilt-store.ts';
import { inFolder } from '../../../support/temporary.ts';
import { createWholeSite, SITE_URL } from '../../../support/whole-site.ts';

const MEDIA = '/builder/photofeed/media';
const CHILDREN = '/builder/photofeed/(?P<id>\\d+)/children';

const POSTS: readonly Values[] = [
  {
    id: 11,
    slug: 'one',
    title: 'One &amp; <b>only</b>',
    date: '2024-01-01T10:00:00',
    content: '<img src="/a.png"><img src="/a.png">',
  },
  {
    id: 12,
    slug: 'album',
    title: 'Album',
    date: '2024-01-02T10:00:00',
    featured_media: 301,
    content: '<p><img src="b.png"></p><img src="https://cdn.test/c.png"><img src="data:image/png;base64,AA">',
  },
  { id: 13, slug: 'same-day', title: 'Same day', date: '2024-01-02T10:00:00', featured_media: 301 },
  {
    id: 14,
    slug: 'words',
    title: 'Words',
    date: '2024-01-03T10:00:00',
    content: '<p>&lt;img src="x"&gt;</p>',
  },
  { id: 15, slug: 'paper', title: 'Paper', date: '2024-01-03T10:00:00', featured_media: 302 },
  {
    id: 21,
    slug: 'protected',
    title: 'canary',
    date: '2024-01-04T10:00:00',
    featured_media: 301,
    password: 'sesame',
  },
  ...['draft', 'private', 'pending', 'future', 'trash'].map((status, index) => ({
    id: 22 + index,
    slug: status,
    title: 'canary',
    status,
    date: '2024-01-05T10:00:00',
    featured_media: 301,
  })),
  { id: 30, slug: 'page', title: 'canary', type: 'page', date: '2024-01-05T10:00:00', featured_media: 301 },
  {
    id: 41,
    slug: 'un',
    title: 'Un',
    language: 'fr',
    date: '2024-01-01T10:00:00',
    content: '<img src="/fr.png">',
  },
];

interface FeedBody {
  readonly code: unknown;
  readonly error_message?: string;
  readonly json: {
    readonly data: readonly Readonly<Record<string, string>>[];
    readonly paging: { readonly cursors: { readonly after?: string }; readonly next?: string };
  };
}

interface SiteParts {
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly upstream?: Upstream;
  readonly now?: () => number;
  readonly store?: Store;
  readonly log?: (event: LogEvent) => void;
}

async function createSite({
  settings = {},
  upstream = notConnected,
  now = () => TEST_NOW,
  store,
  log,
}: SiteParts = {}) {
  const ports = createTestPorts({
    now,
    upstream,
    config: { ...TEST_CONFIG, namespaces: { photofeed: settings } },
    ...(store === undefined ? {} : { store }),
    ...(log === undefined ? {} : { log }),
  });
  await ports.store.commit([
    ...POSTS.map((values): Operation => ({
      op: 'create',
      collection: 'posts',
      values: { type: 'post', language: 'en', status: 'publish', ...values },
    })),
    { op: 'create', collection: 'media', values: { id: 301, file: 'feat.jpg', mime_type: 'image/jpeg' } },
    {
      op: 'create',
      collection: 'media',
      values: { id: 302, file: 'paper.pdf', mime_type: 'application/pdf' },
    },
  ]);
  const engine = createTestEngine([createPhotofeedNamespace(ports)], {
    capabilities: CAPABILITIES,
    commonArgs: createCommonArgs(['nl', 'en', 'fr']),
    languageParam: 'ml_language',
  });
  return async (target: string) => {
    const { status, body, headers } = await engine.dispatch(
      createRequest(`/builder/photofeed/${target}`, { siteUrl: 'http://site.test' }),
    );
    return { status, body: body as FeedBody, headers };
  };
}

const ids = (body: FeedBody): readonly string[] => body.json.data.map(({ id }) => id ?? '');

const own = suite('photofeed of the site');

own('shows posts with pictures, the newest first, and nothing hidden', async () => {
  const ask = await createSite();
  const { status, body } = await ask('media');
  assert.is(status, 200);
  checkAnswer(photofeedDescriptor, ['GET', MEDIA], body);
  assert.equal(ids(body), ['13', '12', '11']);
  assert.equal(body.json.paging, { cursors: {} });
  assert.equal(body.json.data[1], {
    id: '12',
    caption: 'Album',
    media_type: 'CAROUSEL_ALBUM',
    media_url: 'http://site.test/uploads/feat.jpg',
    permalink: 'http://site.test/en/album/',
    thumbnail_url: 'http://site.test/uploads/feat.jpg',
  });
  assert.equal(
    [body.json.data[2]?.['media_type'], body.json.data[2]?.['caption'], body.json.data[2]?.['media_url']],
    ['IMAGE', 'One & only', 'http://site.test/a.png'],
  );
  assert.not.match(JSON.stringify(body), /canary/);
});

own('shows a scheduled post from its date on, even before its status is updated', async () => {
  const { store } = createTestPorts();
  await store.commit([
    {
      op: 'create',
      collection: 'posts',
      values: {
        id: 50,
        type: 'post',
        language: 'en',
        status: 'future',
        title: 'Due',
        slug: 'due',
        date: '2025-01-15T12:00:01',
        date_gmt: '2025-01-15T12:00:01',
        content: '<img src="/due.png">',
      },
    },
  ]);
  let now = TEST_NOW;
  const ask = await createSite({ store, now: () => now });
  assert.is(ids((await ask('media')).body).includes('50'), false);
  now += 1000;
  assert.is(ids((await ask('media')).body)[0], '50');
});

own('answers the same on SQLite', async () => {
  await inFolder(async (directory) => {
    const store = await createSqliteStore({ directory, collections, durability: 'relaxed' });
    const [onFile, inMemory] = [await createSite({ store }), await createSite()];
    for (const target of ['media', 'media?limit=1', 'media?ml_language=fr', '12/children', '21/children'])
      assert.equal((await onFile(target)).body, (await inMemory(target)).body);
    await store.close();
  });
});

own('links to posts where the site has them', async () => {
  const site = await createWholeSite({
    fixture: {
      site: { name: 'S' },
      users: [],
      posts: [
        {
          id: 11,
          slug: 'one',
          title: 'One',
          status: 'publish',
          date: '2024-01-01T10:00:00',
          date_gmt: '2024-01-01T10:00:00',
          content: '<img src="a.png">',
        },
      ],
    },
    permalinks: '/%year%/%monthnum%/%postname%/',
  });
  const feed = (await site.ask({ target: MEDIA })).body as FeedBody;
  const album = (await site.ask({ target: `${MEDIA.replace('/media', '/11/children')}` })).body as FeedBody;
  for (const [entry] of [feed.json.data, album.json.data])
    assert.equal(
      [entry?.['permalink'], entry?.['media_url']],
      [`${SITE_URL}/en/2024/01/one/`, `${SITE_URL}/en/2024/01/one/a.png`],
    );
  await site.close();
  await site.store.close();
});

own('is of one language', async () => {
  const ask = await createSite();
  assert.equal(ids((await ask('media?ml_language=fr')).body), ['41']);
});

own('goes on where a page ended, at our own address', async () => {
  const ask = await createSite();
  const seen: string[] = [];
  let target: string | undefined = 'media?limit=1&ml_language=en';
  for (let turn = 0; target !== undefined && turn < 10; turn += 1) {
    const { body } = await ask(target);
    seen.push(...ids(body));
    const { next } = body.json.paging;
    if (next !== undefined)
      assert.ok(
        next.startsWith(`http://site.test/en/cms-json${MEDIA}?limit=1&next=`) &&
          next.endsWith('&ml_language=en'),
        next,
      );
    target = next?.slice('http://site.test/en/cms-json/builder/photofeed/'.length);
  }
  assert.equal(seen, ['13', '12', '11']);
  assert.equal(ids((await ask('media?limit=1&page=3')).body), ['11']);
});

for (const next of ['x', '', 'AAAA', Buffer.from('2024-01-01T00:00:00 1').toString('base64url').repeat(2)]) {
  own(`refuses the cursor "${next}"`, async () => {
    const { status, body } = await (await createSite())(`media?next=${next}`);
    assert.equal([status, body.code], [400, 'photofeed_invalid_cursor']);
  });
}

for (const query of ['limit=0', 'limit=101', 'limit=x', 'page=0']) {
  own(`refuses ${query}`, async () => {
    const { status, body } = await (await createSite())(`media?${query}`);
    assert.equal([status, body.code], [400, 'rest_invalid_param']);
  });
}

own('lists the pictures of an album, each once, with ids of their own', async () => {
  const { status, body } = await (await createSite())('12/children');
  assert.is(status, 200);
  checkAnswer(photofeedDescriptor, ['GET', CHILDREN], body);
  assert.equal(
    body.json.data.map(({ id, media_url: url }) => [id, url]),
    [
      ['12001', 'http://site.test/uploads/feat.jpg'],
      ['12002', 'http://site.test/en/album/b.png'],
      ['12003', 'https://cdn.test/c.png'],
    ],
  );
});

for (const id of ['21', '22', '23', '24', '25', '26', '30', '999', '0', '99999999999999999999']) {
  own(`post ${id} is no album`, async () => {
    const { status, body } = await (await createSite())(`${id}/children`);
    assert.equal([status, body.code], [404, 'photofeed_not_found']);
  });
}

own.run();

const SECRET = 'canary-token';

function createService(answer: (request: UpstreamRequest) => unknown) {
  const requests: UpstreamRequest[] = [];
  const upstream: Upstream = {
    origin: () => 'https://photos.test',
    request: async (_service, request) => {
      requests.push(request);
      const body = answer(request);
      return {
        status: body === null ? 404 : 200,
        headers: {},
        body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
      };
    },
  };
  return { upstream, requests };
}

const FEED = {
  data: [
    {
      id: '77',
      caption: 'C',
      media_type: 'VIDEO',
      media_url: `https://cdn.test/v.mp4?access_token=${SECRET}&x=1`,
      permalink: 'https://photos.test/77',
      thumbnail_url: 'javascript:x',
      username: 'canary-token',
    },
    { id: 'x', media_type: 'IMAGE', media_url: 'https://cdn.test/a' },
    { id: '78', media_type: 'OTHER', media_url: 'https://cdn.test/a' },
    { id: '79', media_type: 'IMAGE', media_url: 'http://cdn.test/a' },
    null,
  ],
  paging: { cursors: { after: 'their cursor' }, next: `https://graph.test/media?access_token=${SECRET}` },
};

const spoilt = suite('photofeed with a post that cannot be read');

spoilt('shows the others, and logs it', async () => {
  const logged: LogEvent[] = [];
  const store = createSpoiltStore(createMemoryStore(collections), (collection, record) =>
    collection === 'posts' && record.id === 12 ? withUnreadable(record, 'content') : record,
  );
  const whole = await (await createSite())('media');
  const { status, body } = await (
    await createSite({
      store,
      log: (event) => {
        logged.push(event);
      },
    })
  )('media');
  assert.equal([status, ids(body)], [200, ids(whole.body).filter((id) => id !== '12')]);
  assert.equal(
    logged.map(({ level, message }) => `${level}: ${message}`),
    ['error: showing the pictures of post 12 failed; it is left out'],
  );
});

spoilt.run();

const foreign = suite('photofeed of a service');

foreign('passes on known members only, without tokens and with its own cursors', async () => {
  const { upstream, requests } = createService(() => FEED);
  const ask = await createSite({ settings: { provider: 'upstream' }, upstream });
  const { body } = await ask('media?limit=5');
  checkAnswer(photofeedDescriptor, ['GET', MEDIA], body);
  assert.equal(body.json.data, [
    {
      id: '77',
      caption: 'C',
      media_type: 'VIDEO',
      media_url: 'https://cdn.test/v.mp4?x=1',
      permalink: 'https://photos.test/77',
      thumbnail_url: 'https://cdn.test/v.mp4?x=1',
    },
  ]);
  assert.not.match(JSON.stringify(body), new RegExp(`${SECRET}|their cursor|graph`));
  await ask(`media?limit=5&next=${body.json.paging.cursors.after ?? ''}`);
  assert.equal(
    requests.map(({ query }) => query),
    [{ limit: '5' }, { limit: '5', after: 'their cursor' }],
  );
});

foreign('calls the service once a day, however many requests come', async () => {
  let now = TEST_NOW;
  const { upstream, requests } = createService(() => FEED);
  const ask = await createSite({ settings: { provider: 'upstream' }, upstream, now: () => now });
  await Promise.all([ask('media'), ask('media'), ask('media?page=2'), ask('media?ml_language=fr')]);
  now += 86_399_000;
  await ask('media');
  assert.is(requests.length, 1);
  now += 2000;
  await ask('media');
  assert.is(requests.length, 2);
});

foreign('does not keep a failure', async () => {
  const answers: unknown[] = ['no json', FEED];
  const { upstream } = createService(() => answers.shift());
  const ask = await createSite({ settings: { provider: 'upstream' }, upstream });
  assert.equal([(await ask('media')).status, (await ask('media')).status], [502, 200]);
});

foreign('lists the pictures of an album', async () => {
  const { upstream, requests } = createService(({ path }) => (path === '/77/children' ? FEED : null));
  const ask = await createSite({ settings: { provider: 'upstream' }, upstream });
  const { body } = await ask('77/children');
  checkAnswer(photofeedDescriptor, ['GET', CHILDREN], body);
  assert.equal(ids(body), ['77']);
  assert.is((await ask('78/children')).status, 404);
  assert.is((await ask(`${'9'.repeat(31)}/children`)).status, 400);
  assert.is(requests.length, 2);
});

for (const [label, upstream, status] of [
  ['no connection', notConnected, 503],
  ['an unusable answer', createService(() => ({ data: 'x' })).upstream, 502],
  ['a response that is not JSON', createService(() => '<html>').upstream, 502],
  [
    'no answer in time',
    {
      origin: () => 'https://photos.test',
      request: async () => {
        throw upstreamError('service_timeout', { data: { service: 'photofeed' } });
      },
    },
    504,
  ],
] as const) {
  foreign(`${label}: ${status} in the words of the feed`, async () => {
    const ask = await createSite({ settings: { provider: 'upstream' }, upstream });
    for (const target of ['media', '1/children']) {
      const { status: given, body } = await ask(target);
      assert.equal([given, body.code], [status, status]);
      assert.type(body.error_message, 'string');
      assert.is('upstream_status' in (body as unknown as { data: object }).data, false);
    }
  });
}

foreign('invalid settings are an error at start', async () => {
  for (const settings of [{ provider: 'x' }, { provider: {} }, { provider: 'upstream', cacheMinutes: 5 }]) {
    assert.instance(
      await createSite({ settings }).then(
        () => null,
        (error: unknown) => error,
      ),
      TypeError,
    );
  }
});

foreign('a provider of the host', async () => {
  const entry = {
    id: '5',
    caption: '',
    media_type: 'IMAGE',
    media_url: 'https://h.test/5',
    permalink: 'https://h.test/5',
    thumbnail_url: 'https://h.test/5',
  };
  const ask = await createSite({
    settings: {
      provider: { list: async () => ({ entries: [entry], next: null }), children: async () => null },
    },
  });
  assert.equal(ids((await ask('media')).body), ['5']);
  assert.is((await ask('5/children')).status, 404);
});

foreign.run();
