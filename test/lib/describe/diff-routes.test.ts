import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { diffRoutes, type RouteChange } from '../../../lib/describe/diff-routes.ts';
import type { EndpointDescriptor, NamespaceDescriptor } from '../../../lib/route/descriptor.ts';
import type { ArgSchema } from '../../../lib/schema/schema-dialect.ts';
import { registryDescriptors } from '../../../registry/index.ts';

/** A mutation, and whether it breaks a client that sends the value, and one that reads it. */
type SchemaRow = readonly [kind: string, before: ArgSchema, after: ArgSchema, sent: boolean, read: boolean];

const TEXT: ArgSchema = {
  type: 'string',
  minLength: 2,
  maxLength: 8,
  enum: ['ab', 'cd'],
  pattern: '^[a-z]+$',
  format: 'slug',
  description: 'A text.',
};
const NUMBER: ArgSchema = { type: 'integer', minimum: 2, maximum: 8, default: 4 };
const LIST: ArgSchema = { type: 'array', items: { type: 'integer' }, minItems: 1, maxItems: 5 };
const BRANCHES: ArgSchema = { oneOf: [{ type: 'integer' }, { type: 'string', maxLength: 5 }] };
const without = (schema: ArgSchema, name: keyof ArgSchema): ArgSchema =>
  Object.fromEntries(Object.entries(schema).filter(([key]) => key !== name));

const SCHEMAS: readonly SchemaRow[] = [
  ['a value of the enum less', TEXT, { ...TEXT, enum: ['ab'] }, true, false],
  ['a value of the enum more', TEXT, { ...TEXT, enum: ['ab', 'cd', 'ef'] }, false, true],
  ['another order of the enum', TEXT, { ...TEXT, enum: ['cd', 'ab'] }, false, false],
  ['no enum', TEXT, without(TEXT, 'enum'), false, true],
  ['a first enum', without(TEXT, 'enum'), TEXT, true, false],
  ['a greater minLength', TEXT, { ...TEXT, minLength: 3 }, true, false],
  ['no minLength', TEXT, without(TEXT, 'minLength'), false, true],
  ['a smaller maxLength', TEXT, { ...TEXT, maxLength: 7 }, true, false],
  ['a greater maxLength', TEXT, { ...TEXT, maxLength: 9 }, false, true],
  ['a first maxLength', without(TEXT, 'maxLength'), TEXT, true, false],
  ['another pattern', TEXT, { ...TEXT, pattern: '^[a-y]+$' }, true, true],
  ['no pattern', TEXT, without(TEXT, 'pattern'), false, true],
  ['a first pattern', without(TEXT, 'pattern'), TEXT, true, false],
  ['another format', TEXT, { ...TEXT, format: 'email' }, true, true],
  ['no format', TEXT, without(TEXT, 'format'), false, true],
  ['another description', TEXT, { ...TEXT, description: 'Another text.' }, false, false],
  ['a greater minimum', NUMBER, { ...NUMBER, minimum: 3 }, true, false],
  ['a smaller minimum', NUMBER, { ...NUMBER, minimum: 1 }, false, true],
  ['a smaller maximum', NUMBER, { ...NUMBER, maximum: 7 }, true, false],
  ['no maximum', NUMBER, without(NUMBER, 'maximum'), false, true],
  ['another default', NUMBER, { ...NUMBER, default: 5 }, false, false],
  ['no default', NUMBER, without(NUMBER, 'default'), false, false],
  ['a wider type', NUMBER, { ...NUMBER, type: 'number' }, false, true],
  ['a narrower type', { ...NUMBER, type: 'number' }, NUMBER, true, false],
  ['another type', NUMBER, { ...NUMBER, type: 'boolean' }, true, true],
  ['a type more', NUMBER, { ...NUMBER, type: ['integer', 'null'] }, false, true],
  ['a type less', { ...NUMBER, type: ['integer', 'null'] }, NUMBER, true, false],
  ['no type', NUMBER, without(NUMBER, 'type'), false, true],
  ['a greater minItems', LIST, { ...LIST, minItems: 2 }, true, false],
  ['a smaller maxItems', LIST, { ...LIST, maxItems: 4 }, true, false],
  ['unique items', LIST, { ...LIST, uniqueItems: true }, true, false],
  ['items of another type', LIST, { ...LIST, items: { type: 'boolean' } }, true, true],
  ['items of a wider type', LIST, { ...LIST, items: { type: 'number' } }, false, true],
  ['no items', LIST, without(LIST, 'items'), false, true],
  ['a branch more', BRANCHES, { oneOf: [...(BRANCHES.oneOf ?? []), { type: 'boolean' }] }, false, true],
  ['a branch less', BRANCHES, { oneOf: [{ type: 'integer' }] }, true, false],
  ['another order of branches', BRANCHES, { oneOf: (BRANCHES.oneOf ?? []).toReversed() }, false, false],
  [
    'a narrower branch',
    BRANCHES,
    { oneOf: [{ type: 'integer' }, { type: 'string', maxLength: 4 }] },
    true,
    false,
  ],
];

