import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { engineError } from '../../../lib/core/errors.ts';
import { ANONYMOUS } from '../../../lib/core/identity.ts';
import { createEngine, type EngineOptions } from '../../../lib/engine/engine.ts';
import { parseAddress } from '../../../lib/http/address.ts';
import { createRequest } from '../../../lib/http/create-request.ts';
import { ORIGINS } from '../../../lib/http/cross-site.ts';
import type { RestRequest } from '../../../lib/http/request.ts';
import { defineNamespace } from '../../../lib/route/namespace.ts';
import { createProbe } from '../../support/probe.ts';
import { refusalOf } from '../../support/refusal.ts';
import { createTestEngine, TEST_NAMES } from '../../support/site.ts';

const shop = defineNamespace(
  {
    namespace: 'shop/v1',
    routes: [
      {
        pattern: '/shop/v1/items/(?P<id>[\\d]+)',
        endpoints: [
          {
            methods: ['GET'],
            handler: 'shop.read',
            permission: 'public',
            allow_batch: { v1: true },
            args: { id: { type: 'integer' }, long: { type: 'boolean', default: false } },
          },
          {
            methods: ['POST', 'PUT', 'PATCH'],
            handler: 'shop.write',
            permission: 'edit',
            allow_batch: { v1: true },
            args: { id: { type: 'integer' }, name: { type: 'string', required: true } },
          },
        ],
      },
    ],
  },
  {
    'shop.read': ({ id, long }) => ({ id, long }),
    'shop.write': ({ id, name }) => ({ id, name }),
  },
);

const open = () => createTestEngine([shop], { capabilities: new Set(['edit']) });
const editor = { id: 1, role: 'editor', capabilities: new Set(['edit']) };

const dispatch = suite('engine.dispatch');

dispatch('hands validated args to the handler', async () => {
  const response = await open().dispatch(createRequest('/shop/v1/items/7?long=1'));
  assert.is(response.status, 200);
  assert.equal(response.body, { id: 7, long: true });
  assert.is(response.headers['Allow'], 'GET');
});

dispatch('names every wrong parameter', async () => {
  const response = await open().dispatch(createRequest('/shop/v1/items/7?long=maybe'));
  assert.is(response.status, 400);
  assert.is((response.body as { code: string }).code, 'rest_invalid_param');
});

dispatch('asks for the permission after validation', async () => {
  const missing = await open().dispatch(createRequest('/shop/v1/items/7', { method: 'PUT' }));
  const denied = await open().dispatch(
    createRequest('/shop/v1/items/7', { method: 'PUT', body: { name: 'x' } }),
  );
  const allowed = await open().dispatch(
    createRequest('/shop/v1/items/7', { method: 'PUT', body: { name: 'x' } }),
    editor,
  );
  assert.equal([missing.status, denied.status, allowed.status], [400, 401, 200]);
});

dispatch('runs a batch item by item', async () => {
  const body = {
    requests: [
      { method: 'PUT', path: '/shop/v1/items/1', body: { name: 'a' } },
      { path: '/shop/v1/nothing' },
    ],
  };
  const response = await open().dispatch(createRequest('/batch/v1', { method: 'POST', body }), editor);
  assert.is(response.status, 207);
  assert.equal(
    (response.body as { responses: { status: number }[] }).responses.map((item) => item.status),
    [200, 404],
  );
});

dispatch('loads what is asked for once, whatever it is and whenever it comes', async () => {
  const loaded: string[] = [];
  const engine = createTestEngine([
    createProbe({
      handler: async (_args, { once }) => {
        const load = (key: string, value: unknown) =>
          once(key, () => {
            loaded.push(key);
            return value;
          });
        return [
          await load('one', 1),
          load('nothing', undefined) ?? 'nothing',
          await load('later', Promise.resolve(2)),
          load('one', 3),
          load('nothing', 3) ?? 'nothing',
          await load('later', 3),
        ];
      },
    }),
  ]);
  assert.equal((await engine.dispatch(createRequest('/probe/v1/it'))).body, [
    1,
    'nothing',
    2,
    1,
    'nothing',
    2,
  ]);
  assert.equal(loaded, ['one', 'nothing', 'later']);
});

dispatch('lists the routes in the index', async () => {
  const response = await open().dispatch(createRequest('/'));
  assert.equal(Object.keys((response.body as { routes: object }).routes), [
    '/',
    '/batch/v1',
    '/shop/v1',
    '/shop/v1/items/(?P<id>[\\d]+)',
  ]);
});

