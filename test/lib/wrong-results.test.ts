import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { RestError } from '../../lib/core/errors.ts';
import { readIdentity } from '../../lib/core/identity.ts';
import { statusOf } from '../../lib/dispatch/failure.ts';
import type { LogEvent } from '../../lib/dispatch/runtime.ts';
import { createRequest } from '../../lib/http/create-request.ts';
import { RestResponse } from '../../lib/http/response.ts';
import type { Around, Call } from '../../lib/route/call.ts';
import type { ValueCheck } from '../../lib/route/namespace.ts';
import { pageHeaders } from '../../lib/route/paging.ts';
import { invalidParams } from '../../lib/schema/invalid.ts';
import { createProbe } from '../support/probe.ts';
import { createTestEngine } from '../support/site.ts';
import { countUnhandled } from '../support/unhandled.ts';

// Functions of a host app that return what the types forbid, as a program in JavaScript or with a cast does.

const SECRET = 'hunter2';
const fail = async (): Promise<never> => {
  throw new Error(SECRET);
};

/** The messages of what was logged. */
const messagesOf = (logged: readonly LogEvent[]): readonly string[] =>
  logged.map(({ error }) => (error as Error).message);

const logs = suite('a log');

logs('that rejects ends nothing, and the console is told', async () => {
  const lines: unknown[] = [];
  const { error } = console;
  console.error = (line: unknown) => {
    lines.push(line);
  };
  try {
    const engine = createTestEngine([createProbe({ handler: fail })], { log: fail as () => never });
    assert.is(
      await countUnhandled(async () =>
        assert.is((await engine.serve(createRequest('/probe/v1/it'))).status, 500),
      ),
      0,
    );
  } finally {
    console.error = error;
  }
  assert.match(lines.join('\n'), /the log failed: Error: hunter2/);
});

logs.run();

const handlers = suite('a handler');

handlers(
  'that forgets to await a list of promises is told so, and none of their rejections ends the program',
  async () => {
    const logged: LogEvent[] = [];
    const engine = createTestEngine(
      [createProbe({ handler: () => ({ rows: [1, 2].map(fail), more: { row: fail() } }) })],
      {
        log: (event) => {
          logged.push(event);
        },
      },
    );
    assert.is(
      await countUnhandled(async () =>
        assert.is((await engine.serve(createRequest('/probe/v1/it'))).status, 500),
      ),
      0,
    );
    assert.equal(messagesOf(logged), [
      'probe/v1: /probe/v1/it GET: the handler "probe" returned an instance of Promise at rows[0], which JSON cannot hold; await it, or Promise.all of a list',
    ]);
  },
);

handlers('that returns an error instead of throwing it does not hide it from the log', async () => {
  const logged: LogEvent[] = [];
  const engine = createTestEngine([createProbe({ handler: () => new Error(SECRET) })], {
    log: (event) => {
      logged.push(event);
    },
  });
  await engine.serve(createRequest('/probe/v1/it'));
  const [{ error } = { error: null }] = logged;
  assert.match(String(error), /returned an instance of Error, which JSON cannot hold; throw it$/);
  assert.is(((error as Error).cause as Error).message, SECRET);
});

handlers('that gives invalidParams a text instead of a reason is told so', () => {
  assert.throws(
    () => invalidParams([['size', 'too large' as never]]),
    /^invalidParams: the reason of size is a text; it must be \{ code, message, data \}$/,
  );
  assert.throws(
    () => invalidParams([['size', Object.assign(new Error(SECRET), { code: 'ENOENT' }) as never]]),
    /the reason of size is an instance of Error/,
  );
});

