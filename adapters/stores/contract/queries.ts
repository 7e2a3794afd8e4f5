import {
  and,
  asc,
  contains,
  desc,
  eq,
  equalsFolded,
  gte,
  hasAll,
  hasAny,
  LONG_TEXT_BYTES,
  lt,
  not,
  oneOf,
  or,
  type Predicate,
  type Query,
} from '../../../lib/store/query.ts';
import type { Operation, StoredRecord, Values } from '../../../lib/store/store.ts';
import {
  article,
  CaseList,
  createOne,
  dump,
  find,
  rejectsStore,
  remove,
  removeAll,
  type StoreCase,
  update,
} from './cases.ts';
import * as assert from './expect.ts';
import { readCases } from './reads.ts';

function deep(levels: number): Predicate {
  let where = and();
  for (let level = 0; level < levels; level += 1) where = not(where);
  return where;
}

const invalidWheres: readonly unknown[] = [
  null,
  1,
  'id = 1',
  [],
  {},
  { op: 'exists' },
  { op: 'eq' },
  { op: 'raw', sql: '1=1' },
  eq('nothing', 1),
  eq('__proto__', 1),
  eq('constructor', 1),
  { op: 'eq', field: ['title'], value: 'a' },
  eq('id; --', 1),
  eq('title', 1),
  eq('level', '1'),
  eq('level', 1.5),
  eq('level', NaN),
  eq('level', 2 ** 53),
  eq('sticky', 1),
  { op: 'eq', field: 'title', value: null },
  { op: 'eq', field: 'title', value: { toString: 'a' } },
  eq('tags', 1),
  eq('extra', 1),
  { op: 'in', field: 'level', values: 1 },
  oneOf('level', [1, '2']),
  oneOf('tags', [1]),
  { op: 'in', field: 'level' },
  { op: 'lt', field: 'sticky', value: true },
  lt('level', '1'),
  gte('extra', 1),
  { op: 'gt', field: 'date' },
  contains('slug', 'a'),
  { op: 'contains', field: 'title', text: 1 },
  equalsFolded('level', '1'),
  hasAny('title', ['a']),
  hasAny('tags', ['1']),
  hasAll('words', [1]),
  { op: 'hasAll', field: 'tags' },
  { op: 'and' },
  { op: 'and', of: {} },
  { op: 'or', of: [null] },
  { op: 'not' },
  { op: 'not', of: [] },
  { op: 'and', of: [{ op: 'not', of: { op: 'or', of: [{ op: 'x' }] } }] },
  deep(200),
  or(...Array.from({ length: 5000 }, () => eq('level', 1))),
];

const invalidOrders: readonly unknown[] = [
  'date',
  {},
  [null],
  ['date'],
  [{ field: 'date' }],
  [{ field: 'date', direction: 'DESC' }],
  [asc('nothing')],
  [asc('tags')],
  [asc('extra')],
  [asc('date desc')],
  [{ direction: 'asc' }],
  [{ list: [], direction: 'asc' }],
  [{ list: { field: 'level', values: ['a'] }, direction: 'asc' }],
  [{ list: { field: 'tags', values: [1] }, direction: 'asc' }],
  [{ rank: {}, direction: 'asc' }],
  [{ rank: [{ op: 'x' }], direction: 'asc' }],
];

/** Queries that every store must reject. They are typed as queries, as after a cast or in plain JavaScript. */
const invalidQueries: readonly Query[] = [
  ...[
    ...invalidWheres.map((where) => ({ where })),
    ...invalidOrders.map((order) => ({ order })),
    ...[-1, 1.5, NaN, Infinity, '10', null].flatMap((count) => [{ limit: count }, { offset: count }]),
    ...['title', [1], ['nothing'], ['title; --'], ['*'], ['__proto__'], {}].map((fields) => ({ fields })),
    { were: eq('level', 1) },
    { sort: 'id' },
    { toString: 1 },
  ].map((each) => Object.assign({ collection: 'articles' }, each)),
  undefined,
  null,
  'articles',
  [],
] as readonly unknown[] as readonly Query[];

