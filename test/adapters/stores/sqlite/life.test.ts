import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createSqliteStore } from '../../../../adapters/sqlite-store.ts';
import { rejectsStore } from '../../../../adapters/stores/contract/cases.ts';
import { contractCollections as collections } from '../../../../adapters/stores/contract/collections.ts';
import { chooseDriver } from '../../../../adapters/stores/sqlite/drivers.ts';
import { isSafeForMany } from '../../../../adapters/stores/sqlite/schema/ownership.ts';
import type { CollectionDescriptor } from '../../../../lib/store/collection.ts';
import type { Operation, Store } from '../../../../lib/store/store.ts';
import { createFaultyDriver, failAt } from '../../../support/faulty-driver.ts';
import { countRuns } from '../../../support/long-mode.ts';
import { inFolder } from '../../../support/temporary.ts';
import { LONGEST_TURN_MS, measureTurns, watchTurns } from '../../../support/turns.ts';

const article = (values: Readonly<Record<string, string | number | readonly number[]>>): Operation => ({
  op: 'create',
  collection: 'articles',
  values,
});

async function dump(store: Store): Promise<string> {
  const found = await Promise.all(
    ['articles', 'notes'].map((collection) => store.find({ collection, total: true })),
  );
  return JSON.stringify(found);
}

const restart = suite('sqlite: restarts');
restart('records, ids and revisions survive a restart', () =>
  inFolder(async (directory) => {
    const first = await createSqliteStore({ directory, collections });
    await first.commit([
      article({ title: 'Élan', tags: [1] }),
      article({ title: 'b' }),
      article({ title: 'gone' }),
    ]);
    await first.commit([{ op: 'remove', collection: 'articles', id: 3 }]);
    const before = [await dump(first), await first.revision(['articles'])];
    await first.close();
    const second = await createSqliteStore({ directory, collections });
    assert.equal([await dump(second), await second.revision(['articles'])], before);
    const [record] = await second.commit([article({ title: 'c' })]);
    assert.is(record?.id, 4);
    await second.close();
  }),
);
restart('the directory and its files are for the owner only', () =>
  inFolder(async (folder) => {
    const directory = join(folder, 'deep', 'store');
    const store = await createSqliteStore({ directory, collections });
    await store.commit([article({})]);
    assert.is(statSync(directory).mode & 0o777, 0o700);
    for (const name of ['site.db', 'site.db-wal'])
      assert.is(statSync(join(directory, name)).mode & 0o777, 0o600, name);
    await store.close();
  }),
);
restart('a commit waits for the disk unless the caller asks otherwise', () =>
  inFolder(async (directory) => {
    for (const [durability, synchronous] of [
      ['full', 2],
      ['relaxed', 1],
    ] as const) {
      const driver = await createFaultyDriver();
      const store = await createSqliteStore({ directory, collections, driver, durability });
      assert.ok(driver.log.includes(`PRAGMA synchronous = ${synchronous}`));
      await store.close();
    }
  }),
);
restart('commits of one turn share one transaction', () =>
  inFolder(async (directory) => {
    const driver = await createFaultyDriver();
    const store = await createSqliteStore({ directory, collections, driver });
    driver.log.length = 0;
    await Promise.all(
      Array.from({ length: 50 }, (_, index) => store.commit([article({ title: String(index) })])),
    );
    assert.is(driver.log.filter((sql) => sql === 'COMMIT').length, 1);
    assert.is((await store.find({ collection: 'articles', total: true })).total, 50);
    await store.close();
  }),
);
restart.run();

