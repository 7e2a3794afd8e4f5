// The longest texts that each route stores. Without them, two subscribers made the list of users larger than a response.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { checkFixture, type Fixture } from '../../../../registry/index.ts';
import { createWholeSite, type Answer, type WholeSite } from '../../../support/whole-site.ts';

const fixture: Fixture = {
  site: { name: 'Bounds', timezone_string: 'UTC', default_category: 1 },
  users: [
    { id: 1, login: 'admin', role: 'administrator', name: 'Ada', slug: 'admin', email: 'a@site.test' },
    { id: 2, login: 'sub', role: 'subscriber', name: 'Sub', slug: 'sub', email: 's@site.test' },
  ],
  categories: [{ id: 1, name: 'All', slug: 'all' }],
  media: [
    {
      id: 40,
      title: 'File',
      slug: 'file',
      file: '2024/01/a.png',
      mime_type: 'image/png',
      date: '2024-01-01T00:00:00',
      author: 1,
    },
  ],
  posts: [{ id: 101, author: 1, status: 'publish', slug: 'a', title: 'A', date: '2024-01-01T00:00:00' }],
};

async function withSite(run: (site: WholeSite) => Promise<void>): Promise<void> {
  const site = await createWholeSite({ fixture, content: 'core' });
  try {
    await run(site);
  } finally {
    await site.close();
  }
}

/** Sends as the administrator. */
const send = (site: WholeSite, target: string, body: object): Promise<Answer> =>
  site.ask({ method: 'POST', target, as: 'admin', body });
const paramsOf = ({ body }: Answer): unknown =>
  (body as { readonly data?: { readonly params?: unknown } } | null)?.data?.params;
/** A text of this length that begins and ends with what the field needs. */
const text = (length: number, start = '', end = ''): string =>
  start + 'x'.repeat(length - start.length - end.length) + end;

/** Route, what it needs beside the text, parameter, most characters, and how the text begins and ends. */
const ROWS: readonly (readonly [
  target: string,
  others: object,
  param: string,
  most: number,
  start?: string,
  end?: string,
])[] = [
  ['/cms/v2/posts', {}, 'title', 65_535],
  ['/cms/v2/posts/101', {}, 'title', 65_535],
  ['/cms/v2/posts/101', {}, 'excerpt', 65_535],
  ['/cms/v2/posts/101', {}, 'password', 255],
  ['/cms/v2/pages', {}, 'title', 65_535],
  ['/cms/v2/posts/101/autosaves', {}, 'title', 65_535],
  ['/cms/v2/posts/101/autosaves', {}, 'excerpt', 65_535],
  ['/cms/v2/categories/1', {}, 'name', 200],
  ['/cms/v2/categories/1', {}, 'description', 65_525],
  ['/cms/v2/tags', {}, 'name', 200],
  ...['name', 'first_name', 'last_name', 'nickname'].map(
    (name) => ['/cms/v2/users/me', {}, name, 250] as const,
  ),
  ['/cms/v2/users/2', {}, 'description', 10_000],
  ['/cms/v2/users/2', {}, 'url', 100, 'https://x.test/'],
  ['/cms/v2/users/2', {}, 'email', 100, 'a@', '.test'],
  ['/cms/v2/users/2', {}, 'slug', 50],
  ['/cms/v2/users/me/application-passwords', {}, 'name', 250],
  ...['title', 'caption', 'description', 'alt_text'].map(
    (name) => ['/cms/v2/media/40', {}, name, 65_535] as const,
  ),
  ['/cms/v2/settings', {}, 'title', 1000],
  ['/cms/v2/settings', {}, 'date_format', 1000],
];

const bounds = suite('longest texts of routes');

for (const [target, others, param, most, start, end] of ROWS) {
  bounds(`${target} ${param}: ${most} characters`, () =>
    withSite(async (site) => {
      const over = await send(site, target, { ...others, [param]: text(most + 1, start, end) });
      assert.equal(
        [over.status, paramsOf(over)],
        [400, { [param]: `${param} must be at most ${most} characters long.` }],
      );
      const full = await send(site, target, { ...others, [param]: text(most, start, end) });
      assert.ok(full.status < 300, `${full.status} ${full.text.slice(0, 300)}`);
    }),
  );
}

bounds('of a new user', () =>
  withSite(async (site) => {
    const user = { username: 'long', email: 'l@site.test', password: 'passpass' };
    const over = await send(site, '/cms/v2/users', {
      ...user,
      name: text(251),
      email: text(101, 'l@', '.test'),
      slug: text(51),
    });
    assert.equal(Object.keys(paramsOf(over) as object).toSorted(), ['email', 'name', 'slug']);
    const named = await send(site, '/cms/v2/users', { ...user, first_name: text(250), last_name: text(250) });
    assert.equal([named.status, (named.body as { readonly name: string }).name], [201, text(250)]);
  }),
);

