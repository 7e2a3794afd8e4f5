import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { Hono } from 'hono';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createFetchHandler } from '../../adapters/fetch.ts';
import { closeServer, createListener, createServer } from '../../adapters/node-http.ts';
import { createEngine, defineNamespace, type EngineOptions } from '../../lib/index.ts';
import { listen } from '../support/loopback.ts';
import { PATIENT } from '../support/patient.ts';

const hello = defineNamespace(
  {
    namespace: 'hello',
    routes: [
      {
        pattern: '/hello/(?P<name>[^/]+)',
        endpoints: [
          {
            methods: ['GET'],
            handler: 'greet',
            permission: 'public',
            allow_batch: { v1: true },
            args: { name: { type: 'string' } },
          },
        ],
      },
    ],
  },
  {
    greet: ({ name }, call) => ({ hello: name, at: call.site.url(`/hello/${name}`) }),
  },
);

const open = (options: EngineOptions = {}) =>
  createEngine({ namespaces: [hello], log: () => undefined, ...options });
const LIMITS = { limits: PATIENT };

interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
}

async function toReply(response: Response): Promise<Reply> {
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: (await response.json()) as Reply['body'],
  };
}

/** Asks a listener on a port of its own. */
async function askListener(
  listener: RequestListener,
  target: string,
): Promise<Reply & { readonly origin: string }> {
  const server = await listen(listener);
  const origin = `http://127.0.0.1:${server.port}`;
  try {
    return { ...(await toReply(await fetch(origin + target, { headers: { Connection: 'close' } }))), origin };
  } finally {
    await server.close();
  }
}

const alone = suite('an engine alone');

alone('answers through createServer with the headers that HTTP needs', async () => {
  const server = createServer(open(), LIMITS);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    const { status, headers, body } = await toReply(await fetch(`${origin}/hello/ada`));
    assert.equal([status, body], [200, { hello: 'ada', at: `${origin}/hello/ada` }]);
    assert.equal(Object.keys(headers).toSorted(), [
      'connection',
      'content-length',
      'content-type',
      'date',
      'keep-alive',
    ]);
    const wrong = await fetch(`${origin}/hello/ada`, { method: 'DELETE' });
    assert.equal(
      [wrong.status, wrong.headers.get('allow'), wrong.headers.get('access-control-expose-headers')],
      [405, 'GET', null],
    );
    await wrong.arrayBuffer();
    const head = await fetch(`${origin}/hello/ada`, { method: 'HEAD' });
    assert.equal([head.status, head.headers.get('content-length')], [200, headers['content-length']]);
    const batch = await fetch(`${origin}/batch/v1`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"requests":[{"path":"/nothing"}]}',
    });
    assert.is(batch.status, 207);
    await batch.arrayBuffer();
  } finally {
    await closeServer(server);
  }
});

alone('is mounted below a path by its base, beside the routes of a host', async () => {
  const listener = createListener(open({ base: '/api' }), {
    ...LIMITS,
    otherwise: (_request, response) => {
      response.end('{"host":true}');
    },
  });
  const { body, origin } = await askListener(listener, '/api/hello/ada');
  assert.equal(body, { hello: 'ada', at: `${origin}/api/hello/ada` });
  assert.equal((await askListener(listener, '/hello/ada')).body, { host: true });
});

alone('answers in an app of Express, with the whole address and with the rest of it', async () => {
  const whole = express().all('/api{/*path}', createListener(open({ base: '/api' }), LIMITS));
  const { body, origin } = await askListener(whole, '/api/hello/ada');
  assert.equal(body, { hello: 'ada', at: `${origin}/api/hello/ada` });
  const rest = express().use(
    '/api',
    createListener(open(), { ...LIMITS, siteUrl: 'https://site.example/api' }),
  );
  assert.equal((await askListener(rest, '/api/hello/ada')).body, {
    hello: 'ada',
    at: 'https://site.example/api/hello/ada',
  });
});

alone('answers Request with Response, and in an app of Hono', async () => {
  const siteUrl = 'https://site.example';
  const bare = createFetchHandler(open(), { ...LIMITS, siteUrl });
  const reply = await toReply(await bare(new Request('https://any.example/hello/ada')));
  assert.equal(
    [reply.body, Object.keys(reply.headers)],
    [{ hello: 'ada', at: `${siteUrl}/hello/ada` }, ['content-type']],
  );
  const handle = createFetchHandler(open({ base: '/api' }), { ...LIMITS, siteUrl });
  const app = new Hono()
    .all('/api/*', ({ req }) => handle(req.raw))
    .get('/', (context) => context.text('host'));
  assert.equal((await toReply(await app.request('/api/hello/ada'))).body, {
    hello: 'ada',
    at: `${siteUrl}/api/hello/ada`,
  });
  const mounted = new Hono().mount(
    '/api',
    createFetchHandler(open(), { ...LIMITS, siteUrl: `${siteUrl}/api` }),
  );
  assert.equal((await toReply(await mounted.request('/api/hello/ada'))).body, {
    hello: 'ada',
    at: `${siteUrl}/api/hello/ada`,
  });
});

alone.run();
