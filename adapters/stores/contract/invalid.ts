import type { Query } from '../../../lib/store/query.ts';
import type { Operation } from '../../../lib/store/store.ts';

function deep(levels: number): unknown {
  let where: unknown = { op: 'and', of: [] };
  for (let level = 0; level < levels; level += 1) where = { op: 'not', of: where };
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
  { op: 'eq', field: 'nothing', value: 1 },
  { op: 'eq', field: '__proto__', value: 1 },
  { op: 'eq', field: 'constructor', value: 1 },
  { op: 'eq', field: ['title'], value: 'a' },
  { op: 'eq', field: 'id; --', value: 1 },
  { op: 'eq', field: 'title', value: 1 },
  { op: 'eq', field: 'level', value: '1' },
  { op: 'eq', field: 'level', value: 1.5 },
  { op: 'eq', field: 'level', value: NaN },
  { op: 'eq', field: 'level', value: 2 ** 53 },
  { op: 'eq', field: 'sticky', value: 1 },
  { op: 'eq', field: 'title', value: null },
  { op: 'eq', field: 'title', value: { toString: 'a' } },
  { op: 'eq', field: 'tags', value: 1 },
  { op: 'eq', field: 'extra', value: 1 },
  { op: 'in', field: 'level', values: 1 },
  { op: 'in', field: 'level', values: [1, '2'] },
  { op: 'in', field: 'tags', values: [1] },
  { op: 'in', field: 'level' },
  { op: 'lt', field: 'sticky', value: true },
  { op: 'lt', field: 'level', value: '1' },
  { op: 'gte', field: 'extra', value: 1 },
  { op: 'gt', field: 'date' },
  { op: 'contains', field: 'slug', text: 'a' },
  { op: 'contains', field: 'title', text: 1 },
  { op: 'equalsFolded', field: 'level', text: '1' },
  { op: 'hasAny', field: 'title', values: ['a'] },
  { op: 'hasAny', field: 'tags', values: ['1'] },
  { op: 'hasAll', field: 'words', values: [1] },
  { op: 'hasAll', field: 'tags' },
  { op: 'and' },
  { op: 'and', of: {} },
  { op: 'or', of: [null] },
  { op: 'not' },
  { op: 'not', of: [] },
  { op: 'and', of: [{ op: 'not', of: { op: 'or', of: [{ op: 'x' }] } }] },
  deep(200),
  { op: 'or', of: Array.from({ length: 5000 }, () => ({ op: 'eq', field: 'level', value: 1 })) },
];

const invalidOrders: readonly unknown[] = [
  'date',
  {},
  [null],
  ['date'],
  [{ field: 'date' }],
  [{ field: 'date', direction: 'DESC' }],
  [{ field: 'nothing', direction: 'asc' }],
  [{ field: 'tags', direction: 'asc' }],
  [{ field: 'extra', direction: 'asc' }],
  [{ field: 'date desc', direction: 'asc' }],
  [{ direction: 'asc' }],
  [{ list: [], direction: 'asc' }],
  [{ list: { field: 'level', values: ['a'] }, direction: 'asc' }],
  [{ list: { field: 'tags', values: [1] }, direction: 'asc' }],
  [{ rank: {}, direction: 'asc' }],
  [{ rank: [{ op: 'x' }], direction: 'asc' }],
];

/** Queries that every store must reject. They are typed as queries, as after a cast or in plain JavaScript. */
export const invalidQueries: readonly Query[] = [
  ...invalidWheres.map((where) => ({ collection: 'articles', where })),
  ...invalidOrders.map((order) => ({ collection: 'articles', order })),
  ...[-1, 1.5, NaN, Infinity, '10', null].flatMap((count) => [
    { collection: 'articles', limit: count },
    { collection: 'articles', offset: count },
  ]),
  ...['title', [1], ['nothing'], ['title; --'], ['*'], ['__proto__'], {}].map((fields) => ({
    collection: 'articles',
    fields,
  })),
  { collection: 'articles', were: { op: 'eq', field: 'level', value: 1 } },
  { collection: 'articles', sort: 'id' },
  { collection: 'articles', toString: 1 },
  undefined,
  null,
  'articles',
  [],
] as readonly unknown[] as readonly Query[];

/** Operations that every store must reject. */
export function invalidOperations(): readonly Operation[] {
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
    { op: 'drop', collection: 'articles' },
    { op: 'create', collection: 'nothing', values: {} },
    { op: 'update', collection: 'articles', id: '1', values: {} },
    { op: 'update', collection: 'articles', id: 1, values: { id: 2 } },
    { op: 'update', collection: 'articles', id: 1, values: {}, version: '1' },
    { op: 'remove', collection: 'articles', id: 1.5 },
    { op: 'removeAll', collection: 'articles' },
    { op: 'removeAll', collection: 'articles', where: { op: 'raw' } },
    null,
    'create',
    [],
    { collection: 'articles', values: {} },
    { op: 'toString', collection: 'articles' },
    { op: 'create', collection: 'articles' },
    { op: 'create', collection: 'articles', vlues: {} },
    { op: 'create', collection: 'articles', values: null },
    { op: 'update', collection: 'articles', id: 1 },
    { op: 'update', collection: 'articles', id: 1, values: [] },
    { op: 'update', collection: 'articles', id: 1, values: {}, versoin: 7 },
    { op: 'remove', collection: 'articles', id: 1, where: {} },
    { op: 'create', collection: 'articles', values: {}, version: 1 },
  ];
  return [
    ...values.flatMap((each) => [
      { op: 'create', collection: 'articles', values: each },
      { op: 'update', collection: 'articles', id: 1, values: each },
    ]),
    ...ids.map((id) => ({ op: 'create', collection: 'articles', values: { id } })),
    ...others,
  ] as readonly unknown[] as readonly Operation[];
}
