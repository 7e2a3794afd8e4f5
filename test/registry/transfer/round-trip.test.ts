import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../../adapters/memory-store.ts';
import { eq } from '../../../lib/store/query.ts';
import type { Store } from '../../../lib/store/store.ts';
import { readOptions } from '../../../registry/core/settings/options.ts';
import {
  checkFixture,
  collectionsOf,
  createContentModel,
  createSite,
  type Fixture,
  loadFixture,
} from '../../../registry/index.ts';
import { readFixtureItems } from '../../../registry/transfer/fixture/fixture.ts';
import { writeFixture } from '../../../registry/transfer/fixture/write-fixture.ts';
import { importItems } from '../../../registry/transfer/import-items.ts';
import { exportItems, openExport, readExportedSite } from '../../../registry/transfer/items/export-items.ts';
import { readNdjson, writeNdjson } from '../../../registry/transfer/items/ndjson.ts';
import { coreContent, coreFixture } from '../../conformance/core-run.ts';
import { findPostgres, skipPostgres } from '../../support/postgres.ts';
import { openPostgres, type OpenStore, STORES } from '../../support/store-factories.ts';
import { inChunks, toContext } from '../../support/transfer.ts';

const content = createContentModel(coreContent);
const collections = collectionsOf(content);

async function toText(store: Store): Promise<string> {
  let text = '';
  for await (const line of writeNdjson(exportItems(store, { collections }))) text += line;
  return text;
}

const importText = (store: Store, text: string) =>
  importItems(
    { name: 'copy', found: readNdjson(inChunks(text, 1000)), keepsIds: true },
    { store, content, collections },
  );

