import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { coerce, Reading } from '../../lib/schema/coerce.ts';
import type { ArgSchema } from '../../lib/schema/schema-dialect.ts';
import { LIST_LIMIT, NESTED_LIST_LIMIT } from '../../lib/schema/schema.ts';
import { toTermFilters } from '../../registry/core/schemas/post-args.ts';
import { toValues } from '../support/arbitraries.ts';
import { countCalls } from '../support/count-calls.ts';

const MANY = 200_000;
const [CATEGORIES = {}] = Object.values(
  toTermFilters({ base: 'categories', hierarchical: true, texts: { field: '', filter: '', exclude: '' } }),
);
const INTEGERS: ArgSchema = { type: 'array', items: { type: 'integer' } };

/** A list that counts how often one of its items is looked at. */
function countReads(
  length: number,
  item: unknown,
): { readonly list: readonly unknown[]; readonly reads: () => number } {
  let reads = 0;
  const list = new Proxy(
    Array.from({ length }, () => item),
    {
      get(target, name, receiver) {
        if (typeof name === 'string' && /^\d+$/.test(name)) reads += 1;
        return Reflect.get(target, name, receiver) as unknown;
      },
    },
  );
  return { list, reads: () => reads };
}

/** A schema of items that counts how often it is asked. */
function countItems(): { readonly items: ArgSchema; readonly asked: () => number } {
  let asked = 0;
  return {
    items: {
      get type() {
        asked += 1;
        return 'integer' as const;
      },
    },
    asked: () => asked,
  };
}

const cost = suite('the cost of coercion');

/** Schemas that hold a list, how a list is put into a value of each, and the most items of the list. */
const HOLDERS: readonly (readonly [
  title: string,
  schema: ArgSchema,
  hold: (list: unknown) => unknown,
  limit: number,
])[] = [
  ['a list', INTEGERS, (list) => list, LIST_LIMIT],
  ['a list with a bound', { ...INTEGERS, maxItems: 5 }, (list) => list, 5],
  ['a list of anything', { type: 'array' }, (list) => list, NESTED_LIST_LIMIT],
  ['a list of lists', { type: 'array', items: INTEGERS }, (list) => [[1], list], LIST_LIMIT],
  ['a member', { type: 'object', properties: { list: INTEGERS } }, (list) => ({ list }), LIST_LIMIT],
  ['any member', { type: 'object', additionalProperties: INTEGERS }, (list) => ({ x: list }), LIST_LIMIT],
  ['the first form', CATEGORIES, (list) => list, LIST_LIMIT],
  ['a member of the second form', CATEGORIES, (terms) => ({ terms }), LIST_LIMIT],
];

for (const [title, schema, hold, limit] of HOLDERS) {
  cost(`looks at one item too many of ${title}, once`, () => {
    const { list, reads } = countReads(MANY, 1);
    const reading = new Reading();
    coerce(schema, hold(list), reading);
    assert.is(reading.cutAt, limit);
    assert.is(reads(), limit + 1);
  });

  cost(`parses no more than that of the text of ${title}`, () => {
    const text = JSON.stringify(Array.from({ length: MANY }, () => 1));
    const lengths: number[] = [];
    const parse = JSON.parse;
    JSON.parse = (json: string) => {
      lengths.push(json.length);
      return parse(json) as unknown;
    };
    try {
      coerce(schema, hold(text));
    } finally {
      JSON.parse = parse;
    }
    assert.equal(lengths, [2 * limit + 3]);
  });
}

cost('reads one item too many of a text, and the schema of the items once', () => {
  const { items, asked } = countItems();
  const value = coerce({ type: 'array', items, maxItems: 10 }, '1,'.repeat(MANY));
  assert.ok(Array.isArray(value) && value.length === 11);
  assert.ok(asked() >= 1 && asked() <= 3, String(asked()));
});

cost('parses the text of an object once, however many forms are tried', () => {
  const form = (kind: string): ArgSchema => ({
    type: 'object',
    properties: { kind: { type: 'string', enum: [kind], required: true } },
  });
  const { calls } = countCalls(JSON, 'parse', () =>
    coerce({ oneOf: [INTEGERS, form('a'), form('b'), form('c')] }, '{"kind":"c"}'),
  );
  assert.is(calls, 1);
});

cost('changes nothing for lists within the bound', () => {
  const splitAll = (value: unknown): unknown =>
    typeof value === 'string'
      ? value
          .split(/[ ,]+/)
          .filter((word) => word !== '')
          .map(Number)
      : value;
  const text = fc
    .array(fc.nat(999), { maxLength: LIST_LIMIT })
    .chain((list) =>
      fc
        .constantFrom(list, list.join(','), list.join(' , '), JSON.stringify(list))
        .map((sent) => ({ list, sent })),
    );
  fc.assert(
    fc.property(text, ({ list, sent }) => {
      const reading = new Reading();
      assert.equal(
        coerce(INTEGERS, sent, reading),
        typeof sent === 'string' && !sent.startsWith('[') ? splitAll(sent) : list,
      );
      assert.is(reading.cutAt, null);
    }),
  );
});

cost('is the same with any higher bound, for every value that was not cut', () => {
  const lists = fc.constantFrom<ArgSchema>(
    INTEGERS,
    { type: 'array', items: { type: 'string' } },
    { type: 'array' },
    { type: 'array', items: INTEGERS },
  );
  fc.assert(
    fc.property(
      lists.chain((schema) => fc.tuple(fc.constant(schema), toValues(schema))),
      ([schema, value]) => {
        const reading = new Reading();
        const read = coerce(schema, value, reading);
        if (reading.cutAt === null)
          assert.equal(coerce({ ...schema, maxItems: Number.MAX_SAFE_INTEGER - 1 }, value), read);
      },
    ),
  );
});

cost.run();
