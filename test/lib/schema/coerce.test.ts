import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isObject } from '../../../lib/core/objects.ts';
import { parseQuery } from '../../../lib/http/query-string.ts';
import { branchOf, coerce, coerceBoth, joinParts, Reading } from '../../../lib/schema/coerce.ts';
import type { ArgSchema } from '../../../lib/schema/schema-dialect.ts';
import { Validators } from '../../../lib/schema/validate.ts';
import { inheritsNothing } from '../../support/inherits-nothing.ts';

const INTEGER: ArgSchema = { type: 'integer' };
const NUMBER: ArgSchema = { type: 'number' };
const BOOLEAN: ArgSchema = { type: 'boolean' };
const TEXT: ArgSchema = { type: 'string' };
const INTEGERS: ArgSchema = { type: 'array', items: INTEGER };
const WORDS: ArgSchema = { type: 'array', items: { type: 'string', enum: ['publish', 'draft'] } };
const TERMS: ArgSchema = {
  type: ['object', 'array'],
  oneOf: [
    { title: 'Term ID List', type: 'array', items: INTEGER },
    {
      title: 'Term ID Taxonomy Query',
      type: 'object',
      additionalProperties: false,
      properties: {
        terms: { type: 'array', items: INTEGER, default: [] },
        include_children: { type: 'boolean', default: false },
        operator: { type: 'string', enum: ['AND', 'OR'], default: 'OR' },
      },
    },
  ],
};
const RAW: ArgSchema = {
  type: 'object',
  properties: { raw: { type: 'string' }, rendered: { type: 'string', readonly: true } },
};
const DATE: ArgSchema = { type: ['string', 'null'], format: 'date-time' };

const validators = new Validators();

/** The value that a handler gets as JSON; for a refused one the code in brackets. */
function read(schema: ArgSchema, value: unknown): string {
  const coerced = coerce(schema, value);
  const invalid = validators.compile(schema)('a', coerced);
  return invalid === null ? JSON.stringify(coerced) : `[${invalid.code}]`;
}

const WRONG_TYPE = '[rest_invalid_type]';
const FILLED = '{"terms":[3],"include_children":false,"operator":"OR"}';

