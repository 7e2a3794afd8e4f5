import Ajv2020 from 'ajv/dist/2020.js';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { toNamespace } from '../../../lib/index.ts';
import type {
  EndpointDescriptor,
  NamespaceDescriptor,
  RouteDescriptor,
} from '../../../lib/route/descriptor.ts';
import type { ArgSchemas } from '../../../lib/schema/schema-dialect.ts';
import { createSite, WORDPRESS_NAMES } from '../../../registry/index.ts';
import { createTestPorts } from '../../support/ports.ts';
import { refusalOf } from '../../support/refusal.ts';
import { createTestEngine } from '../../support/site.ts';

interface Operation {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly deprecated?: boolean;
  readonly security: readonly object[];
  readonly parameters: readonly {
    readonly $ref?: string;
    readonly name: string;
    readonly in: string;
    readonly required: boolean;
    readonly schema: { readonly type?: string; readonly description?: string };
  }[];
  readonly requestBody?: {
    readonly required: boolean;
    readonly content: Readonly<
      Record<
        string,
        {
          readonly encoding?: object;
          readonly schema: {
            readonly type?: unknown;
            readonly properties: object;
            readonly required?: readonly string[];
          };
        }
      >
    >;
  };
  readonly responses: Readonly<
    Record<
      string,
      { readonly headers?: object; readonly content?: Readonly<Record<string, { readonly schema: unknown }>> }
    >
  >;
}

interface OpenApi {
  readonly openapi: string;
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly securitySchemes: object;
    readonly schemas: Readonly<
      Record<
        string,
        { readonly properties?: Readonly<Record<string, { readonly enum?: readonly string[] }>> }
      >
    >;
    readonly responses: Readonly<Record<string, { readonly content: object }>>;
  };
}

const ASKED = { title: 'Site', version: '1', language: 'en', siteUrl: 'http://site.test' } as const;

/** The document of one namespace with one route. */
function describeRoute(
  endpoint: Omit<EndpointDescriptor, 'handler' | 'permission'>,
  parts: Partial<NamespaceDescriptor & RouteDescriptor> = {},
): OpenApi {
  const { resources = {}, ...route } = parts;
  const engine = createTestEngine([
    toNamespace(
      {
        namespace: 'probe/v1',
        resources,
        routes: [
          {
            pattern: '/probe/v1/words',
            ...route,
            endpoints: [{ ...endpoint, handler: 'work', permission: 'public' }],
          },
        ],
      },
      { work: () => [] },
    ),
  ]);
  return JSON.parse(JSON.stringify(engine.describeOpenApi(ASKED))) as OpenApi;
}

async function describe(language: string): Promise<OpenApi> {
  const { engine, close } = await createSite({ store: createTestPorts().store });
  const document = engine.describeOpenApi({ ...ASKED, language });
  await close();
  return JSON.parse(JSON.stringify(document)) as OpenApi;
}

/** To make a site takes long. */
const english = describe('en');

const openapi = suite('describeOpenApi');

openapi('describes every method and route once', async () => {
  const { openapi: version, servers, paths } = await english;
  const operations = Object.values(paths).flatMap((item) => Object.values(item));
  assert.is(version, '3.1.0');
  assert.equal(servers, [{ url: 'http://site.test/en/cms-json' }]);
  assert.is(Object.keys(paths).length, 97);
  assert.is(operations.length, 123);
  assert.is(new Set(operations.map((operation) => operation.operationId)).size, operations.length);
});

