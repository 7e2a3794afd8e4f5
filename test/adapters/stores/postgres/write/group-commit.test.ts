import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createPostgresStore } from '../../../../../adapters/postgres-store.ts';
import { contractCollections } from '../../../../../adapters/stores/contract/collections.ts';
import type { Operation, Store, StoreError } from '../../../../../lib/store/store.ts';
import {
  dropSchema,
  findPostgres,
  nameSchema,
  openAdmin,
  skipPostgres,
  type TestPostgres,
} from '../../../../support/postgres.ts';

const article = (values: Record<string, string | number>): Operation => ({
  op: 'create',
  collection: 'articles',
  values,
});
const note = (text: string): Operation => ({
  op: 'create',
  collection: 'notes',
  values: { article: { $ref: 'article' }, text },
});
const withNote = (title: string): readonly Operation[] => [
  { op: 'create', collection: 'articles', as: 'article', values: { title } },
  note(title),
];

/** `transactions`: how many have changed the articles so far. */
interface Opened {
  readonly store: Store;
  readonly transactions: () => Promise<number>;
}

/** The rows of the log that a transaction has written have its id. */
async function countTransactions(url: string, schema: string): Promise<number> {
  const admin = await openAdmin(url);
  const [row] = await admin.use((connection) =>
    connection.query(
      `SELECT count(DISTINCT xmin::text) AS "n" FROM "${schema}"."store:changes" WHERE "collection" = 'articles'`,
      [],
    ),
  );
  await admin.close();
  return Number(row?.['n']);
}

function groups({ url }: TestPostgres): void {
  const test = suite('postgres: GroupCommit');
  const onStore = (run: (opened: Opened) => Promise<void>) => async (): Promise<void> => {
    const schema = nameSchema();
    const store = await createPostgresStore({
      url,
      schema,
      collections: contractCollections,
      durability: 'relaxed',
    });
    try {
      await run({ store, transactions: () => countTransactions(url, schema) });
    } finally {
      await store.close();
      await dropSchema(url, schema);
    }
  };
  const settle = (store: Store, commits: readonly (readonly Operation[])[]): Promise<readonly string[]> =>
    Promise.all(
      commits.map((operations) =>
        store.commit(operations).then(
          (records) => records.map((record) => `${record?.id ?? '-'}.${record?.version ?? '-'}`).join(' '),
          (error: StoreError) => error.code,
        ),
      ),
    );

  test(
    'commits that wait share one transaction, and each gets its own records',
    onStore(async ({ store, transactions }) => {
      const titles = Array.from({ length: 30 }, (_each, at) => `Title ${at}`);
      const made = await Promise.all(titles.map((title) => store.commit(withNote(title))));
      assert.equal(
        made.map(([record]) => record?.['title']),
        titles,
      );
      assert.equal(
        made.map(([, noted]) => [noted?.['article'], noted?.['text']]),
        made.map(([record]) => [record?.id, record?.['title']]),
      );
      assert.equal(
        await Promise.all(made.map(async ([record]) => store.get('articles', record?.id ?? 0))),
        made.map(([record]) => record),
      );
      assert.is(await transactions(), 1);
    }),
  );

  test(
    'a taken key fails only its own commit, leaves no gap in the ids and nothing behind',
    onStore(async ({ store, transactions }) => {
      const slug = (value: string): Operation => article({ language: 'en', slug: value });
      assert.equal(
        await settle(store, [[slug('a')], [slug('b')], [slug('b')], [slug('c'), slug('a')], [slug('d')]]),
        ['1.1', '2.1', 'unique', 'unique', '3.1'],
      );
      assert.is(await transactions(), 1);
      assert.equal(await settle(store, [[slug('c')]]), ['4.1']);
      assert.is((await store.find({ collection: 'articles', total: true })).total, 4);
    }),
  );

  test(
    'a lost update and a missing record fail only their own commits, and totals stay exact',
    onStore(async ({ store, transactions }) => {
      await store.commit([article({ level: 1 }), article({ level: 1 })]);
      const count = async (): Promise<number> =>
        (
          await store.find({
            collection: 'articles',
            where: { op: 'eq', field: 'level', value: 2 },
            total: true,
            limit: 0,
          })
        ).total;
      assert.is(await count(), 0);
      const update = (id: number, version?: number): Operation => ({
        op: 'update',
        collection: 'articles',
        id,
        version,
        values: { level: 2 },
      });
      assert.equal(
        await settle(store, [
          [update(1, 1)],
          [update(1, 1)],
          [update(2), update(9)],
          [article({ level: 2 })],
          [{ op: 'remove', collection: 'articles', id: 2 }],
        ]),
        ['1.2', 'version', 'missing', '3.1', '2.1'],
      );
      assert.is(await count(), 2);
      assert.is(await transactions(), 2);
    }),
  );

  test(
    'an id that is taken fails only its own commit',
    onStore(async ({ store }) => {
      assert.equal(
        await settle(store, [[article({})], [article({ id: 5 })], [article({ id: 5 })], [article({})]]),
        ['1.1', '5.1', 'unique', '6.1'],
      );
    }),
  );

  test(
    'a large commit is alone',
    onStore(async ({ store, transactions }) => {
      const large = Array.from({ length: 200 }, (_each, level) => article({ level }));
      await Promise.all([store.commit([article({})]), store.commit(large), store.commit([article({})])]);
      assert.is(await transactions(), 3);
    }),
  );

  test.run();
}

const server = await findPostgres({ fsync: false });
if (server === null) skipPostgres('postgres groups');
else groups(server);
