import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../../../adapters/memory-store.ts';
import { createRequest, type Store, StoreError } from '../../../../lib/index.ts';
import {
  capabilitiesOf,
  collectionsOf,
  createContentModel,
  createSite,
  isPlugin,
  ml,
  pkg,
  seedPlugins,
  type Plugin,
  type Site,
} from '../../../../registry/index.ts';
import {
  changeOption,
  defineHostPlugin,
  definePlugin,
  isOut,
  loadAddresses,
  servicesOf,
  toAddressed,
} from '../../../../registry/plugin.ts';

const content = createContentModel();

async function openSite(plugins: readonly Plugin[], config = {}): Promise<Site> {
  return createSite({ store: createMemoryStore(collectionsOf(content, plugins)), plugins, config });
}

async function read(site: Site, path: string): Promise<unknown> {
  const { status, body } = await site.engine.dispatch(createRequest(path));
  return status === 200 ? body : status;
}

const HELLO = {
  pattern: '/reading/v1/hello',
  endpoints: [{ methods: ['GET'], handler: 'reading.hello', permission: 'public', args: {} }],
} as const;
const SUMMARY = {
  pattern: '/cms/v2/posts/{id}/summary',
  endpoints: [
    {
      methods: ['GET'],
      handler: 'reading.summary',
      permission: 'reading.may',
      args: { id: { type: 'integer' } },
    },
  ],
} as const;

const reading = definePlugin(
  {
    name: 'reading',
    namespaces: [{ namespace: 'reading/v1', routes: [HELLO] }],
    extends: [{ namespace: 'cms/v2', routes: [SUMMARY] }],
    settings: {
      wordsPerMinute: { type: 'integer', minimum: 1, default: 200 },
      languages: { type: 'array', items: { type: 'string' } },
    },
  },
  ({ settings, site }) => ({
    'reading.hello': () => ({ settings, now: typeof site.now() }),
    'reading.summary': async ({ id }) => ({
      id,
      hello: (await site.dispatch(createRequest('/reading/v1/hello'))).status,
    }),
    'reading.may': ({ id }) => id !== 2,
  }),
);

const plugins = suite('plugins');

plugins('serve namespaces of their own, and routes below those of others', async () => {
  const site = await openSite([reading], { reading: { languages: ['en'] } });
  assert.equal(await read(site, '/reading/v1/hello'), {
    settings: { wordsPerMinute: 200, languages: ['en'] },
    now: 'number',
  });
  assert.equal(await read(site, '/cms/v2/posts/1/summary'), { id: 1, hello: 200 });
  assert.is(await read(site, '/cms/v2/posts/2/summary'), 401);
  await site.close();
});

plugins('send what a route of the core refuses them', async () => {
  const as = { id: 1, role: 'administrator', capabilities: capabilitiesOf('administrator') };
  const saving = definePlugin(
    { name: 'reading', namespaces: [{ namespace: 'reading/v1', routes: [HELLO] }] },
    ({ site }) => ({ 'reading.hello': () => site.terms.save(null, values, { as }) }),
  );
  let values: Readonly<Record<string, unknown>> = {};
  let fault: 'unavailable' | 'full' | null = null;
  const store = createMemoryStore(collectionsOf(createContentModel('core'), [saving]));
  const failing: Store = {
    ...store,
    commit: (...args) =>
      fault === null ? store.commit(...args) : Promise.reject(new StoreError(fault, 'no disk')),
  };
  const site = await createSite({
    store: failing,
    content: 'core',
    plugins: [saving],
    log: () => undefined,
  });
  const refusal = async () => {
    const { status, body, headers } = await site.engine.dispatch(createRequest('/reading/v1/hello'));
    return { status, headers, ...(body as { readonly code: string; readonly message: string }) };
  };
  const missing = await refusal();
  assert.equal([missing.status, missing.code], [400, 'rest_missing_callback_param']);
  assert.match(missing.message, /: Missing parameter\(s\): name$/);
  values = { name: 'New', parent: 'top' };
  const invalid = await refusal();
  assert.equal([invalid.status, invalid.code], [400, 'rest_invalid_param']);
  assert.match(invalid.message, /: parent /);
  values = { name: 'New' };
  fault = 'unavailable';
  const { status, code, headers } = await refusal();
  assert.equal([status, code, headers['Retry-After']], [503, 'rest_storage_unavailable', '5']);
  fault = 'full';
  assert.is((await refusal()).status, 507);
  await site.close();
});

