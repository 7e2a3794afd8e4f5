import { gunzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { HostTools, WireResponse } from '../../../lib/http/host.ts';
import {
  createEngine,
  createRequest,
  defineNamespace,
  type EngineOptions,
  type NamespaceDescriptor,
} from '../../../lib/index.ts';
import { refusalOf } from '../../support/refusal.ts';

const endpoint = {
  methods: ['GET'],
  handler: 'greet',
  permission: 'public',
  args: {},
  summary: 'Greet',
} as const;
const describeHello = (namespace: string) =>
  ({
    namespace,
    routes: [{ pattern: `/${namespace}/it`, endpoints: [endpoint] }],
  }) as const satisfies NamespaceDescriptor;
const createHello = (namespace: string) =>
  defineNamespace(describeHello(namespace), { greet: () => 'hello' });

/** An adapter that has the files of the page, and counts how often they are read. */
function createTools(): HostTools & { readonly read: string[] } {
  const read: string[] = [];
  return {
    read,
    readPackageFile: async (name, path) => {
      read.push(`${name}/${path}`);
      return Buffer.from(`content of ${path}`);
    },
  };
}

function open(options: EngineOptions = {}, tools: HostTools | null = createTools()) {
  const engine = createEngine({
    namespaces: [createHello('hello')],
    openapi: true,
    log: () => undefined,
    ...options,
  });
  if (tools !== null) engine.attach?.(tools);
  return engine;
}

interface Document {
  readonly info: { readonly title: string; readonly version: string };
  readonly servers: readonly { readonly url: string }[];
  readonly paths: object;
  readonly components: { readonly securitySchemes?: object };
}

const textOf = ({ body }: WireResponse): string => Buffer.from(body ?? '').toString();
const parse = (wire: WireResponse): Document => JSON.parse(textOf(wire)) as Document;
const codeOf = (wire: WireResponse): string => (JSON.parse(textOf(wire)) as { readonly code: string }).code;

const documents = suite('openapi.json');

documents('is not served without the option', async () => {
  for (const openapi of [undefined, false]) {
    const engine = createEngine({
      namespaces: [createHello('hello')],
      ...(openapi === undefined ? {} : { openapi }),
    });
    for (const path of ['/openapi.json', '/reference', '/reference/start.js'])
      assert.is((await engine.serve(createRequest(path))).status, 404);
  }
});

documents('describes the routes, and is listed neither in itself nor in the index', async () => {
  const engine = open({ base: '/api' });
  const wire = await engine.serve(createRequest('/openapi.json'));
  const { info, servers, paths } = parse(wire);
  assert.equal([wire.status, wire.headers['Content-Type']], [200, 'application/json; charset=UTF-8']);
  assert.equal([info, servers], [{ title: 'API', version: '1' }, [{ url: '/api' }]]);
  assert.equal(Object.keys(paths), ['/', '/batch/v1', '/hello', '/hello/it']);
  const { routes } = JSON.parse(textOf(await engine.serve(createRequest('/')))) as {
    readonly routes: object;
  };
  assert.equal(Object.keys(routes), ['/', '/batch/v1', '/hello', '/hello/it']);
  assert.equal(
    engine.routes.map(({ pattern }) => pattern),
    ['/', '/batch/v1', '/hello', '/hello/it'],
  );
});

documents('has title and version of its options, else the name that describeSite returns', async () => {
  const facts = {
    name: 'One',
    description: '',
    url: '',
    home: '',
    gmt_offset: '',
    timezone_string: '',
    page_for_posts: 0,
    page_on_front: 0,
    show_on_front: '',
  };
  let name = 'One';
  const engine = open({ describeSite: async () => ({ ...facts, name }) });
  const read = async (): Promise<string> =>
    parse(await engine.serve(createRequest('/openapi.json'))).info.title;
  assert.is(await read(), 'One');
  name = 'Two';
  assert.is(await read(), 'Two');
  const told = open({ describeSite: async () => facts, openapi: { title: 'Mine', version: '2.1' } });
  assert.equal(parse(await told.serve(createRequest('/openapi.json'))).info, {
    title: 'Mine',
    version: '2.1',
  });
});

documents('describes one namespace, with wire names, and refuses an unknown one', async () => {
  const engine = open({ namespaces: [createHello('hello'), createHello('other/v1')] });
  assert.equal(
    Object.keys(parse(await engine.serve(createRequest('/openapi.json?namespace=other/v1'))).paths),
    ['/other/v1', '/other/v1/it'],
  );
  for (const path of ['/openapi.json', '/reference']) {
    for (const unknown of ['nothing', '', 'constructor', '__proto__']) {
      const wire = await engine.serve(createRequest(`${path}?namespace=${unknown}`));
      assert.equal([wire.status, codeOf(wire)], [404, 'rest_invalid_namespace'], unknown);
    }
  }
});

documents('is compressed where asked, and unchanged for a client that has it', async () => {
  const engine = open();
  const zipped = await engine.serve(
    createRequest('/openapi.json', { headers: { 'accept-encoding': 'gzip' } }),
  );
  const plain = await engine.serve(createRequest('/openapi.json'));
  assert.is(gunzipSync(zipped.body as Uint8Array).toString(), textOf(plain));
  assert.equal(
    [zipped.headers['Content-Encoding'], zipped.headers['Vary'], plain.headers['Vary']],
    ['gzip', 'Accept-Encoding', 'Accept-Encoding'],
  );
  const again = await engine.serve(
    createRequest('/openapi.json', { headers: { 'if-none-match': plain.headers['ETag'] ?? '' } }),
  );
  assert.equal([again.status, again.body, again.headers['ETag']], [304, null, plain.headers['ETag']]);
  const head = await engine.serve(createRequest('/openapi.json', { method: 'HEAD' }));
  assert.equal(
    [head.status, head.body, head.headers['Content-Length']],
    [200, null, String(textOf(plain).length)],
  );
});

documents('is made once for each table and language', async () => {
  const engine = open({ prefixes: ['en', 'fr'], catalogues: { fr: { Greet: 'Saluer' } } });
  const read = async (language: string): Promise<WireResponse['body']> =>
    (await engine.serve(createRequest('/openapi.json', { language }))).body;
  const [english, french] = [await read('en'), await read('fr')];
  assert.match(Buffer.from(english ?? '').toString(), '"summary":"Greet"');
  assert.match(Buffer.from(french ?? '').toString(), '"summary":"Saluer"');
  assert.is(await read('en'), english);
  engine.register(createHello('later'));
  assert.match(Buffer.from((await read('en')) ?? '').toString(), '/later/it');
});

documents('needs the permission that the option gives', async () => {
  const engine = open({
    openapi: { permission: 'read_docs' },
    capabilities: new Set(['read_docs']),
    authenticate: () => ({ id: 1, role: 'reader', capabilities: new Set(['read_docs']) }),
  });
  const anonymous = open({ openapi: { permission: 'read_docs' }, capabilities: new Set(['read_docs']) });
  for (const path of ['/openapi.json', '/reference', '/reference/start.js']) {
    assert.is((await engine.serve(createRequest(path))).status, 200);
    const refused = await anonymous.serve(createRequest(path));
    assert.equal([refused.status, codeOf(refused)], [401, 'rest_forbidden']);
  }
  assert.match(
    refusalOf(() => open({ openapi: { permission: 'raed_docs' } })),
    'unknown permission "raed_docs"',
  );
});

documents('shows the ways to log in, if an operation needs one', async () => {
  const closed = defineNamespace(
    {
      namespace: 'closed',
      routes: [{ pattern: '/closed/it', endpoints: [{ ...endpoint, permission: 'edit' }] }],
    } as const,
    { greet: () => 1 },
  );
  const schemes = async (options: EngineOptions): Promise<object | undefined> =>
    parse(await open(options).serve(createRequest('/openapi.json'))).components.securitySchemes;
  assert.is(await schemes({}), undefined);
  const login = { capabilities: new Set(['edit']), namespaces: [closed] };
  assert.equal(Object.keys((await schemes(login)) ?? {}), ['applicationPassword']);
  const securitySchemes = { session: { type: 'apiKey', in: 'cookie', name: 'sid' } };
  assert.equal(await schemes({ ...login, securitySchemes }), securitySchemes);
  assert.match(
    textOf(await open({ ...login, securitySchemes }).serve(createRequest('/openapi.json'))),
    '"security":[{"session":[]}]',
  );
});

documents('invalid options are refused by name', () => {
  const refused = (options: object): string => refusalOf(() => open(options));
  assert.match(
    refused({ openapi: 'yes' }),
    'openapi of the options of createEngine is "yes"; it must be true, false or an object',
  );
  assert.match(
    refused({ openapi: { path: '/a' } }),
    'unknown member "path" of openapi of createEngine; the members are title, version, permission, document, page',
  );
  assert.match(refused({ openapi: { title: '' } }), 'title of openapi of createEngine is ""');
  for (const path of ['/', 'docs', '/docs/', '/do cs', true])
    assert.match(
      refused({ openapi: { page: path } }),
      'it must be false, or a path below the API such as "/openapi.json", without a trailing slash',
    );
  assert.match(
    refused({ openapi: { document: false } }),
    'document of openapi of createEngine is false; it must be a path below the API',
  );
  assert.match(
    refused({ openapi: { document: '/batch/v1' } }),
    'batch and document of the options of createEngine are both "/batch/v1"; they must be different paths',
  );
  assert.match(
    refused({ openapi: { document: '/a', page: '/a' } }),
    'document and page of the options of createEngine are both "/a"',
  );
  assert.match(refused({ namespaces: [createHello('reference')] }), '/reference');
  assert.match(
    refused({ securitySchemes: { 'a b': { type: 'http' } } }),
    'a b: the name is not a name of letters',
  );
  assert.match(refused({ securitySchemes: { a: { type: 'basic' } } }), 'one of apiKey, http');
});

documents.run();

const page = suite('reference');

page('shows the document below its own address, whatever the base and the names of its options', async () => {
  const wire = await open({
    base: '/api',
    openapi: { title: 'A <b> & "c"', page: '/docs', document: '/docs.json' },
  }).serve(createRequest('/docs?namespace=hello'));
  assert.equal([wire.status, wire.headers['Content-Type']], [200, 'text/html; charset=UTF-8']);
  assert.match(textOf(wire), '<title>A &lt;b&gt; &amp; &quot;c&quot;</title>');
  assert.match(textOf(wire), 'data-document="/api/docs.json?namespace=hello"');
  assert.equal(
    [...textOf(wire).matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address),
    [
      'data:,',
      '/api/docs/swagger-ui.css',
      '/api/docs.json?namespace=hello',
      '/api/docs/swagger-ui-bundle.js',
      '/api/docs/start.js',
    ],
  );
});

page('runs only scripts and styles of its own origin', async () => {
  const { headers } = await open().serve(createRequest('/reference'));
  assert.match(
    headers['Content-Security-Policy'] ?? '',
    /^default-src 'none'; script-src 'self'; style-src 'self';/,
  );
  assert.not.match(headers['Content-Security-Policy'] ?? '', /unsafe|\*|https?:/);
});

page('reads each file once, also when many ask at the same time', async () => {
  const tools = createTools();
  const engine = open({}, tools);
  const ask = (name: string) => engine.serve(createRequest(`/reference/${name}`));
  const [style, script, start] = await Promise.all(
    ['swagger-ui.css', 'swagger-ui-bundle.js', 'start.js', 'swagger-ui.css'].map(ask),
  );
  assert.equal(
    [style, script, start].map((wire) => [wire?.status, wire?.headers['Content-Type']?.split(';')[0]]),
    [
      [200, 'text/css'],
      [200, 'text/javascript'],
      [200, 'text/javascript'],
    ],
  );
  assert.is(textOf(style as WireResponse), 'content of static/swagger-ui.css');
  assert.match(textOf(start as WireResponse), 'SwaggerUIBundle(');
  assert.is(tools.read.length, 2);
  for (const name of ['package.json', 'toString', '..', '%2e%2e'])
    assert.is((await ask(name)).status, 404, name);
});

page('names the package that is missing', async () => {
  for (const tools of [null, { readPackageFile: async () => null }]) {
    const engine = open({}, tools);
    for (const path of ['/reference', '/reference/swagger-ui.css']) {
      const wire = await engine.serve(createRequest(path));
      assert.equal([wire.status, codeOf(wire)], [501, 'rest_no_reference_page']);
      assert.match(textOf(wire), '@fastify/swagger-ui');
    }
    assert.is((await engine.serve(createRequest('/openapi.json'))).status, 200);
  }
});

page('is not served if it is switched off', async () => {
  const engine = open({ openapi: { page: false } });
  assert.equal(
    [
      (await engine.serve(createRequest('/openapi.json'))).status,
      (await engine.serve(createRequest('/reference'))).status,
    ],
    [200, 404],
  );
});

page.run();
