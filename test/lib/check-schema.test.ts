import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { checkArgs, checkSchema } from '../../lib/check-schema.ts';
import type { ArgSchema } from '../../lib/schema-dialect.ts';

/** As it may come from a file, where no compiler looked at it. */
const fromJson = (text: string): ArgSchema => JSON.parse(text) as ArgSchema;

const REFUSED: readonly (readonly [json: string, text: RegExp])[] = [
  ['{"typ":"string"}', /^here: unknown schema keyword "typ"$/],
  ['null', /^here: null is no schema$/],
  ['[]', /^here: .* is no schema$/],
  ['{"required":"yes"}', /^here: required is not of type boolean$/],
  ['{"minimum":"1"}', /^here: minimum is not of type number$/],
  ['{"additionalProperties":"no"}', /^here: additionalProperties is not of type boolean or object$/],
  ['{"type":"object","properties":{"a":1}}', /^here\.a: 1 is no schema$/],
  ['{"type":"text"}', /^here: unknown type "text"$/],
  ['{"type":["string","date"]}', /^here: unknown type "date"$/],
  ['{"type":"object","properties":{"a":{"$ref":"#"}}}', /^here\.a: unknown schema keyword "\$ref"$/],
  ['{"type":"array","items":{"const":1}}', /^here\.items: unknown schema keyword "const"$/],
  ['{"type":"object","additionalProperties":{"allOf":[]}}', /^here\.additionalProperties: unknown schema keyword "allOf"$/],
  ['{"format":"emial"}', /^here: unknown format "emial"; the formats are date, .*email, /],
  ['{"oneOf":[{},{"if":{}}]}', /^here\.oneOf\[1\]: unknown schema keyword "if"$/],
  ['{"type":"integer","minimum":2,"maximum":1}', /^here: minimum 2 is larger than maximum 1$/],
  ['{"type":"string","minLength":2,"maxLength":1}', /^here: minLength 2 is larger than maxLength 1$/],
  ['{"type":"array","minItems":2,"maxItems":1}', /^here: minItems 2 is larger than maxItems 1$/],
  ['{"type":["int","null"],"enum":[1,null,"1"]}', /^here: "1" of enum is not of type integer or null$/],
  ['{"type":"array","uniqueItems":true}', /^here: uniqueItems needs/],
  ['{"type":"array","uniqueItems":true,"items":{"type":"object"}}', /^here: uniqueItems needs/],
  ['{"type":"array","items":{"type":"array","uniqueItems":true}}', /^here\.items: uniqueItems needs/],
];

const ACCEPTED: readonly ArgSchema[] = [
  {}, { type: 'int' }, { type: 'integer', minimum: 1, maximum: 1 }, { type: ['bool', 'string'], enum: [true, 'a'] }, { enum: [1, 'a', null] }, { type: ['bool', 'null'], required: true, default: null },
  { type: 'array', uniqueItems: true, items: { type: 'string' } },
  { type: 'array', uniqueItems: true, maxItems: 5, items: { type: 'object' } },
];

const checking = suite('checkSchema');

checking('names place and fault of what it refuses', () => {
  for (const [json, text] of REFUSED) assert.throws(() => checkSchema('here', fromJson(json)), (error: Error) => error instanceof TypeError && text.test(error.message), json);
});

checking('accepts the dialect', () => {
  for (const schema of ACCEPTED) assert.not.throws(() => checkSchema('here', schema));
});

checking.run();

const args = suite('checkArgs');

args('names the parameter', () => {
  assert.throws(() => checkArgs('cms/v2: /x GET', { good: {}, bad: fromJson('{"x":1}') }), /^cms\/v2: \/x GET, parameter bad: unknown/);
});

args.run();