plugins('that a site does not name are not part of it', async () => {
  const site = await openSite([]);
  assert.equal([...new Set(site.engine.routes.map(({ namespace }) => namespace))], ['', 'cms/v2']);
  await site.close();
});

plugins(
  'of others have what the built-in ones have: what the site was built with, and settings that are functions',
  async () => {
    const descriptor = {
      name: 'feed',
      documents: [{ path: '/feed.txt', write: 'feed.write' }],
    } as const;
    const rule = { toLine: { wanted: 'a function', fits: (value: unknown) => typeof value === 'function' } };
    const feed = defineHostPlugin(descriptor, { feed: rule }, async () => ({ ports }) => ({
      functions: {
        'feed.write': async (_request: unknown) => {
          const {
            store,
            content: { types },
            now,
            config,
          } = ports;
          const { records } = await store.find({ collection: 'posts', where: isOut(now()) });
          const addressOf = await loadAddresses(
            { store, types, settings: servicesOf(ports).settings },
            records.map(toAddressed),
          );
          const homes = { home: () => 'http://a.test' };
          const toLine = config.namespaces['feed']?.['toLine'] as (address: string) => string;
          const count = await changeOption(store, ['feed', 'count'], (value) => Number(value ?? 0) + 1);
          return {
            type: 'text/plain',
            body: [count, ...records.map((each) => toLine(addressOf(toAddressed(each), homes)))].join(' '),
          };
        },
      },
    }));
    const site = await openSite([feed], { feed: { toLine: (address: string) => `<${address}>` } });
    const writer = { id: 1, role: 'administrator', capabilities: capabilitiesOf('administrator') };
    const body = { title: 'First', status: 'publish' };
    await site.engine.dispatch(createRequest('/cms/v2/posts', { method: 'POST', body }), writer);
    const document = await site.openDocument('/feed.txt', { siteUrl: 'http://a.test' });
    assert.match(String(document?.body), /^1 <http:\/\/a\.test.*\/first\/>$/);
    await site.close();
    const error = await openSite([feed], { feed: { toLine: 1 } }).then(String, String);
    assert.match(error, /config\.feed\.toLine: 1 is not a function/);
  },
);

plugins.run();

type Faulty = Readonly<Record<string, unknown>>;
const define = (descriptor: unknown, create: unknown = () => ({})): Plugin =>
  definePlugin(descriptor as { readonly name: string }, create as () => object);
const withRoute = (route: Faulty): Faulty => ({
  name: 'reading',
  namespaces: [{ namespace: 'reading/v1', routes: [{ ...HELLO, ...route }] }],
});
const withEndpoint = (endpoint: Faulty): Faulty =>
  withRoute({ endpoints: [{ ...HELLO.endpoints[0], ...endpoint }] });
const withCollection = (collection: unknown): Faulty => ({ name: 'reading', collections: [collection] });
const withSetting = (setting: unknown): Faulty => ({ name: 'reading', settings: { wpm: setting } });
const FIELDS = { text: { type: 'text' } };

const FIELD = { of: ['post'], name: 'minutes', schema: { type: 'integer' }, value: 'x' };
const withItem = (list: string, item: unknown): Faulty => ({ name: 'reading', [list]: [item] });

