import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createRequest } from '../../../../lib/http/create-request.ts';
import { upstreamError, type Upstream, type UpstreamRequest } from '../../../../lib/ports/upstream.ts';
import { notConnected } from '../../../../registry/core/host/host-functions.ts';
import type { LogEvent, Ports } from '../../../../registry/core/host/ports.ts';
import { readOption, writeOption } from '../../../../registry/core/settings/options.ts';
import { createInstallerNamespace } from '../../../../registry/plugins/pkg/index.ts';
import { pkgDescriptor } from '../../../../registry/plugins/pkg/routes.ts';
import { checkAnswer } from '../../../support/answers.ts';
import { createTestPorts, TEST_CONFIG, TEST_NOW } from '../../../support/ports.ts';
import { createTestEngine } from '../../../support/site.ts';

const PATH = '/pkg/installer/v1/push/fetch-subscription';
const HOURS = 3_600_000;

function createSite({
  settings = {},
  upstream = notConnected,
  store,
}: { settings?: Readonly<Record<string, unknown>>; upstream?: Upstream; store?: Ports['store'] } = {}) {
  const clock = { now: TEST_NOW };
  const logged: LogEvent[] = [];
  const ports = createTestPorts({
    now: () => clock.now,
    upstream,
    log: (event) => {
      logged.push(event);
    },
    config: { ...TEST_CONFIG, namespaces: { pkg: settings } },
    ...(store === undefined ? {} : { store }),
  });
  const engine = createTestEngine([createInstallerNamespace(ports)]);
  return {
    ports,
    clock,
    logged,
    subscription: () => readOption(ports.store, 'pkg', 'subscription'),
    async ping() {
      const { status, body, headers } = await engine.dispatch(
        createRequest(PATH, { siteUrl: 'https://site.test' }),
      );
      return { status, body: body as Readonly<Record<string, unknown>>, wait: headers['Retry-After'] };
    },
  };
}

function createVendor(answer: () => { status: number; body: unknown }) {
  const requests: UpstreamRequest[] = [];
  const upstream: Upstream = {
    origin: () => 'https://vendor.test',
    request: async (_service, request) => {
      requests.push(request);
      const { status, body } = answer();
      return {
        status,
        headers: {},
        body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
      };
    },
  };
  return { upstream, requests };
}

const ACTIVE = {
  status: 'active',
  expires: '2026-01-01',
  products: ['builder', 7, 'forms'],
  secret: 'canary',
};
const now = TEST_NOW / 1000;

const test = suite('pkg fetch-subscription');

test('reads the subscription from the vendor, stores it and tells the host', async () => {
  const told: unknown[] = [];
  const { upstream, requests } = createVendor(() => ({ status: 200, body: ACTIVE }));
  const site = createSite({
    upstream,
    settings: { siteKey: 'key-1', onSubscription: (subscription: unknown) => told.push(subscription) },
  });
  const { status, body } = await site.ping();
  assert.equal([status, body], [200, { message: 'OK' }]);
  checkAnswer(pkgDescriptor, ['GET', PATH], body);
  assert.equal(await site.subscription(), {
    status: 'active',
    expires: '2026-01-01',
    products: ['builder', 'forms'],
    refreshed: now,
  });
  assert.equal(told, [{ status: 'active', expires: '2026-01-01', products: ['builder', 'forms'] }]);
  assert.equal(
    requests.map(({ method, path, body: sent }) => [method, path, sent]),
    [
      [
        'POST',
        '/subscription',
        {
          site_key: 'key-1',
          site_url: 'https://site.test',
          versions: { node: process.versions.node, interface: 'pkg/installer/v1' },
        },
      ],
    ],
  );
});

test('once in two hours, however many requests come, also after a restart', async () => {
  const { upstream, requests } = createVendor(() => ({ status: 200, body: ACTIVE }));
  const site = createSite({ upstream });
  const all = await Promise.all([site.ping(), site.ping(), site.ping()]);
  assert.equal(all.map(({ status }) => status).sort(), [200, 429, 429]);
  assert.is(all.find(({ status }) => status === 429)?.body['code'], 'subscription_fetched_recently');
  site.clock.now += 2 * HOURS - 1000;
  const again = createSite({ upstream, store: site.ports.store });
  again.clock.now = site.clock.now;
  assert.equal([(await again.ping()).status, (await again.ping()).wait], [429, '1']);
  again.clock.now += 1000;
  assert.is((await again.ping()).status, 200);
  assert.is(requests.length, 2);
});

test('without a vendor reads the licence of the host, else that of the settings, else none', async () => {
  const licence = { status: 'trial', expires: '', products: ['builder'] };
  const configured = createSite({ settings: { licence } });
  await configured.ping();
  assert.equal(await configured.subscription(), { ...licence, refreshed: now });
  const stored = createSite();
  await writeOption(stored.ports.store, ['pkg', 'licence'], {
    status: 'active',
    expires: '2027-01-01',
    products: [],
  });
  await stored.ping();
  assert.equal(await stored.subscription(), {
    status: 'active',
    expires: '2027-01-01',
    products: [],
    refreshed: now,
  });
  const nothing = createSite();
  assert.is((await nothing.ping()).status, 200);
  assert.equal(await nothing.subscription(), { status: 'none', expires: '', products: [], refreshed: now });
});

const FAILURES: readonly (readonly [label: string, upstream: Upstream])[] = [
  ['an error', createVendor(() => ({ status: 500, body: ACTIVE })).upstream],
  ['not JSON', createVendor(() => ({ status: 200, body: '<html>' })).upstream],
  ['no subscription', createVendor(() => ({ status: 200, body: { products: [] } })).upstream],
  [
    'a time-out',
    {
      origin: () => 'https://vendor.test',
      request: async () => {
        throw upstreamError('service_timeout');
      },
    },
  ],
  [
    'a broken network',
    {
      origin: () => 'https://vendor.test',
      request: async () => {
        throw new Error('canary');
      },
    },
  ],
];
for (const [label, upstream] of FAILURES) {
  test(`${label} of the vendor: 502 without detail, and nothing is overwritten`, async () => {
    const site = createSite({ upstream });
    await writeOption(site.ports.store, ['pkg', 'subscription'], { status: 'active' });
    const { status, body } = await site.ping();
    assert.equal(
      [status, body['code'], body['data']],
      [502, 'service_bad_response', { status: 502, service: 'pkg' }],
    );
    assert.equal(await site.subscription(), { status: 'active' });
    assert.is(site.logged.length > 0, true);
    assert.not.match(JSON.stringify(body), /canary/);
  });
}

test('waits longer after each failure, and as usual after a success', async () => {
  const answers = [500, 500, 200, 200];
  const { upstream } = createVendor(() => ({ status: answers.shift() ?? 500, body: ACTIVE }));
  const site = createSite({ upstream });
  const seen: unknown[] = [];
  for (const hours of [0, 4, 8, 2]) {
    site.clock.now += hours * HOURS - 1000;
    if (hours > 0) seen.push((await site.ping()).status);
    site.clock.now += 1000;
    seen.push((await site.ping()).status);
  }
  assert.equal(seen, [502, 429, 502, 429, 200, 429, 200]);
});

test('a clock that was set back does not close the route', async () => {
  const site = createSite();
  await site.ping();
  site.clock.now -= 100 * HOURS;
  assert.is((await site.ping()).status, 200);
});

test('invalid settings are an error at start', () => {
  assert.throws(() => createSite({ settings: { siteKey: 5 } }), /siteKey/);
  assert.throws(() => createSite({ settings: { onSubscription: 5 } }), /onSubscription/);
});

test.run();
