import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseBody } from '../../../lib/http/body.ts';
import { createRequest } from '../../../lib/http/create-request.ts';
import type { RestRequest } from '../../../lib/http/request.ts';
import type { EndpointDescriptor } from '../../../lib/route/descriptor.ts';
import { createNotedProbe, createProbe, type ProbeParts } from '../../support/probe.ts';
import { createTestEngine, TEST_NAMES } from '../../support/site.ts';

const ITEM = '/probe/v1/(?P<id>[\\d]+)';
const ID = { id: { type: 'integer' } } as const;
const methods = ['GET', 'POST'] as const;

interface ErrorShape {
  readonly code: string;
  readonly message: string;
  readonly data: {
    readonly status: number;
    readonly params?: unknown;
    readonly details?: Readonly<Record<string, { readonly code: string }>>;
  };
}

async function ask(
  parts: ProbeParts,
  request: RestRequest,
): Promise<{ readonly status: number; readonly body: unknown }> {
  const { status, body } = await createTestEngine([createProbe(parts)]).dispatch(request);
  return { status, body: JSON.parse(JSON.stringify(body)) as unknown };
}

async function askError(endpoint: Partial<EndpointDescriptor>, request: RestRequest): Promise<ErrorShape> {
  return (await ask({ endpoint }, request)).body as ErrorShape;
}

const precedence = suite('where a value comes from');

const SOURCES: readonly (readonly [title: string, target: string, body: unknown, id: unknown])[] = [
  ['the path', '/probe/v1/7', undefined, 7],
  ['the path, not the query', '/probe/v1/7?id=8', undefined, 7],
  ['the path, not the body', '/probe/v1/7', { id: 8 }, 7],
  ['the path, though the others are not valid', '/probe/v1/7?id=x', { id: 'y' }, 7],
  ['the path with zeros in front', '/probe/v1/007', undefined, 7],
  [
    'the path with more digits than an id has',
    `/probe/v1/${'9'.repeat(40)}`,
    undefined,
    Number.MAX_SAFE_INTEGER,
  ],
];

for (const [title, target, body, id] of SOURCES) {
  precedence(title, async () => {
    const request = createRequest(target, body === undefined ? {} : { method: 'POST', body });
    assert.equal((await ask({ pattern: ITEM, endpoint: { methods, args: ID } }, request)).body, { id });
  });
}

const VALUES: readonly (readonly [title: string, target: string, body: unknown, expected: unknown])[] = [
  ['the body before the query', '?a=1', { a: 2 }, { a: 2 }],
  ['the query before the default', '?a=1', {}, { a: 1 }],
  ['the default', '', {}, { a: 5 }],
  ['null in the body is not given', '?a=1', { a: null }, { a: 1 }],
  ['null in the body leaves the default', '', { a: null }, { a: 5 }],
  ['null where it is a value', '', { b: null }, { a: 5, b: null }],
  ['a list as body carries nothing', '?a=1', [{ a: 2 }], { a: 1 }],
  ['a text as body carries nothing', '', 'a=2', { a: 5 }],
  ['unknown names are left out', '?_locale=user&x=1', { y: 2, __proto__: { a: 1 } }, { a: 5 }],
];

for (const [title, query, body, expected] of VALUES) {
  precedence(title, async () => {
    const endpoint = {
      methods,
      args: { a: { type: 'integer', default: 5 }, b: { type: ['string', 'null'] } },
    } as const;
    assert.equal(
      (await ask({ endpoint }, createRequest(`/probe/v1/it${query}`, { method: 'POST', body }))).body,
      expected,
    );
  });
}

precedence('a form counts as body', async () => {
  const request: RestRequest = {
    ...createRequest('/probe/v1/it?a=1', { method: 'POST' }),
    body: { kind: 'form', params: { a: '2', b: '' } },
  };
  assert.equal(
    (await ask({ endpoint: { methods, args: { a: { type: 'integer' }, b: { type: 'string' } } } }, request))
      .body,
    { a: 2, b: '' },
  );
});

const LIST = { type: 'array', items: { type: 'integer' } } as const;

