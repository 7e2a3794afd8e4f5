import { eq, hasAny } from '../../../lib/store/query.ts';
import { type Operation, type Store, StoreError } from '../../../lib/store/store.ts';
import {
  article,
  count,
  CaseList,
  createOne,
  dump,
  note,
  type OpenStore,
  rejectsStore,
  remove,
  removeAll,
  type StoreCase,
  update,
} from './cases.ts';
import { contractCollections } from './collections.ts';
import * as assert from './expect.ts';

const ATOMICITY = new CaseList('atomic commits');

const failing: readonly (readonly [
  what: string,
  operation: Operation,
  code: 'missing' | 'version' | 'unique' | 'invalid',
])[] = [
  ['missing', { op: 'update', collection: 'notes', id: 99, values: {} }, 'missing'],
  ['version', update(1, {}, 77), 'version'],
  ['unique', article({ language: 'nl', slug: 'one' }), 'unique'],
  ['invalid', article({ nothing: 1 }), 'invalid'],
];
for (const [what, operation, code] of failing) {
  ATOMICITY.test(`a commit that fails with ${what} leaves no trace`, async (store) => {
    await store.commit([
      article({ language: 'nl', slug: 'one', tags: [1, 2], words: ['a'] }),
      article({ level: 2, tags: [2] }),
      note({ order: 1, text: 'a' }),
    ]);
    const before = await dump(store);
    const revision = await store.revision(['articles', 'notes']);
    await rejectsStore(
      store.commit([
        article({ title: 'new', tags: [5] }),
        note({ order: 2, text: 'b' }),
        update(2, { title: 'changed', tags: [9] }),
        { op: 'remove', collection: 'notes', id: 1 },
        update(1, { level: 7 }),
        removeAll(eq('title', 'changed')),
        operation,
      ]),
      code,
    );
    assert.is(await dump(store), before);
    assert.is(await store.revision(['articles', 'notes']), revision);
    assert.is(await count(store, hasAny('tags', [5, 9])), 0);
  });
}
ATOMICITY.test('an empty commit succeeds', async (store) => {
  assert.equal(await store.commit([]), []);
});
ATOMICITY.test('of concurrent commits, those that conflict change nothing', async (store) => {
  const slugs = ['a', 'b', 'a', 'c', 'b', 'a'];
  const results = await Promise.all(
    slugs.map((slug) =>
      store.commit([article({ slug }), note({ order: 0, article: 0, text: slug })]).then(
        () => 'ok',
        (error: { code?: string }) => error.code,
      ),
    ),
  );
  // The second note has the key (article, order) of the first; its slug does not matter.
  assert.equal(results, ['ok', 'unique', 'unique', 'unique', 'unique', 'unique']);
  assert.is(await count(store), 1);
  assert.is((await createOne(store)).id, 2);
});

/** Commits are all or nothing. */
export const atomicity: readonly StoreCase[] = ATOMICITY.cases;

const UNIQUE_KEYS = new CaseList('unique keys');

UNIQUE_KEYS.test('a taken key is `unique` and names its fields, on create and on update', async (store) => {
  await store.commit([
    article({ language: 'nl', slug: 'a' }),
    article({ language: 'nl', slug: 'b' }),
    article({ language: 'en', slug: 'a' }),
  ]);
  const created = await rejectsStore(store.commit([article({ language: 'nl', slug: 'a' })]), 'unique');
  assert.equal(created.fields, ['language', 'slug']);
  const updated = await rejectsStore(store.commit([update(2, { slug: 'a' })]), 'unique');
  assert.equal(updated.fields, ['language', 'slug']);
});

UNIQUE_KEYS.test('a record keeps its own key, and keys differ by case and accents', async (store) => {
  await store.commit([
    article({ language: 'nl', slug: 'a' }),
    article({ language: 'nl', slug: 'A' }),
    article({ language: 'nl', slug: 'á' }),
  ]);
  await store.commit([update(1, { slug: 'a', level: 2 })]);
});

UNIQUE_KEYS.test('the excepted value can be used many times', async (store) => {
  await store.commit([
    article({ language: 'nl' }),
    article({ language: 'nl' }),
    article({ language: 'nl', slug: '' }),
  ]);
});

UNIQUE_KEYS.test('a key can be used again after remove and update', async (store) => {
  await store.commit([article({ slug: 'a' }), article({ slug: 'b' })]);
  await store.commit([remove(1), article({ slug: 'a' }), update(2, { slug: 'c' }), article({ slug: 'b' })]);
});

UNIQUE_KEYS.test('the first key of the descriptor is reported when both are taken', async (store) => {
  await store.commit([note({ article: 1, order: 1, text: 'x' }), note({ article: 1, order: 2, text: 'y' })]);
  assert.equal(
    (await rejectsStore(store.commit([note({ article: 1, order: 1, text: 'y' })]), 'unique')).fields,
    ['article', 'order'],
  );
  assert.equal(
    (await rejectsStore(store.commit([note({ article: 1, order: 3, text: 'y' })]), 'unique')).fields,
    ['text'],
  );
});

