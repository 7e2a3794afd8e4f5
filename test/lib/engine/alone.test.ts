import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseAddress } from '../../../lib/http/address.ts';
import type { WireResponse } from '../../../lib/http/host.ts';
import {
  createEngine,
  createRequest,
  defineNamespace,
  type EngineOptions,
  RestResponse,
} from '../../../lib/index.ts';
import { createProbe } from '../../support/probe.ts';
import { refusalOf } from '../../support/refusal.ts';

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
          {
            methods: ['PUT'],
            handler: 'rename',
            permission: 'public',
            allow_batch: { v1: true },
            args: { name: { type: 'string' }, to: { type: 'string', required: true } },
          },
        ],
      },
    ],
  },
  {
    greet: ({ name }, call) => ({
      hello: name,
      at: call.site.url(`/hello/${name}`),
      home: call.site.home(),
      language: call.language,
    }),
    rename: ({ to }) => new RestResponse({ hello: to }, { version: 3 }),
  },
);

const open = (options: EngineOptions = {}) =>
  createEngine({ namespaces: [hello], log: () => undefined, ...options });
const parse = ({ body }: WireResponse): unknown => JSON.parse(String(body));
const ask = async (target: string, options: EngineOptions = {}) =>
  (await open(options).dispatch(createRequest(target))).body as Readonly<Record<string, unknown>>;
const JSON_TYPE = 'application/json; charset=UTF-8';

const alone = suite('an engine without names, prefixes and facts');

alone('answers with the headers that HTTP needs and no others', async () => {
  const { status, headers } = await open().serve(createRequest('/hello/ada'));
  assert.equal([status, headers], [200, { 'Content-Type': JSON_TYPE }]);
  const wrong = await open().serve(
    createRequest('/hello/ada', { method: 'PUT', headers: { origin: 'https://other.example' } }),
  );
  assert.equal([wrong.status, wrong.headers], [400, { 'Content-Type': JSON_TYPE, Vary: 'Accept' }]);
});

alone('gives a version its ETag, to a read and to a write', async () => {
  const versioned = createProbe({ handler: () => new RestResponse({ a: 1 }, { version: 7 }) });
  assert.match(
    (await open({ namespaces: [versioned] }).serve(createRequest('/probe/v1/it'))).headers['ETag'] ?? '',
    /^"7-.+"$/,
  );
  assert.is(
    (await open().serve(createRequest('/hello/ada', { method: 'PUT', body: { to: 'bo' } }))).headers['ETag'],
    '"3-"',
  );
});

alone(
  'answers a method that the route does not have with 405, and OPTIONS with the methods that it has',
  async () => {
    for (const method of ['DELETE', 'POST', 'PROPFIND']) {
      const wire = await open().serve(createRequest('/hello/ada', { method }));
      assert.equal(
        [wire.status, wire.headers['Allow'], (parse(wire) as { code: string }).code],
        [405, 'GET, PUT', 'rest_wrong_method'],
      );
    }
    const options = await open().serve(createRequest('/hello/ada', { method: 'OPTIONS' }));
    assert.equal([options.status, options.headers], [200, { 'Content-Type': JSON_TYPE, Allow: 'GET, PUT' }]);
    assert.is((await open().serve(createRequest('/nothing', { method: 'DELETE' }))).status, 404);
    assert.is(
      (await open({ wrongMethod: 404 }).serve(createRequest('/hello/ada', { method: 'DELETE' }))).headers[
        'Allow'
      ],
      undefined,
    );
  },
);

alone('says where it is mounted, in links and in the index', async () => {
  assert.equal(await ask('/hello/ada', { base: '/api' }), {
    hello: 'ada',
    at: 'http://localhost/api/hello/ada',
    home: 'http://localhost',
    language: 'en',
  });
  const index = await ask('/', { base: '/api' });
  assert.equal(Object.keys(index), ['namespaces', 'authentication', 'routes']);
  assert.equal(index['namespaces'], ['hello']);
  const routes = index['routes'] as Readonly<Record<string, { readonly _links?: object }>>;
  assert.equal(Object.keys(routes), ['/', '/batch/v1', '/hello', '/hello/(?P<name>[^/]+)']);
  assert.equal(routes['/hello']?._links, { self: [{ href: 'http://localhost/api/hello' }] });
  const engine = open({ base: '/api' });
  assert.equal([engine.base, engine.prefixes], ['/api', []]);
  const { servers, paths } = engine.describeOpenApi({
    title: 'T',
    version: '1',
    siteUrl: 'https://x.example',
  });
  assert.equal(servers, [{ url: 'https://x.example/api' }]);
  assert.ok(Object.hasOwn(paths as object, '/hello/{name}'));
});

