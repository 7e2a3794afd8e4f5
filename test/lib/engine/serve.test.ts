import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { engineError } from '../../../lib/core/errors.ts';
import { ANONYMOUS, type Identity } from '../../../lib/core/identity.ts';
import type { EngineOptions } from '../../../lib/engine/engine.ts';
import { createRequest } from '../../../lib/http/create-request.ts';
import type { RestRequest } from '../../../lib/http/request.ts';
import { RestResponse } from '../../../lib/http/response.ts';
import { currentSource } from '../../../lib/store/change-source.ts';
import { createProbe } from '../../support/probe.ts';
import { createTestEngine } from '../../support/site.ts';

const SITE = 'http://site.test';
const PATH = '/probe/v1/it';
const KNOWN: Identity = { id: 7, role: 'editor', capabilities: new Set(['edit']) };

/** An engine that keeps its one answer, which says who asked and how. */
function open(options: Partial<EngineOptions> = {}) {
  const store = { revision: () => 1, versions: () => [] };
  const endpoint = { methods: ['GET', 'DELETE'], cache: ['posts'] } as const;
  const probe = createProbe({
    endpoint,
    handler: (_args, { identity, request }) => ({ who: identity.id, method: request.method }),
  });
  return createTestEngine([probe], { cache: { store }, ...options });
}

/** What an adapter would hand over. */
function toRequest(query: string, parts: Partial<RestRequest> = {}): RestRequest {
  return {
    ...createRequest(`${PATH}${query}`, { siteUrl: SITE }),
    target: `/en/cms-json${PATH}${query}`,
    ...parts,
  };
}

const kept = suite('a cached response');

kept('is at hand for the address that it was asked under', async () => {
  const engine = open();
  const wire = await engine.serve(toRequest('?a=1'));
  assert.is(await engine.ready?.(SITE, `/en/cms-json${PATH}?a=1`), wire);
  assert.is(await engine.ready?.(SITE, `/en/cms-json${PATH}?a=2`), null);
  assert.is(await engine.ready?.('http://other.test', `/en/cms-json${PATH}?a=1`), null);
});

kept('is never at hand for an address that names a method', async () => {
  const engine = open();
  for (const headers of [{ 'sec-fetch-site': 'cross-site' }, {}]) {
    const query = '?_method=DELETE';
    const { body } = await engine.serve(toRequest(query, { headers }));
    assert.is(JSON.parse(String(body)).method, 'sec-fetch-site' in headers ? 'GET' : 'DELETE');
    assert.is(await engine.ready?.(SITE, `/en/cms-json${PATH}${query}`), null);
  }
});

kept('is made anew for each origin, and for the callers without one says nothing of any', async () => {
  const engine = open({ trustedOrigins: ['https://app.example'] });
  const allowed = async (origin?: string): Promise<readonly unknown[]> => {
    const { headers } = await engine.serve(
      toRequest('', origin === undefined ? {} : { headers: { origin } }),
    );
    return [headers['Access-Control-Allow-Origin'], headers['Vary']];
  };
  for (let round = 0; round < 2; round += 1) {
    for (const origin of ['https://app.example', 'https://evil.example', undefined, 'null'])
      assert.equal(await allowed(origin), [origin, 'Origin']);
  }
  const ready = await engine.ready?.(SITE, `/en/cms-json${PATH}`);
  assert.is(ready?.headers['Access-Control-Allow-Origin'], undefined);
});

kept('is given without asking who calls only where the engine may do so', async () => {
  const authenticate = ({ address }: RestRequest): Identity => {
    if (address === 'banned') throw engineError('rest_forbidden');
    return address === 'known' ? KNOWN : ANONYMOUS;
  };
  const target = `/en/cms-json${PATH}`;
  for (const [options, isAtHand] of [
    [{ authenticate }, false],
    [{ authenticate, anonymousWithoutCredentials: true }, true],
    [{}, true],
  ] as const) {
    const engine = open(options);
    await engine.serve(toRequest(''));
    const ready = await engine.ready?.(SITE, target);
    assert.is(ready?.status === 200, isAtHand);
  }
  const engine = open({ authenticate });
  assert.equal(
    [
      await engine.serve(toRequest('')),
      await engine.serve(toRequest('', { address: 'banned' })),
      await engine.serve(toRequest('', { address: 'known' })),
    ].map(({ status, body }) => [status, JSON.parse(String(body)).who]),
    [
      [200, 0],
      [401, undefined],
      [200, 7],
    ],
  );
});

