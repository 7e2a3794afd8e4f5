import { Readable } from 'node:stream';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { engineError, RestError } from '../../lib/core/errors.ts';
import { ANONYMOUS, can } from '../../lib/core/identity.ts';
import type { LogEvent } from '../../lib/dispatch/runtime.ts';
import { createRequest } from '../../lib/http/create-request.ts';
import { RecordList } from '../../lib/http/record-list.ts';
import { RawBody, RestResponse } from '../../lib/http/response.ts';
import { type Call, type Permission, subject } from '../../lib/route/call.ts';
import { withMovedClock } from '../support/moved-clock.ts';
import { createProbe } from '../support/probe.ts';
import { createTestEngine } from '../support/site.ts';
import { countUnhandled } from '../support/unhandled.ts';

/* oxlint-disable unicorn/no-thenable -- values that pretend to be promises are among what is tested */
const SECRET = 'postgres://root:hunter2@db/file.ts:12';
// An item of a batch has nine tenths of it. The rest must be enough for the batch itself, also on a busy machine.
const TIMEOUT_MS = 600;

const cycle: Record<string, unknown> = {};
cycle['self'] = cycle;

const later = <T>(value: T, ms = 1): Promise<T> =>
  new Promise((resolve) => {
    setTimeout(() => resolve(value), ms);
  });
const hostileGetters = Object.freeze(
  Object.create(Error.prototype, {
    message: {
      get() {
        throw new Error(SECRET);
      },
    },
    stack: {
      get() {
        throw new Error(SECRET);
      },
    },
    code: {
      get() {
        throw new Error(SECRET);
      },
    },
  }),
);
const deep = (levels: number): unknown => {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = [value];
  return value;
};

type Misbehaviour = readonly [title: string, handler: (args: unknown, call: Call) => unknown, status: number];