const QUERIES: readonly (readonly [schema: ArgSchema, query: string, result: string])[] = [
  // wire.md, Coercion
  [INTEGERS, 'a=3', '[3]'],
  [INTEGERS, 'a=3,4', '[3,4]'],
  [WORDS, 'a=publish,draft', '["publish","draft"]'],
  [INTEGERS, 'a=1,2', '[1,2]'],
  [INTEGERS, 'a=1+2', '[1,2]'],
  [INTEGERS, 'a=1,+2,', '[1,2]'],
  [INTEGERS, 'a[]=1&a[]=2', '[1,2]'],
  [INTEGERS, 'a[0]=1&a[1]=2', '[1,2]'],
  [INTEGERS, 'a[5]=1&a[9]=2', '[1,2]'],
  [INTEGERS, 'a[0]=1', '[1]'],
  [INTEGERS, 'a=1&a=2', '[1,2]'],
  [INTEGERS, 'a=1&a=x', WRONG_TYPE],
  [INTEGERS, 'a=1&a[]=2', '[1,2]'],
  [INTEGER, 'a=1&a=2', '2'],
  [TEXT, 'a=x&a=y', '"y"'],
  [TERMS, 'a=3&a=4', '[3,4]'],
  [TERMS, 'a=3&a[terms]=4', '[rest_no_matching_schema]'],
  [INTEGERS, 'a=[1,2]', '[1,2]'],
  [INTEGERS, 'a=', '[]'],
  [INTEGERS, 'a[x]=1', WRONG_TYPE],
  [INTEGERS, 'a=1,x', WRONG_TYPE],
  [TERMS, 'a=3', '[3]'],
  [TERMS, 'a=3,4', '[3,4]'],
  [TERMS, 'a[]=3', '[3]'],
  [TERMS, 'a[terms]=3', FILLED],
  [TERMS, 'a={"terms":[3]}', FILLED],
  [TERMS, 'a[terms]=[3]', FILLED],
  [
    TERMS,
    'a[terms]=3&a[operator]=AND&a[include_children]=1',
    '{"terms":[3],"include_children":true,"operator":"AND"}',
  ],
  [TERMS, 'a[operator]=and', '[rest_no_matching_schema]'],
  [TERMS, 'a[other]=1', '[rest_no_matching_schema]'],
  [TERMS, 'a=x', '[rest_no_matching_schema]'],
  [TERMS, 'a=', '[rest_one_of_multiple_matches]'],
  [BOOLEAN, 'a=1', 'true'],
  [BOOLEAN, 'a=0', 'false'],
  [BOOLEAN, 'a=true', 'true'],
  [BOOLEAN, 'a=FALSE', 'false'],
  [BOOLEAN, 'a=', WRONG_TYPE],
  [BOOLEAN, 'a=yes', WRONG_TYPE],
  [BOOLEAN, 'a=on', WRONG_TYPE],
  [BOOLEAN, 'a=2', WRONG_TYPE],
  [BOOLEAN, 'a=null', WRONG_TYPE],
  [BOOLEAN, 'a[]=1', WRONG_TYPE],
  [DATE, 'a=2026-01-02T03:04:05', '"2026-01-02T03:04:05"'],
  [DATE, 'a=2026-01-02+03:04:05', '"2026-01-02 03:04:05"'],
  [DATE, 'a=2026-01-02T03:04:05.123Z', '"2026-01-02T03:04:05.123Z"'],
  [DATE, 'a=2026-01-02T03:04:05%2B01:00', '"2026-01-02T03:04:05+01:00"'],
  [DATE, 'a=2026-02-30T03:04:05', '"2026-02-30T03:04:05"'],
  [DATE, 'a=2026-01-02', '[rest_invalid_date]'],
  [DATE, 'a=2026-01-02T03:04', '[rest_invalid_date]'],
  [DATE, 'a=2026-13-02T03:04:05', '[rest_invalid_date]'],
  [DATE, 'a=2026-01-02T24:00:00', '[rest_invalid_date]'],
  [DATE, 'a=', '[rest_invalid_date]'],
  [TEXT, 'a=x', '"x"'],
  [TEXT, 'a=5', '"5"'],
  [TEXT, 'a[]=x', WRONG_TYPE],
  [INTEGER, 'a=5', '5'],
  [INTEGER, 'a=5.0', '5'],
  [INTEGER, 'a=5.5', WRONG_TYPE],
  [INTEGER, 'a=', WRONG_TYPE],
  [INTEGER, 'a[]=5', WRONG_TYPE],
  [NUMBER, 'a=1.5', '1.5'],
  [NUMBER, 'a=1e2', '100'],
  [NUMBER, 'a=1e400', WRONG_TYPE],
  [NUMBER, 'a=NaN', WRONG_TYPE],
  [RAW, 'a=x', '{"raw":"x"}'],
  [RAW, 'a[raw]=x', '{"raw":"x"}'],
];

const JSON_VALUES: readonly (readonly [schema: ArgSchema, value: unknown, result: string])[] = [
  [RAW, 'x', '{"raw":"x"}'],
  [RAW, '', '{"raw":""}'],
  [RAW, { raw: 'x', rendered: 'y' }, '{"raw":"x"}'],
  [RAW, { raw: '' }, '{}'],
  [RAW, { raw: 5 }, '{"raw":"5"}'],
  [RAW, { raw: 0 }, '{"raw":"0"}'],
  [RAW, { raw: -1.5 }, '{"raw":"-1.5"}'],
  [RAW, { raw: true }, '{"raw":"1"}'],
  [RAW, { raw: false }, '{}'],
  [RAW, { raw: null }, '{}'],
  [RAW, { raw: ['a'] }, WRONG_TYPE],
  [RAW, { raw: { a: 1 } }, WRONG_TYPE],
  [RAW, { raw: 2 ** 60 }, WRONG_TYPE],
  [RAW, 5, '{}'],
  [INTEGER, 2, '2'],
  [INTEGER, 2.5, WRONG_TYPE],
  [INTEGER, { $gt: 0 }, WRONG_TYPE],
  [{ type: ['integer', 'null'] }, null, 'null'],
  [INTEGERS, 3, '[3]'],
  [INTEGERS, [1, '2'], '[1,2]'],
  [INTEGERS, {}, '[]'],
  [INTEGERS, { 0: '1', 7: 2 }, '[1,2]'],
  [INTEGERS, true, WRONG_TYPE],
  [INTEGERS, null, WRONG_TYPE],
  [BOOLEAN, 1, 'true'],
  [BOOLEAN, 0, 'false'],
  [BOOLEAN, 2, WRONG_TYPE],
  [BOOLEAN, 'TRUE', 'true'],
  [TEXT, 5, WRONG_TYPE],
  [TEXT, ['x'], WRONG_TYPE],
  [NUMBER, '1.5', '1.5'],
  [NUMBER, Infinity, WRONG_TYPE],
  [{ type: 'int' }, '7', '7'],
  [{ type: 'bool' }, '1', 'true'],
  [{ type: ['string', 'array'], items: TEXT }, 'x, y', '"x, y"'],
  [{ type: 'object', additionalProperties: INTEGER }, { a: '1' }, '{"a":1}'],
  [{ type: 'object' }, '', '{}'],
  [{ type: 'object', properties: { n: { type: 'integer', default: 5 } } }, {}, '{}'],
  [{}, { any: [1] }, '{"any":[1]}'],
  [TERMS, { terms: '3' }, FILLED],
  [TERMS, [3, '4'], '[3,4]'],
];

