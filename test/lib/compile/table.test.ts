import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { CacheStore } from '../../../lib/engine/response-cache.ts';
import { createEngine } from '../../../lib/index.ts';
import type { Permission } from '../../../lib/route/call.ts';
import type { EndpointDescriptor, Method, RouteDescriptor } from '../../../lib/route/descriptor.ts';
import type { Namespace, ValueCheck } from '../../../lib/route/namespace.ts';
import type { ArgSchema, ArgSchemas } from '../../../lib/schema/schema-dialect.ts';
import { createProbe, type ProbeParts } from '../../support/probe.ts';
import { refusalOf } from '../../support/refusal.ts';
import { createTestEngine, TEST_NAMES } from '../../support/site.ts';

const arg = (schema: object): Partial<EndpointDescriptor> => ({ args: { wrong: schema as ArgSchema } });
const without = (name: keyof EndpointDescriptor): Partial<EndpointDescriptor> => ({ [name]: undefined });

/** What a descriptor from a file may hold, and a part of the text that refuses it. */
const ENDPOINTS: readonly (readonly [title: string, endpoint: Partial<EndpointDescriptor>, text: string])[] =
  [
    ['an unknown handler id', { handler: 'other' }, 'unknown handler id "other"'],
    [
      'a misspelt handler id',
      { handler: 'prboe' },
      'unknown handler id "prboe": it must be the key of a function of the namespace. Did you mean "probe"?',
    ],
    [
      'a handler id that every object inherits',
      { handler: 'constructor' },
      'unknown handler id "constructor"',
    ],
    [
      'a function in the place of its id',
      { handler: (() => 1) as never },
      "handler is a function, but a descriptor is data: write an id, such as handler: 'notes.handler', and give the function under this id to defineNamespace, in its handlers",
    ],
    [
      'a permission function in the place of its id',
      { permission: (() => true) as never },
      "permission is a function, but a descriptor is data: write an id, such as permission: 'notes.permission', and give the function under this id to defineNamespace, in its permissions",
    ],
    ['no handler', without('handler'), 'handler is missing'],
    ['no permission', without('permission'), 'permission is missing'],
    ['an empty permission', { permission: '' }, 'permission is missing'],
    ['an unknown capability', { permission: 'fly' }, 'unknown permission "fly"'],
    [
      'a misspelt permission',
      { permission: 'pulbic' },
      'unknown permission "pulbic": it must be \'public\', a capability of the engine or a permission function of the namespace. Did you mean "public"?',
    ],
    ['a permission that every object inherits', { permission: 'toString' }, 'unknown permission "toString"'],
    ['an unknown permission function', { permission: 'probe.may' }, 'unknown permission "probe.may"'],
    ['an unknown method', { methods: ['FETCH' as Method] }, 'methods[0]: "FETCH" is not one of GET'],
    ['HEAD, which comes with GET', { methods: ['HEAD' as Method] }, 'methods[0]: "HEAD" is not one of GET'],
    ['a method twice', { methods: ['GET', 'GET'] }, 'the method GET is declared twice'],
    [
      'an unknown schema keyword',
      arg({ type: 'string', $ref: '#' }),
      'parameter wrong: unknown schema keyword "$ref"',
    ],
    ['an unknown type', arg({ type: 'text' }), 'parameter wrong: unknown type "text"'],
    [
      'an unknown keyword in the hidden schema',
      { body: { wrong: { anyOf: [] } as ArgSchema } },
      'parameter wrong: unknown schema keyword "anyOf"',
    ],
    [
      'an unknown format',
      arg({ type: 'string', format: 'shape' }),
      'parameter wrong: unknown format "shape"',
    ],
    ['a broken regular expression', arg({ type: 'string', pattern: '[' }), 'parameter wrong: '],
    [
      'an expression that may take forever',
      arg({ type: 'string', pattern: '^(a+)+$' }),
      'parameter wrong: the pattern ^(a+)+$ cannot be used: a repetition or a choice within a repetition can take exponential time',
    ],
    [
      'an expression that takes more than linear time',
      arg({ type: 'string', pattern: '^.*.*.*.*.*x$' }),
      'parameter wrong: the pattern ^.*.*.*.*.*x$ takes time that grows faster than the text, because several of its repetitions can match the same characters; write repetitions that share none, or add maxLength, here 41 at most',
    ],
    [
      'one for longer texts than it can match in time',
      arg({ type: 'string', pattern: '^.*.*x$', maxLength: 5000 }),
      'add maxLength, here 1999 at most',
    ],
    [
      'one for many items',
      arg({ type: 'array', items: { type: 'string', pattern: '^.*.*x$', maxLength: 1000 } }),
      'parameter wrong.items: the pattern ^.*.*x$',
    ],
    [
      'such an expression of items',
      arg({
        type: 'array',
        items: { type: 'object', properties: { deep: { type: 'string', pattern: '^(a+)+$' } } },
      }),
      'exponential time',
    ],
    [
      'such an expression of other members',
      arg({ type: 'object', additionalProperties: { type: 'string', pattern: '^(a+)+$' } }),
      'exponential time',
    ],
    [
      'such an expression of a branch',
      arg({
        oneOf: [
          { type: 'object', properties: {} },
          { type: 'string', pattern: '^(a+)+$' },
        ],
      }),
      'exponential time',
    ],
    ['such an expression without a type', arg({ pattern: '^(a+)+$' }), 'exponential time'],
    [
      'such an expression in the hidden schema',
      { body: { wrong: { type: 'string', pattern: '^(a+)+$' } } },
      'exponential time',
    ],
    [
      'bounds that nothing lies between',
      arg({ type: 'integer', minimum: 3, maximum: 1 }),
      'parameter wrong: minimum 3 is larger than maximum 1',
    ],
    [
      'a value of an enum of another type',
      arg({ type: 'integer', enum: [1, 'a'] }),
      'parameter wrong: "a" of enum is not of type integer',
    ],
    [
      'an unknown type of the answer',
      { answers: { 200: { type: 'array', items: { type: 'text' } } as object as ArgSchema } },
      'answers.200.items: unknown type "text"',
    ],
    ...['_embed', '_envelope', '_fields', '_jsonp', '_method', 'tongue'].map(
      (name) =>
        [
          `a parameter that every endpoint has, ${name}`,
          { args: { [name]: { type: 'string' } } },
          `parameter ${name}: every endpoint already has`,
        ] as const,
    ),
    [
      'an unbounded comparison of objects',
      arg({ type: 'array', uniqueItems: true, items: { type: 'object' } }),
      'parameter wrong: uniqueItems needs',
    ],
    [
      'a default of another type',
      arg({ type: 'integer', default: 'x' }),
      'parameter wrong: the default is not valid: wrong is not of type integer.',
    ],
    [
      'a default out of bounds',
      arg({ type: 'integer', default: 0, minimum: 1 }),
      'parameter wrong: the default is not valid',
    ],
    [
      'a default that is none of the enum',
      arg({ type: 'string', default: 'x', enum: ['y'] }),
      'parameter wrong: the default is not valid: "x" is not in enum, which holds "y"',
    ],
    [
      'a bound of another type',
      arg({ type: 'string', minimum: 1 }),
      'parameter wrong: minimum needs the type integer or number',
    ],
    [
      'a parameter that reaches a prototype',
      { args: { ['__proto__']: { type: 'string' } } },
      '__proto__ is not a name',
    ],
    [
      'a hidden parameter that reaches a prototype',
      { body: { constructor: { type: 'string' } } as object as ArgSchemas },
      'constructor is not a name',
    ],
    [
      'a parameter that became a prototype',
      { args: { __proto__: { type: 'string' } } as object as ArgSchemas },
      '__proto__ is not a name',
    ],
    [
      'a collection that the store does not have',
      { cache: ['posts', 'postz'] },
      'cache names a collection "postz" that the store does not have; its collections are posts',
    ],
    [
      'an unknown check',
      { args: { wrong: {} }, checks: { wrong: 'probe.check' } },
      'parameter wrong: unknown check "probe.check"',
    ],
    [
      'a check of a parameter that is not declared',
      { checks: { wrong: 'probe.check' } },
      'checks needs a parameter "wrong"',
    ],
    [
      'a first check of a parameter that every object inherits',
      { checkFirst: ['toString'] },
      'checkFirst needs a parameter "toString"',
    ],
    ['a body that is a list without a schema', { bodyForm: 'array' }, 'bodyForm needs a parameter "body"'],
    [
      'a check that every object inherits',
      { args: { wrong: {} }, checks: { wrong: 'valueOf' } },
      'parameter wrong: unknown check "valueOf"',
    ],
  ];

