import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { groupsOf, parsePattern, readGroups, replaceGroups } from '../../../lib/route/pattern.ts';
import { refusalOf } from '../../support/refusal.ts';

const groups = suite('groupsOf');

groups('names the groups in order', () => {
  const rows = [
    ['/a', []],
    ['/a/(?P<id>[\\d]+)', ['id']],
    ['/(?P<b>[^()]+)/(?P<a>x|y)', ['b', 'a']],
  ] as const;
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
    ['/a/(?P<x>(?:[\\d]+|me))/b', '/a/', '/:x(^(?:(?:[\\d]+|me))$)/b', '/a/()/b'],
  ] as const;
  for (const [pattern, beginning, rest, shape] of rows)
    assert.equal(parsePattern(pattern), { beginning, rest, shape }, pattern);
});

/** How other routers write a group, and the name that the refusal puts into the right form. */
const FOREIGN: readonly (readonly [pattern: string, name: string])[] = [
  ['/a/:id', 'id'],
  ['/a/:post_id/b', 'post_id'],
  ['/a/:id?', 'id'],
  ['/a/:id(\\d+)', 'id'],
  ['/a/{id}', 'id'],
  ['/a/{slug:.+}', 'slug'],
  ['/a/{id:int}', 'id'],
  ['/a/<id>', 'id'],
  ['/a/<int:id>', 'id'],
  ['/a/(?<id>[\\d]+)', 'id'],
  ['/a/[id]', 'id'],
];

parsing('names the right form of a group', () => {
  for (const [pattern, name] of FOREIGN)
    assert.match(
      refusalOf(() => parsePattern(pattern)),
      `is not a group; a group is written (?P<${name}>…)`,
      pattern,
    );
  for (const pattern of ['/a/*', '/a/(\\d+)', '/a|b', '/a/(?P<id>[\\d]+)?', '/a/b?'])
    assert.match(
      refusalOf(() => parsePattern(pattern)),
      'a group is written (?P<name>…)',
      pattern,
    );
});

parsing.run();

const replacing = suite('replaceGroups');

replacing('puts something else in the place of each group', () => {
  assert.is(
    replaceGroups('/a/(?P<b>[^/]+)/c/(?P<d>x|y)', ({ name, expression }) => `{${name}: ${expression}}`),
    '/a/{b: [^/]+}/c/{d: x|y}',
  );
});

replacing.run();

const reading = suite('readGroups');

reading('gives name and expression', () => {
  assert.equal(readGroups('/(?P<b>[^()]+)/(?P<a>x|y)'), [
    { name: 'b', expression: '[^()]+' },
    { name: 'a', expression: 'x|y' },
  ]);
  assert.equal(readGroups('/a'), []);
});

reading.run();
