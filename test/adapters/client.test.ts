import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createClient, RestError, type ClientOptions } from '../../adapters/client.ts';
import { createFetchHandler } from '../../adapters/fetch.ts';
import { createMemoryStore } from '../../adapters/memory-store.ts';
import {
  createEngine,
  crud,
  defineNamespace,
  RawBody,
  RestResponse,
  type Names,
  type NamespaceDescriptor,
} from '../../lib/index.ts';
import { PROJECT } from '../support/sources.ts';

const URL_ = 'https://example.org/api';

const ECHO = {
  namespace: 'echo',
  routes: [
    {
      pattern: '/echo/{id}',
      endpoints: [
        {
          methods: ['GET'],
          handler: 'echo.read',
          permission: 'public',
          args: {
            id: { type: 'integer' },
            list: { type: 'array', items: { type: 'string' } },
            none: { type: 'array', items: { type: 'integer' }, default: [1] },
            nested: {
              type: 'object',
              properties: { a: { type: 'object', properties: { b: { type: 'integer' } } } },
            },
            yes: { type: 'boolean' },
            text: { type: 'string' },
          },
        },
        {
          methods: ['PUT', 'PATCH'],
          handler: 'echo.write',
          permission: 'public',
          allow_batch: { v1: true },
          args: {
            id: { type: 'integer' },
            text: { type: 'string', required: true },
            ml_word: { type: 'string' },
          },
          answers: {
            200: {
              type: 'object',
              properties: { text: { type: 'string', required: true }, ml_word: { type: 'string' } },
            },
          },
        },
        {
          methods: ['DELETE'],
          handler: 'echo.remove',
          permission: 'public',
          args: { id: { type: 'integer' }, force: { type: 'boolean' } },
        },
      ],
    },
    {
      pattern: '/echo/files/(?P<name>[\\w]+)',
      endpoints: [
        {
          methods: ['POST'],
          handler: 'echo.files',
          permission: 'public',
          args: { alt: { type: 'string' } },
          accepts: { 'multipart/form-data': { files: { file: { required: true, maxCount: 2 } } } },
        },
        {
          methods: ['PUT'],
          handler: 'echo.bytes',
          permission: 'public',
          args: {},
          accepts: { 'text/plain': 'bytes' },
        },
      ],
    },
    {
      pattern: '/echo/busy',
      endpoints: [{ methods: ['POST'], handler: 'echo.busy', permission: 'public', args: {} }],
    },
    {
      pattern: '/echo/lines/{kind}',
      endpoints: [
        { methods: ['GET'], handler: 'echo.lines', permission: 'public', args: { kind: { type: 'string' } } },
      ],
    },
  ],
} as const satisfies NamespaceDescriptor;

const LINES = {
  ndjson: ['application/x-ndjson', '{"a":1}\n\n{"a":2}\r\n{"a":3}'],
  sse: [
    'text/event-stream',
    ': hi\nid: 1\ndata: {"a":1}\n\nevent: x\ndata: {"a":\ndata: 2}\n\ndata:{"a":3}\n\n',
  ],
} as const;

