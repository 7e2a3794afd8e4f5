import { copyFileSync, existsSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createSqliteStore, type SqliteStore } from '../../../../../adapters/sqlite-store.ts';
import { rejectsStore } from '../../../../../adapters/stores/contract/cases.ts';
import { contractCollections as collections } from '../../../../../adapters/stores/contract/collections.ts';
import { sqliteDialect } from '../../../../../adapters/stores/sqlite/dialect.ts';
import type { Connection } from '../../../../../adapters/stores/sqlite/driver.ts';
import { chooseDriver } from '../../../../../adapters/stores/sqlite/drivers.ts';
import { migrate } from '../../../../../adapters/stores/sqlite/schema/migrate.ts';
import { isSafeForMany } from '../../../../../adapters/stores/sqlite/schema/ownership.ts';
import { Session } from '../../../../../adapters/stores/sqlite/session.ts';
import { Revisions } from '../../../../../adapters/stores/sqlite/write/revisions.ts';
import { Transaction } from '../../../../../adapters/stores/sqlite/write/transaction.ts';
import { eq } from '../../../../../lib/store/query.ts';
import type { Operation, Store, StoreErrorCode } from '../../../../../lib/store/store.ts';
import { createFaultyDriver, fault, type FaultyDriver } from '../../../../support/faulty-driver.ts';
import { withMovedClock } from '../../../../support/moved-clock.ts';
import { inFolder } from '../../../../support/temporary.ts';

const article = (slug: string): Operation => ({ op: 'create', collection: 'articles', values: { slug } });
// Before the first suite is asked to run: an await between suites would have them run side by side.
const { engine } = await chooseDriver();
const FULL = 13;
const IO = 10;

interface Opened {
  readonly store: SqliteStore;
  readonly driver: FaultyDriver;
  readonly directory: string;
}

/** Transactions are held as briefly as they are for users. */
async function onHastyStore(test: (opened: Opened) => Promise<void>): Promise<void> {
  await inFolder(async (directory) => {
    const driver = await createFaultyDriver();
    const store = await createSqliteStore({ directory, collections, driver });
    driver.log.splice(0);
    try {
      await test({ store, driver, directory });
    } finally {
      driver.before = () => undefined;
      await store.close();
    }
  });
}

async function slugs(store: Store): Promise<readonly unknown[]> {
  const { records } = await store.find({
    collection: 'articles',
    order: [{ field: 'id', direction: 'asc' }],
  });
  return records.map((record) => record['slug']);
}

/** The files as they would remain if the process were killed now. */
async function afterCrash(directory: string): Promise<readonly unknown[]> {
  const copy = mkdtempSync(join(directory, 'copy-'));
  for (const name of ['site.db', 'site.db-wal'])
    if (existsSync(join(directory, name))) copyFileSync(join(directory, name), join(copy, name));
  const store = await createSqliteStore({ directory: copy, collections });
  const found = await slugs(store);
  await store.close();
  return found;
}

async function onConnection<T>(directory: string, run: (other: Connection) => T): Promise<T> {
  const other = (await chooseDriver()).open(join(directory, 'site.db'), 0);
  try {
    return run(other);
  } finally {
    other.close();
  }
}

const count = ({ log }: FaultyDriver, sql: string): number => log.filter((each) => each === sql).length;

/** On a store whose transactions are held for seconds, so that a busy machine does not end one too early. */
async function onStore(test: (opened: Opened) => Promise<void>): Promise<void> {
  const { setTimeout: start } = globalThis;
  try {
    globalThis.setTimeout = Object.assign((task: () => void, time = 0) => start(task, time * 500), start);
    await onHastyStore(test);
  } finally {
    globalThis.setTimeout = start;
  }
}

