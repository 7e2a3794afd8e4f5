import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../../../adapters/memory-store.ts';
import type { ContentDefinition } from '../../../../registry/core/model/content-type.ts';
import { collectionsOf, createContentModel } from '../../../../registry/index.ts';
import type { Fixture } from '../../../../registry/transfer/fixture/fixture.ts';
import { createWholeSite, type Answer, type WholeSite } from '../../../support/whole-site.ts';

/** Ten lines: all that a site needs for a type of its own. */
const LIBRARY: ContentDefinition = {
  types: [
    {
      name: 'book',
      base: 'books',
      labels: { name: 'Books', singular: 'Book' },
      supports: ['title', 'editor', 'excerpt', 'author', 'thumbnail', 'revisions', 'custom-fields'],
      taxonomies: ['genre'],
      meta: { isbn: { type: 'string', maxLength: 13 }, pages: { type: 'integer', default: 1 } },
    },
  ],
  taxonomies: [
    { name: 'genre', base: 'genres', hierarchical: true },
    { name: 'shelf', base: 'shelves', types: ['book'] },
  ],
};

const USERS = [
  { id: 1, login: 'admin', name: 'Admin', slug: 'admin', role: 'administrator' },
  { id: 2, login: 'editor', name: 'Editor', slug: 'editor', role: 'editor' },
  { id: 3, login: 'author', name: 'Author', slug: 'author', role: 'author' },
] as const;

const FIXTURE = {
  site: { name: 'Library', timezone_string: 'UTC', default_category: 1 },
  users: USERS,
  registered: LIBRARY,
  categories: [{ id: 1, name: 'News', slug: 'news' }],
  genres: [
    { id: 11, name: 'Fiction', slug: 'fiction' },
    { id: 12, name: 'Crime', slug: 'crime', parent: 11 },
  ],
  shelves: [{ id: 21, name: 'Top', slug: 'top' }],
  books: [
    {
      id: 101,
      author: 3,
      status: 'publish',
      slug: 'dune',
      title: 'Dune',
      content: 'Sand',
      date: '2024-01-01T10:00:00',
      genres: [11],
      shelves: [21],
      meta: { isbn: '978' },
    },
    { id: 102, author: 3, status: 'draft', slug: '', title: 'Draft', date: '2024-01-02T10:00:00' },
  ],
  posts: [
    {
      id: 201,
      author: 1,
      status: 'publish',
      slug: 'dune',
      title: 'A post about Dune',
      date: '2024-01-03T10:00:00',
      categories: [1],
    },
  ],
  pages: [
    { id: 301, author: 1, status: 'publish', slug: 'about', title: 'About', date: '2024-01-04T10:00:00' },
    {
      id: 302,
      author: 1,
      status: 'publish',
      slug: 'team',
      title: 'Team',
      date: '2024-01-05T10:00:00',
      parent: 301,
    },
    {
      id: 303,
      author: 1,
      status: 'publish',
      slug: 'team',
      title: 'Another team',
      date: '2024-01-06T10:00:00',
    },
  ],
} as unknown as Fixture;

const openSite = (content: ContentDefinition): Promise<WholeSite> =>
  createWholeSite({
    fixture: FIXTURE,
    content,
    store: createMemoryStore(collectionsOf(createContentModel(content))),
  });

type Members = Readonly<Record<string, unknown>>;
const bodyOf = (answer: Answer): Members => answer.body as Members;
const listOf = (answer: Answer): readonly Members[] => answer.body as readonly Members[];

const own = suite('a type of ones own');

