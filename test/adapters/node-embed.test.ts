import { once } from 'node:events';
import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import { connect, createServer as createHttp2Server } from 'node:http2';
import { text } from 'node:stream/consumers';
import express from 'express';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createListener, LoadShedder, HTTP_LIMITS } from '../../adapters/node-http.ts';
import type { Listener, ListenerOptions } from '../../adapters/node-http.ts';
import type { WireResponse } from '../../lib/http/host.ts';
import { createEchoHost } from '../support/echo-host.ts';
import { lastBodyOf, statusesOf, talk } from '../support/raw.ts';

const BASE = '/en/cms-json';
const KEPT: WireResponse = {
  status: 200,
  headers: {
    Vary: 'Origin',
    Link: '</>; rel="api"',
    'Access-Control-Expose-Headers': 'Link, ETag',
    'X-A': 'api',
  },
  body: Buffer.from('{}'),
};
const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';

/** `/kept` is cached; everything else is echoed. */
function createApi(options: ListenerOptions = {}): Listener {
  const host = createEchoHost({ '/made': () => KEPT });
  return createListener(
    { ...host, ready: (_siteUrl, target) => (target === `${BASE}/kept` ? KEPT : null) },
    { loadShedder: new LoadShedder(HTTP_LIMITS), ...options },
  );
}

/** The responses of the host app's server to these bytes. */
async function ask(
  listener: RequestListener,
  bytes: string,
): Promise<{ readonly text: string; readonly open: boolean }> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  try {
    return await talk(typeof address === 'object' && address !== null ? address.port : 0, bytes);
  } finally {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }
}

const get = (path: string): string => `GET ${BASE}${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`;

