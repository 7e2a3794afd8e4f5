import { runInNewContext } from 'node:vm';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { checkArgs, checkNames, checkSchema } from '../../../lib/schema/check-schema.ts';
import type { ArgSchema } from '../../../lib/schema/schema-dialect.ts';

/** As it may come from a file, where no compiler looked at it. */
const fromJson = (text: string): ArgSchema => JSON.parse(text) as ArgSchema;

const REFUSED: readonly (readonly [json: string, text: RegExp])[] = [
  ['{"typ":"string"}', /^here: unknown schema keyword "typ"\. Did you mean "type"\?$/],
  ['null', /^here: null is not a schema; a schema is an object, such as \{ type: 'string' \}$/],
  ['[]', /^here: \[\] is not a schema; /],
  [
    '{"required":"yes"}',
    /^here: required is "yes"; it must be true or false, in the schema of each parameter or member$/,
  ],
  [
    '{"type":"object","properties":{},"required":["a"]}',
    /^here: required is \["a"\]; it must be true or false, in the schema of each parameter or member$/,
  ],
  [
    '{"type":"string","nullable":true}',
    /^here: unknown schema keyword "nullable"; write type: \['string', 'null'\]$/,
  ],
  ['{"minimum":"1"}', /^here: minimum is "1"; it must be a number$/],
  [
    '{"additionalProperties":"no"}',
    /^here: additionalProperties is "no"; it must be true, false or a schema, /,
  ],
  ['{"type":"object","properties":{"a":1}}', /^here\.a: 1 is not a schema; /],
  ['{"type":"text"}', /^here: unknown type "text"; write 'string'$/],
  ['{"type":["string","date"]}', /^here: unknown type "date"; write type: 'string', format: 'date'$/],
  [
    '{"type":"integr"}',
    /^here: unknown type "integr"; the types are string, integer, .*\. Did you mean "integer"\?$/,
  ],
  ['{"type":"Integer"}', /^here: unknown type "Integer"; .*\. Did you mean "integer"\?$/],
  [
    '{"type":"geometry"}',
    /^here: unknown type "geometry"; the types are string, integer, number, boolean, array, object, null, int, bool$/,
  ],
  [
    '{"type":{"string":true}}',
    /^here: type is an object; it must be one of string, integer, .*, or a list of them$/,
  ],
  ['{"type":["string",5]}', /^here: unknown type 5; the types are /],
  [
    '{"type":"integer","min":1}',
    /^here: unknown schema keyword "min"; write minimum, or for a text minLength$/,
  ],
  ['{"type":"array","items":"integer"}', /^here: items is "integer"; it must be a schema, such as /],
  [
    '{"type":"object","properties":{"a":{"$ref":"#"}}}',
    /^here\.a: unknown schema keyword "\$ref"; write the schema itself/,
  ],
  [
    '{"type":"array","items":{"const":1}}',
    /^here\.items: unknown schema keyword "const"; write enum with one value$/,
  ],
  [
    '{"type":"object","additionalProperties":{"allOf":[]}}',
    /^here\.additionalProperties: unknown schema keyword "allOf"; write one schema with all members$/,
  ],
  ['{"format":"emial"}', /^here: unknown format "emial"\. Did you mean "email"\?$/],
  [
    '{"oneOf":[{},{"if":{}}]}',
    /^here\.oneOf\[1\]: unknown schema keyword "if"; the keywords are type, description, /,
  ],
  ['{"type":"integer","minimum":2,"maximum":1}', /^here: minimum 2 is larger than maximum 1$/],
  ['{"type":"string","minLength":2,"maxLength":1}', /^here: minLength 2 is larger than maxLength 1$/],
  ['{"type":"array","minItems":2,"maxItems":1}', /^here: minItems 2 is larger than maxItems 1$/],
  ['{"type":["int","null"],"enum":[1,null,"1"]}', /^here: "1" of enum is not of type integer or null$/],
  [
    '{"type":"string","minimum":1}',
    /^here: minimum needs the type integer or number, but the type is string$/,
  ],
  ['{"type":["string","null"],"maximum":1}', /^here: maximum needs/],
  ['{"minimum":1}', /^here: minimum needs the type integer or number, but the type is missing$/],
  ['{"type":"integer","pattern":"^1$"}', /^here: pattern needs the type string, but the type is integer$/],
  ['{"type":"int","maxLength":3}', /^here: maxLength needs the type string/],
  ['{"type":"boolean","format":"email"}', /^here: format needs the type string or integer or number/],
  ['{"type":"string","items":{"type":"string"}}', /^here: items needs the type array/],
  ['{"items":{}}', /^here: items needs the type array, but the type is missing$/],
  ['{"type":"object","maxItems":3}', /^here: maxItems needs the type array/],
  ['{"type":"array","properties":{}}', /^here: properties needs the type object/],
  [
    '{"type":"array","items":{"type":"object","properties":{"a":{"type":"string","minimum":1}}}}',
    /^here\.items\.a: minimum needs/,
  ],
  [
    '{"oneOf":[{"type":"string"},{"type":"string","additionalProperties":false}]}',
    /^here\.oneOf\[1\]: additionalProperties needs/,
  ],
  ['{"type":[]}', /^here: type must not be an empty list/],
  ['{"enum":[]}', /^here: enum must not be an empty list/],
  ['{"oneOf":[]}', /^here: oneOf must not be an empty list/],
  ['{"type":"string","maxLength":-1}', /^here: maxLength is -1, but must be a whole number of 0 or more$/],
  ['{"type":"array","minItems":1.5}', /^here: minItems is 1\.5, but must be a whole number of 0 or more$/],
  ['{"type":"object","properties":{"__proto__":{}}}', /^here, properties: __proto__ is not a name/],
  [
    '{"type":"object","properties":{"a":{"type":"object","properties":{"constructor":{}}}}}',
    /^here\.a, properties: constructor is not a name/,
  ],
  [
    `${'{"type":"array","items":'.repeat(70)}{}${'}'.repeat(70)}`,
    /^here\.items.*…: the schema nests deeper than 64 levels$/,
  ],
  [
    '{"type":"array","maxItems":100,"items":{"type":"array","maxItems":100,"items":{"type":"string","maxLength":100,"pattern":"a.*b"}}}',
    /^here\.items\.items: the pattern a\.\*b takes time .*, here 19 at most$/,
  ],
  ['{"type":"array","uniqueItems":true}', /^here: uniqueItems needs/],
  ['{"type":"array","uniqueItems":true,"items":{"type":"object"}}', /^here: uniqueItems needs/],
  ['{"type":"array","items":{"type":"array","uniqueItems":true}}', /^here\.items: uniqueItems needs/],
];