handlers('that gives cookies, headers or totals of another form is told so', async () => {
  const rows: readonly (readonly [handler: (args: unknown, call: Call) => unknown, said: RegExp])[] = [
    [
      () => new RestResponse(1, { cookies: 'sid=1' as never }),
      /cookies that are a text; they must be a list of texts/,
    ],
    [
      () => new RestResponse(1, { headers: new Headers({ 'X-A': 'b' }) as never }),
      /headers that are an instance of Headers; they must be a plain object/,
    ],
    [
      () => new RestResponse(1, { headers: new Map([['X-A', 'b']]) as never }),
      /headers that are an instance of Map; they must be a plain object/,
    ],
    [
      () => new RestResponse(1, { headers: [['X-A', 'b']] as never }),
      /headers that are a list; they must be a plain object/,
    ],
    [
      (_args, call) =>
        new RestResponse([], { headers: pageHeaders(call, { page: 1, perPage: 10, total: -1 }) }),
      /^pageHeaders: total is -1; .* write total: true in the query of find$/,
    ],
    [
      (_args, call) =>
        new RestResponse([], { headers: pageHeaders(call, { page: 0, perPage: 10, total: 5 }) }),
      /^pageHeaders: page is 0; it must be a whole number of 1 or more$/,
    ],
    [
      (_args, call) =>
        new RestResponse([], {
          headers: pageHeaders(call, { page: 1, perPage: 10, total: undefined as never }),
        }),
      /^pageHeaders: total is undefined; it must be a whole number of 0 or more$/,
    ],
  ];
  for (const [handler, said] of rows) {
    const logged: LogEvent[] = [];
    const engine = createTestEngine([createProbe({ handler })], {
      log: (event) => {
        logged.push(event);
      },
    });
    const { status, cookies, headers } = await engine.serve(createRequest('/probe/v1/it'));
    assert.equal([status, cookies ?? [], headers['X-CMS-Total']], [500, [], undefined]);
    assert.is(logged.length, 1);
    assert.match(messagesOf(logged)[0] ?? '', said);
  }
});

handlers.run();

const aborts = suite('work that is stopped because the client has gone');

aborts('is a 499 and no failure, in a handler, in an embed and for around', async () => {
  const logged: LogEvent[] = [];
  const seen: number[] = [];
  const around: Around = async (call, next) => {
    try {
      return await next();
    } catch (error) {
      seen.push(statusOf(error, call));
      throw error;
    }
  };
  const work = ({ signal }: Call): Promise<never> =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
    });
  const wrapped = ({ signal }: Call): Promise<never> =>
    work({ signal } as Call).catch((cause: unknown) => {
      throw Object.assign(new Error('stopped', { cause }), { code: 'ABORT_ERR' });
    });
  const linked = { _links: { author: [{ href: '/', embeddable: true }] } };
  const probes = [
    createProbe({ handler: (_args, call) => work(call) }),
    createProbe({ handler: (_args, call) => wrapped(call), around }),
    createProbe({ handler: () => linked, embeds: { author: (_href, call) => work(call) } }),
  ];
  const statuses = await Promise.all(
    probes.map(async (probe) => {
      const client = new AbortController();
      const request = Object.create({
        get signal() {
          return client.signal;
        },
      });
      const answer = createTestEngine([probe], {
        log: (event) => {
          logged.push(event);
        },
      }).serve(Object.assign(request, createRequest('/probe/v1/it?_embed')));
      setTimeout(() => client.abort(), 5);
      return (await answer).status;
    }),
  );
  assert.equal([statuses, seen, logged], [[499, 499, 200], [499], []]);
});

aborts('stays a failure while the client waits', async () => {
  const logged: LogEvent[] = [];
  const engine = createTestEngine(
    [
      createProbe({
        handler: () => {
          AbortSignal.abort().throwIfAborted();
        },
      }),
    ],
    {
      log: (event) => {
        logged.push(event);
      },
    },
  );
  assert.equal([(await engine.serve(createRequest('/probe/v1/it'))).status, logged.length], [500, 1]);
});

aborts.run();

const checks = suite('a value check');

async function askWith(
  check: unknown,
): Promise<{ readonly status: number; readonly body: string; readonly logged: readonly string[] }> {
  const logged: LogEvent[] = [];
  const probe = createProbe({
    endpoint: { args: { size: { type: 'integer', maximum: 9 } }, checks: { size: 'probe.size' } },
    checks: { 'probe.size': check as ValueCheck },
  });
  const { status, body } = await createTestEngine([probe], {
    log: (event) => {
      logged.push(event);
    },
  }).serve(createRequest('/probe/v1/it?size=20'));
  return { status, body: String(body), logged: messagesOf(logged) };
}

