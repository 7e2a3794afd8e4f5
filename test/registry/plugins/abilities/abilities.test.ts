// Cases of WordPress's own tests of these routes (tests/phpunit/tests/rest-api/wpRestAbilitiesV1*.php), by the names that they have there.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  createErrors,
  defineNamespace,
  pageHeaders,
  RestResponse,
  type Namespace,
} from '../../../../lib/index.ts';
import { abilities, corePlugins, WORDPRESS_NAMES } from '../../../../registry/index.ts';
import { createWholeSite, type Answer, type Asking, type WholeSite } from '../../../support/whole-site.ts';

const USERS = ['administrator', 'editor', 'subscriber'].map((role, at) => ({
  id: at + 1,
  login: role,
  name: role,
  slug: role,
  role,
}));

const testError = createErrors({ test_error: [500, 'This is a test error'] });

const text = { type: 'string', required: true } as const;
const number = { type: 'number', required: true } as const;
const open = { permission: 'public', methods: ['POST'] } as const;
const integer = { type: 'integer' } as const;
const COERCED = {
  count: integer,
  ratio: { type: 'number' },
  flag: { type: 'boolean' },
  word: { type: 'string' },
  tags: { type: 'array', items: { type: 'string' } },
  ids: { type: 'array', items: integer },
  deep: {
    type: 'object',
    properties: {
      b: {
        type: 'object',
        properties: {
          id: integer,
          is_ok: { type: 'boolean' },
          parts: { type: 'array', items: { type: 'string' } },
        },
      },
    },
  },
} as const;

const DESCRIPTOR = {
  namespace: 'test/v1',
  resources: { item: { title: 'item', properties: { id: { type: 'integer' } } } },
  routes: [
    {
      pattern: '/test/v1/calculator',
      endpoints: [
        {
          methods: ['POST'],
          handler: 'test.calculator',
          permission: 'edit_posts',
          summary: 'Calculator',
          description: 'Performs calculations',
          tags: ['math'],
          args: { a: number, b: number },
          answers: { 200: { type: 'number' } },
        },
      ],
    },
    {
      pattern: '/test/v1/users/(?P<user_id>[\\d]+)',
      endpoints: [
        { methods: ['GET'], handler: 'test.userInfo', permission: 'read', args: { user_id: integer } },
        { methods: ['DELETE'], handler: 'test.deleteUser', permission: 'read', args: { user_id: integer } },
      ],
    },
    {
      pattern: '/test/v1/restricted',
      endpoints: [
        {
          methods: ['POST'],
          handler: 'test.restricted',
          permission: 'test.secret',
          args: { secret: text, data: text },
        },
      ],
    },
    { pattern: '/test/v1/hidden', endpoints: [{ ...open, handler: 'test.hidden', tool: false, args: {} }] },
    { pattern: '/test/v1/null', endpoints: [{ ...open, handler: 'test.nullReturn', args: {} }] },
    { pattern: '/test/v1/error', endpoints: [{ ...open, handler: 'test.errorReturn', args: {} }] },
    { pattern: '/test/v1/throws', endpoints: [{ ...open, handler: 'test.throws', args: {} }] },
    { pattern: '/test/v1/search', endpoints: [{ ...open, handler: 'test.find', tool: 'search', args: {} }] },
    { pattern: '/test/v1/a', endpoints: [{ ...open, handler: 'test.empty-map', args: {} }] },
    { pattern: '/test/v1/b', endpoints: [{ ...open, handler: 'test.empty.map', args: {} }] },
    {
      pattern: '/test/v1/reflect',
      endpoints: [
        { methods: ['GET'], handler: 'test.reflect', permission: 'public', args: COERCED },
        { methods: ['POST'], handler: 'test.typed', permission: 'public', args: COERCED },
      ],
    },
    {
      pattern: '/test/v1/echo',
      endpoints: [{ ...open, handler: 'test.echo', args: { echo: { type: 'object' } } }],
    },
    {
      pattern: '/test/v1/items',
      resource: 'item',
      endpoints: [
        {
          methods: ['GET'],
          handler: 'test.paginated',
          permission: 'public',
          shows: ['page'],
          args: {
            page: { type: 'integer', minimum: 1, default: 1 },
            per_page: { type: 'integer', minimum: 1, default: 2 },
          },
        },
      ],
    },
  ],
} as const;

const TOTAL = 5;