openapi('names each group of a pattern as a path parameter, and no other', async () => {
  const { paths } = await english;
  for (const [path, item] of Object.entries(paths)) {
    const groups = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    assert.not.match(path, /\(\?P/);
    for (const { parameters } of Object.values(item))
      assert.equal(
        parameters.filter((each) => each.in === 'path').map((each) => each.name),
        groups,
        path,
      );
  }
});

openapi('puts the parameters of a write into its body', async () => {
  const { paths } = await english;
  const create = paths['/cms/v2/posts']?.['post'];
  assert.ok(create?.requestBody?.content['application/json']?.schema.properties);
  assert.equal(paths['/batch/v1']?.['post']?.requestBody?.content['application/json']?.schema.required, [
    'requests',
  ]);
  assert.is(paths['/cms/v2/posts']?.['get']?.requestBody, undefined);
});

openapi('says which operations are open to everybody', async () => {
  const { paths } = await english;
  // A public endpoint takes logins as well: `users/me` answers only to them.
  for (const path of ['/seo/v1/get_head', '/batch/v1'])
    assert.equal(Object.values(paths[path] ?? {})[0]?.security, [{ applicationPassword: [] }, {}]);
  assert.equal(paths['/seo/v1/workouts']?.['get']?.security, [{ applicationPassword: [] }]);
  assert.equal(paths['/cms/v2/posts/{id}']?.['get']?.security, [{ applicationPassword: [] }, {}]);
});

openapi('shows bearer tokens as a login where a site takes them', async () => {
  const schemes = async (options: object): Promise<readonly string[]> => {
    const { engine, close } = await createSite({ store: createTestPorts().store, ...options });
    const { components, paths } = JSON.parse(JSON.stringify(engine.describeOpenApi(ASKED))) as OpenApi;
    await close();
    assert.equal(
      paths['/seo/v1/workouts']?.['get']?.security,
      Object.keys(components.securitySchemes).map((name) => ({ [name]: [] })),
    );
    return Object.keys(components.securitySchemes);
  };
  assert.equal(await schemes({}), ['applicationPassword']);
  assert.equal(await schemes({ bearer: () => null }), ['applicationPassword', 'bearer']);
});

openapi('speaks the language that is asked for', async () => {
  const text = async (language: string): Promise<string | undefined> =>
    (await describe(language)).paths['/cms/v2/posts']?.['get']?.parameters.find(
      (each) => each.name === 'page',
    )?.schema.description;
  assert.is.not(await text('en'), await text('fr'));
});

openapi('writes every schema as JSON Schema 2020-12, as OpenAPI 3.1 has it', async () => {
  const ajv = new Ajv2020.default({ strict: false, logger: false });
  const wrong: string[] = [];
  const visit = (value: unknown, place: string): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [name, part] of Object.entries(value)) {
      if (name === 'schema' && ajv.validateSchema(part as object) !== true)
        wrong.push(`${place}: ${ajv.errorsText()}`);
      visit(part, `${place}/${name}`);
    }
  };
  const document = await english;
  visit(document.paths, '');
  for (const schema of Object.values(document.components.schemas)) visit({ schema }, 'components');
  assert.equal(wrong, []);
});

openapi('names formats of JSON Schema alone, which every client knows', async () => {
  const { engine, close } = await createSite({ store: createTestPorts().store, content: 'core' });
  const formats = JSON.stringify(engine.describeOpenApi(ASKED)).matchAll(/"format":"([^"]*)"/g);
  await close();
  assert.equal([...new Set([...formats].map(([, name]) => name))].sort(), [
    'date',
    'email',
    'ipv4',
    'ipv6',
    'uuid',
  ]);
  const { components } = describeRoute(
    { methods: ['GET'], args: {} },
    {
      resource: 'word',
      resources: {
        word: { title: 'word', properties: { from: { type: ['string', 'null'], format: 'ip' } } },
      },
    },
  );
  const type = ['string', 'null'];
  assert.equal(components.schemas['word']?.properties?.['from'], {
    anyOf: [
      { type, format: 'ipv4' },
      { type, format: 'ipv6' },
    ],
  });
});

openapi('says how each parameter is written', async () => {
  const parameters = (await describe('en')).paths['/cms/v2/posts']?.['get']?.parameters ?? [];
  const spellingOf = (wanted: string) => {
    const { style, explode, content } = parameters.find(({ name }) => name === wanted) as {
      readonly style?: string;
      readonly explode?: boolean;
      readonly content?: object;
    };
    return content === undefined ? `${style} ${explode}` : Object.keys(content).join();
  };
  assert.equal(
    ['page', 'include', 'status', 'categories', 'tags_exclude', 'categories[terms]', 'tags[operator]'].map(
      spellingOf,
    ),
    [
      'undefined undefined',
      'form false',
      'form false',
      'form false',
      'form false',
      'form false',
      'undefined undefined',
    ],
  );
});

openapi('describes what an endpoint reads beyond its declared parameters', async () => {
  const { paths } = await english;
  const signed =
    paths['/secscan/v1/authenticate']?.['post']?.requestBody?.content['application/json']?.schema;
  assert.ok(Object.keys(signed?.properties ?? {}).length > 1);
  const cancel = paths['/ml/tm/v1/jobs/cancel']?.['post']?.requestBody;
  assert.equal(cancel?.content['application/json']?.schema.type, ['array', 'object']);
  assert.equal(Object.keys(cancel?.content['application/x-www-form-urlencoded']?.schema.properties ?? {}), [
    'jobs',
    'ml_language',
  ]);
});

