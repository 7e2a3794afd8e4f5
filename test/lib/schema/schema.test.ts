import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DATE_TIME } from '../../../lib/schema/formats.ts';
import type { ArgSchema } from '../../../lib/schema/schema-dialect.ts';
import {
  ADDRESS_LIMIT,
  hasScalarItems,
  LIST_LIMIT,
  NESTED_LIST_LIMIT,
  toJsonSchema,
  typesOf,
} from '../../../lib/schema/schema.ts';

const ROWS: readonly (readonly [title: string, schema: ArgSchema, json: unknown])[] = [
  ['int', { type: 'int' }, { type: 'integer' }],
  ['bool', { type: 'bool' }, { type: 'boolean' }],
  ['words in a list of types', { type: ['int', 'null'] }, { type: ['integer', 'null'] }],
  [
    'untyped',
    { description: 'x', required: true, default: 3, context: ['view'], readonly: true, title: 't' },
    {},
  ],
  [
    'bounds and enum',
    { type: 'integer', minimum: 1, maximum: 5, enum: [1, 2] },
    { type: 'integer', minimum: 1, maximum: 5, enum: [1, 2] },
  ],
  [
    'text',
    { type: 'string', pattern: '^a$', minLength: 1, maxLength: 2 },
    { type: 'string', pattern: '^a$', minLength: 1, maxLength: 2 },
  ],
  ['address', { type: 'string', format: 'uri' }, { type: 'string', format: 'uri', maxLength: ADDRESS_LIMIT }],
  [
    'address with a length of its own',
    { type: 'string', format: 'uri', maxLength: 9 },
    { type: 'string', format: 'uri', maxLength: 9 },
  ],
  [
    'list of plain values',
    { type: 'array', items: { type: 'integer' } },
    { type: 'array', allOf: [{ items: { type: 'integer' } }, { maxItems: LIST_LIMIT }] },
  ],
  ['list of anything', { type: 'array' }, { type: 'array', allOf: [{}, { maxItems: NESTED_LIST_LIMIT }] }],
  [
    'list of lists',
    { type: 'array', items: { type: 'array', maxItems: 2 } },
    {
      type: 'array',
      allOf: [{ items: { type: 'array', allOf: [{}, { maxItems: 2 }] } }, { maxItems: NESTED_LIST_LIMIT }],
    },
  ],
  [
    'list with counts',
    { type: 'array', items: { type: 'object' }, minItems: 1, maxItems: 3, uniqueItems: true },
    {
      type: 'array',
      allOf: [{ items: { type: 'object', properties: {} } }, { minItems: 1, maxItems: 3, uniqueItems: true }],
    },
  ],
  [
    'a comparison of plain values beside their type',
    { type: 'array', items: { type: 'string', enum: ['a'] }, uniqueItems: true },
    {
      type: 'array',
      allOf: [
        { items: { type: 'string', enum: ['a'] } },
        { items: { type: ['string'] }, maxItems: LIST_LIMIT, uniqueItems: true },
      ],
    },
  ],
  [
    'boolean required, nested',
    {
      type: 'object',
      properties: {
        a: { type: 'string', required: true },
        b: { type: 'object', required: false, properties: { c: { type: 'bool', required: true } } },
      },
    },
    {
      type: 'object',
      required: ['a'],
      properties: {
        a: { type: 'string' },
        b: { type: 'object', required: ['c'], properties: { c: { type: 'boolean' } } },
      },
    },
  ],
  [
    'no other members',
    { type: 'object', additionalProperties: false },
    { type: 'object', properties: {}, additionalProperties: false },
  ],
  [
    'members of one kind',
    { type: 'object', additionalProperties: { type: 'int' } },
    { type: 'object', properties: {}, additionalProperties: { type: 'integer' } },
  ],
  [
    'branches',
    { type: ['object', 'array'], oneOf: [{ type: 'array', items: { type: 'int' } }, { type: 'object' }] },
    {
      type: ['object', 'array'],
      allOf: [{}, {}],
      oneOf: [
        { type: 'array', allOf: [{ items: { type: 'integer' } }, { maxItems: LIST_LIMIT }] },
        { type: 'object', properties: {} },
      ],
    },
  ],
];

const json = suite('toJsonSchema');

for (const [title, schema, expected] of ROWS)
  json(`writes ${title}`, () => assert.equal(toJsonSchema(schema), expected));

/** The same for people and generators: [dialect, what is sent, what is answered]. */
const SHOWN: readonly (readonly [title: string, schema: ArgSchema, request: unknown, answer: unknown])[] = [
  [
    'a list',
    { type: 'array', items: { type: 'int' }, minItems: 1, uniqueItems: true },
    { type: 'array', items: { type: 'integer' }, minItems: 1, maxItems: LIST_LIMIT, uniqueItems: true },
    { type: 'array', items: { type: 'integer' }, minItems: 1, uniqueItems: true },
  ],
  [
    'a date',
    { type: ['string', 'null'], format: 'date-time' },
    { type: ['string', 'null'], pattern: DATE_TIME.source },
    { type: ['string', 'null'], pattern: DATE_TIME.source },
  ],
  [
    'a date with a pattern of its own',
    { type: 'string', format: 'date-time', pattern: '^2' },
    { type: 'string', pattern: '^2' },
    { type: 'string', pattern: '^2' },
  ],
  [
    'branches',
    { type: ['object', 'array'], oneOf: [{ type: 'array' }, { type: 'object' }] },
    {
      oneOf: [
        { type: 'array', maxItems: NESTED_LIST_LIMIT },
        { type: 'object', properties: {} },
      ],
    },
    { oneOf: [{ type: 'array' }, { type: 'object', properties: {} }] },
  ],
  [
    'a raw text',
    { type: 'object', properties: { raw: { type: 'string' }, rendered: { type: 'string', readonly: true } } },
    {
      anyOf: [
        { type: 'string' },
        {
          type: 'object',
          properties: { raw: { type: 'string' }, rendered: { type: 'string', readOnly: true } },
        },
      ],
    },
    { type: 'object', properties: { raw: { type: 'string' }, rendered: { type: 'string', readOnly: true } } },
  ],
];

for (const [title, schema, request, answer] of SHOWN) {
  json(`shows ${title}`, () =>
    assert.equal([toJsonSchema(schema, 'request'), toJsonSchema(schema, 'answer')], [request, answer]),
  );
}

json.run();

const types = suite('typesOf');

types('gives the words of JSON Schema', () => {
  assert.equal(
    [typesOf({}), typesOf({ type: 'int' }), typesOf({ type: ['bool', 'null'] })],
    [[], ['integer'], ['boolean', 'null']],
  );
});

types.run();

const scalar = suite('hasScalarItems');

scalar('is true when every item is a plain value', () => {
  const rows: readonly (readonly [ArgSchema, boolean])[] = [
    [{ type: 'array' }, false],
    [{ type: 'array', items: {} }, false],
    [{ type: 'array', items: { type: 'int' } }, true],
    [{ type: 'array', items: { type: ['string', 'object'] } }, false],
    [{ type: 'array', items: { type: ['string', 'bool'] } }, true],
  ];
  for (const [schema, expected] of rows) assert.is(hasScalarItems(schema), expected, JSON.stringify(schema));
});

scalar.run();
