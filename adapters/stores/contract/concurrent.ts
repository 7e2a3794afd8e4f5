import { CaseList, type StoreCase } from './cases.ts';
import * as assert from './expect.ts';
import { createOne } from './steps.ts';

const CONCURRENT = new CaseList('concurrent changes');

CONCURRENT.test('of many concurrent changes with a version, each success counts once', async (store) => {
  await createOne(store);
  const attempt = async (): Promise<boolean> => {
    const record = await store.get('articles', 1);
    return store
      .commit([
        {
          op: 'update',
          collection: 'articles',
          id: 1,
          values: { level: Number(record?.['level']) + 1 },
          version: record?.version ?? 0,
        },
      ])
      .then(
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
        .commit([
          {
            op: 'update',
            collection: 'articles',
            id: 1,
            values: { level: Number(record?.['level']) + 1 },
            version: record?.version ?? 0,
          },
        ])
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
  await Promise.all(
    values.map((each) => store.commit([{ op: 'update', collection: 'articles', id: 1, values: each }])),
  );
  const record = await store.get('articles', 1);
  assert.is(record?.version, 7);
  assert.equal(record, { ...record, ...Object.assign({}, ...values) });
});

/** Changes of one record at once. */
export const concurrent: readonly StoreCase[] = CONCURRENT.cases;
