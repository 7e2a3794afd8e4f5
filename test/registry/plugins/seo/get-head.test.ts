import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createSeoSite, HOME, SITE_URL } from './seo-site.ts';

interface Json {
  readonly title: string;
  readonly canonical?: string;
  readonly robots: Readonly<Record<string, string>>;
  readonly alternates?: readonly { hreflang: string; href: string }[];
  readonly og_image?: readonly Readonly<Record<string, unknown>>[];
  readonly schema: { readonly '@graph': readonly Readonly<Record<string, unknown>>[] };
  readonly [name: string]: unknown;
}

async function readHead(url: string, settings?: Readonly<Record<string, unknown>>) {
  const site = await createSeoSite(settings === undefined ? {} : { settings });
  // The archive of a term without posts is not indexed.
  await site.store.commit([{ op: 'update', collection: 'posts', id: 103, values: { tags: [12] } }]);
  const { status, body, text } = await site.call(
    `GET /seo/v1/get_head?url=${encodeURIComponent(url)}`,
    undefined,
    '',
  );
  return { status, text, html: String(body['html']), json: body['json'] as Json };
}

const PAGES: readonly (readonly [url: string, title: string, canonical: string | undefined])[] = [
  [`${HOME}/alpha/`, 'Alpha & more - Test & Site', `${HOME}/alpha/`],
  [`${HOME}/alpha`, 'Alpha & more - Test & Site', `${HOME}/alpha/`],
  [`${SITE_URL}/fr/alpha-fr/`, 'Alpha en français - Test & Site', `${SITE_URL}/fr/alpha-fr/`],
  [`${HOME}/?p=101`, 'Alpha & more - Test & Site', `${HOME}/alpha/`],
  [`${SITE_URL}/fr/?p=101`, 'Alpha & more - Test & Site', `${HOME}/alpha/`],
  [`${HOME}/`, 'Test & Site - Just a site', `${HOME}/`],
  [`${SITE_URL}/fr`, 'Test & Site - Just a site', `${SITE_URL}/fr/`],
  [`${HOME}/category/news/`, 'News Archives - Test & Site', `${HOME}/category/news/`],
  [`${SITE_URL}/fr/tag/rouge/`, 'Archives des rouge & noir - Test & Site', `${SITE_URL}/fr/tag/rouge/`],
  [`${HOME}/author/author-slug/`, 'The author, Author - Test & Site', `${HOME}/author/author-slug/`],
  [`${HOME}/2024/01/`, '2024-01 Archives - Test & Site', undefined],
  [`${HOME}/?s=%3Cred%3E`, 'You searched for <red> - Test & Site', undefined],
  [`${HOME}/secret/`, 'Protected: Secret - Test & Site', `${HOME}/secret/`],
];