const ACCEPTED: readonly ArgSchema[] = [
  {},
  { type: 'int' },
  { type: 'integer', minimum: 1, maximum: 1 },
  { type: ['bool', 'string'], enum: [true, 'a'] },
  { enum: [1, 'a', null] },
  { type: ['bool', 'null'], required: true, default: null },
  { type: 'array', uniqueItems: true, items: { type: 'string' } },
  { type: 'array', uniqueItems: true, maxItems: 5, items: { type: 'object' } },
  { type: ['string', 'integer'], minimum: 1, maxLength: 3, pattern: '^a' },
  { pattern: '^a', maxLength: 3, format: 'email' },
  { type: 'number', format: 'double' },
  { type: 'array', maxItems: 100, items: { type: 'string', maxLength: 100, pattern: 'a.*b' } },
  {
    type: ['object', 'array'],
    oneOf: [
      { type: 'array', items: {} },
      { type: 'object', properties: { a: {} } },
    ],
  },
];

const checking = suite('checkSchema');

checking('names place and fault of what it refuses', () => {
  for (const [json, text] of REFUSED)
    assert.throws(
      () => checkSchema('here', fromJson(json)),
      (error: Error) => error instanceof TypeError && text.test(error.message),
      json,
    );
});

checking('accepts the dialect', () => {
  for (const schema of ACCEPTED) assert.not.throws(() => checkSchema('here', schema));
});

checking('checks a schema again that was changed, unless it is frozen', () => {
  const schema: { type: string } = { type: 'string' };
  checkSchema('here', schema as ArgSchema);
  schema.type = 'text';
  assert.throws(() => checkSchema('here', schema as ArgSchema), /^here: unknown type "text"/);
});

checking('refuses a schema that holds itself', () => {
  const schema: Record<string, unknown> = { type: 'object' };
  schema['properties'] = { self: schema };
  assert.throws(() => checkSchema('here', schema), /nests deeper/);
});

checking.run();

const names = suite('checkNames');

names('refuses what reaches a prototype, also where the language has taken it for one', () => {
  for (const name of ['__proto__', 'constructor', 'prototype'])
    assert.throws(() => checkNames('here', fromJson(`{"${name}":{}}`)), new RegExp(`^here: ${name} is not`));
  assert.throws(() => checkNames('here', { __proto__: { type: 'string' } }), /^here: __proto__ is not/);
  for (const table of [{}, { a: 1, toString: 1 }, Object.create(null), runInNewContext('({ a: 1 })')])
    assert.not.throws(() => checkNames('here', table as object));
});

names.run();

const args = suite('checkArgs');

args('names the parameter', () => {
  assert.throws(
    () => checkArgs('cms/v2: /x GET', { good: {}, bad: fromJson('{"x":1}') }),
    /^cms\/v2: \/x GET, parameter bad: unknown/,
  );
});

args.run();