const PATTERNS: readonly (readonly [title: string, pattern: string, text: string])[] = [
  ['a pattern without a slash in front', 'probe/v1/it', 'path'],
  ['a regular expression that may take forever', '/probe/v1/(?P<id>(a+)+)', 'group'],
  [
    'an unsafe regular expression',
    '/probe/v1/(?P<id>[a]{1,9}x*x*x*x*x*x*x*x*x*x*x*x*x*x*x*x*x*x*x*x*x*x*x*x*x*x*x*)',
    'safe',
  ],
  [
    'groups that take more than linear time',
    '/probe/v1/(?P<from>[^/]+)-(?P<to>[^/]+)',
    'the groups (?:[^/]+)-(?:[^/]+) take time that grows faster than the path',
  ],
  ['a group that is not closed', '/probe/v1/(?P<id>[\\d]+', 'not closed'],
  ['a group that may be absent', '/probe/v1/(?P<id>[\\d]+)?', 'outside of a named group'],
  ['a slash at the end', '/probe/v1/it/', 'must not end with "/"'],
  ['a wildcard', '/probe/v1/*', 'outside of a named group'],
  ['a group name twice', '/probe/v1/(?P<id>\\d+)/(?P<id>\\d+)', 'the same name'],
];

/** A store that says which collections it has. */
const STORE: CacheStore = { collections: ['posts'], revision: () => 1, versions: () => [] };