const MISBEHAVIOURS: readonly Misbehaviour[] = [
  [
    'throws an error',
    () => {
      throw new Error(SECRET);
    },
    500,
  ],
  ['rejects', () => Promise.reject(new Error(SECRET)), 500],
  [
    'rejects later',
    async () => {
      await later(0);
      throw new Error(SECRET);
    },
    500,
  ],
  [
    'throws a text',
    () => {
      throw SECRET;
    },
    500,
  ],
  [
    'throws null',
    () => {
      throw null;
    },
    500,
  ],
  [
    'throws undefined',
    () => {
      throw undefined;
    },
    500,
  ],
  ['rejects with nothing', () => Promise.reject(), 500],
  [
    'throws a frozen error with hostile getters',
    () => {
      throw hostileGetters;
    },
    500,
  ],
  [
    'throws an object that cannot become a text',
    () => {
      throw Object.create(null);
    },
    500,
  ],
  [
    'throws itself round',
    () => {
      throw cycle;
    },
    500,
  ],
  [
    'runs out of stack',
    function self(): unknown {
      return [self()];
    },
    500,
  ],
  ['answers undefined', () => undefined, 500],
  ['answers undefined later', async () => undefined, 500],
  ['answers a function', () => () => SECRET, 500],
  ['answers a symbol', () => Symbol(SECRET), 500],
  ['answers a BigInt', () => 5n, 500],
  ['answers a BigInt inside', () => ({ a: [5n] }), 500],
  ['answers a cycle', () => cycle, 500],
  ['answers what nests too deep', () => deep(100_000), 500],
  [
    'answers with a failing toJSON',
    () => ({
      toJSON() {
        throw new Error(SECRET);
      },
    }),
    500,
  ],
  ['answers with a toJSON that says nothing', () => ({ toJSON: () => undefined }), 500],
  [
    'answers with a failing getter',
    () => ({
      get a() {
        throw new Error(SECRET);
      },
    }),
    500,
  ],
  ['answers NaN', () => Number.NaN, 500],
  ['answers a Map', () => new Map([[1, 2]]), 500],
  ['answers a Set inside', () => ({ tags: new Set(['a']) }), 500],
  ['answers bytes', () => Uint8Array.of(1), 500],
  ['answers a Buffer', () => Buffer.from(SECRET), 500],
  ['answers a stream', () => Readable.from([SECRET]), 500],
  ['answers a web stream', () => new ReadableStream(), 500],
  ['answers infinity inside', () => [{ price: Number.POSITIVE_INFINITY }], 500],
  ['answers a function inside', () => ({ a: 1, b: () => 1 }), 500],
  ['answers a list with nothing in it', () => [1, undefined], 500],
  ['answers a promise inside', () => ({ post: Promise.resolve(1) }), 500],
  ['answers an error', () => new Error(SECRET), 500],
  ['answers what JSON loses in a RestResponse', () => new RestResponse([new Map()]), 500],
  [
    'answers what JSON loses in links',
    () => new RestResponse({}, { links: { self: [{ href: '/', count: Number.NaN }] } }),
    500,
  ],
  ['answers a list that shows what JSON loses', () => new RecordList([1], () => ({ tags: new Set() })), 500],
  ['answers a cookie of two lines', () => new RestResponse(1, { cookies: [`a=1\n${SECRET}`] }), 500],
  ['answers a response without body', () => new RestResponse(undefined), 500],
  [
    'answers a thing whose then fails',
    () => ({
      get then() {
        throw new Error(SECRET);
      },
    }),
    500,
  ],
  [
    'answers a thing whose then throws',
    () => ({
      then() {
        throw new Error(SECRET);
      },
    }),
    500,
  ],
  [
    'answers with a header of two lines',
    () => new RestResponse(1, { headers: { 'X-Own': `a\n${SECRET}` } }),
    500,
  ],
  [
    'answers with a header beyond Latin-1',
    () => new RestResponse(1, { headers: { 'X-Own': '\u65e5' } }),
    500,
  ],
  [
    'answers with a header that is no text',
    () => new RestResponse(1, { headers: { 'X-Own': 5 as never } }),
    500,
  ],
  ['answers with a name that is none', () => new RestResponse(1, { headers: { 'X Own': 'a' } }), 500],
  ['answers with a status that is none', () => new RestResponse(1, { status: 99 }), 500],
  [
    'answers with bytes in place of their type',
    () => new RestResponse(new RawBody(Buffer.from(SECRET) as never, 'text/plain')),
    500,
  ],
  ['answers with bytes that are none', () => new RestResponse(new RawBody('text/plain', 5 as never)), 500],
  [
    'throws a RestError of another form',
    () => {
      throw new RestError('x', 'x' as never, { data: { status: 404 } });
    },
    500,
  ],
  [
    'throws an error that is not JSON',
    () => {
      throw new RestError('x', [400, 'x'], { data: { a: 5n } });
    },
    500,
  ],
  ['never settles', () => new Promise(() => undefined), 504],
  [
    'never settles and never calls back',
    () => ({
      then() {
        /* neither way */
      },
    }),
    504,
  ],
  [
    'rejects after its time',
    () =>
      later(0, 2 * TIMEOUT_MS).then(() => {
        throw new Error(SECRET);
      }),
    504,
  ],
];

/** Batch and single request on an engine whose log is kept; nothing may get past it. */
async function check([, handler, status]: Misbehaviour): Promise<void> {
  const logged: LogEvent[] = [];
  const bad = createProbe({ handler, endpoint: { methods: ['POST', 'GET'] } });
  const good = createProbe({
    namespace: 'good/v1',
    pattern: '/good/v1/it',
    endpoint: { methods: ['POST'] },
    handler: () => 'good',
  });
  const engine = createTestEngine([bad, good], {
    handlerTimeoutMs: TIMEOUT_MS,
    log: (event) => {
      logged.push(event);
    },
  });
  for (const request of [
    createRequest('/probe/v1/it'),
    createRequest('/probe/v1/it?_embed&_fields=a'),
    createRequest('/probe/v1/it', { method: 'HEAD' }),
  ]) {
    const before = logged.length;
    const wire = await engine.serve(request);
    if (request.query !== '') continue; // a choice of fields may leave out what is no JSON
    assert.is(wire.status, status, request.method);
    assert.is(logged.length, before + 1, 'one line in the log');
    if (request.method === 'GET') checkBody(JSON.parse(String(wire.body)), status);
  }
  const batch = await engine.serve(
    createRequest('/batch/v1', {
      method: 'POST',
      body: { requests: [{ path: '/good/v1/it' }, { path: '/probe/v1/it' }] },
    }),
  );
  assert.is(batch.status, 207);
  const { responses } = JSON.parse(String(batch.body)) as { responses: { status: number; body: unknown }[] };
  assert.equal(
    responses.map((item) => item.status),
    [200, status],
  );
  checkBody(responses[1]?.body, status);
  assert.is(String(batch.body).includes(SECRET), false);
}

