import { and, eq, LONG_TEXT_BYTES, oneOf, type Query } from '../../../lib/store/query.ts';
import type { Operation, StoredRecord } from '../../../lib/store/store.ts';
import { CaseList, type StoreCase } from './cases.ts';
import * as assert from './expect.ts';
import { invalidOperations, invalidQueries } from './invalid.ts';
import { readCases } from './reads.ts';
import { rejectsStore } from './rejects.ts';
import { article, createOne, dump } from './steps.ts';

const READS = new CaseList('queries');

/** A text by which records are ordered is never left out. */
const isOrdered = ({ order = [] }: Partial<Query>): boolean =>
  order.some((each) => 'field' in each && each.field === 'title');

for (const { what, data, query, expected } of readCases) {
  READS.test(what, async (store) => {
    if (data.length > 0) await store.commit(data.map((values) => article(values)));
    const { records: found, total } = await store.find({ collection: 'articles', total: true, ...query });
    assert.equal(
      found.map((record) => record.id),
      expected,
    );
    const everything = await store.find({
      collection: 'articles',
      ...(query.where === undefined ? {} : { where: query.where }),
    });
    assert.is(total, everything.records.length);
    assert.is(everything.total, -1);
  });
}
READS.test(
  'a projection has the requested fields, in the order of the descriptor, with id and version',
  async (store) => {
    await createOne(store, { title: 'a', tags: [2] });
    const read = async (fields: readonly string[]): Promise<string> =>
      JSON.stringify((await store.find({ collection: 'articles', fields })).records[0]);
    assert.is(await read(['tags', 'title']), '{"id":1,"version":1,"title":"a","tags":[2]}');
    assert.is(await read(['version', 'title', 'title']), '{"id":1,"version":1,"title":"a"}');
    assert.is(await read([]), '{"id":1,"version":1}');
  },
);

READS.test('only long texts may be left out', async (store) => {
  const [long, longest, short] = [
    'é'.repeat(LONG_TEXT_BYTES / 2 + 1),
    'x'.repeat(500_000),
    'x'.repeat(LONG_TEXT_BYTES),
  ];
  const given = [
    { title: long },
    { title: short, extra: { text: longest } },
    { title: short },
    { title: 'a', tags: [1], language: long, slug: longest },
  ];
  const made = (await store.commit(given.map((values) => article({ ...values, status: 'publish' })))).map(
    (record) => record as StoredRecord,
  );
  const queries: readonly Partial<Query>[] = [
    {},
    { where: eq('id', 2), limit: 1 },
    { where: { op: 'hasAny', field: 'tags', values: [1] }, order: [{ field: 'date', direction: 'desc' }] },
    { fields: ['extra', 'title'] },
    { order: [{ field: 'title', direction: 'asc' }], limit: 3 },
    { where: oneOf('language', ['', long]), order: [{ field: 'title', direction: 'desc' }], limit: 4 },
    { limit: 0 },
    {
      where: and(eq('status', 'publish'), oneOf('language', ['', long])),
      order: [{ field: 'date', direction: 'asc' }],
      limit: 10,
      total: true,
    },
  ];
  for (const query of queries) {
    const whole = await store.find({ collection: 'articles', ...query });
    const { records, total, incomplete } = await store.find({
      collection: 'articles',
      ...query,
      longTexts: 'omit',
    });
    assert.ok(incomplete !== undefined);
    assert.is(total, whole.total);
    assert.equal(
      records.map(({ id }) => id),
      whole.records.map(({ id }) => id),
    );
    for (const [at, record] of records.entries()) {
      if (!incomplete.includes(record.id)) assert.equal(record, whole.records[at]);
      else
        for (const [field, value] of Object.entries(record))
          assert.ok(
            String(JSON.stringify(value)) ===
              JSON.stringify(Object.entries(whole.records[at] ?? {}).find(([name]) => name === field)?.[1]) ||
              (value === '' && field === 'title' && record.id === 1 && !isOrdered(query)) ||
              (value === null && field === 'extra' && record.id === 2),
            field,
          );
    }
  }
  assert.equal(await store.get('articles', 1), made[0]);
  await rejectsStore(store.find({ collection: 'articles', longTexts: 'all' as 'omit' }), 'invalid');
});

READS.test('a total stays correct while records are created, changed and removed', async (store) => {
  const where = { op: 'contains', field: 'title', text: 'x' } as const;
  const total = async (): Promise<number> =>
    (await store.find({ collection: 'articles', where, limit: 0, total: true })).total;
  await store.commit(
    Array.from({ length: 1500 }, (_, index) => article({ title: index % 2 === 0 ? 'x' : 'y' })),
  );
  const everything = await store.find({ collection: 'articles', limit: 10, total: true });
  const unlimited = await store.find({ collection: 'articles', fields: [] });
  assert.equal(
    [everything.records.length, everything.total, unlimited.records.length, unlimited.records.at(-1)?.id],
    [10, 1500, 1500, 1500],
  );
  const totals = [await total()];
  for (const operation of [
    article({ title: 'X' }),
    article({ title: 'y' }),
    { op: 'update', collection: 'articles', id: 1, values: { title: 'y' } },
    { op: 'update', collection: 'articles', id: 2, values: { title: 'xx' } },
    { op: 'remove', collection: 'articles', id: 3 },
  ] satisfies Operation[]) {
    await store.commit([operation]);
    totals.push(await total());
  }
  await rejectsStore(
    store.commit([article({ title: 'x' }), { op: 'remove', collection: 'articles', id: 3 }]),
    'missing',
  );
  totals.push(await total());
  await store.commit([{ op: 'removeAll', collection: 'articles', where }]);
  assert.equal([...totals, await total()], [750, 751, 751, 750, 751, 750, 750, 0]);
});

/** Queries. */
export const reads: readonly StoreCase[] = READS.cases;

const MISTAKES = new CaseList('invalid calls');

MISTAKES.test('a query that does not match the collection fails with `invalid`', async (store) => {
  await createOne(store);
  for (const query of invalidQueries) {
    try {
      await rejectsStore(store.find(query), 'invalid');
    } catch (error) {
      throw new Error(`query ${JSON.stringify(query)}`, { cause: error });
    }
  }
});

MISTAKES.test(
  'an operation that does not match the collection fails with `invalid` and its commit changes nothing',
  async (store) => {
    await createOne(store, { slug: 'kept' });
    const before = await dump(store);
    for (const operation of invalidOperations()) {
      await rejectsStore(
        store.commit([{ op: 'remove', collection: 'articles', id: 1 }, operation]),
        'invalid',
      );
    }
    for (const list of [
      undefined,
      null,
      {},
      { op: 'remove', collection: 'articles', id: 1 },
      'remove',
    ] as readonly unknown[]) {
      await rejectsStore(store.commit(list as readonly Operation[]), 'invalid');
    }
    assert.is(await dump(store), before);
  },
);

MISTAKES.test('an unknown collection always fails with `invalid`', async (store) => {
  await rejectsStore((async () => store.get('nothing', 1))(), 'invalid');
  await rejectsStore(store.find({ collection: '__proto__' }), 'invalid');
  await rejectsStore((async () => store.revision(['articles', 'nothing']))(), 'invalid');
});

/** Invalid calls that every store must reject. */
export const mistakes: readonly StoreCase[] = MISTAKES.cases;
