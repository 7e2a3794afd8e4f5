import { setTimeout as wait } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createPostgresStore, type PostgresStoreOptions } from '../../../../adapters/postgres-store.ts';
import { rejectsStore } from '../../../../adapters/stores/contract/cases.ts';
import { contractCollections } from '../../../../adapters/stores/contract/collections.ts';
import type { CollectionDescriptor } from '../../../../lib/store/collection.ts';
import { type FindResult, type Operation, type Store, StoreError } from '../../../../lib/store/store.ts';
import { checkManyWriters, PROCESSES, runWriter, toCommits } from '../../../support/many-writers.ts';
import {
  dropSchema,
  findPostgres,
  nameSchema,
  openAdmin,
  skipPostgres,
  startCluster,
  type TestPostgres,
} from '../../../support/postgres.ts';

const COMMITS = toCommits(50);

const article = (values: Record<string, string | number>): Operation => ({
  op: 'create',
  collection: 'articles',
  values,
});

/** Opens stores in one schema, which is dropped afterwards. */
type Opener = (options?: Partial<PostgresStoreOptions>) => Promise<Store>;

function createOnSchema(
  url: string,
): (test: (open: Opener, schema: string) => Promise<void>) => () => Promise<void> {
  return (test) => async () => {
    const schema = nameSchema();
    const stores: Store[] = [];
    try {
      await test(async (options) => {
        const store = await createPostgresStore({
          url,
          schema,
          collections: contractCollections,
          durability: 'relaxed',
          ...options,
        });
        stores.push(store);
        return store;
      }, schema);
    } finally {
      await Promise.all(stores.map((store) => store.close()));
      await dropSchema(url, schema);
    }
  };
}

async function script(url: string, sql: string): Promise<unknown> {
  const admin = await openAdmin(url);
  try {
    const { rows } = await admin.use((connection) => connection.script(sql));
    return Object.values(rows[0] ?? {})[0];
  } finally {
    await admin.close();
  }
}

function severalProcesses({ url }: TestPostgres): void {
  const onSchema = createOnSchema(url);
  const test = suite('postgres: several processes');
  test(
    'each sees what the other has acknowledged: records, totals, revisions',
    onSchema(async (open) => {
      const [left, right] = [await open(), await open()];
      const seen = { collection: 'articles', total: true } as const;
      for (let round = 1; round <= 20; round += 1) {
        const before = await right.revision(['articles']);
        assert.is((await right.find(seen)).total, round - 1);
        const [made] = await left.commit([article({ level: round })]);
        assert.ok((await right.revision(['articles'])) > before);
        assert.is(await right.revision(['notes']), 0);
        assert.equal(await right.get('articles', made?.id ?? 0), made);
        const { total, records } = await right.find(seen);
        assert.equal([total, records.length], [round, round]);
      }
    }),
  );
  test(
    'only one of two updates of the same version succeeds, and only one of two uses of the same key',
    onSchema(async (open) => {
      const stores = await Promise.all([open(), open(), open()]);
      const outcomes = (operations: readonly Operation[]): Promise<readonly string[]> =>
        Promise.all(
          stores.map((store) =>
            store.commit(operations).then(
              () => 'ok',
              (error: StoreError) => `${error.code} ${error.fields.join()}`,
            ),
          ),
        );
      await stores[0]?.commit([article({})]);
      assert.equal(
        (
          await outcomes([{ op: 'update', collection: 'articles', id: 1, values: { level: 1 }, version: 1 }])
        ).toSorted(),
        ['ok', 'version ', 'version '],
      );
      assert.equal((await outcomes([article({ language: 'en', slug: 'one' })])).toSorted(), [
        'ok',
        'unique language,slug',
        'unique language,slug',
      ]);
      assert.equal((await outcomes([article({ id: 9 })])).toSorted(), ['ok', 'unique id', 'unique id']);
    }),
  );
  test(
    `${PROCESSES} of them write at once: nothing is lost, ids and slugs are unique, every write is acknowledged`,
    onSchema(async (open, schema) => {
      await checkManyWriters(await open(), COMMITS, (number) => runWriter(url, number, COMMITS, schema));
    }),
  );
  test(
    'commits in opposite order neither block nor get lost',
    onSchema(async (open) => {
      const stores = await Promise.all([open(), open()]);
      const note = (text: string, order: number): Operation => ({
        op: 'create',
        collection: 'notes',
        values: { text, order },
      });
      await Promise.all(
        stores.flatMap((store, number) =>
          Array.from({ length: 20 }, (_, count) => {
            const operations = [article({ level: count }), note(`${number}-${count}`, number * 20 + count)];
            return store.commit(count % 2 === 0 ? operations : operations.toReversed());
          }),
        ),
      );
      assert.is((await stores[0]?.find({ collection: 'notes', total: true, limit: 0 }))?.total, 40);
    }),
  );
  test.run();
}

