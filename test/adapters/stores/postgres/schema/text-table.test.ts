import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createPostgresStore } from '../../../../../adapters/postgres-store.ts';
import { rejectsStore } from '../../../../../adapters/stores/contract/cases.ts';
import type { CollectionDescriptor } from '../../../../../lib/store/collection.ts';
import type { Store } from '../../../../../lib/store/store.ts';
import {
  dropSchema,
  findPostgres,
  nameSchema,
  openAdmin,
  skipPostgres,
  type TestPostgres,
} from '../../../../support/postgres.ts';
import { PROJECT } from '../../../../support/sources.ts';

const pages: CollectionDescriptor = {
  name: 'pages',
  fields: {
    title: { type: 'text', folded: true },
    body: { type: 'text', folded: true },
    slug: { type: 'text' },
    level: { type: 'integer' },
    sticky: { type: 'boolean' },
    tags: { type: 'integers' },
    extra: { type: 'json' },
  },
  unique: [{ fields: ['slug'], except: { slug: '' } }],
  indexes: [['level', 'title']],
  search: ['title', 'body'],
};

type Test = (
  open: (collection?: CollectionDescriptor) => Promise<Store>,
  ask: (sql: string) => Promise<unknown>,
) => Promise<void>;

function textTables({ url }: TestPostgres): void {
  const test = suite('postgres: texts in a table of their own');

  /** `ask`: runs statements in the schema, and returns the first value of the last one. */
  const onSchema =
    (run: Test, before = '') =>
    async (): Promise<void> => {
      const schema = nameSchema();
      const admin = await openAdmin(url);
      const stores: Store[] = [];
      const ask = (sql: string): Promise<unknown> =>
        admin.use(async (connection) => Object.values((await connection.script(sql)).rows[0] ?? {})[0]);
      try {
        if (before !== '')
          await ask(
            `CREATE EXTENSION IF NOT EXISTS pg_trgm SCHEMA public; ${before.replaceAll('layout_file', schema)}`,
          );
        await run(
          async (collection = pages) => {
            const store = await createPostgresStore({
              url,
              schema,
              collections: [collection],
              durability: 'relaxed',
            });
            stores.push(store);
            return store;
          },
          (sql) => ask(`SET search_path = "${schema}"; ${sql}`),
        );
      } finally {
        await Promise.all(stores.map((store) => store.close()));
        await admin.close();
        await dropSchema(url, schema);
      }
    };
  const find = async (store: Store, field: string, text: string): Promise<readonly number[]> =>
    (await store.find({ collection: 'pages', where: { op: 'contains', field, text } })).records.map(
      ({ id }) => id,
    );
  const COLUMNS =
    "SELECT string_agg(column_name, ' ' ORDER BY column_name) FROM information_schema.columns WHERE table_schema = current_schema() AND column_name LIKE '%:%' AND table_name =";

  test(
    'an update writes them only if one of them changes',
    onSchema(async (open, ask) => {
      const store = await open();
      await store.commit([
        { op: 'create', collection: 'pages', values: { title: 'Élan', body: 'Harbour', slug: 'a' } },
      ]);
      const written = (): Promise<unknown> => ask('SELECT xmin::text FROM "search-texts:pages"');
      const first = await written();
      await store.commit([
        {
          op: 'update',
          collection: 'pages',
          id: 1,
          values: { level: 3, title: 'Élan', body: 'Harbour', tags: [4] },
        },
      ]);
      assert.is(await written(), first);
      await store.commit([{ op: 'update', collection: 'pages', id: 1, values: { body: 'Lighthouse' } }]);
      assert.is.not(await written(), first);
      assert.equal(
        [
          await find(store, 'body', 'HARBOUR'),
          await find(store, 'body', 'thous'),
          await find(store, 'title', 'elan'),
        ],
        [[], [1], [1]],
      );
      await store.commit([{ op: 'remove', collection: 'pages', id: 1 }]);
      assert.is(await ask('SELECT count(*)::integer FROM "search-texts:pages"'), 0);
    }),
  );

  test(
    'a folded text that is not indexed is there only, and orders use it',
    onSchema(async (open, ask) => {
      const store = await open();
      assert.equal(
        [await ask(`${COLUMNS} 'pages'`), await ask(`${COLUMNS} 'search-texts:pages'`)],
        ['title:folded', 'body:folded record:id title:search'],
      );
      await store.commit(
        ['b', 'Á', 'c'].map((body) => ({ op: 'create', collection: 'pages', values: { title: body, body } })),
      );
      const { records } = await store.find({
        collection: 'pages',
        order: [{ field: 'body', direction: 'asc' }],
        limit: 2,
        fields: ['body'],
      });
      assert.equal(
        records.map(({ body }) => body),
        ['Á', 'b'],
      );
    }),
  );

  test(
    'follow the descriptor: what is searched no more is dropped, and filled when it is searched again',
    onSchema(async (open, ask) => {
      await (
        await open()
      ).commit([{ op: 'create', collection: 'pages', values: { title: 'Élan', body: 'Harbour' } }]);
      const { search: _search, ...unsearched } = pages;
      const plain = await open(unsearched);
      assert.is(
        await ask(
          "SELECT count(*)::integer FROM pg_tables WHERE schemaname = current_schema() AND tablename LIKE 'search-texts:%'",
        ),
        0,
      );
      assert.equal(await find(plain, 'body', 'harb'), [1]);
      await plain.commit([
        { op: 'update', collection: 'pages', id: 1, values: { body: 'Lighthouse' } },
        { op: 'create', collection: 'pages', values: { body: 'Harbour' } },
      ]);
      const some = await open({ ...pages, search: ['title'] });
      assert.equal([await find(some, 'body', 'harb'), await find(some, 'body', 'light')], [[2], [1]]);
      await some.commit([{ op: 'update', collection: 'pages', id: 2, values: { body: 'Pier' } }]);
      const all = await open();
      await all.prepared?.();
      assert.equal(
        [
          await find(all, 'body', 'harb'),
          await find(all, 'body', 'light'),
          await find(all, 'body', 'pier'),
          await find(all, 'title', 'elan'),
        ],
        [[], [1], [2], [1]],
      );
    }),
  );

  test(
    'the tables of layout 2 open with their records, and programs of that layout cannot write any more',
    onSchema(
      async (open, ask) => {
        const store = await open({ ...pages, fields: { ...pages.fields, words: { type: 'texts' } } });
        await store.prepared?.();
        assert.equal(
          [
            await find(store, 'title', 'ELAN'),
            await find(store, 'body', 'STRASSE'),
            await find(store, 'body', 'straße 4'),
          ],
          [[1, 3, 5], [], [5]],
        );
        assert.equal(await store.get('pages', 2), {
          id: 2,
          version: 2,
          title: 'Changed',
          body: 'Straße 1',
          slug: 'page-1',
          level: 1,
          sticky: false,
          tags: [1, 7],
          extra: { a: [1] },
          words: [],
        });
        assert.is(
          (
            await store.find({
              collection: 'pages',
              where: { op: 'hasAny', field: 'tags', values: [7] },
              total: true,
            })
          ).total,
          4,
        );
        // Number 4 was removed by that version, and 6 is the next one.
        assert.is(
          (await store.commit([{ op: 'create', collection: 'pages', values: { title: 'New' } }]))[0]?.id,
          6,
        );
        assert.equal(
          [await ask('SELECT "version"::integer FROM "store:layout"'), await ask(`${COLUMNS} 'pages'`)],
          [4, 'title:folded'],
        );
        assert.match(
          String(
            await ask('UPDATE "store:collections" SET "last_id" = 0').catch(({ message }: Error) => message),
          ),
          'column "last_id" of relation "store:collections" does not exist',
        );
      },
      readFileSync(`${PROJECT}test/support/layouts/postgres-2.sql`, 'utf8'),
    ),
  );

  test(
    'what a program writes after a newer layout has changed the tables is 503, and it still reads',
    onSchema(async (open, ask) => {
      const store = await open();
      const create = { op: 'create', collection: 'pages', values: { title: 'a' } } as const;
      await store.commit([create]);
      await ask('ALTER TABLE "store:collections" RENAME "newest_id" TO "newer"');
      await rejectsStore(store.commit([create]), 'unavailable');
      assert.is((await store.find({ collection: 'pages', total: true })).total, 1);
    }),
  );

  test(
    'a start that was interrupted may be completed by a program that searches more fields',
    onSchema(async (open, ask) => {
      const search = ['title'];
      const store = await open({ ...pages, search });
      await store.commit([{ op: 'create', collection: 'pages', values: { title: 'Élan', body: 'Harbour' } }]);
      // As a start of that program leaves it that ended while it filled the table.
      await ask(
        'DELETE FROM "search-texts:pages"; CREATE TABLE "store:steps" ("collection" text, "name" text, "after" bigint NOT NULL DEFAULT 0, "revision" bigint NOT NULL, PRIMARY KEY ("collection", "name")); INSERT INTO "store:steps" SELECT "collection", \'search-texts:pages\', 1, "revision" FROM "store:collections" WHERE "collection" = \'pages\'; UPDATE "store:layout" SET "shape" = \'\'',
      );
      const all = await open();
      assert.equal([await find(all, 'body', 'harb'), await find(all, 'title', 'elan')], [[1], [1]]);
      assert.is(await ask('SELECT count(*)::integer FROM "search-texts:pages"'), 1);
    }),
  );

  test(
    'a search in few records reads them, with the same result as by the index',
    onSchema(async (open) => {
      const store = await open();
      await store.commit(
        Array.from({ length: 1500 }, (_each, at) => ({
          op: 'create',
          collection: 'pages',
          values: {
            title: `Harbour ${at}`,
            body: at % 3 === 0 ? 'night' : 'day',
            level: at % 15 === 0 ? 1 : 2,
          },
        })),
      );
      const count = async (level: number, text: string): Promise<readonly number[]> => {
        const { total, records } = await store.find({
          collection: 'pages',
          where: {
            op: 'and',
            of: [
              { op: 'eq', field: 'level', value: level },
              { op: 'contains', field: 'title', text: 'harbour' },
              { op: 'contains', field: 'body', text },
            ],
          },
          total: true,
          limit: 2,
          order: [{ field: 'id', direction: 'desc' }],
        });
        return [total, ...records.map(({ id }) => id)];
      };
      assert.equal(await count(1, 'night'), [100, 1486, 1471]);
      assert.equal(await count(1, 'day'), [0]);
      assert.equal(await count(2, 'day'), [1000, 1500, 1499]);
      assert.equal(await count(2, 'night'), [400, 1498, 1495]);
    }),
  );

  test.run();
}

const server = await findPostgres({ fsync: false });
if (server === null) skipPostgres('postgres texts');
else textTables(server);