precedence('the items of a list are all that a repeated name says, in a form and in a query', async () => {
  const endpoint = { methods, args: { ids: LIST, n: { type: 'integer' } } } as const;
  const form = parseBody(Buffer.from('ids=1&ids=2,3&n=4&n=5&ids[]=6'), 'application/x-www-form-urlencoded');
  assert.equal((await ask({ endpoint }, createRequest('/probe/v1/it?ids=1&ids=2,3&n=4&n=5&ids[]=6'))).body, {
    ids: [1, 2, 3, 6],
    n: 5,
  });
  assert.equal(
    (await ask({ endpoint }, { ...createRequest('/probe/v1/it?ids=7', { method: 'POST' }), body: form }))
      .body,
    { ids: [1, 2, 3, 6], n: 5 },
  );
});

precedence('JSON in a text of JSON has 128 KiB at most, that of a form none but its own', async () => {
  const endpoint = {
    methods,
    args: { o: { type: 'object', properties: { inner: { type: 'object' } } } },
  } as const;
  const pack = (size: number): string => JSON.stringify({ x: 'y'.repeat(size) });
  const asForm = (text: string): RestRequest => ({
    ...createRequest('/probe/v1/it', { method: 'POST' }),
    body: { kind: 'form', params: { o: text } },
  });
  const asJson = (o: string): RestRequest => createRequest('/probe/v1/it', { method: 'POST', body: { o } });
  const packed = [
    asJson(pack(1000)),
    asJson(pack(130_000)),
    asJson(pack(140_000)),
    asForm(pack(900_000)),
    asForm(JSON.stringify({ inner: pack(100_000) })),
    asForm(JSON.stringify({ inner: pack(400_000) })),
  ];
  const statuses = await Promise.all(
    packed.map(async (request) => (await ask({ endpoint }, request)).status),
  );
  assert.equal(statuses, [200, 200, 400, 200, 200, 400]);
});

precedence('links take all items of a repeated name', async () => {
  const { namespace, seen } = createNotedProbe({ endpoint: { args: { ids: LIST } } });
  await createTestEngine([namespace]).dispatch(createRequest('/probe/v1/it?ids=1&x=1&ids=2&x=2'));
  assert.equal(seen[0]?.call.sentQuery, [
    ['ids', [1, 2]],
    ['x', '2'],
  ]);
});

precedence('a whole list as body, where the endpoint takes one', async () => {
  const endpoint: Partial<EndpointDescriptor> = {
    methods,
    bodyForm: 'array',
    body: { body: { type: 'array', items: { type: 'integer' } } },
  };
  assert.equal(
    (await ask({ endpoint }, createRequest('/probe/v1/it', { method: 'POST', body: ['1', 2] }))).body,
    { body: [1, 2] },
  );
  assert.is(
    (await askError(endpoint, createRequest('/probe/v1/it', { method: 'POST', body: ['x'] }))).code,
    'rest_invalid_param',
  );
});

precedence(
  'hands the path group on by its neutral name, coerced, whatever parameters are called on the wire',
  async () => {
    const names = { ...TEST_NAMES, params: { id: 'number' } };
    const engine = createTestEngine([createProbe({ pattern: ITEM, endpoint: { args: ID } })], { names });
    assert.equal(
      { ...((await engine.dispatch(createRequest('/probe/v1/7?number=8&id=9'))).body as object) },
      { id: 7 },
    );
  },
);

precedence('gives the handler frozen args that inherit nothing, and says what was sent', async () => {
  const { namespace, seen } = createNotedProbe({
    endpoint: {
      args: {
        a: { type: 'integer', default: 1 },
        b: { type: 'string' },
        c: { type: 'array', items: {}, default: [1] },
      },
    },
  });
  await createTestEngine([namespace]).dispatch(createRequest('/probe/v1/it?b=x&other=2'));
  const [first] = seen;
  assert.ok(first !== undefined && Object.isFrozen(first.args) && Object.isFrozen(first.args['c']));
  assert.equal(
    ['constructor', 'toString', '__proto__'].filter((name) => name in first.args),
    [],
  );
  assert.equal([...first.call.given], ['b']);
  assert.equal(first.call.sentQuery, [
    ['b', 'x'],
    ['other', '2'],
  ]);
});