/** T3: spellings of 1 as a client can write them. 1 where every reader would say 1; refused where another reader may see another number. */
const ONES: readonly (readonly [value: unknown, result: string])[] = [
  ['1', '1'],
  ['01', '1'],
  ['001', '1'],
  ['+1', '1'],
  ['1.0', '1'],
  ['1.', '1'],
  [' 1', '1'],
  ['1 ', '1'],
  ['\t1\n', '1'],
  [1, '1'],
  ['-1', '-1'],
  [-1, '-1'],
  ['0', '0'],
  ...[
    '1e0',
    '1E0',
    '0x1',
    '0b1',
    '0o1',
    '1abc',
    'abc1',
    '1\0',
    '%31',
    '%2531',
    '\u0661',
    '\uFF11',
    '\u00B9',
    '\u00A01',
    '\uFEFF1',
    '\u20281',
    '[1]',
    '{"$gt":0}',
    '1,1',
    '1 1',
    '++1',
    '+-1',
    '--1',
    '1-',
    '1_0',
    '1n',
    '.1',
    '1.5',
    '1.0.0',
    'true',
    'null',
    'undefined',
    'NaN',
    'Infinity',
    '-Infinity',
    '1e400',
    '9007199254740993',
    '1'.repeat(16),
    '1'.repeat(400),
    '',
    ' ',
    "1'",
    '1;2',
    '1/1',
    '1%00',
    [1],
    ['1'],
    [],
    {},
    { $gt: 0 },
    { 0: 1 },
    true,
    false,
    null,
    Infinity,
    Number.NaN,
    1.5,
    2 ** 53,
    2 ** 53 + 2,
    -(2 ** 53),
    1e21,
    JSON.parse('1e400'),
    JSON.parse('9007199254740993'),
  ].map((value) => [value, WRONG_TYPE] as const),
];

const coercing = suite('coerce');

coercing('reads queries as clients mean them', () => {
  for (const [schema, query, result] of QUERIES) {
    const { params, repeated } = parseQuery(query);
    const parts = repeated.get('a');
    assert.is(read(schema, parts === undefined ? params['a'] : joinParts(schema, parts)), result, query);
  }
});

coercing('reads JSON values as clients mean them', () => {
  for (const [schema, value, result] of JSON_VALUES)
    assert.is(read(schema, value), result, JSON.stringify(value));
});

for (const [value, result] of ONES) {
  coercing(
    `takes ${typeof value} ${String(JSON.stringify(value)).slice(0, 30)} as the integer ${result}`,
    () => assert.is(read(INTEGER, value), result),
  );
}

coercing('holds JSON inside of texts to the limits of a body', () => {
  const deep = `${'['.repeat(65)}${']'.repeat(65)}`;
  assert.equal(coerce({ type: 'array' }, deep), [deep]);
  assert.is(read({ type: 'object' }, '{"__proto__":{"admin":true}}'), WRONG_TYPE);
  assert.is(read({ type: 'object' }, '{"a":{"constructor":{"prototype":{}}}}'), WRONG_TYPE);
});