type Endpoint = Partial<EndpointDescriptor>;
const inArgs = (value: ArgSchema): Endpoint => ({ args: { value } });
const inAnswer = (answer: ArgSchema): Endpoint => ({ answers: { 200: answer } });

/** Where a schema may stand, and who sends it. */
const PLACES: readonly (readonly [
  place: string,
  at: string,
  toEndpoint: (schema: ArgSchema) => Endpoint,
  sender: 'client' | 'server',
])[] = [
  ['a parameter', 'args.value', inArgs, 'client'],
  ['a hidden parameter', 'args.value', (value) => ({ body: { value } }), 'client'],
  [
    'a member of a parameter',
    'args.value.properties.m',
    (m) => inArgs({ type: 'object', properties: { m } }),
    'client',
  ],
  [
    'a member of an item',
    'args.value.items.properties.m',
    (m) => inArgs({ type: 'array', items: { type: 'object', properties: { m } } }),
    'client',
  ],
  ['an answer', 'answers.200', inAnswer, 'server'],
  [
    'a field of an answer',
    'answers.200.properties.m',
    (m) => inAnswer({ type: 'object', properties: { m: { ...m, required: true } } }),
    'server',
  ],
  [
    'another member of an answer',
    'answers.200.additionalProperties',
    (other) => inAnswer({ type: 'object', additionalProperties: other }),
    'server',
  ],
];

const OBJECT: ArgSchema = { type: 'object', properties: { a: { type: 'string' } } };
const FILES: Endpoint = {
  methods: ['POST'],
  accepts: {
    'multipart/form-data': { files: { photo: { maxCount: 2, maxBytes: 1000, types: ['image/png'] } } },
  },
};
const UPLOAD: Endpoint = { ...FILES, maxBodyBytes: 2000 };
const files = (photo: object, others: object = {}): Endpoint => ({
  ...UPLOAD,
  accepts: { 'multipart/form-data': { files: { photo, ...others } } },
});