function refuse(parts: ProbeParts): string {
  return refusalOf(() =>
    createTestEngine([createProbe(parts)], {
      capabilities: new Set(['edit']),
      commonArgs: { tongue: { type: 'string' } },
      cache: { store: STORE },
    }),
  );
}

const compiling = suite('compileTable');

for (const [title, endpoint, text] of ENDPOINTS) {
  compiling(`refuses ${title}`, () => {
    const refusal = refuse({ endpoint });
    const method = endpoint.methods?.[0] ?? 'GET';
    assert.ok(refusal.startsWith(`probe/v1: /probe/v1/it ${method}`), refusal);
    assert.ok(refusal.includes(text), refusal);
  });
}

for (const [title, pattern, text] of PATTERNS) {
  compiling(`refuses ${title}`, () => {
    const refusal = refuse({ pattern });
    assert.ok(refusal.startsWith(`probe/v1: ${pattern} GET: `), refusal);
    assert.ok(refusal.includes(text), refusal);
  });
}

/** Groups that no value of their parameter fits, or whose parameter has another name. */
const GROUPS: readonly (readonly [pattern: string, args: ArgSchemas, text: string])[] = [
  [
    '(?P<id>[a-z]+)',
    { id: { type: 'integer' } },
    'parameter id: it must be of type integer, but the group (?P<id>[a-z]+) does not match such a text',
  ],
  ['(?P<id>[a-z]+)', { id: { type: ['number', 'null'] } }, 'parameter id: it must be of type number or null'],
  ['(?P<id>\\d+)', { id: { type: 'string', enum: ['a', 'b'] } }, 'parameter id: it must be one of ["a","b"]'],
  ['(?P<on>[a-d]+)', { on: { type: 'boolean' } }, 'parameter on: it must be of type boolean'],
  [
    '(?P<id>\\d+)',
    { idd: { type: 'integer' } },
    'the pattern has a group "id" and the endpoint has a parameter "idd"',
  ],
  [
    '(?P<post_id>\\d+)',
    { postId: { type: 'integer' } },
    'a group "post_id" and the endpoint has a parameter "postId"',
  ],
];

for (const [group, args, text] of GROUPS) {
  compiling(`refuses the group ${group} for ${JSON.stringify(args)}`, () => {
    const refusal = refuse({ pattern: `/probe/v1/${group}`, endpoint: { args } });
    assert.ok(refusal.startsWith(`probe/v1: /probe/v1/${group} GET`), refusal);
    assert.ok(refusal.includes(text), refusal);
  });
}

compiling('refuses a permission without speaking of capabilities where there are none', () => {
  const refusal = refusalOf(() =>
    createEngine({ namespaces: [createProbe({ endpoint: { permission: 'pulbic' } })] }),
  );
  assert.match(
    refusal,
    'unknown permission "pulbic": it must be \'public\' or a permission function of the namespace; the engine has no capabilities. Did you mean "public"?',
  );
});

compiling('refuses a link for which an unknown capability is needed', () => {
  const { descriptor, ...parts } = createProbe();
  const withLink = (when: string): Namespace => ({
    ...parts,
    descriptor: {
      ...descriptor,
      resources: { it: { title: 'it', properties: {}, links: { self: { href: '/probe/v1/it', when } } } },
    },
  });
  assert.is(
    refusalOf(() => createTestEngine([withLink('edit fly')], { capabilities: new Set(['edit']) })),
    'probe/v1: resource it, link self: unknown capability "fly"; the capabilities are edit',
  );
  createTestEngine([withLink('edit')], { capabilities: new Set(['edit']) });
});

