import { setImmediate } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../../adapters/memory-store.ts';
import { createErrors, RestError } from '../../../lib/core/errors.ts';
import type { CallerId } from '../../../lib/core/identity.ts';
import { statusOf } from '../../../lib/dispatch/failure.ts';
import type { LogEvent } from '../../../lib/dispatch/runtime.ts';
import type { Engine, EngineOptions } from '../../../lib/engine/engine.ts';
import { createRequest, type RequestOptions } from '../../../lib/http/create-request.ts';
import { RecordList } from '../../../lib/http/record-list.ts';
import { RestResponse } from '../../../lib/http/response.ts';
import type { Around, Call } from '../../../lib/route/call.ts';
import { createProbe, type ProbeParts } from '../../support/probe.ts';
import { createTestEngine } from '../../support/site.ts';
import { countUnhandled } from '../../support/unhandled.ts';

const PATH = '/probe/v1/it';
const shopError = createErrors({ too_many: [429, 'Too many calls.'], closed: [503, 'Closed.'] });

interface Opened {
  readonly engine: Engine;
  readonly log: LogEvent[];
  readonly ask: (
    options?: RequestOptions,
  ) => Promise<{ readonly status: number; readonly code: unknown; readonly body: unknown }>;
}

/** An engine with one probe, and what it logs. */
function open(parts: ProbeParts, options: Partial<EngineOptions> = {}): Opened {
  const log: LogEvent[] = [];
  const engine = createTestEngine([createProbe(parts)], {
    log: (event) => {
      log.push(event);
    },
    ...options,
  });
  const ask = async (asked: RequestOptions = {}) => {
    const { status, body } = await engine.dispatch(createRequest(PATH, asked));
    return { status, code: (body as { code?: unknown } | null)?.code, body };
  };
  return { engine, log, ask };
}

const uses = suite('around');

uses('writes a request log with the pattern of the route and the status', async () => {
  const lines: string[] = [];
  const logged: Around = async (call, next) => {
    let status = 0;
    try {
      const response = await next();
      ({ status } = response);
      return response;
    } catch (error) {
      status = statusOf(error, call);
      throw error;
    } finally {
      lines.push(`${call.request.method} ${call.namespace} ${call.route.pattern} ${status}`);
    }
  };
  const handler = ({ how }: { how?: unknown }): unknown => {
    if (how === 'error') throw shopError('closed');
    if (how === 'bug') throw new TypeError('a bug');
    return new RestResponse(how, { status: 201 });
  };
  const { engine, ask } = open(
    {
      handler,
      pattern: '/probe/v1/(?P<id>[a-z]+)',
      endpoint: { methods: ['GET', 'DELETE'], args: { how: { type: 'string' } }, permission: 'may' },
      permissions: { may: (_args, { request }) => request.method === 'GET' },
    },
    { around: logged },
  );
  for (const how of ['fine', 'error', 'bug']) await engine.dispatch(createRequest(`${PATH}?how=${how}`));
  await ask({ method: 'DELETE' });
  await engine.dispatch(createRequest('/'));
  assert.equal(lines, [
    'GET probe/v1 /probe/v1/(?P<id>[a-z]+) 201',
    'GET probe/v1 /probe/v1/(?P<id>[a-z]+) 503',
    'GET probe/v1 /probe/v1/(?P<id>[a-z]+) 500',
    'DELETE probe/v1 /probe/v1/(?P<id>[a-z]+) 401',
    'GET  / 200',
  ]);
});

uses('limits a rate before permission and handler do any work', async () => {
  const calls: string[] = [];
  const counts = new Map<CallerId, number>();
  const limited: Around = async ({ identity }, next) => {
    const count = (counts.get(identity.id) ?? 0) + 1;
    counts.set(identity.id, count);
    if (count > 2) throw shopError('too_many', { headers: { 'Retry-After': '60' } });
    return (await next()).withHeaders({ 'RateLimit-Remaining': String(2 - count) });
  };
  const { engine } = open({
    around: limited,
    endpoint: { permission: 'may' },
    handler: () => {
      calls.push('handler');
      return 'ok';
    },
    permissions: {
      may: () => {
        calls.push('permission');
        return true;
      },
    },
  });
  const answers = [];
  for (let round = 0; round < 3; round += 1) answers.push(await engine.dispatch(createRequest(PATH)));
  assert.equal(
    answers.map(({ status, headers }) => [status, headers['RateLimit-Remaining'], headers['Retry-After']]),
    [
      [200, '1', undefined],
      [200, '0', undefined],
      [429, undefined, '60'],
    ],
  );
  assert.is(
    answers[2]?.headers['Allow'],
    'GET',
    'the permission was not asked in the call, and the header is right all the same',
  );
  assert.equal(calls.filter((call) => call === 'handler').length, 2);
});

