import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { engineError } from '../../../lib/core/errors.ts';
import type { EngineOptions } from '../../../lib/engine/engine.ts';
import type { SiteFacts } from '../../../lib/engine/site-facts.ts';
import { createRequest } from '../../../lib/http/create-request.ts';
import { RestResponse } from '../../../lib/http/response.ts';
import type { Namespace } from '../../../lib/route/namespace.ts';
import { createProbe } from '../../support/probe.ts';
import { createTestEngine, TEST_NAMES } from '../../support/site.ts';

const NAME = { description: 'Name of the item.', type: 'string', required: true } as const;
const EDITOR = { id: 1, role: 'editor', capabilities: new Set(['edit']) };

const shop: Namespace = {
  descriptor: {
    namespace: 'shop/v1',
    resources: {
      item: {
        title: 'item',
        properties: { id: { type: 'int', description: 'The number.', context: ['view'], readonly: true } },
        links: { 'https://rel.test/x': { href: '/shop/v1/items/{id}' } },
      },
    },
    routes: [
      {
        pattern: '/shop/v1/items',
        resource: 'item',
        endpoints: [
          {
            methods: ['GET'],
            handler: 'list',
            permission: 'public',
            allow_batch: { v1: true },
            args: { page: { type: 'int', default: 1 } },
            body: { secret: { type: 'string' } },
          },
          { methods: ['POST'], handler: 'create', permission: 'edit', args: { name: NAME } },
        ],
      },
      {
        pattern: '/shop/v1/items/(?P<id>[\\d]+)',
        endpoints: [
          {
            methods: ['GET', 'DELETE'],
            handler: 'own',
            permission: 'shop.own',
            args: { id: { type: 'integer' } },
          },
        ],
      },
    ],
  },
  handlers: { list: () => [], create: () => ({}), own: () => ({}) },
  permissions: { 'shop.own': ({ id }) => id === 7 },
  checks: {},
  embeds: {},
};

const empty: Namespace = {
  ...createProbe(),
  descriptor: { namespace: 'empty/v1', routes: [] },
  handlers: {},
};

function open(options: Partial<EngineOptions> = {}) {
  return createTestEngine([shop, empty], {
    capabilities: new Set(['edit']),
    catalogues: { fr: { 'Name of the item.': 'Nom.', 'The number.': 'Le numéro.' } },
    ...options,
  });
}

const LIST = {
  namespace: 'shop/v1',
  methods: ['GET', 'POST'],
  endpoints: [
    {
      methods: ['GET'],
      allow_batch: { v1: true },
      args: { page: { type: 'int', default: 1, required: false } },
    },
    {
      methods: ['POST'],
      args: { name: { description: 'Name of the item.', type: 'string', required: true } },
    },
  ],
  _links: { self: [{ href: 'http://localhost/en/cms-json/shop/v1/items' }] },
};
const ITEM = {
  namespace: 'shop/v1',
  methods: ['GET', 'DELETE'],
  endpoints: [{ methods: ['GET', 'DELETE'], args: { id: { type: 'integer', required: false } } }],
};

type Document = Readonly<Record<string, unknown>> & {
  readonly routes: Readonly<Record<string, { readonly endpoints: readonly { readonly args: object }[] }>>;
};

async function readIndex(engine = open(), language = 'en'): Promise<Document> {
  return (await engine.dispatch(createRequest('/', { language }))).body as Document;
}

const index = suite('the index');

index('holds the facts of the site, then namespaces and routes in order', async () => {
  const document = await readIndex();
  assert.equal(Object.keys(document), [
    'name',
    'description',
    'url',
    'home',
    'gmt_offset',
    'timezone_string',
    'page_for_posts',
    'page_on_front',
    'show_on_front',
    'namespaces',
    'authentication',
    'routes',
  ]);
  assert.equal(document['namespaces'], ['shop/v1', 'empty/v1']);
  assert.equal(Object.keys(document.routes), [
    '/',
    '/batch/v1',
    '/shop/v1',
    '/shop/v1/items',
    '/shop/v1/items/(?P<id>[\\d]+)',
    '/empty/v1',
  ]);
});