const owner = suite('sqlite: one directory, many stores');
owner('versions with the WAL-reset bug are not shared by several processes', () => {
  for (const [engine, expected] of [
    ['3.45.1', false],
    ['3.44.5', false],
    ['3.44.6', true],
    ['3.50.6', false],
    ['3.50.7', true],
    ['3.51.2', false],
    ['3.51.3', true],
    ['3.53.4', true],
    ['4.0.0', true],
  ] as const) {
    assert.is(isSafeForMany(engine), expected, engine);
  }
});
owner('a second store on the directory is refused if the engine is not safe for it', () =>
  inFolder(async (directory) => {
    const driver = { ...(await chooseDriver()), engine: '3.51.2' };
    const first = await createSqliteStore({ directory, collections, driver });
    await rejectsStore(createSqliteStore({ directory, collections, driver }), 'unavailable');
    await first.close();
    await (await createSqliteStore({ directory, collections, driver })).close();
  }),
);
owner('a second store on the directory sees what the first one writes', () =>
  inFolder(async (directory) => {
    // The rare fault of older engines needs two threads that write.
    const driver = { ...(await chooseDriver()), engine: '3.53.4' };
    const first = await createSqliteStore({ directory, collections, driver });
    const second = await createSqliteStore({ directory, collections, driver });
    const revision = await second.revision(['articles']);
    const total = async (): Promise<number> =>
      (await second.find({ collection: 'articles', total: true })).total;
    assert.is(await total(), 0);
    await first.commit([article({ title: 'a' })]);
    assert.is(await total(), 1);
    assert.ok((await second.revision(['articles'])) > revision);
    const made = await Promise.all(
      [first, second].flatMap((store) => Array.from({ length: 20 }, () => store.commit([article({})]))),
    );
    assert.is(new Set(made.map(([record]) => record?.id)).size, 40);
    assert.is(await total(), 41);
    await first.close();
    await second.commit([article({})]);
    await second.close();
  }),
);
owner('the mark of an ended process does not lock anybody out', () =>
  inFolder(async (directory) => {
    writeFileSync(join(directory, `running-${process.pid}-00000000`), '');
    await (await createSqliteStore({ directory, collections })).close();
  }),
);
owner.run();

const reserve = suite('sqlite: the file that only takes space');
reserve('is an aid: a store without it opens and closes, says so, and can be opened again', () =>
  inFolder(async (directory) => {
    mkdirSync(join(directory, 'reserve'));
    const notes: string[] = [];
    for (let time = 0; time < 2; time += 1) {
      const store = await createSqliteStore({
        directory,
        collections,
        log: (message) => {
          notes.push(message);
        },
      });
      await store.commit([article({})]);
      await store.close();
    }
    assert.is(notes.filter((note) => note.includes(join(directory, 'reserve'))).length, 4);
  }),
);
reserve('does not matter to the close of a store whose directory was removed', () =>
  inFolder(async (folder) => {
    const directory = join(folder, 'store');
    const store = await createSqliteStore({ directory, collections });
    rmSync(directory, { recursive: true });
    await store.close();
    assert.is(existsSync(directory), false);
  }),
);
reserve('tells an emptied file from one that a process has left while it made a new store', () =>
  inFolder(async (directory) => {
    const open = () => createSqliteStore({ directory, collections });
    const file = join(directory, 'site.db');
    await (await open()).close();
    writeFileSync(file, '');
    await rejectsStore(open(), 'unavailable');
    assert.is(statSync(file).size, 0);
    for (const left of [[], ['lock', 'running-1-aaaa']]) {
      rmSync(directory, { recursive: true });
      mkdirSync(directory);
      for (const name of [...left, 'site.db']) writeFileSync(join(directory, name), '');
      await (await open()).close();
    }
    rmSync(file);
    const store = await open();
    assert.is(existsSync(join(directory, 'reserve')), true);
    await store.close();
  }),
);
reserve('is given up before a new store is made, and taken once it is made', () =>
  inFolder(async (directory) => {
    await (await createSqliteStore({ directory, collections })).close();
    rmSync(join(directory, 'site.db'));
    const real = await chooseDriver();
    const driver = {
      ...real,
      open: (path: string, busyMs: number) => {
        if (!path.endsWith('site.db')) return real.open(path, busyMs);
        writeFileSync(path, '');
        throw new Error('the process ends here');
      },
    };
    await createSqliteStore({ directory, collections, driver }).then(
      () => assert.unreachable(),
      () => undefined,
    );
    assert.is(statSync(join(directory, 'site.db')).size, 0);
    await (await createSqliteStore({ directory, collections })).close();
  }),
);
reserve.run();

