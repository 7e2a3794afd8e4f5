import type { Operation } from '../../../lib/store/store.ts';
import { CaseList, type StoreCase } from './cases.ts';
import * as assert from './expect.ts';
import { rejectsStore } from './rejects.ts';
import { article, createOne, dump, note } from './steps.ts';

const ATOMICITY = new CaseList('atomic commits');

const failing: readonly (readonly [
  what: string,
  operation: Operation,
  code: 'missing' | 'version' | 'unique' | 'invalid',
])[] = [
  ['missing', { op: 'update', collection: 'notes', id: 99, values: {} }, 'missing'],
  ['version', { op: 'update', collection: 'articles', id: 1, values: {}, version: 77 }, 'version'],
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
        { op: 'update', collection: 'articles', id: 2, values: { title: 'changed', tags: [9] } },
        { op: 'remove', collection: 'notes', id: 1 },
        { op: 'update', collection: 'articles', id: 1, values: { level: 7 } },
        { op: 'removeAll', collection: 'articles', where: { op: 'eq', field: 'title', value: 'changed' } },
        operation,
      ]),
      code,
    );
    assert.is(await dump(store), before);
    assert.is(await store.revision(['articles', 'notes']), revision);
    const tagged = await store.find({
      collection: 'articles',
      where: { op: 'hasAny', field: 'tags', values: [5, 9] },
      total: true,
    });
    assert.is(tagged.total, 0);
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
  assert.is((await store.find({ collection: 'articles', total: true })).total, 1);
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
  const updated = await rejectsStore(
    store.commit([{ op: 'update', collection: 'articles', id: 2, values: { slug: 'a' } }]),
    'unique',
  );
  assert.equal(updated.fields, ['language', 'slug']);
});

UNIQUE_KEYS.test('a record keeps its own key, and keys differ by case and accents', async (store) => {
  await store.commit([
    article({ language: 'nl', slug: 'a' }),
    article({ language: 'nl', slug: 'A' }),
    article({ language: 'nl', slug: 'á' }),
  ]);
  await store.commit([{ op: 'update', collection: 'articles', id: 1, values: { slug: 'a', level: 2 } }]);
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
  await store.commit([
    { op: 'remove', collection: 'articles', id: 1 },
    article({ slug: 'a' }),
    { op: 'update', collection: 'articles', id: 2, values: { slug: 'c' } },
    article({ slug: 'b' }),
  ]);
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
