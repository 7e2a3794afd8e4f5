import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createSqliteStore } from '../../../../../adapters/sqlite-store.ts';
import { rejectsStore } from '../../../../../adapters/stores/contract/cases.ts';
import { contractCollections } from '../../../../../adapters/stores/contract/collections.ts';
import { toTable } from '../../../../../adapters/stores/sql/tables.ts';
import { chooseDriver } from '../../../../../adapters/stores/sqlite/drivers.ts';
import { type Far, Finder } from '../../../../../adapters/stores/sqlite/read/find.ts';
import { FILE_NAME, openFile } from '../../../../../adapters/stores/sqlite/schema/open-file.ts';
import { Reader } from '../../../../../adapters/stores/sqlite/worker/reader.ts';
import type { OpenCollection } from '../../../../../adapters/stores/sqlite/write/apply.ts';
import { TableWriter } from '../../../../../adapters/stores/sqlite/write/table-writer.ts';
import { checkCollections } from '../../../../../lib/store/check-collections.ts';
import { checkQuery } from '../../../../../lib/store/check-query.ts';
import { CountCache } from '../../../../../lib/store/count-cache.ts';
import { and, eq, not, oneOf, type Predicate, type Query } from '../../../../../lib/store/query.ts';
import { createSortKeys } from '../../../../../lib/store/row.ts';
import type { FindResult, Operation, Store } from '../../../../../lib/store/store.ts';
import { createFaultyDriver } from '../../../../support/faulty-driver.ts';
import { LONG_TEXTS, toQueries } from '../../../../support/store-arbitraries.ts';
import { fuzzRuns } from '../../../../support/store-fuzz.ts';
import { inFolder } from '../../../../support/temporary.ts';

const [articles] = contractCollections;
const collections = checkCollections(contractCollections);
const table = toTable(articles);
const sortKeys = createSortKeys(articles);
const TEXTS = ['', 'a', 'A', 'é', 'ß', 'b', ...LONG_TEXTS];
const pick = (at: number): string => TEXTS[at % TEXTS.length] ?? '';

/** A file with some hundred articles, and finders for this thread and for another one. */
async function onFinders(
  test: (find: {
    near: (query: Query) => Promise<FindResult>;
    far: (query: Query, counts?: CountCache) => Promise<FindResult>;
    asked: () => number;
    /** Removes records as a commit does that this thread does not know of yet. */
    remove: (ids: readonly number[]) => void;
  }) => Promise<void>,
): Promise<void> {
  await inFolder(async (directory) => {
    const driver = await chooseDriver();
    const { session, ownership, textIndexes } = openFile(driver, {
      directory,
      tables: [table],
      durability: 'relaxed',
      log: () => undefined,
    });
    const writer = new TableWriter(session, table);
    for (let at = 0; at < 300; at += 1) {
      writer.insert(undefined, {
        title: pick(at * 7),
        slug: `${at}`,
        language: pick(at),
        status: pick(Math.floor(at / 5)),
        date: pick(at * 3 + 1),
        level: (at % 4) - 1,
        sticky: at % 7 === 0,
        tags: [at % 5, at % 3],
        words: [pick(at)],
        extra: at % 2 === 0 ? null : { at },
      });
    }
    let asked = 0;
    const reader = new Reader({
      path: join(directory, FILE_NAME),
      driver: driver.name,
      log: () => undefined,
    });
    const counting: Reader = Object.assign(Object.create(reader) as Reader, {
      read: (...args: Parameters<Reader['read']>) => {
        asked += 1;
        return reader.read(...args);
      },
    });
    const common = {
      settle: () => undefined,
      revisionOf: () => 0,
      textIndexes,
    };
    const toFind = (far: Far) => {
      const finder = new Finder(session, table, far);
      return async (query: Query, counts = new CountCache(sortKeys)): Promise<FindResult> => {
        const open: OpenCollection = { writer, sortKeys, counts };
        return finder.find(open, checkQuery(collections, query));
      };
    };
    try {
      const broken = Object.assign(Object.create(reader) as Reader, { isBroken: true });
      await test({
        near: toFind({ ...common, reader: broken, searcher: broken }),
        far: toFind({ ...common, reader: counting, searcher: counting, few: 2 }),
        asked: () => asked,
        remove(ids) {
          for (const id of ids) writer.remove(id);
          session.run('UPDATE "store:revisions" SET "revision" = "revision" + 1');
        },
      });
    } finally {
      await reader.close();
      session.close();
      ownership.release();
    }
  });
}

const threads = suite('Finder');