const backup = suite('sqlite: backup');
backup('is a complete store, written while commits continue', () =>
  inFolder(async (folder) => {
    const [directory, copy] = [join(folder, 'site'), join(folder, 'copies', 'today')];
    const store = await createSqliteStore({ directory, collections });
    for (let count = 0; count < 30; count += 1)
      await store.commit([
        article({ title: `t${count}`, tags: [count % 3] }),
        { op: 'create', collection: 'notes', values: { text: `n${count}`, order: count } },
      ]);
    const state = { isDone: false };
    const writing = (async () => {
      while (!state.isDone)
        await store.commit([
          article({ title: 'later' }),
          {
            op: 'create',
            collection: 'notes',
            values: { text: `later ${Math.random()}`, order: Math.floor(Math.random() * 1e9) },
          },
        ]);
    })();
    await store.backup(copy);
    state.isDone = true;
    await writing;
    const opened = await createSqliteStore({ directory: copy, collections });
    const articles = await opened.find({ collection: 'articles', total: true });
    const notes = await opened.find({ collection: 'notes', total: true });
    assert.ok(articles.total >= 30);
    assert.is(articles.total, notes.total);
    for (const record of articles.records) assert.equal(record, await store.get('articles', record.id));
    await opened.commit([article({ title: 'in the copy' })]);
    await opened.close();
    await store.close();
  }),
);
/** Of a hundred long records. */
const GROUPS = countRuns(40, 40);

