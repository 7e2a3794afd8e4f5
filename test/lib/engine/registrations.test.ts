import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Engine } from '../../../lib/engine/engine.ts';
import { Registrations } from '../../../lib/engine/registrations.ts';
import { createRequest } from '../../../lib/http/create-request.ts';
import { createProbe } from '../../support/probe.ts';
import { refusalOf } from '../../support/refusal.ts';
import { createTestEngine, TEST_NAMES } from '../../support/site.ts';

const SWAPS = 1000;

const probe = (name: string, handler: () => unknown = () => name) =>
  createProbe({ namespace: `${name}/v1`, pattern: `/${name}/v1/it`, handler });

async function ask(engine: Engine, target: string): Promise<unknown> {
  const { status, body } = await engine.dispatch(createRequest(target));
  return status === 200 ? body : status;
}

async function listRoutes(engine: Engine): Promise<readonly string[]> {
  const { body } = await engine.dispatch(createRequest('/?_fields=routes'));
  return Object.keys((body as { routes: object }).routes);
}

const registering = suite('register and unregister');

registering('add and take away a namespace while serving', async () => {
  const engine = createTestEngine([probe('a')]);
  engine.register(probe('b'), probe('c'));
  assert.equal(
    [await ask(engine, '/a/v1/it'), await ask(engine, '/b/v1/it'), await ask(engine, '/c/v1/it')],
    ['a', 'b', 'c'],
  );
  engine.unregister('b/v1');
  assert.equal(
    [await ask(engine, '/b/v1/it'), await ask(engine, '/b/v1'), await ask(engine, '/c/v1/it')],
    [404, 404, 'c'],
  );
  engine.register(probe('b', () => 'again'));
  assert.is(await ask(engine, '/b/v1/it'), 'again');
});

registering('change nothing when one of the namespaces cannot be served', async () => {
  const engine = createTestEngine([probe('a')]);
  const before = await listRoutes(engine);
  const rows = [
    [probe('b'), probe('a')],
    [probe('b'), createProbe({ namespace: 'b', pattern: '/b/v1/it' })],
    [probe('b'), createProbe({ endpoint: { handler: 'none' } })],
    [probe('b'), probe('b')],
    [createProbe({ namespace: '', pattern: '/' })],
    [createProbe({ namespace: 'batch', pattern: '/batch/v1' })],
  ];
  for (const namespaces of rows) {
    assert.ok(refusalOf(() => engine.register(...namespaces)).length > 0);
    assert.equal(
      [await listRoutes(engine), await ask(engine, '/b/v1/it'), await ask(engine, '/a/v1/it')],
      [before, 404, 'a'],
    );
  }
  assert.match(
    refusalOf(() => engine.register(probe('a'))),
    /^a\/v1: .*already registered/,
  );
  assert.match(
    refusalOf(() => engine.unregister('b/v1')),
    /^b\/v1: .*not registered/,
  );
  assert.match(
    refusalOf(() => engine.unregister('')),
    /not registered/,
  );
  engine.register(probe('b'));
  assert.is(await ask(engine, '/b/v1/it'), 'b');
});

registering('remember nothing of namespaces that have left', () => {
  const registered = new Registrations(
    {
      names: TEST_NAMES,
      namespaces: [probe('a')],
      describeSite: () => Promise.reject(new Error('not asked')),
    },
    () => undefined,
  );
  const parametersOf = (): unknown => registered.table.find('/a/v1/it')?.target.endpoints[0]?.byName;
  const before = parametersOf();
  registered.remove('a/v1');
  registered.add([probe('a')]);
  assert.ok(before !== undefined && parametersOf() !== undefined);
  assert.is.not(parametersOf(), before);
});

registering('leave a request in flight on the table that it began with', async () => {
  let goOn = (): void => undefined;
  const waiting = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const engine: Engine = createTestEngine([
    createProbe({
      handler: async (_args, { site }) => {
        await waiting;
        const again = await site.prepare(createRequest('/late/v1/it')).run();
        return {
          routes: site.routes.map((route) => route.pattern),
          namespaces: site.namespaces,
          late: again.status,
        };
      },
    }),
  ]);
  const answer = engine.dispatch(createRequest('/probe/v1/it'));
  engine.register(probe('late'));
  engine.unregister('probe/v1');
  goOn();
  assert.equal((await answer).body, {
    routes: ['/', '/batch/v1', '/probe/v1', '/probe/v1/it'],
    namespaces: ['', 'probe/v1'],
    late: 404,
  });
  assert.equal([await ask(engine, '/probe/v1/it'), await ask(engine, '/late/v1/it')], [404, 'late']);
});

registering(`keep index and routes in agreement through ${SWAPS} swaps under load`, async () => {
  const engine = createTestEngine([probe('a'), probe('b', () => 0)]);
  const over = new AbortController();
  let asked = 0;
  const faults: string[] = [];
  // The batch finds all its items in one table: both versions of b, or an index that does not fit, would be a mix.
  const load = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const { body } = await engine.dispatch(createRequest('/'));
      const { namespaces, routes } = body as { namespaces: readonly string[]; routes: object };
      if (
        namespaces.includes('b/v1') !== '/b/v1/it' in routes ||
        namespaces.includes('c/v1') === namespaces.includes('b/v1')
      )
        faults.push(Object.keys(routes).join(' '));
      if ((await ask(engine, '/a/v1/it')) !== 'a') faults.push('a is gone');
      asked += 2;
      await new Promise(setImmediate);
    }
  };
  const clients = [load(), load(), load()];
  for (let swap = 0; swap < SWAPS / 2; swap += 1) {
    engine.unregister('b/v1');
    engine.register(probe('c'));
    await new Promise(setImmediate);
    engine.unregister('c/v1');
    engine.register(probe('b', () => swap));
    await new Promise(setImmediate);
    if (swap % 50 === 0 && (await ask(engine, '/b/v1/it')) !== swap) faults.push(`swap ${swap}`);
  }
  over.abort();
  await Promise.all(clients);
  assert.equal(faults, []);
  assert.ok(asked > SWAPS, `only ${asked} requests`);
});

registering.run();