dispatch('rejects what is no request', async () => {
  for (const wrong of ['/shop/v1/items/7', undefined, {}] as readonly unknown[]) {
    const outcome: unknown = await open()
      .dispatch(wrong as RestRequest)
      .catch((error: unknown) => error);
    assert.ok(outcome instanceof TypeError && outcome.message.includes('createRequest'), String(outcome));
  }
});

dispatch.run();

const creating = suite('createEngine');

creating('needs no option, and names what it does not know', () => {
  assert.match(
    refusalOf(() => createEngine({ namespace: [] } as EngineOptions)),
    'unknown member "namespace" of the options of createEngine',
  );
  for (const [wrong, what] of [
    [[], 'a list'],
    [createProbe(), 'a namespace'],
    [null, 'null'],
    ['probe', '"probe"'],
  ] as const) {
    assert.is(
      refusalOf(() => createEngine(wrong as unknown as EngineOptions)),
      `the options of createEngine are ${what}; they must be an object, such as { namespaces: [notes] }`,
    );
  }
  createEngine();
  createEngine({});
});

const CODES = 'a list of different language codes such as ["en", "pt-br"], at least one';
const STORE = { revision: () => 1, versions: () => [] };

const WRONG: readonly (readonly [name: string, value: unknown, wanted: string])[] = [
  ...[
    [],
    [''],
    ['api/x'],
    'en',
    ['en', 'en'],
    ['e'],
    ['en', 5],
    [null],
    ['en?'],
    ['..'],
    { 0: 'en' },
    null,
  ].map((value) => ['prefixes', value, CODES] as const),
  ...['api', '/', '/api/', '/a b', '/api?x', '//api', '/..', '/api/.', '/api/../b', 5, null].map(
    (value) => ['base', value, `'' or a path such as "/api", without a trailing slash`] as const,
  ),
  ...(['index', 'namespaceIndex', 'batch'] as const).flatMap((name) =>
    ['', 'about', '/about/', '/..', '/(?P<id>x)', '/{id}', true, null].map(
      (value) => [name, value, 'false, or a path such as "/about", without a trailing slash'] as const,
    ),
  ),
  ['headers', true, 'an object'],
  ['wrongMethod', 400, '404 or 405'],
  ['wrongMethod', '404', '404 or 405'],
  ['names', 'wordpress', 'an object'],
  ['names', null, 'an object'],
  ['describeSite', {}, 'a function'],
  ['namespaces', {}, 'a list of namespaces, such as [notes]'],
  ['capabilities', ['read'], 'a Set of texts'],
  ['capabilities', new Set([5]), 'a Set of texts'],
  ['commonArgs', [], 'an object'],
  ['authenticate', true, 'a function'],
  ['anonymousWithoutCredentials', 'no', 'true or false'],
  ['jsonp', 1, 'true or false'],
  ['answerLimit', 0, 'a whole number of 1 or more'],
  ['answerLimit', '8 MiB', 'a whole number of 1 or more'],
  ['answerLimit', Number.NaN, 'a whole number of 1 or more'],
  ['handlerTimeoutMs', -1, 'a whole number of 1 or more'],
  ['handlerTimeoutMs', null, 'a whole number of 1 or more'],
  ['cache', true, 'an object'],
  ['languageParam', '', 'a text that is not empty, or null'],
  ['catalogues', 'fr', 'an object'],
  ['log', console, 'a function'],
  ['flush', true, 'a function, or null'],
  ['isBusy', true, 'a function'],
  ['trustedOrigins', 'https://app.example', ORIGINS.wanted],
];

for (const [name, value, wanted] of WRONG) {
  creating(`refuses ${name} ${JSON.stringify(value)}`, () => {
    const refusal = refusalOf(() => createTestEngine([], { [name]: value }));
    assert.ok(
      refusal.startsWith(`${name} of the options of createEngine is `) &&
        refusal.endsWith(`; it must be ${wanted}`),
      refusal,
    );
  });
}

