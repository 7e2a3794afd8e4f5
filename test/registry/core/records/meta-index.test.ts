import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../../../adapters/memory-store.ts';
import type { Json } from '../../../../lib/schema/schema-dialect.ts';
import type { ContentDefinition } from '../../../../registry/core/model/content-type.ts';
import type { MetaDefinitions } from '../../../../registry/core/model/meta-key.ts';
import { indexFieldOf } from '../../../../registry/core/records/meta-values.ts';
import { findLostMeta, moveRenamedMeta } from '../../../../registry/core/records/sync-meta-index.ts';
import { createSite, collectionsOf, createContentModel } from '../../../../registry/index.ts';
import type { Fixture } from '../../../../registry/transfer/fixture/fixture.ts';
import { STORES } from '../../../support/store-factories.ts';
import { createWholeSite, type Answer, type WholeSite } from '../../../support/whole-site.ts';

const CONTENT: ContentDefinition = {
  types: [
    {
      name: 'book',
      base: 'books',
      supports: ['title', 'editor', 'revisions'],
      meta: {
        isbn: { type: 'string', indexed: true },
        pages: { type: 'integer', indexed: true, default: 1 },
        price: { type: 'number', indexed: true },
        used: { type: 'boolean', indexed: true },
        note: { type: 'string' },
      },
    },
  ],
};

const PRICES = [2.5, -10, 0, 1e9, -0.001, 10];

const FIXTURE = {
  site: { name: 'Library', timezone_string: 'UTC' },
  users: [{ id: 1, login: 'admin', name: 'Admin', slug: 'admin', role: 'administrator' }],
  books: PRICES.map((price, at) => ({
    id: 101 + at,
    author: 1,
    status: 'publish',
    slug: `b${at}`,
    title: `B${at}`,
    date: '2024-01-01T10:00:00',
    meta: {
      isbn: `97${at % 3}`,
      ...(at === 5 ? {} : { pages: at }),
      price,
      used: at % 2 === 0,
      note: 'n',
    } as Record<string, Json>,
  })),
} as unknown as Fixture;

const idsOf = ({ body }: Answer): readonly unknown[] =>
  (body as readonly { id: number }[]).map(({ id }) => id);
const collections = collectionsOf(createContentModel(CONTENT));

const LISTS: readonly (readonly [query: string, ids: readonly number[]])[] = [
  ['orderby=meta.price&order=asc', [102, 105, 103, 101, 106, 104]],
  ['orderby=meta.price&order=desc', [104, 106, 101, 103, 105, 102]],
  ['orderby=meta.pages&order=asc&per_page=2', [101, 102]],
  ['meta[isbn]=970&orderby=id&order=asc', [101, 104]],
  ['meta[isbn]=970,972&orderby=id&order=asc', [101, 103, 104, 106]],
  ['meta[pages]=1', [102]],
  ['meta[pages]=0', [101]],
  ['orderby=meta.pages&order=desc&per_page=5', [105, 104, 103, 106, 102]],
  ['meta[used]=true&orderby=id&order=asc', [101, 103, 105]],
  ['meta[price]=-10', [102]],
  ['meta[isbn]=970&meta[used]=false', [104]],
];

const lists = suite('lists by indexed meta');

for (const [name, open] of Object.entries(STORES)) {
  lists(`filter and sort on ${name}`, async () => {
    const { store, remove } = await open(collections);
    const site = await createWholeSite({ fixture: FIXTURE, content: CONTENT, store });
    for (const [query, ids] of LISTS)
      assert.equal(idsOf(await site.ask({ target: `/cms/v2/books?${query}` })), ids, query);
    await site.close();
    await remove();
  });
}

lists('follow a write, and refuse keys that are not indexed', async () => {
  const site = await createWholeSite({
    fixture: FIXTURE,
    content: CONTENT,
    store: createMemoryStore(collections),
  });
  await site.ask({
    method: 'PUT',
    target: '/cms/v2/books/101',
    as: 'admin',
    body: { meta: { isbn: '999', pages: null } },
  });
  assert.equal(idsOf(await site.ask({ target: '/cms/v2/books?meta[isbn]=999' })), [101]);
  assert.equal(
    idsOf(await site.ask({ target: '/cms/v2/books?meta[pages]=1&orderby=id&order=asc' })),
    [102],
    'null removes the value',
  );
  assert.is(
    (await site.ask({ target: '/cms/v2/books/101/revisions?orderby=meta.isbn', as: 'admin' })).status,
    400,
    'revisions have no index of meta',
  );
  for (const query of ['meta[note]=n', 'orderby=meta.note', 'meta[pages]=many'])
    assert.is((await site.ask({ target: `/cms/v2/books?${query}` })).status, 400, query);
  await site.close();
});