/** Operations that every store must reject. */
function invalidOperations(): readonly Operation[] {
  const cycle: Record<string, unknown> = {};
  cycle['self'] = cycle;
  const values: readonly Readonly<Record<string, unknown>>[] = [
    { nothing: 1 },
    { version: 2 },
    { title: 1 },
    { title: null },
    { title: undefined },
    { title: { $ref: 'a' } },
    { date: 'x'.repeat(41) },
    { level: '1' },
    { level: 1.5 },
    { level: 2 ** 53 },
    { level: null },
    { level: { $ref: 'unknown' } },
    { sticky: 1 },
    { sticky: 'true' },
    { tags: 1 },
    { tags: ['1'] },
    { tags: [1, null] },
    { tags: { length: 0 } },
    { words: [1] },
    { words: 'a' },
    { extra: undefined },
    { extra: () => 1 },
    { extra: cycle },
    { extra: 1n },
    { 'title" = 1; --': 'a' },
    JSON.parse('{"__proto__": 1}') as Record<string, unknown>,
  ];
  const ids = [0, -1, 1.5, NaN, '1', null, 2 ** 53, 1e15];
  const others: readonly unknown[] = [
    { op: 'create', collection: 'nothing', values: {} },
    null,
    'create',
    [],
  ];
  const onArticles: readonly object[] = [
    { op: 'drop' },
    { op: 'update', id: '1', values: {} },
    { op: 'update', id: 1, values: { id: 2 } },
    { op: 'update', id: 1, values: {}, version: '1' },
    { op: 'remove', id: 1.5 },
    { op: 'removeAll' },
    { op: 'removeAll', where: { op: 'raw' } },
    { values: {} },
    { op: 'toString' },
    { op: 'create' },
    { op: 'create', vlues: {} },
    { op: 'create', values: null },
    { op: 'update', id: 1 },
    { op: 'update', id: 1, values: [] },
    { op: 'update', id: 1, values: {}, versoin: 7 },
    { op: 'remove', id: 1, where: {} },
    { op: 'create', values: {}, version: 1 },
  ];
  return [
    ...values.flatMap((each) => [article(each as Values), update(1, each as Values)]),
    ...ids.map((id) => ({ op: 'create', collection: 'articles', values: { id } })),
    ...onArticles.map((each) => Object.assign({ collection: 'articles' }, each)),
    ...others,
  ] as readonly unknown[] as readonly Operation[];
}

const READS = new CaseList('queries');

/** A text by which records are ordered is never left out. */
const isOrdered = ({ order = [] }: Partial<Query>): boolean =>
  order.some((each) => 'field' in each && each.field === 'title');

for (const { what, data, query, expected } of readCases) {
  READS.test(what, async (store) => {
    if (data.length > 0) await store.commit(data.map((values) => article(values)));
    const { records: found, total } = await find(store, { total: true, ...query });
    assert.equal(
      found.map(({ id }) => id),
      expected,
    );
    const everything = await find(store, { where: query.where });
    assert.is(total, everything.records.length);
    assert.is(everything.total, -1);
  });
}
READS.test(
  'a projection has the requested fields, in the order of the descriptor, with id and version',
  async (store) => {
    await createOne(store, { title: 'a', tags: [2] });
    const read = async (fields: readonly string[]): Promise<string> =>
      JSON.stringify((await find(store, { fields })).records[0]);
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
    { where: hasAny('tags', [1]), order: [desc('date')] },
    { fields: ['extra', 'title'] },
    { order: [asc('title')], limit: 3 },
    { where: oneOf('language', ['', long]), order: [desc('title')], limit: 4 },
    { limit: 0 },
    {
      where: and(eq('status', 'publish'), oneOf('language', ['', long])),
      order: [asc('date')],
      limit: 10,
      total: true,
    },
  ];
  for (const query of queries) {
    const whole = await find(store, query);
    const { records, total, incomplete } = await find(store, { ...query, longTexts: 'omit' });
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
  await rejectsStore(find(store, { longTexts: 'all' as 'omit' }), 'invalid');
});

READS.test('a total stays correct while records are created, changed and removed', async (store) => {
  const where = contains('title', 'x');
  const total = async (): Promise<number> => (await find(store, { where, limit: 0, total: true })).total;
  await store.commit(
    Array.from({ length: 1500 }, (_, index) => article({ title: index % 2 === 0 ? 'x' : 'y' })),
  );
  const everything = await find(store, { limit: 10, total: true });
  const unlimited = await find(store, { fields: [] });
  assert.equal(
    [everything.records.length, everything.total, unlimited.records.length, unlimited.records.at(-1)?.id],
    [10, 1500, 1500, 1500],
  );
  const totals = [await total()];
  for (const operation of [
    article({ title: 'X' }),
    article({ title: 'y' }),
    update(1, { title: 'y' }),
    update(2, { title: 'xx' }),
    remove(3),
  ] satisfies Operation[]) {
    await store.commit([operation]);
    totals.push(await total());
  }
  await rejectsStore(store.commit([article({ title: 'x' }), remove(3)]), 'missing');
  totals.push(await total());
  await store.commit([removeAll(where)]);
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
      await rejectsStore(store.commit([remove(1), operation]), 'invalid');
    }
    for (const list of [undefined, null, {}, remove(1), 'remove'] as readonly unknown[]) {
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
