// oxlint-disable typescript/no-explicit-any -- answers are looked at as the JSON that they are
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../../../../adapters/memory-store.ts';
import { createUpstream } from '../../../../../adapters/upstream.ts';
import { collections } from '../../../../../registry/index.ts';
import { openHttpSite } from '../../../../support/http-site.ts';
import { listen } from '../../../../support/loopback.ts';

const DATES = { date: '2024-01-05T10:00:00', date_gmt: '2024-01-05T09:00:00' };
const FIXTURE = {
  site: { name: 'Site' },
  users: [
    { id: 1, login: 'admin', slug: 'admin', password: 'adminpassword', role: 'administrator', name: 'Admin' },
  ],
  posts: [
    {
      id: 5,
      slug: 'lamps',
      title: 'Lamps',
      content: 'Words.',
      status: 'publish',
      author: 1,
      meta: { seo_keyphrase: 'red lamps' },
      ...DATES,
    },
  ],
};
const LIMIT = 2;

/** The services as docs/upstream.md describes them. `revoke` makes the tokens invalid that were given out. */
function createServices() {
  const tokens = new Set<string>();
  const tracked = new Map<string, { id: number; keyword: string }>();
  const requests: string[] = [];
  let challenge = '';
  let count = 0;
  const toTokens = (given: any): readonly [number, unknown] => {
    const isCode = given.grant_type === 'authorization_code' && given.code === 'good';
    const isVerified =
      challenge === '' ||
      createHash('sha256').update(String(given.code_verifier)).digest('base64url') === challenge;
    if (!(isCode && isVerified) && given.refresh_token !== `refresh-${count}`)
      return [400, { error: 'invalid_grant' }];
    count += 1;
    tokens.add(`token-${count}`);
    return [200, { access_token: `token-${count}`, refresh_token: `refresh-${count}`, expires_in: 3600 }];
  };
  const track = (phrases: readonly string[]): readonly [number, unknown] => {
    for (const keyword of phrases)
      tracked.set(keyword, tracked.get(keyword) ?? { id: tracked.size + 11, keyword });
    return [200, { results: Object.fromEntries(phrases.map((keyword) => [keyword, tracked.get(keyword)])) }];
  };
  const untrack = (id: number): readonly [number, unknown] => {
    const found = [...tracked.values()].find((each) => each.id === id);
    if (found === undefined) return [404, {}];
    tracked.delete(found.keyword);
    return [204, null];
  };
  function answer(
    { method, headers }: Pick<IncomingMessage, 'method' | 'headers'>,
    url: URL,
    body: any,
  ): readonly [number, unknown] {
    const path = url.pathname.replace(/^\/\w+/, '');
    if (path === '/oauth/token') return toTokens(body);
    if (path === '/campaign') return [200, { discount: 25, months: 3 }];
    if (!tokens.has(String(headers.authorization).replace('Bearer ', ''))) return [401, {}];
    if (path === '/keyphrases/related')
      return [
        200,
        {
          columnNames: ['Keyword', 'Volume', 'Trend', 'Intent', 'Difficulty'],
          rows: Array.from({ length: 12 }, (_each, index) => [
            `${url.searchParams.get('phrase')} ${index}`,
            9,
            [1],
            ['i'],
            5,
          ]),
        },
      ];
    if (path === '/websites/9/limits') return [200, { limit: LIMIT, usage: tracked.size, historyDays: 90 }];
    if (path === '/websites/9/keyphrases/history')
      return [
        200,
        {
          results: Object.fromEntries(
            body.keyphrases.map((phrase: string) => [phrase, { ...tracked.get(phrase), positions: [4] }]),
          ),
        },
      ];
    if (path === '/websites/9/keyphrases') return track(body.keyphrases);
    return method === 'DELETE' ? untrack(Number(path.split('/').at(-1))) : [404, {}];
  }
  return {
    requests,
    answer,
    revoke: () => {
      tokens.clear();
    },
    expect: (given: string) => {
      challenge = given;
    },
  };
}

type Ask = (target: string, body?: unknown) => Promise<{ status: number; body: any }>;

