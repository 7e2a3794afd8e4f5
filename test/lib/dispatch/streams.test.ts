import { setTimeout as wait } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { LogEvent } from '../../../lib/dispatch/runtime.ts';
import { createEngine, type Engine, type EngineOptions } from '../../../lib/engine/engine.ts';
import { createRequest } from '../../../lib/http/create-request.ts';
import type { WireResponse } from '../../../lib/http/host.ts';
import { RestResponse } from '../../../lib/http/response.ts';
import { StreamBody, type StreamFormat } from '../../../lib/http/stream-body.ts';
import type { Call } from '../../../lib/route/call.ts';
import type { EndpointDescriptor } from '../../../lib/route/descriptor.ts';
import { defineNamespace } from '../../../lib/route/namespace.ts';

interface Opened {
  readonly engine: Engine;
  readonly log: LogEvent[];
  readonly ask: (changes?: Readonly<Record<string, unknown>>) => Promise<WireResponse>;
}

type Items = (call: Call) => unknown;

/** An engine with one route, `/s`, whose handler returns what `items` does. */
function open(
  streams: StreamFormat | readonly StreamFormat[],
  items: Items,
  options: Partial<EngineOptions> & { readonly endpoint?: Partial<EndpointDescriptor> } = {},
): Opened {
  const { endpoint, ...rest } = options;
  const log: LogEvent[] = [];
  const s = { methods: ['GET'], handler: 's', permission: 'public', args: {}, streams, ...endpoint } as const;
  const engine = createEngine({
    namespaces: [
      defineNamespace({ namespace: 's', routes: [{ pattern: '/s', endpoints: [s] }] }, {
        s: (_args: unknown, call: Call) => items(call),
      } as never),
    ],
    log: (event) => {
      log.push(event);
    },
    ...rest,
  });
  const ask = async (changes: Readonly<Record<string, unknown>> = {}) =>
    engine.serve({ ...createRequest('/s'), ...changes });
  return { engine, log, ask };
}

async function textOf({ stream }: WireResponse): Promise<string> {
  if (stream === undefined) throw new TypeError('the response is not a stream');
  let text = '';
  for await (const chunk of stream) text += Buffer.from(chunk).toString();
  return text;
}

async function* list(...items: readonly unknown[]): AsyncGenerator<unknown> {
  yield* items;
}

const codeOf = ({ body }: WireResponse): unknown => JSON.parse(String(body)).code;

const streams = suite('responses that stream');

streams('writes items by the format of the endpoint', async () => {
  const lines = await open('ndjson', () => list({ a: 'x\ny' }, null, [1])).ask();
  assert.is(lines.headers['Content-Type'], 'application/x-ndjson');
  assert.is(await textOf(lines), '{"a":"x\\ny"}\nnull\n[1]\n');
  const bytes = await open('bytes', () => list(Buffer.from('ab'), Buffer.from('c')), {
    endpoint: { produces: ['image/png'] },
  }).ask();
  assert.is(bytes.headers['Content-Type'], 'image/png');
  assert.is(await textOf(bytes), 'abc');
  assert.is(await textOf(await open('ndjson', () => list()).ask()), '');
});

streams('writes events so that no text becomes another field', async () => {
  const events = await open('sse', () =>
    list(
      { id: '7', event: 'post', data: 'a\r\nb\rc\n\ndata: d', retry: 100 },
      { comment: 'x\nevent: y' },
      { data: { n: 1 } },
    ),
  ).ask();
  assert.is(events.headers['Content-Type'], 'text/event-stream');
  assert.is(events.headers['Cache-Control'], 'no-store');
  assert.is(
    await textOf(events),
    'id: 7\nevent: post\nretry: 100\ndata: a\ndata: b\ndata: c\ndata: \ndata: data: d\n\n: x\n: event: y\n\ndata: {"n":1}\n\n',
  );
  for (const wrong of [
    { id: 'a\nb' },
    { id: 'a\0' },
    { event: 'a\rdata: b' },
    { retry: -1 },
    { comment: 5 },
    { dat: '' },
    'text',
    { data: Number.NaN },
  ])
    assert.is((await open('sse', () => list(wrong)).ask()).status, 500, JSON.stringify(wrong));
});