const createTestNamespace = (): Namespace =>
  defineNamespace(
    DESCRIPTOR,
    {
      'test.calculator': ({ a, b }) => a + b,
      'test.userInfo': ({ user_id: id }) => ({ id, type: typeof id }),
      'test.deleteUser': () => 'User successfully deleted!',
      'test.restricted': ({ data }) => `Success: ${data}`,
      'test.hidden': () => 0,
      'test.nullReturn': () => null,
      'test.errorReturn': () => testError('test_error'),
      'test.throws': () => {
        throw new TypeError('a secret of the program');
      },
      'test.find': () => 'found',
      'test.empty-map': () => ({}),
      'test.empty.map': () => [],
      'test.reflect': (args) => args,
      'test.typed': (args) => args,
      'test.echo': ({ echo }) => echo,
      'test.paginated': ({ page, per_page: perPage }, call) => {
        const left = Math.max(0, Math.min(perPage, TOTAL - (page - 1) * perPage));
        const items = Array.from({ length: left }, (_none, at) => ({ id: at }));
        return new RestResponse(items, { headers: pageHeaders(call, { page, perPage, total: TOTAL }) });
      },
    },
    { permissions: { 'test.secret': ({ secret }) => secret === 'valid_secret' } },
  );

const BASE = '/wp-abilities/v1';

async function inSite(run: (site: WholeSite) => Promise<void>): Promise<void> {
  const site = await createWholeSite({
    fixture: { site: { name: 'Abilities', timezone_string: 'UTC' }, users: USERS },
    content: 'core',
    names: WORDPRESS_NAMES,
    plugins: [...corePlugins, abilities],
    namespaces: [createTestNamespace()],
  });
  try {
    await run(site);
  } finally {
    await site.close();
  }
}

/** What is asked: a path below the namespace, or a whole request. And what comes. */
type Row = readonly [
  name: string,
  asked: string | Asking,
  status: number,
  expected?: Readonly<Record<string, unknown>> | ((answer: Answer) => void) | string,
];

const asks = (path: string): string => `${BASE}/${path}`;
const runs = (name: string, query = ''): string => `abilities/test/${name}/run${query}`;
const posts = (name: string, input?: unknown, as = 'editor'): Asking => ({
  method: 'POST',
  target: asks(runs(name)),
  as,
  body: input === undefined ? {} : { input },
});
const sends = (method: string, path: string, as: string | null = 'editor'): Asking => ({
  method,
  target: asks(path),
  as,
});
const is =
  (body: unknown) =>
  (answer: Answer): void =>
    assert.equal(answer.body, body);
const listed = ({ body }: Answer): readonly Readonly<Record<string, unknown>>[] => body as [];

const LINKS = ({ body }: Answer): Readonly<Record<string, readonly [{ readonly href: string }]>> =>
  (body as { _links: Record<string, readonly [{ readonly href: string }]> })._links;

const COERCIONS: readonly (readonly [query: string, expected: unknown])[] = [
  ['input[count]=10', { count: 10 }],
  ['input[flag]=true', { flag: true }],
  ['input[flag]=false', { flag: false }],
  ['input[tags]=a,b', { tags: ['a', 'b'] }],
  ['input[count]=10&input[flag]=true&input[tags]=a,b', { count: 10, flag: true, tags: ['a', 'b'] }],
  ['input[tags][]=a&input[tags][]=b', { tags: ['a', 'b'] }],
  ['input[tags][0]=a&input[tags][1]=b', { tags: ['a', 'b'] }],
  ['input[ratio]=3.5', { ratio: 3.5 }],
  ['input[word]=10', { word: '10' }],
  ['input[ids]=1,2,3', { ids: [1, 2, 3] }],
  [
    'input[deep][b][id]=22&input[deep][b][is_ok]=true&input[deep][b][parts]=x,y',
    { deep: { b: { id: 22, is_ok: true, parts: ['x', 'y'] } } },
  ],
  ['', {}],
  ['input=', {}],
];

const TYPED = { count: 10, flag: true, tags: ['a', 'b'] };
const ECHOED = {
  null: null,
  true: true,
  false: false,
  int: 123,
  float: 123.456,
  empty: '',
  zero: 0,
  negative: -1,
  utf8: 'Hello 世界',
  emoji: '🎉🎊🎈',
  html: '<script>alert("xss")</script>',
  newlines: 'line1\nline2\rline3\r\nline4',
};

