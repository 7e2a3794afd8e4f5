import { runWithSource } from '../../../lib/store/change-source.ts';
import type { Change, ChangesPage, Positions } from '../../../lib/store/change.ts';
import { and, eq, gt } from '../../../lib/store/query.ts';
import type { Store } from '../../../lib/store/store.ts';
import {
  article,
  CaseList,
  count,
  createOne,
  find,
  note,
  rejectsStore,
  remove,
  removeAll,
  type StoreCase,
  update,
} from './cases.ts';
import * as assert from './expect.ts';

const LIFE = new CaseList('revision and close');

LIFE.test(
  'the revision of a collection grows with every commit that touches it, and only then',
  async (store) => {
    const read = async (...names: readonly string[]): Promise<number> => store.revision(names);
    const start = [await read('articles'), await read('notes'), await read('articles', 'notes')];
    await createOne(store);
    const created = [await read('articles'), await read('notes'), await read('articles', 'notes')];
    assert.ok(
      Number(created[0]) > Number(start[0]) &&
        created[1] === start[1] &&
        Number(created[2]) > Number(start[2]),
    );
    await store.commit([update(1, {})]);
    const updated = await read('articles');
    assert.ok(updated > Number(created[0]));
    await count(store);
    await store.get('articles', 1);
    assert.is(await read('articles'), updated);
    await store.commit([article({}), remove(1)]);
    const removed = await read('articles');
    assert.ok(removed > updated);
    await store.commit([remove(2)]);
    const emptied = await read('articles');
    assert.ok(emptied > removed);
    await createOne(store);
    const filled = await read('articles');
    await store.commit([removeAll(and())]);
    assert.ok((await read('articles')) > filled && filled > emptied);
    assert.is(await read(), 0);
  },
);

LIFE.test('a commit with durability `later` is visible at once and counts like any other', async (store) => {
  const before = Number(await store.revision(['articles']));
  const [made] = await store.commit([article({ slug: 'late' })], 'later');
  assert.equal(await store.get('articles', 1), made);
  assert.ok(Number(await store.revision(['articles'])) > before);
  await rejectsStore(store.commit([article({ slug: 'late' })], 'later'), 'unique');
  await Promise.all([
    store.commit([article({ slug: 'b' })]),
    store.commit([article({ slug: 'c' })], 'later'),
    store.flush(),
    store.flush(),
  ]);
  await store.flush();
  assert.is(await count(store), 3);
});

LIFE.test(
  'within a request, the revision has everything that was committed before it and within it, and never goes back',
  async (store) => {
    const inRequest = async <T>(since: number, run: () => Promise<T>): Promise<T> =>
      store.inRequest?.(since, run) ?? run();
    const read = async (): Promise<number> => store.revision(['articles']);
    const { id } = await createOne(store);
    const before = await read();
    const made = await inRequest(performance.now(), async () => {
      const first = await read();
      assert.is(first, before);
      await store.commit([update(id, {})], 'later');
      const second = await read();
      assert.ok(second > first);
      await rejectsStore(store.commit([update(id, {}, 1)]), 'version');
      await store.get('articles', id);
      assert.is(await read(), second);
      await store.commit([article({})], 'later');
      return read();
    });
    assert.is(await read(), made);
    await store.commit([article({})]);
    const last = await read();
    assert.ok(last > made);
    assert.is(await inRequest(performance.now(), read), last);
    const failed = inRequest(performance.now(), () => Promise.reject(new Error('the request fails')));
    assert.is(
      await failed.then(
        () => '',
        (error: Error) => error.message,
      ),
      'the request fails',
    );
  },
);

LIFE.test('after close every call fails with `closed`, and closing twice succeeds', async (store) => {
  await createOne(store);
  await store.close();
  await store.close();
  await rejectsStore(find(store), 'closed');
  await rejectsStore((async () => store.get('articles', 1))(), 'closed');
  await rejectsStore(store.commit([article({})]), 'closed');
  await rejectsStore(store.flush(), 'closed');
  await rejectsStore((async () => store.revision(['articles']))(), 'closed');
});

LIFE.test(
  'a pending commit when the store is closed either happens or fails with `closed`',
  async (store) => {
    const commit = store.commit([article({})]).then(
      () => 'ok',
      (error: { code?: string }) => error.code,
    );
    await store.close();
    assert.ok(['ok', 'closed'].includes(String(await commit)));
  },
);

/** Revision and close. */
export const life: readonly StoreCase[] = LIFE.cases;

const LOG = new CaseList('the log of changes');

const read = async (store: Store, after = 0, limit = 100): Promise<ChangesPage> =>
  store.changes({ after: { articles: after }, limit });

/** What does not depend on the clock and the first revision. */
const plain = ({ at: _at, revision: _revision, ...rest }: Change): unknown => rest;
const ids = ({ changes }: ChangesPage): readonly number[] => changes.map(({ id }) => id);

const WHO = 'https://id.example auth0|8 é';

