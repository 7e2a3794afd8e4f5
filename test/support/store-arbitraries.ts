import * as fc from 'fast-check';
import type { Json } from '../../lib/schema/schema-dialect.ts';
import type { CollectionDescriptor, FieldType } from '../../lib/store/collection.ts';
import type { Order, Predicate, Query, Scalar } from '../../lib/store/query.ts';
import type { Operation, Values } from '../../lib/store/store.ts';

/** One step in a random sequence of store operations. */
export type Step = { readonly commit: readonly Operation[] } | { readonly find: Query };

// Few distinct values, so that records are often equal. The texts are those that databases sort, fold or quote differently.
const TEXTS = [
  '',
  'a',
  'A',
  'b',
  'ab',
  'é',
  'É',
  'ﬁ',
  'FI',
  'ß',
  'SS',
  'İ',
  'ǆ',
  '\u{1F600}',
  '\uFF5E',
  "'",
  '"',
  '%',
  '_',
  '\\',
  'a b',
  '10',
  '9',
  ';--',
  '\uFFFD',
  'e\u0301',
];
/** Texts to search in. Their parts have words, accents, signs of several bytes, and what databases quote or read as a pattern. */
export const LONG_TEXTS = [
  'the harbour in the morning',
  'The Harbour (at night)',
  'crème brûlée à la carte',
  'CREME BRULEE',
  '100% of_it \\ "quoted" \'s',
  'ab%cd_ef',
  'aaaaaaaab',
  '\u{1F600}\u{1F600}\u{1F601} smile',
  'ΑΒΓΔ и ещё ёж',
  '日本語のテキスト',
  'straße STRASSE',
  'in AND out OR near',
  'a\nb\nc',
] as const;
const long = fc.constantFrom(...LONG_TEXTS);
const part = fc.tuple(long, fc.nat(30), fc.integer({ min: 1, max: 30 })).map(([from, at, length]) =>
  Array.from(from)
    .slice(at % Array.from(from).length)
    .slice(0, length)
    .join(''),
);
const text = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(...TEXTS) },
  { weight: 5, arbitrary: long },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 6 }) },
);
const integer = fc.oneof(
  { weight: 12, arbitrary: fc.integer({ min: -2, max: 4 }) },
  { weight: 1, arbitrary: fc.maxSafeInteger().map((value) => value + 0) },
);
const id = fc.integer({ min: 1, max: 25 });
const direction = fc.constantFrom('asc', 'desc');

const SCALARS: Readonly<Partial<Record<FieldType, fc.Arbitrary<Scalar>>>> = {
  integer,
  text,
  boolean: fc.boolean(),
};

const LISTS: Readonly<Partial<Record<FieldType, fc.Arbitrary<Scalar>>>> = { integers: integer, texts: text };

const VALUES: Readonly<Record<FieldType, fc.Arbitrary<Json>>> = {
  integer,
  text,
  boolean: fc.boolean(),
  integers: fc.array(integer, { maxLength: 4 }),
  texts: fc.array(text, { maxLength: 4 }),
  json: fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value)) as Json),
};

type Fields = readonly (readonly [name: string, arbitrary: fc.Arbitrary<Scalar>])[];

function fieldsOf(collection: CollectionDescriptor, types: readonly FieldType[]): Fields {
  const declared = Object.entries(collection.fields)
    .filter(([, field]) => types.includes(field.type))
    .map(([name, field]) => [name, SCALARS[field.type] ?? integer] as const);
  return types.includes('integer')
    ? [...declared, ['id', id], ['version', fc.integer({ min: 0, max: 4 })]]
    : declared;
}

function onField<T>(
  fields: Fields,
  make: (name: string, value: fc.Arbitrary<Scalar>) => fc.Arbitrary<T>,
): fc.Arbitrary<T> {
  return fc.oneof(...fields.map(([name, value]) => make(name, value)));
}

function toComparison(collection: CollectionDescriptor): fc.Arbitrary<Predicate> {
  const folded = Object.entries(collection.fields)
    .filter(([, field]) => field.folded)
    .map(([name]) => [name, text] as const);
  const lists: Fields = Object.entries(collection.fields)
    .filter(([, { type }]) => LISTS[type] !== undefined)
    .map(([name, { type }]) => [name, LISTS[type] ?? integer]);
  const scalars = fieldsOf(collection, ['integer', 'text', 'boolean']);
  const plain: fc.Arbitrary<Predicate>[] = [
    onField(scalars, (field, value) =>
      fc.record({ op: fc.constant('eq' as const), field: fc.constant(field), value }),
    ),
    onField(scalars, (field, value) =>
      fc.record({
        op: fc.constant('in' as const),
        field: fc.constant(field),
        values: fc.array(value, { maxLength: 4 }),
      }),
    ),
    onField(fieldsOf(collection, ['integer', 'text']), (field, value) =>
      fc.record({
        op: fc.constantFrom('lt' as const, 'lte' as const, 'gt' as const, 'gte' as const),
        field: fc.constant(field),
        value: value as fc.Arbitrary<string | number>,
      }),
    ),
    onField(folded, (field) =>
      fc.record({
        op: fc.constantFrom('contains' as const, 'equalsFolded' as const),
        field: fc.constant(field),
        text,
      }),
    ),
    onField(folded, (field) =>
      fc.record({ op: fc.constant('contains' as const), field: fc.constant(field), text: part }),
    ),
  ];
  if (lists.length > 0)
    plain.push(
      onField(lists, (field, value) =>
        fc.record({
          op: fc.constantFrom('hasAny' as const, 'hasAll' as const),
          field: fc.constant(field),
          values: fc.array(value, { maxLength: 3 }),
        }),
      ),
    );
  return fc.oneof(...plain);
}

