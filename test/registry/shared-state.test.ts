import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { engineError } from '../../lib/core/errors.ts';
import { ANONYMOUS, type Identity } from '../../lib/core/identity.ts';
import { FixedSet } from '../../lib/core/objects.ts';
import { createRequest } from '../../lib/http/create-request.ts';
import type { Around, Call } from '../../lib/route/call.ts';
import { CAPABILITIES, capabilitiesOf, ROLES } from '../../registry/core/accounts/roles.ts';
import type { Fixture } from '../../registry/transfer/fixture/fixture.ts';
import { createProbe } from '../support/probe.ts';
import { createTestEngine } from '../support/site.ts';
import { PROJECT } from '../support/sources.ts';
import { createWholeSite } from '../support/whole-site.ts';

// What a call shares with other calls must not change: one mistake in a handler would raise the rights of every later caller, or open a route.
const DEMO = JSON.parse(readFileSync(join(PROJECT, 'examples', 'demo-site.json'), 'utf8')) as Fixture;
const ADMINISTRATOR = String(DEMO.users?.find((user) => user['role'] === 'administrator')?.['login']);

/** Bytes cannot be frozen, and everybody who has an address may write to them. */
const isBytes = (value: object): boolean =>
  ArrayBuffer.isView(value) ||
  value instanceof ArrayBuffer ||
  Object.getPrototypeOf(value)?.constructor?.name === 'JsonText';
const isPrototype = (value: object): boolean => Object.hasOwn(value, 'constructor');
const isFixed = (value: object): boolean =>
  Object.isFrozen(value) && (value instanceof FixedSet || !(value instanceof Set || value instanceof Map));

/** The objects that can be reached from a value, with the first way to each. Getters are called. */
function reach(root: object): ReadonlyMap<object, string> {
  const reached = new Map<object, string>();
  const visit = (value: unknown, way: string): void => {
    if (typeof value !== 'object' || value === null || reached.has(value) || isPrototype(value)) return;
    reached.set(value, way);
    for (
      let holder: object | null = value;
      holder !== null && holder !== Object.prototype && holder !== Array.prototype;
      holder = Object.getPrototypeOf(holder) as object | null
    ) {
      for (const [name, { get, value: member }] of Object.entries(Object.getOwnPropertyDescriptors(holder))) {
        if (!isBytes(value) && !(value instanceof AbortSignal))
          visit(get === undefined ? member : get.call(value), `${way}.${name}`);
      }
    }
    if (value instanceof Map || value instanceof Set)
      for (const member of value.values()) visit(member, `${way}<>`);
  };
  visit(root, '');
  return reached;
}

/** What two of these share and can change. */
function listShared(roots: readonly object[]): readonly string[] {
  const seen = new Set<object>();
  const shared = new Set<string>();
  for (const root of roots) {
    for (const [value, way] of reach(root)) {
      if (seen.has(value) && !isFixed(value) && !isBytes(value)) shared.add(way);
      seen.add(value);
    }
  }
  return [...shared];
}

const TARGETS = [
  '/',
  '/cms/v2',
  '/cms/v2/posts?per_page=3&_embed',
  '/cms/v2/posts/1',
  '/cms/v2/pages',
  '/cms/v2/types',
  '/cms/v2/types/post',
  '/cms/v2/taxonomies/category',
  '/cms/v2/statuses/publish',
  '/cms/v2/categories',
  '/cms/v2/users/1',
  '/cms/v2/users?context=edit',
  '/cms/v2/settings',
  '/cms/v2/comments',
  '/cms/v2/media',
  '/cms/v2/search?search=a',
  '/ml/v1',
  '/ml/tm/v1/jobs',
  '/seo/v1/settings',
  '/nowhere',
];

const sharing = suite('two calls');