/** The lines of an export without the ids of options, which nothing refers to. */
const withoutOptionIds = (text: string): readonly string[] =>
  text.split('\n').map((line) => line.replace(/^(\{"collection":"options","id":)\d+/, '$1'));

/** Fills a store with the recorded site, and with records that refer to nothing. */
async function fill(store: Store): Promise<void> {
  await loadFixture(store, coreFixture);
  const site = await createSite({ store, content: coreContent, log: () => undefined });
  await site.close();
  await store.commit([
    {
      op: 'create',
      collection: 'posts',
      values: {
        type: 'post',
        language: 'en',
        title: 'Dangling \u2028 \u{1F600} ]]>',
        author: 999,
        parent: 888,
        featured_media: 777,
        categories: [666],
        status: 'draft',
      },
    },
    { op: 'create', collection: 'seo_meta', values: { object_type: 'post', object_id: 101, title: 'T' } },
    { op: 'update', collection: 'posts', id: 101, values: { title: 'Changed' } },
    { op: 'create', collection: 'locks', values: { name: 'x', key: 'y', expires: 1 } },
  ]);
}

const server = await findPostgres({ fsync: false });
const stores: readonly (readonly [string, OpenStore])[] = [
  ...Object.entries(STORES),
  ...(server === null
    ? []
    : [['PostgreSQL', (wanted) => openPostgres(server.url, wanted)] satisfies readonly [string, OpenStore]]),
];
if (server === null) skipPostgres('export and import between PostgreSQL and the other stores');

const test = suite('export and import');

for (const [from, openFrom] of stores) {
  for (const [to, openTo] of stores) {
    test(`${from} to ${to}: the copy is identical`, async () => {
      const [source, target] = [await openFrom(collections), await openTo(collections)];
      try {
        await fill(source.store);
        const text = await toText(source.store);
        assert.ok(text.length > 50_000);
        const report = await importText(target.store, text);
        assert.equal(
          report.leftOut.map(({ what }) => what).filter((what) => !/ of /.test(what)),
          [],
        );
        assert.equal(withoutOptionIds(await toText(target.store)), withoutOptionIds(text));
        assert.equal((await importText(target.store, text)).created, {});
      } finally {
        await source.remove();
        await target.remove();
      }
    });
  }
}

for (const [name, open] of stores) {
  test(`${name}: an export is one state, whatever is written meanwhile`, async () => {
    const { store, remove } = await open(collections);
    try {
      await store.commit(
        Array.from({ length: 100 }, (_each, index) => ({
          op: 'create' as const,
          collection: 'posts',
          values: { title: `Post ${index}`, type: 'post' },
        })),
      );
      const titles: unknown[] = [];
      for await (const { collection, values } of exportItems(store, { collections })) {
        if (collection !== 'posts') continue;
        if (titles.length === 0) {
          await store.commit([
            { op: 'remove', collection: 'posts', id: 90 },
            { op: 'update', collection: 'posts', id: 91, values: { title: 'New' } },
            { op: 'create', collection: 'posts', values: { title: 'Added' } },
          ]);
        }
        titles.push(values['title']);
      }
      assert.equal(
        titles,
        Array.from({ length: 100 }, (_each, index) => `Post ${index}`),
      );
    } finally {
      await remove();
    }
  });
}

test('a fixture is imported as it would be loaded, and only once', async () => {
  const [loaded, imported] = [
    await (STORES['memory'] as OpenStore)(collections),
    await (STORES['memory'] as OpenStore)(collections),
  ];
  const read = () => ({
    name: 'fixture',
    found: readFixtureItems(inChunks(JSON.stringify(coreFixture)), toContext(content)),
    keepsIds: true,
  });
  try {
    await loadFixture(loaded.store, coreFixture);
    assert.equal(
      (await importItems(read(), { store: imported.store, content, collections })).created['posts'],
      67,
    );
    const lines = async (store: Store): Promise<readonly string[]> =>
      withoutOptionIds(await toText(store))
        .map((line) =>
          line.replace(/"hash":"[^"]*"/, '').replace(/^(\{"collection":"post_history","id":)\d+/, '$1'),
        )
        .sort();
    assert.equal(await lines(imported.store), await lines(loaded.store));
    assert.equal((await importItems(read(), { store: imported.store, content, collections })).created, {});
  } finally {
    await loaded.remove();
    await imported.remove();
  }
});

test('settings and SEO records follow ids that are new in the store', async () => {
  const { store, remove } = await (STORES['memory'] as OpenStore)(collections);
  try {
    const post = (title: string, more: object = {}) => ({
      type: 'page',
      language: 'en',
      status: 'publish',
      slug: title.toLowerCase(),
      title,
      date: '2020-01-01T00:00:00',
      date_gmt: '2020-01-01T00:00:00',
      ...more,
    });
    await store.commit([
      { op: 'create', collection: 'posts', values: post('Mine', { id: 1 }) },
      { op: 'create', collection: 'media', values: { id: 1, file: 'mine.png' } },
    ]);
    const records = [
      ['options', 1, { group: 'site', key: 'page_on_front', value: { en: 1, fr: 2 } }],
      ['options', 2, { group: 'site', key: 'page_for_posts', value: 2 }],
      ['options', 3, { group: 'site', key: 'site_logo', value: 1 }],
      ['options', 4, { group: 'site', key: 'posts_per_page', value: 1 }],
      ['media', 1, { file: 'theirs.png' }],
      ['posts', 1, post('Front')],
      ['posts', 2, post('News')],
      ['seo_meta', 1, { object_type: 'post', object_id: 1, title: 'T' }],
      ['seo_indexables', 1, { key: 'post:1', object_type: 'post', object_id: 1 }],
    ].map(([collection, id, values]) => JSON.stringify({ collection, id, values }));
    const text = [
      '{"routebook":"export","version":1}',
      ...records,
      JSON.stringify({ end: records.length }),
    ].join('\n');
    for (const _run of ['first', 'second']) {
      assert.equal((await importText(store, text)).leftOut, []);
      const ids = new Map(
        (await store.find({ collection: 'posts' })).records.map(({ id, title }) => [title, id]),
      );
      const [front, news] = [ids.get('Front'), ids.get('News')];
      assert.ok(Number(front) > 1);
      const options = new Map(
        (await store.find({ collection: 'options' })).records.map(({ key, value }) => [key, value]),
      );
      assert.equal(
        ['page_on_front', 'page_for_posts', 'site_logo', 'posts_per_page'].map((key) => options.get(key)),
        [{ en: front, fr: news }, news, 2, 1],
      );
      assert.equal(
        (await store.find({ collection: 'seo_meta' })).records.map((each) => each['object_id']),
        [front],
      );
      assert.equal(
        (await store.find({ collection: 'seo_indexables' })).records.map((each) => [
          each['key'],
          each['object_id'],
        ]),
        [[`post:${front}`, front]],
      );
    }
  } finally {
    await remove();
  }
});

test('types and a date choose records', async () => {
  const { store, remove } = await (STORES['memory'] as OpenStore)(collections);
  try {
    await loadFixture(store, coreFixture);
    const pages = await store.find({
      collection: 'posts',
      where: eq('type', 'page'),
      order: [{ field: 'modified_gmt', direction: 'asc' }],
    });
    const [older, ...newer] = pages.records.slice(-3).map((page) => String(page['modified_gmt']));
    const since = newer[0] ?? '';
    assert.ok(older !== since);
    const found = new Set<string>();
    const dates: string[] = [];
    for await (const { collection, values } of exportItems(store, {
      collections,
      types: ['page', 'genre'],
      since,
    })) {
      found.add(`${collection} ${String(values['type'] ?? values['taxonomy'])}`);
      if (collection === 'posts') dates.push(String(values['modified_gmt']));
    }
    assert.equal([...found], ['terms genre', 'posts page']);
    assert.equal(dates.toSorted(), newer);
  } finally {
    await remove();
  }
});

test('a line that is broken costs itself only, and a cut file is reported', async () => {
  const { store, remove } = await (STORES['memory'] as OpenStore)(collections);
  try {
    const line = (id: number, values: object): string => JSON.stringify({ collection: 'posts', id, values });
    const lines = [
      '{"routebook":"export","version":1}',
      line(1, { title: 'A' }),
      '{"collection":"posts"',
      line(2, { title: 5 }),
      line(3, { nonsense: 1 }),
      '[]',
      '{"collection":"nothing","id":1,"values":{}}',
      line(4, { title: 'B' }),
    ];
    const report = await importText(store, lines.join('\n'));
    assert.equal(report.created, { posts: 2 });
    assert.equal(report.leftOut.map(({ reason }) => reason).sort(), [
      'it is not a record: {"collection", "id", "values"}',
      'it is not a record: {"collection", "id", "values"}',
      'the file was cut off',
      'the site has no field nonsense',
      'the site has no such collection',
      'title is not a text',
    ]);
    await importText(store, '{"routebook":"export","version":2}\n').then(
      () => assert.unreachable(),
      (error: unknown) => assert.match(String(error), /reads version 1/),
    );
  } finally {
    await remove();
  }
});

/** The lines of an export of these collections. */
async function listLines(store: Store, names: readonly string[]): Promise<readonly string[]> {
  return (await toText(store))
    .split('\n')
    .filter((line) => names.some((name) => line.startsWith(`{"collection":"${name}"`)));
}

test('a fixture has the content of a site, and fills an empty store with the same', async () => {
  const [source, target] = [createMemoryStore(collections), createMemoryStore(collections)];
  await loadFixture(source, coreFixture);
  const site = await readExportedSite(source, { content });
  let text = '';
  for await (const part of writeFixture(await openExport(source, { collections, first: ['terms'] }), site))
    text += part;
  const fixture = JSON.parse(text) as Fixture;
  assert.not.match(text, /scrypt|adminpass/);
  checkFixture(fixture, { content: coreContent, languages: ['nl', 'en', 'fr'] });
  await loadFixture(target, fixture, { content: coreContent });
  const names = ['users', 'terms', 'media', 'posts', 'post_history', 'revisions', 'comments'];
  const [expected, found] = [await listLines(source, names), await listLines(target, names)];
  assert.ok(expected.length > 180, String(expected.length));
  // Records that the fixture does not give an id have one by their order.
  const withoutHistoryIds = (lines: readonly string[]): readonly string[] =>
    lines.map((line) => line.replace(/^(\{"collection":"post_history","id":)\d+/, '$1'));
  assert.equal(withoutHistoryIds(found).toSorted(), withoutHistoryIds(expected).toSorted());
  const settings = async (store: Store): Promise<readonly unknown[]> =>
    Object.entries(await readOptions(store, 'site')).toSorted();
  assert.equal(await settings(target), await settings(source));
});

test.run();