const VERDICTS: readonly (readonly [verdict: () => unknown, named: string])[] = [
  [() => true, 'true'],
  [() => false, 'false'],
  [() => 0, 'a number'],
  [() => 'too large', 'a text'],
  [() => [], 'a list'],
  [() => ({}), 'a plain object'],
  [() => ({ id: 1, password: SECRET }), 'a plain object'],
  [() => ({ code: 'x' }), 'a plain object'],
  [() => Object.assign(new Error(SECRET), { code: 'ENOENT' }), 'an instance of Error'],
  [() => new RestError('x', [400, SECRET]), 'an instance of RestError'],
  [async () => 'valid', 'an instance of Promise'],
  [async () => null, 'an instance of Promise'],
  [fail, 'an instance of Promise'],
];

for (const [at, [verdict, named]] of VERDICTS.entries()) {
  checks(
    `that returns ${named} (${at}) is a 500 that tells callers nothing, and the log names it`,
    async () => {
      assert.is(
        await countUnhandled(async () => {
          const { status, body, logged } = await askWith(verdict);
          assert.is(status, 500);
          assert.not.match(body, SECRET);
          assert.equal(logged, [
            `probe/v1: /probe/v1/it GET, parameter size: the check "probe.size" returned ${named}; it must return 'valid' to accept the value, null to leave it to the schema, or { code, message, data } to refuse it`,
          ]);
        }),
        0,
      );
    },
  );
}

checks('accepts, leaves the value to the schema, or refuses it with its reason alone', async () => {
  assert.is((await askWith(() => 'valid')).status, 200);
  for (const nothing of [null, undefined])
    assert.match((await askWith(() => nothing)).body, /rest_out_of_bounds|size must be/);
  const { status, body } = await askWith(() => ({
    code: 'too_large',
    message: 'Too large.',
    password: SECRET,
  }));
  assert.is(status, 400);
  assert.equal((JSON.parse(body) as { data: unknown }).data, {
    status: 400,
    params: { size: 'Too large.' },
    details: { size: { code: 'too_large', message: 'Too large.', data: null } },
  });
});

checks.run();

const identities = suite('what identifies a caller');

identities('is refused with the member that is wrong', () => {
  const rows = [
    [{ id: 5, role: 'x', capabilities: ['a'] }, 'a plain object whose capabilities is a list'],
    [{ id: '', role: 'x', capabilities: new Set() }, 'a plain object whose id is a text'],
    [{ id: 5, capabilities: new Set() }, 'a plain object whose role is undefined'],
    [true, 'true'],
    [[], 'a list'],
    [new Error(SECRET), 'an instance of Error whose id is undefined'],
  ] as const;
  for (const [value, named] of rows)
    assert.throws(
      () => readIdentity(value, 'authenticate'),
      (error: Error) =>
        error.message.startsWith(`authenticate returned ${named}; it must return an Identity`),
    );
});

identities.run();

const facts = suite('describeSite');

facts('must return an object with facts', async () => {
  for (const [value, named] of [
    ['Port Arven', 'a text'],
    [null, 'null'],
    [[], 'a list'],
    [new RestResponse({ name: 'x' }), 'an instance of RestResponse'],
    [new Error(SECRET), 'an instance of Error'],
  ] as const) {
    const logged: LogEvent[] = [];
    const { status } = await createTestEngine([], {
      describeSite: (async () => value) as never,
      log: (event) => {
        logged.push(event);
      },
    }).serve(createRequest('/'));
    assert.equal(
      [status, messagesOf(logged)],
      [500, [`describeSite returned ${named}; it must return an object with facts about the site`]],
    );
  }
});

facts.run();

const flushes = suite('flush');

flushes('may flush at once, without a promise', async () => {
  let count = 0;
  const probe = createProbe({ endpoint: { methods: ['POST'] }, handler: () => 1 });
  const engine = createTestEngine([probe], {
    flush: (() => {
      count += 1;
    }) as never,
  });
  assert.is(
    (
      await engine.serve(
        createRequest('/batch/v1', { method: 'POST', body: { requests: [{ path: '/probe/v1/it' }] } }),
      )
    ).status,
    207,
  );
  assert.is(count, 1);
});

flushes.run();
