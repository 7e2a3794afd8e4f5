import { Ajv } from 'ajv';
import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isSurelyValid } from '../../../lib/schema/validate.ts';
import { countRuns } from '../../support/long-mode.ts';

const word = fc.constantFrom('string', 'number', 'integer', 'boolean', 'array', 'object', 'null');
const number = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constantFrom(1.5, NaN, Infinity, '1', null));
const odd = fc.constantFrom<unknown>(null, '', 'x', [], {}, -1, 0.5, true, ['x', 'x'], [1], { type: 'text' });

/** Schemas of the keywords that the dialect is turned into, with values that are right, nearly right or wrong. */
function toSchemas(child: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc
    .record(
      {
        type: fc.oneof({ weight: 6, arbitrary: word }, fc.array(word, { maxLength: 3 }), odd),
        enum: fc.oneof(
          fc.array(fc.constantFrom<unknown>('a', 'b', 1, 0, -0, null, [1]), { maxLength: 3 }),
          odd,
        ),
        minimum: number,
        maximum: number,
        minLength: number,
        maxLength: number,
        minItems: number,
        maxItems: number,
        uniqueItems: fc.oneof(fc.boolean(), odd),
        readOnly: fc.oneof(fc.boolean(), odd),
        required: fc.oneof(fc.array(fc.constantFrom<unknown>('a', 'b', 1), { maxLength: 2 }), odd),
        items: fc.oneof(odd, child),
        additionalProperties: fc.oneof(odd, fc.boolean(), child),
        properties: fc.oneof(odd, fc.dictionary(fc.constantFrom('a', 'b'), child)),
        allOf: fc.oneof(odd, fc.array(child, { maxLength: 2 })),
        pattern: fc.constantFrom('a', '('),
        format: fc.constantFrom('uri', 'nothing'),
        unknown: fc.boolean(),
      },
      { requiredKeys: [] },
    )
    .map((schema) => Object.fromEntries(Object.entries(schema).slice(0, 4)));
}

const schema = toSchemas(toSchemas(fc.constant({ type: 'string' })));

const sure = suite('isSurelyValid');

sure('accepts no schema that the compiler refuses', () => {
  const ajv = new Ajv({ strictTypes: false, allowUnionTypes: true });
  const numRuns = countRuns(2000, 100_000);
  let accepted = 0;
  fc.assert(
    fc.property(schema, (each) => {
      if (!isSurelyValid(each)) return;
      accepted += 1;
      ajv.compile(each as object);
      ajv.removeSchema();
    }),
    { numRuns },
  );
  assert.ok(accepted > numRuns / 100, `${accepted} of ${numRuns} accepted`);
});

sure('accepts what most parameters are, and leaves expressions and formats to the compiler', () => {
  const list = { type: 'array', allOf: [{ items: { type: 'integer' } }, { maxItems: 100 }] };
  assert.ok(
    isSurelyValid({
      type: 'object',
      properties: { list, word: { enum: ['a', 'b'] } },
      required: ['word'],
      additionalProperties: false,
    }),
  );
  for (const not of [
    { pattern: '(' },
    { format: 'uri' },
    { oneOf: [] },
    { enum: [] },
    { maxLength: 0.5 },
    { items: { pattern: 'a' } },
    null,
    5,
  ])
    assert.not.ok(isSurelyValid(not), JSON.stringify(not));
});

sure.run();
