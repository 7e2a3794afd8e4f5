import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../../../adapters/memory-store.ts';
import type { ContentDefinition } from '../../../../registry/core/model/content-type.ts';
import { collectionsOf, createContentModel } from '../../../../registry/index.ts';
import { loadFixture, type Fixture } from '../../../../registry/transfer/fixture/fixture.ts';
import { checkStatus, createJob, createMlSite, deliverJob, ML_FIXTURE, readJob, toText } from './ml-site.ts';

const LIBRARY: ContentDefinition = {
  types: [
    {
      name: 'book',
      base: 'books',
      supports: ['title', 'editor', 'author', 'revisions', 'custom-fields', 'page-attributes'],
      hierarchical: true,
      taxonomies: ['genre'],
      capabilities: 'post',
      meta: {
        subtitle: { type: 'string', translation: 'translate' },
        isbn: { type: 'string', translation: 'copy', indexed: true },
        shelf: { type: 'string' },
      },
    },
  ],
  taxonomies: [{ name: 'genre', base: 'genres' }],
};

const { posts: _posts, ...SITE } = ML_FIXTURE;
const BOOKS = {
  ...SITE,
  genres: [
    { id: 31, name: 'Crime', slug: 'crime', group: 31 },
    { id: 32, name: 'Polar', slug: 'polar', group: 31, ml_language: 'fr' },
  ],
  books: [
    {
      id: 201,
      author: 2,
      status: 'publish',
      slug: 'series',
      title: 'Series',
      content: 'All',
      date: '2024-01-01T10:00:00',
      group: 900,
    },
    {
      id: 202,
      author: 2,
      status: 'publish',
      slug: 'serie',
      title: 'Serie',
      content: 'Tout',
      date: '2024-01-01T10:00:00',
      group: 900,
      ml_language: 'fr',
    },
    {
      id: 203,
      author: 2,
      status: 'publish',
      slug: 'volume',
      title: 'Volume',
      content: 'One',
      date: '2024-01-02T10:00:00',
      parent: 201,
      menu_order: 4,
      genres: [31],
      meta: { subtitle: 'A novel', isbn: '978', shelf: 'S1' },
    },
  ],
} as unknown as Fixture;

const books = suite('translation jobs of a type of ones own');

books('translate, copy and ignore meta as its keys say, and keep terms, parent and position', async () => {
  const content = createContentModel(LIBRARY);
  const store = createMemoryStore(collectionsOf(content));
  await loadFixture(store, BOOKS, { content: LIBRARY });
  const site = await createMlSite({ store, content }, null);
  const job = await createJob(site, 203);
  const fields = (await readJob(site, job))['fields'] as readonly { readonly id: string }[];
  assert.equal(
    fields.map(({ id }) => toText(id)),
    ['title', 'body', 'URL', 'field-subtitle-0'],
  );
  await deliverJob(site, job, { translate: (_id, source) => `${source} fr` });
  checkStatus(
    await site.ask('admin', 'POST /ml/tm/v1/tp/apply-translations', [{ id: job, type: 'post' }]),
    200,
  );
  const { records } = await store.find({
    collection: 'posts',
    where: { op: 'eq', field: 'title', value: 'Volume fr' },
  });
  assert.equal(
    records.map(({ type, language, parent, menu_order, terms, meta }) => ({
      type,
      language,
      parent,
      menu_order,
      terms,
      meta,
    })),
    [
      {
        type: 'book',
        language: 'fr',
        parent: 202,
        menu_order: 4,
        terms: [32],
        meta: { subtitle: 'A novel fr', isbn: '978' },
      },
    ],
  );
});

books.run();
