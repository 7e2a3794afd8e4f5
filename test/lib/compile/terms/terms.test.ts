import { parseRateLimit } from 'ratelimit-header-parser';
import { parseDictionary, parseItem, parseList } from 'structured-headers';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../../../adapters/memory-store.ts';
import { CallCounts } from '../../../../lib/compile/terms/call-counts.ts';
import type { Rate } from '../../../../lib/compile/terms/read-terms.ts';
import {
  CALL_COLLECTIONS,
  createEngine,
  createRequest,
  defineNamespace,
  type EndpointDescriptor,
  type Engine,
  type Identity,
  statusOf,
} from '../../../../lib/index.ts';

const BASE = {
  methods: ['GET'],
  handler: 'read',
  permission: 'public',
  args: {},
} as const satisfies EndpointDescriptor;

function open(terms: Partial<EndpointDescriptor>): Engine {
  const descriptor = { namespace: 'a', routes: [{ pattern: '/a', endpoints: [{ ...BASE, ...terms }] }] };
  return createEngine({
    namespaces: [defineNamespace(descriptor, { read: () => ({ ok: true }) })],
    capabilities: new Set(['use']),
    log: () => undefined,
  });
}

const ask = async (engine: Engine, address = '10.0.0.1', identity?: Identity) => {
  const { status, headers, body } = await engine.dispatch({ ...createRequest('/a'), address }, identity);
  return { status, headers, code: (body as { readonly code?: string }).code };
};

const limits = suite('limit');

limits('the third call is refused, and each response tells the state', async () => {
  const engine = open({ limit: { per: 'address', rate: '2/h' } });
  const [one, two, three] = [await ask(engine), await ask(engine), await ask(engine)];
  assert.equal(
    [one, two, three].map(({ status, code }) => [status, code]),
    [
      [200, undefined],
      [200, undefined],
      [429, 'rest_too_many_requests'],
    ],
  );
  assert.ok(Number(three.headers['Retry-After']) >= 1);
  assert.is((await ask(engine, '10.0.0.2')).status, 200);
  const read = parseRateLimit(new Headers(one.headers));
  assert.equal([read?.limit, read?.remaining], [2, 1]);
  assert.is(parseRateLimit(new Headers(three.headers))?.remaining, 0);
  assert.equal([...parseDictionary(one.headers['RateLimit'] ?? '').keys()], ['limit', 'remaining', 'reset']);
  const [[policy, params]] = parseList(one.headers['RateLimit-Policy'] ?? '') as unknown as [
    [number, Map<string, number>],
  ];
  assert.equal([policy, params.get('w')], [2, 3600]);
  const addresses = ['2001:db8::1', '2001:db8::2', '2001:db8::3', '2001:db8:0:1::1'];
  const statuses: number[] = [];
  for (const address of addresses) statuses.push((await ask(engine, address)).status);
  assert.equal(statuses, [200, 200, 429, 200], 'one network');
});

limits('callers are counted by their id, and refusals of the permission count', async () => {
  const engine = open({ limit: { per: 'caller', rate: '1/day' }, permission: 'use' });
  const ada: Identity = { id: 7, role: 'a', capabilities: new Set(['use']) };
  assert.is((await ask(engine, '10.0.0.1', ada)).status, 200);
  assert.is((await ask(engine, '10.0.0.2', ada)).status, 429);
  assert.is((await ask(engine, '10.0.0.2', { ...ada, id: 8 })).status, 200);
  const refused = await ask(engine);
  assert.equal([refused.status, refused.headers['RateLimit-Policy']], [401, '1;w=86400']);
  assert.is((await ask(engine)).status, 429);
});

const RATE: Rate = { calls: 40, seconds: 60 };

limits('several processes share one rate, and no call is admitted twice', async () => {
  const store = createMemoryStore(CALL_COLLECTIONS);
  let now = 0;
  const processes = Array.from({ length: 4 }, () => new CallCounts(store, () => now));
  const admitted = async (): Promise<number> => {
    const taken = await Promise.all(
      Array.from({ length: 200 }, (_each, at) => processes[at % 4]?.take('k', RATE)),
    );
    return taken.filter((each) => each?.isRefused === false).length;
  };
  assert.is(await admitted(), 40);
  assert.is(await admitted(), 0);
  now = 60_000;
  assert.is(await admitted(), 40);
});