const INVALID_PAGES = [
  'page=0',
  'page=-1',
  'page=abc',
  'per_page=0',
  'per_page=-10',
  'per_page=1000',
  'per_page=all',
];

const RUNS: readonly Row[] = [
  ['execute_regular_ability_post', posts('calculator', { a: 5, b: 3 }), 200, is(8)],
  ['execute_readonly_ability_get', runs('user-info', '?input[user_id]=2'), 200, { id: 2, type: 'number' }],
  [
    'execute_destructive_ability_delete',
    sends('DELETE', runs('delete-user', '?input[user_id]=2')),
    200,
    is('User successfully deleted!'),
  ],
  ['regular_ability_requires_post', runs('calculator'), 405, 'rest_ability_invalid_method'],
  ['readonly_ability_requires_get', posts('user-info', { user_id: 1 }), 405, 'rest_ability_invalid_method'],
  [
    'destructive_ability_requires_delete',
    posts('delete-user', { user_id: 1 }),
    405,
    'rest_ability_invalid_method',
  ],
  [
    'execution_permission_denied',
    posts('calculator', { a: 5, b: 3 }, 'subscriber'),
    403,
    'rest_ability_cannot_execute',
  ],
  [
    'execution_permission_denied, nobody',
    { ...posts('calculator', { a: 5, b: 3 }), as: null },
    401,
    'rest_ability_cannot_execute',
  ],
  [
    'contextual_permission_check',
    posts('restricted', { secret: 'wrong', data: 'x' }),
    403,
    'rest_ability_cannot_execute',
  ],
  [
    'contextual_permission_check, valid',
    posts('restricted', { secret: 'valid_secret', data: 'test data' }),
    200,
    is('Success: test data'),
  ],
  ['do_not_show_in_rest', posts('hidden'), 404, 'rest_ability_not_found'],
  ['null_return_handling', posts('null-return'), 200, is(null)],
  ['wp_error_return_handling', posts('error-return'), 500, 'test_error'],
  [
    'execute_non_existent_ability',
    sends('POST', 'abilities/non/existent/run'),
    404,
    'rest_ability_not_found',
  ],
  [
    'run_endpoint_schema',
    sends('OPTIONS', runs('calculator')),
    200,
    ({ body }) => {
      const { schema } = body as { schema: { title: string; type: string; properties: object } };
      assert.equal(
        [schema.title, schema.type, Object.keys(schema.properties)],
        ['ability-execution', 'object', ['result']],
      );
    },
  ],
  ['get_request_with_non_array_input', runs('reflect', '?input=not-an-array'), 400, 'ability_invalid_input'],
  ['post_request_with_non_array_input', posts('calculator', 'string-value'), 400, 'ability_invalid_input'],
  [
    'input_validation_failure_returns_error',
    posts('calculator', { other: 1 }),
    400,
    ({ body }) => {
      const { code, message } = body as { code: string; message: string };
      assert.is(code, 'ability_invalid_input');
      assert.is(
        message,
        'Ability "test/calculator" has invalid input. Reason: a is a required property of input. b is a required property of input.',
      );
    },
  ],
  ['input_validation_failure_returns_error, in the path', runs('user-info'), 400, 'ability_invalid_input'],
  ['invalid_input_returns_400', runs('reflect', '?input[count]=not-a-number'), 400, 'ability_invalid_input'],
  [
    'input beside the member input is named',
    runs('reflect', '?count=1'),
    400,
    ({ body }) => {
      const { code, message } = body as { code: string; message: string };
      assert.is(code, 'ability_invalid_input');
      assert.match(message, 'input[count]');
    },
  ],
  [
    'input beside the member input, in a body',
    { ...posts('calculator'), body: { a: 1, b: 2 } },
    400,
    'ability_invalid_input',
  ],
  [
    'an unknown name has the nearest one beside it',
    posts('calculater', {}),
    404,
    ({ body }) => assert.match((body as { message: string }).message, '"test/calculator"'),
  ],
  ['empty_input_handling_get_method', runs('reflect'), 200, is({})],
  ['empty_input_handling_post_method', posts('typed'), 200, is({})],
  ['empty_array_result_matches_the_output_schema, object', posts('empty-map'), 200, is({})],
  ['empty_array_result_matches_the_output_schema, array', posts('empty-map-2'), 200, is([])],
  ['post_typed_input_is_unchanged', posts('typed', TYPED), 200, is(TYPED)],
  ['php_type_strings_in_input, mixed_encoding_in_input', posts('echo', { echo: ECHOED }), 200, is(ECHOED)],
  ...['PATCH', 'PUT', 'DELETE', 'HEAD'].map((method): Row => [
    `invalid_http_methods, ${method}`,
    sends(method, runs('null-return')),
    405,
    ({ headers }) => assert.is(headers['Allow'], 'POST'),
  ]),
  ['options_method_handling', sends('OPTIONS', runs('calculator')), 200],
  ...COERCIONS.map(([query, expected]): Row => [
    `get_input_is_coerced, ${query}`,
    runs('reflect', `?${query}`),
    200,
    is(expected),
  ]),
  [
    'emits_total_headers',
    runs('paginated', '?input[per_page]=2'),
    200,
    ({ headers }) => assert.equal([headers['X-WP-Total'], headers['X-WP-TotalPages']], ['5', '3']),
  ],
  [
    'body_is_returned_unchanged',
    runs('paginated'),
    200,
    is({ items: [{ id: 0 }, { id: 1 }], total: 5, total_pages: 3 }),
  ],
  [
    'out_of_range_page_returns_400',
    runs('paginated', '?input[per_page]=2&input[page]=99'),
    400,
    'rest_ability_invalid_page_number',
  ],
  [
    'last_page_is_allowed',
    runs('paginated', '?input[page]=3'),
    200,
    is({ items: [{ id: 0 }], total: 5, total_pages: 3 }),
  ],
  // Not in WordPress: HEAD wherever there is GET, and no text of a bug for anybody.
  ['HEAD of an ability that reads', sends('HEAD', runs('reflect')), 200],
  ['callback exception', posts('throws'), 500, ({ text: sent }) => assert.not.match(sent, 'secret')],
];