alone('has languages only where prefixes are given', () => {
  const place = { title: 'T', version: '1', siteUrl: 'https://x.example' };
  assert.match(
    refusalOf(() => open().describeOpenApi({ ...place, language: 'fr' })),
    'language "fr" cannot be given, because the engine has no prefixes',
  );
  assert.match(
    refusalOf(() => open({ prefixes: ['fr'] }).describeOpenApi(place)),
    'language must be a text',
  );
});

alone('runs a batch', async () => {
  const body = {
    requests: [
      { method: 'PUT', path: '/hello/ada', body: { to: 'bo' } },
      { path: '/hello/ada' },
      { path: '/nothing' },
    ],
  };
  const { responses } = parse(
    await open({ base: '/api' }).serve(createRequest('/batch/v1', { method: 'POST', body })),
  ) as { responses: readonly { status: number; body: { code?: string }; headers: object }[] };
  assert.equal(
    responses.map(({ status, body: { code }, headers }) => [status, code, headers]),
    [
      [200, undefined, {}],
      [405, 'rest_wrong_method', { Allow: 'GET, PUT' }],
      [404, 'rest_no_route', {}],
    ],
  );
});

alone('takes names and prefixes one without the other', async () => {
  const names = {
    apiSegment: 'cms-json',
    headerPrefix: 'X-CMS',
    apiRelation: 'cms:api',
    segments: { hello: 'hallo' },
    curie: { neutral: 'cms', wire: 'cms', href: '' },
    params: {},
  };
  assert.is((await ask('/hallo/ada', { names }))['at'], 'http://localhost/cms-json/hallo/ada');
  assert.is((await ask('/hallo/ada', { names, base: '/v3' }))['at'], 'http://localhost/v3/hallo/ada');
  const wire = await open({ prefixes: ['fr'] }).serve(createRequest('/hello/ada', { language: 'fr' }));
  assert.is(wire.headers['Content-Language'], 'fr');
  assert.is((parse(wire) as { at: string }).at, 'http://localhost/fr/hello/ada');
});

alone.run();

const routes = suite('the routes of the engine itself');

routes('are moved and switched off', async () => {
  const moved = open({ index: '/about', namespaceIndex: '/about', batch: '/all' });
  assert.equal(
    moved.routes.map(({ pattern }) => pattern),
    ['/about', '/all', '/about/hello', '/hello/(?P<name>[^/]+)'],
  );
  const { body } = await moved.dispatch(createRequest('/about/hello'));
  assert.equal((body as { _links: object })._links, { up: [{ href: 'http://localhost/about' }] });
  assert.is((await moved.dispatch(createRequest('/'))).status, 404);
  assert.is(
    (await moved.dispatch(createRequest('/all', { method: 'POST', body: { requests: [] } }))).status,
    207,
  );
  const bare = open({ index: false, namespaceIndex: false, batch: false });
  assert.equal(
    bare.routes.map(({ pattern }) => pattern),
    ['/hello/(?P<name>[^/]+)'],
  );
  for (const target of ['/', '/hello', '/batch/v1'])
    assert.is((await bare.dispatch(createRequest(target))).status, 404);
  assert.not.ok(
    '_links' in ((await open({ index: false }).dispatch(createRequest('/hello'))).body as object),
  );
});

routes('give way to a namespace that has a route at its own path', async () => {
  const tasks = createProbe({ namespace: 'tasks', pattern: '/tasks', handler: () => ['one'] });
  const engine = open({ namespaces: [tasks] });
  assert.equal((await engine.dispatch(createRequest('/tasks'))).body, ['one']);
  assert.equal(((await engine.dispatch(createRequest('/'))).body as { namespaces: unknown }).namespaces, [
    'tasks',
  ]);
});

routes('leave every path to the namespace without a name', async () => {
  const root = createProbe({ namespace: '', pattern: '/', handler: () => 'home' });
  assert.match(
    refusalOf(() => open({ namespaces: [root] })),
    /^: \/ GET: the engine's own index or batch is already registered there; move it, or switch it off/,
  );
  const engine = open({
    namespaces: [root, hello],
    index: '/index',
    commonArgs: { shout: { type: 'boolean', default: false } },
  });
  assert.is((await engine.dispatch(createRequest('/'))).body, 'home');
  assert.equal(
    ((await engine.dispatch(createRequest('/index'))).body as { namespaces: unknown }).namespaces,
    ['hello'],
  );
  // Args of every endpoint are those of the namespaces, not of the engine's own routes.
  assert.equal(
    engine.routes.map(({ commonArgs }) => Object.keys(commonArgs)),
    [[], [], ['shout'], ['shout'], ['shout']],
  );
  engine.unregister('');
  assert.is((await engine.dispatch(createRequest('/'))).status, 404);
});

