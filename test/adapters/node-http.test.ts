import { once } from 'node:events';
import { Agent, createServer as createNodeServer, request as sendRequest } from 'node:http';
import type { IncomingMessage, RequestOptions } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  closeServer,
  createListener,
  createServer,
  LoadShedder,
  HTTP_LIMITS,
} from '../../adapters/node-http.ts';
import type { ListenerOptions } from '../../adapters/node-http.ts';
import type { Host, WireResponse } from '../../lib/http/host.ts';
import { block } from '../support/block.ts';
import { createEchoHost } from '../support/echo-host.ts';
import { statusesOf, talk, withServer } from '../support/raw.ts';
import { createTestEngine } from '../support/site.ts';

const BASE = '/en/cms-json';
const OK: WireResponse = { status: 200, headers: {}, body: '{}' };
const PLAIN = `GET ${BASE} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`;

const calmGate = () => new LoadShedder(HTTP_LIMITS);

interface Got {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

function get(port: number, options: RequestOptions = {}): Promise<Got> {
  return new Promise((resolve, reject) => {
    const outgoing = sendRequest({ port, host: '127.0.0.1', path: BASE, ...options }, (incoming) => {
      const chunks: Uint8Array[] = [];
      incoming.on('data', (chunk: Uint8Array) => chunks.push(chunk));
      incoming.on('end', () =>
        resolve({
          status: incoming.statusCode ?? 0,
          headers: incoming.headers,
          text: Buffer.concat(chunks).toString(),
        }),
      );
      incoming.on('error', reject);
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}

/** A promise that tests resolve by hand. */
function createLatch(): { readonly opened: Promise<void>; open: () => void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

async function until(holds: () => boolean): Promise<void> {
  for (let tries = 0; !holds() && tries < 300; tries++) await wait(10);
  assert.ok(holds(), 'did not come true within 3 s');
}

const answers = suite('createServer, responses');

const SENT: readonly (readonly [
  name: string,
  wire: WireResponse,
  method: string,
  status: number,
  length: string | undefined,
  text: string,
])[] = [
  ['text', { status: 200, headers: {}, body: 'é' }, 'GET', 200, '2', 'é'],
  ['bytes', { status: 201, headers: {}, body: new Uint8Array([0x61]) }, 'GET', 201, '1', 'a'],
  ['empty text', { status: 200, headers: {}, body: '' }, 'GET', 200, '0', ''],
  ['no body', { status: 200, headers: {}, body: null }, 'GET', 200, '0', ''],
  ['204', { status: 204, headers: {}, body: null }, 'GET', 204, undefined, ''],
  ['304', { status: 304, headers: { ETag: '"1"' }, body: null }, 'GET', 304, undefined, ''],
  ['HEAD with a body', { status: 200, headers: {}, body: 'abc' }, 'HEAD', 200, '3', ''],
  [
    'HEAD with a known length',
    { status: 200, headers: { 'Content-Length': '7' }, body: null },
    'HEAD',
    200,
    '7',
    '',
  ],
  ['HEAD without', { status: 200, headers: {}, body: null }, 'HEAD', 200, undefined, ''],
  [
    'wrong length of the host',
    { status: 200, headers: { 'content-length': '99', 'Transfer-Encoding': 'chunked' }, body: 'abc' },
    'GET',
    200,
    '3',
    'abc',
  ],
  [
    'line break in a header',
    { status: 200, headers: { Link: 'a\r\nX-Evil: 1' }, body: 'x' },
    'GET',
    500,
    undefined,
    'rest_internal_error',
  ],
  [
    'character that no header holds',
    { status: 200, headers: { Link: '<\u20ac>' }, body: 'x' },
    'GET',
    500,
    undefined,
    'rest_internal_error',
  ],
  [
    'bad header name',
    { status: 200, headers: { 'a b': '1' }, body: 'x' },
    'GET',
    500,
    undefined,
    'rest_internal_error',
  ],
  ['impossible status', { status: 99, headers: {}, body: 'x' }, 'GET', 500, undefined, 'rest_internal_error'],
];

answers('have a length, and no body for HEAD', async () => {
  for (const [name, wire, method, status, length, text] of SENT) {
    await withServer(
      createServer(createEchoHost({ '/': () => wire }), { loadShedder: calmGate() }),
      async (port) => {
        const got = await get(port, { method });
        assert.is(got.status, status, name);
        if (status !== 500) assert.is(got.headers['content-length'], length, name);
        assert.ok(text === '' ? got.text === '' : got.text.includes(text), `${name}: ${got.text}`);
        assert.is(got.headers['x-evil'], undefined);
      },
    );
  }
});

answers('are 500 when the host rejects', async () => {
  const loadShedder = calmGate();
  await withServer(
    createServer(createEchoHost({ '/': () => Promise.reject(new Error('secret')) }), { loadShedder }),
    async (port) => {
      const got = await get(port);
      assert.is(got.status, 500);
      assert.not(got.text.includes('secret'));
      assert.is(loadShedder.inFlight, 0);
    },
  );
});

answers('large ones arrive complete', async () => {
  const body = 'é'.repeat(4_000_000);
  await withServer(
    createServer(createEchoHost({ '/': () => ({ ...OK, body }) }), { loadShedder: calmGate() }),
    async (port) => {
      assert.is((await get(port)).text, body);
    },
  );
});

answers.run();

const options = suite('createListener');

options('passes every other address on', async () => {
  const host = createEchoHost();
  const listener = createListener(host, {
    loadShedder: calmGate(),
    siteUrl: () => 'https://site.example',
    otherwise: (_request, response) => response.end('page'),
  });
  const server = createNodeServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  assert.is((await get(port, { path: '/about' })).text, 'page');
  assert.is(host.served.length, 0);
  await get(port, { headers: { Host: 'evil.example' } });
  assert.is(host.served[0]?.siteUrl, 'https://site.example');
  server.closeAllConnections();
  server.close();
});

options('closes the connections of a server that stops also after responses of the host app', async () => {
  const server = createServer(createEchoHost(), { otherwise: (_request, response) => response.end('page') });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const socket = connect({ port: typeof address === 'object' && address !== null ? address.port : 0 });
  await once(socket, 'connect');
  let received = '';
  socket.on('data', (chunk: Buffer) => {
    received += chunk.toString();
  });
  const ended = once(socket, 'close');
  const closing = closeServer(server);
  socket.write('GET /about HTTP/1.1\r\nHost: a\r\n\r\n');
  await Promise.all([ended, closing]);
  assert.match(received, /^HTTP\/1\.1 200 OK\r\nConnection: close\r\n.*page/s);
});

options('never takes the site address from the Host header', async () => {
  const host = createEchoHost();
  await withServer(createServer(host, { loadShedder: calmGate() }), async (port) => {
    await get(port, { headers: { Host: 'evil.example' } });
    assert.is(host.served[0]?.siteUrl, `http://127.0.0.1:${port}`);
  });
});

options('passes the remote address and aborts the signal when the client disconnects', async () => {
  const aborted = createLatch();
  const host = createEchoHost({
    '/': async ({ signal }) => {
      signal?.addEventListener('abort', aborted.open);
      await aborted.opened;
      return OK;
    },
  });
  const loadShedder = calmGate();
  await withServer(createServer(host, { loadShedder }), async (port) => {
    const socket = connect(port, '127.0.0.1');
    socket.write(PLAIN);
    await until(() => host.served.length === 1);
    assert.is(host.served[0]?.address, '127.0.0.1');
    assert.is(host.served[0]?.signal?.aborted, false);
    socket.destroy();
    await aborted.opened;
    await until(() => loadShedder.inFlight === 0);
  });
});

options.run();

const overload = suite('createServer, overload');

overload('refuses requests above the limit before their body is read', async () => {
  const latch = createLatch();
  const host = createEchoHost({
    '/slow': async () => {
      await latch.opened;
      return OK;
    },
  });
  const loadShedder = new LoadShedder({ ...HTTP_LIMITS, inFlight: 2 });
  await withServer(createServer(host, { loadShedder }), async (port) => {
    const slow = [get(port, { path: `${BASE}/slow` }), get(port, { path: `${BASE}/slow` })];
    await until(() => loadShedder.inFlight === 2);
    const refused = await talk(port, `POST ${BASE} HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n`);
    assert.equal(statusesOf(refused.text), [503]);
    assert.match(refused.text, /^Retry-After: \d+\r$/m);
    assert.is((await get(port)).status, 503);
    assert.is((await get(port, { path: '/about' })).status, 404, 'other addresses are not counted');
    latch.open();
    for (const each of slow) assert.is((await each).status, 200);
    assert.is((await get(port)).status, 200);
  });
});

overload('refuses a request that would wait too long for the event loop, and accepts the next', async () => {
  const host = createEchoHost({
    '/busy': () => {
      block(60);
      return OK;
    },
  });
  await withServer(createServer(host, { limits: { loopDelayMs: 200 } }), async (port) => {
    const agent = new Agent({ keepAlive: true });
    const busy = (): Promise<readonly Got[]> =>
      Promise.all(Array.from({ length: 30 }, () => get(port, { path: `${BASE}/busy`, agent })));
    await busy();
    const answers = await busy();
    const refused = answers.filter(({ status }) => status === 503);
    assert.ok(refused.length > 5 && refused.length < 30, `${refused.length} of 30 refused`);
    for (const { headers, text } of refused)
      assert.equal(
        [headers['retry-after'], headers.connection, JSON.parse(text).code],
        ['1', 'keep-alive', 'rest_overloaded'],
      );
    assert.is(answers.filter(({ status }) => status === 200).length, 30 - refused.length);
    assert.is((await get(port)).status, 200);
    agent.destroy();
  });
});

overload('begins few requests while the store is busy, and all of them when it is not', async () => {
  const latch = createLatch();
  const busy = { read: true, write: true };
  const echo = createEchoHost({
    '/slow': async () => {
      await latch.opened;
      return OK;
    },
  });
  const host = { ...echo, isBusy: (kind: 'read' | 'write') => busy[kind] };
  await withServer(createServer(host, { limits: { loopDelayMs: 20_000 } }), async (port) => {
    const send = (method: string, count: number): readonly Promise<Got>[] =>
      Array.from({ length: count }, () => get(port, { method, path: `${BASE}/slow` }));
    const sent = [...send('GET', 40), ...send('POST', 20)];
    const count = (method: string): number =>
      echo.served.filter((request) => request.method === method).length;
    try {
      await until(() => count('GET') === 16 && count('POST') === 8);
      await wait(50);
      assert.equal([count('GET'), count('POST')], [16, 8]);
      busy.read = false;
      sent.push(...send('GET', 1));
      await until(() => count('GET') === 41);
      assert.is(count('POST'), 8, 'reads do not wait for writes');
    } finally {
      latch.open();
    }
    for (const each of sent) assert.is((await each).status, 200);
    assert.is(count('POST'), 20, 'each that ends lets the next one in');
  });
});

/** Refused requests, whether the response closes the connection, and the content of the response. */
const TURNED_AWAY: readonly (readonly [
  name: string,
  request: string,
  isLast: boolean,
  ...patterns: RegExp[],
])[] = [
  [
    'GET',
    `GET ${BASE} HTTP/1.1\r\nHost: a\r\n\r\n`,
    false,
    /\r\nContent-Type: application\/json/,
    /"code":"rest_overloaded"/,
  ],
  [
    'HEAD',
    `HEAD ${BASE} HTTP/1.1\r\nHost: a\r\n\r\n`,
    false,
    /\r\nContent-Length: [1-9]\d*\r\n[^{]*HTTP\/1.1 503/,
  ],
  ['POST', `POST ${BASE} HTTP/1.1\r\nHost: a\r\nContent-Length: 7\r\n\r\n{"a":1}`, false],
  [
    'POST in chunks',
    `POST ${BASE} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n7\r\n{"a":1}\r\n0\r\n\r\n`,
    true,
  ],
  [
    'a large POST',
    `POST ${BASE} HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n${'a'.repeat(100_000)}`,
    true,
  ],
  [
    'a POST that waits',
    `POST ${BASE} HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 7\r\n\r\n`,
    true,
  ],
  ['HTTP/1.0', `GET ${BASE} HTTP/1.0\r\n\r\n`, true],
  ['an upgrade', `GET ${BASE} HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: h2c\r\n\r\n`, true],
];

overload('refuses so that the connection stays usable, or closes it', async () => {
  const latch = createLatch();
  const host = createEchoHost({
    '/slow': async () => {
      await latch.opened;
      return OK;
    },
  });
  const loadShedder = new LoadShedder({ ...HTTP_LIMITS, inFlight: 1 });
  await withServer(createServer(host, { loadShedder }), async (port) => {
    const slow = get(port, { path: `${BASE}/slow` });
    await until(() => loadShedder.inFlight === 1);
    try {
      for (const [name, request, isLast, ...patterns] of TURNED_AWAY) {
        const { text } = await talk(port, `${request}${isLast ? '' : `${request}${PLAIN}`}`);
        assert.equal(statusesOf(text), isLast ? [503] : [503, 503, 503], `${name}: ${text}`);
        for (const pattern of [/\r\nRetry-After: 1\r\n/, ...patterns]) assert.match(text, pattern, name);
      }
    } finally {
      latch.open();
    }
    assert.is((await slow).status, 200);
  });
});

overload('keeps the forms of a refusal apart', async () => {
  const engine = createTestEngine([]);
  await withServer(
    createServer(engine, { loadShedder: new LoadShedder({ ...HTTP_LIMITS, inFlight: 0 }) }),
    async (port) => {
      for (let round = 0; round < 2; round += 1) {
        const plain = await get(port);
        assert.equal(
          [plain.status, plain.headers['content-type'], plain.headers['access-control-allow-origin']],
          [503, 'application/json; charset=UTF-8', undefined],
        );
        assert.is(
          (await get(port, { headers: { Accept: 'application/problem+json' } })).headers['content-type'],
          'application/problem+json; charset=UTF-8',
        );
        assert.is(
          (await get(port, { headers: { Origin: 'https://a.test' } })).headers['access-control-allow-origin'],
          'https://a.test',
        );
      }
    },
  );
});

overload.run();

const slow = suite('createServer, slow clients');
const SHORT: ListenerOptions = {
  limits: {
    headersTimeoutMs: 150,
    requestTimeoutMs: 300,
    checkIntervalMs: 30,
    keepAliveTimeoutMs: 150,
    stallTimeoutMs: 150,
  },
};

/** Sends one byte now and then until the connection closes. */
async function trickle(port: number, start: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk.toString();
  });
  socket.on('error', () => undefined);
  socket.write(start);
  const timer = setInterval(() => socket.write('a'), 20);
  await once(socket, 'close');
  clearInterval(timer);
  return text;
}

const SLOW: readonly (readonly [name: string, start: string])[] = [
  ['headers', `GET ${BASE} HTTP/1.1\r\nHost: a\r\nX-A: `],
  ['request line', 'GET /'],
  [
    'body',
    `POST ${BASE} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n`,
  ],
];

for (const [name, start] of SLOW) {
  slow(`are refused after the time for ${name}`, async () => {
    const loadShedder = calmGate();
    const host = createEchoHost();
    await withServer(createServer(host, { ...SHORT, loadShedder }), async (port) => {
      assert.equal(statusesOf(await trickle(port, start)), [408]);
      assert.is(host.served.length, 0);
      assert.is(loadShedder.inFlight, 0);
    });
  });
}

slow('take no place from others while their body arrives', async () => {
  const loadShedder = new LoadShedder({ ...HTTP_LIMITS, inFlight: 2, bufferedBytes: 50 });
  await withServer(createServer(createEchoHost(), { loadShedder }), async (port) => {
    const start = `POST ${BASE} HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nContent-Length: 20\r\n\r\n`;
    const sockets = Array.from({ length: 10 }, () => connect(port, '127.0.0.1'));
    for (const socket of sockets) socket.write(`${start}1234`);
    await until(() => loadShedder.buffered === 40);
    assert.is((await get(port)).status, 200);
    assert.equal(statusesOf((await talk(port, `${start}12345678901234`)).text), [503], 'too many bytes wait');
    for (const socket of sockets) socket.destroy();
    await until(() => loadShedder.buffered === 0);
    assert.is(loadShedder.inFlight, 0);
  });
});

slow('lose an idle connection', async () => {
  await withServer(createServer(createEchoHost(), { ...SHORT, loadShedder: calmGate() }), async (port) => {
    const { text, open } = await talk(port, PLAIN.replace('Connection: close\r\n', ''));
    assert.equal(statusesOf(text), [200]);
    assert.not(open);
  });
});

slow('are disconnected after a number of requests', async () => {
  const host = createEchoHost();
  await withServer(
    createServer(host, { limits: { requestsPerSocket: 3 }, loadShedder: calmGate() }),
    async (port) => {
      const { text, open } = await talk(port, PLAIN.replace('Connection: close\r\n', '').repeat(5));
      assert.equal(statusesOf(text), [200, 200, 200]);
      assert.is(host.served.length, 3);
      assert.is(text.match(/Connection: close/g)?.length, 1);
      assert.not(open);
    },
  );
});

slow('get nothing after the response to their last request', async () => {
  // Cached responses are sent before the parser reads on.
  const host: Host = { ...createEchoHost(), ready: () => OK };
  await withServer(createServer(host, { loadShedder: calmGate() }), async (port) => {
    for (const more of [PLAIN, 'not HTTP\r\n\r\n']) {
      const { text, open } = await talk(port, PLAIN + more);
      assert.equal(statusesOf(text), [200], more);
      assert.not(open);
    }
    const last = PLAIN.replace('Connection: close\r\n', 'Upgrade: x\r\n');
    assert.equal(statusesOf((await talk(port, `${last}not HTTP\r\n\r\n`)).text), [200]);
  });
});

slow('that do not read their response are cut off', async () => {
  const host = createEchoHost({ '/': () => ({ ...OK, body: Buffer.alloc(30_000_000) }) });
  const server = createServer(host, { ...SHORT, loadShedder: calmGate() });
  // Without the server's own last resort.
  server.timeout = 0;
  await withServer(server, async (port) => {
    const [socket] = [connect(port, '127.0.0.1'), await once(server, 'connection')];
    socket.on('error', () => undefined);
    socket.pause();
    socket.write(PLAIN);
    await until(() => host.served.length === 1);
    const count = () =>
      new Promise<number>((resolve) => {
        server.getConnections((_error, connections) => resolve(connections));
      });
    for (let tries = 0; (await count()) > 0 && tries < 300; tries++) await wait(10);
    assert.is(await count(), 0);
    socket.destroy();
  });
});

slow('that disconnect in the middle of a body leave nothing in flight', async () => {
  const loadShedder = calmGate();
  const host = createEchoHost();
  await withServer(createServer(host, { loadShedder }), async (port) => {
    const start = `POST ${BASE} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n${'['.repeat(4000)}`;
    for (let at = 0; at < 200; at++) {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write(start.slice(0, 10 + at * 20));
      if (at % 2 === 0) await once(socket, 'connect');
      if (at % 3 === 0) await wait(1);
      if (at % 5 === 0) socket.resetAndDestroy();
      else socket.destroy();
    }
    await until(() => loadShedder.inFlight === 0 && loadShedder.buffered === 0);
    assert.is(host.served.length, 0);
    assert.is((await get(port)).status, 200);
  });
});

slow.run();

const closing = suite('closeServer');

closing('loses no accepted request under load', async () => {
  const host = createEchoHost({
    '/': async () => {
      await wait(15);
      return OK;
    },
  });
  const loadShedder = calmGate();
  const server = createServer(host, { loadShedder });
  let counted = 0;
  let refused = 0;
  await withServer(server, async (port) => {
    const agent = new Agent({ keepAlive: true });
    let stop = false;
    const clients = Array.from({ length: 8 }, async () => {
      while (!stop) {
        try {
          const { status } = await get(port, { agent });
          if (status === 200) counted++;
          else {
            assert.is(status, 503);
            refused++;
          }
        } catch {
          stop = true;
        }
      }
    });
    await until(() => counted > 40);
    await closeServer(server);
    stop = true;
    await Promise.all(clients);
    agent.destroy();
  });
  assert.is(host.served.length, counted, 'every request that the host saw was answered');
  assert.is(loadShedder.inFlight, 0);
  assert.ok(refused <= 8, `${refused} refused`);
});

closing(
  'responds with 503 on an open connection, finishes running requests, and accepts nothing new',
  async () => {
    const latch = createLatch();
    const host = createEchoHost({
      '/slow': async () => {
        await latch.opened;
        return OK;
      },
    });
    const loadShedder = calmGate();
    const server = createServer(host, { loadShedder });
    await withServer(server, async (port) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      await get(port, { agent });
      const running = get(port, { path: `${BASE}/slow` });
      await until(() => loadShedder.inFlight === 1);
      const closed = closeServer(server);
      // What has arrived when the server begins to stop is still served.
      await until(() => loadShedder.closing);
      const late = await get(port, { agent });
      assert.is(late.status, 503);
      assert.is(late.headers.connection, 'close');
      assert.match(JSON.parse(late.text).code, 'rest_shutting_down');
      assert.is(
        await get(port).then(
          () => 'accepted',
          () => 'refused',
        ),
        'refused',
      );
      latch.open();
      const last = await running;
      assert.is(last.status, 200);
      assert.is(last.headers.connection, 'close');
      await closed;
      agent.destroy();
    });
  },
);

closing('lets a large response arrive complete', async () => {
  const body = 'a'.repeat(20_000_000);
  const host = createEchoHost({ '/': () => ({ ...OK, body }) });
  const server = createServer(host, { loadShedder: calmGate() });
  await withServer(server, async (port) => {
    const socket = connect(port, '127.0.0.1');
    socket.pause();
    socket.write(PLAIN.replace('Connection: close\r\n', ''));
    await until(() => host.served.length === 1);
    const closed = closeServer(server);
    await wait(250);
    let size = 0;
    socket.on('data', (chunk) => {
      size += chunk.length;
    });
    socket.resume();
    await once(socket, 'close');
    await closed;
    assert.ok(size > body.length, `${size} bytes`);
  });
});

closing('cuts the remaining connections when the time is over', async () => {
  const latch = createLatch();
  const server = createServer(
    createEchoHost({
      '/': async () => {
        await latch.opened;
        return OK;
      },
    }),
    { loadShedder: calmGate() },
  );
  await withServer(server, async (port) => {
    const running = get(port).then(
      () => 'answered',
      () => 'cut',
    );
    await wait(30);
    await closeServer(server, { timeoutMs: 50 });
    assert.is(await running, 'cut');
    latch.open();
  });
});

closing('may be called twice, and before listening', async () => {
  const server = createServer(createEchoHost());
  await closeServer(server);
  await withServer(server, async () => {
    await Promise.all([closeServer(server), closeServer(server)]);
  });
});

closing('accepts only servers made by createServer', async () => {
  const message = await closeServer(createNodeServer()).then(() => '', String);
  assert.match(message, 'TypeError');
});

closing.run();