const LISTS: readonly Row[] = [
  [
    'get_items',
    'abilities',
    200,
    (answer) => {
      assert.is(listed(answer).length, 50);
      assert.not(listed(answer).some(({ name }) => name === 'test/hidden'));
    },
  ],
  [
    'get_item',
    'abilities/test/calculator',
    200,
    ({ body }) => {
      const {
        _links: links,
        input_schema: input,
        output_schema: output,
        meta,
        ...others
      } = body as Record<string, unknown>;
      assert.equal(others, {
        name: 'test/calculator',
        label: 'Calculator',
        description: 'Performs calculations',
        category: 'math',
      });
      assert.equal((input as { required: unknown }).required, ['a', 'b']);
      assert.equal(output, { type: 'number' });
      assert.equal(meta, {
        annotations: { readonly: false, destructive: false, idempotent: false },
        public: true,
        show_in_rest: true,
      });
      assert.ok(links);
    },
  ],
  [
    'get_item_with_selected_fields',
    'abilities/test/calculator?_fields=name,label',
    200,
    is({ name: 'test/calculator', label: 'Calculator' }),
  ],
  [
    'get_item_with_embed_context',
    'abilities/test/calculator?context=embed',
    200,
    ({ body }) => assert.equal(Object.keys(body as object), ['name', 'label', 'category', '_links']),
  ],
  ['get_item_not_found', 'abilities/non/existent', 404, 'rest_ability_not_found'],
  ['get_item_not_show_in_rest', 'abilities/test/hidden', 404, 'rest_ability_not_found'],
  ['get_items_permission_denied', sends('GET', 'abilities', null), 401, 'rest_forbidden'],
  [
    'pagination_headers',
    'abilities?per_page=10&namespace=test',
    200,
    ({ headers }) => assert.equal([headers['X-WP-Total'], headers['X-WP-TotalPages']], ['14', '2']),
  ],
  [
    'head_request',
    sends('HEAD', 'abilities?namespace=test'),
    200,
    ({ headers, text: sent }) => assert.equal([headers['X-WP-Total'], sent], ['14', '']),
  ],
  [
    'pagination_links, first',
    'abilities?per_page=10',
    200,
    ({ headers: { Link = '' } }) =>
      assert.equal([/rel="next"/.test(Link), /rel="prev"/.test(Link)], [true, false]),
  ],
  [
    'pagination_links, middle',
    'abilities?per_page=10&page=3',
    200,
    ({ headers: { Link = '' } }) =>
      assert.equal([/rel="next"/.test(Link), /rel="prev"/.test(Link)], [true, true]),
  ],
  [
    'pagination_links, last',
    'abilities?per_page=10&page=2&namespace=test',
    200,
    ({ headers: { Link = '' } }) =>
      assert.equal([/rel="next"/.test(Link), /rel="prev"/.test(Link)], [false, true]),
  ],
  [
    'collection_params',
    'abilities?per_page=6&page=3&namespace=test',
    200,
    (answer) => assert.is(listed(answer).length, 2),
  ],
  [
    'ability_response_links',
    'abilities/test/calculator',
    200,
    (answer) => {
      const { self, collection, 'wp:action-run': run } = LINKS(answer);
      assert.ok(self?.[0].href.endsWith('/wp-abilities/v1/abilities/test/calculator'));
      assert.ok(collection?.[0].href.endsWith('/wp-abilities/v1/abilities'));
      assert.ok(run?.[0].href.endsWith('/wp-abilities/v1/abilities/test/calculator/run'));
    },
  ],
  [
    'get_schema',
    sends('OPTIONS', 'abilities'),
    200,
    ({ body }) => {
      const { schema } = body as { schema: { title: string; properties: object } };
      assert.equal([schema.title, Object.keys(schema.properties).length], ['ability', 7]);
    },
  ],
  ...[
    'test@ability',
    'test%20ability',
    'test.ability',
    'test%3Cability%3E',
    'test%7Cability',
    'test%5Cability',
    `test/${'a'.repeat(1000)}`,
  ].map((name): Row => [
    `ability_name_with_invalid_special_characters, ${name.slice(0, 20)}`,
    `abilities/${name}`,
    404,
  ]),
  ['ability_name_with_valid_special_characters', 'abilities/test/user-info', 200],
  ...INVALID_PAGES.map((query): Row => [
    `invalid_pagination_parameters, ${query}`,
    `abilities?${query}`,
    400,
    'rest_invalid_param',
  ]),
  [
    'filter_by_category',
    'abilities?category=math',
    200,
    (answer) =>
      assert.equal(
        listed(answer).map(({ name }) => name),
        ['test/calculator'],
      ),
  ],
  ['filter_by_nonexistent_category', 'abilities?category=nonexistent', 200, is([])],
  ['filter_by_namespace', 'abilities?namespace=site', 200, is([])],
  [
    'filter_by_meta',
    'abilities?namespace=test&meta[annotations][destructive]=true',
    200,
    (answer) =>
      assert.equal(
        listed(answer).map(({ name }) => name),
        ['test/delete-user'],
      ),
  ],
  ['filter_by_meta, show_in_rest cannot reveal', 'abilities?meta[show_in_rest]=false', 200, is([])],
];

