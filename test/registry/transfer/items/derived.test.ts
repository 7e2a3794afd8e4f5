import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../../../adapters/memory-store.ts';
import { createRequest } from '../../../../lib/index.ts';
import type { CollectionDescriptor } from '../../../../lib/store/collection.ts';
import type { Store } from '../../../../lib/store/store.ts';
import { indexFieldOf } from '../../../../registry/core/records/meta-values.ts';
import {
  collectionsOf,
  type ContentDefinition,
  createContentModel,
  createSite,
  type Fixture,
  loadFixture,
} from '../../../../registry/index.ts';
import { importItems } from '../../../../registry/transfer/import-items.ts';
import { exportItems } from '../../../../registry/transfer/items/export-items.ts';
import { readNdjson, writeNdjson } from '../../../../registry/transfer/items/ndjson.ts';
import { findDangling } from '../../../../registry/transfer/plan/references.ts';
import { inChunks } from '../../../support/transfer.ts';

const PLAIN: ContentDefinition = { core: true };
const BOOKS: ContentDefinition = {
  core: true,
  types: [
    { name: 'book', base: 'books', supports: ['title'], meta: { isbn: { type: 'string', indexed: true } } },
  ],
};
const BOOK = { id: 5, status: 'publish', title: 'Dune', date: '2024-01-01T10:00:00', meta: { isbn: '970' } };
const FIELD = indexFieldOf('book', { key: 'isbn', type: 'string' });

const openMemory = (content: ContentDefinition): Store =>
  createMemoryStore(collectionsOf(createContentModel(content)));

async function toText(store: Store, content: ContentDefinition): Promise<string> {
  let text = '';
  for await (const line of writeNdjson(
    exportItems(store, { collections: collectionsOf(createContentModel(content)), everything: true }),
  ))
    text += line;
  return text;
}

const importText = (store: Store, text: string, definition: ContentDefinition) => {
  const content = createContentModel(definition);
  return importItems(
    { name: 'copy', found: readNdjson(inChunks(text)), keepsIds: true },
    { store, content, collections: collectionsOf(content) },
  );
};

const toFile = (...records: readonly object[]): string =>
  [{ routebook: 'export', version: 1 }, ...records, { end: records.length }]
    .map((line) => JSON.stringify(line))
    .join('\n');

/** An export of a version that wrote what is computed. */
const OLD = toFile(
  { collection: 'options', id: 1, values: { group: 'content', key: 'indexed', value: [FIELD] } },
  {
    collection: 'posts',
    id: 5,
    values: {
      type: 'book',
      language: 'en',
      status: 'publish',
      title: 'Dune',
      slug: 'dune',
      date: BOOK.date,
      date_gmt: BOOK.date,
      meta: { isbn: '970' },
      [FIELD]: '970',
    },
  },
);

/** The ids of the books that the index of a site finds. */
async function findBooks(store: Store): Promise<readonly number[]> {
  const site = await createSite({ store, content: BOOKS, log: () => undefined });
  const { body } = await site.engine.serve(createRequest('/cms/v2/books?meta[isbn]=970'));
  await site.close();
  return (JSON.parse(String(body)) as readonly { readonly id: number }[]).map(({ id }) => id);
}

const test = suite('what a site computes is not transferred');

test('an export has neither the fields of indexed keys nor the list of them', async () => {
  const store = openMemory(BOOKS);
  await loadFixture(store, { site: {}, books: [BOOK] } as unknown as Fixture, { content: BOOKS });
  await (await createSite({ store, content: BOOKS, log: () => undefined })).close();
  const text = await toText(store, BOOKS);
  assert.match(text, /"isbn":"970"/);
  assert.not.match(text, /meta_isbn|"indexed"/);
});

for (const [name, content] of [
  ['does not have', PLAIN],
  ['has', BOOKS],
] as const) {
  test(`an older export is imported into a site that ${name} the type, and the index is filled`, async () => {
    const store = createMemoryStore(collectionsOf(createContentModel(BOOKS)));
    const { created, leftOut } = await importText(store, OLD, content);
    assert.equal([leftOut, created], [[], { posts: 1 }]);
    assert.equal(await findBooks(store), [5]);
  });
}

test('an import with another configuration has the next start fill the index again', async () => {
  const store = openMemory(BOOKS);
  assert.equal(await findBooks(store), []);
  await importText(store, OLD, PLAIN);
  assert.equal(await findBooks(store), [5]);
});

test('collections of plugins are carried, with the ids that the records get which they refer to; transient ones are not', async () => {
  const content = createContentModel(PLAIN);
  const collections: readonly CollectionDescriptor[] = [
    ...collectionsOf(content),
    {
      name: 'notes',
      fields: {
        post: { type: 'integer', references: 'posts' },
        more: { type: 'integers', references: 'posts' },
        next: { type: 'integer', references: 'notes' },
      },
    },
    { name: 'marks', fields: { at: { type: 'integer' } }, transient: true },
  ];
  const post = {
    type: 'post',
    language: 'en',
    status: 'publish',
    title: 'A',
    content: '',
    date_gmt: BOOK.date,
  };
  const file = toFile(
    { collection: 'posts', id: 5, values: { ...post, slug: 'a' } },
    { collection: 'notes', id: 7, values: { post: 5, more: [5, 6], next: 8 } },
    { collection: 'notes', id: 8, values: { post: 0, more: [], next: 0 } },
    { collection: 'posts', id: 6, values: { ...post, slug: 'b' } },
    { collection: 'marks', id: 1, values: { at: 9 } },
    {
      collection: 'change_readers',
      id: 1,
      values: { name: 'x', positions: { posts: 99 }, holder: '', expires: 0 },
    },
  );
  const store = createMemoryStore(collections);
  await store.commit(
    [5, 6].map((id) => ({
      op: 'create',
      collection: 'posts',
      values: { ...post, id, slug: `own-${id}`, title: 'Own' },
    })),
  );
  await store.commit([{ op: 'create', collection: 'notes', values: { id: 7, post: 6, more: [], next: 0 } }]);
  const source = { name: 'copy', found: readNdjson(inChunks(file)), keepsIds: true };
  const { leftOut } = await importItems(source, { store, content, collections });
  assert.equal(
    leftOut.map(({ what }) => what),
    ['marks', 'change_readers'],
  );
  const { records } = await store.find({ collection: 'posts', order: [{ field: 'id', direction: 'asc' }] });
  const [first, second] = ['a', 'b'].map((slug) => records.find((each) => each['slug'] === slug)?.id);
  const lines: string[] = [];
  for await (const { collection, values } of exportItems(store, { collections, everything: true }))
    if (!['posts', 'options'].includes(collection)) lines.push(JSON.stringify([collection, values]));
  assert.equal(lines, [
    '["notes",{"post":6,"more":[],"next":0}]',
    `["notes",{"post":${first},"more":[${first},${second}],"next":9}]`,
    '["notes",{"post":0,"more":[],"next":0}]',
  ]);
  const missing = await findDangling(
    exportItems(store, { collections, everything: true, types: ['notes'] }),
    collections,
  );
  assert.equal(
    missing.map(({ field }) => field),
    ['post', 'post', 'more', 'more'],
  );
});

test.run();