backup('does not stop the process, and one that runs is completed when the store is closed', () =>
  inFolder(async (folder) => {
    const store = await createSqliteStore({
      directory: join(folder, 'site'),
      collections,
      durability: 'relaxed',
    });
    const text = 'The harbour wakes before the town does. '.repeat(250);
    for (let group = 0; group < GROUPS; group += 1)
      await store.commit(
        Array.from({ length: 100 }, (_each, at) => article({ title: `${group} ${at} ${text}` })),
      );
    const longest = await measureTurns(async () => {
      const turns = watchTurns();
      await store.backup(join(folder, 'copy'));
      return turns.stop();
    });
    assert.ok(longest < LONGEST_TURN_MS, `${longest} ms`);
    const last = store.backup(join(folder, 'last'));
    await store.close();
    await last;
    const opened = await createSqliteStore({ directory: join(folder, 'last'), collections });
    assert.is((await opened.find({ collection: 'articles', limit: 0, total: true })).total, 100 * GROUPS);
    await opened.close();
  }),
);
backup('is readable for its owner alone while it is made, in any directory', () =>
  inFolder(async (folder) => {
    const copy = join(folder, 'copy');
    mkdirSync(copy, { mode: 0o755 });
    const store = await createSqliteStore({
      directory: join(folder, 'site'),
      collections,
      durability: 'relaxed',
    });
    const text = 'The harbour wakes before the town does. '.repeat(250);
    for (let group = 0; group < 10; group += 1)
      await store.commit(
        Array.from({ length: 100 }, (_each, at) => article({ title: `${group} ${at} ${text}` })),
      );
    const seen = new Map<string, number>();
    const state = { isDone: false };
    const made = store.backup(copy).finally(() => {
      state.isDone = true;
    });
    while (!state.isDone) {
      for (const name of readdirSync(copy).filter((each) => each.startsWith('.new-'))) {
        const { mode } = statSync(join(copy, name, 'site.db'), { throwIfNoEntry: false }) ?? {};
        if (mode !== undefined) seen.set(name, (seen.get(name) ?? 0) | (mode & 0o777));
      }
      await new Promise(setImmediate);
    }
    await made;
    assert.is(seen.size, 1);
    assert.equal(
      [...seen.values()].filter((mode) => mode !== 0o600),
      [],
      [...seen].join(' '),
    );
    await store.close();
  }),
);
backup('replaces an older one completely', () =>
  inFolder(async (folder) => {
    const copy = join(folder, 'copy');
    const store = await createSqliteStore({ directory: join(folder, 'site'), collections });
    for (const total of [1, 2]) {
      await store.commit([article({})]);
      await store.backup(copy);
      const opened = await createSqliteStore({ directory: copy, collections });
      assert.is((await opened.find({ collection: 'articles', total: true })).total, total);
      await opened.close();
    }
    await store.close();
  }),
);
backup(
  'does not replace the file of a store in use, also where several processes may share a directory',
  () =>
    inFolder(async (folder) => {
      const driver = { ...(await chooseDriver()), engine: '4.0.0' };
      const [directory, other, link] = ['site', 'other', 'link'].map((name) => join(folder, name)) as [
        string,
        string,
        string,
      ];
      const open = (at: string) => createSqliteStore({ directory: at, collections, driver });
      const stores = [await open(directory), await open(other)] as const;
      symlinkSync(directory, link);
      for (const target of [other, link]) await rejectsStore(stores[0].backup(target), 'unavailable');
      for (const store of stores) await store.commit([article({ title: 'later' })]);
      for (const store of stores) await store.close();
      for (const at of [directory, other]) {
        const store = await open(at);
        assert.is((await store.find({ collection: 'articles', total: true })).total, 1, at);
        await store.close();
      }
    }),
);
backup('of a process that was killed leaves nothing beside a store once that is opened again', () =>
  inFolder(async (directory) => {
    for (const name of ['.new-site-a1B2c3', '.new-photos']) {
      mkdirSync(join(directory, name));
      writeFileSync(join(directory, name, 'site.db'), 'x');
    }
    await (await createSqliteStore({ directory, collections })).close();
    assert.equal(
      readdirSync(directory).filter((name) => name.startsWith('.new-')),
      ['.new-photos'],
    );
  }),
);
backup('has its sum beside it, and an older one stays if the check of the new one fails', () =>
  inFolder(async (folder) => {
    const copy = join(folder, 'copy');
    const store = await createSqliteStore({ directory: join(folder, 'site'), collections });
    await store.backup(copy);
    const sum = (): string =>
      `${createHash('sha256')
        .update(readFileSync(join(copy, 'site.db')))
        .digest('hex')}  site.db\n`;
    const before = sum();
    assert.is(readFileSync(join(copy, 'site.db.sha256'), 'utf8'), before);
    await store.commit([article({})]);
    await rejectsStore(
      store.backup(copy, {
        check: async () => {
          throw new Error('not good');
        },
      }),
      'unavailable',
    );
    assert.is(sum(), before);
    assert.equal(readdirSync(copy).sort(), ['lock', 'site.db', 'site.db.sha256']);
    await store.close();
  }),
);
backup('into its own directory, or over a file, or after close is refused', () =>
  inFolder(async (folder) => {
    const directory = join(folder, 'site');
    const store = await createSqliteStore({ directory, collections });
    await rejectsStore(store.backup(directory), 'unavailable');
    writeFileSync(join(folder, 'file'), '');
    await rejectsStore(store.backup(join(folder, 'file')), 'unavailable');
    await store.close();
    await rejectsStore(store.backup(join(folder, 'late')), 'closed');
  }),
);
backup.run();

const before: CollectionDescriptor = {
  name: 'things',
  fields: { name: { type: 'text' }, list: { type: 'json' } },
  indexes: [['name']],
};

const migrations = suite('sqlite: new descriptors');
const open = (directory: string, ...shapes: readonly CollectionDescriptor[]) =>
  createSqliteStore({ directory, collections: shapes });