const post = (type: string, body: string): string =>
  `POST ${BASE}/it HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: ${type}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

const headerOf = (text: string, name: string): string[] =>
  [...text.matchAll(new RegExp(`^${name}: (.*)\\r$`, 'gmi'))].map((match) => match[1] ?? '');

const read = suite('a body that the host app has read');

const PARSERS = [
  express.json({ strict: false, limit: '4mb' }),
  express.urlencoded({ extended: true }),
  express.text(),
  express.raw({ type: 'application/merge-patch+json' }),
];

/** Media type and body -> status, and the resulting body or error code. */
const BODIES: readonly (readonly [
  sent: readonly [type: string, body: string],
  status: number,
  got: unknown,
])[] = [
  [[JSON_TYPE, '{"a":[1,{"b":null}]}'], 200, { kind: 'json', value: { a: [1, { b: null }] } }],
  [[JSON_TYPE, '[]'], 200, { kind: 'json', value: [] }],
  [[JSON_TYPE, 'null'], 200, { kind: 'json', value: null }],
  [[JSON_TYPE, '7'], 200, { kind: 'json', value: 7 }],
  [
    [`${FORM_TYPE}; charset=utf-8`, 'a=1&b[]=2&b[]=%C3%A9'],
    200,
    { kind: 'json', value: { a: '1', b: ['2', '\u00e9'] } },
  ],
  [['text/plain', 'some text'], 200, { kind: 'text', type: 'text/plain' }],
  [['application/merge-patch+json', '{"a":1}'], 200, { kind: 'json', value: { a: 1 } }],
  [[JSON_TYPE, '{"__proto__":{"a":1}}'], 400, 'rest_invalid_json'],
  [[JSON_TYPE, `${'['.repeat(100)}${']'.repeat(100)}`], 400, 'rest_invalid_json'],
];

for (const [[type, body], status, got] of BODIES) {
  read(`is taken as the app left it: ${type} ${body.slice(0, 40)}`, async () => {
    const { text } = await ask(express().use(PARSERS, createApi()), post(type, body));
    assert.equal(statusesOf(text), [status], text);
    const answer = JSON.parse(lastBodyOf(text));
    assert.equal(status === 200 ? answer.body : answer.code, got);
  });
}

read('is still subject to the size limit', async () => {
  const chunk = `"${'a'.repeat(200)}"`;
  const { text } = await ask(
    express().use(PARSERS, createApi({ limits: { bodyBytes: 100 } })),
    [
      `POST ${BASE}/it HTTP/1.1`,
      'Host: a',
      'Connection: close',
      `Content-Type: ${JSON_TYPE}`,
      'Transfer-Encoding: chunked',
      '',
      chunk.length.toString(16),
      chunk,
      '0',
      '',
      '',
    ].join('\r\n'),
  );
  assert.equal(statusesOf(text), [413]);
});

read('and not left in request.body is an error at once, which says what to do', async () => {
  const { text } = await ask(
    (request, response) => {
      request.resume().once('end', () => createApi()(request, response));
    },
    post(JSON_TYPE, '{}'),
  );
  assert.equal(statusesOf(text), [500]);
  const { code, message } = JSON.parse(lastBodyOf(text));
  assert.is(code, 'rest_internal_error');
  assert.match(message, /before/);
});

read('is not looked for while the body has yet to arrive', async () => {
  const { text } = await ask(
    (request, response) => {
      Object.assign(request, { body: { from: 'elsewhere' } });
      createApi()(request, response);
    },
    post(JSON_TYPE, '{"a":1}'),
  );
  assert.equal(JSON.parse(lastBodyOf(text)).body, { kind: 'json', value: { a: 1 } });
});

read.run();

const late = suite('a body that does not arrive');

for (const [name, sent] of [
  ['not at all', ''],
  ['in part', '{"a":'],
] as const) {
  late(`${name} is not waited for on a server of the host app`, async () => {
    const loadShedder = new LoadShedder(HTTP_LIMITS);
    const { text, open } = await ask(
      createApi({ loadShedder, limits: { requestTimeoutMs: 100 } }),
      post(JSON_TYPE, '{"a":"long enough"}').replace(/\{.*/, sent),
    );
    assert.equal(statusesOf(text), [408]);
    assert.equal(headerOf(text, 'Connection'), ['close']);
    assert.is(JSON.parse(lastBodyOf(text)).code, 'rest_body_timeout');
    assert.not(open);
    assert.equal([loadShedder.buffered, loadShedder.inFlight], [0, 0]);
  });
}

late.run();

const headers = suite('headers that the host app has set');

/** Headers set by the app -> the header lines that are sent. */
const MERGED: readonly (readonly [name: string, value: string | string[], sent: readonly string[]])[] = [
  ['Vary', 'Accept-Encoding', ['Accept-Encoding, Origin']],
  ['vary', ['Cookie', 'origin, X-A'], ['Cookie, origin, X-A']],
  ['Vary', '*', ['*, Origin']],
  ['Access-Control-Expose-Headers', 'X-Request-Id, etag', ['X-Request-Id, etag, Link']],
  ['Link', '</a,b.css>; rel=preload', ['</a,b.css>; rel=preload, </>; rel="api"']],
  ['Link', ['<1>', '<2>'], ['<1>, <2>, </>; rel="api"']],
  ['X-A', 'app', ['api']],
  ['X-B', 'app', ['app']],
];

for (const [name, value, sent] of MERGED) {
  headers(`stay beside ours where they are lists: ${name}: ${String(value)}`, async () => {
    const api = createApi();
    for (const path of ['/kept', '/kept', '/made']) {
      const { text } = await ask((request, response) => {
        response.setHeader(name, value);
        api(request, response);
      }, get(path));
      assert.equal(statusesOf(text), [200]);
      assert.equal(headerOf(text, name), sent);
    }
  });
}

headers('may be set after the call of the listener, even for cached responses', async () => {
  const api = createApi();
  for (const path of ['/made', '/kept', '/kept']) {
    const { text } = await ask((request, response) => {
      api(request, response);
      response.setHeader('X-After', '1');
    }, get(path));
    assert.equal([statusesOf(text), headerOf(text, 'X-After')], [[200], ['1']], path);
  }
});

headers.run();

const versions = suite('a server of node:http2');

versions('is told that the listener speaks HTTP/1.1 alone', async () => {
  const server = createHttp2Server(createApi() as never).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const client = connect(
    `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
  );
  try {
    const request = client.request({ ':path': `${BASE}/it` });
    const [headers] = (await once(request, 'response')) as [Record<string, unknown>];
    const body = await text(request);
    assert.is(headers[':status'], 400);
    assert.match(body, /speaks HTTP\/2, and this listener HTTP\/1\.1 alone/);
  } finally {
    client.destroy();
    server.close();
  }
});

versions.run();