bounds('slugs are cut, as in WordPress', () =>
  withSite(async (site) => {
    const slug = ({ body }: Answer): number => String((body as { readonly slug: string }).slug).length;
    assert.is(slug(await send(site, '/cms/v2/posts/101', { slug: text(500) })), 200);
    assert.is(slug(await send(site, '/cms/v2/categories', { name: 'B', slug: text(500) })), 200);
  }),
);

bounds('a name counts as it is stored', () =>
  withSite(async (site) => {
    assert.is((await send(site, '/cms/v2/tags', { name: '&'.repeat(40) })).status, 201);
    assert.is((await send(site, '/cms/v2/tags', { name: '&'.repeat(41) })).status, 400);
  }),
);

bounds('a record that exceeds a bound is read, and changed in its other fields', () =>
  withSite(async (site) => {
    const long = { name: text(300), first_name: text(300) };
    await site.store.commit([
      { op: 'update', collection: 'users', id: 2, values: long },
      { op: 'update', collection: 'posts', id: 101, values: { title: text(70_000), password: text(300) } },
      { op: 'update', collection: 'terms', id: 1, values: { name: text(300) } },
      { op: 'update', collection: 'media', id: 40, values: { title: text(70_000) } },
    ]);
    const rows = [
      ['/cms/v2/users/2', { description: 'A' }],
      ['/cms/v2/posts/101', { excerpt: 'A' }],
      ['/cms/v2/categories/1', { description: 'A' }],
      ['/cms/v2/media/40', { alt_text: 'A' }],
    ] as const;
    for (const [target, change] of rows) assert.is((await send(site, target, change)).status, 200, target);
    // A client that sends back what it read changes nothing.
    assert.is((await send(site, '/cms/v2/users/2', { ...long, description: 'B' })).status, 200);
    assert.is((await send(site, '/cms/v2/users/2', { name: text(301) })).status, 400);
  }),
);

bounds('two subscribers, ten excerpts and ten passwords leave every list readable', () =>
  withSite(async (site) => {
    const huge = { description: text(900_000), first_name: text(900_000), name: text(900_000) };
    for (const [name, value] of Object.entries(huge))
      assert.is(
        (await site.ask({ method: 'POST', target: '/cms/v2/users/me', as: 'sub', body: { [name]: value } }))
          .status,
        400,
      );
    for (let n = 0; n < 10; n += 1) {
      assert.is(
        (await send(site, '/cms/v2/posts', { title: `P${n}`, status: 'publish', excerpt: text(900_000) }))
          .status,
        400,
      );
      assert.is(
        (await send(site, '/cms/v2/posts', { title: `P${n}`, status: 'publish', excerpt: text(65_535) }))
          .status,
        201,
      );
      assert.is(
        (await send(site, '/cms/v2/users/me/application-passwords', { name: text(900_000) })).status,
        400,
      );
    }
    for (const target of [
      '/cms/v2/users?context=edit',
      '/cms/v2/posts',
      '/cms/v2/users/me/application-passwords',
    ])
      assert.is((await site.ask({ target, as: 'admin' })).status, 200, target);
  }),
);

bounds.run();

const given = suite('longest texts of fixtures');

const changed = (list: 'users' | 'media' | 'posts' | 'categories', row: object): object => ({
  ...fixture,
  [list]: [{ ...fixture[list]?.[0], ...row }],
});

/** The changed fixture, and what is said of it. */
const FAULTS: readonly (readonly [document: object, says: RegExp])[] = [
  [changed('users', { name: text(251) }), /users\[0\]\.name: .* is not a text of at most 250 characters/],
  [changed('users', { login: text(61) }), /users\[0\]\.login: .* at most 60/],
  [changed('posts', { title: text(65_536) }), /posts\[0\]\.title: .* at most 65535/],
  [changed('posts', { password: text(256) }), /posts\[0\]\.password: the value is not .* at most 255/],
  [changed('categories', { name: text(201) }), /categories\[0\]\.name: .* at most 200/],
  [changed('media', { alt_text: text(65_536) }), /media\[0\]\.alt_text: .* at most 65535/],
  [{ ...fixture, settings: { title: text(1001) } }, /settings\.title: .* at most 1000/],
  [{ ...fixture, site: { name: text(1001) } }, /site\.name: .* at most 1000/],
  [
    changed('media', { file: 'x.php' }),
    /media\[0\]\.file: "x\.php" is not the path of a file that can be uploaded/,
  ],
  [changed('media', { file: 'evil.html' }), /media\[0\]\.file/],
  [changed('media', { file: '../a.png' }), /media\[0\]\.file/],
];

for (const [document, says] of FAULTS)
  given(`refuses ${says.source}`, () => assert.throws(() => checkFixture(document), says));
given('takes the longest ones', () =>
  checkFixture({
    ...changed('users', { name: text(250), login: text(60) }),
    posts: [{ ...fixture.posts?.[0], title: text(65_535) }],
  }),
);

given.run();