threads('finds the same in another thread', () =>
  onFinders(async ({ near, far, asked }) => {
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(toQueries(articles), async (query) => {
        runs += 1;
        assert.equal(await far(query), await near(query), JSON.stringify(query));
      }),
      { numRuns: fuzzRuns(300) },
    );
    assert.ok(asked() > runs / 2, `${asked()} of ${runs}`);
  }),
);

threads('counts once for lists that exclude different ids', () =>
  onFinders(async ({ near, far, asked }) => {
    const counts = new CountCache(sortKeys);
    for (const ids of [[7], [8], [5000]]) {
      const query: Query = {
        collection: 'articles',
        where: and(eq('sticky', false), not(oneOf('id', ids))),
        limit: 0,
        total: true,
      };
      assert.equal(await far(query, counts), await near(query), JSON.stringify(ids));
      assert.is(asked(), 1);
    }
  }),
);

threads('does not begin a page at a mark of another state', () =>
  onFinders(async ({ near, far, asked, remove }) => {
    const counts = new CountCache(sortKeys);
    const query: Query = {
      collection: 'articles',
      order: [{ field: 'title', direction: 'asc' }],
      offset: 100,
      limit: 10,
    };
    const next = { ...query, offset: 110 };
    await far(query, counts);
    assert.equal(await far(next, counts), await near(next));
    remove((await near({ ...query, offset: 0 })).records.map(({ id }) => id));
    const last = { ...query, offset: 120 };
    assert.equal(await far(last, counts), await near(last));
    // Twice in vain with the mark, and then without it.
    assert.is(asked(), 5);
  }),
);

threads(
  'runs quick reads in this thread: by ids, of few records, and in the order of an index that decides',
  () =>
    onFinders(async ({ far, asked }) => {
      const soon: readonly Omit<Query, 'collection'>[] = [
        { where: eq('id', 3) },
        { where: and(eq('language', 'a'), eq('status', 'A'), eq('date', 'none')), total: true },
        { limit: 10 },
        {
          where: and(eq('language', 'a'), eq('status', 'A')),
          order: [{ field: 'date', direction: 'desc' }],
          limit: 10,
          total: true,
        },
        {
          where: and(
            eq('language', 'a'),
            eq('status', 'A'),
            { op: 'gt', field: 'date', value: '' },
            { op: 'not', of: { op: 'in', field: 'id', values: [1, 2] } },
          ),
          order: [{ field: 'date', direction: 'asc' }],
          limit: 10,
          total: true,
        },
        {
          where: and({ op: 'hasAny', field: 'tags', values: [1] }, eq('status', 'A')),
          order: [{ field: 'date', direction: 'asc' }],
          limit: 10,
          total: true,
        },
      ];
      for (const query of soon) {
        await far({ collection: 'articles', ...query });
        assert.is(asked(), 0, JSON.stringify(query));
      }
      const long: readonly Omit<Query, 'collection'>[] = [
        {
          where: and(eq('language', 'a'), { op: 'contains', field: 'title', text: 'a' }),
          order: [{ field: 'date', direction: 'desc' }],
          limit: 10,
        },
        { order: [{ field: 'title', direction: 'desc' }], limit: 10 },
        { where: { op: 'not', of: { op: 'hasAny', field: 'tags', values: [1] } }, limit: 0, total: true },
        {},
      ];
      for (const query of long) await far({ collection: 'articles', ...query });
      assert.is(asked(), long.length);
    }),
);

threads.run();

const article = (values: Readonly<Record<string, string | number>>): Operation => ({
  op: 'create',
  collection: 'articles',
  values,
});
const MANY = 1500;
const WORD: Predicate = { op: 'contains', field: 'title', text: 'word' };

/** A store in which a search is too long to run at once. */
async function onStore(
  test: (parts: { store: Store; sql: string[]; logged: string[] }) => Promise<void>,
  { name }: { name?: string } = {},
): Promise<void> {
  await inFolder(async (directory) => {
    const driver = await createFaultyDriver();
    const logged: string[] = [];
    const store = await createSqliteStore({
      directory,
      collections: contractCollections,
      durability: 'relaxed',
      driver: name === undefined ? driver : Object.assign(driver, { name }),
      log: (message) => {
        logged.push(message);
      },
    });
    await store.commit(
      Array.from({ length: MANY }, (_each, at) => article({ title: at % 2 === 0 ? `word ${at}` : 'other' })),
    );
    driver.log.length = 0;
    try {
      await test({ store, sql: driver.log, logged });
    } finally {
      await store.close();
    }
  });
}

const stores = suite('a long read of a store');