uses('holds a transaction around permission and handler, which a failure rolls back', async () => {
  const steps: string[] = [];
  const database = {
    async transaction<T>(run: () => Promise<T>): Promise<T> {
      steps.push('begin');
      try {
        const value = await run();
        steps.push('commit');
        return value;
      } catch (error) {
        steps.push('rollback');
        throw error;
      }
    },
  };
  const around: Around = ({ request }, next) =>
    request.method === 'GET' ? next() : database.transaction(next);
  const { engine, ask } = open({
    around,
    endpoint: { methods: ['GET', 'POST', 'DELETE'], permission: 'may', args: { fail: { type: 'boolean' } } },
    permissions: {
      may: (_args, { request }) => {
        steps.push('permission');
        return request.method !== 'DELETE';
      },
    },
    handler: ({ fail }) => {
      steps.push('handler');
      if (fail === true) throw new Error('broken');
      return 'ok';
    },
  });
  const stepsOf = async (run: () => Promise<{ status: number }>): Promise<string> => {
    steps.length = 0;
    const { status } = await run();
    // The permissions of the other methods, for `Allow`, are asked after the handler.
    return `${steps
      .filter((step, index) => step !== 'permission' || index < 2)
      .slice(0, 4)
      .join(' ')} ${status}`;
  };
  assert.is(await stepsOf(() => ask()), 'permission handler 200');
  assert.is(await stepsOf(() => ask({ method: 'POST' })), 'begin permission handler commit 200');
  assert.is(await stepsOf(() => ask({ method: 'DELETE' })), 'begin permission rollback 401');
  assert.is(
    await stepsOf(() => engine.dispatch(createRequest(`${PATH}?fail=true`, { method: 'POST' }))),
    'begin permission handler rollback 500',
  );
});

uses('of the engine is outside of that of the namespace, and both see every item of a batch', async () => {
  const seen: string[] = [];
  const note =
    (name: string): Around =>
    async ({ route }, next) => {
      seen.push(`${name} ${route.pattern}`);
      const response = await next();
      seen.push(`/${name}`);
      return response;
    };
  const { engine } = open(
    {
      around: note('namespace'),
      endpoint: { methods: ['POST'] },
      handler: () => {
        seen.push('handler');
        return 1;
      },
    },
    { around: note('engine') },
  );
  const response = await engine.dispatch(
    createRequest('/batch/v1', { method: 'POST', body: { requests: [{ path: PATH }] } }),
  );
  assert.equal(
    (response.body as { responses: readonly { status: number; body: unknown }[] }).responses.map(
      ({ status, body }) => [status, body],
    ),
    [[200, 1]],
  );
  assert.equal(seen, [
    'engine /batch/v1',
    `engine ${PATH}`,
    `namespace ${PATH}`,
    'handler',
    '/namespace',
    '/engine',
    '/engine',
  ]);
});

uses('sees the shaped response, and what it returns instead is sent', async () => {
  const around: Around = async (_call, next) => {
    const response = await next();
    return response.withContent({ seen: response.body });
  };
  const { engine } = open({ around, handler: () => ({ a: 1, b: 2 }) });
  assert.equal((await engine.dispatch(createRequest(`${PATH}?_fields=a`))).body, { seen: { a: 1 } });
  const batch = await engine.dispatch(
    createRequest('/batch/v1', { method: 'POST', body: { requests: [{ path: PATH, method: 'POST' }] } }),
  );
  assert.is(batch.status, 207);
});