kept('is none that sets a cookie', async () => {
  let made = 0;
  const handler = () => new RestResponse({}, { headers: { 'set-cookie': `session=${(made += 1)}` } });
  const engine = createTestEngine([createProbe({ endpoint: { cache: ['posts'] }, handler })], {
    cache: { store: { revision: () => 1, versions: () => [] } },
  });
  const cookies = [
    await engine.serve(toRequest('')),
    await engine.serve(toRequest('')),
    await engine.dispatch(toRequest('')),
  ].map(({ headers }) => headers['set-cookie']);
  assert.equal(cookies, ['session=1', 'session=2', 'session=3']);
  assert.is(await engine.ready?.(SITE, `/en/cms-json${PATH}`), null);
});

kept('has headers of its own for everybody', async () => {
  const engine = open();
  for (let round = 0; round < 3; round += 1) {
    const { headers } = await engine.dispatch(toRequest(''));
    assert.is(headers['X-Mine'], undefined);
    headers['X-Mine'] = 'mine';
  }
});

kept('is given to all as one that nobody can change', async () => {
  const engine = open();
  const wire = await engine.serve(toRequest(''));
  assert.throws(() => {
    Object.assign(wire.headers, { 'Set-Cookie': 'session=1' });
  }, /read only|not extensible/);
  assert.throws(() => {
    Object.assign(wire, { status: 500 });
  }, /read only/);
});

kept('that may not be kept after all is given all the same, and made once', async () => {
  let [made, asked] = [0, 0];
  const store = {
    revision: () => {
      if (++asked > 1) throw new Error('the database is gone');
      return 1;
    },
    versions: () => [],
  };
  const log: string[] = [];
  const handler = () => ({ made: (made += 1) });
  const engine = createTestEngine([createProbe({ endpoint: { cache: ['posts'] }, handler })], {
    cache: { store },
    log: ({ message }) => {
      log.push(message);
    },
  });
  const { status, body } = await engine.serve(toRequest(''));
  assert.equal(
    [status, String(body), log],
    [200, '{"made":1}', ['caching the response to /probe/v1/it failed']],
  );
});

kept('that the store says nothing about in time is made again', async () => {
  const store = { revision: () => new Promise<number>(() => undefined), versions: () => [] };
  const engine = open({ cache: { store }, handlerTimeoutMs: 5_000 });
  assert.is((await engine.serve(toRequest(''))).status, 200);
});

kept.run();

const callers = suite('a caller');
callers('without a number is a stranger, whatever else the host says', async () => {
  const handler = (_args: unknown, { identity }: { identity: Identity }) => ({
    role: identity.role,
    can: identity.capabilities.size,
  });
  const engine = createTestEngine([createProbe({ endpoint: {}, handler })], {
    authenticate: async () => ({ ...KNOWN, id: ANONYMOUS.id }),
  });
  const { body, headers } = await engine.serve(toRequest(''));
  assert.equal(JSON.parse(String(body)), { role: ANONYMOUS.role, can: 0 });
  assert.is(headers['Cache-Control'], undefined);
});
callers('may have a text as id', async () => {
  const id = 'auth0|5f7c8';
  const engine = createTestEngine(
    [
      createProbe({
        endpoint: { methods: ['POST'] },
        handler: (_args, call) => [call.identity.id, currentSource().by],
      }),
    ],
    {
      authenticate: async () => ({ ...KNOWN, id }),
    },
  );
  const { status, body, headers } = await engine.serve(toRequest('', { method: 'POST' }));
  assert.equal([status, JSON.parse(String(body))], [200, [id, id]]);
  assert.match(String(headers['Cache-Control']), 'no-cache');
});

callers('in the process must make a request of what they ask', async () => {
  const { dispatch } = createTestEngine([createProbe({ handler: () => null })]);
  for (const given of [undefined, {}, '/probe/v1/it', { method: 'GET', path: PATH }]) {
    const failure = await dispatch(given as unknown as RestRequest).catch((error: unknown) => error);
    assert.instance(failure, TypeError, JSON.stringify(given));
  }
});
callers.run();
