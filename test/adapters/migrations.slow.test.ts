import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createPostgresStore } from '../../adapters/postgres-store.ts';
import { createSqliteStore } from '../../adapters/sqlite-store.ts';
import type { CollectionDescriptor } from '../../lib/store/collection.ts';
import type { Operation, Store } from '../../lib/store/store.ts';
import { countRuns } from '../support/long-mode.ts';
import { findPostgres, nameSchema, openAdmin, skipPostgres, type startCluster } from '../support/postgres.ts';
import { PROJECT } from '../support/sources.ts';
import { inFolder } from '../support/temporary.ts';
import { until } from '../support/until.ts';

const server = (await findPostgres({ fsync: true, own: true })) as Awaited<
  ReturnType<typeof startCluster>
> | null;

const RECORDS = 3000;
/** Kills of each test. */
const ROUNDS = countRuns(4, 40);

/** What an older program declared, and what a newer one does: a folded text, a list, a key, an index and a search need work on every record. */
const older: readonly CollectionDescriptor[] = [
  { name: 'pages', fields: { title: { type: 'text' }, slug: { type: 'text' }, tags: { type: 'json' } } },
];
const newer: readonly CollectionDescriptor[] = [
  {
    name: 'pages',
    fields: {
      title: { type: 'text', folded: true },
      slug: { type: 'text' },
      tags: { type: 'json' },
      words: { type: 'texts' },
    },
    unique: [{ fields: ['slug'] }],
    indexes: [['title'], ['words', 'slug']],
    search: ['title'],
  },
];

const page = (at: number): Operation => ({
  op: 'create',
  collection: 'pages',
  values: { title: `Élan ${at} ${'x'.repeat(200)}`, slug: `page-${at}`, tags: [at] },
});

async function fill(store: Store, records = RECORDS): Promise<void> {
  for (let from = 0; from < records; from += 500)
    await store.commit(Array.from({ length: 500 }, (_each, at) => page(from + at)));
  await store.close();
}

/** The store has every record, finds by what the migration added, and takes writes. */
async function checkComplete(store: Store): Promise<void> {
  await store.prepared?.();
  const total = async (text: string): Promise<number> =>
    (
      await store.find({
        collection: 'pages',
        where: { op: 'contains', field: 'title', text },
        total: true,
        limit: 0,
      })
    ).total;
  assert.is((await store.find({ collection: 'pages', total: true, limit: 0 })).total, RECORDS);
  assert.is(await total('elan'), RECORDS);
  assert.is(await total('elan 1234 '), 1);
  const [made] = await store.commit([
    { op: 'create', collection: 'pages', values: { title: 'New', slug: 'new', words: ['fresh'] } },
  ]);
  const { records } = await store.find({
    collection: 'pages',
    where: { op: 'hasAny', field: 'words', values: ['fresh'] },
  });
  assert.equal(
    records.map(({ id }) => id),
    [made?.id],
  );
  await store.commit([{ op: 'remove', collection: 'pages', id: made?.id ?? 0 }]);
}