const BARE: readonly (readonly [title: string, query: string, expected: unknown])[] = [
  ['a bare name is false, as page links write it', '?a', { a: false }],
  ['a bare name among others is false', '?b=x&a', { a: false, b: 'x' }],
  ['a bare name of a text is the empty text', '?b', { a: true, b: '' }],
  ['true is true', '?a=true', { a: true }],
  ['no name is the default', '', { a: true }],
];

for (const [title, query, expected] of BARE) {
  precedence(`of a boolean: ${title}`, async () => {
    const endpoint = { args: { a: { type: 'boolean', default: true }, b: { type: 'string' } } } as const;
    assert.equal((await ask({ endpoint }, createRequest(`/probe/v1/it${query}`))).body, expected);
  });
}

precedence('of a boolean: an empty value is not false', async () => {
  assert.is(
    (await ask({ endpoint: { args: { a: { type: 'boolean' } } } }, createRequest('/probe/v1/it?a='))).status,
    400,
  );
});

precedence.run();

const rounds = suite('what is reported');

const ROUNDS: Partial<EndpointDescriptor> = {
  methods,
  checkFirst: ['first', 'second'],
  args: {
    must: { type: 'string', required: true },
    also: { type: 'string', required: true },
    second: { type: 'integer' },
    first: { type: 'integer' },
    third: { type: 'integer' },
    fourth: { type: 'integer' },
  },
};

const REPORTS: readonly (readonly [
  title: string,
  target: string,
  body: unknown,
  code: string,
  params: unknown,
])[] = [
  ['missing parameters alone', '?first=x', { third: 'x' }, 'rest_missing_callback_param', ['must', 'also']],
  ['one missing parameter', '?first=x&also=1', {}, 'rest_missing_callback_param', ['must']],
  [
    'the first round alone, as declared',
    '?must=1&also=1&first=x&second=y',
    { fourth: 'z' },
    'rest_invalid_param',
    { second: 'second is not of type integer.', first: 'first is not of type integer.' },
  ],
  [
    'the second round as sent, body before query',
    '?must=1&also=1&third=x',
    { fourth: 'y' },
    'rest_invalid_param',
    { fourth: 'fourth is not of type integer.', third: 'third is not of type integer.' },
  ],
];

for (const [title, query, body, code, params] of REPORTS) {
  rounds(title, async () => {
    const error = await askError(ROUNDS, createRequest(`/probe/v1/it${query}`, { method: 'POST', body }));
    assert.is(error.code, code);
    assert.is(error.data.status, 400);
    assert.is(JSON.stringify(error.data.params), JSON.stringify(params));
    const names = Array.isArray(params) ? params : Object.keys(params as object);
    assert.ok(error.message.endsWith(`: ${names.join(', ')}`), error.message);
    if (!Array.isArray(params)) assert.equal(Object.keys(error.data.details ?? {}), names);
  });
}

rounds('an optional parameter that is required, but has a default, is not missing', async () => {
  assert.equal(
    (
      await ask(
        { endpoint: { args: { a: { type: 'integer', required: true, default: 3 } } } },
        createRequest('/probe/v1/it'),
      )
    ).body,
    { a: 3 },
  );
});

rounds('a check of the namespace is asked before the schema', async () => {
  const checks = {
    'probe.check': (value: unknown) =>
      value === 'any'
        ? ('valid' as const)
        : value === 'no'
          ? { code: 'x', message: 'not that one', data: null }
          : null,
  };
  const parts: ProbeParts = {
    endpoint: { args: { a: { type: 'string', enum: ['one'] } }, checks: { a: 'probe.check' } },
    checks,
  };
  const statuses = await Promise.all(
    ['any', 'one', 'no', 'other'].map(
      async (value) => (await ask(parts, createRequest(`/probe/v1/it?a=${value}`))).status,
    ),
  );
  assert.equal(statuses, [200, 200, 400, 400]);
  assert.equal(((await ask(parts, createRequest('/probe/v1/it?a=no'))).body as ErrorShape).data.details, {
    a: { code: 'x', message: 'not that one', data: null },
  });
});