const held = suite('sqlite: commits that may become durable later');
held('share one transaction, which the flush ends', () =>
  onStore(async ({ store, driver, directory }) => {
    for (const slug of ['a', 'b', 'c']) await store.commit([article(slug)], 'later');
    assert.equal([count(driver, 'BEGIN IMMEDIATE'), count(driver, 'COMMIT')], [1, 0]);
    assert.equal([await slugs(store), await afterCrash(directory)], [['a', 'b', 'c'], []]);
    await store.flush();
    assert.equal([count(driver, 'BEGIN IMMEDIATE'), count(driver, 'COMMIT')], [1, 1]);
    assert.equal(await afterCrash(directory), ['a', 'b', 'c']);
  }),
);
/** Commits one after the other, as the items of a batch, and a flush. */
async function runBatch(store: Store, slugsOfItems: readonly string[]): Promise<void> {
  for (const slug of slugsOfItems) await store.commit([article(slug)], 'later');
  await store.flush();
}
held('are written by the flush although others go on', () =>
  onHastyStore(async ({ store, directory }) => {
    const over = new AbortController();
    const others = (async () => {
      for (let at = 0; !over.signal.aborted; at += 1) await store.commit([article(`other-${at}`)], 'later');
    })();
    await runBatch(store, ['a', 'b']);
    const written = await afterCrash(directory);
    over.abort();
    await others;
    assert.ok(written.includes('a') && written.includes('b'));
  }),
);
held('increase the revision one by one, in the process at once and in the file at the end', () =>
  onStore(async ({ store, directory }) => {
    const seen = [await store.revision(['articles'])];
    for (const slug of ['a', 'b']) {
      await store.commit([article(slug)], 'later');
      seen.push(await store.revision(['articles']));
    }
    assert.equal(seen, [0, 1, 2]);
    await store.close();
    const again = await createSqliteStore({ directory, collections });
    assert.is(await again.revision(['articles']), 2);
    await again.close();
  }),
);
held('fail alone', () =>
  onStore(async ({ store, driver }) => {
    await store.commit([article('a')], 'later');
    await rejectsStore(
      store.commit(
        [{ op: 'update', collection: 'articles', id: 1, values: { title: 'half' } }, article('a')],
        'later',
      ),
      'unique',
    );
    await store.commit([article('b')], 'later');
    await store.flush();
    assert.equal([await slugs(store), count(driver, 'COMMIT')], [['a', 'b'], 1]);
    assert.equal((await store.get('articles', 1))?.version, 1);
  }),
);
held('that all fail leave nothing to write', () =>
  onStore(async ({ store, driver }) => {
    await rejectsStore(store.commit([{ op: 'remove', collection: 'articles', id: 7 }], 'later'), 'missing');
    await store.flush();
    assert.equal([count(driver, 'COMMIT'), count(driver, 'ROLLBACK')], [0, 1]);
  }),
);
held('are written before a commit that must be durable now, even if that one fails', () =>
  onStore(async ({ store, driver, directory }) => {
    await store.commit([article('a')], 'later');
    await store.commit([article('b')]);
    assert.equal([await afterCrash(directory), count(driver, 'COMMIT')], [['a', 'b'], 2]);
    await store.commit([article('c')], 'later');
    await rejectsStore(store.commit([article('a')]), 'unique');
    assert.equal(await afterCrash(directory), ['a', 'b', 'c']);
  }),
);
held('let other processes write soon', () =>
  onHastyStore(async ({ store, directory }) => {
    const canWrite = (): Promise<boolean> =>
      onConnection(directory, (other) => {
        try {
          other.exec('BEGIN IMMEDIATE; ROLLBACK');
          return true;
        } catch {
          return false;
        }
      });
    await store.commit([article('a')], 'later');
    assert.is(await canWrite(), false);
    while (!(await canWrite())) await wait(1);
    assert.equal(await afterCrash(directory), ['a']);
    await store.commit([article('b')], 'later');
    await store.flush();
    assert.equal(await afterCrash(directory), ['a', 'b']);
  }),
);
held('are in a backup, and written when the store is closed', () =>
  onStore(async ({ store, directory }) => {
    await store.commit([article('a')], 'later');
    await store.backup(join(directory, 'backup'));
    await store.commit([article('b')], 'later');
    await store.close();
    for (const [folder, expected] of [
      ['backup', ['a']],
      ['.', ['a', 'b']],
    ] as const) {
      const copy = await createSqliteStore({ directory: join(directory, folder), collections });
      assert.equal(await slugs(copy), expected);
      await copy.close();
    }
  }),
);
held.run();