lists('refuse meta that is not an object without details, as WordPress does', async () => {
  const site = await createWholeSite({
    fixture: FIXTURE,
    content: CONTENT,
    store: createMemoryStore(collections),
  });
  for (const meta of ['x', 5, true, ['a']]) {
    const { status, body } = await site.ask({
      method: 'POST',
      target: '/cms/v2/books',
      as: 'admin',
      body: { title: 'B', meta },
    });
    assert.equal(
      [status, body],
      [
        400,
        {
          code: 'rest_invalid_param',
          message: 'Invalid parameter(s): meta',
          data: { status: 400, params: { meta: 'Invalid parameter.' }, details: {} },
        },
      ],
    );
  }
  await site.close();
});

lists('use an index of the store that has the field', () => {
  const posts = collections.find(({ name }) => name === 'posts');
  const field = indexFieldOf('book', { key: 'isbn', type: 'string' });
  assert.ok(posts?.indexes?.some((fields) => fields.at(-1) === field));
  assert.not.equal(
    indexFieldOf('book', { key: 'isbn', type: 'integer' }),
    field,
    'another type of value needs another field',
  );
});

lists.run();

const sync = suite('syncMetaIndex');

sync('fills the field of a key that becomes indexed later', async () => {
  const store = createMemoryStore(collections);
  const { price: _price, ...others } = CONTENT.types?.[0]?.meta ?? {};
  const plain: ContentDefinition = {
    types: [
      {
        ...(CONTENT.types?.[0] ?? { name: 'book', base: 'books' }),
        meta: Object.fromEntries(
          Object.entries(others).map(([key, { indexed: _indexed, ...definition }]) => [key, definition]),
        ),
      },
    ],
  };
  const before: WholeSite = await createWholeSite({ fixture: FIXTURE, content: plain, store });
  await before.ask({
    method: 'PUT',
    target: '/cms/v2/books/103',
    as: 'admin',
    body: { meta: { isbn: '555' } },
  });
  await before.close();
  const site = await createSite({ store, content: CONTENT, log: () => undefined });
  await site.close();
  const { records } = await store.find({
    collection: 'posts',
    where: { op: 'eq', field: indexFieldOf('book', { key: 'isbn', type: 'string' }), value: '555' },
  });
  assert.equal(
    records.map(({ id }) => id),
    [103],
  );
});

sync('refuses a store without the fields at start, and says how to make it', async () => {
  let message = '';
  try {
    await createSite({
      store: createMemoryStore(collectionsOf(createContentModel())),
      content: CONTENT,
      log: () => undefined,
    });
  } catch (error) {
    message = error instanceof TypeError ? error.message : '';
  }
  assert.match(message, 'createMemoryStore(collectionsOf(createContentModel(content), plugins))');
});

const renamed = suite('a meta key with `was`');

renamed('has the values of its former name, once', async () => {
  const toContent = (meta: MetaDefinitions) =>
    createContentModel({ types: [{ name: 'recipe', base: 'recipes', meta }] });
  const former = toContent({ serves: { type: 'integer' } });
  const now = toContent({ servings: { type: 'integer', was: 'serves', indexed: true } });
  const store = createMemoryStore(collectionsOf(now));
  assert.equal(await findLostMeta(store, former), []);
  const create = (slug: string, meta: Json) =>
    store.commit([
      { op: 'create', collection: 'posts', values: { type: 'recipe', language: 'en', slug, meta } },
    ]);
  const [[first], [second]] = [
    await create('a', { serves: 4 }),
    await create('b', { serves: 4, servings: 6 }),
  ];
  assert.equal(await findLostMeta(store, now), []);
  await moveRenamedMeta(store, now);
  const metaOf = async (id = 0) => (await store.get('posts', id))?.['meta'];
  assert.equal(await metaOf(first?.id), { servings: 4 });
  assert.equal(await metaOf(second?.id), { serves: 4, servings: 6 });
  const revision = await store.revision(['posts', 'options']);
  await moveRenamedMeta(store, now);
  assert.is(await store.revision(['posts', 'options']), revision);
  assert.throws(
    () => toContent({ serves: { type: 'integer' }, servings: { type: 'integer', was: 'serves' } }),
    'content.types[0].meta.servings.was: "recipe" still has the meta key "serves"',
  );
  const was = { type: 'integer', was: 'serves' } as const;
  assert.throws(
    () => toContent({ servings: was, portions: was }),
    'content.types[0].meta.portions.was: another meta key of "recipe" was "serves", too',
  );
});

renamed('is renamed back, and once more', async () => {
  const toContent = (key: string, was: string) =>
    createContentModel({
      types: [{ name: 'recipe', base: 'recipes', meta: { [key]: { type: 'integer', was } } }],
    });
  const there = toContent('servings', 'serves');
  const store = createMemoryStore(collectionsOf(there));
  const values = { type: 'recipe', language: 'en', slug: 'a', meta: { serves: 4 } };
  const [created] = await store.commit([{ op: 'create', collection: 'posts', values }]);
  for (const content of [there, toContent('serves', 'servings'), there]) {
    await moveRenamedMeta(store, content);
    const meta = (await store.get('posts', created?.id ?? 0))?.['meta'];
    assert.equal(meta, content === there ? { servings: 4 } : { serves: 4 });
  }
});

renamed.run();

sync.run();