/** Opens the store of a newer program in a process of its own, and kills it some time after it has begun. @returns whether it had finished */
async function killOpener(open: string, until: number | (() => Promise<void>)): Promise<boolean> {
  const modules = ['sqlite', 'postgres'].map((name) =>
    JSON.stringify(new URL(`../../adapters/${name}-store.js`, import.meta.url).href),
  );
  const code = `const [{ createSqliteStore }, { createPostgresStore }] = await Promise.all([import(${modules[0] ?? ''}), import(${modules[1] ?? ''})]);
    const collections = ${JSON.stringify(newer)};
    console.log('begins');
    const store = await ${open};
    await store.prepared();
    console.log('done');
    setInterval(() => undefined, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  const closed = once(child, 'close');
  while (!output.includes('begins') && child.exitCode === null) await wait(5);
  await (typeof until === 'number' ? wait(until) : until());
  child.kill('SIGKILL');
  await closed;
  return output.includes('done');
}

const sqlite = suite('sqlite: a migration that is killed');
sqlite('leaves the old state or the new one, and the next start completes it', () =>
  inFolder(async (folder) => {
    let unfinished = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const directory = `${folder}/${round}`;
      await fill(await createSqliteStore({ directory, collections: older }));
      if (
        !(await killOpener(
          `createSqliteStore({ directory: ${JSON.stringify(directory)}, collections })`,
          10 + 60 * round,
        ))
      )
        unfinished += 1;
      const store = await createSqliteStore({ directory, collections: newer });
      await checkComplete(store);
      assert.equal(store.checkIntegrity(), []);
      await store.close();
    }
    assert.ok(unfinished > 0, 'no kill came during the migration');
  }),
);
sqlite.run();

const layouts = suite('sqlite: the file of a released version');
layouts('of 0.1.0 opens with its records, and takes what this version adds', () =>
  inFolder(async (directory) => {
    writeFileSync(
      join(directory, 'site.db'),
      gunzipSync(readFileSync(`${PROJECT}test/support/layouts/sqlite-0.1.0.db.gz`)),
    );
    const collections: readonly CollectionDescriptor[] = [
      {
        name: 'pages',
        fields: {
          title: { type: 'text', folded: true },
          slug: { type: 'text' },
          level: { type: 'integer' },
          sticky: { type: 'boolean' },
          tags: { type: 'integers' },
          extra: { type: 'json' },
          words: { type: 'texts' },
        },
        unique: [{ fields: ['slug'], except: { slug: '' } }],
        indexes: [
          ['level', 'title'],
          ['tags', 'title'],
        ],
        search: ['title'],
      },
    ];
    const store = await createSqliteStore({ directory, collections });
    await store.prepared?.();
    const { records } = await store.find({
      collection: 'pages',
      where: { op: 'contains', field: 'title', text: 'elan' },
      order: [{ field: 'id', direction: 'asc' }],
    });
    assert.equal(
      records.map(({ id, tags, extra, sticky }) => [id, tags, extra, sticky]),
      [
        [1, [0, 7], { a: [0] }, false],
        [3, [2, 7], { a: [2] }, true],
        [5, [4, 7], { a: [4] }, false],
      ],
    );
    assert.equal(await store.get('pages', 2), {
      id: 2,
      version: 2,
      title: 'Changed',
      slug: 'page-2',
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
    assert.is((await store.commit([{ op: 'create', collection: 'pages', values: {} }]))[0]?.id, 6);
    await store.commit([{ op: 'remove', collection: 'pages', id: 6 }]);
    assert.equal(store.checkIntegrity(), []);
    await store.close();
  }),
);
layouts.run();

/** How far the steps of a migration have come; -1: there are none. */
async function readStep(url: string, schema: string): Promise<number> {
  const admin = await openAdmin(url);
  try {
    return await admin.use(async (connection) => {
      const found = await connection.query(
        "SELECT 1 FROM pg_tables WHERE schemaname = $1 AND tablename = 'store:steps'",
        [schema],
      );
      if (found.length === 0) return -1;
      return Number(
        (
          await connection.query(
            `SELECT coalesce(max("after"), -1) AS "after" FROM "${schema}"."store:steps"`,
            [],
          )
        )[0]?.['after'],
      );
    });
  } finally {
    await admin.close();
  }
}

/** Takes back the last step of the layout. The older collections have nothing else that it changed. */
async function makeOlder(url: string, schema: string): Promise<void> {
  const admin = await openAdmin(url);
  await admin.use((connection) =>
    connection.script(
      `UPDATE "${schema}"."store:layout" SET "version" = 2; ALTER TABLE "${schema}"."store:collections" RENAME "newest_id" TO "last_id"`,
    ),
  );
  await admin.close();
}

type Server = Awaited<ReturnType<typeof startCluster>>;

function onPostgres({ url, control }: Server): void {
  const test = suite('postgres: a migration that is killed');
  const opened: Store[] = [];
  const open = async (schema: string, collections: readonly CollectionDescriptor[]): Promise<Store> => {
    const store = await createPostgresStore({ url, schema, collections });
    opened.push(store);
    return store;
  };

  test('lets programs of the old version read, and refuses what they write meanwhile', async () => {
    const schema = nameSchema();
    await fill(await open(schema, older), 15_000);
    const old = await open(schema, older);
    const state = { isDone: false, written: 0, reads: 0 };
    const reading = (async () => {
      for (; !state.isDone; state.reads += 1) {
        assert.is(
          (
            await old.find({
              collection: 'pages',
              where: { op: 'gt', field: 'id', value: state.reads },
              limit: 1,
            })
          ).records.length,
          1,
        );
        await wait(5);
      }
    })();
    const writing = (async () => {
      while (!state.isDone)
        await old
          .commit([{ op: 'update', collection: 'pages', id: 1, values: { slug: `slug ${state.written}` } }])
          .then(
            () => {
              state.written += 1;
            },
            (error: { code?: unknown }) => assert.is(error.code, 'unavailable'),
          );
    })();
    const store = await open(schema, newer);
    state.isDone = true;
    await Promise.all([reading, writing]);
    assert.ok(state.reads > 20, `${state.reads} reads`);
    assert.is(
      (
        await store.find({
          collection: 'pages',
          where: { op: 'contains', field: 'title', text: 'elan' },
          limit: 0,
          total: true,
        })
      ).total,
      15_000,
    );
    await store.close();
    await old.close();
  });

  test('fills what the old program changed after an interruption', async () => {
    const schema = nameSchema();
    await fill(await open(schema, older), 15_000);
    await killOpener(
      `createPostgresStore(${JSON.stringify({ url, schema }).slice(0, -1)}, collections })`,
      () => until(async () => (await readStep(url, schema)) >= 1000, 'the migration'),
    );
    assert.ok((await readStep(url, schema)) > 0, 'the kill came after the migration');
    const old = await open(schema, older);
    await old.commit([{ op: 'update', collection: 'pages', id: 2, values: { title: 'Élan changed' } }]);
    await old.close();
    const store = await open(schema, newer);
    const total = async (text: string): Promise<number> =>
      (
        await store.find({
          collection: 'pages',
          where: { op: 'contains', field: 'title', text },
          limit: 0,
          total: true,
        })
      ).total;
    assert.equal(
      [await total('elan'), await total('elan changed'), await readStep(url, schema)],
      [15_000, 1, -1],
    );
    await store.close();
  });

  test('with its process: the next start completes it, also from an older layout', async () => {
    let unfinished = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const schema = nameSchema();
      await fill(await open(schema, older));
      if (round % 2 === 1) await makeOlder(url, schema);
      if (
        !(await killOpener(
          `createPostgresStore(${JSON.stringify({ url, schema }).slice(0, -1)}, collections })`,
          30 + 150 * round,
        ))
      )
        unfinished += 1;
      const store = await open(schema, newer);
      await checkComplete(store);
      await store.close();
    }
    assert.ok(unfinished > 0, 'no kill came during the migration');
  });

  test('with the server: the next start completes it', async () => {
    let unfinished = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const schema = nameSchema();
      await fill(await open(schema, older));
      const migrating = createPostgresStore({ url, schema, collections: newer, log: () => undefined }).then(
        async (store) => {
          const isDone =
            (await store.prepared?.().then(
              () => true,
              () => false,
            )) ?? true;
          return { store, isDone };
        },
        () => null,
      );
      await wait(30 + 150 * round);
      await control.stop('immediate');
      await control.start();
      const broken = await migrating;
      if (broken === null || !broken.isDone) unfinished += 1;
      await broken?.store.close();
      const store = await open(schema, newer);
      await checkComplete(store);
      await store.close();
    }
    assert.ok(unfinished > 0, 'no stop came during the migration');
  });

  test('a server of the older program gets its records or 503 meanwhile, and its records afterwards', async () => {
    const schema = nameSchema();
    await fill(await open(schema, older));
    const old = await open(schema, older);
    const over = new AbortController();
    const migrating = createPostgresStore({ url, schema, collections: newer }).finally(() => over.abort());
    const outcomes = new Set<string>();
    while (!over.signal.aborted) {
      const outcome = await old.find({ collection: 'pages', limit: 1 }).then(
        ({ records }) => `${records.length}`,
        (error: { code?: string }) => error.code ?? String(error),
      );
      outcomes.add(outcome);
      await wait(5);
    }
    // The tables are locked while they change. A read never shows something else.
    assert.equal(
      [...outcomes].filter((outcome) => outcome !== '1' && outcome !== 'unavailable'),
      [],
    );
    const store = await migrating;
    await checkComplete(store);
    assert.is((await old.find({ collection: 'pages', limit: 1 })).records.length, 1);
    await Promise.all([store, old].map((each) => each.close()));
  });

  test('the server is removed', () => control.remove());
  test.run();
}

if (server === null) skipPostgres('postgres migrations');
else onPostgres(server);