own(
  'is listed, read, created, changed and removed beside posts, on a site that serves nothing else of the core',
  async () => {
    const site = await openSite(LIBRARY);
    const list = await site.ask({ target: '/cms/v2/books' });
    assert.equal(
      listOf(list).map(({ id, type, genres, shelves, meta }) => [id, type, genres, shelves, meta]),
      [[101, 'book', [11], [21], { isbn: '978', pages: 1, footnotes: '' }]],
    );
    assert.is((await site.ask({ target: '/cms/v2/posts/101' })).status, 404);
    assert.is((await site.ask({ target: '/cms/v2/books/201' })).status, 404);
    assert.is((await site.ask({ target: '/cms/v2/pages' })).status, 404);
    const made = await site.ask({
      method: 'POST',
      target: '/cms/v2/books',
      as: 'author',
      body: { title: 'Dune', status: 'publish', genres: [12, 99, 21], meta: { isbn: '979' } },
    });
    assert.equal(
      [made.status, bodyOf(made)['slug'], bodyOf(made)['link'], bodyOf(made)['genres']],
      [201, 'dune-2', 'http://site.test/en/book/dune-2/', [12]],
    );
    const id = Number(bodyOf(made)['id']);
    const changed = await site.ask({
      method: 'PUT',
      target: `/cms/v2/books/${id}`,
      as: 'author',
      body: { shelves: [21], content: 'New' },
    });
    assert.equal(
      [bodyOf(changed)['genres'], bodyOf(changed)['shelves']],
      [[12], [21]],
      'taxonomies share a field but not their terms',
    );
    assert.is(listOf(await site.ask({ target: `/cms/v2/books/${id}/revisions`, as: 'author' })).length, 1);
    assert.is(
      (await site.ask({ method: 'DELETE', target: `/cms/v2/books/${id}?force=true`, as: 'author' })).status,
      200,
    );
    assert.is((await site.ask({ target: `/cms/v2/books/${id}`, as: 'author' })).status, 404);
    await site.close();
  },
);

own('is filtered by its taxonomies, each by its own terms alone', async () => {
  const site = await openSite(LIBRARY);
  for (const [query, ids] of [
    ['genres=11', [101]],
    ['genres=12', []],
    ['shelves=21', [101]],
    ['genres=21', []],
    ['genres_exclude=11', []],
    ['genres[terms]=11&genres[include_children]=true', [101]],
    ['categories=1', [101]],
  ] as const) {
    assert.equal(
      listOf(await site.ask({ target: `/cms/v2/books?${query}` })).map(({ id }) => id),
      ids,
      query,
    );
  }
  await site.close();
});

own('is in index and OPTIONS with its own fields', async () => {
  const site = await openSite(LIBRARY);
  const index = bodyOf(await site.ask({ target: '/cms/v2' }))['routes'] as Members;
  assert.equal(
    Object.keys(index).filter((path) => path.startsWith('/cms/v2/books')),
    [
      '/cms/v2/books',
      '/cms/v2/books/(?P<id>[\\d]+)',
      '/cms/v2/books/(?P<parent>[\\d]+)/revisions',
      '/cms/v2/books/(?P<parent>[\\d]+)/revisions/(?P<id>[\\d]+)',
      '/cms/v2/books/(?P<id>[\\d]+)/autosaves',
    ],
  );
  const { schema } = bodyOf(await site.ask({ method: 'OPTIONS', target: '/cms/v2/books' })) as {
    schema: { title: string; properties: Members };
  };
  assert.is(schema.title, 'book');
  assert.ok(['genres', 'shelves', 'meta', 'excerpt'].every((name) => name in schema.properties));
  assert.ok(
    ['categories', 'tags', 'sticky', 'format', 'parent', 'menu_order', 'comment_status'].every(
      (name) => !(name in schema.properties),
    ),
  );
  await site.close();
});

