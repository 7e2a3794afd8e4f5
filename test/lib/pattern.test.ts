import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { groupsOf, parsePattern } from '../../lib/pattern.ts';

const groups = suite('groupsOf');

groups('names the groups in order', () => {
  const rows = [['/a', []], ['/a/(?P<id>[\\d]+)', ['id']], ['/(?P<b>[^()]+)/(?P<a>x|y)', ['b', 'a']]] as const;
  for (const [pattern, names] of rows) assert.equal(groupsOf(pattern), names, pattern);
});

groups.run();

const parsing = suite('parsePattern');

parsing('parts literal text from what follows', () => {
  const rows = [
    ['/', '/', null, '/'],
    ['/a/b', '/a/b', null, '/a/b'],
    ['/(?P<x>[\\d]+)', '/', '/:x(^(?:[\\d]+)$)', '/()'],
    ['/a/b(?P<x>y|z)-(?P<w>[^()/]+)/c/', '/a/', '/b:x(^(?:y|z)$)-:w(^(?:[^()/]+)$)/c/', '/a/b()-()/c/'],
  ] as const;
  for (const [pattern, beginning, rest, shape] of rows) assert.equal(parsePattern(pattern), { beginning, rest, shape }, pattern);
});

parsing.run();
