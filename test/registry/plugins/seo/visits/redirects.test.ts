import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { eq } from '../../../../../lib/store/query.ts';
import type { ContentOption } from '../../../../../registry/core/model/content-model.ts';
import type { Fixture } from '../../../../../registry/transfer/fixture/fixture.ts';
import { createWholeSite, SITE_URL, type WholeSite } from '../../../../support/whole-site.ts';

const written = {
  author: 1,
  status: 'publish',
  date: '2024-07-01T10:00:00',
  date_gmt: '2024-07-01T10:00:00',
  content: 'some words',
};
const FIXTURE: Fixture = {
  site: { name: 'Slugs', timezone_string: 'UTC', default_category: 0, excerpt_length_default: 55 },
  users: [{ id: 1, login: 'admin', name: 'Admin', slug: 'admin', role: 'administrator' }],
  posts: [
    { ...written, id: 11, title: 'Lamp', slug: 'lamp' },
    { ...written, id: 12, title: 'Desk', slug: 'desk' },
    { ...written, id: 13, title: 'Draft', slug: 'draft', status: 'draft' },
  ],
};

async function withSite(run: (site: WholeSite) => Promise<void>, redirects = true): Promise<void> {
  const site = await createWholeSite({ fixture: FIXTURE, config: { seo: { redirects } } });
  try {
    await run(site);
  } finally {
    await site.close();
    await site.store.close();
  }
}

async function change({ ask }: WholeSite, id: number, body: object): Promise<void> {
  const { status, text } = await ask({ method: 'PUT', target: `/cms/v2/posts/${id}`, as: 'admin', body });
  assert.is(status, 200, text);
}

const find = ({ findRedirect }: WholeSite, slug: string): Promise<string | null> =>
  findRedirect(`/en/${slug}/`, SITE_URL);
const remembered = async ({ store }: WholeSite, post: number): Promise<readonly unknown[]> =>
  (await store.find({ collection: 'old_slugs', where: eq('post', post) })).records.map(({ slug }) => slug);

const redirects = suite('redirects of changed slugs');

redirects('lead from every old slug to the newest', () =>
  withSite(async (site) => {
    for (const slug of ['light', 'lumi\u00e8re', 'lamp', 'bulb']) await change(site, 11, { slug });
    assert.equal(
      await Promise.all(['light', 'lumiere', 'lamp', 'bulb', 'desk', 'none'].map((slug) => find(site, slug))),
      [...Array.from({ length: 3 }, () => `${SITE_URL}/en/bulb/`), null, null, null],
    );
    assert.equal(await remembered(site, 11), ['light', 'lumiere', 'lamp']);
  }),
);

redirects('lead from a slug that a post had before it was withdrawn, and show nothing of what is', () =>
  withSite(async (site) => {
    await change(site, 11, { status: 'draft' });
    await change(site, 11, { slug: 'light' });
    assert.is(await find(site, 'lamp'), null);
    await change(site, 11, { status: 'publish' });
    assert.equal([await find(site, 'lamp'), await find(site, 'light')], [`${SITE_URL}/en/light/`, null]);
    await change(site, 12, { status: 'private', slug: 'table' });
    await change(site, 12, { slug: 'never' });
    await change(site, 12, { status: 'publish', slug: 'board' });
    assert.equal(await Promise.all(['desk', 'table', 'never'].map((slug) => find(site, slug))), [
      `${SITE_URL}/en/board/`,
      null,
      null,
    ]);
    await change(site, 12, { status: 'draft' });
    await change(site, 12, { status: 'publish' });
    assert.equal([await remembered(site, 11), await remembered(site, 12)], [['lamp'], ['desk']]);
  }),
);

redirects('are followed by get_head and oEmbed', () =>
  withSite(async (site) => {
    await change(site, 11, { slug: 'light' });
    const url = encodeURIComponent(`${SITE_URL}/en/lamp/`);
    const head = await site.ask({ target: `/seo/v1/get_head?url=${url}` });
    assert.equal(
      [head.status, (head.body as { json: { canonical: string } }).json.canonical],
      [200, `${SITE_URL}/en/light/`],
    );
    const embed = await site.ask({ target: `/oembed/1.0/embed?url=${url}` });
    assert.equal([embed.status, (embed.body as { title: string }).title], [200, 'Lamp']);
  }),
);

/** Types with their own addresses, and with parents. */
const CONTENT: ContentOption = {
  core: true,
  types: [
    { name: 'book', base: 'books', supports: ['title', 'editor'] },
    {
      name: 'guide',
      base: 'guides',
      hierarchical: true,
      supports: ['title', 'page-attributes'],
      permalink: '/guides/%postname%/',
    },
  ],
};
const OTHERS = [
  { id: 20, type: 'book', slug: 'tides' },
  { id: 21, type: 'page', slug: 'about' },
  { id: 22, type: 'page', slug: 'team', parent: 21 },
  { id: 23, type: 'page', slug: 'leads', parent: 22 },
  { id: 24, type: 'guide', slug: 'sea' },
  { id: 25, type: 'guide', slug: 'deep', parent: 24 },
] as const;

async function withTypes(run: (site: WholeSite) => Promise<void>): Promise<void> {
  const site = await createWholeSite({
    fixture: FIXTURE,
    config: { seo: { redirects: true } },
    content: CONTENT,
    permalinks: '/%year%/%postname%/',
  });
  await site.store.commit(
    OTHERS.flatMap(
      (values) =>
        [
          {
            op: 'create',
            collection: 'posts',
            values: { language: 'en', title: 'Other', ...written, ...values },
          },
          { op: 'create', collection: 'post_history', values: { post: values.id } },
        ] as const,
    ),
  );
  try {
    await run(site);
  } finally {
    await site.close();
    await site.store.close();
  }
}