LOG.test('each change is logged with what it was, what it is, and who made it', async (store) => {
  const before = Date.now();
  const source = { by: 7, from: 'import', request: 'r-1' } as const;
  await store.commit(
    [article({ status: 'draft', language: 'en', tags: [2, 1], title: 'One' })],
    'now',
    source,
  );
  await runWithSource({ by: WHO, from: 'request' }, () =>
    store.commit([update(1, { status: 'publish', slug: 'one' })]),
  );
  await store.commit([remove(1)]);
  const { changes } = await read(store);
  const common = { collection: 'articles', id: 1 };
  const first = { status: 'draft', language: 'en', tags: [2, 1], slug: false };
  const last = { ...first, status: 'publish', slug: true };
  assert.equal(changes.map(plain), [
    { ...common, version: 1, op: 'create', ...source, fields: first, before: null },
    {
      ...common,
      version: 2,
      op: 'update',
      by: WHO,
      from: 'request',
      request: '',
      fields: last,
      before: first,
    },
    { ...common, version: 2, op: 'remove', by: 0, from: 'command', request: '', fields: last, before: last },
  ]);
  assert.ok(changes.every(({ at }) => at >= before && at <= Date.now()));
});

LOG.test('every change of a commit has its own revision, also those of removeAll', async (store) => {
  await store.commit([1, 2, 3, 4].map((level) => article({ level })));
  await store.commit([removeAll(gt('level', 2)), removeAll(eq('level', 9)), update(1, {})]);
  const { changes, heads } = await read(store);
  assert.equal(
    changes.map(({ op, id }) => `${op} ${id}`),
    ['create 1', 'create 2', 'create 3', 'create 4', 'remove 3', 'remove 4', 'update 1'],
  );
  assert.ok(changes.every(({ revision }, at) => at === 0 || revision > Number(changes[at - 1]?.revision)));
  assert.is(changes.at(-1)?.revision, heads['articles']);
  assert.is(await store.revision(['articles']), heads['articles']);
});

LOG.test('it is read in parts, from where the last one ended', async (store) => {
  for (let level = 1; level <= 5; level += 1) await store.commit([article({ level })]);
  const found: number[] = [];
  for (let after = 0; ;) {
    const page = await read(store, after, 2);
    found.push(...ids(page));
    const last = page.changes.at(-1);
    if (last === undefined) break;
    after = last.revision;
  }
  assert.equal(found, [1, 2, 3, 4, 5]);
  assert.equal(ids(await read(store, 0, 0)), []);
});

LOG.test('a failed commit logs nothing, and a collection without a log has none', async (store) => {
  await store.commit([article({ slug: 'a' }), note({ text: 'x' })]);
  await rejectsStore(store.commit([article({}), article({ slug: 'a' })]), 'unique');
  assert.equal(ids(await read(store)), [1]);
  await rejectsStore((async () => store.changes({ after: { notes: 0 }, limit: 1 }))(), 'invalid');
  await rejectsStore((async () => store.changes({ after: { nothing: 0 }, limit: 1 }))(), 'invalid');
  const wrong = { by: -1 };
  await rejectsStore(store.commit([article({})], 'now', wrong), 'invalid');
});

LOG.test('commits that are made at once are all logged, in the order of their revisions', async (store) => {
  const commits = Array.from({ length: 40 }, (_each, level) =>
    store.commit([article({ level, slug: level % 4 === 3 ? 'taken' : '' })], 'now', { by: level + 1 }),
  );
  const made = (await Promise.allSettled(commits)).flatMap((each, at) =>
    each.status === 'fulfilled' ? [`${at + 1} ${String(each.value[0]?.id)}`] : [],
  );
  const { changes } = await read(store);
  assert.equal(changes.map(({ by, id }) => `${by} ${id}`).toSorted(), made.toSorted());
  assert.equal(
    changes.map(({ revision }) => revision),
    changes.map(({ revision }) => revision).toSorted((one, other) => one - other),
  );
});

LOG.test('changes can be forgotten from the oldest on, and what is missing is told', async (store) => {
  for (let level = 1; level <= 4; level += 1) await store.commit([article({ level })]);
  const all = (await read(store)).changes;
  const second = Number(all[1]?.revision);
  const through: Positions = { articles: second };
  while (await store.forgetChanges(through));
  await rejectsStore((async () => read(store, second - 1))(), 'expired');
  assert.equal(ids(await read(store, second)), [3, 4]);
  const { starts } = await read(store, 0, 0);
  assert.is(starts['articles'], second);
  while (await store.forgetChanges({ articles: Number.MAX_SAFE_INTEGER }));
  const { starts: end, heads } = await read(store, 0, 0);
  assert.is(end['articles'], heads['articles']);
  await store.commit([article({ level: 5 })]);
  assert.equal(ids(await read(store, heads['articles'])), [5]);
});

/** The log of changes. */
export const log: readonly StoreCase[] = LOG.cases;
