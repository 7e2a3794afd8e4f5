import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Store, StoredRecord } from '../../../lib/store/store.ts';
import { parseXml } from '../../../registry/core/content/xml.ts';
import { keepSiblings } from '../../../registry/core/translations/keep-siblings.ts';
import { collectionsOf, createContentModel, loadFixture } from '../../../registry/index.ts';
import { WRITE_FORMATS, type WriteFormat } from '../../../registry/transfer/index.ts';
import { openExport, readExportedSite } from '../../../registry/transfer/items/export-items.ts';
import { readPhpValue, writePhpValue } from '../../../registry/transfer/wxr/php-value.ts';
import { coreContent, coreFixture } from '../../conformance/core-run.ts';
import { openMemory } from '../../support/store-factories.ts';
import { importWxr, inChunks } from '../../support/transfer.ts';

const content = createContentModel(coreContent);
const collections = collectionsOf(content);
const { write, first } = WRITE_FORMATS.get('wxr') as WriteFormat;

async function toText(store: Store, types?: readonly string[]): Promise<string> {
  let text = '';
  for await (const part of write(
    await openExport(store, { collections, first, types }),
    await readExportedSite(store, { content, url: 'https://site.example/' }),
  ))
    text += part;
  return text;
}

/** The fields of users that the format has. */
const OF_USERS: ReadonlySet<string> = new Set(['id', 'login', 'name', 'email', 'first_name', 'last_name']);

/** Fields that are empty in the fixture, and get the usual value when they are read. */
const USUAL: ReadonlySet<string> = new Set([
  'format',
  'status',
  'comment_status',
  'ping_status',
  'sizes',
  'date_gmt',
  'modified',
  'modified_gmt',
]);

/** Names the fields of a record that differ from what was exported. */
function listDifferences(exported: StoredRecord, read: StoredRecord | undefined): readonly string[] {
  const isUsual = (field: string): boolean =>
    USUAL.has(field) && (exported[field] === '' || exported[field] === null);
  const fields = Object.keys(exported).filter(
    (field) => !isUsual(field) && JSON.stringify(exported[field]) !== JSON.stringify(read?.[field]),
  );
  return fields.map((field) => `${exported.id} ${field}: ${JSON.stringify(read?.[field])}`);
}

/** The records without the numbers of their versions and groups, which differ. */
async function listRecords(store: Store, collection: string): Promise<readonly StoredRecord[]> {
  const { records } = await store.find({ collection, order: [{ field: 'id', direction: 'asc' }] });
  return records.map(
    (record) =>
      Object.fromEntries(
        Object.entries(record).filter(([field]) =>
          collection === 'users' ? OF_USERS.has(field) : field !== 'version' && field !== 'group',
        ),
      ) as StoredRecord,
  );
}

const INLINE = 'a ]]> b ]]]]> <b>&amp;</b> \u{1F600} שלום \r\n\tend';
const ODD = `${INLINE}\r <!-- cms:image {"id":5} /-->`;

const test = suite('export as WXR');

test('the recorded site, and odd texts, are read back with nothing lost', async () => {
  const [source, target] = [await openMemory(collections), await openMemory(collections)];
  try {
    await loadFixture(source.store, coreFixture);
    await keepSiblings(source.store).commit([
      {
        op: 'update',
        collection: 'posts',
        id: 101,
        values: { title: ODD, content: ODD, excerpt: ODD, password: 'a&"<', sticky: true },
      },
      {
        op: 'create',
        collection: 'terms',
        values: {
          id: 900,
          taxonomy: 'category',
          language: 'fr',
          slug: 'actu',
          name: 'Actu &amp; "co"',
          description: INLINE,
          group: 77,
        },
      },
      {
        op: 'create',
        collection: 'terms',
        values: {
          id: 901,
          taxonomy: 'category',
          language: 'en',
          slug: 'actual',
          name: 'Actual &amp; more',
          parent: 0,
          group: 77,
        },
      },
      { op: 'update', collection: 'posts', id: 101, values: { categories: [901] } },
    ]);
    const text = await toText(source.store);
    const report = await importWxr(target.store, inChunks(text, 5000), { content });
    assert.equal(report.leftOut, []);
    assert.match(text, '>Actual &amp;amp; more</category>');
    for (const collection of ['users', 'terms', 'media', 'posts', 'comments']) {
      const [exported, read] = [
        await listRecords(source.store, collection),
        await listRecords(target.store, collection),
      ];
      assert.ok(exported.length > 5);
      assert.equal(
        read.map(({ id }) => id),
        exported.map(({ id }) => id),
        collection,
      );
      assert.equal(
        exported.flatMap((record) =>
          listDifferences(
            record,
            read.find(({ id }) => id === record.id),
          ),
        ),
        [],
        collection,
      );
    }
    const group = async (id: number): Promise<unknown> => (await target.store.get('terms', id))?.['group'];
    assert.ok((await group(900)) !== 0 && (await group(900)) === (await group(901)));
  } finally {
    await source.remove();
    await target.remove();
  }
});

test('is well-formed whatever a text holds', async () => {
  const { store, remove } = await openMemory(collections);
  try {
    const text = '\0\u0001\uD800 x \uFFFE ]]> & " <';
    await store.commit([
      {
        op: 'create',
        collection: 'posts',
        values: {
          id: 1,
          type: 'post',
          status: 'publish',
          language: 'en',
          title: text,
          slug: 'x',
          content: text,
          date: '2020-01-01T00:00:00',
          date_gmt: '2020-01-01T00:00:00',
          meta: { odd: text },
        },
      },
    ]);
    assert.is(parseXml(await toText(store)).name, 'rss');
  } finally {
    await remove();
  }
});

test('chosen types keep their authors and terms', async () => {
  const { store, remove } = await openMemory(collections);
  try {
    await loadFixture(store, coreFixture);
    const text = await toText(store, ['page']);
    assert.match(text, /<dc:creator><!\[CDATA\[admin\]\]>/);
    assert.equal(
      [...new Set([...text.matchAll(/<wp:post_type><!\[CDATA\[(\w+)/g)].map(([, type]) => type))],
      ['page'],
    );
  } finally {
    await remove();
  }
});

test('values are serialised as PHP does, and read back', () => {
  assert.is(
    writePhpValue({ width: 640, file: 'né.png', sizes: [], deep: { 7: true, x: null, y: 1.5 } }),
    'a:4:{s:5:"width";i:640;s:4:"file";s:7:"né.png";s:5:"sizes";a:0:{}s:4:"deep";a:3:{i:7;b:1;s:1:"x";N;s:1:"y";d:1.5;}}',
  );
  for (const value of [[1, 'a', [true, null]], { a: { b: ['x"y;', 'é'] } }])
    assert.equal(readPhpValue(writePhpValue(value)), value);
  assert.equal(readPhpValue('a:1:{i:0;O:8:"stdClass":1:{s:3:"tag";s:3:"art";}}'), [{ tag: 'art' }]);
  assert.throws(() => readPhpValue('O:7:"WP_Term":0:{}'), /objects of PHP/);
});

test.run();
