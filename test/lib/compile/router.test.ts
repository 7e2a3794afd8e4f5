import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createPathRouter, PATH_PARAMETER_LIMIT } from '../../../lib/compile/router.ts';

const PATTERNS = [
  '/',
  '/a',
  '/a/(?P<id>[\\d]+)',
  '/a/(?P<id>[\\d]+)/b/(?P<other>[\\d]+)',
  '/a/fixed',
  '/word/(?P<word>[\\w-]+)',
  '/kind/(?P<kind>one|two)',
  '/v1.0/dots',
  '/any/(?P<rest>[^/]+)',
];

function createRouter() {
  const router = createPathRouter<{ readonly pattern: string }>();
  for (const pattern of PATTERNS) router.add(pattern, { pattern });
  return router;
}

const FOUND: readonly (readonly [
  path: string,
  pattern: string | null,
  params?: Readonly<Record<string, string>>,
])[] = [
  ['/', '/'],
  ['/a', '/a'],
  ['/a/', null],
  ['/A', null],
  ['//a', null],
  ['a', null],
  ['', null],
  ['/a/7', '/a/(?P<id>[\\d]+)', { id: '7' }],
  ['/a/007', '/a/(?P<id>[\\d]+)', { id: '007' }],
  ['/a/-7', null],
  ['/a/7x', null],
  ['/a/\u0667', null],
  ['/a/\uFF11', null],
  ['/a/7\n', null],
  ['/a/%37', null],
  ['/a/7/b/8', '/a/(?P<id>[\\d]+)/b/(?P<other>[\\d]+)', { id: '7', other: '8' }],
  ['/a/fixed', '/a/fixed'],
  ['/word/x-y_z', '/word/(?P<word>[\\w-]+)', { word: 'x-y_z' }],
  ['/kind/one', '/kind/(?P<kind>one|two)', { kind: 'one' }],
  ['/kind/two', '/kind/(?P<kind>one|two)', { kind: 'two' }],
  ['/kind/onex', null],
  ['/kind/xtwo', null],
  ['/v1.0/dots', '/v1.0/dots'],
  ['/v1x0/dots', null],
  ['/any/a b%?#;é', '/any/(?P<rest>[^/]+)', { rest: 'a b%?#;é' }],
  ['/any/%41', '/any/(?P<rest>[^/]+)', { rest: '%41' }],
  ['/any/a?b=c', '/any/(?P<rest>[^/]+)', { rest: 'a?b=c' }],
  ['/any/..', '/any/(?P<rest>[^/]+)', { rest: '..' }],
  [
    `/any/${'x'.repeat(PATH_PARAMETER_LIMIT)}`,
    '/any/(?P<rest>[^/]+)',
    { rest: 'x'.repeat(PATH_PARAMETER_LIMIT) },
  ],
  [`/any/${'x'.repeat(PATH_PARAMETER_LIMIT + 1)}`, null],
];

const REFUSED: readonly string[] = [
  'no-slash',
  '/a/(?P<id>[\\d]+',
  '/a/(?P<id>(?P<no>x))',
  '/a/(?P<id>(a+)+)',
  '/a/(?P<id>[\\d]+)?',
  '/a/*',
  '/a/:id',
  '/a/(\\d+)',
  '/a/(?:x)?',
  '/a/b+',
  '/a|b',
  '/a/(?P<x>[)',
  '/a/(?P<id>\\d+)/(?P<id>\\d+)',
  '/a#b',
];

const routing = suite('createPathRouter');

for (const [path, pattern, params = {}] of FOUND) {
  routing(`takes ${JSON.stringify(path.slice(0, 40))} to ${pattern}`, () => {
    const found = createRouter().build()(path);
    assert.is(found?.target.pattern ?? null, pattern);
    if (found !== null) assert.equal({ ...found.params }, params);
  });
}

for (const pattern of REFUSED) {
  routing(`refuses ${pattern.slice(0, 40)}`, () => assert.throws(() => createPathRouter().add(pattern, {})));
}

routing('refuses a pattern twice', () => {
  const router = createRouter();
  assert.throws(() => router.add('/a', { pattern: '/a' }));
  assert.throws(() => router.add('/a/(?P<id>[\\d]+)', { pattern: '' }));
  assert.throws(() => router.add('/a/(?P<other>\\w+)', { pattern: '' }));
});

routing.run();