streams('answers with an ordinary error before the first item, and breaks off after it', async () => {
  const early = open('ndjson', async function* () {
    yield* list();
    throw new Error('early');
  });
  assert.is((await early.ask()).status, 500);
  const late = open('ndjson', async function* () {
    yield 1;
    throw new Error('late');
  });
  const response = await late.ask();
  assert.is(response.status, 200);
  const error = await textOf(response).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  assert.match(String(error), 'late');
  assert.is(late.log.length, 1);
  const unsendable = open('ndjson', () => list(1, 2n));
  await textOf(await unsendable.ask()).catch(() => undefined);
  assert.is(unsendable.log.length, 1);
  const slow = open(
    'ndjson',
    async function* () {
      await wait(500, null, { ref: false });
      yield 1;
    },
    { handlerTimeoutMs: 10 },
  );
  assert.is((await slow.ask()).status, 504);
});

streams('asks for no item that nobody reads, and ends the iterator when the reader leaves', async () => {
  let [given, hasEnded, signal] = [0, false, null as AbortSignal | null];
  const { ask, log } = open('bytes', async function* (call) {
    signal = call.signal;
    try {
      for (;;) {
        given += 1;
        yield Buffer.alloc(16 * 1024);
      }
    } finally {
      hasEnded = true;
    }
  });
  const { stream } = await ask();
  await wait(5);
  assert.is(given, 1);
  await stream?.next();
  await stream?.next();
  await wait(5);
  assert.is(given, 2);
  await stream?.return();
  await wait(0);
  assert.ok(hasEnded);
  assert.ok((signal as AbortSignal | null)?.aborted);
  assert.ok((await stream?.next())?.done);
  assert.is(log.length, 0);
});

streams('does not wait for an iterator that never comes to its end', async () => {
  const { ask } = open('ndjson', async function* () {
    yield 1;
    await new Promise(() => undefined);
  });
  const { stream } = await ask();
  await stream?.next();
  const next = stream?.next();
  await stream?.return();
  assert.ok((await next)?.done);
});

streams('runs no item for HEAD, and does not send a stream that the client has', async () => {
  let given = 0;
  const make = (call: Call) =>
    new RestResponse(
      new StreamBody(
        'bytes',
        (async function* () {
          given += 1;
          yield Buffer.from('abc');
        })(),
        { type: 'text/plain', length: 3 },
      ),
      { headers: { ETag: `"${call.endpoint.handler}"` } },
    );
  const { ask } = open('bytes', make);
  const head = await ask({ method: 'HEAD' });
  assert.equal([head.status, head.headers['Content-Length'], head.stream], [200, '3', undefined]);
  assert.is(given, 0);
  const known = await ask({ headers: { 'if-none-match': '"s"' } });
  assert.equal([known.status, known.stream], [304, undefined]);
  assert.is(await textOf(await ask()), 'abc');
});

streams('holds streams to their length, their bytes and their time', async () => {
  const take = async ({ ask }: Opened): Promise<string> =>
    textOf(await ask()).catch((error: unknown) => (error as { code?: string }).code ?? 'broken');
  const sized = (length: number) => () =>
    new RestResponse(new StreamBody('bytes', list(Buffer.from('abc'), Buffer.from('d')), { length }));
  assert.is(await take(open('bytes', sized(4))), 'abcd');
  assert.is(await take(open('bytes', sized(5))), 'broken');
  assert.is(await take(open('bytes', sized(3))), 'broken');
  const endless = (streams: StreamFormat) =>
    open(
      streams,
      async function* () {
        for (;;) {
          yield { data: 'x'.repeat(1000) };
          await wait(1);
        }
      },
      { streamLimit: 10_000, streamTimeoutMs: 60_000 },
    );
  assert.is(await take(endless('ndjson')), 'broken');
  assert.ok((await take(endless('sse'))).length < 13_000);
  const silent = (streams: StreamFormat) =>
    open(
      streams,
      async function* ({ signal }) {
        yield { data: 1 };
        await wait(60_000, null, { signal });
      },
      { streamTimeoutMs: 20 },
    );
  assert.is(await take(silent('ndjson')), 'rest_handler_timeout');
  assert.is(await take(silent('sse')), 'data: 1\n\n');
});