uses('sees a cached response as well, and does not keep it from others', async () => {
  const store = createMemoryStore([{ name: 'posts', fields: {} }]);
  let handled = 0;
  const seen: number[] = [];
  const around: Around = async (_call, next) => {
    const response = await next();
    seen.push(response.status);
    return response.withHeaders({ 'X-Count': String(seen.length) });
  };
  const { engine } = open(
    {
      around,
      endpoint: { cache: ['posts'] },
      handler: () => {
        handled += 1;
        return { handled };
      },
    },
    { cache: { store } },
  );
  const site = 'http://site.test';
  const target = `/en/cms-json${PATH}`;
  const serve = async () => {
    const { headers, body } = await engine.serve({ ...createRequest(PATH, { siteUrl: site }), target });
    return [headers['X-Count'], String(body)];
  };
  assert.equal(
    [await serve(), await serve()],
    [
      ['1', '{"handled":1}'],
      ['2', '{"handled":1}'],
    ],
  );
  assert.is(await engine.ready?.(site, target), null, 'no cached bytes pass it by');
  await store.commit([{ op: 'create', collection: 'posts', values: {} }]);
  assert.equal(await serve(), ['3', '{"handled":2}']);
  await store.close();
});

uses('sends the shared bytes of a cached response that it does not change', async () => {
  const store = createMemoryStore([{ name: 'posts', fields: {} }]);
  const { engine } = open(
    { around: (_call, next) => next(), endpoint: { cache: ['posts'] } },
    { cache: { store } },
  );
  const serve = () => engine.serve(createRequest(PATH));
  const first = await serve();
  assert.is(await serve(), first);
  await store.close();
});

uses('refuses where a store cannot confirm its cache, and reports it once', async () => {
  const store = {
    revision: () => {
      throw new Error('gone');
    },
    versions: () => [],
  };
  const { ask, log } = open(
    { around: (_call, next) => next(), endpoint: { cache: ['posts'] } },
    { cache: { store } },
  );
  assert.is((await ask()).status, 200);
  assert.equal(
    log.map(({ message }) => message),
    [`asking the cache for ${PATH} failed`],
  );
});

uses('is limited in time together with the call', async () => {
  const { ask, log } = open({ around: () => new Promise(() => undefined) }, { handlerTimeoutMs: 20 });
  assert.equal(
    [(await ask()).status, log.map(({ message }) => message)],
    [504, [`GET ${PATH} (probe/v1: ${PATH} GET, handler "probe") took too long`]],
  );
});

uses.run();

const mistakes = suite('a mistake in around');

const RESPONSE = new RestResponse('mine');
const MUST = 'it must return the response of next(), or throw a RestError to refuse the call';
const WHAT = `probe/v1: ${PATH} GET: around of the namespace probe/v1`;

/** A function, whether the handler runs, and what the log says. */
const MISTAKES: readonly (readonly [string, unknown, boolean, string])[] = [
  ['returns nothing', () => undefined, false, `${WHAT} returned undefined; ${MUST}`],
  [
    'forgets to return',
    async (_call: Call, next: () => Promise<unknown>) => {
      await next();
    },
    true,
    `${WHAT} returned undefined; ${MUST}`,
  ],
  [
    'answers by itself',
    () => RESPONSE,
    false,
    `${WHAT} returned a response although next() was not called; ${MUST}`,
  ],
  [
    'answers by itself later',
    async () => RESPONSE,
    false,
    `${WHAT} returned a response although next() was not called; ${MUST}`,
  ],
  [
    'does not wait',
    (_call: Call, next: () => Promise<unknown>) => {
      void next();
      return RESPONSE;
    },
    true,
    `${WHAT} returned a response although next() has not answered; ${MUST}`,
  ],
  [
    'calls next twice',
    async (_call: Call, next: () => Promise<unknown>) => {
      await next();
      return next();
    },
    true,
    `${WHAT} called next() more than once`,
  ],
  [
    'calls next twice and hides it',
    async (_call: Call, next: () => Promise<unknown>) => {
      const response = await next();
      void next();
      return response;
    },
    true,
    `${WHAT} called next() more than once`,
  ],
  [
    'returns a plain value',
    async (_call: Call, next: () => Promise<RestResponse>) => ({ ...(await next()) }),
    true,
    `${WHAT} returned a plain object; ${MUST}`,
  ],
  [
    'returns the function',
    (_call: Call, next: unknown) => next,
    false,
    `${WHAT} returned a function; ${MUST}`,
  ],
  [
    'sets a broken header',
    async (_call: Call, next: () => Promise<RestResponse>) => (await next()).withHeaders({ 'X-A': 'a\nb' }),
    true,
    `${WHAT} returned the header X-A: "a\\nb", which must be a single line of Latin-1`,
  ],
  [
    'returns what JSON loses',
    async (_call: Call, next: () => Promise<RestResponse>) => (await next()).withContent({ a: new Map() }),
    true,
    `${WHAT} returned an instance of Map at a, which JSON cannot hold; write Object.fromEntries(map)`,
  ],
  [
    'returns a list of records',
    async (_call: Call, next: () => Promise<unknown>) => {
      await next();
      return new RestResponse(new RecordList([], () => null));
    },
    true,
    `${WHAT} returned links or a RecordList`,
  ],
  [
    'throws',
    () => {
      throw new Error('my bug');
    },
    false,
    'my bug',
  ],
  [
    'throws after the handler',
    async (_call: Call, next: () => Promise<unknown>) => {
      await next();
      throw new Error('my bug');
    },
    true,
    'my bug',
  ],
];

