import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { checkMembers } from '../../../lib/core/check-members.ts';
import { refusalOf } from '../../support/refusal.ts';

const members = suite('checkMembers');

members('names the member that is not known, and those that are', () => {
  assert.is(refusalOf(() => checkMembers('the box', { lid: 1, lip: 2 }, ['lid', 'side'])), 'unknown member "lip" of the box, whose members are lid, side');
  assert.match(refusalOf(() => checkMembers('the box', { toString: 1 }, ['lid'])), 'unknown member "toString"');
});

members('accepts what is known, and less of it', () => {
  for (const value of [{}, { lid: undefined }, { lid: 1, side: 2 }]) checkMembers('the box', value, ['lid', 'side']);
});

members.run();