own('stays in the store without its declaration, is not served then, and comes back with it', async () => {
  const first = await openSite(LIBRARY);
  const without = await createWholeSite({
    fixture: { site: { name: 'Empty' } },
    store: createMemoryStore(collectionsOf(createContentModel(LIBRARY))),
  });
  const { records } = await first.store.find({ collection: 'posts' });
  await without.store.commit(
    records.map(({ id, version: _version, ...values }) => ({
      op: 'create',
      collection: 'posts',
      values: { ...values, id },
    })),
  );
  assert.is((await without.ask({ target: '/cms/v2/books' })).status, 404);
  assert.is((await without.ask({ target: '/cms/v2/posts/101', as: 'admin' })).status, 404);
  assert.equal(
    listOf(await without.ask({ target: '/cms/v2/posts' })).map(({ id }) => id),
    [201],
  );
  await first.close();
  await without.close();
});

own('that would break the parameters of records is refused at start by name', async () => {
  const store = createMemoryStore(collectionsOf(createContentModel()));
  const start = createWholeSite({
    fixture: { site: { name: 'x' } },
    store,
    content: {
      types: [{ name: 'book', base: 'books', taxonomies: ['w'] }],
      taxonomies: [{ name: 'w', base: 'author' }],
    },
  });
  let refusal = '';
  try {
    await start;
  } catch (error) {
    refusal = error instanceof TypeError ? error.message : '';
  }
  assert.match(refusal, 'the taxonomy with the base "author": records of type "book" have another field');
});

own('needs its own capabilities if it declares some', async () => {
  const content: ContentDefinition = {
    types: [
      {
        name: 'memo',
        base: 'memos',
        capabilities: {
          edit_posts: 'manage_options',
          create_posts: 'manage_options',
          edit_others_posts: 'manage_options',
        },
      },
    ],
  };
  const site = await openSite({ ...LIBRARY, types: [...(LIBRARY.types ?? []), ...(content.types ?? [])] });
  const create = (as: string): Promise<Answer> =>
    site.ask({ method: 'POST', target: '/cms/v2/memos', as, body: { title: 'Secret' } });
  assert.equal(
    [(await create('author')).status, (await create('editor')).status, (await create('admin')).status],
    [403, 403, 201],
  );
  await site.close();
});

own.run();

const pages = suite('pages');

pages(
  'have the slugs of their ancestors in their address, and slugs that are unique below one parent',
  async () => {
    const site = await openSite({ ...LIBRARY, core: true });
    const links = listOf(await site.ask({ target: '/cms/v2/pages?orderby=id&order=asc' })).map(
      ({ link }) => link,
    );
    assert.equal(links, [
      'http://site.test/en/about/',
      'http://site.test/en/about/team/',
      'http://site.test/en/team/',
    ]);
    const moved = await site.ask({
      method: 'PUT',
      target: '/cms/v2/pages/303',
      as: 'editor',
      body: { parent: 301 },
    });
    assert.equal(
      [bodyOf(moved)['slug'], bodyOf(moved)['link']],
      ['team-2', 'http://site.test/en/about/team-2/'],
    );
    await site.ask({ method: 'PUT', target: '/cms/v2/pages/301', as: 'editor', body: { slug: 'us' } });
    assert.is(
      bodyOf(await site.ask({ target: '/cms/v2/pages/302' }))['link'],
      'http://site.test/en/us/team/',
      'also for a cached response',
    );
    await site.close();
  },
);

pages('move up when their parent is deleted, with another slug if theirs is taken there', async () => {
  const site = await openSite({ ...LIBRARY, core: true });
  assert.is(
    (await site.ask({ method: 'DELETE', target: '/cms/v2/pages/301?force=true', as: 'editor' })).status,
    200,
  );
  const { parent, slug } = bodyOf(await site.ask({ target: '/cms/v2/pages/302' }));
  assert.equal([parent, slug], [0, 'team-2']);
  await site.close();
});

pages('cannot be edited with the rights on posts alone', async () => {
  const site = await openSite({ ...LIBRARY, core: true });
  const statusOf = async (as: string): Promise<number> =>
    (await site.ask({ method: 'PUT', target: '/cms/v2/pages/302', as, body: { title: 'New' } })).status;
  assert.equal([await statusOf('author'), await statusOf('editor')], [403, 200]);
  await site.close();
});

pages.run();