const found = suite('get_head finds');
for (const [url, title, canonical] of PAGES) {
  found(url, async () => {
    const { status, json } = await readHead(url);
    assert.equal([status, json.title, json.canonical], [200, title, canonical]);
  });
}
found('a post with its author, image, terms and breadcrumb', async () => {
  const { json } = await readHead(`${HOME}/alpha/`);
  const article = json.schema['@graph'].find((piece) => piece['@type'] === 'Article');
  const way = json.schema['@graph'].find((piece) => piece['@type'] === 'BreadcrumbList') as
    | { itemListElement: { name: string }[] }
    | undefined;
  assert.equal(
    [json['description'], json['author'], json['article_author'], json['article_modified_time']],
    ['A hand-written excerpt.', 'The editor', 'https://editor.example/', '2024-02-01T09:00:00+00:00'],
  );
  assert.equal(json.og_image, [
    { url: `${SITE_URL}/uploads/2023/12/picture.png`, width: 640, height: 480, type: 'image/png' },
  ]);
  assert.equal(
    [article?.['articleSection'], article?.['keywords'], article?.['headline']],
    [['News'], ['red'], 'Alpha & more'],
  );
  assert.equal(
    way?.itemListElement.map(({ name }) => name),
    ['Home', 'News', 'Alpha & more'],
  );
});
found('the other languages of a post, with the default language for other readers', async () => {
  for (const url of [`${HOME}/alpha/`, `${SITE_URL}/fr/alpha-fr/`]) {
    const { json } = await readHead(url);
    assert.equal(json.alternates, [
      { hreflang: 'en', href: `${HOME}/alpha/` },
      { hreflang: 'fr', href: `${SITE_URL}/fr/alpha-fr/` },
      { hreflang: 'x-default', href: `${HOME}/alpha/` },
    ]);
  }
});
found('not a language without a prefix, on any side', async () => {
  assert.is((await readHead(`${SITE_URL}/nl/nederlands/`)).json.alternates, undefined);
});
for (const [what, values] of [
  ['noindex', { noindex: true }],
  ['canonical elsewhere', { canonical: 'https://other.example/' }],
] as const) {
  found(`not a version that is ${what}, on any side`, async () => {
    for (const [id, type, urls] of [
      [103, 'post', ['/en/alpha/', '/fr/alpha-fr/']],
      [12, 'term', ['/en/tag/red/', '/fr/tag/rouge/']],
    ] as const) {
      const site = await createSeoSite();
      await site.store.commit([
        { op: 'create', collection: 'seo_meta', values: { object_type: type, object_id: id, ...values } },
      ]);
      for (const url of urls) {
        const { body } = await site.call(`GET /seo/v1/get_head?url=${SITE_URL}${url}`, undefined, '');
        assert.is((body['json'] as Json).alternates, undefined, url);
      }
    }
  });
}
found('the other languages of a term', async () => {
  const { json } = await readHead(`${SITE_URL}/fr/tag/rouge/`);
  assert.equal(
    json.alternates?.map(({ hreflang }) => hreflang),
    ['en', 'fr', 'x-default'],
  );
});
found('no alternate for a draft', async () => {
  const site = await createSeoSite();
  await site.store.commit([{ op: 'update', collection: 'posts', id: 103, values: { status: 'draft' } }]);
  const { text } = await site.call(`GET /seo/v1/get_head?url=${HOME}/alpha/`, undefined, '');
  assert.not.match(text, 'alpha-fr');
});
found('an image of the text when the post has no featured image', async () => {
  const site = await createSeoSite();
  await site.store.commit([{ op: 'update', collection: 'posts', id: 101, values: { featured_media: 0 } }]);
  const { body } = await site.call(`GET /seo/v1/get_head?url=${HOME}/alpha/`, undefined, '');
  assert.equal((body['json'] as Json).og_image, [{ url: `${SITE_URL}/uploads/a.png` }]);
});
found('the previous and next pages of an archive', async () => {
  const site = await createSeoSite();
  await site.store.commit(
    Array.from(
      { length: 21 },
      (_each, index) =>
        ({
          op: 'create',
          collection: 'posts',
          values: {
            type: 'post',
            language: 'en',
            status: 'publish',
            slug: `more-${index}`,
            categories: [2],
            author: 3,
            date: '2024-03-01T00:00:00',
          },
        }) as const,
    ),
  );
  const ask = async (path: string) =>
    (await site.call(`GET /seo/v1/get_head?url=${HOME}${path}`, undefined, '')).body;
  const pageOf = async (path: string) => {
    const { json, status } = (await ask(path)) as { json: Json; status: number };
    return status === 404
      ? 404
      : [json.title, json.canonical, json['rel_prev'], json['rel_next'], json.alternates?.length];
  };
  // 24 posts in English, 23 of them in the category, ten per page.
  assert.equal(await pageOf('/'), ['Test & Site - Just a site', `${HOME}/`, undefined, `${HOME}/page/2/`, 3]);
  assert.equal(await pageOf('/page/2/'), [
    'Page 2 - Test & Site',
    `${HOME}/page/2/`,
    `${HOME}/`,
    `${HOME}/page/3/`,
    undefined,
  ]);
  assert.equal(await pageOf('/page/3/'), [
    'Page 3 - Test & Site',
    `${HOME}/page/3/`,
    `${HOME}/page/2/`,
    undefined,
    undefined,
  ]);
  assert.is(await pageOf('/page/4/'), 404);
  assert.equal(await pageOf('/?paged=2'), await pageOf('/page/2/'));
  assert.equal(await pageOf('/category/news/?paged=3'), await pageOf('/category/news/page/3/'));
  assert.is(await pageOf('/?paged=4'), 404);
  assert.equal(await pageOf('/?paged=x'), await pageOf('/'));
  assert.equal(await pageOf('/category/news/page/3/'), [
    'News Archives - Page 3 - Test & Site',
    `${HOME}/category/news/page/3/`,
    `${HOME}/category/news/page/2/`,
    undefined,
    undefined,
  ]);
  assert.is(await pageOf('/author/author-slug/page/4/'), 404);
  assert.equal(await pageOf('/2024/03/page/2/'), [
    '2024-03 Archives - Page 2 - Test & Site',
    undefined,
    `${HOME}/2024/03/`,
    `${HOME}/2024/03/page/3/`,
    undefined,
  ]);
  assert.match(
    String((await ask('/page/2/'))['html']),
    `<link rel="prev" href="${HOME}/" />\n<link rel="next" href="${HOME}/page/3/" />`,
  );
});
found('a scheduled post once its date has passed', async () => {
  const site = await createSeoSite();
  await site.store.commit([
    { op: 'update', collection: 'posts', id: 113, values: { date_gmt: '2025-01-15T12:00:01' } },
  ]);
  const url = `GET /seo/v1/get_head?url=${HOME}/future-post/`;
  assert.is((await site.call(url, undefined, '')).status, 404);
  await site.store.commit([
    { op: 'update', collection: 'posts', id: 113, values: { date_gmt: '2025-01-15T12:00:00' } },
  ]);
  assert.is((await site.call(url, undefined, '')).status, 200);
});
found("the editor's fields", async () => {
  const site = await createSeoSite();
  await site.store.commit([
    {
      op: 'create',
      collection: 'seo_meta',
      values: {
        object_type: 'post',
        object_id: 101,
        title: 'Mine',
        canonical: 'https://canonical.example/',
        breadcrumb_title: 'Short',
      },
    },
  ]);
  const { body } = await site.call(`GET /seo/v1/get_head?url=${HOME}/alpha/`, undefined, '');
  const json = body['json'] as Json;
  assert.equal([json.title, json.canonical], ['Mine', 'https://canonical.example/']);
});
found('verification tags on the home page only', async () => {
  const settings = { verification: { 'site-verification': 'abc' } };
  assert.match(
    (await readHead(`${HOME}/`, settings)).html,
    '<meta name="site-verification" content="abc" />',
  );
  assert.not.match((await readHead(`${HOME}/alpha/`, settings)).html, 'site-verification');
});
found('only name and URL of a protected post', async () => {
  const { text, json } = await readHead(`${HOME}/secret/`);
  assert.not.match(text, /canary|picture|sesame|The editor|excerpt/);
  assert.equal(
    json.schema['@graph'].map((piece) => piece['@type']),
    ['WebPage', 'WebSite', 'Organization'],
  );
});
found.run();