/** Wrong descriptors, and the place and the remedy in the message. */
const WRONG: readonly (readonly [descriptor: unknown, message: RegExp])[] = [
  [undefined, /^the first argument of definePlugin is undefined; it must be a descriptor/],
  [[], /^the first argument of definePlugin is \[\]; it must be a descriptor/],
  [{}, /^a plugin without a name: name is missing; it must be a name of lower-case letters/],
  [{ name: '' }, /^plugin "": name: "" is not a name of lower-case letters/],
  [{ name: 'Reading' }, /^plugin "Reading": name: "Reading" is not a name of lower-case/],
  [{ name: 'a'.repeat(41) }, /^plugin "a{41}": name: .* is not a name/],
  [{ name: 5 }, /^a plugin without a name: name: 5 is not a name/],
  [
    { name: 'reading', namespace: [] },
    /^plugin "reading": unknown member "namespace".* Did you mean "namespaces"\?/,
  ],
  [{ name: 'reading', routes: [] }, /^plugin "reading": unknown member "routes"; write namespaces/],
  [{ name: 'reading', handlers: {} }, /^plugin "reading": unknown member "handlers"; functions are not data/],
  [{ name: 'reading', hooks: {} }, /^plugin "reading": unknown member "hooks"; write reactions/],
  [{ name: 'reading', options: {} }, /^plugin "reading": unknown member "options"; write settings/],
  [{ name: 'reading', tables: [] }, /^plugin "reading": unknown member "tables"; write collections/],
  [{ name: 'reading', summary: '' }, /^plugin "reading": summary: "" is not a text that is not empty/],
  [
    { name: 'reading', namespaces: {} },
    /^plugin "reading": namespaces: an object is not a list of namespaces/,
  ],
  [{ name: 'reading', namespaces: [5] }, /^plugin "reading": namespaces\[0\]: 5 is not an object/],
  [
    { name: 'reading', namespaces: [{ routes: [] }] },
    /^plugin "reading": namespaces: the descriptor: namespace is missing/,
  ],
  [
    { name: 'reading', namespaces: [{ namespace: 'reading/v1' }] },
    /^plugin "reading": namespaces: reading\/v1: routes is missing; it must be a list of routes/,
  ],
  [withRoute({ pattern: 5 }), /^plugin "reading": namespaces: reading\/v1.*pattern: 5 is not a text/],
  [
    withRoute({ path: '/x' }),
    /^plugin "reading": namespaces: reading\/v1.*unknown member "path" of the route; write pattern/,
  ],
  [
    withRoute({ endpoints: [] }),
    /^plugin "reading": namespaces: reading\/v1.*endpoints: \[\] is not a list of one or more/,
  ],
  [withRoute({ pattern: '/other/v1/hello' }), /^plugin "reading": namespaces: reading\/v1/],
  [
    withEndpoint({ methods: ['get'] }),
    /^plugin "reading": namespaces: reading\/v1.*"get" is not one of GET, POST/,
  ],
  [
    withEndpoint({ handler: () => 5 }),
    /^plugin "reading": namespaces: reading\/v1.*handler is a function, but a descriptor is data/,
  ],
  [
    withEndpoint({ args: [] }),
    /^plugin "reading": namespaces: reading\/v1.*args: \[\] is not an object of schemas/,
  ],
  [
    withEndpoint({ args: { page: { type: 'integr' } } }),
    /^plugin "reading": namespaces: reading\/v1.*parameter page.*integr/,
  ],
  [
    withEndpoint({ args: { page: { type: 'integer', min: 1 } } }),
    /^plugin "reading": namespaces: reading\/v1.*parameter page.*minimum/,
  ],
  [withEndpoint({ answers: { 404: {} } }), /^plugin "reading": namespaces: reading\/v1.*answers/],
  [{ name: 'reading', extends: {} }, /^plugin "reading": extends: an object is not a list of extensions/],
  [{ name: 'reading', extends: [{ routes: [] }] }, /^plugin "reading": extends: /],
  [
    { name: 'reading', extends: [{ namespace: 'cms/v2', routes: [SUMMARY], index: false }] },
    /^plugin "reading": extends: unknown member "index" of the extension of cms\/v2/,
  ],
  [
    { name: 'reading', extends: [{ namespace: 'cms/v2' }] },
    /^plugin "reading": extends: cms\/v2: routes is missing/,
  ],
  [
    { name: 'reading', collections: {} },
    /^plugin "reading": collections: an object is not a list of collections/,
  ],
  [withCollection('notes'), /^plugin "reading": collections\[0\]: "notes" is not an object/],
  [
    withCollection({ name: 'Notes', fields: FIELDS }),
    /^plugin "reading": collections: collection Notes: the name must match/,
  ],
  [
    withCollection({ name: 'notes' }),
    /^plugin "reading": collections: collection notes: fields must be an object: write fields/,
  ],
  [
    withCollection({ name: 'notes', fields: { text: 'text' } }),
    /^plugin "reading": collections: collection notes: field text must be an object: write text/,
  ],
  [
    withCollection({ name: 'notes', fields: { text: { type: 'string' } } }),
    /^plugin "reading": collections: collection notes: field text has the unknown type string/,
  ],
  [
    withCollection({ name: 'notes', fields: { id: { type: 'integer' } } }),
    /^plugin "reading": collections: collection notes: id cannot be the name of a field/,
  ],
  [
    withCollection({ name: 'notes', fields: FIELDS, index: [] }),
    /^plugin "reading": collections: collection notes: unknown member "index".*indexes/,
  ],
  [
    withCollection({ name: 'notes', fields: FIELDS, indexes: [['nosuch']] }),
    /^plugin "reading": collections: collection notes.*nosuch/,
  ],
  [
    withCollection({ name: 'notes', fields: FIELDS, unique: [{ fields: ['nosuch'] }] }),
    /^plugin "reading": collections: collection notes.*nosuch/,
  ],
  [
    withCollection({ name: 'notes', fields: FIELDS, search: ['text'] }),
    /^plugin "reading": collections: collection notes: search names text, which is not a folded field/,
  ],
  [
    {
      name: 'reading',
      collections: [
        { name: 'notes', fields: FIELDS },
        { name: 'notes', fields: FIELDS },
      ],
    },
    /^plugin "reading": collections: collection notes is declared twice/,
  ],
  ...['reading.txt', '/{', '/{a}{b}', '/{a}-{b}', '/{a}/{a}', '/a b'].map(
    (path) =>
      [
        { name: 'reading', documents: [{ path, write: 'reading.list' }] },
        /^plugin "reading": documents.*path: ".*" is not a path of letters/,
      ] as const,
  ),
  [{ name: 'reading', settings: [] }, /^plugin "reading": settings: \[\] is not an object of schemas/],
  [withSetting(5), /^plugin "reading": settings, parameter wpm/],
  [withSetting({ type: 'number of words' }), /^plugin "reading": settings, parameter wpm.*number of words/],
  [withSetting({ type: 'integer', minimum: 'one' }), /^plugin "reading": settings, parameter wpm.*minimum/],
  [withSetting({ type: 'integer', maxLength: 4 }), /^plugin "reading": settings, parameter wpm.*maxLength/],
  [
    withSetting({ type: 'integer', minimum: 5, default: 1 }),
    /^plugin "reading": settings, parameter wpm: the default is not valid/,
  ],
  [{ name: 'cms' }, /^plugin "cms": name: "cms" is not a name of lower-case letters/],
  [
    withItem('fields', { ...FIELD, name: 'constructor' }),
    /^plugin "reading": fields: constructor is not a name/,
  ],
  [
    withItem('fields', { ...FIELD, schema: { type: 'integer', context: ['veiw'] } }),
    /^plugin "reading": fields, parameter minutes: unknown context "veiw"/,
  ],
  [
    { name: 'reading', settings: { type: 'object', properties: {} } },
    /^plugin "reading": settings: this is one schema/,
  ],
  [
    withItem('fields', { ...FIELD, of: [] }),
    /^plugin "reading": fields\[0\]\.of: \[\] is not a list of types/,
  ],
  [
    withItem('fields', { ...FIELD, of: 'post' }),
    /^plugin "reading": fields\[0\]\.of: "post" is not a list of types/,
  ],
  [
    withItem('fields', { ...FIELD, name: 'readingMinutes' }),
    /fields\[0\]\.name: "readingMinutes" is not a name of lower-case/,
  ],
  [
    withItem('fields', { of: ['post'], name: 'minutes', value: 'x' }),
    /fields\[0\]\.schema is missing; it must be a schema/,
  ],
  [
    withItem('fields', { ...FIELD, value: () => 5 }),
    /fields\[0\]\.value: a function is not the id of a function/,
  ],
  [withItem('fields', { ...FIELD, write: 5 }), /fields\[0\]\.write: 5 is not the id of a function/],
  [
    withItem('fields', { ...FIELD, reads: 'posts' }),
    /fields\[0\]\.reads: "posts" is not a list of collections/,
  ],
  [withItem('fields', { ...FIELD, asked: 'yes' }), /fields\[0\]\.asked: "yes" is not true or false/],
  [withItem('fields', { ...FIELD, get: 'x' }), /fields\[0\]\.get: unknown member/],
  [
    withItem('fields', { ...FIELD, schema: { type: 'integr' } }),
    /^plugin "reading": fields, parameter minutes.*integr/,
  ],
  [withItem('reactions', { run: 'x' }), /reactions\[0\]\.to is missing; it must be a list of collections/],
  [withItem('reactions', { to: [], run: 'x' }), /reactions\[0\]\.to: \[\] is not a list of collections/],
  [
    withItem('reactions', { to: ['posts'] }),
    /reactions\[0\]\.run is missing; it must be the id of a function/,
  ],
  [withItem('reactions', { on: ['posts'], run: 'x' }), /reactions\[0\]\.on: unknown member/],
  [
    withItem('tasks', { every: '1 hour', run: 'x' }),
    /tasks\[0\]\.every: "1 hour" is not a whole number with s, m, h or d/,
  ],
  [withItem('tasks', { every: '31d', run: 'x' }), /tasks\[0\]\.every: "31d" is not .* at most 30d/],
  [withItem('tasks', { every: 60, run: 'x' }), /tasks\[0\]\.every: 60 is not a whole number with/],
  [
    withItem('tasks', { every: '1h', run: () => 5 }),
    /tasks\[0\]\.run: a function is not the id of a function/,
  ],
  [
    withItem('shortcodes', { name: 'read me', render: 'x' }),
    /shortcodes\[0\]\.name: "read me" is not a name in lower case/,
  ],
  [withItem('shortcodes', { name: 'minutes' }), /shortcodes\[0\]\.render is missing/],
  [
    withItem('blocks', { name: 'minutes', render: 'x' }),
    /blocks\[0\]\.name: "minutes" is not a name with a slash/,
  ],
  [withItem('blocks', { name: 'reading/minutes' }), /blocks\[0\]\.render is missing/],
  [withItem('documents', { path: '/reading.txt' }), /documents\[0\]\.write is missing/],
  [withItem('rewrites', { from: '/a', to: '/b' }), /rewrites\[0\]\.(?:from|run)/],
  [
    { name: 'reading', tasks: { every: '1h', run: 'x' } },
    /^plugin "reading": tasks: an object is not a list/,
  ],
  [
    { name: 'reading', filters: [] },
    /^plugin "reading": unknown member "filters"; write fields or shortcodes/,
  ],
];

