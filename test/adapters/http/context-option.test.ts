import { once } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Hono } from 'hono';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createFetchHandler } from '../../../adapters/fetch.ts';
import { createServer, type ListenerOptions } from '../../../adapters/node-http.ts';
import { RestError } from '../../../lib/core/errors.ts';
import type { LogEvent } from '../../../lib/dispatch/runtime.ts';
import { createEngine, type Engine } from '../../../lib/engine/engine.ts';
import { createRequest } from '../../../lib/http/create-request.ts';
import type { Call } from '../../../lib/route/call.ts';
import type { NamespaceDescriptor } from '../../../lib/route/descriptor.ts';
import { defineNamespace } from '../../../lib/route/namespace.ts';
import { PATIENT } from '../../support/patient.ts';
import { createTestEngine, TEST_NAMES } from '../../support/site.ts';

interface Session {
  readonly tenant: string;
}

const NOTES = {
  namespace: 'notes/v1',
  routes: [
    {
      pattern: '/notes/v1/mine',
      endpoints: [
        {
          methods: ['GET', 'POST'],
          handler: 'mine',
          permission: 'known',
          allow_batch: { v1: true },
          args: {},
        },
      ],
    },
  ],
} as const satisfies NamespaceDescriptor;

const notes = defineNamespace<typeof NOTES, Session>(
  NOTES,
  { mine: (_args, { host }) => `the notes of ${host.tenant}` },
  {
    permissions: { known: (_args, { host }) => host.tenant !== 'stranger' },
  },
);

const SITE = 'http://site.test';
const URL = `${SITE}/en/cms-json/notes/v1/mine`;
const SESSIONS: ReadonlyMap<string, string> = new Map([
  ['session=1', 'ada'],
  ['session=2', 'grace'],
]);

function open(): { readonly engine: Engine<Session>; readonly log: LogEvent[] } {
  const log: LogEvent[] = [];
  const engine = createTestEngine([notes as never], {
    log: (event) => {
      log.push(event);
    },
  }) as Engine<Session>;
  return { engine, log };
}

/** What the server answers to requests with these cookies. */
async function askNode(
  options: ListenerOptions<Session>,
  cookies: readonly string[],
): Promise<{ readonly answers: readonly (readonly [number, unknown])[]; readonly log: readonly LogEvent[] }> {
  const { engine, log } = open();
  const server: Server = createServer<Session>(engine, { limits: PATIENT, ...options });
  try {
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const answers = [];
    for (const cookie of cookies) {
      const response = await fetch(`${origin}/en/cms-json/notes/v1/mine`, { headers: { cookie } });
      const body = (await response.json()) as { code?: unknown };
      answers.push([response.status, body.code ?? body] as const);
    }
    return { answers, log };
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

const toSession = ({ headers }: IncomingMessage): Session => ({
  tenant: SESSIONS.get(headers.cookie ?? '') ?? 'stranger',
});
const TENANTS = [
  [200, 'the notes of ada'],
  [200, 'the notes of grace'],
  [401, 'rest_forbidden'],
];

const context = suite('context');

context("gives handlers and permissions the tenant of the host's session", async () => {
  const cookies = ['session=1', 'session=2', 'session=3'];
  assert.equal((await askNode({ context: toSession }, cookies)).answers, TENANTS);
  assert.equal((await askNode({ context: async (request) => toSession(request) }, cookies)).answers, TENANTS);
});

context('refuses with a RestError, and any other error is a 500 that is logged', async () => {
  const refuse = await askNode(
    {
      context: async () => {
        throw new RestError('no_session', [401, 'Log in first.']);
      },
    },
    [''],
  );
  assert.equal([refuse.answers, refuse.log], [[[401, 'no_session']], []]);
  const broken = await askNode(
    {
      context: () => {
        throw new Error('no sessions today');
      },
    },
    [''],
  );
  assert.equal(broken.answers, [[500, 'rest_internal_error']]);
  assert.equal(
    broken.log.map(({ message, error }) => [message, String(error)]),
    [['reading GET /notes/v1/mine failed in context', 'Error: no sessions today']],
  );
});

context('of a fetch handler gets the context of Hono', async () => {
  const { engine } = open();
  const app = new Hono<{ Variables: Session }>();
  const handle = createFetchHandler(engine, {
    siteUrl: SITE,
    context: (_request, tenant: string) => ({ tenant }),
  });
  app.use(async (c, next) => {
    c.set('tenant', SESSIONS.get(c.req.header('cookie') ?? '') ?? 'stranger');
    await next();
  });
  app.all('/en/cms-json/*', (c) => handle(c.req.raw, c.get('tenant')));
  const answers = [];
  for (const cookie of ['session=1', 'session=2', '']) {
    const response = await app.request(URL, { headers: { cookie } });
    const body = (await response.json()) as { code?: unknown };
    answers.push([response.status, body.code ?? body]);
  }
  assert.equal(answers, TENANTS);
});

context('of a fetch handler gets the bindings of a runtime, as the rest of the app does', async () => {
  const { engine } = open();
  interface Env {
    readonly TENANT: string;
  }
  const handle = createFetchHandler(engine, {
    siteUrl: SITE,
    context: async (_request, env: Env) => ({ tenant: env.TENANT }),
    otherwise: (request, env: Env) => new Response(`${request.url} of ${env.TENANT}`),
  });
  assert.is(await (await handle(new Request(URL), { TENANT: 'ada' })).text(), '"the notes of ada"');
  assert.is(await (await handle(new Request(`${SITE}/x`), { TENANT: 'ada' })).text(), `${SITE}/x of ada`);
});

context('reaches the items of a batch, authenticate and around', async () => {
  const seen: string[] = [];
  const engine = createEngine({
    names: TEST_NAMES,
    prefixes: ['en'],
    describeSite: async () => {
      throw new Error('not asked');
    },
    namespaces: [notes],
    authenticate: ({ host }) => {
      seen.push(`authenticate ${host?.tenant}`);
      return null;
    },
    around: (call: Call<Session>, next) => {
      seen.push(`around ${call.host.tenant}`);
      return next();
    },
  });
  const body = { requests: [{ path: '/notes/v1/mine' }] };
  const { status, body: text } = await engine.serve(
    createRequest('/batch/v1', { method: 'POST', body, host: { tenant: 'ada' } }),
  );
  assert.is(status, 207);
  assert.is(JSON.parse(String(text)).responses[0].body, 'the notes of ada');
  assert.equal(seen, ['authenticate ada', 'around ada', 'around ada']);
});

context('must be a function', () => {
  assert.throws(
    () => createServer(open().engine, { context: 'session' as never }),
    /context of the options of createServer is "session"; it must be a function/,
  );
});

context.run();
