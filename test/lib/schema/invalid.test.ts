import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { describeFailure, toSentence } from '../../../lib/schema/failure-messages.ts';

const sentences = suite('toSentence');

sentences('lists words', () => {
  const rows = [
    [[], ''],
    [['a'], 'a'],
    [['a', 'b'], 'a and b'],
    [['a', 'b', 'c'], 'a, b, and c'],
  ] as const;
  for (const [words, text] of rows) assert.is(toSentence(words), text);
});

sentences.run();

const failures = suite('describeFailure');

failures('has an answer for a keyword it does not know', () => {
  assert.equal(describeFailure({ keyword: 'propertyNames', at: 'a', limits: {}, schema: {} }), {
    code: 'rest_invalid_param',
    message: 'a is not valid.',
    data: null,
  });
});

failures.run();