function starts({ url }: TestPostgres): void {
  const onSchema = createOnSchema(url);
  const test = suite('postgres: starts');
  test(
    'six processes that start at once create the tables once',
    onSchema(async (open) => {
      const stores = await Promise.all(Array.from({ length: 6 }, () => open()));
      const made = await Promise.all(stores.map((store) => store.commit([article({})])));
      assert.equal(made.map(([record]) => record?.id).toSorted(), [1, 2, 3, 4, 5, 6]);
    }),
  );
  test(
    'a newer layout is refused, and nothing is changed',
    onSchema(async (open, schema) => {
      await (await open()).commit([article({})]);
      await script(url, `UPDATE "${schema}"."store:layout" SET "version" = 99`);
      await rejectsStore(open(), 'unavailable');
      assert.is(await script(url, `SELECT "version"::text FROM "${schema}"."store:layout"`), '99');
    }),
  );
  test(
    'fields, folded texts, lists and keys may be added to existing records',
    onSchema(async (open) => {
      const before: CollectionDescriptor = {
        name: 'pages',
        fields: { title: { type: 'text' }, tags: { type: 'json' } },
      };
      const store = await open({ collections: [before] });
      await store.commit([{ op: 'create', collection: 'pages', values: { title: 'Été' } }]);
      const after: CollectionDescriptor = {
        name: 'pages',
        fields: {
          title: { type: 'text', folded: true },
          words: { type: 'texts' },
          shown: { type: 'boolean' },
          level: { type: 'integer' },
        },
        unique: [{ fields: ['title'] }],
        indexes: [['level']],
      };
      const again = await open({ collections: [after] });
      assert.is(
        (await again.find({ collection: 'pages', where: { op: 'contains', field: 'title', text: 'ete' } }))
          .records.length,
        1,
      );
      assert.equal(await again.get('pages', 1), {
        id: 1,
        version: 1,
        title: 'Été',
        words: [],
        shown: false,
        level: 0,
      });
      const error = await rejectsStore(
        again.commit([{ op: 'create', collection: 'pages', values: { title: 'Été' } }]),
        'unique',
      );
      assert.equal(error.fields, ['title']);
      // An older process that is still running continues to work.
      await store.commit([{ op: 'update', collection: 'pages', id: 1, values: { tags: [1] } }]);
      assert.is((await again.get('pages', 1))?.version, 2);
    }),
  );
  test(
    'the planner has current statistics after an import',
    onSchema(async (open, schema) => {
      const store = await open();
      const known = (): Promise<unknown> =>
        script(
          url,
          `SELECT "reltuples"::integer FROM pg_class WHERE oid = '"${schema}"."articles"'::regclass`,
        );
      await store.commit([article({})]);
      assert.is(await known(), -1, 'nothing, as long as there are few');
      await store.commit(Array.from({ length: 600 }, (_each, level) => article({ level })));
      assert.is(await known(), 601);
    }),
  );
  test(
    'a new index of existing records comes with statistics, without which the planner prefers it for everything',
    onSchema(async (open, schema) => {
      const pages = (indexes: readonly (readonly string[])[]): readonly CollectionDescriptor[] => [
        { name: 'pages', fields: { title: { type: 'text' } }, indexes },
      ];
      const store = await open({ collections: pages([]) });
      await store.commit([
        { op: 'create', collection: 'pages', values: { title: 'a' } },
        { op: 'create', collection: 'pages', values: { title: 'b' } },
      ]);
      await open({ collections: pages([['title']]) });
      assert.is(
        await script(
          url,
          `SELECT count(*)::integer FROM pg_stats WHERE schemaname = '${schema}' AND tablename LIKE 'pages:%'`,
        ),
        1,
      );
    }),
  );
  test(
    'a search of very many matches reads its page in order, and follows writes',
    onSchema(async (open) => {
      const store = await open();
      await store.commit(
        Array.from({ length: 1300 }, (_each, level) =>
          article({ level, title: `Harbour 100% ${level % 5 === 0 ? 'night' : 'day'} ${level}` }),
        ),
      );
      const find = (text: string, excluded: readonly number[] = []): Promise<FindResult> =>
        store.find({
          collection: 'articles',
          where: {
            op: 'and',
            of: [
              { op: 'contains', field: 'title', text },
              { op: 'not', of: { op: 'in', field: 'id', values: excluded } },
            ],
          },
          order: [{ field: 'id', direction: 'desc' }],
          limit: 3,
          offset: 2,
          total: true,
        });
      const tell = ({ total, records }: FindResult): readonly number[] => [
        total,
        ...records.map(({ id }) => id),
      ];
      assert.equal(tell(await find('harbour 100%')), [1300, 1298, 1297, 1296]);
      assert.equal(tell(await find('% day')), [1040, 1298, 1297, 1295]);
      assert.equal(
        tell(await find('% day', [1300, 1297, 1])),
        [1038, 1295, 1294, 1293],
        'with posts excluded, of which one does not match anyway',
      );
      await store.commit([
        { op: 'update', collection: 'articles', id: 1298, values: { title: 'Gone' } },
        { op: 'remove', collection: 'articles', id: 1299 },
      ]);
      assert.equal(tell(await find('% day', [1300, 1297, 1])), [1036, 1293, 1292, 1290], 'after a write');
    }),
  );
  test(
    'a field that changed its type is refused',
    onSchema(async (open) => {
      await open({ collections: [{ name: 'pages', fields: { level: { type: 'integer' } } }] });
      await rejectsStore(
        open({ collections: [{ name: 'pages', fields: { level: { type: 'text' } } }] }),
        'unavailable',
      );
    }),
  );
  test('a missing server, a missing database and an invalid schema name are refused', async () => {
    const collections = contractCollections;
    await rejectsStore(
      createPostgresStore({ url: 'postgres://nobody@localhost/none?host=/nowhere', collections }),
      'unavailable',
    );
    const elsewhere = new URL(url);
    elsewhere.pathname = '/no-such-database';
    await rejectsStore(createPostgresStore({ url: String(elsewhere), collections }), 'unavailable');
    const refused = await createPostgresStore({ url, collections, schema: 'a; b' }).then(
      () => null,
      (error: unknown) => error,
    );
    assert.instance(refused, TypeError);
  });
  test.run();
}