function checkBody(body: unknown, status: number): void {
  const { code, message, data, ...rest } = body as { code: string; message: string; data: unknown };
  assert.equal(
    [code, data, rest],
    [status === 504 ? 'rest_handler_timeout' : 'rest_internal_error', { status }, {}],
  );
  assert.is(message.includes(SECRET), false);
}

const handlers = suite('a handler that');

for (const each of MISBEHAVIOURS) {
  handlers(each[0], async () => assert.is(await countUnhandled(() => check(each)), 0));
}

handlers('answers a RestError means it as an error', async () => {
  const engine = createTestEngine([createProbe({ handler: () => engineError('rest_forbidden') })]);
  assert.is((await engine.serve(createRequest('/probe/v1/it'))).status, 401);
});

handlers('answers too much is blamed in the log, and a caller who can ask for less is told so', async () => {
  const lines: string[] = [];
  const log = ({ message, error }: LogEvent): void => {
    lines.push(`${message}: ${String(error)}`);
  };
  const ask = async (endpoint: object): Promise<number> =>
    (
      await createTestEngine([createProbe({ handler: () => 'x'.repeat(2000), endpoint })], {
        answerLimit: 1000,
        log,
      }).serve(createRequest('/probe/v1/it'))
    ).status;
  assert.is(await ask({}), 500);
  assert.is(lines.length, 1);
  assert.match(
    lines[0] ?? '',
    /GET \/probe\/v1\/it .*handler.*: TypeError: the response has 2002 bytes or more, but the option answerLimit allows 1000; return less/,
  );
  assert.is(await ask({ args: { per_page: { type: 'integer' } } }), 413);
  assert.is(lines.length, 1);
});

handlers('answers anything else of JSON is served', async () => {
  const rows = [
    [new Date(0), '"1970-01-01T00:00:00.000Z"'],
    [{ a: undefined, b: [null] }, '{"b":[null]}'],
    [new URL('http://a.test/'), '"http://a.test/"'],
    [
      new (class {
        cents = 5;
      })(),
      '{"cents":5}',
    ],
  ] as const;
  for (const [value, body] of rows)
    assert.is(
      (await createTestEngine([createProbe({ handler: () => value })]).serve(createRequest('/probe/v1/it')))
        .body,
      body,
    );
});

handlers('answers what JSON loses is named in the log, with its endpoint and the place', async () => {
  const logged: LogEvent[] = [];
  const engine = createTestEngine(
    [createProbe({ handler: () => ({ rows: [{ price: 1 }, { price: Number.NaN }] }) })],
    {
      log: (event) => {
        logged.push(event);
      },
    },
  );
  await engine.serve(createRequest('/probe/v1/it'));
  assert.equal(
    logged.map(({ message, error }) => [message, (error as Error).message]),
    [
      [
        'GET /probe/v1/it (probe/v1: /probe/v1/it GET, handler "probe") failed',
        'probe/v1: /probe/v1/it GET: the handler "probe" returned NaN at rows[1].price, which JSON cannot hold; write null',
      ],
    ],
  );
});

handlers(
  'throws is logged with the pattern, the method and the id of the handler, whatever it is',
  async () => {
    const failure = new Error('outer', { cause: new RangeError('inner') });
    for (const thrown of [failure, 'a text', null, undefined, { code: 5 }]) {
      const logged: LogEvent[] = [];
      const handler = (): unknown => {
        throw thrown;
      };
      const engine = createTestEngine([createProbe({ pattern: '/probe/v1/(?P<id>[\\d]+)', handler })], {
        log: (event) => {
          logged.push(event);
        },
      });
      assert.is((await engine.serve(createRequest('/probe/v1/5'))).status, 500);
      assert.is(logged.length, 1);
      const [{ message, error }] = logged as [LogEvent];
      assert.is(message, 'GET /probe/v1/5 (probe/v1: /probe/v1/(?P<id>[\\d]+) GET, handler "probe") failed');
      if (thrown === undefined)
        assert.is((error as Error).message, 'undefined was thrown, which is not an Error');
      else assert.is(error, thrown);
    }
  },
);

