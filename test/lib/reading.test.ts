import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Reading, tryJson } from '../../lib/reading.ts';
import { countCalls } from '../support/count-calls.ts';

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

reading.run();

const trying = suite('tryJson');

trying('answers undefined where the text is no JSON', () => {
  assert.is(tryJson(() => 5), 5);
  assert.is(tryJson(() => JSON.parse('{')), undefined);
});

trying.run();