for (const [title, around, isHandled, message] of MISTAKES) {
  mistakes(`that ${title} is a 500, and the log says so`, async () => {
    let handled = 0;
    const { ask, log } = open({
      around: around as Around,
      handler: async () => {
        handled += 1;
        await setImmediate();
        return 'secret';
      },
    });
    assert.is(
      await countUnhandled(async () => {
        const { status, code, body } = await ask();
        assert.equal([status, code], [500, 'rest_internal_error']);
        assert.not.match(JSON.stringify(body), /secret|mine/);
      }),
      0,
    );
    assert.is(handled, isHandled ? 1 : 0);
    assert.is(log.length, 1);
    assert.is(log[0]?.message, `GET ${PATH} (probe/v1: ${PATH} GET, handler "probe") failed`);
    assert.match(String(log[0]?.error), message);
  });
}

mistakes('does not open a route that its permission refuses', async () => {
  let handled = 0;
  const guarded: ProbeParts = {
    endpoint: { permission: 'no' },
    permissions: { no: () => false },
    handler: () => {
      handled += 1;
      return 'secret';
    },
  };
  const swallow: Around = async (_call, next) => {
    try {
      return await next();
    } catch {
      return RESPONSE;
    }
  };
  const { ask, log } = open({ ...guarded, around: swallow });
  assert.is((await ask()).status, 500);
  assert.match(String(log[0]?.error), 'although next() has not answered');
  assert.is((await open({ ...guarded, around: (_call, next) => next() }).ask()).status, 401);
  assert.is(handled, 0);
});

mistakes('does not run a handler after the call is over', async () => {
  let handled = 0;
  let late: (() => Promise<unknown>) | null = null;
  const around = ((_call: Call, next: () => Promise<unknown>) => {
    late = next;
    throw shopError('closed');
  }) as Around;
  const { ask } = open({
    around,
    handler: () => {
      handled += 1;
      return 1;
    },
  });
  assert.is((await ask()).status, 503);
  const outcome: unknown = await (late as (() => Promise<unknown>) | null)?.().catch(
    (error: unknown) => error,
  );
  assert.match(String(outcome), 'called next() after it had returned');
  assert.is(handled, 0);
});

mistakes("is none if it returns a RestError, or throws one for the handler's", async () => {
  assert.equal(
    await open({ around: () => shopError('closed') })
      .ask()
      .then(({ status, code }) => [status, code]),
    [503, 'closed'],
  );
  const translate: Around = (_call, next) =>
    next().catch(() => {
      throw new RestError('mine', [418, 'x']);
    });
  assert.is(
    (
      await open({
        around: translate,
        handler: () => {
          throw new Error('x');
        },
      }).ask()
    ).status,
    418,
  );
});

mistakes('is found when it is registered, if it is not a function', () => {
  assert.throws(
    () => createTestEngine([createProbe({ around: 5 as unknown as Around })]),
    /^probe\/v1: around is 5; it must be a function$/,
  );
  assert.throws(
    () => createTestEngine([], { around: {} as unknown as Around }),
    /around of the options of createEngine is an object; it must be a function/,
  );
});

mistakes.run();