const lost = suite('sqlite: commits that were seen and cannot be written');
async function lose(
  { store, driver }: Opened,
  end: () => Promise<unknown>,
  code: StoreErrorCode,
): Promise<void> {
  await store.commit([article('kept')]);
  await store.commit([article('lost')], 'later');
  const before = Number(await store.revision(['articles']));
  driver.before = (sql) => {
    if (sql === 'COMMIT') throw fault(FULL);
  };
  await rejectsStore(end(), code);
  driver.before = () => undefined;
  assert.equal(await slugs(store), ['kept']);
  assert.ok(Number(await store.revision(['articles'])) > before, 'the revision has stood for something else');
  assert.ok(
    Number(await store.revision([])) > 0,
    'what was kept of other collections alone may rest on them, too',
  );
}

const ENDS: readonly (readonly [
  title: string,
  code: StoreErrorCode,
  end: (store: Store) => Promise<unknown>,
])[] = [
  ['by a flush', 'full', (store) => store.flush()],
  ['by a commit of somebody else', 'unavailable', (store) => store.commit([article('other')])],
];
for (const [title, code, end] of ENDS) {
  lost(`${title}: are gone as a whole, nobody is told otherwise, and nothing is written for now`, () =>
    onStore(async (opened) => {
      const { store, directory } = opened;
      await lose(opened, () => end(store), code);
      await rejectsStore(store.flush(), 'unavailable');
      await rejectsStore(store.commit([article('refused')]), 'unavailable');
      await rejectsStore(store.commit([article('refused')], 'later'), 'unavailable');
      assert.equal(await slugs(store), ['kept']);
      await store.close();
      const again = await createSqliteStore({ directory, collections });
      await again.commit([article('written')], 'later');
      await again.flush();
      assert.equal(await slugs(again), ['kept', 'written']);
      await again.close();
    }),
  );
}
lost('when the transaction ends: the next flush reports it', () =>
  onHastyStore(async ({ store, driver }) => {
    await store.commit([article('lost')], 'later');
    driver.before = (sql) => {
      if (sql === 'COMMIT') throw fault(FULL);
    };
    while (!driver.log.includes('ROLLBACK'))
      await new Promise((resolve) => {
        setTimeout(resolve, 1);
      });
    driver.before = () => undefined;
    await rejectsStore(store.flush(), 'unavailable');
    assert.equal(await slugs(store), []);
  }),
);
lost('a commit that nobody has seen fails alone, and the store heals', () =>
  onStore(async ({ store, driver }) => {
    await store.commit([article('kept')]);
    driver.before = (sql) => {
      if (sql.startsWith('INSERT INTO "articles" ')) throw fault(FULL);
    };
    await rejectsStore(store.commit([article('refused')], 'later'), 'full');
    driver.before = () => undefined;
    await store.commit([article('healed')], 'later');
    await store.flush();
    assert.equal(await slugs(store), ['kept', 'healed']);
  }),
);
lost(
  'a loss to a full disk stops writes for half a second, and fails the flushes of callers that may have seen the items',
  () =>
    onStore((opened) =>
      withMovedClock(async (clock) => {
        const { store } = opened;
        const before = performance.now();
        await lose(opened, () => store.flush(), 'full');
        await rejectsStore(store.commit([article('soon')]), 'unavailable');
        clock.block(520);
        await store.commit([article('healed')]);
        const after = performance.now();
        await store.commit([article('late')], 'later');
        await rejectsStore(store.flush(before), 'unavailable');
        await rejectsStore(store.flush(), 'unavailable');
        await store.flush(after);
        clock.block(6 * 60_000);
        await store.flush();
        assert.equal(await slugs(store), ['kept', 'healed', 'late']);
      }),
    ),
);
lost(
  'no later record gets an id or a version that was lost, so that a long call that saw them cannot mean another record',
  () =>
    onStore((opened) =>
      withMovedClock(async (clock) => {
        const { store, directory } = opened;
        await store.commit([article('other'), article('gone')]);
        await store.commit(
          [{ op: 'update', collection: 'articles', id: 1, values: { title: 'lost' } }],
          'later',
        );
        const seen = (await store.commit([article('lost 1'), article('lost 2')], 'later')).map(
          (record) => record?.id,
        );
        opened.driver.before = (sql) => {
          if (sql === 'COMMIT') throw fault(FULL);
        };
        await rejectsStore(store.flush(), 'full');
        opened.driver.before = () => undefined;
        clock.block(520);
        const made = (await store.commit([article('a'), article('b')], 'later')).map((record) => record?.id);
        assert.equal(
          [seen, made],
          [
            [3, 4],
            [5, 6],
          ],
        );
        await rejectsStore(
          store.commit(
            [{ op: 'update', collection: 'articles', id: 3, values: { title: 'stale' } }],
            'later',
          ),
          'missing',
        );
        await store.commit(
          [{ op: 'update', collection: 'articles', id: 1, values: { title: 'theirs' } }],
          'later',
        );
        await rejectsStore(
          store.commit(
            [{ op: 'update', collection: 'articles', id: 1, version: 2, values: { title: 'stale' } }],
            'later',
          ),
          'version',
        );
        await store.commit([{ op: 'remove', collection: 'articles', id: 6 }]);
        await store.close();
        const again = await createSqliteStore({ directory, collections });
        assert.is((await again.commit([article('c')]))[0]?.id, 7);
        await again.close();
      }),
    ),
);
lost('an item that the engine refuses leaves the others of its batch alone', () =>
  onStore(async ({ store, driver, directory }) => {
    await store.commit([article('first')], 'later');
    driver.before = (sql) => {
      if (sql.startsWith('INSERT INTO "articles" ')) throw fault(FULL);
    };
    await rejectsStore(store.commit([article('refused')], 'later'), 'full');
    driver.before = () => undefined;
    await store.commit([article('last')], 'later');
    await store.flush();
    assert.equal(await afterCrash(directory), ['first', 'last']);
  }),
);
lost('so does a later item of the same turn that nobody has seen', () =>
  onStore(async ({ store, driver }) => {
    let inserts = 0;
    driver.before = (sql) => {
      if (sql.startsWith('INSERT INTO "articles" ') && ++inserts === 2) throw fault(FULL);
    };
    await Promise.all([
      store.commit([article('a')], 'later'),
      rejectsStore(store.commit([article('b')], 'later'), 'full'),
    ]);
    driver.before = () => undefined;
    await store.commit([article('healed')]);
    assert.equal(await slugs(store), ['a', 'healed']);
  }),
);
lost('waiting callers get the error even when the file can no longer be read', () =>
  onStore(async ({ store, driver }) => {
    await store.commit([article('kept')]);
    await store.commit([article('lost')], 'later');
    driver.before = (sql) => {
      if (sql === 'COMMIT' || sql.startsWith('SELECT')) throw fault(IO);
    };
    await rejectsStore(store.commit([article('other')]), 'unavailable');
    await rejectsStore(store.flush(), 'unavailable');
    driver.before = () => undefined;
    assert.equal(await slugs(store), ['kept']);
  }),
);
lost.run();