sharing('share nothing that can change, in permissions, handlers and around', async () => {
  const calls: object[] = [];
  let wrapped = 0;
  const around: Around = async (call, next) => {
    const response = await next();
    calls.push({ call, response });
    return response;
  };
  const site = await createWholeSite({ fixture: DEMO, content: 'core', around });
  try {
    for (const target of TARGETS) {
      calls.length = 0;
      for (const as of [ADMINISTRATOR, null, ADMINISTRATOR, null]) await site.ask({ target, as });
      assert.equal(listShared(calls), [], target);
      wrapped += calls.length;
    }
    assert.ok(wrapped > 3 * TARGETS.length);
  } finally {
    await site.close();
  }
});

sharing('are found out when they share something', () => {
  const [list, table, set] = [[1], new Map(), new Set(['a'])];
  assert.equal(listShared([{ list }, { a: { list } }]), ['.a.list']);
  assert.equal(listShared([{ table }, { table: Object.freeze(table) }]), ['.table']);
  assert.equal(listShared([{ set }, { set: Object.freeze(set) }]), ['.set']);
  assert.equal(listShared([{ fixed: new FixedSet(['a']) }, {}]), []);
});

sharing('do not raise each other', async () => {
  const namespace = createProbe({ endpoint: { permission: 'manage_options' } });
  const attempts: ((call: Call) => unknown)[] = [
    ({ identity }) => (identity.capabilities as Set<string>).add('manage_options'),
    ({ identity }) => Object.assign(identity, { capabilities: CAPABILITIES }),
    ({ identity: { claims = {} } }) => (claims['groups'] as string[]).push('x'),
    ({ site }) => Object.assign(site.routes[0]?.descriptor.endpoints[0] ?? {}, { permission: 'public' }),
    ({ site }) => (site.routes as unknown[]).pop(),
    ({ given }) => (given as Set<string>).add('id'),
  ];
  const shared = {
    id: 5,
    role: 'x',
    capabilities: new Set(['read']),
    claims: { groups: ['a'], self: {} as object },
  };
  shared.claims.self = shared;
  const outcomes: unknown[] = [];
  for (const attempt of attempts) {
    const tool = createProbe({
      namespace: 'tool/v1',
      pattern: '/tool/v1/it',
      endpoint: { permission: 'tool.may', methods: ['GET'] },
      permissions: {
        'tool.may': (_args, call) => {
          attempt(call);
          return true;
        },
      },
    });
    const engine = createTestEngine([namespace, tool], { capabilities: new Set(['manage_options']) });
    outcomes.push(
      (await engine.dispatch(createRequest('/tool/v1/it', { method: 'OPTIONS' }), shared)).headers['Allow'],
    );
    const status = async (identity: Identity): Promise<number> =>
      (await engine.dispatch(createRequest('/probe/v1/it'), identity)).status;
    assert.equal(
      [await status(shared), await status(ANONYMOUS), [...shared.capabilities], shared.claims.groups],
      [403, 401, ['read'], ['a']],
    );
  }
  assert.equal(
    outcomes,
    attempts.map(() => undefined),
  );
});

sharing('share errors that cannot change', () => {
  const { data, headers } = engineError('rest_forbidden');
  for (const part of [data, headers]) assert.throws(() => Object.assign(part, { secret: 1 }), TypeError);
});

sharing('share roles that cannot change', () => {
  for (const set of [
    ANONYMOUS.capabilities,
    CAPABILITIES,
    capabilitiesOf('editor'),
    capabilitiesOf('no role'),
  ] as readonly unknown[] as readonly Set<string>[]) {
    const before = [...set];
    for (const change of [() => set.add('fly'), () => set.delete('read'), () => set.clear()])
      assert.throws(change, /shared with other calls and cannot change; copy it with new Set\(set\)/);
    assert.equal([...set], before);
  }
  assert.throws(() => (ROLES.subscriber as unknown as string[]).push('manage_options'), TypeError);
  assert.equal(new Set([...ANONYMOUS.capabilities, 'fly']), new Set(['fly']));
});

sharing.run();
