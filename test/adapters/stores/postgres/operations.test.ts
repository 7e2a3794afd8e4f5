import { setTimeout as wait } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../../../adapters/memory-store.ts';
import { createPostgresStore } from '../../../../adapters/postgres-store.ts';
import { rejectsStore } from '../../../../adapters/stores/contract/cases.ts';
import { contractCollections } from '../../../../adapters/stores/contract/collections.ts';
import type { Operation, Store } from '../../../../lib/store/store.ts';
import { findPgBouncer, startPgBouncer } from '../../../support/pgbouncer.ts';
import {
  dropSchema,
  findPostgres,
  nameSchema,
  openAdmin,
  skipPostgres,
  type TestPostgres,
} from '../../../support/postgres.ts';
import { fuzzStores } from '../../../support/store-fuzz.ts';

const article: Operation = { op: 'create', collection: 'articles', values: { title: 'Quibblewick' } };
const search = {
  collection: 'articles',
  where: { op: 'contains', field: 'title', text: 'quibble' },
  total: true,
} as const;
const POOL_MODES = ['session', 'transaction'] as const;

async function script(url: string, sql: string): Promise<readonly unknown[]> {
  const admin = await openAdmin(url);
  try {
    return (await admin.use((connection) => connection.script(sql))).rows.map((row) => Object.values(row)[0]);
  } finally {
    await admin.close();
  }
}

function addresses({ url }: TestPostgres): void {
  const test = suite('postgres: address and options');
  test('options in the address do not replace the schema', async () => {
    const schema = nameSchema();
    const address = new URL(url);
    address.searchParams.set('options', '-c search_path=public -c work_mem=3MB');
    const store = await createPostgresStore({
      url: String(address),
      schema,
      collections: contractCollections,
      durability: 'relaxed',
    });
    await store.commit([article]);
    await store.close();
    assert.equal(await script(url, "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"), []);
    assert.equal(await script(url, `SELECT count(*)::int FROM "${schema}"."articles"`), [1]);
    await dropSchema(url, schema);
  });
  for (const [name, wrong] of Object.entries({
    pooling: 'statement',
    connections: { read: 0 },
    limits: { statementMs: '5s' },
    schema: 'Mine',
  })) {
    test(`${name} is checked at the start`, async () => {
      const error: unknown = await createPostgresStore({
        url,
        collections: contractCollections,
        [name]: wrong,
      } as never).catch((reason: unknown) => reason);
      assert.instance(error, TypeError);
      assert.match(String(error), /createPostgresStore/);
    });
  }
  test('the limit of a statement is an option', async () => {
    const schema = nameSchema();
    const store = await createPostgresStore({
      url,
      schema,
      collections: contractCollections,
      durability: 'relaxed',
      connections: { read: 1, write: 1 },
      limits: { lockMs: 50 },
    });
    const admin = await openAdmin(url);
    await admin.use(async (connection) => {
      await connection.script(`BEGIN; LOCK TABLE "${schema}"."articles"`);
      await rejectsStore(store.commit([article]), 'unavailable');
      await rejectsStore(store.find({ collection: 'articles' }), 'unavailable');
      assert.is((await store.find({ collection: 'notes', total: true })).total, 0);
      // All of this while the lock is held.
      await connection.script('ROLLBACK');
    });
    await admin.close();
    // A locked collection is tried again after a tenth of a second.
    await wait(150);
    assert.is((await store.commit([article]))[0]?.id, 1);
    await store.close();
    await dropSchema(url, schema);
  });
  test.run();
}

function openTransactions({ url }: TestPostgres): void {
  const test = suite('postgres: old versions of rows');
  test('a transaction of others that stays open is told once, with its process; the table that every commit updates has room, also in an existing store', async () => {
    const schema = nameSchema();
    const notes: string[] = [];
    const open = (): Promise<Store> =>
      createPostgresStore({
        url,
        schema,
        collections: contractCollections,
        durability: 'relaxed',
        log: (message) => {
          if (/stays open/.test(message)) notes.push(message);
        },
      });
    const readRoom = (): Promise<readonly unknown[]> =>
      script(
        url,
        `SELECT reloptions[1] FROM pg_class WHERE oid = '"${schema}"."store:collections"'::regclass`,
      );
    const old = await open();
    await old.close();
    await script(url, `ALTER TABLE "${schema}"."store:collections" RESET (fillfactor)`);
    const store = await open();
    const admin = await openAdmin(url);
    try {
      assert.equal(await readRoom(), ['fillfactor=20']);
      const [record] = await store.commit([article]);
      const commitMany = async (most: number): Promise<void> => {
        for (let at = 0; at < most && notes.length === 0; at += 1)
          await store.commit([{ op: 'update', collection: 'articles', id: record?.id ?? 0, values: {} }]);
      };
      await commitMany(300);
      assert.equal(notes, []);
      await admin.use(async (connection) => {
        const { rows } = await connection.script(
          'BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT pg_backend_pid() AS pid',
        );
        await commitMany(10_000);
        assert.is(notes.length, 1);
        assert.match(String(notes[0]), `process ${String(rows[0]?.['pid'])} of routebook`);
        await connection.script('ROLLBACK');
      });
    } finally {
      await admin.close();
      await store.close();
      await dropSchema(url, schema);
    }
  });
  test.run();
}