const CATEGORIES: readonly Row[] = [
  [
    'get_items',
    'categories',
    200,
    (answer) =>
      assert.equal(
        listed(answer).map(({ slug }) => slug),
        ['oembed-1-0', 'wpml-v1', 'yoast-v1', 'wpml-tm-v1', 'wpml-st-v1', 'wp-v2', 'math', 'test-v1'],
      ),
  ],
  [
    'get_item',
    'categories/wp-v2',
    200,
    ({ body }) => {
      const { _links: _all, ...others } = body as Record<string, unknown>;
      assert.equal(others, {
        slug: 'wp-v2',
        label: 'wp/v2',
        description: 'The endpoints of wp/v2.',
        meta: {},
      });
    },
  ],
  [
    'get_item_with_selected_fields',
    'categories/math?_fields=slug,label',
    200,
    is({ slug: 'math', label: 'math' }),
  ],
  ['get_item_not_found', 'categories/non-existent', 404, 'rest_ability_category_not_found'],
  ['get_items_permission_denied', sends('GET', 'categories', null), 401],
  ['get_item_permission_denied', sends('GET', 'categories/math', null), 401],
  [
    'pagination_headers, pagination_links',
    'categories?per_page=3&page=2',
    200,
    ({ headers }) => {
      assert.equal([headers['X-WP-Total'], headers['X-WP-TotalPages']], ['8', '3']);
      assert.match(headers['Link'] ?? '', /rel="prev".*rel="next"/);
    },
  ],
  ['head_request', sends('HEAD', 'categories'), 200, ({ text: sent }) => assert.is(sent, '')],
  [
    'ability_category_response_links',
    'categories/math',
    200,
    (answer) => {
      assert.ok(LINKS(answer)['abilities']?.[0].href.endsWith('/wp-abilities/v1/abilities?category=math'));
      assert.ok(LINKS(answer)['self']?.[0].href.endsWith('/wp-abilities/v1/categories/math'));
    },
  ],
  [
    'context_parameter',
    'categories/math?context=embed',
    200,
    ({ body }) => assert.equal(Object.keys(body as object), ['slug', 'label', '_links']),
  ],
  [
    'get_schema',
    sends('OPTIONS', 'categories'),
    200,
    ({ body }) => {
      const { schema } = body as { schema: { title: string; properties: { slug: object } } };
      assert.equal(
        [schema.title, Object.keys(schema.properties)],
        ['ability-category', ['slug', 'label', 'description', 'meta']],
      );
    },
  ],
  ...['Data-Retrieval', 'data@retrieval', 'data%20retrieval', 'data.retrieval', 'data_retrieval'].map(
    (slug): Row => [`ability_category_slug_with_invalid_format, ${slug}`, `categories/${slug}`, 404],
  ),
  ...INVALID_PAGES.map((query): Row => [
    `invalid_pagination_parameters, ${query}`,
    `categories?${query}`,
    400,
    'rest_invalid_param',
  ]),
];

