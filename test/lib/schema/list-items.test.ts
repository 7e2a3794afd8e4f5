import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseQuery } from '../../../lib/http/query-string.ts';
import { isNumbered, joinParts, splitWords, toItems, wordsOf, Reading } from '../../../lib/schema/coerce.ts';
import type { ArgSchema } from '../../../lib/schema/schema-dialect.ts';
import { countCalls } from '../../support/count-calls.ts';

const reading = suite('Reading');

reading('forgets a cut that was taken', () => {
  const one = new Reading();
  one.cutAt = 3;
  assert.equal([one.takeCut(), one.takeCut()], [3, null]);
});

reading('parses the text of an object once', () => {
  const one = new Reading();
  const texts = ['{"a":[1]}', '{"b":2}', '{"a":[1]}', '[1]', 'a', '{'];
  const { calls, result } = countCalls(JSON, 'parse', () => texts.map((text) => one.parseObject(text)));
  assert.equal(result, [{ a: [1] }, { b: 2 }, { a: [1] }, undefined, undefined, undefined]);
  assert.is(calls, 3);
});

reading('parses as much text as is left', () => {
  const one = new Reading(20);
  assert.is(one.parseObject(`{"a":"${'x'.repeat(20)}"}`), undefined);
  assert.equal(one.parseObject('{"a":1}'), { a: 1 });
  assert.equal(
    one.parseList(`[1,2,"${'x'.repeat(50)}"]`, 2),
    [1, 2],
    'what stands behind the last item is not looked at',
  );
  assert.is(one.parseObject('{"b":1}'), undefined);
  one.allow({ b: '{"b":1}', list: ['x'.repeat(60)], n: 5, no: null });
  assert.equal(one.parseObject('{"c":1}'), { c: 1 });
});

reading('counts bytes, and a list once however many branches try it', () => {
  const one = new Reading(0);
  const text = `["${'中'.repeat(50)}"]`;
  one.allow(text);
  assert.equal(
    [one.parseList(text, 5), one.parseList(text, 5), one.parseList('[1]', 5)],
    [['中'.repeat(50)], ['中'.repeat(50)], undefined],
  );
});

reading('says undefined of what is no JSON', () => {
  const one = new Reading();
  assert.equal(
    ['{', '{"a":1', '{a:1}'].map((text) => one.parseObject(text)),
    [undefined, undefined, undefined],
  );
  assert.equal(
    ['[', '[1,2', '[1}', ''].map((text) => one.parseList(text, 5)),
    [undefined, undefined, undefined, undefined],
  );
});

reading.run();

const BLANKS = /[ \t\n\r\v\f,]+/;
const splitAll = (text: string): readonly string[] => text.split(BLANKS).filter((word) => word !== '');
const listText = fc
  .array(fc.constantFrom('a', '12', ',', ' ', '\t', 'é', '"', '[', '\u00A0'))
  .map((parts) => parts.join(''));
const bound = fc.integer({ min: 1, max: 8 });

const words = suite('splitWords');

words('gives the first words of the whole split', () => {
  fc.assert(
    fc.property(listText, bound, (text, most) =>
      assert.equal(splitWords(text, most), splitAll(text).slice(0, most)),
    ),
  );
});

words.run();

const several = suite('wordsOf');

several('reads a text, or the texts of a list', () => {
  for (const value of ['a,b c', ['a', 'b,c'], ['a b', 5, ['x'], 'c']])
    assert.equal(wordsOf(value, 10), ['a', 'b', 'c'], JSON.stringify(value));
  for (const value of ['', ' , ', [], undefined, null, 5, {}])
    assert.equal(wordsOf(value, 10), [], JSON.stringify(value));
});

several('says null of more words, or more texts, than the limit', () => {
  assert.equal(wordsOf('a,b', 2), ['a', 'b']);
  for (const value of ['a,b,c', ['a', 'b', 'c'], ['', '', ''], ['a', 'b,c'], 'a,'.repeat(500_000)])
    assert.is(wordsOf(value, 2), null);
});