index(
  'describes a route without hidden members; a link to itself only where the pattern has no groups',
  async () => {
    const { routes } = await readIndex();
    assert.equal(routes['/shop/v1/items'], LIST);
    assert.equal(routes['/shop/v1/items/(?P<id>[\\d]+)'], ITEM);
  },
);

index('speaks the language of the prefix', async () => {
  const { routes } = await readIndex(open(), 'fr');
  assert.equal(routes['/shop/v1/items']?.endpoints[1]?.args, {
    name: { description: 'Nom.', type: 'string', required: true },
  });
  assert.ok(JSON.stringify(routes).includes('http://localhost/fr/cms-json/shop/v1/items'));
});

index('does not take an inherited member for a translation', async () => {
  const namespace = createProbe({
    endpoint: { args: { a: { description: 'constructor' }, b: { description: 'toString' } } },
  });
  const { routes } = await readIndex(createTestEngine([namespace], { catalogues: { fr: {} } }), 'fr');
  assert.equal(routes['/probe/v1/it']?.endpoints[0]?.args, {
    a: { description: 'constructor', required: false },
    b: { description: 'toString', required: false },
  });
});

index('shows the common args on every endpoint but those of the root', async () => {
  const { routes } = await readIndex(open({ commonArgs: { lang: { type: 'string' } } }));
  const without = Object.entries(routes)
    .filter(([, route]) => route.endpoints.some(({ args }) => !('lang' in args)))
    .map(([pattern]) => pattern);
  assert.equal(without, ['/', '/batch/v1']);
});

index('is made once for a language and a table, as long as the facts are the same', async () => {
  const engine = open();
  const read = async (language: string) => (await engine.dispatch(createRequest('/', { language }))).content;
  const showsProbe = (content: unknown): boolean =>
    '/probe/v1/it' in (new RestResponse(content).body as Document).routes;
  const [first, second, french] = [await read('en'), await read('en'), await read('fr')];
  assert.is(first, second);
  assert.is.not(first, french);
  engine.register(createProbe());
  const grown = await read('en');
  assert.is.not(grown, first);
  assert.ok(showsProbe(grown));
  assert.not.ok(showsProbe(first));
  engine.unregister('probe/v1');
  assert.equal(await read('en'), first);
});

index('is made again when the facts of the site change', async () => {
  let facts = { name: 'One' } as SiteFacts;
  const engine = open({ describeSite: async () => facts });
  const before = await engine.dispatch(createRequest('/'));
  facts = { name: 'Two' } as SiteFacts;
  const after = await engine.dispatch(createRequest('/'));
  assert.equal(
    [before, after].map(({ body }) => (body as SiteFacts).name),
    ['One', 'Two'],
  );
});

index('can be cut down to fields', async () => {
  assert.equal((await open().dispatch(createRequest('/?_fields=namespaces,routes./empty/v1.methods'))).body, {
    namespaces: ['shop/v1', 'empty/v1'],
    routes: { '/empty/v1': { methods: ['GET'] } },
  });
});

index.run();

const namespaceIndex = suite('the index of a namespace');

namespaceIndex('holds its routes and a link up', async () => {
  const response = await open().dispatch(createRequest('/shop/v1'));
  const body = response.body as Document;
  assert.is(body['namespace'], 'shop/v1');
  assert.equal(Object.keys(body.routes), ['/shop/v1', '/shop/v1/items', '/shop/v1/items/(?P<id>[\\d]+)']);
  assert.equal(body.routes['/shop/v1/items'], LIST);
  assert.equal(body['_links'], { up: [{ href: 'http://localhost/en/cms-json/' }] });
});

namespaceIndex('keeps the link whatever fields are asked for', async () => {
  const response = await open().dispatch(createRequest('/shop/v1?_fields=namespace'));
  assert.equal(response.body, {
    namespace: 'shop/v1',
    _links: { up: [{ href: 'http://localhost/en/cms-json/' }] },
  });
});

