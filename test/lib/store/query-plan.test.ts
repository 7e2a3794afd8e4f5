import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { contractCollections } from '../../../adapters/stores/contract/collections.ts';
import { checkCollections } from '../../../lib/store/check-collections.ts';
import { checkQuery } from '../../../lib/store/check-query.ts';
import { toTest } from '../../../lib/store/match.ts';
import {
  countFixed,
  type IndexRange,
  isOrdered,
  toFixedValues,
  toIndexRanges,
} from '../../../lib/store/query-plan.ts';
import { and, eq, not, oneOf, or, type Predicate } from '../../../lib/store/query.ts';
import { createSortKeys } from '../../../lib/store/row.ts';
import type { StoredRecord } from '../../../lib/store/store.ts';
import { toPredicates } from '../../support/store-arbitraries.ts';

const [collection] = contractCollections;
const collections = checkCollections(contractCollections);
const sortKeys = createSortKeys(collection);

function toRecord(values: Readonly<Record<string, string | number | boolean>>): StoredRecord {
  return {
    id: 1,
    version: 1,
    title: '',
    slug: '',
    language: '',
    status: '',
    date: '',
    level: 0,
    sticky: false,
    tags: [],
    words: [],
    extra: null,
    ...values,
  };
}

function isIn(
  { values, lower, upper, rest }: IndexRange,
  record: StoredRecord,
  leading: readonly string[],
): boolean {
  const row = sortKeys.toRow(record);
  const bounds: readonly Predicate[] = [
    ...(lower === null
      ? []
      : [{ op: lower.open ? ('gt' as const) : ('gte' as const), field: 'date', value: lower.value }]),
    ...(upper === null
      ? []
      : [{ op: upper.open ? ('lt' as const) : ('lte' as const), field: 'date', value: upper.value }]),
  ];
  return toTest(
    and(...values.map((value, at) => eq(leading[at] ?? '', value)), ...bounds, rest),
    sortKeys,
  )(row);
}

const ranges = suite('toIndexRanges');
ranges('a record is in exactly one range when it matches, and in none when it does not', () => {
  const text = fc.constantFrom('', 'a', 'A', 'b', 'é', '\uFF5E', '\u{1F600}');
  const record = fc
    .record({
      language: text,
      status: text,
      date: text,
      level: fc.integer({ min: -1, max: 2 }),
      sticky: fc.boolean(),
      title: text,
    })
    .map(toRecord);
  const conditions = fc.tuple(
    toPredicates(collection),
    fc.constantFrom('a', 'b', ''),
    fc.array(text, { maxLength: 3 }),
    toPredicates(collection),
  );
  fc.assert(
    fc.property(conditions, record, ([first, language, statuses, second], candidate) => {
      const { where } = checkQuery(collections, {
        collection: 'articles',
        where: and(
          eq('language', language),
          or(and(oneOf('status', statuses), first), and(eq('status', 'a'), second)),
        ),
      });
      const fixed = toFixedValues(where);
      const leading = ['language', 'status'].slice(0, countFixed(['language', 'status', 'date'], fixed, 100));
      const found = toIndexRanges(where, leading, {
        last: ['language', 'status', 'date'][leading.length],
        fixed,
      });
      if (leading.length < 2) return;
      const holding = found.filter((range) => isIn(range, candidate, leading)).length;
      assert.is(holding, toTest(where, sortKeys)(sortKeys.toRow(candidate)) ? 1 : 0);
    }),
    { numRuns: 3000 },
  );
});
ranges('leave nothing to test where the fields of the index say it all', () => {
  const where = and(
    eq('language', 'nl'),
    or(eq('status', 'publish'), and(eq('status', 'future'), { op: 'lte', field: 'date', value: '5' })),
  );
  const found = toIndexRanges(where, ['language', 'status'], { last: 'date', fixed: toFixedValues(where) });
  assert.equal(found, [
    { values: ['nl', 'publish'], lower: null, upper: null, rest: and() },
    { values: ['nl', 'future'], lower: null, upper: { value: '5', open: false }, rest: and() },
  ]);
});
ranges.run();

const fixed = suite('toFixedValues');
fixed('names the values that a field must have', () => {
  const cases: readonly (readonly [
    Predicate,
    readonly (readonly [string, readonly (string | number)[]])[],
  ])[] = [
    [eq('a', 1), [['a', [1]]]],
    [
      and(oneOf('a', [1, 2, 3]), oneOf('a', [2, 3, 4]), eq('b', 'x')),
      [
        ['a', [2, 3]],
        ['b', ['x']],
      ],
    ],
    [or(eq('a', 1), and(eq('a', 2), eq('b', 3))), [['a', [1, 2]]]],
    [or(eq('a', 1), eq('b', 1)), []],
    [not(eq('a', 1)), []],
    [and(eq('a', 1), eq('a', 2)), [['a', []]]],
    [or(), []],
  ];
  for (const [where, expected] of cases)
    assert.equal(
      [...toFixedValues(where)].map(([field, values]) => [field, [...values]]),
      expected,
    );
});
fixed.run();

const counted = suite('countFixed');
counted('counts the fields in front that are fixed to few enough values together', () => {
  const values = new Map([
    ['a', [1]],
    ['b', [1, 2, 3]],
    ['none', []],
  ]);
  for (const [fields, most, expected] of [
    [['a', 'b', 'c'], 3, 2],
    [['a', 'b', 'c'], 2, 1],
    [['c', 'a'], 100, 0],
    [['b', 'a'], 3, 2],
    // With no value to have: nothing behind it is looked at.
    [['none', 'c', 'a'], 100, 1],
    [['a', 'none', 'b'], 100, 2],
    [['c', 'none'], 100, 0],
  ] as const)
    assert.is(countFixed(fields, values, most), expected, JSON.stringify([fields, most]));
});
counted.run();

const ordered = suite('isOrdered');
ordered('an index serves an order by the field behind its fixed ones, or by id', () => {
  const date = { field: 'date', direction: 'desc' } as const;
  const id = { field: 'id', direction: 'desc' } as const;
  for (const [fields, depth, order, expected] of [
    [['a', 'date'], 1, [date, id], true],
    [['a', 'date'], 0, [date, id], false],
    [['a', 'date'], 2, [date, id], true],
    [['a', 'date'], 2, [id], true],
    [['a', 'date'], 1, [id], false],
    [['a', 'date', 'b'], 1, [date, id], false],
    [['a', 'date'], 1, [date, { field: 'id', direction: 'asc' }], false],
    [['a', 'date'], 1, [date, { field: 'b', direction: 'desc' }, id], false],
    [['a', 'date'], 1, [{ rank: [], direction: 'desc' }, id], false],
  ] as const)
    assert.is(isOrdered(fields, depth, order), expected, JSON.stringify([fields, depth, order]));
});
ordered.run();