const HIDDEN: readonly string[] = [
  `${HOME}/no-such-post/`,
  `${HOME}/alpha-fr/`,
  `${HOME}/a/b/`,
  `${HOME}/category/none/`,
  `${HOME}/author/administrator-slug/`,
  `${HOME}/author/none/`,
  `${HOME}/2023/`,
  `${HOME}/2024/13/`,
  `${HOME}/?p=999`,
  'https://other.example/en/alpha/',
  'http://site.test.other.example/en/alpha/',
  'http://user@site.test/en/alpha/',
  'ftp://site.test/en/alpha/',
  'javascript:alert(1)',
  'mailto:a@b.example',
  ...['draft', 'pending', 'private', 'future', 'trash', 'auto-draft'].map(
    (status) => `${HOME}/${status}-post/`,
  ),
  ...[110, 111, 112, 113, 114, 115].map((id) => `${HOME}/?p=${id}`),
];

const hidden = suite('get_head does not find');
for (const url of HIDDEN) {
  hidden(url, async () => {
    const site = await createSeoSite();
    for (const role of ['', 'administrator']) {
      const { status, body, text } = await site.call(
        `GET /seo/v1/get_head?url=${encodeURIComponent(url)}`,
        undefined,
        role,
      );
      const json = body['json'] as Json;
      assert.equal(
        [status, body['status'], json.title, json.robots['index'], json.canonical],
        [404, 404, 'Page not found - Test & Site', 'noindex', undefined],
      );
      assert.equal(
        json.schema['@graph'].map((piece) => piece['@type']),
        ['WebSite', 'Organization'],
      );
      assert.not.match(text, 'canary');
    }
  });
}
for (const url of ['', 'alpha', '/en/alpha/', '//site.test/en/alpha/']) {
  hidden(`"${url}" is not a URL`, async () => {
    const site = await createSeoSite();
    const { status, body } = await site.call(
      `GET /seo/v1/get_head?url=${encodeURIComponent(url)}`,
      undefined,
      '',
    );
    assert.equal([status, body['code']], [400, 'rest_invalid_param']);
  });
}
hidden('a missing URL', async () => {
  const site = await createSeoSite();
  const { status, body } = await site.call('GET /seo/v1/get_head', undefined, '');
  assert.equal([status, body['code']], [400, 'rest_missing_callback_param']);
});
hidden.run();
