import { once } from 'node:events';
import { createServer as createNodeServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createFetchHandler } from '../../../../adapters/fetch.ts';
import { createListener, createServer } from '../../../../adapters/node-http.ts';
import { isWebResponse } from '../../../../lib/dispatch/execute.ts';
import type { LogEvent } from '../../../../lib/dispatch/runtime.ts';
import type { Engine, EngineOptions } from '../../../../lib/engine/engine.ts';
import { createRequest, type RequestOptions } from '../../../../lib/http/create-request.ts';
import type { EndpointDescriptor } from '../../../../lib/route/descriptor.ts';
import { PATIENT } from '../../../support/patient.ts';
import { createProbe } from '../../../support/probe.ts';
import { createTestEngine } from '../../../support/site.ts';
import { countUnhandled } from '../../../support/unhandled.ts';

const PICTURE = Uint8Array.of(0x89, 0x50, 0, 0xff);
const PATH = '/en/cms-json/probe/v1/it';

interface Options extends Partial<EngineOptions> {
  readonly endpoint?: Partial<EndpointDescriptor>;
}

function open(handler: () => unknown, { endpoint = {}, ...options }: Options = {}): Engine {
  return createTestEngine(
    [createProbe({ handler, endpoint: { methods: ['GET', 'POST'], ...endpoint } })],
    options,
  );
}

async function ask(engine: Engine, query = '', options: RequestOptions = {}) {
  const { status, headers, cookies, body } = await engine.serve(
    createRequest(`/probe/v1/it${query}`, options),
  );
  return { status, headers, cookies, body: body === null ? null : Buffer.from(body).toString('latin1') };
}