openapi('holds what clients send to limits, and says none of what the server answers', async () => {
  const list = { type: 'array', items: { type: 'string' } } as const;
  const { paths } = describeRoute({ methods: ['POST'], args: { words: list }, answers: { 200: list } });
  const operation = paths['/probe/v1/words']?.['post'];
  assert.match(JSON.stringify(operation?.requestBody), '"maxItems":100');
  assert.not.match(JSON.stringify(operation?.responses), 'maxItems');
});

const answerOf = ({ paths }: OpenApi, [path, method]: readonly [string, string], status = '2XX'): unknown =>
  paths[path]?.[method]?.responses[status]?.content?.['application/json']?.schema;

openapi('says in which forms an endpoint shows its resource', async () => {
  const document = await english;
  const post = { $ref: '#/components/schemas/post' };
  const revision = { $ref: '#/components/schemas/post-revision' };
  const removal = (previous: object): object => ({
    type: 'object',
    required: ['deleted', 'previous'],
    properties: { deleted: { type: 'boolean', enum: [true] }, previous },
  });
  assert.equal(answerOf(document, ['/cms/v2/posts', 'get']), { type: 'array', items: post });
  assert.equal(answerOf(document, ['/cms/v2/posts', 'post'], '201'), post);
  assert.equal(answerOf(document, ['/cms/v2/posts/{id}', 'get']), post);
  assert.equal(answerOf(document, ['/cms/v2/posts/{id}', 'delete']), { anyOf: [post, removal(post)] });
  assert.equal(answerOf(document, ['/cms/v2/posts/{parent}/revisions/{id}', 'delete']), removal(revision));
  assert.equal(answerOf(document, ['/cms/v2/posts/{id}/autosaves', 'get']), {
    type: 'array',
    items: revision,
  });
});

openapi('leaves the form open where an endpoint does not say it', () => {
  const word = { $ref: '#/components/schemas/word' };
  const document = describeRoute(
    { methods: ['GET'], args: {} },
    { resource: 'word', resources: { word: { title: 'word', properties: {} } } },
  );
  assert.equal(answerOf(document, ['/probe/v1/words', 'get']), {
    anyOf: [word, { type: 'array', items: word }, { type: 'object' }],
  });
});

openapi('says items and counts of a list side by side', () => {
  const { paths } = describeRoute({
    methods: ['POST'],
    args: { ids: { type: 'array', items: { type: 'integer' }, minItems: 1, uniqueItems: true } },
  });
  const ids = { type: 'array', items: { type: 'integer' }, minItems: 1, maxItems: 100, uniqueItems: true };
  assert.equal(
    paths['/probe/v1/words']?.['post']?.requestBody?.content['application/json']?.schema.properties,
    { ids },
  );
});

openapi('writes dates as a pattern that a date without a zone fits', async () => {
  const text = JSON.stringify(await english);
  assert.not.match(text, '"date-time"');
  const { paths } = describeRoute({
    methods: ['POST'],
    args: { day: { type: 'string', format: 'date-time' } },
  });
  const members =
    paths['/probe/v1/words']?.['post']?.requestBody?.content['application/json']?.schema.properties ?? {};
  const [day] = Object.values(members) as readonly { readonly pattern: string }[];
  const fits = (date: string): boolean => new RegExp(day?.pattern ?? '', 'u').test(date);
  assert.equal(
    [
      '2026-11-22T03:36:10',
      '2026-11-22t03:36:10z',
      '2026-11-22 03:36:10+01:00',
      '2026-13-22T03:36:10',
      'today',
    ].map(fits),
    [true, true, true, false, false],
  );
});

openapi('takes a text for an object with a raw text, in forms a text alone', async () => {
  const { paths, components } = await english;
  const content = paths['/cms/v2/posts']?.['post']?.requestBody?.content ?? {};
  const titleOf = (type: string): unknown =>
    Object.entries(content[type]?.schema.properties ?? {}).find(([name]) => name === 'title')?.[1];
  const title = { description: 'Title of the post.' };
  const members = {
    type: 'object',
    properties: { raw: { type: 'string' }, rendered: { type: 'string', readOnly: true } },
  };
  assert.equal(titleOf('application/json'), { anyOf: [{ type: 'string' }, members], ...title });
  assert.equal(titleOf('application/x-www-form-urlencoded'), { type: 'string', ...title });
  assert.equal(
    content['application/x-www-form-urlencoded']?.encoding,
    Object.fromEntries(
      ['meta', 'categories', 'tags', 'ml_translations'].map((name) => [
        name,
        { contentType: 'application/json' },
      ]),
    ),
  );
  assert.is(
    components.schemas['post']?.properties?.['title'] !== undefined &&
      'anyOf' in components.schemas['post'].properties['title'],
    false,
  );
});