creating('refuses what stands wrong inside of an option, with its place', () => {
  const rows: readonly (readonly [object, string])[] = [
    [{ cache: { store: {} } }, 'cache of createEngine.store.revision is missing; it must be a function'],
    [
      { cache: { store: STORE, entries: 0 } },
      'cache of createEngine.entries: 0 is not a whole number of 1 or more',
    ],
    [{ cache: { store: STORE, size: 5 } }, 'cache of createEngine.size: unknown member'],
    [{ catalogues: { fr: { Title: 5 } } }, 'catalogues of createEngine.fr.Title: 5 is not a text'],
    [{ names: { ...TEST_NAMES, apiSegment: 'a/b' } }, 'apiSegment of names'],
    [
      { headers: { cors: 'yes' } },
      'cors of headers of createEngine is "yes"; it must be true, false or an object',
    ],
    [
      { headers: { cors: { allow: 'X-Key' } } },
      'allow of cors in headers of createEngine is "X-Key"; it must be a list of names of headers, such as ["X-Key"]',
    ],
    [
      { headers: { cors: { expose: ['*'] } } },
      'expose of cors in headers of createEngine is ["*"]; it must be a list of names of headers, such as ["X-Key"]',
    ],
    [{ headers: { origin: '*' } }, 'unknown member "origin" of headers of createEngine'],
    [
      { headers: { always: { 'X A': 'b' } } },
      'always in headers of createEngine has the header "X A", which is not a header name',
    ],
    [
      { headers: { always: { 'X-A': 'a\r\nb' } } },
      'always in headers of createEngine has the header X-A: "a\\r\\nb", which must be a single line of Latin-1',
    ],
    [
      { headers: { always: { 'content-type': 'text/html' } } },
      'always in headers of createEngine has the header content-type, which each response sets for itself',
    ],
    [
      { headers: { apiLink: true }, index: false },
      'apiLink in headers of createEngine links to the index, but index is false',
    ],
    [
      { index: '/a', batch: '/a' },
      'index and batch of the options of createEngine are both "/a"; they must be different paths',
    ],
  ];
  for (const [options, text] of rows)
    assert.match(
      refusalOf(() => createTestEngine([], options)),
      text,
    );
});

creating('takes options that fit, null where there is none, and prefixes that can be reached', async () => {
  const prefixes = ['en', 'pt-br', 'zh_Hant', 'EN'];
  const engine = createTestEngine([createProbe()], {
    prefixes,
    capabilities: new Set(['read']),
    languageParam: null,
    flush: null,
    jsonp: true,
    handlerTimeoutMs: 1000,
    answerLimit: 1000,
    cache: { store: STORE, entries: 5, now: Date.now },
    catalogues: { fr: { Title: 'Titre' } },
  });
  for (const prefix of prefixes)
    assert.is(parseAddress(engine, `/${prefix}/cms-json/probe/v1/it`)?.language, prefix);
});

creating.run();

const override = suite('another method than that of the request');

const SITE = 'http://site.test';

const OVERRIDES: readonly (readonly [
  method: string,
  query: string,
  headers: Readonly<Record<string, string>>,
  ran: string | number,
])[] = [
  ['POST', '', {}, 'POST'],
  ['POST', '?_method=DELETE', {}, 'DELETE'],
  ['POST', '?_method=delete', {}, 'DELETE'],
  ['POST', '?_method=GET', {}, 'GET'],
  ['POST', '', { 'x-http-method-override': 'put' }, 'PUT'],
  ['POST', '?_method=PATCH', { 'x-http-method-override': 'PUT' }, 'PATCH'],
  ['POST', '?_method=', { 'x-http-method-override': 'PUT' }, 'POST'],
  ['POST', '?_method[]=DELETE', {}, 'POST'],
  ['POST', '?_method=NOTHING', {}, 404],
  ['GET', '?_method=DELETE', {}, 'DELETE'],
  ['GET', '', { 'x-http-method-override': 'DELETE' }, 'DELETE'],
  ['GET', '?_method=DELETE', { 'sec-fetch-site': 'none' }, 'GET'],
  ['GET', '?_method=DELETE', { 'sec-fetch-site': 'same-origin' }, 'DELETE'],
  ['GET', '?_method=DELETE', { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'empty' }, 'DELETE'],
  ['GET', '?_method=DELETE', { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'image' }, 'GET'],
  ['GET', '?_method=DELETE', { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'document' }, 'GET'],
  ['GET', '?_method=DELETE', { referer: `${SITE}/page` }, 'DELETE'],
  ['GET', '?_method=DELETE', { referer: 'http://evil.example/' }, 'GET'],
  ['GET', '?_method=DELETE', { referer: 'about:blank' }, 'GET'],
  ['GET', '?_method=DELETE', { 'sec-fetch-site': 'cross-site' }, 'GET'],
  ['GET', '?_method=DELETE', { 'sec-fetch-site': 'same-site' }, 'GET'],
  ['GET', '', { 'x-http-method-override': 'DELETE', 'sec-fetch-site': 'cross-site' }, 'GET'],
  ['POST', '?_method=DELETE', { 'sec-fetch-site': 'cross-site' }, 403],
  ['POST', '?_method=GET', { 'sec-fetch-site': 'cross-site' }, 'GET'],
];

