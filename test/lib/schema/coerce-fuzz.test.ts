import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { coerce, Reading } from '../../../lib/schema/coerce.ts';
import type { ArgSchema } from '../../../lib/schema/schema-dialect.ts';
import { TYPE_WORDS, type TypeWord } from '../../../lib/schema/type-words.ts';
import { readPlainly } from '../../support/coerce-reference.ts';
import { countRuns } from '../../support/long-mode.ts';

const RUNS = countRuns(3000, 300_000);

const NAMES = ['a', 'b', 'raw', '0'];
const WORDS = Object.keys(TYPE_WORDS) as TypeWord[];
const word = fc.constantFrom(...WORDS);

const { schema } = fc.letrec<{ schema: ArgSchema }>((tie) => ({
  schema: fc.oneof(
    { depthSize: 'small' },
    fc.record(
      { type: fc.oneof(word, fc.uniqueArray(word, { minLength: 1, maxLength: 3 })) },
      { requiredKeys: [] },
    ),
    fc.record(
      { type: fc.constant('array' as const), items: tie('schema'), maxItems: fc.nat(3) },
      { requiredKeys: ['type'] },
    ),
    fc.record(
      {
        type: fc.constantFrom<TypeWord | readonly TypeWord[]>('object', ['object', 'array', 'null']),
        properties: fc.dictionary(fc.constantFrom(...NAMES), tie('schema'), { maxKeys: 3 }),
        additionalProperties: fc.oneof(fc.boolean(), tie('schema')),
      },
      { requiredKeys: ['type'] },
    ),
  ),
}));

const text = fc.oneof(
  fc.string(),
  fc.constantFrom(
    '1',
    '0',
    'true',
    'FALSE',
    '1,2',
    '[1,2,3,4,5]',
    '{"a":1}',
    '{"raw":"x"}',
    '',
    ' ',
    '1e3',
    '9007199254740993',
    'null',
    'a b',
  ),
);
const value = fc.oneof(
  text,
  fc.jsonValue(),
  fc.array(text),
  fc.dictionary(fc.constantFrom(...NAMES, '__proto__', 'other'), fc.oneof(text, fc.jsonValue())),
  fc.constantFrom(2 ** 53, 1.5, null, true),
);

const coercing = suite('coerce, against a plain reading of the schema');

coercing('gives the same values and cuts the same lists', () => {
  fc.assert(
    fc.property(schema, value, fc.constantFrom(Infinity, 10, 0), (form, sent, left) => {
      const [compiled, plain] = [new Reading(left), new Reading(left)];
      const [read, wanted] = [coerce(form, sent, compiled), readPlainly(form, sent, plain)];
      assert.is(JSON.stringify(read), JSON.stringify(wanted));
      assert.is(typeof read, typeof wanted);
      assert.is(compiled.cutAt, plain.cutAt);
    }),
    { numRuns: RUNS },
  );
});

coercing.run();