function lostConnections({ url }: TestPostgres): void {
  const onSchema = createOnSchema(url);
  const test = suite('postgres: lost connections');
  test(
    'reads continue when the server ends its connections, commits succeed, are `unavailable` and not made, or `unknown`, and nothing is done twice',
    onSchema(async (open) => {
      const store = await open();
      await store.commit([article({})]);
      const over = new AbortController();
      const commits: string[] = [];
      const write = async (): Promise<void> => {
        while (!over.signal.aborted)
          commits.push(
            await store.commit([article({ level: 1 })]).then(
              () => 'ok',
              (error: StoreError) => error.code,
            ),
          );
      };
      const read = async (): Promise<void> => {
        while (!over.signal.aborted) assert.is((await store.get('articles', 1))?.id, 1);
      };
      const work = Promise.all([write(), write(), read(), read()]);
      for (let round = 0; round < 5; round += 1) {
        await script(
          url,
          "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name = 'routebook' AND pid <> pg_backend_pid()",
        );
        await new Promise((resolve) => {
          setTimeout(resolve, 30);
        });
      }
      over.abort();
      await work;
      assert.equal(
        [...new Set(commits)].filter((code) => !['ok', 'unavailable', 'unknown'].includes(code)),
        [],
      );
      const { total } = await store.find({
        collection: 'articles',
        where: { op: 'eq', field: 'level', value: 1 },
        total: true,
        limit: 0,
      });
      const sure = commits.filter((code) => code === 'ok').length;
      assert.ok(
        total >= sure && total <= sure + commits.filter((code) => code === 'unknown').length,
        `${total} made, ${JSON.stringify(commits)}`,
      );
    }),
  );
  test(
    'a long lock on a collection refuses commits while it lasts, and does not delay reads',
    onSchema(async (open, schema) => {
      const store = await open();
      await store.commit([article({})]);
      const admin = await openAdmin(url);
      await admin.use(async (connection) => {
        await connection.script(`BEGIN; SELECT 1 FROM "${schema}"."store:collections" FOR UPDATE`);
        await Promise.all([
          rejectsStore(store.commit([article({})]), 'unavailable'),
          rejectsStore(store.commit([article({})]), 'unavailable'),
        ]);
        assert.is((await store.find({ collection: 'articles', total: true })).total, 1);
        await connection.script('ROLLBACK');
      });
      await admin.close();
      // A locked collection is tried again after a tenth of a second.
      await new Promise((resolve) => {
        setTimeout(resolve, 150);
      });
      assert.is((await store.commit([article({})]))[0]?.id, 2);
    }),
  );
  test.run();
}