async function start(directory: string): Promise<void> {
  const store = await open(directory, before);
  await store.commit(
    ['É', 'b', 'É'].map((name) => ({ op: 'create', collection: 'things', values: { name, list: [1] } })),
  );
  await store.close();
}
migrations('add fields, folded texts, lists, indexes and collections to existing ones', () =>
  inFolder(async (directory) => {
    await start(directory);
    const store = await open(
      directory,
      {
        name: 'things',
        indexes: [['count', 'name']],
        fields: {
          name: { type: 'text', folded: true },
          list: { type: 'json' },
          count: { type: 'integer' },
          tags: { type: 'integers' },
          on: { type: 'boolean' },
        },
      },
      { name: 'others', fields: { name: { type: 'text' } } },
    );
    const { records } = await store.find({
      collection: 'things',
      where: { op: 'contains', field: 'name', text: 'é' },
    });
    assert.equal(
      records,
      [1, 3].map((id) => ({ id, version: 1, name: 'É', list: [1], count: 0, tags: [], on: false })),
    );
    await store.commit([
      { op: 'update', collection: 'things', id: 1, values: { tags: [5] } },
      { op: 'create', collection: 'others', values: { name: 'x' } },
    ]);
    assert.is(
      (
        await store.find({
          collection: 'things',
          where: { op: 'hasAny', field: 'tags', values: [5] },
          total: true,
        })
      ).total,
      1,
    );
    await store.close();
  }),
);
migrations('keep fields and collections that are no longer declared', () =>
  inFolder(async (directory) => {
    await start(directory);
    const less = await open(directory, { name: 'things', fields: { name: { type: 'text' } } });
    assert.equal((await less.find({ collection: 'things', limit: 1 })).records, [
      { id: 1, version: 1, name: 'É' },
    ]);
    await less.commit([{ op: 'create', collection: 'things', values: { name: 'd' } }]);
    await less.close();
    const again = await open(directory, before);
    assert.equal(
      (await again.find({ collection: 'things' })).records.map((record) => record['list']),
      [[1], [1], [1], null],
    );
    await again.close();
  }),
);
migrations(
  'are refused, and change nothing, when a field changes its type or records violate a new key',
  () =>
    inFolder(async (directory) => {
      await start(directory);
      await rejectsStore(
        open(directory, { name: 'things', fields: { name: { type: 'integer' } } }),
        'unavailable',
      );
      const refused = await rejectsStore(
        open(directory, { ...before, unique: [{ fields: ['name'] }] }),
        'unavailable',
      );
      assert.match(
        refused.message,
        /Collection things: several records of the store have the same name, which is now declared a unique key\. Change these records/,
      );
      const store = await open(directory, before);
      assert.is((await store.find({ collection: 'things', total: true })).total, 3);
      await store.close();
    }),
);
migrations('that die at any statement leave a file that can be migrated', async () => {
  let state = { reached: true };
  for (let at = 0; state.reached; at += 1) {
    await inFolder(async (directory) => {
      await start(directory);
      const next: readonly CollectionDescriptor[] = [
        {
          ...before,
          fields: { name: { type: 'text', folded: true }, list: { type: 'json' }, tags: { type: 'texts' } },
          indexes: [['name'], ['name', 'version']],
        },
        { name: 'others', fields: { tags: { type: 'integers' } } },
      ];
      const driver = await createFaultyDriver();
      state = failAt(driver, at, new Error('died'));
      await createSqliteStore({ directory, collections: next, driver }).then(
        (store) => store.close(),
        () => undefined,
      );
      const store = await createSqliteStore({ directory, collections: next });
      assert.is(
        (
          await store.find({
            collection: 'things',
            where: { op: 'equalsFolded', field: 'name', text: 'é' },
            total: true,
          })
        ).total,
        2,
      );
      await store.close();
    });
  }
});
migrations.run();