coercing('does not make numbers out of what is sent in their place', () => {
  assert.is(coerce(INTEGER, 2 ** 53), '9007199254740992');
  assert.is(coerce({ type: ['integer', 'number'] }, 2 ** 53), 2 ** 53);
});

coercing('freezes lists and objects, and gives objects nothing to inherit', () => {
  const list = coerce(INTEGERS, ['1']);
  const object = coerce({ type: 'object', properties: { list: INTEGERS } }, { list: '1', rest: 1 });
  assert.ok(Object.isFrozen(list) && Object.isFrozen(object));
  assert.ok(isObject(object) && Object.isFrozen(object['list']));
  assert.ok(inheritsNothing(Object.getPrototypeOf(object)));
});

coercing('leaves the value of the client, the schema and its defaults as they are', () => {
  const sent = { terms: ['3'] };
  const filled = coerce(TERMS, { operator: 'AND' });
  assert.equal(coerce(TERMS, sent), { terms: [3], include_children: false, operator: 'OR' });
  assert.equal(sent, { terms: ['3'] });
  assert.ok(isObject(filled) && filled['terms'] !== TERMS.oneOf?.[1]?.properties?.['terms']?.default);
});

coercing('keeps names that reach a prototype as plain members', () => {
  const object = coerce(
    { type: 'object', additionalProperties: TEXT },
    JSON.parse('{"__proto__":"x","constructor":"y"}'),
  );
  assert.is(JSON.stringify(object), '{"__proto__":"x","constructor":"y"}');
});

coercing.run();

const sent = suite('coerceBoth');

sent('fills no defaults in', () => {
  assert.is(JSON.stringify(coerceBoth(TERMS, { terms: '3' }, new Reading()).sent), '{"terms":[3]}');
  assert.is(coerceBoth(TERMS, '', new Reading()).sent, '');
  assert.is(coerceBoth(INTEGER, '5', new Reading()).sent, 5);
});

sent.run();

const branches = suite('branchOf');

branches('chooses by the kind of the value', () => {
  const both = TERMS.oneOf ?? [];
  const rows = [
    ['3', 0],
    ['[3]', 0],
    [[3], 0],
    [3, 0],
    [{}, 0],
    [{ 0: 1 }, 0],
    [{ terms: 3 }, 1],
    ['{"terms":3}', 1],
    ['{"terms"', 0],
    [null, 0],
  ] as const;
  for (const [value, branch] of rows)
    assert.is(branchOf(both, coerce(TERMS, value)), branch, JSON.stringify(value));
});

const FREE: ArgSchema = { type: 'string', enum: ['free'] };
const ALL: ArgSchema = { type: 'string', enum: ['all'] };
const shape = (kind: string, other: ArgSchema): ArgSchema => ({
  type: 'object',
  properties: { kind: { type: 'string', enum: [kind], required: true }, size: other },
});
/** Forms beside each other, what is sent, and what the handler gets. */
const FORMS: readonly (readonly [forms: readonly ArgSchema[], value: unknown, read: string])[] = [
  [[INTEGER, FREE], 'free', '"free"'],
  [[INTEGER, FREE], '3', '3'],
  [[FREE, INTEGER], '3', '3'],
  [[FREE, INTEGER], 3, '3'],
  [[FREE, INTEGER], 'x', '[rest_no_matching_schema]'],
  [[BOOLEAN, INTEGER], '7', '7'],
  [[INTEGERS, ALL], 'all', '"all"'],
  [[INTEGERS, ALL], '1,2', '[1,2]'],
  [[INTEGERS, ALL], 'none', '[rest_no_matching_schema]'],
  [[INTEGER, shape('a', TEXT)], {}, '[rest_no_matching_schema]'],
  [[INTEGER, { type: 'object' }], {}, '{}'],
  [[shape('a', TEXT), shape('b', INTEGER)], { kind: 'b', size: '3' }, '{"kind":"b","size":3}'],
  [[shape('a', TEXT), shape('b', INTEGER)], { kind: 'a', size: '3' }, '{"kind":"a","size":"3"}'],
  [[INTEGER, TEXT], '', '""'],
];

for (const [forms, value, result] of FORMS) {
  branches(`reads ${JSON.stringify(value)} as one of ${JSON.stringify(forms)}`, () => {
    assert.is(read({ oneOf: forms }, value), result);
  });
}

branches.run();