const OTHERS: readonly (readonly [target: string, status: number, code: string | undefined])[] = [
  ['/shop/v1?namespace=empty/v1', 200, undefined],
  ['/shop/v1?namespace=none', 404, 'rest_invalid_namespace'],
  ['/shop/v1?namespace=', 404, 'rest_invalid_namespace'],
  ['/shop/v1?namespace=constructor', 404, 'rest_invalid_namespace'],
  ['/shop/v1?namespace[x]=shop/v1', 404, 'rest_invalid_namespace'],
  ['/shop/v1?namespace[]=shop/v1', 404, 'rest_invalid_namespace'],
  ['/shop/v2', 404, 'rest_no_route'],
  ['/shop', 404, 'rest_no_route'],
];

for (const [target, status, code] of OTHERS) {
  namespaceIndex(`${target}: ${status}`, async () => {
    const response = await open().dispatch(createRequest(target));
    assert.equal([response.status, (response.body as { code?: string }).code], [status, code]);
  });
}

namespaceIndex.run();

const options = suite('OPTIONS');

options('describes the route with its resource', async () => {
  const { status, body } = await open().dispatch(
    createRequest('/shop/v1/items', { method: 'OPTIONS', language: 'fr' }),
  );
  assert.is(status, 200);
  const { schema, _links, ...entry } = body as Record<string, unknown>;
  assert.equal(schema, {
    $schema: 'http://json-schema.org/draft-04/schema#',
    title: 'item',
    type: 'object',
    properties: { id: { type: 'int', description: 'Le numéro.', context: ['view'], readonly: true } },
    links: [{ rel: 'https://rel.test/x', href: 'http://localhost/fr/cms-json/shop/v1/items/{id}' }],
  });
  assert.equal(_links, { self: [{ href: 'http://localhost/fr/cms-json/shop/v1/items' }] });
  assert.equal(Object.keys(entry), ['namespace', 'methods', 'endpoints']);
});

options('has neither schema nor link where there is none', async () => {
  assert.equal((await open().dispatch(createRequest('/shop/v1/items/7', { method: 'OPTIONS' }))).body, ITEM);
});

options('shows how many items a batch may hold', async () => {
  const { body } = await open().dispatch(createRequest('/batch/v1', { method: 'OPTIONS' }));
  assert.is(
    (body as { endpoints: { args: { requests: { maxItems: number } } }[] }).endpoints[0]?.args.requests
      .maxItems,
    25,
  );
});

options('shows the wanted fields, from query and body', async () => {
  const ask = async (target: string, body?: unknown) =>
    (
      await open().dispatch(
        createRequest(target, { method: 'OPTIONS', ...(body === undefined ? {} : { body }) }),
      )
    ).body;
  assert.equal(await ask('/shop/v1/items?_fields=namespace,schema.title'), {
    namespace: 'shop/v1',
    schema: { title: 'item' },
  });
  assert.equal(await ask('/shop/v1/items?_fields=namespace&_fields=_links.self'), {
    namespace: 'shop/v1',
    _links: { self: [{ href: 'http://localhost/en/cms-json/shop/v1/items' }] },
  });
  assert.equal(await ask('/shop/v1/items', { _fields: ['methods'] }), { methods: ['GET', 'POST'] });
  assert.equal(await ask('/nothing?_fields=methods'), {});
  assert.is(
    (
      await open().dispatch(
        createRequest(`/shop/v1/items?_fields=${'a,'.repeat(600)}`, { method: 'OPTIONS' }),
      )
    ).status,
    400,
  );
});

options('answers an unknown route with an empty object', async () => {
  const { status, body, headers } = await open().dispatch(createRequest('/nothing', { method: 'OPTIONS' }));
  assert.equal([status, body, headers], [200, {}, {}]);
});

options.run();

const allow = suite('Allow');

const ALLOWED: readonly (readonly [
  method: string,
  target: string,
  anonymous: string | undefined,
  editor: string | undefined,
])[] = [
  ['GET', '/shop/v1/items', 'GET', 'GET, POST'],
  ['HEAD', '/shop/v1/items', 'GET', 'GET, POST'],
  ['OPTIONS', '/shop/v1/items', 'GET', 'GET, POST'],
  ['POST', '/shop/v1/items', 'GET', 'GET, POST'],
  ['PUT', '/shop/v1/items', undefined, undefined],
  ['GET', '/shop/v1/items/7', 'GET, DELETE', 'GET, DELETE'],
  ['OPTIONS', '/shop/v1/items/7', 'GET, DELETE', 'GET, DELETE'],
  ['GET', '/shop/v1/items/8', undefined, undefined],
  ['OPTIONS', '/shop/v1/items/8', undefined, undefined],
];

