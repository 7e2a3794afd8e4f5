import { createHash } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { upstreamError, type Upstream, type UpstreamRequest } from '../../../../lib/ports/upstream.ts';
import { TEST_NOW } from '../../../support/ports.ts';
import { createSeoSite, type SeoSite } from './seo-site.ts';

interface Sent extends UpstreamRequest {
  readonly service: string;
}

type Reply = { readonly status: number; readonly body?: unknown } | Error;

const TOKENS = { access_token: 'token-1', refresh_token: 'refresh-1', expires_in: 3600 };
const TABLE = {
  columnNames: ['Keyword', 'Volume', 'Trend', 'Intent', 'Difficulty'],
  rows: [['red wine', 10, [1], 'x', 5]],
};
const TRACKER = {
  ranktracker: {
    authorizeUrl: 'https://tracker.example/authorize?x=1',
    clientId: 'client',
    redirectUrl: 'https://back.example/',
  },
};

/** Services that respond from a table: `METHOD /path` -> reply. */
function createServices(replies: Readonly<Record<string, Reply | readonly Reply[]>>) {
  const sent: Sent[] = [];
  const counts = new Map<string, number>();
  const upstream: Upstream = {
    origin: () => 'https://service.example',
    async request(service, request) {
      sent.push({ service, ...request });
      const key = `${request.method} ${request.path}`;
      const given = replies[key];
      const list: readonly Reply[] = Array.isArray(given)
        ? given
        : given === undefined
          ? []
          : [given as Reply];
      const at = counts.get(key) ?? 0;
      counts.set(key, at + 1);
      const reply = list[Math.min(at, list.length - 1)] ?? { status: 404 };
      if (reply instanceof Error) throw reply;
      const body =
        reply.body === undefined
          ? ''
          : typeof reply.body === 'string'
            ? reply.body
            : JSON.stringify(reply.body);
      return { status: reply.status, headers: {}, body: new TextEncoder().encode(body) };
    },
  };
  return { upstream, sent };
}

async function createConnected(
  replies: Readonly<Record<string, Reply | readonly Reply[]>>,
  options: { now?: () => number } = {},
) {
  const services = createServices({ 'POST /oauth/token': { status: 200, body: TOKENS }, ...replies });
  const site = await createSeoSite({ ports: { upstream: services.upstream, ...options }, settings: TRACKER });
  return { site, ...services };
}

async function connectTracker(site: SeoSite): Promise<void> {
  await site.call('GET /seo/v1/ranktracker/authorization-url');
  const { status } = await site.call('POST /seo/v1/ranktracker/authenticate', {
    code: 'the-code',
    websiteId: 9,
  });
  assert.is(status, 200);
}

const RELATED = 'GET /seo/v1/kwtool/related_keyphrases?keyphrase=red+wine&country_code=us';
const ROUTES: readonly (readonly [target: string, body?: unknown])[] = [
  ['POST /seo/v1/kwtool/authenticate', { code: 'x' }],
  [RELATED],
  ['GET /seo/v1/ranktracker/authorization-url'],
  ['POST /seo/v1/ranktracker/authenticate', { code: 'x', websiteId: 9 }],
  ['POST /seo/v1/ranktracker/keyphrases/track', { keyphrases: ['a'] }],
  ['POST /seo/v1/ranktracker/keyphrases', { keyphrases: ['a'] }],
  ['DELETE /seo/v1/ranktracker/keyphrases/untrack?keyphraseID=5'],
  ['GET /seo/v1/ranktracker/account/limit'],
  ['GET /seo/v1/ranktracker/account/upgrade-campaign'],
];

