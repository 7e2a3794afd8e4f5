import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { engineError, RestError } from '../../../lib/core/errors.ts';
import { ANONYMOUS, type Identity } from '../../../lib/core/identity.ts';
import type { Engine, EngineOptions } from '../../../lib/engine/engine.ts';
import { createRequest } from '../../../lib/http/create-request.ts';
import { RawBody, RestResponse } from '../../../lib/http/response.ts';
import * as library from '../../../lib/index.ts';
import { JsonText } from '../../../lib/json/json-document.ts';
import { OutboundRefused } from '../../../lib/ports/outbound.ts';
import type { EndpointDescriptor } from '../../../lib/route/descriptor.ts';
import { StoreError } from '../../../lib/store/store.ts';
import * as registry from '../../../registry/index.ts';
import { loadSecondCopy } from '../../support/second-copy.ts';
import { createTestEngine } from '../../support/site.ts';

const copy = await loadSecondCopy();
copy.remove();

const ADMINISTRATOR: Identity = {
  id: 1,
  role: 'administrator',
  capabilities: registry.capabilitiesOf('administrator'),
};
const pluginError = copy.createErrors({
  plugin_nothing: [404, 'There is nothing.'],
  plugin_closed: ['denied', 'Closed.'],
});

const endpoint = (handler: string, permission: string): EndpointDescriptor => ({
  methods: ['GET', 'POST'],
  handler,
  permission,
  args: {},
  allow_batch: { v1: true },
  cache: ['entries'],
});
const guarded = [
  ['refused', 'may.refuse'],
  ['thrown', 'may.throw'],
  ['open', 'may.admit'],
].map(([name = '', permission = '']) => ({
  pattern: `/plugin/v1/${name}`,
  endpoints: [endpoint('answer', permission)],
}));
const open = [
  'nothing',
  'response',
  'raw',
  'text',
  'list',
  'inner',
  'taken',
  'away',
  'unknown',
  'returned',
  'args',
].map((name) => ({ pattern: `/plugin/v1/${name}`, endpoints: [endpoint(name, 'public')] }));

/** A namespace of another copy of the package: its classes, errors and stores are none of this one's. */
const plugin = copy.toNamespace(
  { namespace: 'plugin/v1', routes: [...guarded, ...open] },
  {
    answer: () => 'in',
    nothing: () => {
      throw pluginError('plugin_nothing');
    },
    response: () =>
      new copy.RestResponse(
        { id: 7, title: 'A' },
        { status: 201, headers: { 'X-Own': 'x' }, links: { self: [{ href: 'http://a.test/' }] } },
      ),
    raw: () => new copy.RestResponse(new copy.RawBody('text/plain', 'bytes')),
    text: () => new copy.RestResponse(new copy.JsonText('{"id":7,"title":"A"}')),
    list: () =>
      new copy.RestResponse(
        new copy.RecordList([7, 8], (id) => (id === 7 ? new copy.JsonText('{"id":7}') : { id })),
      ),
    inner: () => ({ rows: [new copy.JsonText('{"id":7}')] }),
    taken: () => {
      throw new copy.StoreError('unique', 'The slug is taken.', { fields: ['slug'] });
    },
    away: () => {
      throw new copy.StoreError('unavailable', 'The database is away.');
    },
    unknown: () => {
      throw new copy.StoreError('constructor' as never, 'A code of another version.');
    },
    returned: () => pluginError('plugin_nothing'),
    args: () => {
      throw copy.invalidParams([
        ['title', { code: 'rest_invalid_param', message: 'Not this one.', data: null }],
      ]);
    },
  },
  {
    permissions: {
      'may.refuse': () => pluginError('plugin_closed'),
      'may.throw': () => {
        throw pluginError('plugin_closed');
      },
      'may.admit': () => copy.subject({ id: 7 }),
    },
  },
);

function openEngine(options: Partial<EngineOptions> = {}): Engine {
  return createTestEngine([plugin], options);
}

const copies = suite('a namespace of another copy of the package');

copies('is of other classes', () => {
  assert.is.not(copy.RestError, RestError);
  assert.is.not(copy.RestResponse, RestResponse);
});

for (const [path, caller, status, allow] of [
  ['refused', ANONYMOUS, 401, undefined],
  ['refused', ADMINISTRATOR, 403, undefined],
  ['thrown', ANONYMOUS, 401, undefined],
  ['open', ANONYMOUS, 200, 'GET, POST'],
  ['nothing', ANONYMOUS, 404, 'GET, POST'],
  ['returned', ANONYMOUS, 404, 'GET, POST'],
  ['args', ANONYMOUS, 400, 'GET, POST'],
  ['taken', ANONYMOUS, 409, 'GET, POST'],
  ['away', ANONYMOUS, 503, 'GET, POST'],
  ['unknown', ANONYMOUS, 500, 'GET, POST'],
] as const) {
  copies(`answers ${path} to caller ${caller.id} with ${status}`, async () => {
    const { status: found, headers } = await openEngine().dispatch(
      createRequest(`/plugin/v1/${path}`),
      caller,
    );
    assert.equal([found, headers['Allow']], [status, allow]);
  });
}