const refusals = suite('wrong plugins');

function messageOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    assert.instance(error, TypeError);
    return (error as Error).message;
  }
  return 'accepted';
}

for (const [index, [descriptor, message]] of WRONG.entries())
  refusals(`descriptor ${index} is refused: ${String(message)}`, () =>
    assert.match(
      messageOf(() => define(descriptor)),
      message,
    ),
  );

refusals('without a function are refused', () =>
  assert.match(
    messageOf(() => define({ name: 'reading' }, {})),
    /^plugin "reading": the second argument of definePlugin is an object; it must be a function that returns/,
  ),
);

/** A store for the plugins, or for none if two of them have one collection. */
function storeFor(list: readonly unknown[]): Store {
  try {
    return createMemoryStore(collectionsOf(content, list.filter(isPlugin)));
  } catch {
    return createMemoryStore(collectionsOf(content));
  }
}

const messageOfSite = (list: readonly unknown[], config = {}): Promise<string> =>
  createSite({ store: storeFor(list), plugins: list as readonly Plugin[], config }).then(
    async (site) => {
      await site.close();
      return 'accepted';
    },
    (error: Error) => error.message,
  );

const ONE_ROUTE = withEndpoint({});
const HELLOS = (): object => ({ 'reading.hello': () => 5 });
const NAMED = { name: 'noted' };
const NOTES = { name: 'notes', fields: FIELDS } as const;