const gates = suite('connected tools');
for (const [target, body] of ROUTES) {
  gates(`${target}: not connected, then switched off`, async () => {
    const site = await createSeoSite();
    const { status, body: answer } = await site.call(target, body);
    assert.equal(
      [status, answer['code'], (answer['data'] as Record<string, unknown>)['service']],
      [503, 'service_not_connected', target.includes('kwtool') ? 'kwtool' : 'ranktracker'],
    );
    await site.call('POST /seo/v1/integrations/set_active', {
      integration: target.includes('kwtool') ? 'kwtool' : 'ranktracker',
      active: false,
    });
    const off = await site.call(target, body);
    assert.equal([off.status, off.body['code']], [403, 'integration_inactive']);
  });
}
for (const [target, body] of [ROUTES[1], ...ROUTES.slice(4, 8)] as typeof ROUTES) {
  gates(`${target}: not authorized`, async () => {
    const { site } = await createConnected({});
    const { status, body: answer } = await site.call(target, body);
    assert.equal([status, answer['code']], [409, 'authorization_missing']);
  });
}
for (const [reply, status, code] of [
  [{ status: 500 }, 502, 'service_bad_response'],
  [{ status: 200, body: 'no json' }, 502, 'service_bad_response'],
  [{ status: 200, body: { rows: 5 } }, 502, 'service_bad_response'],
  [upstreamError('service_timeout', { data: { service: 'kwtool' } }), 504, 'service_timeout'],
  [{ status: 403 }, 502, 'service_bad_response'],
] as const) {
  gates(
    `a service that responds ${reply instanceof Error ? 'too late' : JSON.stringify(reply)}: ${code}`,
    async () => {
      const { site } = await createConnected({ 'GET /keyphrases/related': reply });
      await site.call('POST /seo/v1/kwtool/authenticate', { code: 'x' });
      const answer = await site.call(RELATED);
      assert.equal([answer.status, answer.body['code']], [status, code]);
    },
  );
}
gates('invalid configuration throws at start', async () => {
  const outcome: unknown = await createSeoSite({ settings: { ranktracker: { clientId: 'x' } } }).then(
    () => null,
    (error: unknown) => error,
  );
  assert.instance(outcome, TypeError);
});
gates.run();

const kwtool = suite('kwtool');
kwtool('stores tokens and does not disclose them', async () => {
  const { site, sent } = await createConnected({});
  const { body, text } = await site.call('POST /seo/v1/kwtool/authenticate', { code: 'the-code' });
  assert.equal(body, { status: 200, tokens: { expires: TEST_NOW / 1000 + 3600, has_expired: false } });
  assert.not.match(text, /token-1|refresh-1/);
  assert.equal(sent[0]?.body, { grant_type: 'authorization_code', code: 'the-code' });
  const stored = JSON.stringify((await site.store.find({ collection: 'options' })).records);
  assert.not.match(stored, /token-1|refresh-1/);
  assert.not.match(JSON.stringify(site.logged), /token-1|refresh-1|the-code/);
});
kwtool('a code that the service refuses', async () => {
  const { site } = await createConnected({
    'POST /oauth/token': { status: 400, body: { error: 'invalid_grant' } },
  });
  const { status, body } = await site.call('POST /seo/v1/kwtool/authenticate', { code: 'x' });
  assert.equal([status, body['code']], [401, 'authorization_refused']);
});
kwtool('related phrases are cached for a day, also across a restart', async () => {
  let now = TEST_NOW;
  const { site, sent, upstream } = await createConnected(
    {
      'GET /keyphrases/related': {
        status: 200,
        body: { ...TABLE, rows: Array.from({ length: 12 }, () => TABLE.rows[0]) },
      },
    },
    { now: () => now },
  );
  await site.call('POST /seo/v1/kwtool/authenticate', { code: 'x' });
  const { body } = await site.call(RELATED);
  const results = body['results'] as { columnNames: unknown; rows: readonly unknown[] };
  assert.equal([results.columnNames, results.rows.length], [TABLE.columnNames, 10]);
  assert.equal(sent[1], {
    service: 'kwtool',
    method: 'GET',
    path: '/keyphrases/related',
    query: { phrase: 'red wine', country: 'us', limit: '10' },
    signal: sent[1]?.signal,
    headers: { authorization: 'Bearer token-1' },
  });
  const again = await createSeoSite({ ports: { upstream, store: site.store, now: () => now } });
  assert.equal((await again.call(RELATED)).body, body);
  assert.is(sent.length, 2);
  now += 86_400_001;
  await again.call(RELATED);
  assert.ok(sent.length > 2);
});
kwtool('concurrent requests with expired tokens share one renewal', async () => {
  let now = TEST_NOW;
  const { site, sent } = await createConnected(
    {
      'GET /keyphrases/related': { status: 200, body: TABLE },
      'POST /oauth/token': [
        { status: 200, body: TOKENS },
        { status: 200, body: { access_token: 'token-2', expires_in: 3600 } },
      ],
    },
    { now: () => now },
  );
  await site.call('POST /seo/v1/kwtool/authenticate', { code: 'x' });
  now += 3_600_001;
  const answers = await Promise.all(
    ['a', 'b', 'c'].map((phrase) =>
      site.call(`GET /seo/v1/kwtool/related_keyphrases?keyphrase=${phrase}&country_code=us`),
    ),
  );
  assert.equal(
    answers.map(({ status }) => status),
    [200, 200, 200],
  );
  assert.equal(
    sent
      .filter(({ path }) => path === '/oauth/token')
      .map(({ body }) => (body as { grant_type: string }).grant_type),
    ['authorization_code', 'refresh_token'],
  );
  assert.equal(
    new Set(sent.slice(2).map(({ headers }) => headers?.['authorization'])),
    new Set(['Bearer token-2']),
  );
});
kwtool('revoked tokens are renewed', async () => {
  const { site, sent } = await createConnected({
    'GET /keyphrases/related': [{ status: 401 }, { status: 200, body: TABLE }],
  });
  await site.call('POST /seo/v1/kwtool/authenticate', { code: 'x' });
  assert.is((await site.call(RELATED)).status, 200);
  assert.equal(
    sent.map(({ path }) => path),
    ['/oauth/token', '/keyphrases/related', '/oauth/token', '/keyphrases/related'],
  );
});
for (const [query, code] of [
  ['keyphrase=%20&country_code=us', 'rest_invalid_param'],
  ['keyphrase=a&country_code=usa', 'rest_invalid_param'],
  ['keyphrase=a', 'rest_missing_callback_param'],
] as const) {
  kwtool(`refuses ${query}`, async () => {
    const { site } = await createConnected({});
    assert.is((await site.call(`GET /seo/v1/kwtool/related_keyphrases?${query}`)).body['code'], code);
  });
}
kwtool('tokens sealed with another secret require a new authorization', async () => {
  const { site, upstream } = await createConnected({});
  await site.call('POST /seo/v1/kwtool/authenticate', { code: 'x' });
  await site.store.commit([
    {
      op: 'update',
      collection: 'options',
      id: (await site.store.find({ collection: 'options' })).records.at(-1)?.id ?? 0,
      values: { value: 'AAAA' },
    },
  ]);
  const again = await createSeoSite({ ports: { store: site.store, upstream } });
  assert.is((await again.call(RELATED)).body['code'], 'authorization_missing');
});
kwtool.run();