handlers('sets headers in its own spelling sends each once', async () => {
  const headers = {
    'content-type': 'text/csv',
    vary: 'Cookie',
    link: '<http://a.test/>',
    'cache-control': 'no-store',
    etag: '"1"',
    'X-Own': undefined as never,
  };
  const wire = await createTestEngine([
    createProbe({ handler: () => new RestResponse(new RawBody(null, 'a,b'), { headers }) }),
  ]).serve(createRequest('/probe/v1/it'));
  const names = Object.keys(wire.headers).map((name) => name.toLowerCase());
  assert.is(new Set(names).size, names.length);
  assert.equal(
    ['Content-Type', 'Vary', 'Cache-Control', 'ETag'].map((name) => wire.headers[name]),
    ['text/csv', 'Origin, Cookie', 'no-store', '"1"'],
  );
  assert.not('X-Own' in wire.headers);
});

handlers('answers after its time changes nothing any more, and may see it coming', async () => {
  const seen: boolean[] = [];
  const engine = createTestEngine(
    [
      createProbe({
        handler: async (_args, { signal }) => {
          seen.push(signal.aborted);
          await later(0, 2 * TIMEOUT_MS);
          seen.push(signal.aborted);
          return 'late';
        },
      }),
    ],
    { handlerTimeoutMs: TIMEOUT_MS },
  );
  assert.is((await engine.dispatch(createRequest('/probe/v1/it'))).status, 504);
  await later(0, 3 * TIMEOUT_MS);
  assert.equal(seen, [false, true]);
});

handlers('asks for the signal is told when the client has gone, single and in a batch', async () => {
  for (const [target, body] of [
    ['/probe/v1/it', {}],
    ['/batch/v1', { requests: [{ path: '/probe/v1/it' }] }],
  ] as const) {
    const client = new AbortController();
    let aborted: unknown;
    const engine = createTestEngine([
      createProbe({
        endpoint: { methods: ['POST'] },
        handler: (_args, { signal }) => {
          client.abort();
          aborted = signal.aborted;
          return 1;
        },
      }),
    ]);
    // As an adapter's request: the signal stands on the prototype.
    const request = Object.create({
      get signal() {
        return client.signal;
      },
    });
    await engine.serve(
      Object.assign(request, createRequest(`${target}?_method=post`, { method: 'POST', body })),
    );
    assert.is(aborted, true, target);
  }
});

handlers.run();

const permissions = suite('a permission function that');

/** A verdict as a program without types may give it. */
const PERMISSIONS: readonly (readonly [title: string, permission: () => unknown, status: number])[] = [
  [
    'throws',
    () => {
      throw new Error(SECRET);
    },
    500,
  ],
  [
    'throws null',
    () => {
      throw null;
    },
    500,
  ],
  ['rejects', () => Promise.reject(new Error(SECRET)), 500],
  ['never settles', () => new Promise(() => undefined), 504],
  [
    'refuses',
    () => {
      throw engineError('rest_forbidden');
    },
    401,
  ],
  ['refuses by what it gives', () => engineError('rest_forbidden'), 401],
  ['refuses by what it gives later', () => later(engineError('rest_forbidden')), 401],
  ['refuses in words of its own', () => new RestError('probe_closed', [418, 'Closed.']), 418],
  ['returns false', () => false, 401],
  ['returns null', () => null, 401],
  ['returns nothing', () => undefined, 401],
  ['returns false later', async () => false, 401],
  ['returns null later', async () => null, 401],
  ['returns nothing later', async () => undefined, 401],
  ['asks for a capability that the caller does not have', () => can(ANONYMOUS, 'manage_options'), 401],
];

/** What is neither an admission nor a refusal. */
const MISTAKES: readonly (readonly [verdict: unknown, named: string])[] = [
  [0, 'a number'],
  [1, 'a number'],
  [Number.NaN, 'NaN'],
  ['', 'a text'],
  ['no', 'a text'],
  ['true', 'a text'],
  [1n, 'a BigInt'],
  [Symbol('yes'), 'a symbol'],
  [() => true, 'a function'],
  [[], 'a list'],
  [[true], 'a list'],
  [new Map(), 'an instance of Map'],
  [new Date(), 'an instance of Date'],
  [Object(true), 'an instance of Boolean'],
  [
    new (class Post {
      id = 1;
    })(),
    'an instance of Post',
  ],
  [new Error(SECRET), 'an instance of Error'],
  [hostileGetters, 'an instance of Error'],
  [Object.create(Object.create(null)), 'an object'],
  [{ id: 7 }, 'a plain object'],
  [{ status: 403 }, 'a plain object'],
  [ANONYMOUS, 'a plain object'],
  [Object.assign(Object.create(null) as object, { id: 7 }), 'a plain object'],
];