/** Mutations of an endpoint: what it was, what it is, and whether that breaks a client. */
const ENDPOINTS: readonly (readonly [
  kind: string,
  before: Endpoint,
  after: Endpoint,
  at: string,
  breaks: boolean,
])[] = [
  ['a required parameter more', {}, inArgs({ type: 'string', required: true }), 'args.value', true],
  [
    'a required parameter with a default more',
    {},
    inArgs({ type: 'string', required: true, default: 'a' }),
    'args.value',
    false,
  ],
  ['a parameter more', {}, inArgs({ type: 'string' }), 'args.value', false],
  ['a parameter less', inArgs({ type: 'string' }), {}, 'args.value', true],
  [
    'a parameter that must be sent now',
    inArgs({ type: 'string' }),
    inArgs({ type: 'string', required: true }),
    'args.value.required',
    true,
  ],
  [
    'a parameter that may be left out now',
    inArgs({ type: 'string', required: true }),
    inArgs({ type: 'string' }),
    'args.value.required',
    false,
  ],
  [
    'a required parameter without its default',
    inArgs({ required: true, default: 'a' }),
    inArgs({ required: true }),
    'args.value.required',
    true,
  ],
  [
    'a required member more',
    inArgs(OBJECT),
    inArgs({ ...OBJECT, properties: { ...OBJECT.properties, b: { required: true } } }),
    'args.value.properties.b',
    true,
  ],
  [
    'no other members',
    inArgs(OBJECT),
    inArgs({ ...OBJECT, additionalProperties: false }),
    'args.value.additionalProperties',
    true,
  ],
  [
    'other members again',
    inArgs({ ...OBJECT, additionalProperties: false }),
    inArgs(OBJECT),
    'args.value.additionalProperties',
    false,
  ],
  [
    'other members of one type',
    inArgs({ ...OBJECT, additionalProperties: true }),
    inArgs({ ...OBJECT, additionalProperties: { type: 'string' } }),
    'args.value.additionalProperties',
    true,
  ],
  [
    'a field of the answer less',
    inAnswer(OBJECT),
    inAnswer({ ...OBJECT, properties: {} }),
    'answers.200.properties.a',
    true,
  ],
  [
    'a field of the answer more',
    inAnswer(OBJECT),
    inAnswer({ ...OBJECT, properties: { ...OBJECT.properties, b: { type: 'string', required: true } } }),
    'answers.200.properties.b',
    false,
  ],
  [
    'a field that may be absent now',
    inAnswer({ ...OBJECT, properties: { a: { type: 'string', required: true } } }),
    inAnswer(OBJECT),
    'answers.200.properties.a.required',
    true,
  ],
  [
    'a field that is always there now',
    inAnswer(OBJECT),
    inAnswer({ ...OBJECT, properties: { a: { type: 'string', required: true } } }),
    'answers.200.properties.a.required',
    false,
  ],
  ['a first answer', {}, inAnswer(OBJECT), 'answers.200', false],
  ['an answer that is no longer declared', inAnswer(OBJECT), {}, 'answers.200.properties.a', true],
  ['a permission instead of public', {}, { permission: 'edit' }, 'permission', true],
  ['another permission', { permission: 'edit' }, { permission: 'publish' }, 'permission', true],
  ['public instead of a permission', { permission: 'edit' }, {}, 'permission', false],
  ['no batch', { allow_batch: { v1: true } }, {}, 'allow_batch', true],
  ['a batch', {}, { allow_batch: { v1: true } }, 'allow_batch', false],
  ['another status', { status: 200 }, { status: 201 }, 'status', true],
  ['a first status', {}, { status: 201 }, 'status', false],
  ['no If-Match', { ifMatch: true }, {}, 'ifMatch', true],
  ['If-Match', {}, { ifMatch: true }, 'ifMatch', false],
  ['a form of the answer less', { shows: ['record', 'list'] }, { shows: ['record'] }, 'shows', true],
  ['a form of the answer more', { shows: ['record'] }, { shows: ['record', 'list'] }, 'shows', false],
  ['a whole list as body', {}, { bodyForm: 'array' }, 'bodyForm', true],
  ['the default form of the body', {}, { bodyForm: 'members' }, 'bodyForm', false],
  ['a deprecation', {}, { deprecated: true }, 'deprecated', false],
  ['another summary', { summary: 'A.' }, { summary: 'B.' }, 'summary', false],
  ['other tags', { tags: ['a'] }, { tags: ['b'] }, 'tags', false],
  ['another check', { checks: {} }, { checks: { value: 'c' } }, 'checks', false],
  ['another order of checks', { checkFirst: [] }, { checkFirst: ['value'] }, 'checkFirst', false],
  [
    'no forms',
    { methods: ['POST'] },
    { methods: ['POST'], accepts: { 'application/json': 'args' } },
    'accepts.application/x-www-form-urlencoded',
    true,
  ],
  [
    'a type of body more',
    { methods: ['POST'], accepts: { 'application/json': 'args' } },
    { methods: ['POST'], accepts: { 'application/json': 'args', 'text/csv': 'bytes' } },
    'accepts.text/csv',
    false,
  ],
  [
    'a stream instead of bytes',
    { methods: ['POST'], accepts: { 'text/csv': 'bytes' } },
    { methods: ['POST'], accepts: { 'text/csv': 'stream' } },
    'accepts.text/csv',
    false,
  ],
  [
    'files instead of a stream',
    { methods: ['POST'], accepts: { 'multipart/form-data': 'stream' } },
    FILES,
    'accepts.multipart/form-data',
    true,
  ],
  ['a smaller body', UPLOAD, { ...UPLOAD, maxBodyBytes: 1999 }, 'maxBodyBytes', true],
  ['a larger body', UPLOAD, { ...UPLOAD, maxBodyBytes: 2001 }, 'maxBodyBytes', false],
  [
    'fewer files',
    UPLOAD,
    files({ maxBytes: 1000, types: ['image/png'] }),
    'accepts.multipart/form-data.files.photo.maxCount',
    true,
  ],
  [
    'smaller files',
    UPLOAD,
    files({ maxCount: 2, maxBytes: 999, types: ['image/png'] }),
    'accepts.multipart/form-data.files.photo.maxBytes',
    true,
  ],
  [
    'larger files',
    UPLOAD,
    files({ maxCount: 2, types: ['image/png'] }),
    'accepts.multipart/form-data.files.photo.maxBytes',
    false,
  ],
  [
    'files of another type',
    UPLOAD,
    files({ maxCount: 2, maxBytes: 1000, types: ['image/gif'] }),
    'accepts.multipart/form-data.files.photo.types',
    true,
  ],
  [
    'files of a type more',
    UPLOAD,
    files({ maxCount: 2, maxBytes: 1000, types: ['image/png', 'image/gif'] }),
    'accepts.multipart/form-data.files.photo.types',
    false,
  ],
  [
    'files of any type',
    UPLOAD,
    files({ maxCount: 2, maxBytes: 1000 }),
    'accepts.multipart/form-data.files.photo.types',
    false,
  ],
  [
    'a file that must be sent',
    UPLOAD,
    files({ maxCount: 2, maxBytes: 1000, types: ['image/png'], required: true }),
    'accepts.multipart/form-data.files.photo.required',
    true,
  ],
  [
    'a file more',
    UPLOAD,
    files({ maxCount: 2, maxBytes: 1000, types: ['image/png'] }, { icon: {} }),
    'accepts.multipart/form-data.files.icon',
    false,
  ],
  [
    'a required file more',
    UPLOAD,
    files({ maxCount: 2, maxBytes: 1000, types: ['image/png'] }, { icon: { required: true } }),
    'accepts.multipart/form-data.files.icon',
    true,
  ],
];

