import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ArgSchema, Json } from '../../../lib/schema/schema-dialect.ts';
import { Validators } from '../../../lib/schema/validate.ts';

const LISTS: ArgSchema = {
  type: 'array',
  items: { type: 'integer' },
  minItems: 1,
  maxItems: 2,
  uniqueItems: true,
};
const NESTED: ArgSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    method: { type: 'string', enum: ['POST', 'PUT', 'DELETE'] },
    path: { type: 'string', required: true },
    'a/b~c': { type: 'int' },
    list: { type: 'array', items: { type: 'bool' } },
  },
};
const UNTITLED: ArgSchema = {
  oneOf: [{ type: 'integer' }, { type: 'object', properties: { n: { type: 'integer' } } }],
};
const FREE: ArgSchema = { oneOf: [{ type: 'integer' }, { type: 'string', enum: ['free'] }] };

/** Every code that a value can be refused with, with the text that clients know. */
const ROWS: readonly (readonly [
  schema: ArgSchema,
  value: unknown,
  code: string,
  message: string,
  data?: Json,
])[] = [
  [{ type: 'integer' }, 'x', 'rest_invalid_type', 'a is not of type integer.', { param: 'a' }],
  [{ type: ['string', 'null'] }, 5, 'rest_invalid_type', 'a is not of type string,null.', { param: 'a' }],
  [{ type: 'integer' }, 1.5, 'rest_invalid_type', 'a is not of type integer.', { param: 'a' }],
  [LISTS, [1, 'x', 3, 4], 'rest_invalid_type', 'a[1] is not of type integer.', { param: 'a[1]' }],
  [{ type: 'string', enum: ['b', 'c', 'd'] }, 'x', 'rest_not_in_enum', 'a is not one of b, c, and d.'],
  [{ type: 'string', enum: ['b', 'c'] }, 'B', 'rest_not_in_enum', 'a is not one of b and c.'],
  [{ type: 'string', enum: ['exact'] }, 'x', 'rest_not_in_enum', 'a is not exact.'],
  [
    { type: 'integer', minimum: 1, maximum: 100 },
    0,
    'rest_out_of_bounds',
    'a must be between 1 (inclusive) and 100 (inclusive)',
  ],
  [
    { type: 'integer', minimum: 1, maximum: 100 },
    101,
    'rest_out_of_bounds',
    'a must be between 1 (inclusive) and 100 (inclusive)',
  ],
  [{ type: 'integer', minimum: 1 }, 0, 'rest_out_of_bounds', 'a must be greater than or equal to 1'],
  [{ type: 'number', maximum: 1 }, 2, 'rest_out_of_bounds', 'a must be less than or equal to 1'],
  [{ type: 'string', format: 'date-time' }, 'x', 'rest_invalid_date', 'Invalid date.'],
  [{ type: 'string', format: 'email' }, 'x', 'rest_invalid_email', 'Invalid email address.'],
  [{ type: 'string', format: 'uuid' }, 'x', 'rest_invalid_uuid', 'Invalid UUID.'],
  ...['red', '#12', '#12345', '#1234567', '#ggg', '123'].map(
    (color) =>
      [
        { type: 'string', format: 'hex-color' },
        color,
        'rest_invalid_hex_color',
        'Invalid hex color.',
      ] as const,
  ),
  [{ type: 'string', format: 'ipv4' }, 'x', 'rest_invalid_format', 'a is not a valid ipv4.'],
  [{ type: 'string', pattern: '^b$' }, 'x', 'rest_invalid_pattern', 'a does not match pattern ^b$.'],
  [{ type: 'string', minLength: 2 }, 'x', 'rest_too_short', 'a must be at least 2 characters long.'],
  [{ type: 'string', minLength: 1 }, '', 'rest_too_short', 'a must be at least 1 character long.'],
  [{ type: 'string', maxLength: 1 }, 'xy', 'rest_too_long', 'a must be at most 1 character long.'],
  [
    { type: 'string', format: 'uri' },
    `http://${'x'.repeat(2048)}`,
    'rest_too_long',
    'a must be at most 2048 characters long.',
  ],
  [LISTS, [], 'rest_too_few_items', 'a must contain at least 1 item.'],
  [LISTS, [1, 2, 3], 'rest_too_many_items', 'a must contain at most 2 items.'],
  [
    { type: 'array', items: { type: 'string' } },
    Array.from({ length: 101 }, () => 'x'),
    'rest_too_many_items',
    'a must contain at most 100 items.',
  ],
  [LISTS, [1, 1], 'rest_duplicate_items', 'a has duplicate items.'],
  [NESTED, {}, 'rest_property_required', 'path is a required property of a.'],
  [
    NESTED,
    { path: '/', other: 1 },
    'rest_additional_properties_forbidden',
    'other is not a valid property of Object.',
  ],
  [NESTED, { path: 5 }, 'rest_invalid_type', 'a[path] is not of type string.', { param: 'a[path]' }],
  [
    NESTED,
    { path: '/', method: 'GET' },
    'rest_not_in_enum',
    'a[method] is not one of POST, PUT, and DELETE.',
  ],
  [
    NESTED,
    { path: '/', 'a/b~c': 'x' },
    'rest_invalid_type',
    'a[a/b~c] is not of type integer.',
    { param: 'a[a/b~c]' },
  ],
  [
    NESTED,
    { path: '/', list: [true, 1] },
    'rest_invalid_type',
    'a[list][1] is not of type boolean.',
    { param: 'a[list][1]' },
  ],
  [
    {
      oneOf: [
        { title: 'List', type: 'array' },
        { title: 'Query', type: 'object' },
      ],
    },
    '',
    'rest_one_of_multiple_matches',
    'a matches List and Query, but should match only one.',
    { positions: [0, 1] },
  ],
  [
    UNTITLED,
    'x',
    'rest_no_matching_schema',
    'a does not match any of the expected formats. Reasons: a is not of type integer; a is not of type object.',
    { position: 0 },
  ],
  [
    FREE,
    'x',
    'rest_no_matching_schema',
    'a does not match any of the expected formats. Reasons: a is not of type integer; a is not free.',
    { position: 0 },
  ],
  [
    FREE,
    '',
    'rest_no_matching_schema',
    'a does not match any of the expected formats. Reasons: a is not of type integer; a is not free.',
    { position: 0 },
  ],
  [
    {
      oneOf: [
        { title: 'List', type: 'array' },
        { ...NESTED, title: 'Query' },
      ],
    },
    { x: 1 },
    'rest_no_matching_schema',
    'a is not a valid Query. Reason: path is a required property of a.',
    { position: 1 },
  ],
];