async function withServices(
  run: (ask: Ask, services: ReturnType<typeof createServices>) => Promise<void>,
): Promise<void> {
  const services = createServices();
  const server = await listen((request, response) => {
    let text = '';
    request
      .setEncoding('utf8')
      .on('data', (part: string) => {
        text += part;
      })
      .on('end', () => {
        services.requests.push(`${request.method} ${request.url}`);
        const [status, body] = services.answer(
          request,
          new URL(request.url ?? '', 'http://x'),
          text === '' ? null : JSON.parse(text),
        );
        response
          .writeHead(status, { 'content-type': 'application/json' })
          .end(body === null ? '' : JSON.stringify(body));
      });
  });
  const origin = `http://127.0.0.1:${server.port}`;
  const site = await openHttpSite(FIXTURE, {
    store: createMemoryStore(collections),
    content: { core: true, seo: true },
    upstream: createUpstream({
      kwtool: { origin: `${origin}/kwtool` },
      ranktracker: { origin: `${origin}/ranktracker` },
    }),
    config: {
      seo: {
        ranktracker: {
          authorizeUrl: 'https://tracker.example/authorize',
          clientId: 'client',
          redirectUrl: 'https://site.example/back',
        },
      },
    },
  });
  const ask: Ask = async (target, body) => {
    const [method = '', path = ''] = target.split(' ');
    const headers = {
      authorization: `Basic ${Buffer.from('admin:adminpassword').toString('base64')}`,
      'content-type': 'application/json',
    };
    const answer = await fetch(`${site.origin}/en/cms-json/seo/v1/${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: await answer.json() };
  };
  try {
    await run(ask, services);
  } finally {
    await site.close();
    await server.close();
  }
}

const RELATED = 'GET kwtool/related_keyphrases?keyphrase=red+wine&country_code=us';

const connected = suite('connected tools over HTTP');
connected('the keyword tool: a code, phrases, a revoked token, and what the settings show', () =>
  withServices(async (ask, services) => {
    assert.is((await ask(RELATED)).body.code, 'authorization_missing');
    assert.equal(
      [
        (await ask('POST kwtool/authenticate', { code: 'bad' })).body.code,
        (await ask('POST kwtool/authenticate', { code: 'good' })).status,
      ],
      ['authorization_refused', 200],
    );
    const { results } = (await ask(RELATED)).body;
    assert.equal([results.rows.length, results.rows[0]], [10, ['red wine 0', 9, [1], ['i'], 5]]);
    services.revoke();
    assert.is((await ask('GET kwtool/related_keyphrases?keyphrase=white+wine&country_code=us')).status, 200);
    assert.is((await ask(RELATED)).status, 200);
    assert.is(
      services.requests.filter((each) => each.includes('phrase=red+wine')).length,
      1,
      'the second response comes from the cache',
    );
    const { kwtool, ranktracker } = (await ask('GET settings')).body.connections;
    assert.equal(
      [kwtool.connected, kwtool.authorized, kwtool.expires > 0, ranktracker],
      [true, true, true, { connected: true, authorized: false, website: 0, expires: 0 }],
    );
  }),
);
connected('the rank tracker: authorization with PKCE, the limit, positions, and removal', () =>
  withServices(async (ask, services) => {
    const url = new URL((await ask('GET ranktracker/authorization-url')).body.url);
    services.expect(String(url.searchParams.get('code_challenge')));
    assert.is(
      (
        await ask('POST ranktracker/authenticate', {
          code: 'good',
          websiteId: 9,
          state: url.searchParams.get('state'),
        })
      ).status,
      200,
    );
    assert.equal(
      (await ask('POST ranktracker/keyphrases/track', { keyphrases: ['red lamps', 'lamps'] })).body.results
        .lamps,
      { id: 12, keyword: 'lamps' },
    );
    assert.equal((await ask('POST ranktracker/keyphrases/track', { keyphrases: 'more' })).body, {
      limit: LIMIT,
      error: 'The account can track at most 2 keyphrases and already tracks 2.',
      status: 400,
    });
    // Without phrases, those of the posts, although nobody has run the indexing routes.
    assert.equal((await ask('POST ranktracker/keyphrases', {})).body.results, {
      'red lamps': { id: 11, keyword: 'red lamps', positions: [4] },
    });
    assert.equal((await ask('GET ranktracker/account/limit')).body, {
      status: 200,
      canTrack: false,
      limit: LIMIT,
      usage: 2,
      historyDays: 90,
    });
    assert.equal((await ask('DELETE ranktracker/keyphrases/untrack?keyphraseID=12')).body, { status: 200 });
    const again = await ask('DELETE ranktracker/keyphrases/untrack?keyphraseID=12');
    assert.equal([again.status, again.body.code], [404, 'keyphrase_not_found']);
    assert.equal((await ask('GET ranktracker/account/upgrade-campaign')).body, {
      status: 200,
      discount: 25,
      months: 3,
    });
    assert.is((await ask('GET settings')).body.connections.ranktracker.website, 9);
  }),
);
connected.run();