several.run();

const numbered = suite('isNumbered');

numbered('holds where all keys are digits', () => {
  assert.equal([{}, { 0: 1, 5: 2 }, { 0: 1, x: 2 }, { '-1': 1 }, { '1.5': 1 }].map(isNumbered), [
    true,
    true,
    false,
    false,
    false,
  ]);
});

numbered.run();

const items = suite('toItems');

items('gives the first items of JSON text and of lists, whatever stands behind them', () => {
  fc.assert(
    fc.property(
      fc.array(fc.jsonValue({ maxDepth: 3 }), { maxLength: 12 }),
      bound,
      fc.nat(2),
      (list, most, indent) => {
        const json = JSON.parse(JSON.stringify(list)) as unknown[];
        const expected = json.slice(0, most);
        assert.equal(toItems(json, most), expected);
        // A text with a key that reaches a prototype is not read as JSON.
        if (!/__proto__|constructor/.test(JSON.stringify(json)))
          assert.equal(toItems(` ${JSON.stringify(json, null, indent)}`, most), expected);
      },
    ),
  );
});

items('reads what is no JSON as words', () => {
  assert.equal(toItems('[1,2', 5), ['[1', '2']);
  assert.equal(toItems('[1,2}', 5), ['[1', '2}']);
  assert.equal(toItems('["a, b",", ]"]', 5), ['a, b', ', ]']);
  assert.equal(toItems('["\\",", "x"]', 1), ['",']);
});

items('takes single values and numbered members', () => {
  assert.equal(
    [toItems(3, 2), toItems(false, 2), toItems({ 0: 'a', 7: 'b', 9: 'c' }, 2), toItems({}, 2)],
    [['3'], ['false'], ['a', 'b'], []],
  );
  assert.equal([toItems({ x: 1 }, 2), toItems(null, 2), toItems(undefined, 2)], [null, null, null]);
});

items.run();

const parts = suite('joinParts');

const INTEGERS: ArgSchema = { type: 'array', items: { type: 'integer' } };
const EITHER: ArgSchema = { type: ['object', 'array'], oneOf: [INTEGERS, { type: 'object' }] };

/** What a query with the name `a` more than once says of an argument. */
const JOINED: readonly (readonly [schema: ArgSchema, query: string, value: unknown])[] = [
  [INTEGERS, 'a=1&a=2', ['1', '2']],
  [INTEGERS, 'a=1,2&a=3&a=[4,5]', ['1', '2', '3', 4, 5]],
  [INTEGERS, 'a=1&a[]=2&a[]=3&a=4', ['1', '2', '3', '4']],
  [INTEGERS, 'a[]=1&a=2&a[5]=3', ['1', '2', '3']],
  [INTEGERS, 'a=&a=1', ['1']],
  [INTEGERS, 'a=1&a[x]=2', ['1', { x: '2' }]],
  [EITHER, 'a=1&a=2', ['1', '2']],
  [EITHER, 'a=1&a[x]=2', ['1', { x: '2' }]],
  [{ type: 'integer' }, 'a=1&a=2', '2'],
  [{ type: 'object' }, 'a=1&a[x]=2', { x: '2' }],
  [{}, 'a=1&a=2', '2'],
];

parts('joins the items of an argument that takes a list, and keeps the last value of another one', () => {
  for (const [schema, query, value] of JOINED) {
    const sent = parseQuery(query).repeated.get('a') ?? [];
    assert.is(
      JSON.stringify(joinParts(schema, sent)),
      JSON.stringify(value),
      `${JSON.stringify(schema)} ${query}`,
    );
  }
});

parts('looks at one item too many', () => {
  const joined = joinParts({ type: 'array', maxItems: 3 }, ['1,2', '3,4,5', '6']);
  assert.equal(joined, ['1', '2', '3', '4']);
});

parts.run();