/** Random predicates that are valid for the collection. */
export function toPredicates(collection: CollectionDescriptor): fc.Arbitrary<Predicate> {
  const comparison = toComparison(collection);
  return fc.letrec<{ node: Predicate }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      { weight: 4, arbitrary: comparison },
      {
        weight: 3,
        arbitrary: fc.record({
          op: fc.constantFrom('and' as const, 'or' as const),
          of: fc.array(tie('node'), { maxLength: 4 }),
        }),
      },
      { weight: 1, arbitrary: fc.record({ op: fc.constant('not' as const), of: tie('node') }) },
    ),
  })).node;
}

function toOrders(
  collection: CollectionDescriptor,
  predicates: fc.Arbitrary<Predicate>,
): fc.Arbitrary<readonly Order[]> {
  const fields = fieldsOf(collection, ['integer', 'text', 'boolean']);
  const order: fc.Arbitrary<Order> = fc.oneof(
    { weight: 6, arbitrary: onField(fields, (field) => fc.record({ field: fc.constant(field), direction })) },
    {
      weight: 1,
      arbitrary: onField(fields, (field, value) =>
        fc.record({
          list: fc.record({ field: fc.constant(field), values: fc.array(value, { maxLength: 4 }) }),
          direction,
        }),
      ),
    },
    { weight: 1, arbitrary: fc.record({ rank: fc.array(predicates, { maxLength: 3 }), direction }) },
  );
  return fc.array(order, { maxLength: 3 });
}

/** Random queries that are valid for the collection. */
export function toQueries(collection: CollectionDescriptor): fc.Arbitrary<Query> {
  const where = toPredicates(collection);
  const required = { collection: fc.constant(collection.name) };
  const optional = {
    where,
    order: toOrders(collection, where),
    limit: fc.integer({ min: 0, max: 6 }),
    offset: fc.integer({ min: 0, max: 6 }),
    total: fc.boolean(),
    longTexts: fc.constant('omit' as const),
    fields: fc.array(fc.constantFrom('id', 'version', ...Object.keys(collection.fields)), { maxLength: 4 }),
  };
  return fc.record({ ...required, ...optional }, { requiredKeys: ['collection'] }) as fc.Arbitrary<Query>;
}

function toValues(collection: CollectionDescriptor): fc.Arbitrary<Values> {
  const values = Object.fromEntries(
    Object.entries(collection.fields).map(([name, field]) => [name, VALUES[field.type]]),
  );
  return fc.record(values, { requiredKeys: [] }) as fc.Arbitrary<Values>;
}

function toOperations(collection: CollectionDescriptor): fc.Arbitrary<Operation> {
  const { name } = collection;
  const values = toValues(collection);
  const targeted = { collection: fc.constant(name), id, version: fc.integer({ min: 1, max: 3 }) };
  const update = fc.record(
    { op: fc.constant('update' as const), ...targeted, values },
    { requiredKeys: ['op', 'collection', 'id', 'values'] },
  );
  const remove = fc.record(
    { op: fc.constant('remove' as const), ...targeted },
    { requiredKeys: ['op', 'collection', 'id'] },
  );
  return fc.oneof(
    {
      weight: 6,
      arbitrary: values.map((each): Operation => ({ op: 'create', collection: name, values: each })),
    },
    {
      weight: 1,
      arbitrary: fc.tuple(values, id).map(([each, given]): Operation => ({
        op: 'create',
        collection: name,
        values: { ...each, id: given },
      })),
    },
    { weight: 3, arbitrary: update as fc.Arbitrary<Operation> },
    { weight: 1, arbitrary: remove as fc.Arbitrary<Operation> },
    {
      weight: 1,
      arbitrary: toPredicates(collection).map((where): Operation => ({
        op: 'removeAll',
        collection: name,
        where: { op: 'and', of: [where, { op: 'eq', field: 'version', value: 1 }] },
      })),
    },
  );
}

/** Random sequences of operations: commits of one to four operations, with reads in between. */
export function toSteps(collections: readonly CollectionDescriptor[]): fc.Arbitrary<readonly Step[]> {
  const operation = fc.oneof(...collections.map(toOperations));
  const query = fc.oneof(...collections.map(toQueries));
  // Creates without conflicts of unique keys ensure that there is something to read.
  const [first] = collections;
  const start =
    first === undefined ? fc.constant([]) : fc.array(toValues(first), { minLength: 3, maxLength: 12 });
  const step: fc.Arbitrary<Step> = fc.oneof(
    {
      weight: 1,
      arbitrary: fc.array(operation, { minLength: 1, maxLength: 4 }).map((commit) => ({ commit })),
    },
    { weight: 2, arbitrary: query.map((find) => ({ find })) },
  );
  return fc.tuple(start, fc.array(step, { minLength: 4, maxLength: 20 })).map(([values, steps]) => {
    return values
      .map((each): Step => ({ commit: [{ op: 'create', collection: first?.name ?? '', values: each }] }))
      .concat(steps);
  });
}
