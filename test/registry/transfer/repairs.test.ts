import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../../adapters/memory-store.ts';
import type { Store } from '../../../lib/store/store.ts';
import { collectionsOf } from '../../../registry/index.ts';
import { importItems, type ImportReport, readNdjson } from '../../../registry/transfer/index.ts';
import { coreModel, importWxr, inChunks } from '../../support/transfer.ts';
import { toItem, toWxr } from '../../support/wxr.ts';

const collections = collectionsOf(coreModel);
const openStore = (): Store => createMemoryStore(collections);
const told = ({ leftOut }: ImportReport): readonly string[] =>
  leftOut.map(({ what, reason }) => `${what}: ${reason}`);

function importLines(store: Store, lines: readonly object[], role?: string): Promise<ImportReport> {
  const text = [{ routebook: 'export', version: 1 }, ...lines, { end: lines.length }]
    .map((line) => JSON.stringify(line))
    .join('\n');
  return importItems(
    { name: 'copy', found: readNdjson(inChunks(text)), keepsIds: true },
    { store, content: coreModel, collections, role },
  );
}

async function parentsIn(store: Store, collection: string): Promise<unknown> {
  return Object.fromEntries((await store.find({ collection })).records.map(({ id, parent }) => [id, parent]));
}

const repairs = suite('repairs of an import');

repairs('cuts circles of parents in WXR', async () => {
  const store = openStore();
  const page = (id: number, parent: number): string =>
    toItem({ id, parent, title: `P${id}`, slug: `p${id}`, type: 'page' });
  const pages = toWxr([
    page(10, 11),
    page(11, 10),
    page(12, 12),
    page(13, 14),
    page(14, 15),
    page(15, 13),
    page(16, 10),
    page(18, 17),
    page(17, 0),
  ]);
  const first = await importWxr(store, inChunks(pages));
  assert.equal(told(first), [
    'parent of page 11: is below itself',
    'parent of page 12: is below itself',
    'parent of page 15: is below itself',
  ]);
  assert.equal(await parentsIn(store, 'posts'), {
    10: 11,
    11: 0,
    12: 0,
    13: 14,
    14: 15,
    15: 0,
    16: 10,
    17: 0,
    18: 17,
  });
  const second = await importWxr(store, inChunks(pages));
  assert.equal([second.created, told(second).length], [{}, 3]);
});

repairs('cuts circles of terms and comments in NDJSON', async () => {
  const store = openStore();
  const term = (id: number, parent: number): object => ({
    collection: 'terms',
    id,
    values: { taxonomy: 'category', language: 'en', slug: `t${id}`, name: `T${id}`, parent },
  });
  const comment = (id: number, parent: number): object => ({
    collection: 'comments',
    id,
    values: { post: 0, parent, content: `C${id}`, type: 'comment' },
  });
  const report = await importLines(store, [term(1, 2), term(2, 1), comment(5, 5)]);
  assert.equal(told(report), [
    'parent of category 2: is below itself',
    'parent of comment 5: is below itself',
  ]);
  assert.equal(
    [await parentsIn(store, 'terms'), await parentsIn(store, 'comments')],
    [{ 1: 2, 2: 0 }, { 5: 0 }],
  );
});

repairs('replaces roles that the site does not have', async () => {
  const store = openStore();
  const user = (id: number, role: string, more: readonly string[] = []): object => ({
    collection: 'users',
    id,
    values: { login: `u${id}`, slug: `u${id}`, role, more_roles: more },
  });
  const report = await importLines(
    store,
    [
      user(1, 'constructor'),
      user(2, '__proto__', ['editor', 'toString']),
      user(3, ''),
      user(4, 'administrator'),
    ],
    'author',
  );
  assert.equal(told(report), [
    'role constructor: the site has no such role; the user gets the role author',
    'role __proto__: the site has no such role; the user gets the role author',
    'role toString: the site has no such role',
  ]);
  const { records } = await store.find({ collection: 'users' });
  assert.equal(
    records.map(({ role, more_roles }) => [role, more_roles]),
    [
      ['author', []],
      ['author', ['editor']],
      ['', []],
      ['administrator', []],
    ],
  );
  assert.equal(report.administrators, ['u4']);
});

repairs('names each file that is not stored, and refuses names that lead out of the library', async () => {
  const store = openStore();
  const file = (id: number, url: string, attached: string): string =>
    toItem({
      id,
      title: `F${id}`,
      slug: `f${id}`,
      type: 'attachment',
      status: 'inherit',
      url,
      meta: [
        ['_wp_attached_file', attached],
        ['_wp_attachment_metadata', 'a:1:{s:5:"sizes";a:1:{s:4:"tiny";a:1:{s:4:"file";s:6:"../x.y";}}}'],
      ],
    });
  const put: string[] = [];
  const report = await importWxr(
    store,
    inChunks(
      toWxr([
        file(1, 'http://127.0.0.1/x.jpg', '../../x.jpg'),
        file(2, 'https://old.example/x.jpg', ''),
        file(3, 'ftp://old.example/a.jpg', 'a.jpg'),
      ]),
    ),
    {
      files: {
        put: async ({ path, url }) => {
          put.push(`${path} ${url}`);
          return 'no';
        },
      },
    },
  );
  assert.equal(put, ['../../x.jpg http://127.0.0.1/x.jpg', ' https://old.example/x.jpg', 'a.jpg ']);
  assert.equal(
    report.leftOut.map(({ what, place }) => [what, place.split(': ')[1]]),
    [
      ['file', '../../x.jpg'],
      ['file', 'https://old.example/x.jpg'],
      ['file', 'a.jpg'],
    ],
  );
  assert.equal(
    (await store.find({ collection: 'media' })).records.map(({ sizes }) => sizes),
    [{}, {}, {}],
  );
});

repairs.run();