stores('does not run on the writing connection, and does not block the process', () =>
  onStore(async ({ store, sql }) => {
    let turns = 0;
    const next = (): void => {
      turns += 1;
      immediate = setImmediate(next);
    };
    let immediate = setImmediate(next);
    const { records, total } = await store.find({
      collection: 'articles',
      where: WORD,
      limit: 10,
      total: true,
    });
    clearImmediate(immediate);
    assert.equal([records.length, total], [10, MANY / 2]);
    assert.equal(
      sql.filter((text) => text.includes('instr')),
      [],
    );
    assert.ok(turns > 1);
  }),
);

stores('sees earlier commits, also those that may become durable later', () =>
  onStore(async ({ store }) => {
    const count = async (): Promise<number> =>
      (await store.find({ collection: 'articles', where: WORD, limit: 0, total: true })).total;
    await store.commit([article({ title: 'word' })], 'later');
    assert.is(await count(), MANY / 2 + 1);
    await store.commit([{ op: 'remove', collection: 'articles', id: 1 }], 'later');
    assert.is(await count(), MANY / 2);
    await store.flush();
  }),
);

stores('shows one state, and its total stays correct afterwards', () =>
  onStore(async ({ store }) => {
    const query: Query = { collection: 'articles', where: WORD, total: true, fields: ['title'] };
    const state = { isOver: false };
    const writing = (async () => {
      for (let id = 2; !state.isOver; id = (id % MANY) + 2)
        await store.commit([
          { op: 'update', collection: 'articles', id, values: { title: 'a new word' } },
          article({ title: 'another word' }),
        ]);
    })();
    for (let time = 0; time < 20; time += 1) {
      const { records, total } = await store.find({
        ...query,
        ...(time % 2 === 0 ? {} : { order: [{ field: 'title', direction: 'asc' }] }),
      });
      assert.is(total, records.length);
    }
    state.isOver = true;
    await writing;
    const { records, total } = await store.find(query);
    assert.is(total, records.length);
    await store.commit([article({ title: 'the last word' })]);
    assert.is((await store.find({ ...query, limit: 1 })).total, total + 1);
  }),
);

stores('does not begin after it was cancelled', () =>
  onStore(async ({ store }) => {
    const controller = new AbortController();
    const query: Query = { collection: 'articles', where: WORD, limit: 1 };
    const first = store.find(query, { signal: controller.signal });
    const second = rejectsStore(store.find(query, { signal: controller.signal }), 'cancelled');
    const third = store.find(query);
    controller.abort();
    await second;
    assert.equal(await third, await first);
  }),
);

stores('is refused when other reads have waited too long', () =>
  onStore(async ({ store }) => {
    const query: Query = { collection: 'articles', where: WORD, limit: 1 };
    const { now } = performance;
    const waiting = [store.find(query), store.find(query)];
    performance.now = () => now.call(performance) + 60_000;
    try {
      await rejectsStore(store.find(query), 'unavailable');
    } finally {
      performance.now = now;
    }
    await Promise.all(waiting);
    await store.find(query);
  }),
);

stores('ends or is `closed` when the store is closed', () =>
  onStore(async ({ store }) => {
    const query: Query = { collection: 'articles', where: WORD, limit: 1 };
    const outcomes = Promise.all(
      [1, 2, 3].map(() =>
        store.find(query).then(
          () => 'found',
          (error: { code?: string }) => error.code,
        ),
      ),
    );
    await store.close();
    assert.equal((await outcomes).slice(1), ['closed', 'closed']);
    await rejectsStore(store.find(query), 'closed');
  }),
);

stores('starts another thread when the one before has ended', () =>
  onStore(async ({ store }) => {
    const query: Query = { collection: 'articles', where: WORD, limit: 1, total: true };
    const started: Worker[] = [];
    const note = (worker: Worker): void => {
      started.push(worker);
    };
    process.on('worker', note);
    try {
      for (let time = 0; time < 2; time += 1) {
        assert.is((await store.find(query)).records.length, 1);
        await store.commit([article({ title: 'word' })]);
        await started[time]?.terminate();
      }
    } finally {
      process.off('worker', note);
    }
    assert.is(started.length, 2);
  }),
);

stores('runs in this thread when no other can be started, and the log says so once', () =>
  onStore(
    async ({ store, logged }) => {
      logged.length = 0;
      for (let time = 0; time < 2; time += 1)
        assert.is(
          (await store.find({ collection: 'articles', where: WORD, total: true, limit: 1 })).total,
          MANY / 2,
        );
      assert.is(logged.length, 1);
    },
    { name: 'unheard of' },
  ),
);

stores.run();