copies('answers with its RestResponse, its RawBody and its JsonText', async () => {
  const engine = openEngine();
  const ask = async (target: string): Promise<unknown> => {
    const { status, headers, body } = await engine.serve(createRequest(`/plugin/v1/${target}`));
    return [status, headers['Content-Type'], String(body)];
  };
  const json = 'application/json; charset=UTF-8';
  assert.equal(await ask('response'), [
    201,
    json,
    '{"id":7,"title":"A","_links":{"self":[{"href":"http://a.test/"}]}}',
  ]);
  assert.equal(await ask('response?_fields=id'), [
    201,
    json,
    '{"id":7,"_links":{"self":[{"href":"http://a.test/"}]}}',
  ]);
  assert.equal(await ask('raw'), [200, 'text/plain', 'bytes']);
  assert.equal(await ask('text'), [200, json, '{"id":7,"title":"A"}']);
  assert.equal(await ask('text?_fields=title'), [200, json, '{"title":"A"}']);
  assert.equal(await ask('list'), [200, json, '[{"id":7},{"id":8}]']);
  assert.equal(await ask('inner'), [200, json, '{"rows":[{"id":7}]}']);
  assert.is((await engine.serve(createRequest('/plugin/v1/response'))).headers['X-Own'], 'x');
  assert.ok((await engine.dispatch(createRequest('/plugin/v1/response'))) instanceof RestResponse);
});

copies('takes part in batches and in the cache', async () => {
  const requests = ['response', 'text', 'nothing'].map((name) => ({ path: `/plugin/v1/${name}` }));
  const { body } = await openEngine().dispatch(
    createRequest('/batch/v1', { method: 'POST', body: { requests } }),
  );
  assert.equal(
    (body as { responses: { status: number }[] }).responses.map(({ status }) => status),
    [201, 200, 404],
  );
  const cached = openEngine({ cache: { store: { revision: () => 1, versions: () => [] } } });
  for (const name of ['text', 'raw']) {
    const [first, second] = [
      await cached.serve(createRequest(`/plugin/v1/${name}`)),
      await cached.serve(createRequest(`/plugin/v1/${name}`)),
    ];
    assert.is(first, second);
    assert.is(String(first.body), name === 'raw' ? 'bytes' : '{"id":7,"title":"A"}');
  }
});

copies('may be asked by a host that authenticates with its errors', async () => {
  const engine = openEngine({
    authenticate: () => {
      throw copy.engineError('rest_invalid_credentials');
    },
  });
  assert.is((await engine.serve(createRequest('/plugin/v1/open'))).status, 401);
});

copies.run();

const stores = suite('a store of another copy of the package');

stores('is understood by a site: a slug that is taken gets another one', async () => {
  const store = copy.createMemoryStore(registry.collections);
  const site = await registry.createSite({
    store,
    outbound: () => Promise.reject(new copy.OutboundRefused(new Error('no such host'))),
    log: () => undefined,
  });
  const write = async (): Promise<unknown> => {
    const { status, body } = await site.engine.dispatch(
      createRequest('/cms/v2/posts', { method: 'POST', body: { title: 'Same', status: 'publish' } }),
      ADMINISTRATOR,
    );
    return [status, (body as { slug: string }).slug];
  };
  // Both find the slug free; one of them is told by the store that it is not.
  assert.equal((await Promise.all([write(), write()])).toSorted(), [
    [201, 'same'],
    [201, 'same-2'],
  ]);
  const proxy = await site.engine.dispatch(
    createRequest('/oembed/1.0/proxy?url=http%3A%2F%2Fblog.test%2Fpost'),
    ADMINISTRATOR,
  );
  assert.is(proxy.status, 404);
  await store.close();
  assert.is((await site.engine.dispatch(createRequest('/cms/v2/posts'))).status, 503);
  await site.close();
});

stores.run();

const brands = suite('instanceof');

brands('knows the instances of both copies, in both of them', () => {
  const pairs = [
    [RestError, engineError('rest_forbidden'), copy.RestError, copy.engineError('rest_forbidden')],
    [StoreError, new StoreError('full', ''), copy.StoreError, new copy.StoreError('full', '')],
    [RestResponse, new RestResponse(1), copy.RestResponse, new copy.RestResponse(1)],
    [RawBody, new RawBody('a/b', ''), copy.RawBody, new copy.RawBody('a/b', '')],
    [JsonText, new JsonText('1'), copy.JsonText, new copy.JsonText('1')],
    [OutboundRefused, new OutboundRefused(null), copy.OutboundRefused, new copy.OutboundRefused(null)],
  ] as const;
  for (const [Own, own, Other, other] of pairs) {
    assert.equal(
      [own instanceof Own, own instanceof Other, other instanceof Own, other instanceof Other],
      [true, true, true, true],
      Own.name,
    );
    for (const value of [null, undefined, 1, 'text', {}, [], () => other, new Error('x')])
      assert.is((value as unknown) instanceof Own, false, Own.name);
  }
  for (const [, own] of pairs) assert.is(pairs.filter(([Own]) => (own as unknown) instanceof Own).length, 1);
});

brands('knows every class that the entries export', () => {
  const classes = Object.values({ ...library, ...registry }).filter(
    (value) => typeof value === 'function' && String(value).startsWith('class '),
  );
  assert.ok(classes.length >= 6);
  assert.equal(
    classes
      .filter((type) => !Object.hasOwn(type, Symbol.hasInstance))
      .map((type) => (type as { name: string }).name),
    [],
  );
});

brands('tells subclasses apart', () => {
  class Closed extends RestError {}
  class Open extends RestError {}
  const closed = new Closed('closed', [403, 'Closed.']);
  assert.equal(
    [
      closed instanceof RestError,
      closed instanceof Closed,
      (closed as unknown) instanceof Open,
      engineError('rest_forbidden') instanceof Closed,
    ],
    [true, true, false, false],
  );
});

brands('is not misled by data', () => {
  for (const data of [
    { 'routebook.RestError': true, code: 'x' },
    JSON.parse('{"Symbol(routebook.RestError)":true}'),
  ])
    assert.is((data as unknown) instanceof RestError, false);
});

brands.run();