/** A stream that gives its parts one a turn, and notes whether it was cancelled. */
function createStream(parts: readonly unknown[]): {
  readonly stream: ReadableStream;
  readonly seen: { read: number; isCancelled: boolean };
} {
  const seen = { read: 0, isCancelled: false };
  const stream = new ReadableStream(
    {
      pull(controller) {
        if (seen.read === parts.length) controller.close();
        else controller.enqueue(parts[seen.read]);
        seen.read += 1;
      },
      cancel() {
        seen.isCancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  return { stream, seen };
}

/** What a server answers, while it is there. */
async function fetchFrom<T>(server: Server, use: (response: Response) => Promise<T>): Promise<T> {
  try {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return await use(await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${PATH}`));
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

const sent = suite('a Response that a handler returns');

sent('is sent with its status, headers and bytes', async () => {
  const handler = () => {
    const headers = new Headers({
      'content-type': 'image/png',
      etag: '"mine"',
      link: '<http://a.test/>; rel="next"',
      vary: 'Cookie',
      'cache-control': 'max-age=60',
      'x-own': 'x',
    });
    headers.append('set-cookie', 'a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT');
    headers.append('set-cookie', 'b=2; HttpOnly');
    return new Response(PICTURE, { status: 203, headers });
  };
  const { status, headers, cookies, body } = await ask(open(handler));
  assert.equal([status, body], [203, Buffer.from(PICTURE).toString('latin1')]);
  assert.equal(
    [headers['Content-Type'], headers['ETag'], headers['Cache-Control'], headers['x-own']],
    ['image/png', '"mine"', 'max-age=60', 'x'],
  );
  assert.equal(headers['Vary'], 'Origin, Cookie');
  assert.match(String(headers['Link']), /<http:\/\/a\.test\/>; rel="next"$/);
  assert.equal(cookies, ['a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT', 'b=2; HttpOnly']);
  // Nothing stands there twice in different spellings.
  const names = Object.keys(headers).map((name) => name.toLowerCase());
  assert.is(new Set(names).size, names.length);
});

sent('arrives over node:http and fetch as it was made, each cookie in a header of its own', async () => {
  const handler = async () => {
    const { stream } = createStream([PICTURE, PICTURE]);
    return new Response(stream, {
      status: 201,
      headers: [
        ['Content-Type', 'image/png'],
        ['Set-Cookie', 'a=1'],
        ['Set-Cookie', 'b=2'],
        ['Content-Length', '99'],
      ],
    });
  };
  const check = async (response: Response): Promise<void> => {
    assert.equal(
      [response.status, response.headers.get('content-type'), response.headers.getSetCookie()],
      [201, 'image/png', ['a=1', 'b=2']],
    );
    assert.equal(new Uint8Array(await response.arrayBuffer()), Uint8Array.of(...PICTURE, ...PICTURE));
  };
  const engine = open(handler);
  await fetchFrom(createServer(engine, { limits: PATIENT }), check);
  await check(
    await createFetchHandler(engine, { siteUrl: 'http://a.test', limits: PATIENT })(
      new Request(`http://a.test${PATH}`),
    ),
  );
});

sent('leaves the cookies of the host app beside its own', async () => {
  const listener = createListener(
    open(
      () =>
        new Response('x', {
          headers: [
            ['Set-Cookie', 'ours=1'],
            ['Set-Cookie', 'ours=2'],
          ],
        }),
    ),
  );
  const server = createNodeServer((request, response) => {
    response.setHeader('Set-Cookie', ['app=1', 'app=2']);
    listener(request, response);
  });
  const cookies = await fetchFrom(server, async (response) => response.headers.getSetCookie());
  assert.equal(cookies, ['app=1', 'app=2', 'ours=1', 'ours=2']);
});

for (const [title, response, status, type, body] of [
  ['JSON', () => Response.json({ a: 1 }), 200, 'application/json', '{"a":1}'],
  [
    'an error',
    () => Response.json({ code: 'x', data: {} }, { status: 418 }),
    418,
    'application/json',
    '{"code":"x","data":{}}',
  ],
  ['no body', () => new Response(null), 200, undefined, ''],
  [
    'bytes without a type',
    () => new Response(PICTURE),
    200,
    undefined,
    Buffer.from(PICTURE).toString('latin1'),
  ],
  ['204', () => new Response(null, { status: 204 }), 204, undefined, null],
  ['205', () => new Response(null, { status: 205 }), 205, undefined, null],
  ['304', () => new Response(null, { status: 304, headers: { etag: '"1"' } }), 304, undefined, null],
  ['a redirect', () => Response.redirect('http://a.test/there', 302), 302, undefined, ''],
] as const) {
  sent(`with ${title} is left as it is, whatever form is asked for`, async () => {
    for (const query of ['', '?_envelope', '?_fields=b', '?_embed', '?_jsonp=call']) {
      const answer = await ask(open(response, { jsonp: true }), query);
      assert.equal([answer.status, answer.headers['Content-Type'], answer.body], [status, type, body], query);
      if (status === 302) assert.is(answer.headers['Location'], 'http://a.test/there');
      if (status === 304) assert.is(answer.headers['ETag'], '"1"');
    }
  });
}

sent('to HEAD shows its length and no body', async () => {
  const { status, headers, body } = await ask(
    open(() => new Response('é', { headers: { 'content-type': 'text/plain' } })),
    '',
    { method: 'HEAD' },
  );
  assert.equal(
    [status, headers['Content-Length'], headers['Content-Type'], body],
    [200, '2', 'text/plain', null],
  );
});

sent('is not sent again to who has it: by a tag of its own or that of its bytes', async () => {
  for (const headers of [{ etag: '"mine"' }, {}]) {
    const engine = open(() => new Response('text', { headers }));
    const first = await ask(engine);
    const again = await ask(engine, '', { headers: { 'if-none-match': String(first.headers['ETag']) } });
    assert.equal([first.status, again.status, again.body], [200, 304, null]);
  }
});

sent('stands in a batch as JSON or as text, and its cookies are those of the batch', async () => {
  const answers = [
    [
      () => Response.json({ a: 1 }, { status: 201, headers: { 'set-cookie': 'a=1', 'x-own': 'x' } }),
      { body: { a: 1 }, status: 201 },
    ],
    [
      () => new Response('{"a":1}', { headers: { 'content-type': 'application/geo+json' } }),
      { body: { a: 1 }, status: 200 },
    ],
    [() => new Response('é'), { body: 'é', status: 200 }],
    [() => new Response(null, { status: 204 }), { body: null, status: 204 }],
    [() => new Response(PICTURE), { status: 500 }],
    [() => new Response('{', { headers: { 'content-type': 'application/json' } }), { status: 500 }],
  ] as const;
  for (const [handler, wanted] of answers) {
    const batch = await open(handler).serve(
      createRequest('/batch/v1', { method: 'POST', body: { requests: [{ path: '/probe/v1/it' }] } }),
    );
    const [item] = (
      JSON.parse(String(batch.body)) as {
        responses: { body: unknown; status: number; headers: Record<string, string> }[];
      }
    ).responses;
    assert.is(item?.status, wanted.status);
    if ('body' in wanted) assert.equal(item?.body, wanted.body);
    else assert.is((item?.body as { code?: string } | undefined)?.code, 'rest_internal_error');
    assert.equal(batch.cookies, wanted.status === 201 ? ['a=1'] : undefined);
    if (wanted.status === 201) assert.is(item?.headers['x-own'], 'x');
  }
});

sent('is kept where the endpoint names its collections, unless it sets a cookie', async () => {
  for (const [headers, asked] of [
    [{}, 1],
    [{ 'set-cookie': 'a=1' }, 2],
  ] as const) {
    let made = 0;
    const engine = open(
      () => {
        made += 1;
        return new Response('text', { headers });
      },
      { endpoint: { cache: ['entries'] }, cache: { store: { revision: () => 1, versions: () => [] } } },
    );
    assert.equal([(await ask(engine)).body, (await ask(engine)).body, made], ['text', 'text', asked]);
  }
});

sent('that was fetched is sent decoded', async () => {
  const zipped = gzipSync('plain');
  const upstream = createNodeServer((_request, response) => {
    response
      .writeHead(200, { 'Content-Encoding': 'gzip', 'Content-Type': 'text/plain', 'Keep-Alive': 'timeout=5' })
      .end(zipped);
  });
  const { headers, body } = await fetchFrom(upstream, (response) => ask(open(() => response)));
  assert.equal(
    [
      body,
      headers['content-encoding'],
      headers['keep-alive'],
      headers['connection'],
      headers['Content-Type'],
    ],
    ['plain', undefined, undefined, undefined, 'text/plain'],
  );
  // What a handler has compressed itself stays so.
  const own = await ask(open(() => new Response(zipped, { headers: { 'content-encoding': 'gzip' } })));
  assert.equal([own.headers['content-encoding'], own.body], ['gzip', zipped.toString('latin1')]);
});

sent.run();

const bounds = suite('the bounds of a Response');

bounds('are those of every answer: what is too large is not read to its end', async () => {
  const { stream, seen } = createStream(Array.from({ length: 100 }, () => new Uint8Array(100)));
  const { status, body } = await ask(open(() => new Response(stream), { answerLimit: 1000 }));
  assert.equal(
    [status, (JSON.parse(String(body)) as { code: string }).code, seen],
    [500, 'rest_internal_error', { read: 11, isCancelled: true }],
  );
  assert.is(
    (await ask(open(() => new Response(createStream([new Uint8Array(1000)]).stream), { answerLimit: 1000 })))
      .status,
    200,
  );
});

bounds('are those of every call: a stream that hangs is a 504 and cancelled', async () => {
  let isCancelled = false;
  const stream = new ReadableStream({
    cancel() {
      isCancelled = true;
    },
  });
  assert.is(
    await countUnhandled(async () => {
      assert.is((await ask(open(() => new Response(stream), { handlerTimeoutMs: 50 }))).status, 504);
    }),
    0,
  );
  assert.is(isCancelled, true);
});

bounds('end with the client', async () => {
  const client = new AbortController();
  let isCancelled = false;
  const stream = new ReadableStream({
    pull() {
      client.abort();
    },
    cancel() {
      isCancelled = true;
    },
  });
  const request = { ...createRequest('/probe/v1/it'), signal: client.signal };
  assert.is((await open(() => new Response(stream)).serve(request)).status, 499);
  assert.is(isCancelled, true);
});

const used = new Response('read');
await used.text();

for (const [title, handler, message] of [
  ['whose body was read already', () => used, /was already read/],
  [
    'whose body somebody else is reading',
    () => {
      const response = new Response('x');
      response.body?.getReader();
      return response;
    },
    /locked/i,
  ],
  ['of a network error', () => Response.error(), /returned status 0, which must be from 200 to 599/],
  [
    'whose stream fails',
    () =>
      new Response(
        new ReadableStream({
          start(controller) {
            controller.error(new TypeError('broken pipe'));
          },
        }),
      ),
    /broken pipe/,
  ],
  [
    'whose stream holds no bytes',
    () =>
      new Response(
        new ReadableStream({
          start(controller) {
            (controller as ReadableStreamDefaultController<unknown>).enqueue('text');
            controller.close();
          },
        }),
      ),
    /stream of bytes/,
  ],
] as const) {
  bounds(`do not let pass a Response ${title}: the log is told`, async () => {
    const logged: LogEvent[] = [];
    assert.is(
      (
        await ask(
          open(handler, {
            log: (event) => {
              logged.push(event);
            },
          }),
        )
      ).status,
      500,
    );
    assert.is(logged.length, 1);
    assert.match(String((logged[0]?.error as Error | undefined)?.message), message);
  });
}

bounds.run();

const kinds = suite('isWebResponse');

kinds('knows those of other implementations by their tag', () => {
  class Response2 {
    readonly headers = new Headers();
    readonly body = null;
    readonly [Symbol.toStringTag] = 'Response';
  }
  assert.equal([isWebResponse(new Response()), isWebResponse(new Response2())], [true, true]);
  for (const value of [
    null,
    undefined,
    'Response',
    {},
    [],
    { headers: {}, body: null },
    new Request('http://a.test'),
    new Blob([]),
  ])
    assert.is(isWebResponse(value), false);
});

kinds.run();