/** An engine behind `fetch`, and a client of it. `asked`: the requests that were sent. */
function open(options: Partial<ClientOptions> = {}, names?: Names) {
  let busy = 2;
  const asked: Request[] = [];
  const files: string[] = [];
  const store = createMemoryStore([
    { name: 'notes', fields: { title: { type: 'text' }, done: { type: 'boolean' } } },
  ]);
  const notes = crud({
    store,
    collection: { name: 'notes', fields: { title: { type: 'text' }, done: { type: 'boolean' } } },
    resource: {
      title: 'note',
      properties: { title: { type: 'string', required: true }, done: { type: 'boolean', default: false } },
    },
    path: '/notes',
    read: 'public',
    write: 'public',
  });
  const echo = defineNamespace(ECHO, {
    'echo.read': (args) => args,
    'echo.write': ({ text, ml_word }) => ({
      text,
      ...(ml_word === undefined ? {} : { [names?.params['ml_word'] ?? 'ml_word']: ml_word }),
    }),
    'echo.remove': (args) => args,
    'echo.files': ({ alt, name }, call) => ({
      alt,
      name,
      files: Object.entries(call.files).map(([field, list]) => [field, list.length]),
    }),
    'echo.bytes': (_args, call) => ({ bytes: call.bytes?.length }),
    'echo.busy': () => {
      busy -= 1;
      return busy < 0
        ? { done: true }
        : new RestResponse(
            { code: 'rest_overloaded', message: 'Busy.', data: { status: 503 } },
            { status: 503, headers: { 'Retry-After': '0' } },
          );
    },
    'echo.lines': ({ kind }) =>
      new RawBody(...(LINES[kind === 'sse' ? 'sse' : 'ndjson'] as readonly [string, string])),
  });
  const handle = createFetchHandler(
    createEngine({
      namespaces: [echo, notes],
      base: '/api',
      openapi: true,
      ...(names === undefined ? {} : { names }),
      uploads: {
        save: async (stream) => {
          let bytes = 0;
          for await (const chunk of stream) bytes += chunk.length;
          files.push(String(bytes));
          return String(files.length);
        },
        remove: async () => undefined,
      },
    }),
    { siteUrl: 'https://example.org' },
  );
  const send = (url: string, init: RequestInit): Promise<Response> => {
    const request = new Request(url, init);
    asked.push(request);
    return handle(request) as Promise<Response>;
  };
  return {
    asked,
    files,
    client: createClient<typeof ECHO>({ url: URL_, fetch: send, ...options }),
    plain: createClient({ url: URL_, fetch: send, ...options }),
    send,
    busyFor: (turns: number) => {
      busy = turns;
    },
  };
}

async function rejected(run: () => Promise<unknown>): Promise<RestError> {
  try {
    await run();
  } catch (error) {
    if (error instanceof RestError) return error;
    throw error;
  }
  throw new Error('It did not fail.');
}

const client = suite('client');

client('path, query and body are one object', async () => {
  const { client: api, asked } = open();
  const args = { id: 3, list: ['a,b', 'c'], none: [], nested: { a: { b: 4 } }, yes: false, text: 'x & y/ü' };
  assert.equal((await api['GET /echo/{id}'](args)).body, args);
  assert.equal((await api['PUT /echo/{id}']({ id: 3, text: 'ü' })).body, { text: 'ü' });
  assert.equal((await api['DELETE /echo/{id}']({ id: 3, force: true })).body, { id: 3, force: true });
  assert.equal(
    asked.map(({ method, headers }) => [method, headers.get('content-type')]),
    [
      ['GET', null],
      ['PUT', 'application/json'],
      ['DELETE', null],
    ],
  );
});

client('a missing part of the path is a mistake of the program, before anything is sent', async () => {
  const { client: api, asked } = open();
  // @ts-expect-error the id is missing
  const error = await api['GET /echo/{id}']({}).catch((failure: unknown) => failure);
  assert.instance(error, TypeError);
  assert.equal(asked, []);
});

client('handlers are found in the descriptor, and without it in the OpenAPI document, once', async () => {
  const known = open({ descriptor: ECHO });
  assert.equal((await known.client['echo.write']({ id: 1, text: 'a' })).body.text, 'a');
  assert.is(known.asked.length, 1);
  const unknown = open();
  assert.equal((await unknown.client['echo.write']({ id: 1, text: 'a' })).body.text, 'a');
  assert.equal((await unknown.client['echo.read']({ id: 1 })).status, 200);
  assert.equal(
    unknown.asked.map(({ url }) => url.slice(URL_.length)),
    ['/openapi.json', '/echo/1', '/echo/1'],
  );
});

client('files are sent as a form, bytes and texts as they are', async () => {
  const { client: api, files } = open();
  const file = new File(['abc'], 'a.txt', { type: 'text/plain' });
  assert.equal((await api['POST /echo/files/{name}']({ name: 'n', file: [file, file], alt: 'b' })).body, {
    alt: 'b',
    name: 'n',
    files: [['file', 2]],
  });
  assert.equal(files, ['3', '3']);
  assert.equal((await api['PUT /echo/files/{name}']({ name: 'n' }, { body: 'abcd' })).body, { bytes: 4 });
});