function toNamespace(endpoint: Endpoint, pattern = '/a/v1/it'): readonly NamespaceDescriptor[] {
  return [
    {
      namespace: 'a/v1',
      routes: [
        {
          pattern,
          endpoints: [{ methods: ['GET'], handler: 'h', permission: 'public', args: {}, ...endpoint }],
        },
      ],
    },
  ];
}

const told = ({ at, breaks }: { at: string; breaks: boolean }): string =>
  `${at} ${breaks ? 'breaks' : 'is told'}`;

const mutations = suite('diffRoutes: what a mutation means for clients');

for (const [place, at, toEndpoint, sender] of PLACES) {
  for (const [kind, before, after, sent, read] of SCHEMAS) {
    mutations(`${kind} of ${place}`, () => {
      const { added, removed, changed } = diffRoutes(
        toNamespace(toEndpoint(before)),
        toNamespace(toEndpoint(after)),
      );
      assert.equal([added, removed], [[], []]);
      assert.is(
        changed.some(({ breaks }) => breaks),
        sender === 'client' ? sent : read,
        changed.map(told).join('; '),
      );
      assert.ok(
        changed.every(
          (change) => change.at.startsWith(at) && change.method === 'GET' && change.pattern === '/a/v1/it',
        ),
        changed.map(told).join('; '),
      );
      // Another order changes nothing for anybody; everything else is told.
      assert.ok(changed.length > 0 || kind.startsWith('another order'), 'the change is told');
    });
  }
}