const CODE = { name: 'minutes', render: 'x' };
const REACTION = { to: ['posts'], run: 'x' };
const TASK = { every: '1h', run: 'x' };
const DOCUMENT = { path: '/a.txt', write: 'x' };
const withFunctions = (list: string, item: unknown, name = 'noted'): unknown =>
  define({ name, [list]: [item] }, () => ({ x: () => 5 }));

/** Plugins of a site, and the refusal of createSite. */
const WRONG_SITES: readonly (readonly [plugins: readonly unknown[], message: RegExp, config?: object])[] = [
  [[5], /^plugins of createSite\[0\] is 5; it must be a plugin, as definePlugin returns it/],
  [[Promise.resolve(reading)], /^plugins of createSite\[0\] is a promise; await it first/],
  [[{ name: 'reading' }], /^plugins of createSite\[0\] is an object; it must be a plugin/],
  [
    [reading, ml, reading],
    /^plugins of createSite\[2\]: plugin "reading": a plugin of this name is already at plugins of createSite\[0\]/,
  ],
  [
    [define(ONE_ROUTE)],
    /^plugin "reading": namespaces, reading\/v1, \/reading\/v1\/hello GET, handler: there is no function "reading.hello"; return one/,
  ],
  [
    [define(ONE_ROUTE, () => ({ 'reading.helo': () => 5 }))],
    /there is no function "reading.hello".* Did you mean "reading.helo"\?/,
  ],
  [
    [define(ONE_ROUTE, () => ({ 'reading.hello': 5 }))],
    /^plugin "reading": namespaces, .*handler: "reading.hello" is 5; it must be a function/,
  ],
  [
    [define(ONE_ROUTE, () => ({ 'reading.hello': () => 5, 'reading.count': () => 5 }))],
    /^plugin "reading": no part of it names the function "reading.count"; name it, or leave it out/,
  ],
  [
    [define(ONE_ROUTE, () => undefined)],
    /^plugin "reading": its second argument returned undefined; it must return an object of functions/,
  ],
  [
    [define(ONE_ROUTE, async () => [])],
    /^plugin "reading": its second argument returned \[\]; it must return/,
  ],
  [
    [define(withEndpoint({ permission: 'edit_post' }), () => ({ 'reading.hello': () => 5 }))],
    /^plugin "reading": reading\/v1: .*unknown permission "edit_post".* Did you mean "edit_posts"\?/,
  ],
  [
    [define(withEndpoint({ permission: '' }), () => ({ 'reading.hello': () => 5 }))],
    /^plugin "reading": reading\/v1: .*permission/,
  ],
  [
    [define(withEndpoint({ cache: ['poosts'] }), () => ({ 'reading.hello': () => 5 }))],
    /^plugin "reading": reading\/v1: .*poosts/,
  ],
  [
    [define({ name: 'noted', namespaces: [{ namespace: 'cms/v2', routes: [] }] })],
    /^plugin "noted": namespaces: the namespace "cms\/v2" is already declared by the core/,
  ],
  [
    [reading, define({ name: 'noted', namespaces: [{ namespace: 'reading/v1', routes: [] }] })],
    /^plugin "noted": namespaces: the namespace "reading\/v1" is already declared by the plugin "reading"/,
  ],
  [
    [
      reading,
      define({ name: 'noted', extends: [{ namespace: 'cms/v2', routes: [SUMMARY] }] }, () => ({
        'reading.summary': () => 5,
      })),
    ],
    /^plugin "noted": the route "GET \/cms\/v2\/posts\/\{id\}\/summary" is already declared by the plugin "reading"/,
  ],
  [
    [define({ name: 'noted', collections: [{ name: 'posts', fields: FIELDS }] })],
    /^plugin "noted": collections: the collection "posts" is already declared by the core/,
  ],
  [
    [define({ ...NAMED, collections: [NOTES] }), define({ name: 'other', collections: [NOTES] })],
    /^plugin "other": collections: the collection "notes" is already declared by the plugin "noted"/,
  ],
  [
    [define({ name: 'noted', extends: [{ namespace: 'cms/v3', routes: [] }] })],
    /^plugin "noted": extends: cms\/v3: the namespace is not registered.* Did you mean "cms\/v2"\?/,
  ],
  [
    [
      define(
        {
          name: 'noted',
          extends: [
            {
              namespace: 'cms/v2',
              routes: [
                {
                  pattern: '/cms/v2/posts',
                  endpoints: [{ methods: ['GET'], handler: 'x', permission: 'public', args: {} }],
                },
              ],
            },
          ],
        },
        () => ({ x: () => 5 }),
      ),
    ],
    /^plugin "noted": extends: cms\/v2: \/cms\/v2\/posts/,
  ],
  [
    [define(withRoute({ pattern: '/reading/v1/{who}' }), HELLOS)],
    /^plugin "reading": reading\/v1: .*does not declare a parameter "who"/,
  ],
  [
    [define(withEndpoint({ args: { page: { type: 'integer', default: 'x' } } }), HELLOS)],
    /^plugin "reading": reading\/v1: .*parameter page: the default is not valid/,
  ],
  [
    [reading],
    /^config\.reading\.wordsPerMinute must be greater than or equal to 1/,
    { reading: { wordsPerMinute: 0 } },
  ],
  [
    [reading],
    /^config\.reading\.wordsPerMinute is not of type integer/,
    { reading: { wordsPerMinute: 'many' } },
  ],
  [
    [reading],
    /^config\.reading\.words: unknown member; the members are wordsPerMinute, languages/,
    { reading: { words: 5 } },
  ],
  [[reading], /^config\.reading: 5 is not an object/, { reading: 5 }],
  [[reading], /^config\.reading\.languages\[0\] is not of type string/, { reading: { languages: [{}] } }],
  [
    [reading],
    /^config\.readin: unknown member; the members are cms, reading\. Did you mean "reading"\?/,
    { readin: {} },
  ],
  [
    [reading],
    /^config\.seo: the site does not have the plugin "seo"; add it to the plugins, or remove its settings/,
    { seo: {} },
  ],
  [
    [define({ name: 'noted' })],
    /^config\.noted\.a: unknown member; the plugin has no settings/,
    { noted: { a: 1 } },
  ],
  [
    [define({ name: 'noted', settings: { key: { type: 'string', required: true } } })],
    /^config\.noted\.key is missing; it must be of type string/,
    { noted: {} },
  ],
  [
    [withFunctions('fields', { ...FIELD, of: ['poost'] })],
    /^plugin "noted": fields, minutes: "poost" is not a kind of record of the site; the kinds are post/,
  ],
  [
    [withFunctions('fields', { ...FIELD, name: 'title' })],
    /^plugin "noted": fields, title: records of the kind "post" already have a field of this name/,
  ],
  [
    [withFunctions('fields', FIELD), withFunctions('fields', FIELD, 'other')],
    /^plugin "other": fields, minutes: the plugin "noted" already has a field of this name on "post"/,
  ],
  [
    [withFunctions('shortcodes', CODE), withFunctions('shortcodes', CODE, 'other')],
    /^plugin "other": shortcodes: the shortcode "minutes" is already declared by the plugin "noted"/,
  ],
  [
    [withFunctions('documents', DOCUMENT), withFunctions('documents', DOCUMENT, 'other')],
    /^plugin "other": documents: the path "\/a\.txt" is already declared by the plugin "noted"/,
  ],
  [
    [withFunctions('reactions', REACTION), withFunctions('reactions', REACTION, 'other')],
    /^plugin "other": reactions: the function "x" is already declared by the plugin "noted"/,
  ],
  [
    [define({ name: 'noted', reactions: [REACTION, REACTION] }, () => ({ x: () => 5 }))],
    /^plugin "noted": reactions: the function "x" is declared twice; list all collections in one `to`/,
  ],
  [
    [withFunctions('tasks', TASK), withFunctions('tasks', TASK, 'other')],
    /^plugin "other": tasks: the function "x" is already declared by the plugin "noted"/,
  ],
  [
    [define(NAMED, () => Promise.reject(new Error('no key')))],
    /^plugin "noted": its function failed: no key$/,
  ],
  [
    [define(withItem('tasks', { every: '1h', run: 'x' }))],
    /^plugin "reading": tasks\[0\], run: there is no function "x"; return one under this id/,
  ],
  [
    [define(withItem('reactions', { to: ['posts'], run: 'x' }), () => ({ x: 'y' }))],
    /^plugin "reading": reactions\[0\], run: "x" is "y"; it must be a function, or null to leave this part out/,
  ],
  [
    [define(withEndpoint({ permission: 'reading.may' }), () => ({ ...HELLOS(), 'reading.may': null }))],
    /^plugin "reading": namespaces, .*permission: "reading.may" is null; it must be a function/,
  ],
  [
    [withFunctions('reactions', { to: ['options', 'locks'], run: 'x' })],
    /^plugin "noted": reactions\[0\], to: the collection "locks" has no log of changes; write logged: true in it/,
  ],
  [
    [withFunctions('reactions', { to: ['poosts'], run: 'x' })],
    /^plugin "noted": reactions\[0\], to: the site has no collection "poosts".* Did you mean "posts"\?/,
  ],
  [
    [withFunctions('fields', { ...FIELD, reads: ['poosts'] })],
    /^plugin "noted": fields\[0\], reads: the site has no collection "poosts"/,
  ],
  [
    [withFunctions('shortcodes', { ...CODE, reads: ['poosts'] })],
    /^plugin "noted": shortcodes\[0\], reads: the site has no collection "poosts"/,
  ],
  [
    [
      definePlugin(
        {
          name: 'noted',
          collections: [{ name: 'notes', fields: { post: { type: 'integer', references: 'poosts' } } }],
        },
        () => ({}),
      ),
    ],
    /^plugin "noted": collections: notes, post, references: the site has no collection "poosts".* Did you mean "posts"/,
  ],
];

