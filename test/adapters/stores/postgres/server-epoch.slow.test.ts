import { setTimeout as pause } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createPostgresStore } from '../../../../adapters/postgres-store.ts';
import { rejectsStore } from '../../../../adapters/stores/contract/cases.ts';
import { contractCollections as collections } from '../../../../adapters/stores/contract/collections.ts';
import type { Operation, Store } from '../../../../lib/store/store.ts';
import {
  findPostgres,
  nameSchema,
  openAdmin,
  skipPostgres,
  type startCluster,
} from '../../../support/postgres.ts';
import { untilDone } from '../../../support/until.ts';

type Server = Awaited<ReturnType<typeof startCluster>>;

const article = (values: Record<string, string | number> = {}): Operation => ({
  op: 'create',
  collection: 'articles',
  values,
});

const untilUp = <T>(run: () => Promise<T>): Promise<T> => untilDone(run, 'the server');

function lives({ url, control }: Server): void {
  const test = suite('postgres: Life');
  const ask = async (sql: string): Promise<string> => {
    const admin = await openAdmin(url);
    try {
      const { rows } = await admin.use((connection) => connection.script(sql));
      return String(Object.values(rows[0] ?? {})[0]);
    } finally {
      await admin.close();
    }
  };
  const onStores =
    (run: (open: () => Promise<Store>, schema: string) => Promise<void>) => async (): Promise<void> => {
      const schema = nameSchema();
      const stores: Store[] = [];
      try {
        await run(async () => {
          const store = await createPostgresStore({ url, schema, collections });
          stores.push(store);
          return store;
        }, schema);
      } finally {
        await Promise.all(stores.map((store) => store.close()));
      }
    };
  const crash = async (): Promise<void> => {
    await control.stop('immediate');
    await control.start();
  };

  test('the server does not write its log by itself', async () => {
    for (const setting of ["wal_writer_delay = '10s'", "wal_writer_flush_after = '1GB'"])
      await ask(`ALTER SYSTEM SET ${setting}`);
    await control.stop('fast');
    await control.start();
    assert.is(await ask('SHOW wal_writer_delay'), '10s');
  });

  test(
    'commits that may be durable later wait for the disk together, at the flush',
    onStores(async (open) => {
      const store = await open();
      const syncs = async (): Promise<number> =>
        Number(
          await ask('SELECT pg_stat_force_next_flush(), pg_sleep(0.1); SELECT wal_sync FROM pg_stat_wal'),
        );
      const count = async (run: () => Promise<void>): Promise<number> => {
        const before = await syncs();
        await run();
        // The statistics of a connection are sent after its next statement, a second later at most.
        await pause(1100);
        await store.commit([article()]);
        await pause(100);
        return (await syncs()) - before;
      };
      const flushed = await count(async () => {
        for (let at = 0; at < 25; at += 1) await store.commit([article()], 'later');
        await store.flush();
      });
      const alone = await count(async () => {
        for (let at = 0; at < 25; at += 1) await store.commit([article()]);
      });
      assert.ok(alone >= 25, `${alone} syncs for 25 commits`);
      assert.ok(flushed <= 5, `${flushed} syncs for 25 commits that are flushed together`);
    }),
  );

  test(
    'what was not flushed is lost in a crash: the flush says so, and no id, version or revision comes again',
    onStores(async (open) => {
      const [store, other] = [await open(), await open()];
      await store.commit([article({ level: 1 })]);
      const began = performance.now();
      const [lost] = await store.commit([article({ level: 2 })], 'later');
      const [undone] = await store.commit(
        [{ op: 'update', collection: 'articles', id: 1, values: { level: 3 } }],
        'later',
      );
      assert.is((await other.get('articles', lost?.id ?? 0))?.['level'], 2, 'others see it at once');
      const names = [['articles'], ['notes'], []];
      const seen = await Promise.all(names.map((each) => other.revision(each)));
      await crash();
      assert.is(
        await untilUp(() => Promise.resolve(other.get('articles', lost?.id ?? 0))),
        null,
        'the server has written it by itself',
      );
      const [made] = await untilUp(() => other.commit([article({ level: 4 })]));
      assert.ok((made?.id ?? 0) > (lost?.id ?? 0), `${made?.id} was given again`);
      for (const [at, each] of names.entries())
        for (const one of [store, other])
          assert.ok((await one.revision(each)) > (seen[at] ?? Infinity), `the revision of ${each.join()}`);
      const [changed] = await other.commit([
        { op: 'update', collection: 'articles', id: 1, values: { level: 6 } },
      ]);
      assert.ok(
        (changed?.version ?? 0) > (undone?.version ?? Infinity),
        `version ${changed?.version} was given again`,
      );
      await rejectsStore(
        other.commit([
          { op: 'update', collection: 'articles', id: 1, values: { level: 7 }, version: undone?.version },
        ]),
        'version',
      );
      const [next] = await store.commit([
        { op: 'update', collection: 'articles', id: 1, values: { level: 1 } },
      ]);
      assert.is(next?.version, (changed?.version ?? 0) + 1);
      await rejectsStore(store.flush(began), 'unavailable');
      await rejectsStore(store.flush(), 'unavailable');
      const later = performance.now();
      await store.commit([article({ level: 5 })], 'later');
      await store.flush(later);
      await other.flush(began);
      assert.equal(
        (
          await store.find({
            collection: 'articles',
            total: true,
            order: [{ field: 'id', direction: 'asc' }],
          })
        ).records.map(({ level }) => level),
        [1, 4, 5],
      );
    }),
  );

  test(
    'what was flushed, and what a durable commit was written behind, survives',
    onStores(async (open) => {
      const store = await open();
      await store.commit([article({ level: 1 })], 'later');
      await store.flush();
      await store.commit([article({ level: 2 })], 'later');
      await store.commit([article({ level: 3 })]);
      await crash();
      assert.equal(
        (
          await untilUp(() =>
            store.find({ collection: 'articles', order: [{ field: 'id', direction: 'asc' }] }),
          )
        ).records.map(({ level }) => level),
        [1, 2, 3],
      );
    }),
  );

  test(
    'most operations wait for the disk if many have not',
    onStores(async (open) => {
      const store = await open();
      for (let at = 0; at < 60; at += 1) await store.commit([article()], 'later');
      await crash();
      const { total } = await untilUp(() => store.find({ collection: 'articles', total: true, limit: 0 }));
      assert.ok(total >= 51, `${total} of 60`);
    }),
  );

  test(
    'tables of the first layout get what they lack',
    onStores(async (open, schema) => {
      await (await open()).commit([article({ level: 1 })]);
      await ask(`DROP TABLE "${schema}"."store:life"; DELETE FROM "${schema}"."store:collections" WHERE "collection" = 'store:life'; UPDATE "${schema}"."store:layout" SET "version" = 1;
      ALTER TABLE "${schema}"."store:collections" RENAME "newest_id" TO "last_id"`);
      const store = await open();
      assert.equal(
        (await store.commit([article()])).map((record) => record?.id),
        [2],
      );
      assert.is(await ask(`SELECT "version" FROM "${schema}"."store:layout"`), '4');
    }),
  );

  test('the server is removed', () => control.remove());
  test.run();
}

// The test crashes the server, so it needs one that nobody else uses.
const server = await findPostgres({ fsync: true, own: true });
if (server?.control) lives({ ...server, control: server.control });
else skipPostgres('postgres: Life');