routes.run();

const addresses = suite('addresses without prefixes');

addresses('belong to the API below its base', () => {
  const found: readonly (readonly [base: string, target: string, path: string | null])[] = [
    ['', '/', '/'],
    ['', '/hello/ada', '/hello/ada'],
    ['', '/hello/ada/?a=1', '/hello/ada'],
    ['', '/en/hello', '/en/hello'],
    ['', '/?rest_route=/x', '/'],
    ['/api', '/api', '/'],
    ['/api', '/api/', '/'],
    ['/api', '/api/hello', '/hello'],
    ['/api', '/apix', null],
    ['/api', '/', null],
    ['/api', '/hello', null],
    ['/api', '/API/hello', null],
    ['/a/b', '/a/b/c', '/c'],
    ['/a/b', '/a', null],
  ];
  for (const [base, target, path] of found)
    assert.is(parseAddress({ prefixes: [], base }, target)?.path ?? null, path, `${base} ${target}`);
});

addresses('may have a language and no base', () => {
  const space = { prefixes: ['en'], base: '' };
  assert.equal(
    [
      parseAddress(space, '/en')?.path,
      parseAddress(space, '/en/')?.path,
      parseAddress(space, '/en/x')?.path,
      parseAddress(space, '/x'),
    ],
    ['/', '/', '/x', null],
  );
});

addresses.run();

const headers = suite('headers of an engine');

headers('are sent where they are asked for, each for itself', async () => {
  const asked: readonly (readonly [NonNullable<EngineOptions['headers']>, object])[] = [
    [
      { always: { 'x-robots-tag': 'noindex', 'X-A': 'b' } },
      { 'X-Robots-Tag': 'noindex', 'X-A': 'b', 'Content-Type': JSON_TYPE },
    ],
    [{ apiLink: true }, { Link: '<http://localhost/about>; rel="service-desc"', 'Content-Type': JSON_TYPE }],
    [
      { always: { Link: '</terms>; rel="license"' }, apiLink: true },
      {
        Link: '</terms>; rel="license", <http://localhost/about>; rel="service-desc"',
        'Content-Type': JSON_TYPE,
      },
    ],
    [{ allow: true }, { 'Content-Type': JSON_TYPE, Allow: 'GET, PUT' }],
  ];
  for (const [given, wanted] of asked)
    assert.equal(
      (await open({ headers: given, index: '/about' }).serve(createRequest('/hello/ada'))).headers,
      wanted,
    );
  assert.match(
    (await open({ headers: { etag: true } }).serve(createRequest('/hello/ada'))).headers['ETag'] ?? '',
    /^"[\w-]+"$/,
  );
});

headers('vary by origin with CORS, whatever else they vary by', async () => {
  const wire = await open({ headers: { cors: true, always: { Vary: 'Cookie' } } }).serve(
    createRequest('/hello/ada', { headers: { origin: 'https://a.example' } }),
  );
  assert.equal(
    [
      wire.headers['Vary'],
      wire.headers['Access-Control-Allow-Origin'],
      wire.headers['Access-Control-Expose-Headers'],
    ],
    ['Cookie, Origin', 'https://a.example', 'X-Total, X-TotalPages, Link, ETag, Location, Allow'],
  );
});

headers('of the host itself may be sent and read by pages of other origins, if CORS names them', async () => {
  const engine = open({ headers: { cors: { allow: ['X-Key'], expose: ['RateLimit-Remaining'] } } });
  const preflight = await engine.serve(
    createRequest('/hello/ada', {
      method: 'OPTIONS',
      headers: {
        origin: 'https://a.example',
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'x-key',
      },
    }),
  );
  assert.ok(preflight.headers['Access-Control-Allow-Headers']?.split(', ').includes('X-Key'));
  const wire = await engine.serve(
    createRequest('/hello/ada', { headers: { origin: 'https://a.example', 'x-key': '1' } }),
  );
  assert.is(
    wire.headers['Access-Control-Expose-Headers'],
    'X-Total, X-TotalPages, Link, ETag, Location, Allow, RateLimit-Remaining',
  );
});

headers('keep what a known caller reads out of shared caches', async () => {
  const known = { id: 1, role: 'member', capabilities: new Set<string>() };
  assert.match(
    (await open({ authenticate: () => known }).serve(createRequest('/hello/ada'))).headers['Cache-Control'] ??
      '',
    /private/,
  );
});

headers.run();