for (const [index, [list, message, config]] of WRONG_SITES.entries())
  refusals(`site ${index} is refused: ${String(message)}`, async () =>
    assert.match(await messageOfSite(list, config), message),
  );

refusals('a store without the collections of a plugin is refused', async () => {
  const noted = define({ name: 'noted', collections: [NOTES] });
  const refused = await createSite({
    store: createMemoryStore(collectionsOf(content)),
    plugins: [...seedPlugins, noted],
  }).catch((error: Error) => error.message);
  assert.match(
    String(refused),
    /^store of createSite: .*createMemoryStore\(collectionsOf\(createContentModel\(content\), plugins\)/,
  );
});

refusals('the settings of a plugin that must be given are asked for', async () => {
  const noted = define({ name: 'noted', settings: { key: { type: 'string', required: true } } });
  assert.match(await messageOfSite([noted]), /^config\.noted\.key is missing/);
});

refusals('a built-in plugin is a plugin as any other', async () =>
  assert.is(await messageOfSite([pkg, reading]), 'accepted'),
);

refusals(
  'what functions of plugins must not give is logged or thrown with the name of the plugin',
  async () => {
    const logged: string[] = [];
    let address: unknown = null;
    const odd = define(
      {
        name: 'odd',
        documents: [DOCUMENT],
        rewrites: [{ run: 'address' }],
        blocks: [{ name: 'odd/box', render: 'box' }],
      },
      () => ({ x: () => ({ type: 'text/html', body: 5 }), address: () => address, box: () => ({}) }),
    );
    const site = await createSite({
      store: storeFor([odd]),
      plugins: [odd],
      log: ({ message, error }) => logged.push(`${message} ${String(error)}`),
    });
    const siteUrl = 'http://site.test';
    assert.match(
      await site.openDocument('/a.txt', { siteUrl }).then(String, (error: Error) => error.message),
      /^plugin "odd": documents, \/a\.txt: the body is 5/,
    );
    for (address of ['javascript:alert(1)', 5, '/gone', `${siteUrl}/gone?again`, '/a\nb', undefined])
      assert.is(await site.findRedirect('/gone', siteUrl), null, String(address));
    assert.is(logged.filter((line) => line.startsWith('plugin "odd": rewrites: ')).length, 6);
    for (address of ['/here', 'https://there.example/gone'])
      assert.is(await site.findRedirect('/gone', siteUrl), address);
    const writer = { id: 1, role: 'administrator', capabilities: capabilitiesOf('administrator') };
    const body = { content: '<p>A</p><!-- cms:odd/box /-->', status: 'publish' };
    const { body: post } = await site.engine.dispatch(
      createRequest('/cms/v2/posts', { method: 'POST', body }),
      writer,
    );
    assert.not.match(JSON.stringify(post), /object Object/);
    assert.match(logged.join('\n'), /the block odd\/box returned/);
    await site.close();
  },
);

refusals.run();
