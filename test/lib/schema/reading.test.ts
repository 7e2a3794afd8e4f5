import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Reading } from '../../../lib/schema/coerce.ts';
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
