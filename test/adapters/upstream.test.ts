import type { IncomingMessage, RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createUpstream } from '../../adapters/upstream.ts';
import type { Upstream } from '../../lib/ports/upstream.ts';
import { notConnected } from '../../registry/core/host/host-functions.ts';
import { listen } from '../support/loopback.ts';
import { rejects } from '../support/rejects.ts';

async function withService(
  handler: RequestListener,
  run: (upstream: Upstream) => Promise<void>,
  path = '',
): Promise<void> {
  const server = await listen(handler);
  try {
    await run(
      createUpstream({
        ate: {
          origin: `http://127.0.0.1:${server.port}${path}`,
          headers: { Authorization: 'Bearer configured' },
        },
      }),
    );
  } finally {
    await server.close();
  }
}

const requests = suite('upstream request');

requests('joins path and query to the base and sends the configured headers', async () => {
  const seen: IncomingMessage[] = [];
  await withService(
    (request, response) => {
      seen.push(request);
      response.writeHead(201, { 'x-answer': 'yes' }).end('body');
    },
    async (upstream) => {
      const answer = await upstream.request('ate', {
        method: 'GET',
        path: '/jobs/a b?x',
        query: { q: '1&2' },
        headers: { 'X-One': '1', authorization: 'Bearer mine' },
      });
      assert.is(answer.status, 201);
      assert.is(answer.headers['x-answer'], 'yes');
      assert.is(Buffer.from(answer.body).toString(), 'body');
    },
    '/base/',
  );
  assert.is(seen[0]?.url, '/base/jobs/a%20b%3Fx?q=1%262');
  assert.is(seen[0]?.headers['x-one'], '1');
  assert.is(seen[0]?.headers.authorization, 'Bearer configured');
});

for (const [body, sent, type] of [
  [{ a: [1] }, '{"a":[1]}', 'application/json'],
  [null, 'null', 'application/json'],
  ['plain', 'plain', undefined],
  [new TextEncoder().encode('bytes'), 'bytes', undefined],
  [undefined, '', undefined],
] as const) {
  requests(`sends ${typeof body} ${sent}`, async () => {
    let got: readonly [string, string | undefined] | undefined;
    await withService(
      async (request, response) => {
        got = [await text(request), request.headers['content-type']];
        response.end();
      },
      async (upstream) => {
        await upstream.request('ate', { method: 'POST', path: '/', body });
      },
    );
    assert.equal(got, [sent, type]);
  });
}

requests('connection headers and cookies are not passed on in either direction', () =>
  withService(
    (request, response) => {
      assert.is(request.headers.cookie, undefined);
      assert.is(request.headers['proxy-authorization'], undefined);
      assert.ok(request.headers.host?.startsWith('127.0.0.1:'));
      response.writeHead(200, { 'set-cookie': 'a=1', 'keep-alive': 'timeout=5', 'x-kept': '1' }).end();
    },
    async (upstream) => {
      const { headers } = await upstream.request('ate', {
        method: 'GET',
        path: '/',
        headers: { Cookie: 'a=1', 'Proxy-Authorization': 'x', Host: 'evil.test', 'Content-Length': '99' },
      });
      assert.is(headers['x-kept'], '1');
      assert.equal(
        Object.keys(headers).filter((name) =>
          ['set-cookie', 'keep-alive', 'connection', 'transfer-encoding', 'content-length'].includes(name),
        ),
        [],
      );
    },
  ),
);

requests('a redirect is returned as a response', () =>
  withService(
    (_, response) => {
      response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end();
    },
    async (upstream) => {
      assert.is((await upstream.request('ate', { method: 'GET', path: '/' })).status, 302);
    },
  ),
);

for (const path of [
  'jobs',
  '/../secret',
  '/a/../../secret',
  '/%2e%2e/secret',
  '/..\\secret',
  '@evil.test/',
  '.evil.test/',
  ':1/',
]) {
  requests(`the path ${path} leaves the base`, () =>
    withService(
      () => assert.unreachable('asked'),
      async (upstream) => {
        const error: unknown = await upstream.request('ate', { method: 'GET', path }).then(
          () => null,
          (thrown: unknown) => thrown,
        );
        assert.instance(error, TypeError);
      },
      '/base',
    ),
  );
}

requests.run();

const failures = suite('upstream failures');

failures('an unknown service is not connected', async () => {
  const upstream = createUpstream({});
  assert.is(upstream.origin('ate'), null);
  for (const each of [upstream, notConnected]) {
    const error = await rejects(each.request('ate', { method: 'GET', path: '/' }), 'service_not_connected');
    assert.equal([error.status, error.data], [503, { service: 'ate' }]);
  }
  await rejects(
    createUpstream({}).request('__proto__', { method: 'GET', path: '/' }),
    'service_not_connected',
  );
});

failures('silence is a timeout', () =>
  withService(
    () => {},
    async (upstream) => {
      const error = await rejects(
        upstream.request('ate', { method: 'GET', path: '/', timeoutMs: 60 }),
        'service_timeout',
      );
      assert.equal([error.status, error.data], [504, { service: 'ate' }]);
    },
  ),
);

for (const [name, handler] of [
  [
    'a broken connection',
    (request) => {
      request.socket.destroy();
    },
  ],
  [
    'more than 2 MiB',
    (_, response) => {
      response.end(Buffer.alloc(2 * 1024 * 1024 + 1));
    },
  ],
  [
    'an encoded body',
    (_, response) => {
      response.writeHead(200, { 'content-encoding': 'br' }).end('x');
    },
  ],
] as const satisfies readonly (readonly [string, RequestListener])[]) {
  failures(`${name} is a bad response`, () =>
    withService(handler, async (upstream) => {
      const error = await rejects(
        upstream.request('ate', { method: 'GET', path: '/' }),
        'service_bad_response',
      );
      assert.equal([error.status, error.data], [502, { service: 'ate' }]);
    }),
  );
}

failures('2 MiB are accepted', () =>
  withService(
    (_, response) => {
      response.end(Buffer.alloc(2 * 1024 * 1024));
    },
    async (upstream) => {
      assert.is((await upstream.request('ate', { method: 'GET', path: '/' })).body.length, 2 * 1024 * 1024);
    },
  ),
);

failures.run();

const configuration = suite('upstream configuration');

for (const origin of [
  '',
  'ate.test',
  'ftp://ate.test',
  'file:///x',
  'https://user:secret@ate.test',
  'https://ate.test/?x=1',
  'https://ate.test/#x',
]) {
  configuration(`"${origin}" is refused at start`, () =>
    assert.throws(
      () => createUpstream({ ate: { origin } }),
      (error: unknown) => error instanceof TypeError,
    ),
  );
}

configuration('the origin is shown without its trailing slash', () => {
  assert.is(createUpstream({ ate: { origin: 'https://ate.test/v1/' } }).origin('ate'), 'https://ate.test/v1');
});

configuration.run();
