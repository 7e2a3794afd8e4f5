import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { checkGroups } from '../../../lib/compile/check-groups.ts';
import { coerce, fits } from '../../../lib/schema/coerce.ts';
import type { ArgSchema, ArgSchemas } from '../../../lib/schema/schema-dialect.ts';
import { refusalOf } from '../../support/refusal.ts';

function check(expression: string, args: ArgSchemas): void {
  checkGroups(
    'here',
    `/a/(?P<id>${expression})`,
    new Map(Object.entries(args).map(([name, schema]) => [name, { schema }])),
  );
}

const groups = suite('checkGroups');

/** Expressions that take a number, and such that take none. */
const NUMBERS = [
  '[\\d]+',
  '\\d+',
  '[0-9]{3}',
  '19[0-9]{2}',
  '[2-5]{8}',
  '[\\w-]+',
  '[^/]+',
  '.+',
  '\\w*',
  '-[0-9]+',
  '[a-z]*[0-9]',
  'x?\\d',
  'me|\\d+',
  '[\\]\\d]+',
  '\\d{1,4}',
  '[a-z]{0,3}7',
  '\\+?\\d',
  '[1|2]',
];
const WORDS = [
  '[a-z]+',
  '[a-z-]+',
  'x',
  'x\\d',
  '\\d+x',
  'post-\\d+',
  '[^\\d]+',
  '\\D+',
  'me|you',
  '[a-z][0-9]*',
  '[-+]',
  '\\.',
  'a{2}',
];

groups('takes an expression for a number where some text of it is one', () => {
  for (const expression of NUMBERS)
    assert.not.throws(() => check(expression, { id: { type: 'integer' } }), expression);
  for (const expression of WORDS)
    assert.match(
      refusalOf(() => check(expression, { id: { type: 'int' } })),
      'here, parameter id: it must be of type integer',
      expression,
    );
  assert.not.throws(() => check('\\d+e\\d+', { id: { type: 'number' } }));
});

groups('takes whatever else may be meant', () => {
  const schemas: readonly ArgSchema[] = [
    {},
    { type: 'string' },
    { type: ['integer', 'string'] },
    { type: 'array', items: { type: 'integer' } },
    { oneOf: [{ type: 'integer' }] },
    { type: 'string', enum: ['a', 'B'] },
  ];
  for (const schema of schemas)
    assert.not.throws(() => check('[a-z]+', { id: schema }), JSON.stringify(schema));
  assert.not.throws(() => check('[01]', { id: { type: 'bool' } }));
  assert.not.throws(() => check('\\d+', { id: { type: 'integer', enum: [1, 2] } }));
});

groups('refuses words that are none of the group', () => {
  assert.match(
    refusalOf(() => check('[a-z]+', { id: { type: 'string', enum: ['A', 'B'] } })),
    'one of ["A","B"]',
  );
  assert.match(
    refusalOf(() => check('yes|no', { id: { type: 'boolean' } })),
    'of type boolean',
  );
});

groups('refuses a parameter whose name is nearly that of an undeclared group', () => {
  for (const near of ['idd', 'ids', 'iid', 'ID', '_id', 'Id'])
    assert.match(
      refusalOf(() => check('\\d+', { [near]: { type: 'integer' } })),
      `"${near}"`,
    );
  for (const far of ['in', 'parent', 'number', 'widths'])
    assert.not.throws(() => check('\\d+', { [far]: { type: 'integer' } }), far);
  assert.not.throws(() => check('\\d+', { id: { type: 'integer' }, ids: { type: 'array' } }));
});

const part = fc
  .tuple(
    fc.constantFrom('[a-z]', '\\d', '[0-9]', 'x', '-', '\\w', '.', '[^\\d]'),
    fc.constantFrom('', '+', '*', '?', '{2}', '{0,2}'),
  )
  .map((both) => both.join(''));
const expressions = fc
  .array(fc.array(part, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 2 })
  .map((all) => all.map((parts) => parts.join('')).join('|'));

groups('never refuses an expression that takes an integer', () => {
  fc.assert(
    fc.property(expressions, fc.stringMatching(/^[+-]?\d{1,5}(?:\.0)?$/), (expression, text) => {
      fc.pre(
        new RegExp(`^(?:${expression})$`).test(text) && fits('integer', coerce({ type: 'integer' }, text)),
      );
      check(expression, { id: { type: 'integer' } });
    }),
  );
});

groups.run();