const alone = suite('sqlite: a commit that is alone in its transaction');
const isSelect = (sql: string): boolean => sql.startsWith('SELECT');
const retitle = (title: string, version?: number): Operation => ({
  op: 'update',
  collection: 'articles',
  id: 1,
  values: { title },
  ...(version === undefined ? {} : { version }),
});
alone('needs no savepoint, and leaves nothing when it fails', () =>
  onStore(async ({ store, driver }) => {
    await store.commit([article('a')]);
    await rejectsStore(store.commit([retitle('half'), article('a')]), 'unique');
    await rejectsStore(store.commit([retitle('half'), article('a')], 'later'), 'unique');
    assert.equal([driver.log.filter((sql) => sql.includes('part')), count(driver, 'ROLLBACK')], [[], 2]);
    assert.equal((await store.find({ collection: 'articles', fields: ['title'] })).records, [
      { id: 1, version: 1, title: '' },
    ]);
    const failing = () => rejectsStore(store.commit([retitle('half'), article('a')]), 'unique');
    await Promise.all([store.commit([article('b')]), failing()]);
    await Promise.all([failing(), store.commit([article('c')])]);
    assert.equal([(await store.get('articles', 1))?.version, await slugs(store)], [1, ['a', 'b', 'c']]);
  }),
);
alone('does not read again what was just read, once', () =>
  onStore(async ({ store, driver }) => {
    await store.commit([article('a')]);
    await store.get('articles', 1);
    driver.log.splice(0);
    assert.equal((await store.commit([retitle('new', 1)]))[0], {
      ...(await store.get('articles', 1)),
      version: 2,
      title: 'new',
    });
    assert.is(driver.log.slice(0, driver.log.indexOf('COMMIT')).filter(isSelect).length, 0);
    driver.log.splice(0);
    await store.commit([retitle('newer', 2)]);
    await store.commit([retitle('newest', 3)]);
    assert.is(driver.log.filter(isSelect).length, 1);
    await store.find({ collection: 'articles', where: eq('id', 1) });
    driver.log.splice(0);
    await store.commit([retitle('found', 4)]);
    assert.is(driver.log.filter(isSelect).length, 0);
    await store.find({ collection: 'articles', where: eq('id', 1), fields: ['title'] });
    await store.commit([retitle('once more', 5)]);
    assert.is((await store.get('articles', 1))?.['slug'], 'a');
  }),
);
alone('reads again what was rolled back', () =>
  onStore(async (opened) => {
    const { store, driver } = opened;
    await store.commit([article('a')]);
    await store.commit([retitle('lost')], 'later');
    await store.get('articles', 1);
    driver.before = (sql) => {
      if (sql === 'COMMIT') throw fault(FULL);
    };
    await rejectsStore(store.flush(), 'full');
    driver.before = () => undefined;
    const { now } = performance;
    try {
      performance.now = () => now.call(performance) + 6 * 60_000;
      await rejectsStore(store.commit([retitle('new', 2)]), 'version');
      assert.is(
        (await store.commit([retitle('new', 1)]))[0]?.version,
        3,
        'a lost version is not given again',
      );
    } finally {
      performance.now = now;
    }
  }),
);
if (isSafeForMany(engine)) {
  alone('reads again what another process has changed', () =>
    onStore(async ({ store, directory }) => {
      await store.commit([article('a')]);
      const other = await createSqliteStore({ directory, collections });
      await store.get('articles', 1);
      await other.commit([retitle('theirs')]);
      await rejectsStore(store.commit([retitle('mine', 1)]), 'version');
      await other.close();
    }),
  );
}
alone.run();

const later = suite('work after the transaction that is held');
later('waits until the transaction ends, also when it is rolled back, and leaves it alone', async () => {
  const session = new Session((await chooseDriver()).open(':memory:', 0));
  migrate(session, sqliteDialect, []);
  const revisions = new Revisions(session, { shared: false, onReload: () => undefined });
  const transaction = new Transaction({
    session,
    isDurable: false,
    revisions,
    onLoss: () => undefined,
    log: () => undefined,
  });
  const done: string[] = [];
  const ask = (name: string): void =>
    transaction.afterwards(() => {
      transaction.aside(() => {
        done.push(name);
      });
    });
  ask('at once');
  assert.equal(done, ['at once']);
  for (const end of [
    () => transaction.settle(),
    () => {
      transaction.giveUp(new Error('a fault'));
    },
  ]) {
    done.splice(0);
    transaction.begin('later');
    ask('afterwards');
    await Promise.resolve();
    assert.equal(done, []);
    end();
    await Promise.resolve();
    assert.equal(done, ['afterwards']);
  }
  session.close();
});
later.run();