limits('counts of windows that are over are removed', async () => {
  const store = createMemoryStore(CALL_COLLECTIONS);
  const [past, present] = [new CallCounts(store, () => 0), new CallCounts(store)];
  await present.take('kept', { calls: 5, seconds: 86_400 });
  for (let at = 0; at < 1500; at += 1) await past.take(`caller ${at}`, RATE);
  const { records } = await store.find({ collection: 'call_counts', limit: 2000 });
  assert.ok(records.length < 1000, String(records.length));
  assert.is(records.filter(({ until }) => Number(until) > 60_000).length, 1);
});

limits('a cached response counts, and functions around see the refusal', async () => {
  const store = createMemoryStore([{ name: 'notes', fields: {} }]);
  const statuses: number[] = [];
  const terms = { limit: { per: 'address', rate: '2/h' }, cache: ['notes'] } as const;
  const engine = createEngine({
    namespaces: [
      defineNamespace(
        { namespace: 'a', routes: [{ pattern: '/a', endpoints: [{ ...BASE, ...terms }] }] },
        { read: () => 1 },
      ),
    ],
    cache: { store },
    around: async (call, next) => {
      try {
        return await next();
      } catch (error) {
        statuses.push(statusOf(error, call));
        throw error;
      }
    },
  });
  const wires = [];
  for (let at = 0; at < 3; at += 1) wires.push(await engine.serve(createRequest('/a')));
  assert.equal(
    wires.map(({ status, headers }) => [status, headers['RateLimit']?.split(', ')[1]]),
    [
      [200, 'remaining=1'],
      [200, 'remaining=0'],
      [429, 'remaining=0'],
    ],
  );
  assert.equal(statuses, [429]);
});

limits('a window begins anew', async () => {
  let now = 59_000;
  const counts = new CallCounts(null, () => now);
  for (let at = 0; at < 40; at += 1) await counts.take('k', RATE);
  assert.equal(await counts.take('k', RATE), { ...RATE, remaining: 0, reset: 1, isRefused: true });
  now = 60_000;
  assert.equal(await counts.take('k', RATE), { ...RATE, remaining: 39, reset: 60, isRefused: false });
});

const life = suite('deprecated');

life('dates become headers that their RFCs define', async () => {
  const { headers } = await ask(
    open({ deprecated: { since: '2026-01-01', sunset: '2027-06-30', use: '/b' } }),
  );
  assert.equal(parseItem(headers['Deprecation'] ?? '')[0], new Date('2026-01-01T00:00:00Z'));
  assert.is(Date.parse(headers['Sunset'] ?? ''), Date.parse('2027-06-30T00:00:00Z'));
  assert.is(headers['Link'], '<http://localhost/b>; rel="successor-version"');
  assert.equal((await ask(open({ deprecated: true }))).headers['Deprecation'], undefined);
});

for (const [name, terms] of Object.entries({
  'a rate without a unit': { limit: { per: 'caller', rate: '60' } },
  'a rate of nothing': { limit: { per: 'caller', rate: '0/min' } },
  'an unknown counter': { limit: { per: 'key', rate: '1/min' } },
  'a member too many': { limit: { per: 'caller', rate: '1/min', burst: 2 } },
  false: { deprecated: false },
  'a day that there is not': { deprecated: { since: '2026-02-30' } },
  'a sunset before the start': { deprecated: { since: '2026-02-01', sunset: '2026-01-01' } },
  'an address that breaks the header': { deprecated: { since: '2026-02-01', use: '/b>; rel="x"' } },
}))
  life(`refused at the start: ${name}`, () =>
    assert.throws(() => open(terms as unknown as Partial<EndpointDescriptor>), TypeError),
  );

limits.run();
life.run();