const tracker = suite('ranktracker');
tracker('authorizes with a challenge and keeps its verifier', async () => {
  const { site, sent } = await createConnected({});
  const { body } = await site.call('GET /seo/v1/ranktracker/authorization-url');
  const query = Object.fromEntries(new URL(String(body['url'])).searchParams);
  assert.equal(
    [
      query['x'],
      query['client_id'],
      query['redirect_uri'],
      query['code_challenge_method'],
      query['response_type'],
    ],
    ['1', 'client', 'https://back.example/', 'S256', 'code'],
  );
  const wrong = await site.call('POST /seo/v1/ranktracker/authenticate', {
    code: 'c',
    websiteId: 9,
    state: 'another',
  });
  assert.equal([wrong.status, wrong.body['code']], [409, 'authorization_not_started']);
  const right = await site.call('POST /seo/v1/ranktracker/authenticate', {
    code: 'c',
    websiteId: 9,
    state: query['state'],
  });
  assert.is(right.status, 200);
  const { code_verifier } = (sent.at(-1)?.body ?? {}) as { code_verifier: string };
  assert.is(createHash('sha256').update(code_verifier).digest('base64url'), query['code_challenge']);
  // A verifier can be used only once.
  assert.is(
    (await site.call('POST /seo/v1/ranktracker/authenticate', { code: 'c', websiteId: 9 })).body['code'],
    'authorization_not_started',
  );
});
tracker('an authorization is pending for a day', async () => {
  let now = TEST_NOW;
  const { site } = await createConnected({}, { now: () => now });
  await site.call('GET /seo/v1/ranktracker/authorization-url');
  now += 86_400_000;
  assert.is(
    (await site.call('POST /seo/v1/ranktracker/authenticate', { code: 'c', websiteId: 9 })).body['code'],
    'authorization_not_started',
  );
});
tracker('tracks within the limit of the account', async () => {
  const { site, sent } = await createConnected({
    'GET /websites/9/limits': { status: 200, body: { limit: 3, usage: 1, historyDays: 30 } },
    'POST /websites/9/keyphrases': { status: 200, body: { results: { a: { id: 1, keyword: 'a' } } } },
  });
  await connectTracker(site);
  assert.equal(
    (await site.call('POST /seo/v1/ranktracker/keyphrases/track', { keyphrases: 'red wine, dry' })).body,
    { status: 200, results: { a: { id: 1, keyword: 'a' } } },
  );
  assert.equal(sent.at(-1)?.body, { keyphrases: ['red wine, dry'] });
  const over = await site.call('POST /seo/v1/ranktracker/keyphrases/track', {
    keyphrases: ['a', 'b', 'c', 'a'],
  });
  assert.equal([over.status, over.body['limit'], over.body['status']], [400, 3, 400]);
});
tracker('asks for the phrases of all posts by default', async () => {
  const { site, sent } = await createConnected({
    'POST /websites/9/keyphrases/history': { status: 200, body: { results: { alpha: { position: 1 } } } },
  });
  await connectTracker(site);
  assert.equal((await site.call('POST /seo/v1/ranktracker/keyphrases', {})).body, {
    status: 200,
    results: {},
  });
  await site.store.commit([
    {
      op: 'create',
      collection: 'seo_meta',
      values: { object_type: 'post', object_id: 101, focus_phrase: 'alpha' },
    },
    {
      op: 'create',
      collection: 'seo_meta',
      values: { object_type: 'post', object_id: 110, focus_phrase: 'canary' },
    },
  ]);
  await site.call('POST /seo/v1/indexing/posts');
  assert.equal(
    (
      await site.call('POST /seo/v1/ranktracker/keyphrases', {
        permalink: 'https://a.example/',
        startAt: '2024-01-01',
      })
    ).body,
    { status: 200, results: { alpha: { position: 1 } } },
  );
  assert.equal(sent.at(-1)?.body, {
    keyphrases: ['alpha'],
    permalink: 'https://a.example/',
    startAt: '2024-01-01',
  });
});
tracker('untracks by query and by body', async () => {
  const { site, sent } = await createConnected({ 'DELETE /websites/9/keyphrases/5': { status: 204 } });
  await connectTracker(site);
  assert.equal((await site.call('DELETE /seo/v1/ranktracker/keyphrases/untrack?keyphraseID=5')).body, {
    status: 200,
  });
  assert.equal((await site.call('DELETE /seo/v1/ranktracker/keyphrases/untrack', { keyphraseID: 5 })).body, {
    status: 200,
  });
  assert.is(sent.filter(({ method }) => method === 'DELETE').length, 2);
  for (const [query, code] of [
    ['', 'rest_missing_callback_param'],
    ['?keyphraseID=../x', 'rest_invalid_param'],
  ] as const) {
    assert.is((await site.call(`DELETE /seo/v1/ranktracker/keyphrases/untrack${query}`)).body['code'], code);
  }
});
tracker('the limit of the account', async () => {
  const { site } = await createConnected({
    'GET /websites/9/limits': [
      { status: 200, body: { limit: null, usage: 12, historyDays: 30 } },
      { status: 200, body: { limit: 12, usage: 12, historyDays: 30 } },
    ],
  });
  await connectTracker(site);
  assert.equal((await site.call('GET /seo/v1/ranktracker/account/limit')).body, {
    status: 200,
    canTrack: true,
    limit: null,
    usage: 12,
    historyDays: 30,
  });
  assert.is((await site.call('GET /seo/v1/ranktracker/account/limit')).body['canTrack'], false);
});
tracker('a campaign, or null when there is none', async () => {
  const { site } = await createConnected({
    'GET /campaign': [{ status: 200, body: { discount: 0.5, months: 3 } }, { status: 404 }],
  });
  assert.equal((await site.call('GET /seo/v1/ranktracker/account/upgrade-campaign')).body, {
    status: 200,
    discount: 0.5,
    months: 3,
  });
  assert.equal((await site.call('GET /seo/v1/ranktracker/account/upgrade-campaign')).body, {
    status: 200,
    discount: null,
    months: null,
  });
});
for (const [target, body] of [
  [
    'POST /seo/v1/ranktracker/keyphrases/track',
    { keyphrases: Array.from({ length: 101 }, (_each, index) => `${index}`) },
  ],
  ['POST /seo/v1/ranktracker/keyphrases/track', { keyphrases: ' ' }],
  ['POST /seo/v1/ranktracker/keyphrases', { startAt: 'yesterday' }],
  ['POST /seo/v1/ranktracker/authenticate', { code: 'x', websiteId: 'one' }],
] as const) {
  tracker(`refuses ${target} ${JSON.stringify(body).slice(0, 40)}`, async () => {
    const { site } = await createConnected({});
    assert.is((await site.call(target, body)).body['code'], 'rest_invalid_param');
  });
}
tracker.run();