const validating = suite('Validators');

for (const [schema, value, code, message, data = null] of ROWS) {
  validating(`${code}: ${message.slice(0, 60)}`, () => {
    assert.equal(new Validators().compile(schema)('a', value), { code, message, data });
  });
}

validating('accepts what fits, and changes nothing', () => {
  const value = Object.freeze({ path: '/', list: Object.freeze([true]) });
  assert.is(new Validators().compile(NESTED)('a', value), null);
  assert.equal(value, { path: '/', list: [true] });
});

validating('accepts what any branch accepts, and an object by its own branch alone', () => {
  const either = new Validators().compile({
    oneOf: [
      { type: 'string', format: 'date-time' },
      { type: 'string', pattern: '^now$' },
      { type: 'integer', maximum: 1 },
      { type: 'integer', minimum: 9 },
    ],
  });
  for (const value of ['now', '2026-01-01T00:00:00', 0, 9])
    assert.is(either('a', value), null, String(value));
  for (const value of ['never', 5])
    assert.is(either('a', value)?.code, 'rest_no_matching_schema', String(value));
  const small: ArgSchema = { type: 'object', properties: { n: { type: 'integer', maximum: 1 } } };
  const large: ArgSchema = {
    type: 'object',
    properties: { n: { type: 'integer', minimum: 9 }, filled: { type: 'integer', default: 1 } },
  };
  assert.is(
    new Validators().compile({ oneOf: [small, large] })('a', { n: 9 })?.code,
    'rest_no_matching_schema',
  );
});

validating('does not take an inherited member for a given one', () => {
  const member: ArgSchema = { type: 'string', required: true };
  const schema: ArgSchema = { type: 'object', properties: { toString: member } };
  assert.is(new Validators().compile(schema)('a', {})?.code, 'rest_property_required');
});

validating('compiles equal schemas once', () => {
  const validators = new Validators();
  assert.is(
    validators.compile({ type: 'integer', description: 'one' }),
    validators.compile({ type: 'int', description: 'two' } satisfies ArgSchema),
  );
  assert.is.not(
    validators.compile({ oneOf: [{ title: 'a' }] }),
    validators.compile({ oneOf: [{ title: 'b' }] }),
  );
});

validating('does not match a pattern against a text that is too long for it', () => {
  const validate = new Validators().compile({ type: 'string', pattern: '^.*.*x$', maxLength: 1999 });
  assert.is(validate('a', 'a'.repeat(2000))?.code, 'rest_too_long');
  assert.is(validate('a', 'a'.repeat(1999))?.code, 'rest_invalid_pattern');
});

validating('a search that begins with any text is the same without it', () => {
  const validate = new Validators().compile({ type: 'string', pattern: '.*\\S.*' });
  assert.is(validate('a', '\n a'), null);
  assert.is(validate('a', ' '.repeat(100_000))?.message, 'a does not match pattern .*\\S.*.');
});

validating.run();