for (const [title, permission, status] of PERMISSIONS) {
  permissions(title, async () => {
    let ran = 0;
    const namespace = createProbe({
      endpoint: { permission: 'probe.may' },
      permissions: { 'probe.may': permission as Permission },
      handler: () => {
        ran += 1;
        return 1;
      },
    });
    const engine = createTestEngine([namespace], { handlerTimeoutMs: TIMEOUT_MS });
    assert.is(
      await countUnhandled(async () => {
        const response = await engine.dispatch(createRequest('/probe/v1/it'));
        const described = await engine.dispatch(createRequest('/probe/v1/it', { method: 'OPTIONS' }));
        assert.equal(
          [response.status, response.headers['Allow'], described.status, described.headers['Allow'], ran],
          [status, undefined, 200, undefined, 0],
        );
      }),
      0,
    );
  });
}

for (const [at, [verdict, named]] of MISTAKES.entries()) {
  permissions(`returns ${named} (${at}), at once or later, is a mistake that the log is told`, async () => {
    for (const permission of [() => verdict, async () => verdict]) {
      let ran = 0;
      const logged: LogEvent[] = [];
      const namespace = createProbe({
        endpoint: { methods: ['GET', 'POST'], permission: 'probe.may' },
        permissions: { 'probe.may': permission as Permission },
        handler: () => {
          ran += 1;
          return 1;
        },
      });
      const engine = createTestEngine([namespace], {
        log: (event) => {
          logged.push(event);
        },
      });
      const ask = async (method: string): Promise<unknown> => {
        const { status, headers, body } = await engine.serve(
          createRequest('/probe/v1/it', { method, ...(method === 'POST' ? { body: {} } : {}) }),
        );
        assert.not.match(String(body), SECRET);
        return [status, headers['Allow']];
      };
      assert.equal(
        [await ask('GET'), await ask('POST'), await ask('OPTIONS'), ran],
        [[500, undefined], [500, undefined], [200, undefined], 0],
      );
      // One line for each of GET and POST, one for OPTIONS and one for the Allow of the answer to POST, after which it is asked again.
      for (const { level, error } of logged) {
        assert.is(level, 'error');
        assert.ok(
          String((error as Error).message).startsWith(
            `probe/v1: /probe/v1/it GET, POST: the permission "probe.may" returned ${named}; `,
          ),
          String((error as Error).message),
        );
      }
      assert.ok(logged.length >= 3);
    }
  });
}

permissions('returns an error tells the log which', async () => {
  const causes: unknown[] = [];
  const cause = new Error(SECRET);
  const namespace = createProbe({
    endpoint: { permission: 'probe.may' },
    permissions: { 'probe.may': (() => cause) as unknown as Permission },
  });
  await createTestEngine([namespace], {
    log: ({ error }) => {
      causes.push((error as Error).cause);
    },
  }).dispatch(createRequest('/probe/v1/it'));
  assert.equal(causes, [cause]);
});

permissions('refuses a known caller with 403', async () => {
  const namespace = createProbe({
    endpoint: { permission: 'probe.may' },
    permissions: { 'probe.may': (_args, call) => can(call.identity, 'manage_options') },
  });
  const engine = createTestEngine([namespace]);
  const ask = async (capabilities: readonly string[]): Promise<number> =>
    (
      await engine.dispatch(createRequest('/probe/v1/it'), {
        id: 5,
        role: 'x',
        capabilities: new Set(capabilities),
      })
    ).status;
  assert.equal([await ask([]), await ask(['manage_options'])], [403, 200]);
});

permissions('returns true gives the handler no subject', async () => {
  for (const permission of [() => true, async () => true]) {
    const namespace = createProbe({
      endpoint: { permission: 'probe.may' },
      permissions: { 'probe.may': permission },
      handler: (_args, { subject }) => ({ subject }),
    });
    assert.equal((await createTestEngine([namespace]).dispatch(createRequest('/probe/v1/it'))).body, {
      subject: null,
    });
  }
});

permissions('gives the handler its subject', async () => {
  const record = { id: 7 };
  for (const permission of [() => subject(record), async () => subject(record)]) {
    const namespace = createProbe({
      endpoint: { permission: 'probe.may' },
      permissions: { 'probe.may': permission },
      handler: (_args, call) => call.subject === record,
    });
    assert.is((await createTestEngine([namespace]).dispatch(createRequest('/probe/v1/it'))).body, true);
  }
});