/** Unique keys. */
export const uniqueKeys: readonly StoreCase[] = UNIQUE_KEYS.cases;

const CONCURRENT = new CaseList('concurrent changes');

CONCURRENT.test('of many concurrent changes with a version, each success counts once', async (store) => {
  await createOne(store);
  const attempt = async (): Promise<boolean> => {
    const record = await store.get('articles', 1);
    return store.commit([update(1, { level: Number(record?.['level']) + 1 }, record?.version ?? 0)]).then(
      () => true,
      () => false,
    );
  };
  const results = await Promise.all(
    Array.from({ length: 100 }, async () => [await attempt(), await attempt(), await attempt()]),
  );
  assert.is((await store.get('articles', 1))?.['level'], results.flat().filter(Boolean).length);
});

CONCURRENT.test(
  'a change with a version succeeds when it is repeated with the present one',
  async (store) => {
    await createOne(store);
    const count = async (attempts = 100): Promise<void> => {
      const record = await store.get('articles', 1);
      await store
        .commit([update(1, { level: Number(record?.['level']) + 1 }, record?.version ?? 0)])
        .catch((error: { code?: string }) => {
          if (error.code !== 'version' || attempts === 1) throw error;
          return count(attempts - 1);
        });
    };
    await Promise.all(Array.from({ length: 10 }, () => count()));
    const record = await store.get('articles', 1);
    assert.equal([record?.['level'], record?.version], [10, 11]);
  },
);

CONCURRENT.test('concurrent changes of different fields all remain', async (store) => {
  await createOne(store);
  const values = [
    { title: 'a' },
    { level: 7 },
    { tags: [1, 2] },
    { date: '2024' },
    { language: 'nl' },
    { sticky: true },
  ];
  await Promise.all(values.map((each) => store.commit([update(1, each)])));
  const record = await store.get('articles', 1);
  assert.is(record?.version, 7);
  assert.equal(record, { ...record, ...Object.assign({}, ...values) });
});

/** Changes of one record at once. */
export const concurrent: readonly StoreCase[] = CONCURRENT.cases;

/** When the storage fails: before it has all of the next commit, or when it has to confirm it. */
export type Fault = 'before' | 'confirming';

/** A store whose storage can be made to fail. */
export interface FragileStore {
  /** The store before the fault. */
  readonly store: Store;
  /** Makes the storage fail once, in the next commit. */
  fail(at: Fault): void;
  /** The store with what its storage has now: itself, or opened again. Its `close` also removes what the case left. */
  recover(): Promise<Store>;
}

/** One case of the contract that needs a storage that fails. */
export interface OutcomeCase {
  /** What the store must do. */
  readonly name: string;
  /** @throws an assertion error if the store does something else */
  run(openFragile: (...args: Parameters<OpenStore>) => Promise<FragileStore>): Promise<void>;
}

async function commitOnce({ store }: FragileStore): Promise<string> {
  return store
    .commit([article({ slug: 'once' }, 'new'), note({ article: { $ref: 'new' }, text: 'once' })])
    .then(
      () => 'made',
      (error: unknown) => (error instanceof StoreError ? error.code : String(error)),
    );
}

function describe(name: string, at: Fault, check: (outcome: string, made: number) => void): OutcomeCase {
  return {
    name: `outcomes: ${name}`,
    async run(openFragile) {
      const fragile = await openFragile(contractCollections);
      await createOne(fragile.store, { slug: 'before' });
      fragile.fail(at);
      const outcome = await commitOnce(fragile);
      const store = await fragile.recover();
      try {
        const [articles, notes] = await Promise.all(
          ['articles', 'notes'].map(
            async (collection) => (await store.find({ collection, total: true })).total,
          ),
        );
        assert.is(notes, Number(articles) - 1, 'half of a commit was made');
        check(outcome, Number(notes));
        await createOne(store, { slug: 'after' });
      } finally {
        await store.close();
      }
    },
  };
}

/** Cases for stores whose storage a test can make fail. They show that `unknown`, and nothing else, stands for a commit that may have been made. */
export const outcomeCases: readonly OutcomeCase[] = [
  describe(
    'a commit that the storage does not confirm is `unknown`, and was made once or not at all',
    'confirming',
    (outcome, made) => {
      assert.is(outcome, 'unknown');
      assert.ok(made <= 1, 'the commit was repeated');
    },
  ),
  describe(
    'a commit that fails before that is not `unknown`: it was made and acknowledged, or not made',
    'before',
    (outcome, made) => {
      assert.ok(
        outcome === 'made' ? made === 1 : outcome !== 'unknown' && made === 0,
        `${outcome}, but made ${made} times`,
      );
    },
  ),
];
