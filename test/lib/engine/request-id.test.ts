import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../../adapters/memory-store.ts';
import { createServer } from '../../../adapters/node-http.ts';
import { engineError } from '../../../lib/core/errors.ts';
import type { LogEvent } from '../../../lib/dispatch/runtime.ts';
import { createLineLog } from '../../../lib/engine/console-log.ts';
import type { Engine, EngineOptions } from '../../../lib/engine/engine.ts';
import { createRequest } from '../../../lib/http/create-request.ts';
import { collections, createSite } from '../../../registry/index.ts';
import { PATIENT } from '../../support/patient.ts';
import { createProbe, type ProbeParts } from '../../support/probe.ts';
import { createTestEngine } from '../../support/site.ts';

const PATH = '/probe/v1/it';
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

function open(
  parts: ProbeParts = {},
  options: Partial<EngineOptions> = {},
): { readonly engine: Engine; readonly log: LogEvent[] } {
  const log: LogEvent[] = [];
  const probe = createProbe({ ...parts, endpoint: { methods: ['GET', 'POST'], ...parts.endpoint } });
  return {
    engine: createTestEngine([probe], {
      requestIds: true,
      log: (event) => {
        log.push(event);
      },
      ...options,
    }),
    log,
  };
}

async function ask(engine: Engine, id?: string, path = PATH): Promise<Readonly<Record<string, string>>> {
  return (
    await engine.serve(createRequest(path, id === undefined ? {} : { headers: { 'X-Request-Id': id } }))
  ).headers;
}

const ids = suite('request ids');

ids('are sent back, and known to the handler', async () => {
  const seen: unknown[] = [];
  const { engine } = open({
    handler: (_args, { request }) => {
      seen.push(request.id);
      return 1;
    },
  });
  assert.is((await ask(engine, 'edge-7:a/b.c@d+e=_'))['X-Request-Id'], 'edge-7:a/b.c@d+e=_');
  const made = (await ask(engine))['X-Request-Id'] ?? '';
  assert.match(made, UUID);
  assert.is.not((await ask(engine))['X-Request-Id'], made);
  assert.equal(seen.slice(0, 2), ['edge-7:a/b.c@d+e=_', made]);
});

ids('of other characters or of more than 128 are replaced', async () => {
  const { engine } = open();
  for (const wrong of ['', 'a b', 'a, b', 'a\tb', 'é', '"a"', '<a>', 'a'.repeat(129), '${jndi}', 'a;b'])
    assert.match((await ask(engine, wrong))['X-Request-Id'] ?? '', UUID, wrong);
  assert.is((await ask(engine, 'a'.repeat(128)))['X-Request-Id'], 'a'.repeat(128));
});

ids('are on every response: errors, OPTIONS, 304, refusals before the engine', async () => {
  const { engine } = open();
  assert.is((await ask(engine, 'a', '/nowhere'))['X-Request-Id'], 'a');
  assert.is(
    (await engine.serve(createRequest(PATH, { method: 'OPTIONS', headers: { 'x-request-id': 'b' } })))
      .headers['X-Request-Id'],
    'b',
  );
  const refused = engine.refuse(engineError('rest_body_too_large'), {
    method: 'POST',
    headers: { 'x-request-id': 'c' },
  });
  assert.equal([refused.status, refused.headers['X-Request-Id']], [413, 'c']);
});

ids('are in every event of the log, also after waiting and in items of a batch', async () => {
  const { engine, log } = open({
    handler: async () => {
      await setImmediate();
      throw new Error('a bug');
    },
  });
  await Promise.all([ask(engine, 'one'), ask(engine, 'two')]);
  await engine.serve(
    createRequest('/batch/v1', {
      method: 'POST',
      body: { requests: [{ path: PATH }] },
      headers: { 'x-request-id': 'three' },
    }),
  );
  engine.refuse(engineError('rest_internal_error', { cause: new Error('no body') }), {
    method: 'POST',
    headers: { 'x-request-id': 'four' },
  });
  assert.equal(
    log.map(({ requestId }) => requestId),
    ['one', 'two', 'three', 'four'],
  );
});

ids('are in the lines of the default log', () => {
  const lines: string[] = [];
  createLineLog({
    write: (line) => {
      lines.push(line);
    },
    everyMs: 1,
  })({ level: 'error', message: 'it failed', requestId: 'edge-7' });
  assert.equal(lines, ['error [edge-7]: it failed']);
});

ids('are never those of a cached response', async () => {
  const store = createMemoryStore([{ name: 'posts', fields: {} }]);
  const { engine } = open({ endpoint: { cache: ['posts'] } }, { cache: { store }, headers: { cors: true } });
  const server: Server = createServer(engine, { limits: PATIENT });
  try {
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/en/cms-json${PATH}`;
    const seen = [];
    for (const id of ['a', 'b', 'c']) {
      const { headers } = await fetch(url, { headers: { 'x-request-id': id } });
      seen.push(
        headers.get('x-request-id'),
        headers.get('access-control-expose-headers')?.endsWith(', X-Request-Id'),
      );
    }
    assert.equal(seen, ['a', true, 'b', true, 'c', true]);
  } finally {
    server.close();
    server.closeAllConnections();
    await store.close();
  }
});

ids('are not there unless the engine is asked for them', async () => {
  const { engine, log } = open(
    {
      handler: () => {
        throw new Error('a bug');
      },
    },
    { requestIds: false },
  );
  assert.is((await ask(engine, 'a'))['X-Request-Id'], undefined);
  assert.equal(
    log.map((event) => 'requestId' in event),
    [false],
  );
});

ids('of a site are in what its namespaces log', async () => {
  const log: LogEvent[] = [];
  const store = createMemoryStore(collections);
  const probe = createProbe({
    handler: () => {
      throw new Error('a bug');
    },
  });
  const site = await createSite({
    store,
    requestIds: true,
    namespaces: [probe],
    config: {
      pkg: {
        onSubscription: () => {
          throw new Error('no host');
        },
      },
    },
    log: (event) => {
      log.push(event);
    },
  });
  await ask(site.engine, 'edge-7');
  await ask(site.engine, 'edge-8', '/pkg/installer/v1/push/fetch-subscription');
  await site.close();
  await store.close();
  assert.equal(
    log.map(({ message, requestId }) => [message, requestId]),
    [
      [`GET ${PATH} (probe/v1: ${PATH} GET, handler "probe") failed`, 'edge-7'],
      ['the subscription could not be read', 'edge-8'],
    ],
  );
});

ids.run();