openapi('offers no form for a body that is one list and nothing else', () => {
  const body = { type: 'array', items: { type: 'object' }, required: true } as const;
  const contentOf = (members: ArgSchemas): readonly string[] =>
    Object.keys(
      describeRoute({ methods: ['POST'], args: {}, bodyForm: 'array', body: { body, ...members } }).paths[
        '/probe/v1/words'
      ]?.['post']?.requestBody?.content ?? {},
    );
  assert.equal(contentOf({}), ['application/json']);
  assert.equal(contentOf({ words: body }), ['application/json', 'application/x-www-form-urlencoded']);
});

openapi('names what all reads and all conditional writes take and answer', async () => {
  const { paths, components } = await english;
  const shared = (path: string, method: string): readonly string[] =>
    (paths[path]?.[method]?.parameters ?? []).flatMap(
      ({ $ref }) => $ref?.replace('#/components/parameters/', '') ?? [],
    );
  const statuses = (path: string, method: string): readonly string[] =>
    Object.keys(paths[path]?.[method]?.responses ?? {}).sort();
  assert.equal(shared('/cms/v2/posts', 'get'), ['fields', 'embed', 'ifNoneMatch']);
  assert.equal(shared('/seo/v1/get_head', 'get'), ['embed', 'ifNoneMatch']);
  assert.equal(shared('/cms/v2/posts', 'post'), []);
  assert.equal(shared('/cms/v2/posts/{id}', 'put'), ['ifMatch']);
  assert.equal(statuses('/cms/v2/posts', 'get'), ['2XX', '304', 'default']);
  assert.equal(statuses('/cms/v2/posts', 'post'), ['201', 'default']);
  assert.equal(statuses('/cms/v2/posts/{id}', 'delete'), ['2XX', '412', 'default']);
  assert.equal(statuses('/batch/v1', 'post'), ['207', 'default']);
  assert.equal(Object.keys(paths['/cms/v2/posts']?.['get']?.responses['2XX']?.headers ?? {}), [
    'ETag',
    'X-CMS-Total',
    'X-CMS-TotalPages',
  ]);
  assert.equal(Object.keys(components.responses['Error']?.content ?? {}), [
    'application/json',
    'application/problem+json',
  ]);
});

openapi('names the totals as the site does', async () => {
  const { engine, close } = await createSite({ store: createTestPorts().store, names: WORDPRESS_NAMES });
  const { paths } = JSON.parse(JSON.stringify(engine.describeOpenApi(ASKED))) as OpenApi;
  await close();
  assert.equal(Object.keys(paths['/wp/v2/posts']?.['get']?.responses['2XX']?.headers ?? {}), [
    'ETag',
    'X-WP-Total',
    'X-WP-TotalPages',
  ]);
});

openapi('knows the status of a post in the trash, which OPTIONS does not', async () => {
  const { components } = await english;
  assert.ok(components.schemas['post']?.properties?.['status']?.enum?.includes('trash'));
});

openapi('shows what an endpoint says of itself, in the language that is asked for', () => {
  const descriptor = {
    namespace: 'probe/v1',
    routes: [
      {
        pattern: '/probe/v1/words',
        endpoints: [
          {
            methods: ['GET'],
            handler: 'work',
            permission: 'public',
            args: {},
            summary: 'List words',
            description: 'Lists words.',
            tags: ['Words', 'Lists'],
            deprecated: true,
          },
        ],
      },
    ],
  } as const satisfies NamespaceDescriptor;
  const engine = createTestEngine([toNamespace(descriptor, { work: () => [] })], {
    catalogues: { fr: { 'List words': 'Lister les mots' } },
  });
  const say = (language: string): readonly unknown[] => {
    const { paths } = JSON.parse(JSON.stringify(engine.describeOpenApi({ ...ASKED, language }))) as OpenApi;
    const operation = paths['/probe/v1/words']?.['get'];
    return [operation?.summary, operation?.description, operation?.tags, operation?.deprecated];
  };
  assert.equal(say('en'), ['List words', 'Lists words.', ['Words', 'Lists'], true]);
  assert.equal(say('fr'), ['Lister les mots', 'Lists words.', ['Words', 'Lists'], true]);
});