for (const [kind, before, after, at, breaks] of ENDPOINTS) {
  mutations(kind, () => {
    const { changed } = diffRoutes(toNamespace(before), toNamespace(after));
    assert.ok(changed.map(told).includes(told({ at, breaks })), changed.map(told).join('; '));
    assert.is(
      changed.some((change) => change.breaks),
      breaks,
      changed.map(told).join('; '),
    );
  });
}

mutations('are more than two hundred', () =>
  assert.ok(PLACES.length * SCHEMAS.length + ENDPOINTS.length > 200),
);

mutations.run();

const routes = suite('diffRoutes: routes');

const kindsOf = (before: readonly NamespaceDescriptor[], after: readonly NamespaceDescriptor[]): unknown => {
  const list = (changes: readonly RouteChange[]): unknown =>
    changes.map(({ method, pattern, at, breaks }) => [method, pattern, at, breaks]);
  const { added, removed, changed } = diffRoutes(before, after);
  return { added: list(added), removed: list(removed), changed: list(changed) };
};

routes('are added and removed by method', () => {
  assert.equal(kindsOf(toNamespace({ methods: ['GET', 'POST'] }), toNamespace({ methods: ['GET', 'PUT'] })), {
    added: [['PUT', '/a/v1/it', '', false]],
    removed: [['POST', '/a/v1/it', '', true]],
    changed: [],
  });
  assert.equal(kindsOf(toNamespace({}), []), {
    added: [],
    removed: [['GET', '/a/v1/it', '', true]],
    changed: [],
  });
});

routes('are found without the names of their groups', () => {
  const rows: readonly (readonly [before: string, after: string, changed: unknown])[] = [
    ['/a/v1/(?P<id>[\\d]+)', '/a/v1/(?P<key>[\\d]+)', []],
    ['/a/v1/(?P<id>[\\d]+)', '/a/v1/(?P<id>[\\w]+)', [['GET', '/a/v1/(?P<id>[\\w]+)', 'pattern', true]]],
    ['/a/v1/(?P<id>[\\d]+)', '/a/v1/(?P<id>[^/]+)', [['GET', '/a/v1/(?P<id>[^/]+)', 'pattern', false]]],
    ['/a/v1/{id}', '/a/v1/{key}', []],
  ];
  for (const [before, after, changed] of rows)
    assert.equal(kindsOf(toNamespace({}, before), toNamespace({}, after)), {
      added: [],
      removed: [],
      changed,
    });
});

routes('answer with the fields of their resource', () => {
  const withFields = (properties: Readonly<Record<string, ArgSchema>>): readonly NamespaceDescriptor[] => [
    {
      namespace: 'a/v1',
      resources: { thing: { title: 'thing', properties } },
      routes: [
        {
          pattern: '/a/v1/it',
          resource: 'thing',
          endpoints: [{ methods: ['GET'], handler: 'h', permission: 'public', args: {} }],
        },
      ],
    },
  ];
  const [one, two] = [
    withFields({ a: { type: 'string' } }),
    withFields({ a: { type: 'string' }, b: { type: 'string' } }),
  ];
  assert.equal(kindsOf(one, two), {
    added: [],
    removed: [],
    changed: [['GET', '/a/v1/it', 'resource.b', false]],
  });
  assert.equal(kindsOf(two, one), {
    added: [],
    removed: [],
    changed: [['GET', '/a/v1/it', 'resource.b', true]],
  });
});

routes('of the whole registry do not differ from themselves', () => {
  assert.equal(diffRoutes(registryDescriptors, structuredClone(registryDescriptors)), {
    added: [],
    removed: [],
    changed: [],
  });
});

routes('are not changed by names of objects', () => {
  const arg = (name: string): Endpoint => ({
    args: Object.fromEntries([[name, { type: 'string' } as const]]),
  });
  for (const name of ['constructor', 'toString', 'hasOwnProperty'])
    assert.equal(kindsOf(toNamespace({}), toNamespace(arg(name))), {
      added: [],
      removed: [],
      changed: [['GET', '/a/v1/it', `args.${name}`, false]],
    });
});

routes.run();