/** Endpoints on which a part of a list would pass for the whole, if the rest were only left out. */
const LONG: readonly (readonly [title: string, parts: ProbeParts])[] = [
  [
    'that a check finds valid',
    {
      endpoint: { args: { a: { ...LIST, maxItems: 5 } }, checks: { a: 'probe.check' } },
      checks: { 'probe.check': () => 'valid' },
    },
  ],
  [
    'whose part another form takes',
    {
      endpoint: {
        args: {
          a: {
            oneOf: [
              { ...LIST, maxItems: 5 },
              { ...LIST, maxItems: 8 },
            ],
          },
        },
      },
    },
  ],
  [
    'whose part in a list another form takes',
    {
      endpoint: {
        args: {
          a: {
            oneOf: [
              { type: 'array', items: { ...LIST, maxItems: 5 } },
              { type: 'array', items: { ...LIST, maxItems: 8 } },
            ],
          },
        },
      },
    },
  ],
  [
    'in a member that a check finds valid',
    {
      endpoint: {
        args: { a: { type: 'object', properties: { list: { ...LIST, maxItems: 5 } } } },
        checks: { a: 'probe.check' },
      },
      checks: { 'probe.check': () => 'valid' },
    },
  ],
];

for (const [title, parts] of LONG) {
  rounds(`a list is refused that is too long, ${title}`, async () => {
    const long = Array.from({ length: 20 }, (_, index) => index);
    const value = title.includes('member') ? { list: long } : title.includes('in a list') ? [long] : long;
    const { status, body } = await ask(
      { ...parts, endpoint: { ...parts.endpoint, methods } },
      createRequest('/probe/v1/it', { method: 'POST', body: { a: value } }),
    );
    assert.equal([status, Object.keys((body as ErrorShape).data.params ?? {})], [400, ['a']]);
    assert.match(JSON.stringify(body), /at most \d items/);
  });
}

rounds('a form of a value may take a longer list than the one before it', async () => {
  const a = {
    oneOf: [
      { ...LIST, maxItems: 2 },
      { ...LIST, maxItems: 5 },
    ],
  } as const;
  assert.equal((await ask({ endpoint: { args: { a } } }, createRequest('/probe/v1/it?a=1,2,3,4'))).body, {
    a: [1, 2, 3, 4],
  });
});

rounds('a wrong item is reported before too many of them', async () => {
  const codes = await Promise.all(
    ['x,', '1,'].map(
      async (item) =>
        (
          await askError(
            { methods, args: { a: LIST } },
            createRequest('/probe/v1/it', { method: 'POST', body: { a: item.repeat(500) } }),
          )
        ).data.details?.['a']?.code,
    ),
  );
  assert.equal(codes, ['rest_invalid_type', 'rest_too_many_items']);
});

rounds('a parameter is called by its wire name', async () => {
  const names = { ...TEST_NAMES, params: { ml_language: 'lang' } };
  const args = { ml_language: { type: 'string', enum: ['en'], required: true } } as const;
  const { namespace, seen } = createNotedProbe({ endpoint: { args } });
  const engine = createTestEngine([namespace], { names, languageParam: 'ml_language' });
  const codes = await Promise.all(
    ['?ml_language=en', '?lang=fr', '?lang=en'].map(
      async (query) =>
        (await engine.dispatch(createRequest(`/probe/v1/it${query}`, { language: 'fr' }))).body as ErrorShape,
    ),
  );
  assert.equal(
    codes.map((body) => body.data?.params),
    [['lang'], { lang: 'lang is not en.' }, undefined],
  );
  assert.equal(
    seen.map(({ args: got, call }) => [got['ml_language'], call.language]),
    [['en', 'en']],
  );
});

rounds('no route: 404, whatever is missing', async () => {
  const rows = [
    ['/probe/v1/it', 'DELETE'],
    ['/probe/v1/it', 'PROPFIND'],
    ['/probe/v1/it//', 'GET'],
    ['/probe/v1/other', 'GET'],
    ['/Probe/v1/it', 'GET'],
    ['/__proto__', 'GET'],
  ] as const;
  for (const [target, method] of rows) {
    const error = await askError(ROUNDS, createRequest(target, { method }));
    assert.equal([error.code, error.data.status], ['rest_no_route', 404], `${method} ${target}`);
  }
});

rounds.run();