/** These tests need a server that may be stopped. */
function restarts({ url, control }: Awaited<ReturnType<typeof startCluster>>): void {
  const test = suite('postgres: a server that stops and starts');
  test(
    'while it is stopped everything is `unavailable`, afterwards everything works again',
    createOnSchema(url)(async (open) => {
      const store = await open();
      await store.commit([article({})]);
      await control.stop('fast');
      await Promise.all([
        rejectsStore((async () => store.get('articles', 1))(), 'unavailable'),
        rejectsStore(store.find({ collection: 'articles' }), 'unavailable'),
        rejectsStore(store.commit([article({})]), 'unavailable'),
        rejectsStore((async () => store.revision(['articles']))(), 'unavailable'),
      ]);
      // Called and not awaited.
      void store.revision(['articles']);
      await new Promise((resolve) => {
        setTimeout(resolve, 50);
      });
      await control.start();
      assert.is((await store.get('articles', 1))?.id, 1);
      assert.is((await store.commit([article({})]))[0]?.id, 2);
    }),
  );
  test(
    'while it does not respond, callers do not wait for it',
    createOnSchema(url)(async (open) => {
      const store = await open();
      await Promise.all([
        store.commit([article({})]),
        store.find({ collection: 'articles' }),
        store.find({ collection: 'notes' }),
      ]);
      control.signal('SIGSTOP');
      try {
        await Promise.all([
          rejectsStore((async () => store.get('articles', 1))(), 'unavailable'),
          rejectsStore(store.find({ collection: 'articles', total: true }), 'unavailable'),
          rejectsStore(store.commit([article({})]), 'unavailable'),
          rejectsStore(store.commit([article({})]), 'unavailable'),
          rejectsStore((async () => store.revision(['articles']))(), 'unavailable'),
        ]);
      } finally {
        control.signal('SIGCONT');
      }
      assert.is((await store.find({ collection: 'articles', total: true })).total, 1);
      assert.is((await store.commit([article({})]))[0]?.id, 2);
    }),
  );
  test(
    'while it does not respond, a read waits for one deadline in all',
    createOnSchema(url)(async (open) => {
      const [store, patient] = [
        await open({ limits: { statementMs: 1000 }, connections: { read: 2 } }),
        await open({ limits: { statementMs: 2700 } }),
      ];
      await Promise.all([
        store.commit([article({})]),
        store.find({ collection: 'articles' }),
        store.revision(['articles']),
        patient.find({ collection: 'articles' }),
      ]);
      control.signal('SIGSTOP');
      try {
        let isOver = false;
        const other = rejectsStore(patient.find({ collection: 'articles', limit: 1 }), 'unavailable').then(
          () => {
            isOver = true;
          },
        );
        const reads = Array.from({ length: 6 }, (_each, at) =>
          store.find({
            collection: at % 2 === 0 ? 'articles' : 'notes',
            total: true,
            limit: 1,
            offset: at * 50,
          }),
        );
        await Promise.all([
          ...reads.map((read) => rejectsStore(read, 'unavailable')),
          rejectsStore((async () => store.revision(['articles']))(), 'unavailable'),
        ]);
        assert.not(isOver, 'they waited for more than two deadlines, one after the other');
        await other;
      } finally {
        control.signal('SIGCONT');
      }
      await wait(100);
      for (let turn = 0; turn < 8; turn += 1)
        assert.is((await store.find({ collection: 'articles', total: true })).total, 1);
    }),
  );
  test('one that may lose commits is refused unless asked for', async () => {
    await rejectsStore(createPostgresStore({ url, collections: contractCollections }), 'unavailable');
  });
  test.run();
}

