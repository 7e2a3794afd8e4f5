import { CaseList, type StoreCase } from './cases.ts';
import * as assert from './expect.ts';
import { rejectsStore } from './rejects.ts';
import { article, createOne } from './steps.ts';

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
    await store.commit([{ op: 'update', collection: 'articles', id: 1, values: {} }]);
    const updated = await read('articles');
    assert.ok(updated > Number(created[0]));
    await store.find({ collection: 'articles', total: true });
    await store.get('articles', 1);
    assert.is(await read('articles'), updated);
    await store.commit([article({}), { op: 'remove', collection: 'articles', id: 1 }]);
    const removed = await read('articles');
    assert.ok(removed > updated);
    await store.commit([{ op: 'remove', collection: 'articles', id: 2 }]);
    const emptied = await read('articles');
    assert.ok(emptied > removed);
    await createOne(store);
    const filled = await read('articles');
    await store.commit([{ op: 'removeAll', collection: 'articles', where: { op: 'and', of: [] } }]);
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
  assert.is((await store.find({ collection: 'articles', total: true })).total, 3);
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
      await store.commit([{ op: 'update', collection: 'articles', id, values: {} }], 'later');
      const second = await read();
      assert.ok(second > first);
      await rejectsStore(
        store.commit([{ op: 'update', collection: 'articles', id, values: {}, version: 1 }]),
        'version',
      );
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
  await rejectsStore(store.find({ collection: 'articles' }), 'closed');
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