streams('tells a stream that the server stops, and ends one that goes on', async () => {
  const stopping = new AbortController();
  const polite = open('sse', async function* ({ draining }) {
    yield { data: 1 };
    await wait(60_000, null, { signal: draining }).catch(() => undefined);
    yield { event: 'bye' };
  });
  const deaf = open('sse', async function* ({ signal }) {
    yield { data: 1 };
    await wait(60_000, null, { signal });
  });
  const [one, other] = await Promise.all([polite, deaf].map(({ ask }) => ask({ draining: stopping.signal })));
  const texts = Promise.all([one, other].map((response) => textOf(response as WireResponse)));
  await wait(5);
  stopping.abort();
  assert.equal(await texts, ['data: 1\n\nevent: bye\n\n', 'data: 1\n\n']);
  assert.is(deaf.log.length, 0);
});

streams('gives each item the fields that were asked for, and ignores envelopes and callbacks', async () => {
  const items = () => list({ a: 1, b: 2 }, 3);
  const { ask } = open('ndjson', items, { jsonp: true });
  const query = '_fields=a&_envelope=1&_jsonp=f';
  assert.is(await textOf(await ask({ query })), '{"a":1}\n3\n');
  const events = open('sse', () => list({ data: { a: 1, b: 2 } }));
  assert.is(await textOf(await events.ask({ query: '_fields=b' })), 'data: {"b":2}\n\n');
});

streams('lets a handler choose', async () => {
  const { ask } = open(['ndjson', 'sse'], ({ request }) =>
    request.query === 'plain'
      ? { plain: true }
      : request.query === 'sse'
        ? new StreamBody('sse', list({ data: 1 }))
        : list(1),
  );
  assert.is((await ask({ query: 'plain' })).body, '{"plain":true}');
  assert.is(await textOf(await ask({ query: 'sse' })), 'data: 1\n\n');
  assert.is((await ask()).status, 500, 'an iterable without a format, where there are two');
  assert.is((await open('ndjson', () => new StreamBody('sse', list())).ask()).status, 500);
  const none = open('ndjson', () => list(1), { endpoint: { streams: undefined } as never });
  assert.is((await none.ask()).status, 500);
});

streams('ends a stream that is not sent after all', async () => {
  let hasEnded = false;
  const items = async function* () {
    try {
      yield 1;
      yield 2;
    } finally {
      hasEnded = true;
    }
  };
  const refused = open('ndjson', items, {
    around: async (_call, next) => {
      await next();
      throw new Error('after it');
    },
  });
  assert.is((await refused.ask()).status, 500);
  await wait(0);
  assert.ok(hasEnded);
  const changed = open('ndjson', () => list(1), {
    around: async (_call, next) => (await next()).withHeaders({ 'X-Seen': 'yes' }),
  });
  const response = await changed.ask();
  assert.is(response.headers['X-Seen'], 'yes');
  assert.is(await textOf(response), '1\n');
});

streams('is never part of another response', async () => {
  const { ask } = open('ndjson', async ({ request, site }) =>
    request.query === '' ? list(1) : (await site.prepare({ ...request, query: '' }).run()).body,
  );
  assert.is(codeOf(await ask({ query: 'inner' })), 'rest_not_acceptable');
});

streams('is checked at registration, and documented', async () => {
  const refuse = (endpoint: object) =>
    assert.throws(() => open('ndjson', () => list(), { endpoint }), TypeError);
  refuse({ streams: 'json' });
  refuse({ streams: [] });
  refuse({ streams: ['sse', 'sse'] });
  refuse({ cache: ['posts'] });
  refuse({ allow_batch: { v1: true } });
  const typesOf = (formats: StreamFormat | readonly StreamFormat[], endpoint = {}) => {
    const { engine } = open(formats, () => list(), { endpoint });
    const { paths } = engine.describeOpenApi({ title: 't', version: '1', siteUrl: 'http://a.example' }) as {
      paths: Record<string, { get: { responses: Record<string, { content: object }> } }>;
    };
    return Object.keys(paths['/s']?.get.responses['2XX']?.content ?? {});
  };
  assert.equal(typesOf(['ndjson', 'sse']), ['application/json', 'application/x-ndjson', 'text/event-stream']);
  assert.equal(typesOf('bytes'), ['application/json', 'application/octet-stream']);
  assert.equal(typesOf('bytes', { produces: ['text/csv'] }), ['application/json', 'text/csv']);
});

streams.run();