function textIndexes({ url }: TestPostgres): void {
  const onSchema = createOnSchema(url);
  const test = suite('postgres: the text index');
  const search = {
    collection: 'articles',
    where: { op: 'contains', field: 'title', text: 'quibblewick' },
    fields: ['title'],
    total: true,
  } as const;
  const before: readonly CollectionDescriptor[] = contractCollections.map(
    ({ search: _search, ...others }) => others,
  );
  const articles = Array.from({ length: 300 }, (_each, at) =>
    article({ title: `Title ${at} ${at % 100 === 7 ? 'Quibblewick' : ''}` }),
  );
  const countValid = (schema: string): Promise<unknown> =>
    script(
      url,
      `SELECT count(*)::int FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid WHERE relnamespace = '${schema}'::regnamespace AND starts_with(relname, 'text-index:') AND indisvalid`,
    );
  const openIndexed = async (open: Opener): Promise<Store> => {
    const notes: string[] = [];
    const store = await open({
      log: (message) => {
        notes.push(message);
      },
    });
    assert.is((await store.find(search)).total, 3);
    for (let turn = 0; !notes.includes('The index for searches is complete.'); turn += 1) {
      assert.ok(turn < 1000, notes.join());
      await new Promise((resolve) => {
        setTimeout(resolve, 10);
      });
    }
    return store;
  };

  test(
    'of empty tables is there at once, and searches use it',
    onSchema(async (open, schema) => {
      const store = await open();
      assert.is(await countValid(schema), 2);
      await store.commit(articles);
      assert.equal(
        (await store.find(search)).records.map(({ id }) => id),
        [8, 108, 208],
      );
      const plan = await script(
        url,
        `SET search_path = ${schema}; SET enable_seqscan = off; EXPLAIN (FORMAT JSON) SELECT "record:id" FROM "search-texts:articles" WHERE "title:search" LIKE '%quibblewick%'`,
      );
      assert.match(JSON.stringify(plan), /text-index:articles/);
    }),
  );

  test(
    'of other tables is built while they are in use, also where an earlier attempt was cut off',
    onSchema(async (open, schema) => {
      const old = await open({ collections: before });
      await old.commit(articles);
      await openIndexed(open);
      assert.is(await countValid(schema), 2);
      await script(
        url,
        `UPDATE pg_index SET indisvalid = false WHERE indexrelid IN (SELECT oid FROM pg_class WHERE relnamespace = '${schema}'::regnamespace AND starts_with(relname, 'text-index:articles'))`,
      );
      assert.is(await countValid(schema), 1);
      await openIndexed(open);
      assert.is(await countValid(schema), 2);
    }),
  );

  test(
    'is dropped with its declaration',
    onSchema(async (open, schema) => {
      await open();
      const [articlesOnly, notes] = contractCollections;
      await open({ collections: [articlesOnly, before[1] ?? notes] });
      assert.is(await countValid(schema), 1);
    }),
  );
  test.run();
}

const server = await findPostgres({ fsync: false, own: true });
if (server === null) {
  skipPostgres('postgres server');
} else {
  for (const part of [severalProcesses, starts, textIndexes, lostConnections]) part(server);
  if (server.control !== null) restarts({ ...server, control: server.control });
}