function check(answer: Answer, expected: Row[3]): void {
  if (typeof expected === 'function') expected(answer);
  else if (typeof expected === 'string') assert.is((answer.body as { code: string }).code, expected);
  else if (expected !== undefined) assert.equal(answer.body, expected);
}

for (const [name, rows] of Object.entries({ RUNS, LISTS, CATEGORIES })) {
  const cases = suite(`abilities: ${name}`);
  cases('answer as WordPress does', () =>
    inSite(async (site) => {
      for (const [row, asked, status, expected] of rows) {
        const answer = await site.ask(
          typeof asked === 'string' ? { target: asks(asked), as: 'editor' } : asked,
        );
        try {
          assert.is(answer.status, status, answer.text);
          check(answer, expected);
        } catch (error) {
          (error as Error).message = `${row}: ${(error as Error).message}`;
          throw error;
        }
      }
    }),
  );
  cases.run();
}

const own = suite('abilities of a site');

own('are there only where the site names the plugin, and are no tools', async () => {
  const site = await createWholeSite({ fixture: { site: { name: 'None' }, users: USERS }, content: 'core' });
  assert.is((await site.ask({ target: '/cms-abilities/v1/abilities', as: 'editor' })).status, 404);
  await site.close();
  await inSite(async ({ ask }) => {
    assert.is((await ask({ target: BASE, as: null })).status, 200, 'the index of the namespace');
    const { body } = await ask({ target: `${BASE}/abilities?per_page=100`, as: 'editor' });
    assert.not((body as readonly { name: string }[]).some(({ name }) => name.startsWith('abilities/')));
  });
});

own('run the endpoints of the core with the rights of the caller', () =>
  inSite(async ({ ask }) => {
    const create = `${BASE}/abilities/wp/posts-create/run`;
    const body = { input: { title: 'By an ability', status: 'publish' } };
    const asked = { method: 'POST', target: create, body };
    assert.is((await ask({ ...asked, as: 'subscriber' })).status, 403);
    assert.is((await ask({ ...asked, as: null })).status, 401);
    const { status, body: made } = await ask({ ...asked, as: 'editor' });
    assert.is(status, 200);
    const { id } = made as { id: number };
    const list = { target: `${BASE}/abilities/wp/posts-list/run?input[_fields]=id,title`, as: null };
    const read = await ask(list);
    assert.equal(read.body, {
      items: [{ id, title: { rendered: 'By an ability' } }],
      total: 1,
      total_pages: 1,
    });
    const missing = await ask({ target: `${BASE}/abilities/wp/posts-read/run?input[id]=99`, as: 'editor' });
    assert.equal([missing.status, (missing.body as { code: string }).code], [404, 'rest_post_invalid_id']);
    const remove = { method: 'DELETE', target: `${BASE}/abilities/wp/posts-remove/run?input[id]=${id}` };
    assert.is((await ask({ ...remove, as: 'subscriber' })).status, 403);
    assert.is((await ask({ ...remove, as: 'editor' })).status, 200);
    assert.equal((await ask(list)).body, { items: [], total: 0, total_pages: 0 });
  }),
);

own.run();
