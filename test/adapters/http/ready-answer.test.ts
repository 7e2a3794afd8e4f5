import { once } from 'node:events';
import { connect } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createServer } from '../../../adapters/node-http.ts';
import type { Host, WireResponse } from '../../../lib/http/host.ts';
import { createEchoHost } from '../../support/echo-host.ts';
import { withServer } from '../../support/raw.ts';

// Cached responses of one host may share their headers: the headers sent with one must not leak into another one.
const HEADERS = { 'Content-Type': 'application/json', ETag: '"1"' };
const SHORT: WireResponse = { status: 200, headers: HEADERS, body: Buffer.from('{}') };
const LONG: WireResponse = { status: 200, headers: HEADERS, body: Buffer.from('{"a":"long one"}') };

const BASE = '/en/cms-json';

function createReadyHost(): Host {
  return {
    ...createEchoHost(),
    ready: (_siteUrl, target) =>
      target === `${BASE}/short` ? SHORT : target === `${BASE}/long` ? LONG : null,
  };
}

/** Method, path and tag -> status, length and body, one after the other on one server. */
const CASES: readonly (readonly [
  asked: readonly [method: string, path: string, tag?: string],
  got: readonly [status: number, length: string | null, body: string],
])[] = [
  [
    ['GET', '/short'],
    [200, '2', '{}'],
  ],
  [
    ['GET', '/long'],
    [200, '16', '{"a":"long one"}'],
  ],
  [
    ['HEAD', '/short'],
    [200, '2', ''],
  ],
  [
    ['HEAD', '/long'],
    [200, '16', ''],
  ],
  [
    ['GET', '/short', '"1"'],
    [304, null, ''],
  ],
  [
    ['HEAD', '/short', '"1"'],
    [304, null, ''],
  ],
  [
    ['GET', '/short', '"2"'],
    [200, '2', '{}'],
  ],
  [
    ['GET', '/short', 'W/"1"'],
    [304, null, ''],
  ],
  [
    ['GET', '/short'],
    [200, '2', '{}'],
  ],
];

const ready = suite('cached responses');

ready('are sent in full, without a body for HEAD, or as 304', () =>
  withServer(createServer(createReadyHost()), async (port) => {
    for (const [[method, path, tag], [status, length, body]] of CASES) {
      const response = await fetch(`http://127.0.0.1:${port}${BASE}${path}`, {
        method,
        headers: tag === undefined ? {} : { 'If-None-Match': tag },
      });
      const label = `${method} ${path} ${tag ?? ''}`;
      assert.is(response.status, status, label);
      assert.is(response.headers.get('content-length'), length, label);
      assert.is(response.headers.get('etag'), '"1"', label);
      assert.is(await response.text(), body, label);
    }
  }),
);

ready('are not sent to those who ask for Markdown', () =>
  withServer(createServer(createReadyHost()), async (port) => {
    for (const [accept, isReady] of [
      ['application/json', true],
      ['text/markdown, application/json;q=0.5', false],
    ] as const) {
      const response = await fetch(`http://127.0.0.1:${port}${BASE}/short`, { headers: { accept } });
      assert.is((await response.text()) === '{}', isReady, accept);
    }
  }),
);

ready('may be available only later, or not at all', () => {
  const asked = async (target: string): Promise<WireResponse | null> =>
    target === `${BASE}/short` ? SHORT : null;
  const host = createEchoHost();
  return withServer(createServer({ ...host, ready: (_siteUrl, target) => asked(target) }), async (port) => {
    const read = async (path: string): Promise<unknown> =>
      (await fetch(`http://127.0.0.1:${port}${BASE}${path}`)).json();
    assert.equal(await read('/short'), {});
    assert.is(((await read('/other')) as { path: string }).path, '/other');
    assert.is(host.served.length, 1);
  });
});

ready('that cannot be sent are an error for their client only', async () => {
  const unsendable: WireResponse = { ...SHORT, headers: { ...HEADERS, Link: '</日>' } };
  for (const answer of [unsendable, Promise.resolve(unsendable)]) {
    await withServer(
      createServer({
        ...createEchoHost(),
        ready: (_siteUrl, target) => (target === `${BASE}/bad` ? answer : null),
      }),
      async (port) => {
        for (const [path, status] of [
          ['/bad', 500],
          ['/bad', 500],
          ['/other', 200],
        ] as const) {
          assert.is((await fetch(`http://127.0.0.1:${port}${BASE}${path}`)).status, status, path);
        }
      },
    );
  }
});

ready('take a place while the store is asked', async () => {
  let give = (_wire: WireResponse): void => undefined;
  const answer = new Promise<WireResponse>((resolve) => {
    give = resolve;
  });
  const host = { ...createEchoHost(), ready: (): Promise<WireResponse> => answer };
  await withServer(createServer(host, { limits: { inFlight: 2 } }), async (port) => {
    const statuses: number[] = [];
    const asked = Array.from({ length: 5 }, async () => {
      statuses.push((await fetch(`http://127.0.0.1:${port}${BASE}/short`)).status);
    });
    while (statuses.length < 3)
      await new Promise((resolve) => {
        setTimeout(resolve, 5);
      });
    give(SHORT);
    await Promise.all(asked);
    assert.equal(statuses, [503, 503, 503, 200, 200]);
  });
});

ready('that are not known are not made for a client that has left', async () => {
  let give = (_wire: null): void => undefined;
  const answer = new Promise<null>((resolve) => {
    give = resolve;
  });
  const [host, gone] = [createEchoHost(), new Set<unknown>()];
  const server = createServer({ ...host, ready: (): Promise<null> => answer }).on('connection', (socket) => {
    socket.on('close', () => gone.add(socket));
  });
  await withServer(server, async (port) => {
    const client = connect(port, '127.0.0.1').on('error', () => undefined);
    client.write(`GET ${BASE}/short HTTP/1.1\r\nHost: a\r\n\r\n`);
    await once(server, 'request');
    client.destroy();
    while (gone.size === 0)
      await new Promise((resolve) => {
        setTimeout(resolve, 5);
      });
    give(null);
    await new Promise((resolve) => {
      setTimeout(resolve, 20);
    });
    assert.equal(host.served, []);
  });
});

ready.run();