compiling('takes any collection where the store does not say which it has', () => {
  const { collections: _unknown, ...store } = STORE;
  createTestEngine([createProbe({ endpoint: { cache: ['postz'] } })], { cache: { store } });
  createTestEngine([createProbe({ endpoint: { cache: ['postz'] } })]);
});

/** What plain JavaScript may give in place of functions, and a part of the text that refuses it. */
const FUNCTIONS: readonly (readonly [title: string, parts: ProbeParts, text: string])[] = [
  [
    'a handler that is no function',
    { handler: 'probe' as unknown as () => unknown },
    'the handler "probe" is "probe"; it must be a function',
  ],
  [
    'a permission that is no function',
    { endpoint: { permission: 'may' }, permissions: { may: true as unknown as Permission } },
    'the permission "may" is true; it must be a function',
  ],
  [
    'a check that is no function',
    { endpoint: { args: { a: {} }, checks: { a: 'is' } }, checks: { is: /x/ as unknown as ValueCheck } },
    'the check "is" is an object; it must be a function',
  ],
  [
    'a handler that was called',
    { handler: Promise.resolve(1) as unknown as () => unknown },
    'the handler "probe" is a promise; it must be a function. Give the function itself, without calling it',
  ],
  [
    'a permission that is undefined',
    { endpoint: { permission: 'may' }, permissions: { may: undefined as unknown as Permission } },
    'the permission "may" is undefined; it must be a function',
  ],
];

for (const [title, parts, text] of FUNCTIONS) {
  compiling(`refuses ${title}`, () => {
    const refusal = refuse(parts);
    assert.ok(refusal.startsWith('probe/v1: /probe/v1/it GET'), refusal);
    assert.ok(refusal.includes(text), refusal);
  });
}

compiling('refuses a handler that is undefined, and does not suggest its own name', () => {
  const refusal = refusalOf(() =>
    createTestEngine([{ ...createProbe(), handlers: { probe: undefined as unknown as () => unknown } }]),
  );
  assert.is(
    refusal,
    'probe/v1: /probe/v1/it GET: the handler "probe" is undefined; it must be a function. Is the name of its import or variable right?',
  );
});

const routes = (...list: readonly RouteDescriptor[]): Namespace => ({
  ...createProbe(),
  descriptor: { namespace: 'probe/v1', routes: list },
});
const get = { methods: ['GET'], handler: 'probe', permission: 'public', args: {} } as const;

compiling('refuses a pattern and method twice, wherever they are', () => {
  const rows: readonly (readonly Namespace[])[] = [
    [routes({ pattern: '/probe/v1/it', endpoints: [get, get] })],
    [routes({ pattern: '/probe/v1/it', endpoints: [get] }, { pattern: '/probe/v1/it', endpoints: [get] })],
    [
      routes({ pattern: '/probe/v1/it', endpoints: [get] }),
      createProbe({ namespace: 'probe', pattern: '/probe/v1/it' }),
    ],
    [createProbe({ namespace: 'batch', pattern: '/batch/v1' })],
  ];
  for (const namespaces of rows) {
    const refusal = refusalOf(() => createTestEngine(namespaces));
    assert.match(
      refusal,
      /^(?:probe\/v1|probe|batch): \/(?:probe\/v1\/it|batch\/v1) GET: .*(?:already registered|declared twice)/,
    );
  }
});

compiling('refuses an unknown resource', () => {
  assert.match(
    refusalOf(() =>
      createTestEngine([routes({ pattern: '/probe/v1/it', resource: 'toString', endpoints: [get] })]),
    ),
    /^probe\/v1: \/probe\/v1\/it: unknown resource "toString"/,
  );
});

compiling('refuses two parameters of one wire name', () => {
  const names = { ...TEST_NAMES, params: { ml_language: 'lang' } };
  const refusal = refusalOf(() =>
    createTestEngine([createProbe({ endpoint: { args: { ml_language: {}, lang: {} } } })], { names }),
  );
  assert.match(refusal, /^probe\/v1: \/probe\/v1\/it GET, parameter ml_language: .*"lang"/);
});

compiling('accepts a capability, a permission function and a check of its own', async () => {
  const namespace = createProbe({
    endpoint: { permission: 'probe.may', args: { a: { type: 'string' } }, checks: { a: 'probe.check' } },
    permissions: { 'probe.may': () => true },
    checks: { 'probe.check': () => null },
  });
  assert.not.throws(() =>
    createTestEngine(
      [namespace, createProbe({ namespace: 'two', pattern: '/two/it', endpoint: { permission: 'edit' } })],
      { capabilities: new Set(['edit']) },
    ),
  );
});

compiling.run();