const changeSlug = async ({ ask }: WholeSite, route: string, slug: string): Promise<void> => {
  const { status, text } = await ask({
    method: 'PUT',
    target: `/cms/v2/${route}`,
    as: 'admin',
    body: { slug },
  });
  assert.is(status, 200, text);
};

/** Record, its new slug, the old address, and the new one after all changes. */
const MOVES = [
  ['posts/11', 'light', '2024/lamp', '2024/light'],
  ['books/20', 'ebb', 'book/tides', 'book/ebb'],
  ['pages/23', 'heads', 'about/team/leads', 'us/team/heads'],
  ['pages/21', 'us', 'about', 'us'],
  ['guides/24', 'ocean', 'guides/sea', 'guides/ocean'],
] as const;

/** Below pages that moved: at any mixture of old and new slugs. */
const BELOW = [
  ['about/team', 'us/team'],
  ['about/team/heads', 'us/team/heads'],
  ['about/team/leads', 'us/team/heads'],
  ['us/team/leads', 'us/team/heads'],
  ['guides/sea/deep', 'guides/ocean/deep'],
] as const;

redirects('know the addresses of every type, and of records below those that moved', () =>
  withTypes(async (site) => {
    for (const [route, slug] of MOVES) await changeSlug(site, route, slug);
    for (const [from, to] of [...MOVES.map(([, , from, to]) => [from, to] as const), ...BELOW]) {
      assert.is(await find(site, from), `${SITE_URL}/en/${to}/`, from);
      assert.is(await find(site, to), null, to);
      const head = await site.ask({
        target: `/seo/v1/get_head?url=${encodeURIComponent(`${SITE_URL}/en/${from}/`)}`,
      });
      assert.is((head.body as { json: { canonical: string } }).json.canonical, `${SITE_URL}/en/${to}/`, from);
    }
    for (const none of [
      'never/team',
      'guides/never/deep',
      'book/light',
      'category/about',
      'about/us/team/heads',
      'us/us',
    ])
      assert.is(await find(site, none), null, none);
    // The slug alone was an address before the site got this structure, and is that of the post which has the slug now.
    assert.is(await find(site, 'lamp'), `${SITE_URL}/en/2024/light/`);
    await changeSlug(site, 'posts/12', 'lamp');
    assert.is(await find(site, 'lamp'), null);
  }),
);

redirects('tell pages of one slug below each other apart', () =>
  withTypes(async (site) => {
    const pages = [
      { id: 30, slug: 'outer' },
      { id: 31, slug: 'inner', parent: 30 },
      { id: 32, slug: 'leaf', parent: 31 },
    ];
    await site.store.commit(
      pages.flatMap(
        (values) =>
          [
            {
              op: 'create',
              collection: 'posts',
              values: { language: 'en', type: 'page', title: 'Other', ...written, ...values },
            },
            { op: 'create', collection: 'post_history', values: { post: values.id } },
          ] as const,
      ),
    );
    for (const route of ['pages/30', 'pages/31']) await changeSlug(site, route, 'same');
    for (const from of ['same/inner/leaf', 'outer/same/leaf', 'outer/inner/leaf'])
      assert.is(await find(site, from), `${SITE_URL}/en/same/same/leaf/`, from);
    for (const none of ['inner/same/leaf', 'same/outer/leaf', 'inner/outer/leaf'])
      assert.is(await find(site, none), null, none);
  }),
);

redirects('are off by default, but remembered', () =>
  withSite(async (site) => {
    await change(site, 11, { slug: 'light' });
    const url = encodeURIComponent(`${SITE_URL}/en/lamp/`);
    assert.equal([await find(site, 'lamp'), await remembered(site, 11)], [null, ['lamp']]);
    for (const target of [`/seo/v1/get_head?url=${url}`, `/oembed/1.0/embed?url=${url}`])
      assert.is((await site.ask({ target })).status, 404, target);
  }, false),
);

redirects('give way to a published post that takes the slug', () =>
  withSite(async (site) => {
    await change(site, 11, { slug: 'light' });
    await change(site, 13, { slug: 'lamp' });
    assert.is(await find(site, 'lamp'), `${SITE_URL}/en/light/`, 'a draft does not take it');
    await change(site, 13, { status: 'publish' });
    assert.is(await find(site, 'lamp'), null);
    await change(site, 13, { slug: 'third' });
    assert.is(await find(site, 'lamp'), `${SITE_URL}/en/third/`, 'the post that left it last');
  }),
);

redirects('never lead to a post that is not public', () =>
  withSite(async (site) => {
    await change(site, 11, { slug: 'light' });
    for (const status of ['draft', 'private', 'pending']) {
      await change(site, 11, { status });
      assert.is(await find(site, 'lamp'), null, status);
    }
    await change(site, 13, { slug: 'hidden' });
    assert.equal(await remembered(site, 13), [], 'a draft had no address');
    await site.ask({ method: 'DELETE', target: '/cms/v2/posts/12', as: 'admin' });
    assert.equal(await remembered(site, 12), ['desk'], 'the trash is no new address');
    assert.is(await find(site, 'desk'), null);
  }),
);

redirects('are bounded, and go with the post', () =>
  withSite(async (site) => {
    for (let index = 0; index < 25; index += 1) await change(site, 11, { slug: `name-${index}` });
    assert.equal(
      await remembered(site, 11),
      Array.from({ length: 20 }, (_each, index) => `name-${index + 4}`),
    );
    await site.ask({ method: 'DELETE', target: '/cms/v2/posts/11?force=true', as: 'admin' });
    assert.equal(await remembered(site, 11), []);
  }),
);

redirects.run();