client('errors have code, parameters and status', async () => {
  const { client: api, plain } = open();
  // @ts-expect-error a text where a number belongs
  const invalid = await rejected(() => api['GET /echo/{id}']({ id: 1, nested: 5 }));
  assert.equal(
    [invalid.code, invalid.status, Object.keys(invalid.params)],
    ['rest_invalid_param', 400, ['nested']],
  );
  // @ts-expect-error text is missing
  const missing = await rejected(() => api['PUT /echo/{id}']({ id: 1 }));
  assert.equal([missing.code, Object.keys(missing.params)], ['rest_missing_callback_param', ['text']]);
  assert.equal((await rejected(() => plain.call('GET /nothing'))).code, 'rest_no_route');
  const odd = createClient({
    url: URL_,
    fetch: async () => new Response('<h1>Bad gateway</h1>', { status: 502 }),
  });
  assert.equal((await rejected(() => odd.call('GET /x'))).code, 'http_502');
});

client('lists are read page by page, with totals', async () => {
  const { plain } = open();
  interface Notes {
    'POST /notes': { path: object; query: object; body: { title: string }; answers: { 201: { id: number } } };
    'GET /notes': {
      path: object;
      query: { per_page?: number; done?: boolean };
      answers: { '2XX': readonly { title: string }[] };
    };
  }
  const { send } = open();
  const notes = createClient<Notes>({ url: `${URL_}/`, fetch: send });
  for (let at = 1; at <= 7; at += 1) await notes['POST /notes']({ title: `n${at}` });
  const pages: unknown[] = [];
  for await (const { body, total, pages: count } of notes['GET /notes'].pages({ per_page: 3, done: false }))
    pages.push([body.map(({ title }) => title).join(' '), total, count]);
  assert.equal(pages, [
    ['n1 n2 n3', 7, 3],
    ['n4 n5 n6', 7, 3],
    ['n7', 7, 3],
  ]);
  const titles: string[] = [];
  for await (const { title } of notes['GET /notes'].all({ per_page: 5 })) titles.push(title);
  assert.equal(titles.length, 7);
  assert.equal((await plain.call('GET /notes')).total, 0);
});

client('a version becomes If-Match', async () => {
  const { plain } = open();
  const made = await plain.call('POST /notes', { title: 'a' });
  assert.is(made.version, 1);
  const changed = await plain.call('PATCH /notes/{id}', { id: 1, title: 'b' }, { version: made.version });
  assert.is(changed.version, 2);
  assert.is((await plain.call('GET /notes/{id}', { id: 1 })).version, 2);
  const late = await rejected(() =>
    plain.call('PATCH /notes/{id}', { id: 1, title: 'c' }, { version: made.version }),
  );
  assert.equal([late.code, late.status], ['rest_precondition_failed', 412]);
});

client('a batch answers each item with its response or its error', async () => {
  const { client: api } = open();
  const write = api['PUT /echo/{id}'];
  const [one, two] = await api.batch([
    write.item({ id: 1, text: 'a' }),
    write.item({ id: 2, text: 'b' }, { version: 3 }),
  ]);
  assert.equal(
    [one, two].map((each) => (each instanceof RestError ? each.code : each.body.text)),
    ['a', 'b'],
  );
  // @ts-expect-error text is missing
  const results = await api.batch([write.item({ id: 1, text: 'a' }), write.item({ id: 2 })], {
    validation: 'require-all-validate',
  });
  assert.equal(
    results.map((each) => (each instanceof RestError ? each.code : each.status)),
    ['rest_not_run', 'rest_missing_callback_param'],
  );
});

