import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  FLAG,
  FUNCTION,
  LIST,
  OBJECT,
  TEXT,
  checkMembers,
  checkOptions,
  countUpTo,
  type OptionRules,
} from '../../../lib/core/check-options.ts';
import { refusalOf } from '../../support/refusal.ts';

const RULES: OptionRules = {
  lid: { ...FLAG, needed: true },
  name: TEXT,
  count: countUpTo(9),
  items: LIST,
  make: FUNCTION,
  parts: OBJECT,
};
const check = (options: unknown) => checkOptions('the options of the box', options, RULES);

const options = suite('checkOptions');

options('names the first that does not fit, and what would be right', () => {
  const rows: readonly (readonly [given: unknown, refusal: string])[] = [
    [null, 'the options of the box are null; they must be an object'],
    [[], 'the options of the box are []; they must be an object'],
    [
      { lid: true, lip: 1 },
      'unknown member "lip" of the options of the box; the members are lid, name, count, items, make, parts. Did you mean "lid"?',
    ],
    [{}, 'lid of the options of the box is undefined; it must be true or false'],
    [{ lid: true, name: '' }, 'name of the options of the box is ""; it must be a text that is not empty'],
    [
      { lid: true, count: 10 },
      'count of the options of the box is 10; it must be a whole number from 1 to 9',
    ],
    [{ lid: true, items: () => 1 }, 'items of the options of the box is a function; it must be a list'],
    [
      { lid: true, make: new Uint8Array(3) },
      'make of the options of the box is 3 bytes; it must be a function',
    ],
    [{ lid: true, parts: ['a', 1n] }, 'parts of the options of the box is ["a","1"]; it must be an object'],
  ];
  for (const [given, refusal] of rows)
    assert.is(
      refusalOf(() => check(given)),
      refusal,
    );
});

options('tells nothing of what is in an object, and not all of a long text', () => {
  assert.not.match(
    refusalOf(() => check({ lid: { token: 'hush' } })),
    'hush',
  );
  assert.ok(refusalOf(() => check({ lid: 'x'.repeat(10_000) })).length < 200);
});

options('accepts what fits, and leaves out what is not given', () => {
  check({ lid: false });
  check({ lid: true, name: undefined, count: 9, items: [], make: () => 1, parts: {} });
});

options.run();

const members = suite('checkMembers');

members('names the member that is not known, and those that are', () => {
  assert.is(
    refusalOf(() => checkMembers('the box', { lid: 1, lip: 2 }, ['lid', 'side'])),
    'unknown member "lip" of the box; the members are lid, side. Did you mean "lid"?',
  );
  const many = [...'abcdefghijklm'].map((letter) => `${letter}-side`);
  assert.is(
    refusalOf(() => checkMembers('the box', { 'm-sied': 1 }, many)),
    'unknown member "m-sied" of the box. Did you mean "m-side"?',
  );
  assert.match(
    refusalOf(() => checkMembers('the box', { toString: 1 }, ['lid'])),
    'unknown member "toString"',
  );
});

members('accepts what is known, and less of it', () => {
  for (const value of [{}, { lid: undefined }, { lid: 1, side: 2 }])
    checkMembers('the box', value, ['lid', 'side']);
});

members.run();