permissions.run();

const others = suite('everything else that a host gives');

others('may fail without a rejection: log, authentication, facts of the site, loaders', async () => {
  const fail = (): never => {
    throw new Error(SECRET);
  };
  const { error } = console;
  console.error = () => undefined;
  try {
    const engines = [
      createTestEngine([createProbe({ handler: fail })], { log: fail }),
      createTestEngine([createProbe()], { authenticate: fail }),
      createTestEngine([createProbe()], { authenticate: () => Promise.reject(new Error(SECRET)) }),
      createTestEngine([
        createProbe({
          handler: () => ({ _links: { author: [{ href: '/', embeddable: true }] } }),
          embeds: { author: fail },
        }),
      ]),
      createTestEngine(
        [
          createProbe({
            handler: () => ({ _links: { author: [{ href: '/', embeddable: true }] } }),
            embeds: { author: () => new Promise(() => undefined) },
          }),
        ],
        { handlerTimeoutMs: TIMEOUT_MS },
      ),
    ];
    const statuses = await Promise.all(
      engines.map(async (engine) => (await engine.serve(createRequest('/probe/v1/it?_embed'))).status),
    );
    // A record that cannot be embedded is embedded as its error.
    assert.equal(statuses, [500, 500, 500, 200, 504]);
    assert.is((await createTestEngine([], { describeSite: fail }).serve(createRequest('/'))).status, 500);
  } finally {
    console.error = error;
  }
});

others(
  'may load or describe what JSON loses: it is an error, and of a loader that of its record alone',
  async () => {
    const logged: LogEvent[] = [];
    const log = (event: LogEvent): void => {
      logged.push(event);
    };
    for (const value of [
      undefined,
      false,
      new RestResponse({ id: 1 }),
      { id: new Map() },
      engineError('rest_internal_error'),
    ]) {
      const engine = createTestEngine(
        [
          createProbe({
            handler: () => ({ _links: { author: [{ href: '/', embeddable: true }] } }),
            embeds: { author: async () => value },
          }),
        ],
        { log },
      );
      const { status, body } = await engine.serve(createRequest('/probe/v1/it?_embed'));
      assert.equal(
        [
          status,
          (JSON.parse(String(body)) as { _embedded: { author: { code: string }[] } })._embedded.author[0]
            ?.code,
        ],
        [200, 'rest_internal_error'],
      );
    }
    assert.equal(
      logged.map(({ error }) => (error as Error).message),
      [
        ...['undefined', 'false', 'an instance of RestResponse'].map(
          (kind) =>
            `the loader of / returned ${kind}; it must return the record, or null if the caller may not see it`,
        ),
        'the loader of / returned an instance of Map at id, which JSON cannot hold; write Object.fromEntries(map)',
      ],
    );
    const facts = (): never => ({ name: 'x', gmt_offset: Number.NaN }) as never;
    assert.is(
      (await createTestEngine([], { describeSite: facts, log }).serve(createRequest('/'))).status,
      500,
    );
  },
);

others('a batch whose item hangs answers for all of them, and begins nothing after its time', () =>
  withMovedClock(async (clock) => {
    let ran = 0;
    const hang = createProbe({
      endpoint: { methods: ['POST'] },
      handler: () => new Promise(() => undefined),
    });
    const good = createProbe({
      namespace: 'good/v1',
      pattern: '/good/v1/it',
      endpoint: { methods: ['POST'] },
      handler: () => {
        ran += 1;
        return 1;
      },
    });
    const engine = createTestEngine([hang, good], { handlerTimeoutMs: 100 });
    const requests = [
      { path: '/good/v1/it' },
      ...Array.from({ length: 23 }, () => ({ path: '/probe/v1/it' })),
      { path: '/good/v1/it' },
    ];
    let response: Awaited<ReturnType<typeof engine.dispatch>> | undefined;
    void engine.dispatch(createRequest('/batch/v1', { method: 'POST', body: { requests } })).then((made) => {
      response = made;
    });
    await clock.move(1000);
    assert.ok(response, 'each waits for its own time');
    assert.ok(response.status === 207 || response.status === 504, String(response.status));
    if (response.status === 207)
      assert.equal(
        (response.body as { responses: { status: number }[] }).responses
          .slice(0, 24)
          .map((item) => item.status),
        [200, ...Array.from({ length: 23 }, () => 504)],
      );
    assert.ok(ran <= 2);
  }),
);

others.run();
