import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createSqliteStore, type SqliteStore } from '../../../../adapters/sqlite-store.ts';
import { contractCollections } from '../../../../adapters/stores/contract/collections.ts';
import { chooseDriver } from '../../../../adapters/stores/sqlite/drivers.ts';
import type { CollectionDescriptor } from '../../../../lib/store/collection.ts';
import type { Query } from '../../../../lib/store/query.ts';
import type { Operation } from '../../../../lib/store/store.ts';
import { inFolder } from '../../../support/temporary.ts';

const PROGRAM = fileURLToPath(new URL('../../../support/index-opener.js', import.meta.url));
const RECORDS = 15_000;
/** How long the program runs before it is killed. Milliseconds. Longer where it had not begun to build the index, which it does after a second. A fast machine builds it in half of another. */
const LIVES = [950, 1000, 1050, 1100, 1150, 1200, 1300, 1400, 1600, 2400, 3200] as const;
const before: readonly CollectionDescriptor[] = contractCollections.map(
  ({ search: _search, ...others }) => others,
);
const search = (text: string): Query => ({
  collection: 'articles',
  where: { op: 'contains', field: 'title', text },
  fields: [],
  limit: 5,
  total: true,
});

/** A store of a program that does not have the index yet. */
async function fillOld(directory: string): Promise<void> {
  const store = await createSqliteStore({ directory, collections: before, durability: 'relaxed' });
  await store.commit(
    Array.from({ length: RECORDS }, (_each, at): Operation => ({
      op: 'create',
      collection: 'articles',
      values: {
        title: `Title ${at} ${'words of a text '.repeat(20)} ${at % 1000 === 7 ? 'quibblewick' : ''}`,
      },
    })),
  );
  await store.close();
}

/** How many records the index does not have yet. */
async function countPending(directory: string): Promise<number> {
  const connection = (await chooseDriver()).open(join(directory, 'site.db'), 5000);
  const [name] = connection
    .prepare("SELECT name FROM sqlite_schema WHERE name GLOB 'text-index:articles:* pending'")
    .get([]) ?? [''];
  const [count] = connection.prepare(`SELECT count(*) FROM "${String(name)}"`).get([]) ?? [0];
  connection.close();
  return Number(count);
}

async function runAndKill(directory: string, life: number): Promise<void> {
  const child = spawn(process.execPath, ['--no-warnings', PROGRAM, directory], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  await once(child.stdout, 'data');
  await pause(life);
  child.kill('SIGKILL');
  await ended;
}

/** Opens the store, and waits for its index. */
async function openIndexed(
  directory: string,
  meanwhile: (store: SqliteStore) => Promise<void>,
): Promise<void> {
  const store = await createSqliteStore({
    directory,
    collections: contractCollections,
    durability: 'relaxed',
  });
  await meanwhile(store);
  await store.prepared?.();
  assert.is(await countPending(directory), 0);
  assert.equal((await store.find(search('quibblewick'))).total, RECORDS / 1000);
  await store.close();
}

const indexes = suite('sqlite: the text index of an existing store');

indexes('is built while the store is in use, and its process may be killed', () =>
  inFolder(async (directory) => {
    await fillOld(directory);
    let killed = RECORDS;
    for (const life of LIVES) {
      await runAndKill(directory, life);
      killed = await countPending(directory);
      if (killed < RECORDS) break;
    }
    assert.ok(killed > 0 && killed < RECORDS, `stopped with ${killed} of ${RECORDS} left`);
    await openIndexed(directory, async (store) => {
      assert.ok((await countPending(directory)) <= killed);
      assert.equal((await store.find(search('quibblewick'))).total, RECORDS / 1000);
      assert.equal((await store.find(search('absent word'))).total, 0);
      await store.commit([
        { op: 'update', collection: 'articles', id: 8, values: { title: 'absent words' } },
      ]);
      assert.equal(
        (await store.find(search('absent word'))).records.map(({ id }) => id),
        [8],
      );
      await store.commit([
        { op: 'update', collection: 'articles', id: 8, values: { title: 'a quibblewick' } },
      ]);
    });
  }),
);

indexes('follows what a program without the index wrote', () =>
  inFolder(async (directory) => {
    await fillOld(directory);
    const first = await createSqliteStore({
      directory,
      collections: contractCollections,
      durability: 'relaxed',
    });
    await first.close();
    const old = await createSqliteStore({ directory, collections: before, durability: 'relaxed' });
    await old.commit([
      { op: 'create', collection: 'articles', values: { title: 'newer quibblewick' } },
      { op: 'remove', collection: 'articles', id: 8 },
    ]);
    await old.close();
    await openIndexed(directory, async (store) => {
      assert.equal((await store.find(search('newer'))).total, 1);
    });
  }),
);

indexes.run();
