import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createPostgresStore } from '../../../../../adapters/postgres-store.ts';
import { rejectsStore } from '../../../../../adapters/stores/contract/cases.ts';
import type { CollectionDescriptor } from '../../../../../lib/store/collection.ts';
import { eq } from '../../../../../lib/store/query.ts';
import type { Store } from '../../../../../lib/store/store.ts';
import {
  dropSchema,
  findPostgres,
  nameSchema,
  openAdmin,
  skipPostgres,
  type TestPostgres,
} from '../../../../support/postgres.ts';

const toPages = (maxLength?: number): CollectionDescriptor => {
  const short =
    maxLength === undefined ? ({ type: 'text' } as const) : ({ type: 'text', maxLength } as const);
  return {
    name: 'pages',
    fields: { status: short, date: short, note: { type: 'text' } },
    unique: [{ fields: ['status', 'date'], except: { date: '' } }],
    indexes: [
      ['status', 'date'],
      ['status', 'note'],
    ],
  };
};

type Test = (tools: {
  readonly open: (collection: CollectionDescriptor) => Promise<Store>;
  readonly ask: (sql: string) => Promise<string>;
  readonly vacuum: () => Promise<void>;
}) => Promise<void>;

function plainKeys({ url }: TestPostgres): void {
  const test = suite('postgres: indexes of short texts');

  /** `ask`: runs statements in the schema, and returns the rows of the last one as JSON. */
  const onSchema = (run: Test) => async (): Promise<void> => {
    const schema = nameSchema();
    const admin = await openAdmin(url);
    const stores: Store[] = [];
    try {
      await run({
        open: async (collection) => {
          const store = await createPostgresStore({
            url,
            schema,
            collections: [collection],
            durability: 'relaxed',
          });
          stores.push(store);
          return store;
        },
        ask: (sql) =>
          admin.use(async (connection) =>
            JSON.stringify((await connection.script(`SET search_path = "${schema}"; ${sql}`)).rows),
          ),
        // It cannot run beside other statements.
        vacuum: () =>
          admin.use(async (connection) => {
            await connection.script(`VACUUM ANALYZE "${schema}"."pages"`);
          }),
      });
    } finally {
      await Promise.all(stores.map((store) => store.close()));
      await admin.close();
      await dropSchema(url, schema);
    }
  };
  const fill = (store: Store): Promise<unknown> =>
    store.commit(
      Array.from({ length: 600 }, (_each, at) => ({
        op: 'create',
        collection: 'pages',
        values: {
          status: at % 3 === 0 ? 'draft' : 'publish',
          date: `2024-${1000 + at}`,
          note: 'n'.repeat(at),
        },
      })),
    );
  const PLAIN =
    "SELECT count(*) FROM pg_indexes WHERE schemaname = current_schema() AND tablename = 'pages' AND indexdef LIKE";

  test(
    'hold the texts themselves and the id, so that the index alone gives a page of ids and a total',
    onSchema(async ({ open, ask, vacuum }) => {
      await fill(await open(toPages(40)));
      await vacuum();
      const plan = (sql: string): Promise<string> =>
        ask(`SET enable_seqscan = off; SET enable_bitmapscan = off; EXPLAIN ${sql}`);
      assert.match(
        await plan('SELECT count(*) FROM "pages" WHERE "status" = \'publish\''),
        'Index Only Scan',
      );
      const deep = await plan(
        'SELECT "id" FROM "pages" WHERE "status" = \'publish\' ORDER BY "date" DESC, "id" DESC LIMIT 10 OFFSET 300',
      );
      assert.match(deep, 'Index Only Scan Backward');
      assert.not.match(deep, 'Sort');
      assert.equal(
        [
          await ask(`${PLAIN} '%(status, date, id)%'`),
          await ask(`${PLAIN} '%UNIQUE%(status, date)%'`),
          await ask(`${PLAIN} '%(status, "left"(note, 150))%'`),
        ].map((rows) => rows.replaceAll(/\D/g, '')),
        ['1', '1', '1'],
      );
    }),
  );

  test(
    'replace those of longer texts, and back',
    onSchema(async ({ open, ask }) => {
      await fill(await open(toPages()));
      for (const [maxLength, plain] of [
        [40, 2],
        [151, 0],
        [150, 2],
        [undefined, 0],
      ] as const) {
        const store = await open(toPages(maxLength));
        assert.is(await ask(`${PLAIN} '%(status, date%'`), `[{"count":"${plain}"}]`, String(maxLength));
        const { records, total } = await store.find({
          collection: 'pages',
          where: eq('status', 'draft'),
          order: [{ field: 'date', direction: 'desc' }],
          limit: 2,
          offset: 3,
          total: true,
        });
        assert.equal([total, ...records.map(({ id }) => id)], [200, 589, 586]);
        assert.equal(
          (
            await rejectsStore(
              store.commit([
                { op: 'create', collection: 'pages', values: { status: 'draft', date: '2024-1000' } },
              ]),
              'unique',
            )
          ).fields,
          ['status', 'date'],
        );
      }
    }),
  );

  test(
    'are refused where an older text is too long for them, and nothing is changed',
    onSchema(async ({ open, ask }) => {
      const store = await open(toPages());
      await fill(store);
      await store.commit([{ op: 'update', collection: 'pages', id: 7, values: { date: 'x'.repeat(3000) } }]);
      const before = await ask(
        'SELECT indexname FROM pg_indexes WHERE schemaname = current_schema() ORDER BY 1',
      );
      const { message } = await rejectsStore(open(toPages(40)), 'unavailable');
      assert.match(
        message,
        /^Field date of pages may now have at most 40 characters, and that of record 7 is longer than an index can hold\./,
      );
      assert.is(
        await ask('SELECT indexname FROM pg_indexes WHERE schemaname = current_schema() ORDER BY 1'),
        before,
      );
      await store.commit([{ op: 'update', collection: 'pages', id: 7, values: { date: 'x'.repeat(100) } }]);
      // It fits into the index, so it can stay. What is written from now on is limited.
      const limited = await open(toPages(40));
      assert.is(
        (
          await limited.commit([{ op: 'update', collection: 'pages', id: 7, values: { note: 'changed' } }])
        )[0]?.['note'],
        'changed',
      );
      await rejectsStore(
        limited.commit([{ op: 'update', collection: 'pages', id: 7, values: { date: 'x'.repeat(41) } }]),
        'invalid',
      );
    }),
  );

  test.run();
}

const server = await findPostgres({ fsync: false });
if (server === null) skipPostgres('postgres indexes of short texts');
else plainKeys(server);
