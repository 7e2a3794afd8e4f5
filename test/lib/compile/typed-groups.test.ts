import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { writeGroups } from '../../../lib/compile/check-groups.ts';
import {
  type ArgSchemas,
  createEngine,
  createRequest,
  type EndpointDescriptor,
  toNamespace,
} from '../../../lib/index.ts';
import { createProbe } from '../../support/probe.ts';
import { refusalOf } from '../../support/refusal.ts';
import { createTestEngine } from '../../support/site.ts';

const ARGS = {
  id: { type: 'integer' },
  n: { type: 'int' },
  name: { type: 'string' },
  kind: { type: 'string', enum: ['a', 'b'] },
} as const satisfies ArgSchemas;
const toEndpoint = (args: ArgSchemas, more: Partial<EndpointDescriptor> = {}): EndpointDescriptor => ({
  methods: ['GET'],
  handler: 'probe',
  permission: 'public',
  args,
  ...more,
});
const write = (pattern: string, ...endpoints: readonly EndpointDescriptor[]): string =>
  writeGroups('x', { pattern, endpoints });

const writing = suite('writeGroups');

writing('takes the expression from the type of the parameter', () => {
  const rows = [
    ['/x', '/x'],
    ['/x/{id}', '/x/(?P<id>[\\d]+)'],
    ['/x/{n}/y', '/x/(?P<n>[\\d]+)/y'],
    ['/{name}', '/(?P<name>[^/]+)'],
    ['/x/{kind}-{id}.json', '/x/(?P<kind>[^/]+)-(?P<id>[\\d]+).json'],
    ['/x/(?P<code>[a-z]{2})/{id}', '/x/(?P<code>[a-z]{2})/(?P<id>[\\d]+)'],
    ['/x/(?P<id>[a-f]{2,})', '/x/(?P<id>[a-f]{2,})'],
  ] as const;
  for (const [pattern, written] of rows) assert.is(write(pattern, toEndpoint(ARGS)), written);
  assert.is(write('/x/{id}', toEndpoint({}, { body: ARGS })), '/x/(?P<id>[\\d]+)');
});

const REFUSED: readonly (readonly [args: ArgSchemas, refusal: string])[] = [
  [
    {},
    'x GET: the pattern has {v}, but the endpoint does not declare a parameter "v": declare it with the type integer or string, or write (?P<v>[^/]+)',
  ],
  [
    { v: { type: 'number' } },
    'x GET, parameter v: {v} must be of type integer or string, but is of type number: write (?P<v>-?[\\d.]+)',
  ],
  [
    { v: { type: 'bool' } },
    'x GET, parameter v: {v} must be of type integer or string, but is of type boolean: write (?P<v>true|false)',
  ],
  [
    { v: { type: 'array', items: { type: 'integer' } } },
    'x GET, parameter v: {v} must be of type integer or string, but is of type array: write (?P<v>[^/]+)',
  ],
  [
    { v: { type: ['integer', 'string'] } },
    'x GET, parameter v: {v} must be of type integer or string, but is of type integer or string: write (?P<v>[^/]+)',
  ],
  [
    { v: {} },
    'x GET, parameter v: {v} must be of type integer or string, but has no type: write (?P<v>[^/]+)',
  ],
];

for (const [args, refusal] of REFUSED) {
  writing(`refuses ${JSON.stringify(args)} with the form that is right`, () => {
    assert.is(
      refusalOf(() => write('/x/{v}', toEndpoint(args))),
      refusal,
    );
    const [form = ''] = /\(\?P<v>.*\)/.exec(refusal) ?? [];
    createTestEngine([createProbe({ pattern: `/probe/v1/${form}`, endpoint: { args } })]);
  });
}

writing('refuses what the endpoints of a route do not agree about', () => {
  const put = { methods: ['PUT'] } as const;
  assert.match(
    refusalOf(() => write('/x/{id}', toEndpoint(ARGS), toEndpoint({ id: { type: 'string' } }, put))),
    'x: {id} is an integer for one method and a string for another: give the parameter the same type for both, or write (?P<id>[^/]+)',
  );
  assert.match(
    refusalOf(() => write('/x/{id}', toEndpoint(ARGS), toEndpoint({}, put))),
    'x PUT: the pattern has {id}, but',
  );
});

for (const name of ['constructor', 'toString', '__proto__']) {
  writing(`does not take an inherited ${name} for a parameter`, () => {
    assert.match(
      refusalOf(() => write(`/x/{${name}}`, toEndpoint({}))),
      'does not declare a parameter',
    );
  });
}

writing.run();

const serving = suite('routes with {name}');

serving('are found, listed and described as those with an expression', async () => {
  const probe = createProbe({
    namespace: 'items',
    pattern: '/items/{id}/{name}',
    endpoint: { args: { id: ARGS.id, name: ARGS.name } },
  });
  const engine = createEngine({ namespaces: [probe], log: () => undefined });
  const ask = async (target: string): Promise<unknown> => {
    const { status, body } = await engine.dispatch(createRequest(target));
    return status === 200 ? { ...(body as object) } : status;
  };
  assert.equal(await ask('/items/7/a%20b'), { id: 7, name: 'a b' });
  assert.equal(
    [await ask('/items/x/a'), await ask('/items/7'), await ask('/items/7/a/b'), await ask('/items/-7/a')],
    [404, 404, 404, 404],
  );
  const pattern = '/items/(?P<id>[\\d]+)/(?P<name>[^/]+)';
  assert.ok(
    Object.hasOwn(((await engine.dispatch(createRequest('/'))).body as { routes: object }).routes, pattern),
  );
  assert.equal(engine.routes.map((route) => route.pattern).at(-1), pattern);
  assert.ok(
    Object.hasOwn(
      engine.describeOpenApi({ title: 'T', version: '1', siteUrl: 'https://x.example' })['paths'] as object,
      '/items/{id}/{name}',
    ),
  );
});

serving('are refused where another form takes the same paths', () => {
  const get = toEndpoint({ id: ARGS.id });
  const twice = toNamespace(
    {
      namespace: 'items',
      routes: [
        { pattern: '/items/{id}', endpoints: [get] },
        { pattern: '/items/(?P<id>[\\d]+)', endpoints: [get] },
      ],
    },
    { probe: () => 1 },
  );
  assert.match(
    refusalOf(() => createEngine({ namespaces: [twice] })),
    /^items: .* GET: .*already registered/,
  );
});

for (const [pattern, form] of [
  ['/a/:id', 'id'],
  ['/a/{slug:.+}', 'slug'],
  ['/a/{path*}', 'path'],
  ['/a/[id]', 'id'],
] as const) {
  serving(`are what the refusal of ${pattern} names`, () => {
    const refusal = refusalOf(() => createEngine({ namespaces: [createProbe({ namespace: 'a', pattern })] }));
    assert.ok(refusal.includes('is not a group') && refusal.includes(`{${form}} is short for`), refusal);
  });
}

serving.run();