client('503 with Retry-After is repeated, and a signal ends the waiting', async () => {
  const { client: api, asked, busyFor } = open();
  assert.equal((await api['POST /echo/busy']()).body, { done: true });
  assert.is(asked.length, 3);
  busyFor(9);
  assert.is((await rejected(() => api['POST /echo/busy']({}, { retries: 0 }))).status, 503);
  assert.is(asked.length, 4);
  const stopped = new AbortController();
  const waiting = createClient<typeof ECHO>({
    url: URL_,
    fetch: async () => {
      queueMicrotask(() => setImmediate(() => stopped.abort()));
      return new Response(null, { status: 503, headers: { 'Retry-After': '30' } });
    },
  })['POST /echo/busy']({}, { signal: stopped.signal });
  assert.is(await waiting.catch((error: Error) => error.name), 'AbortError');
});

for (const kind of ['ndjson', 'sse'] as const)
  client(`a stream of ${kind} is read record by record`, async () => {
    const { client: api } = open();
    const { body } = await api['GET /echo/lines/{kind}']({ kind });
    const records: unknown[] = [];
    for await (const record of body as AsyncIterable<unknown>) records.push(record);
    assert.equal(
      records,
      kind === 'ndjson'
        ? [{ a: 1 }, { a: 2 }, { a: 3 }]
        : [{ id: '1', data: { a: 1 } }, { event: 'x', data: { a: 2 } }, { data: { a: 3 } }],
    );
  });

client('a line end that two chunks share is one', async () => {
  const chunks = ['data: a\r', '\ndata: b\r', '\n\r', '\n'].map((text) => Buffer.from(text));
  const api = createClient<typeof ECHO>({
    url: URL_,
    fetch: async () =>
      new Response(ReadableStream.from(chunks), { headers: { 'Content-Type': 'text/event-stream' } }),
  });
  const { body } = await api['GET /echo/lines/{kind}']({ kind: 'sse' });
  const records: unknown[] = [];
  for await (const record of body as AsyncIterable<unknown>) records.push(record);
  assert.equal(records, [{ data: 'a\nb' }]);
});

client('the index lists the routes for a client without types', async () => {
  const { plain } = open();
  const routes = await plain.routes();
  assert.ok(
    ['GET /echo/{id}', 'PATCH /echo/{id}', 'POST /echo/files/{name}', 'GET /notes/{id}'].every(
      (route) => route in routes,
    ),
  );
  assert.equal(Object.keys(routes['DELETE /echo/{id}'] ?? {}), ['id', 'force']);
});

client('neutral names are sent and read as wire names', async () => {
  const names: Names = {
    apiSegment: 'api',
    headerPrefix: 'X-WP',
    apiRelation: 'r',
    segments: { echo: 'ek' },
    curie: { neutral: 'cms', wire: 'wp', href: 'h' },
    params: { ml_word: 'wpml_word' },
  };
  const { client: api, asked } = open({ names }, names);
  assert.equal((await api['PUT /echo/{id}']({ id: 1, text: 'a', ml_word: 'b' })).body, {
    text: 'a',
    ml_word: 'b',
  });
  assert.is(asked[0]?.url, `${URL_}/ek/1`);
  assert.equal(
    (await api.batch([api['PUT /echo/{id}'].item({ id: 1, text: 'a', ml_word: 'b' })])).map((each) =>
      each instanceof RestError ? each.code : each.body,
    ),
    [{ text: 'a', ml_word: 'b' }],
  );
});

client('headers may be a function, and an async function may return the client', async () => {
  const { client: api, asked } = open({ headers: async () => ({ 'X-Key': 'k' }) });
  const same = await (async () => api)();
  await same['GET /echo/{id}']({ id: 1 }, { headers: { 'X-More': 'm' }, key: 'once' });
  assert.equal(
    ['x-key', 'x-more', 'idempotency-key'].map((name) => asked[0]?.headers.get(name)),
    ['k', 'm', 'once'],
  );
});

client('it imports nothing at run time, and has less than 3 KB', async () => {
  const bundle = await rolldown({ input: `${PROJECT}dist/adapters/client.js`, logLevel: 'silent' });
  const { output } = await bundle.generate({ format: 'es', minify: true });
  await bundle.close();
  const [{ code, imports }] = output;
  assert.equal(imports, []);
  const bytes = gzipSync(code, { level: 9 }).length;
  assert.ok(bytes < 3 * 1024, `${bytes} bytes`);
});

client.run();