for (const [method, target, anonymous, editor] of ALLOWED) {
  allow(`${method} ${target}`, async () => {
    const engine = open();
    const request = createRequest(target, { method });
    assert.is((await engine.dispatch(request)).headers['Allow'], anonymous);
    assert.is((await engine.dispatch(request, EDITOR)).headers['Allow'], editor);
  });
}

allow(
  'asks once about a read that was just tried, and again by the path alone where more than that was refused',
  async () => {
    const rows: readonly (readonly [target: string, asked: readonly string[], allow: string | undefined])[] =
      [
        ['/probe/v1/it', ['view'], 'GET'],
        ['/probe/v1/it?context=edit', ['edit', 'view'], 'GET'],
        ['/probe/v1/it?context=none', ['none', 'view'], 'GET'],
      ];
    for (const [target, contexts, allowed] of rows) {
      const asked: unknown[] = [];
      const engine = createTestEngine([
        createProbe({
          endpoint: { permission: 'probe.may', args: { context: { type: 'string', default: 'view' } } },
          permissions: {
            'probe.may': ({ context }) => {
              asked.push(context);
              return context === 'view';
            },
          },
        }),
      ]);
      assert.is((await engine.dispatch(createRequest(target))).headers['Allow'], allowed, target);
      assert.equal(asked, contexts);
    }
  },
);

allow('asks once about a read that is refused by its path alone', async () => {
  let asked = 0;
  const engine = createTestEngine([
    createProbe({
      endpoint: { permission: 'probe.may' },
      permissions: {
        'probe.may': () => {
          asked += 1;
          throw engineError('rest_forbidden');
        },
      },
    }),
  ]);
  const response = await engine.dispatch(createRequest('/probe/v1/it?unknown=1'));
  assert.equal([response.status, response.headers['Allow'], asked], [401, undefined, 1]);
});

allow('tells after a write what the caller may do now', async () => {
  let isThere = true;
  let loads = 0;
  const load = (): boolean => {
    loads += 1;
    return isThere;
  };
  const engine = createTestEngine([
    createProbe({
      endpoint: { methods: ['GET', 'DELETE'], permission: 'probe.find' },
      permissions: { 'probe.find': async (_args, call) => await call.once('it', load) },
      handler: (_args, { request }) => {
        isThere = request.method !== 'DELETE';
        return null;
      },
    }),
  ]);
  const ask = async (method: string): Promise<unknown> =>
    (await engine.dispatch(createRequest('/probe/v1/it', { method }))).headers['Allow'];
  assert.equal([await ask('GET'), loads], ['GET, DELETE', 1]);
  assert.equal([await ask('DELETE'), loads], [undefined, 3]);
});

allow.run();

const renamed = suite('discovery in other words');

renamed(
  'renames namespaces, keys, links and the default of the index route, and finds them again',
  async () => {
    const engine = open({
      names: { ...TEST_NAMES, apiSegment: 'wp-json', segments: { shop: 'store' }, params: { name: 'label' } },
    });
    const document = await readIndex(engine);
    assert.equal(document['namespaces'], ['store/v1', 'empty/v1']);
    assert.equal(Object.keys(document.routes), [
      '/',
      '/batch/v1',
      '/store/v1',
      '/store/v1/items',
      '/store/v1/items/(?P<id>[\\d]+)',
      '/empty/v1',
    ]);
    assert.not.match(JSON.stringify(document), /shop/);
    assert.equal(document.routes['/store/v1']?.endpoints[0]?.args, {
      namespace: { default: 'store/v1', required: false },
      context: { default: 'view', required: false },
    });
    assert.equal(Object.keys(document.routes['/store/v1/items']?.endpoints[1]?.args ?? {}), ['label']);
    const statuses = await Promise.all(
      ['/store/v1', '/store/v1?namespace=store/v1', '/store/v1?namespace=shop/v1', '/shop/v1'].map(
        async (target) => (await engine.dispatch(createRequest(target))).status,
      ),
    );
    assert.equal(statuses, [200, 200, 404, 404]);
  },
);

renamed.run();