function rights({ url }: TestPostgres): void {
  const test = suite('postgres: rights');
  test('a role that may not create anything in the database uses the schema made for it, and gets 503 while its rights are gone', async () => {
    const name = nameSchema();
    await script(url, `CREATE ROLE ${name} LOGIN`);
    await script(url, `CREATE DATABASE ${name}`);
    const own = new URL(url);
    own.pathname = `/${name}`;
    await script(String(own), `CREATE SCHEMA site AUTHORIZATION ${name}`);
    const limited = new URL(own);
    limited.username = name;
    const notes: string[] = [];
    const store = await createPostgresStore({
      url: String(limited),
      schema: 'site',
      collections: contractCollections,
      durability: 'relaxed',
      log: (message) => {
        notes.push(message);
      },
    });
    await store.commit([article]);
    assert.is((await store.find(search)).total, 1);
    assert.match(notes.join(), /pg_trgm is missing/);
    await script(
      String(own),
      `REVOKE ALL ON SCHEMA site FROM ${name}; ALTER SCHEMA site OWNER TO CURRENT_USER; REVOKE ALL ON "site"."articles", "site"."store:collections" FROM ${name}; ALTER TABLE "site"."articles" OWNER TO CURRENT_USER; ALTER TABLE "site"."store:collections" OWNER TO CURRENT_USER`,
    );
    await rejectsStore(store.find({ collection: 'articles' }), 'unavailable');
    await rejectsStore(store.commit([article]), 'unavailable');
    assert.match(notes.at(-1) ?? '', /The database refuses access: .*grant/);
    await script(
      String(own),
      `GRANT ALL ON SCHEMA site TO ${name}; GRANT ALL ON ALL TABLES IN SCHEMA site TO ${name}`,
    );
    assert.is((await store.commit([article]))[0]?.id, 2);
    await store.close();
    await script(url, `DROP DATABASE ${name}`);
    await script(url, `DROP ROLE ${name}`);
  });
  test.run();
}

function poolers({ url }: TestPostgres, program: string): void {
  const test = suite('postgres: behind PgBouncer');
  for (const mode of POOL_MODES) {
    test(`in ${mode} mode`, async () => {
      const bouncer = await startPgBouncer(program, { url, mode });
      try {
        const schemas = new Set<string>();
        await fuzzStores(
          3,
          async (collections) => createMemoryStore(collections),
          async (collections) => {
            const schema = nameSchema();
            schemas.add(schema);
            return createPostgresStore({
              url: bouncer.url,
              schema,
              collections,
              durability: 'relaxed',
              pooling: mode,
            });
          },
        );
        const schema = nameSchema();
        const stores = await Promise.all(
          [1, 2].map(() =>
            createPostgresStore({
              url: bouncer.url,
              schema,
              collections: contractCollections,
              durability: 'relaxed',
              pooling: mode,
            }),
          ),
        );
        await Promise.all(Array.from({ length: 40 }, (_each, at) => stores[at % 2]?.commit([article])));
        for (const store of stores) assert.is((await store.find(search)).total, 40);
        await Promise.all(stores.map((store) => store.close()));
        for (const each of [...schemas, schema]) await dropSchema(url, each);
      } finally {
        await bouncer.stop();
      }
    });
  }
  test.run();
}

const server = await findPostgres({ fsync: false });
if (server === null) {
  skipPostgres('postgres operations');
} else {
  addresses(server);
  openTransactions(server);
  rights(server);
  const program = findPgBouncer();
  if (program === undefined) console.error('SKIPPED postgres: behind PgBouncer: pgbouncer is not installed');
  else poolers(server, program);
}
