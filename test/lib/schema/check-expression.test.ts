import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findLongest } from '../../../lib/schema/check-expression.ts';
import { refusalOf } from '../../support/refusal.ts';

const EXPONENTIAL: readonly string[] = [
  '^(a+)+$',
  '(a*)*',
  '(?:a{1,3}){2,}',
  '(.*a){20}',
  '^(a|aa)+$',
  '^(a|a)*$',
  '((a)?(a)?)+',
  '(a?a?)*',
  '(?:(?:a)??)*',
  '(?:[(]+)+',
  '(?:\\)+)+',
];
const LINEAR: readonly string[] = [
  '',
  '^$',
  '\\S',
  '.*\\S.*',
  '^[a-z0-9.-]+$',
  '^\\d+(\\.\\d+)?$',
  '^(?:foo|bar)$',
  '^[()|]+$',
  '^[(]+$',
  '[\\]()]',
  '\\(',
  '\\)?',
  'a\\/:b?c',
  '^a\\/(b)?$',
  '\\p{L}+',
  '\\u{1f600}+',
  '^(?<x>a)$',
  '^(?=a)b',
  '^(?:ab)+?$',
  '^[a-z]+?$',
  '^[^@]+@[^@]+$',
  '^[a-z]+:[^:]*:\\d+$',
  '-[a-z]+$',
  '^\\p{Lu}+\\p{Ll}+$',
  '^(?:a+|b+)$',
  '^(?:https?://[^ ]+)?$',
  '^[^-]+(?:-[^-]+)?(?:-[^-]+)?$',
  '^[A-Za-z]{2,3}(?:[_-][A-Za-z0-9]{1,8})?(?:[_-][A-Za-z0-9]{1,8})?$',
];
/** With the length from which it takes too long. */
const POLYNOMIAL: readonly (readonly [expression: string, longest: number])[] = [
  ['a+$', 2000],
  ['^.*.*x$', 2000],
  ['^\\s*[\\w ]+$', 2000],
  ['^(.*)-(.*)$', 2000],
  ['^.*\\d.*x$', 2000],
  ['^.*.*.*x$', 230],
  ['^.*.*.*.*.*x$', 40],
  ['^(.+)\\1x$', 2000],
  ['^[^/]+/?[^/]*$', 2000],
  ['^a*(?:b|a*)a*$', 180],
  ['a{0,1000}x', 2000],
];

const expressions = suite('findLongest');

for (const expression of EXPONENTIAL)
  expressions(`refuses ${expression}`, () =>
    assert.match(
      refusalOf(() => findLongest(expression, 'u')),
      'exponential time',
    ),
  );
for (const expression of LINEAR)
  expressions(`${expression} takes linear time`, () => assert.is(findLongest(expression, 'u'), Infinity));
for (const [expression, longest] of POLYNOMIAL) {
  expressions(`${expression} takes more than linear time`, () => {
    const found = findLongest(expression, 'u');
    assert.ok(found > longest / 1.3 && found < longest * 1.3, String(found));
    assert.ok(findLongest(expression, 'u', 100) < found / 1.5);
  });
}

expressions.run();