for (const [method, query, headers, ran] of OVERRIDES) {
  override(`${method} ${query} ${JSON.stringify(headers)}: ${ran}`, async () => {
    const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
    const engine = createTestEngine([
      createProbe({ endpoint: { methods }, handler: (_args, call) => call.request.method }),
    ]);
    const wire = await engine.serve(
      createRequest(`/probe/v1/it${query}`, { method, headers, siteUrl: SITE }),
    );
    assert.is(wire.status === 200 ? JSON.parse(String(wire.body)) : wire.status, ran);
  });
}

override('has no effect on an item of a batch, nor on a call inside the process', async () => {
  const engine = createTestEngine([
    createProbe({ endpoint: { methods: ['POST', 'DELETE'] }, handler: (_args, call) => call.request.method }),
  ]);
  const batch = await engine.dispatch(
    createRequest('/batch/v1', {
      method: 'POST',
      body: { requests: [{ path: '/probe/v1/it?_method=DELETE' }] },
    }),
  );
  assert.is((batch.body as { responses: { body: string }[] }).responses[0]?.body, 'POST');
  assert.is(
    (await engine.dispatch(createRequest('/probe/v1/it?_method=DELETE', { method: 'POST' }))).body,
    'POST',
  );
});

override.run();

const serving = suite('engine.serve');

serving('asks who is calling before anything else runs', async () => {
  const engine = createTestEngine([createProbe({ handler: (_args, call) => call.identity.id })], {
    authenticate: async (request) => {
      if (request.headers['authorization'] === 'wrong') throw engineError('rest_invalid_credentials');
      return request.headers['authorization'] === undefined ? ANONYMOUS : editor;
    },
  });
  const rows = [
    [{}, 200, '0'],
    [{ authorization: 'right' }, 200, '1'],
    [{ authorization: 'wrong' }, 401, null],
  ] as const;
  for (const [headers, status, body] of rows) {
    const wire = await engine.serve(createRequest('/probe/v1/it', { headers }));
    assert.is(wire.status, status);
    if (body !== null) assert.is(wire.body, body);
  }
});

serving('answers a query that cannot be read', async () => {
  for (const [query, code] of [
    ['?a=%zz', 'rest_invalid_encoding'],
    [`?${'a&'.repeat(1001)}`, 'rest_too_many_parameters'],
  ] as const) {
    const request = { ...createRequest('/probe/v1/it'), query: query.slice(1) };
    const wire = await createTestEngine([createProbe()]).serve(request);
    assert.equal([wire.status, (JSON.parse(String(wire.body)) as { code: string }).code], [400, code]);
  }
});

serving('answers a HEAD as a GET, and what the route does not have as no route', async () => {
  const engine = createTestEngine([createProbe()]);
  const rows = [
    ['HEAD', '/probe/v1/it', 200],
    ['HEAD', '/nothing', 404],
    ['TRACE', '/probe/v1/it', 404],
    ['get', '/probe/v1/it', 404],
    ['OPTIONS', '/nothing', 200],
  ] as const;
  for (const [method, target, status] of rows)
    assert.is(
      (await engine.serve({ ...createRequest(target), method })).status,
      status,
      `${method} ${target}`,
    );
});

serving.run();

const refusing = suite('engine.refuse');

refusing('gives a request that could not be read the answer of every error', () => {
  const wire = createTestEngine([]).refuse(
    engineError('rest_overloaded', { headers: { 'Retry-After': '5' } }),
    { method: 'GET', headers: { accept: 'application/problem+json' } },
  );
  assert.equal(
    [wire.status, wire.headers['Retry-After'], wire.headers['Content-Type']],
    [503, '5', 'application/problem+json; charset=UTF-8'],
  );
  assert.is((JSON.parse(String(wire.body)) as { code: string }).code, 'rest_overloaded');
});

refusing.run();