openapi('names an operation that has no summary by method and path', () => {
  const { paths } = describeRoute(
    { methods: ['GET', 'DELETE'], args: {} },
    { pattern: '/probe/v1/words/(?P<id>[\\d]+)' },
  );
  assert.equal(
    Object.values(paths['/probe/v1/words/{id}'] ?? {}).map(({ summary }) => summary),
    ['GET /probe/v1/words/{id}', 'DELETE /probe/v1/words/{id}'],
  );
});

openapi('has the namespace as tag of an endpoint that does not name one', () => {
  const { paths } = describeRoute({ methods: ['GET'], args: {} });
  assert.equal(
    [paths['/probe/v1/words']?.['get'], paths['/']?.['get']].map((operation) => [
      operation?.tags,
      operation?.deprecated,
    ]),
    [
      [['probe/v1'], undefined],
      [['root'], undefined],
    ],
  );
});

openapi('shows examples at the parameters, the body and the response', () => {
  const args = {
    id: { type: 'integer', required: true },
    words: { type: 'array', items: { type: 'string' } },
    tree: { type: 'object', additionalProperties: true },
  } as const;
  const examples = {
    one: { summary: 'One word', args: { id: 7, words: ['a'] }, answer: { done: true } },
    two: { args: { id: 8, tree: { b: [1] } } },
  } as const;
  const answer = { type: 'object', additionalProperties: true } as const;
  const parts = { pattern: '/probe/v1/(?P<id>[\\d]+)' };
  const describeMethod = (method: 'GET' | 'POST'): Operation =>
    Object.values(
      describeRoute({ methods: [method], args, answers: { 200: answer }, examples }, parts).paths[
        '/probe/v1/{id}'
      ] ?? {},
    )[0] as Operation;
  const shownAt = (operation: Operation, wanted: string): unknown => {
    const { content, ...parameter } = operation.parameters.find(({ name }) => name === wanted) as {
      readonly examples?: object;
      readonly content?: Readonly<Record<string, { readonly examples: object }>>;
    };
    return content?.['application/json']?.examples ?? parameter.examples;
  };
  const get = describeMethod('GET');
  assert.equal(shownAt(get, 'id'), { one: { summary: 'One word', value: 7 }, two: { value: 8 } });
  assert.equal(shownAt(get, 'words'), { one: { summary: 'One word', value: ['a'] } });
  assert.equal(shownAt(get, 'tree'), { two: { value: { b: [1] } } });
  const post = describeMethod('POST');
  const examplesOf = (content: unknown): unknown =>
    (content as Readonly<Record<string, { readonly examples?: unknown }>>)['application/json']?.examples;
  assert.equal(examplesOf(post.requestBody?.content), {
    one: { summary: 'One word', value: { words: ['a'] } },
    two: { value: { tree: { b: [1] } } },
  });
  assert.equal(examplesOf(post.responses['200']?.content), {
    one: { summary: 'One word', value: { done: true } },
  });
});

openapi('shows the list of an example as the whole body where the endpoint reads one list', () => {
  const { paths } = describeRoute({
    methods: ['POST'],
    args: {},
    bodyForm: 'array',
    body: { body: { type: 'array', items: { type: 'integer' } } },
    examples: { one: { args: { body: [1, 2] } } },
  });
  assert.match(
    JSON.stringify(paths['/probe/v1/words']?.['post']?.requestBody),
    '"examples":{"one":{"value":[1,2]}}',
  );
});

openapi('rejects invalid options', () => {
  const engine = createTestEngine([]);
  const ask = (asked: unknown): string => refusalOf(() => engine.describeOpenApi(asked as typeof ASKED));
  assert.is(ask(undefined), 'describeOpenApi: title must be a text');
  assert.is(ask({ ...ASKED, siteUrl: undefined }), 'describeOpenApi: siteUrl must be a text');
  assert.is(ask({ ...ASKED, language: 'xx' }), 'describeOpenApi: language "xx" must be one of en, fr');
  assert.is(
    ask({ ...ASKED, siteUrl: 'http://site.test/' }),
    'describeOpenApi: siteUrl "http://site.test/" must be an http or https address without a trailing slash',
  );
});

openapi.run();
