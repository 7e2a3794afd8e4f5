import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../../adapters/memory-store.ts';
import type { Engine } from '../../../lib/engine/engine.ts';
import { createRequest } from '../../../lib/http/create-request.ts';
import { createProbe } from '../../support/probe.ts';
import { refusalOf } from '../../support/refusal.ts';
import { createTestEngine } from '../../support/site.ts';

const probe = (name: string, handler: () => unknown = () => name) =>
  createProbe({ namespace: `${name}/v1`, pattern: `/${name}/v1/it`, handler });

async function ask(engine: Engine, target: string): Promise<unknown> {
  const { status, body } = await engine.dispatch(createRequest(target));
  return status === 200 ? body : status;
}

/** A descriptor with one route `GET`. */
const toRoutes = (pattern: string) =>
  ({
    routes: [
      { pattern, endpoints: [{ methods: ['GET'], handler: 'extra', permission: 'public', args: {} }] },
    ],
  }) as const;

const replacing = suite('replace');

replacing('puts the new namespace in the place of the old one', async () => {
  const engine = createTestEngine([probe('a'), probe('b'), probe('c')]);
  const order = engine.routes.map(({ pattern }) => pattern);
  engine.replace(probe('b', () => 'new'));
  assert.equal([await ask(engine, '/a/v1/it'), await ask(engine, '/b/v1/it')], ['a', 'new']);
  assert.equal(
    engine.routes.map(({ pattern }) => pattern),
    order,
  );
  engine.replace(createProbe({ namespace: 'b/v1', pattern: '/b/v1/other', handler: () => 'other' }));
  assert.equal([await ask(engine, '/b/v1/it'), await ask(engine, '/b/v1/other')], [404, 'other']);
});

replacing('leaves the old one when the new one cannot be served', async () => {
  const engine = createTestEngine([probe('a'), probe('b')]);
  const rows = [
    [
      createProbe({ namespace: 'a/v1', pattern: '/b/v1/it' }),
      /^a\/v1: \/b\/v1\/it GET: the pattern must begin with/,
    ],
    [
      createProbe({ namespace: 'a/v1', pattern: '/a/v1/it', endpoint: { handler: 'none' } }),
      /^a\/v1: \/a\/v1\/it GET: unknown handler id "none"/,
    ],
    [
      createProbe({ namespace: 'a/v1', pattern: '/a/v1/it', endpoint: { permission: 'none' } }),
      /^a\/v1: \/a\/v1\/it GET: unknown permission "none"/,
    ],
    [probe('c'), /^c\/v1: the namespace is not registered; the namespaces are a\/v1, b\/v1\./],
  ] as const;
  for (const [namespace, expected] of rows) {
    assert.match(
      refusalOf(() => engine.replace(namespace)),
      expected,
    );
    assert.is(await ask(engine, '/a/v1/it'), 'a');
  }
});

replacing('lets calls that have begun finish on the old one', async () => {
  let release = (): void => undefined;
  const blocked = new Promise<void>((resolve) => {
    release = resolve;
  });
  const engine = createTestEngine([
    probe('a', async () => {
      await blocked;
      return 'old';
    }),
  ]);
  const begun = ask(engine, '/a/v1/it');
  engine.replace(probe('a', () => 'new'));
  assert.is(await ask(engine, '/a/v1/it'), 'new');
  release();
  assert.is(await begun, 'old');
});

replacing('drops the cached responses of the old one', async () => {
  const store = await createMemoryStore([{ name: 'things', fields: { name: { type: 'text' } } }]);
  const cached = (text: string) =>
    createProbe({
      namespace: 'a/v1',
      pattern: '/a/v1/it',
      endpoint: { cache: ['things'] },
      handler: () => text,
    });
  const engine = createTestEngine([cached('old')], { cache: { store } });
  const serve = async (): Promise<string> =>
    Buffer.from((await engine.serve(createRequest('/a/v1/it'))).body ?? '').toString();
  assert.equal([await serve(), await serve()], ['"old"', '"old"']);
  engine.replace(cached('new'));
  assert.equal([await serve(), await serve()], ['"new"', '"new"']);
  await store.close();
});

replacing.run();

const extending = suite('extend');

extending('adds routes below a namespace, which the indexes show', async () => {
  const engine = createTestEngine([probe('a')]);
  engine.extend('a/v1', toRoutes('/a/v1/extra'), { extra: () => 'more' });
  engine.extend('a/v1', toRoutes('/a/v1/(?P<name>[^/]+)'), { extra: (_args, { namespace }) => namespace });
  assert.equal(
    [await ask(engine, '/a/v1/it'), await ask(engine, '/a/v1/extra'), await ask(engine, '/a/v1/else')],
    ['a', 'more', 'a/v1'],
  );
  const { routes } = (await ask(engine, '/a/v1')) as { routes: object };
  assert.equal(Object.keys(routes), ['/a/v1', '/a/v1/it', '/a/v1/extra', '/a/v1/(?P<name>[^/]+)']);
});

extending('refuses by name what cannot be served, and changes nothing', async () => {
  const engine = createTestEngine([probe('a')]);
  engine.extend('a/v1', toRoutes('/a/v1/extra'), { extra: () => 'more' });
  const handlers = { extra: () => 'other' };
  const rows: readonly (readonly [run: () => void, expected: RegExp])[] = [
    [
      () => engine.extend('a/v1', toRoutes('/a/v1/it'), handlers),
      /^a\/v1: \/a\/v1\/it GET: this pattern, .* is already registered; write the endpoints of both in one route$/,
    ],
    [
      () => engine.extend('a/v1', toRoutes('/a/v1/extra'), handlers),
      /^a\/v1: \/a\/v1\/extra GET: this pattern, .* is already registered; write the endpoints of both in one route$/,
    ],
    [() => engine.extend('a/v1', toRoutes('/a/v1'), handlers), /^a\/v1: \/a\/v1 GET: .*already registered; /],
    [
      () => engine.extend('b/v1', toRoutes('/b/v1/extra'), handlers),
      /^b\/v1: the namespace is not registered; the namespaces are a\/v1\./,
    ],
    [
      () => engine.extend('a/v1', toRoutes('/b/v1/extra'), handlers),
      /^a\/v1: \/b\/v1\/extra GET: the pattern must begin with/,
    ],
    [
      () => engine.extend('a/v1', toRoutes('/a/v1/x'), {} as typeof handlers),
      /^a\/v1: \/a\/v1\/x GET: unknown handler id "extra"/,
    ],
    [
      () =>
        engine.extend(
          'a/v1',
          { ...toRoutes('/a/v1/x'), index: false } as ReturnType<typeof toRoutes>,
          handlers,
        ),
      /^unknown member "index" of the descriptor that extends a\/v1/,
    ],
    [
      () => engine.extend('a/v1', toRoutes('/a/v1/x'), handlers, { around: (_call, next) => next() }),
      /^a\/v1: an extension cannot have around/,
    ],
    [
      () => engine.replace(createProbe({ namespace: 'a/v1', pattern: '/a/v1/extra' })),
      /\/a\/v1\/extra GET: this pattern, .* is already registered; write the endpoints of both in one route$/,
    ],
  ];
  for (const [run, expected] of rows) assert.match(refusalOf(run), expected);
  assert.equal(
    [await ask(engine, '/a/v1/it'), await ask(engine, '/a/v1/extra'), await ask(engine, '/a/v1/x')],
    ['a', 'more', 404],
  );
});

extending('runs the around of the namespace', async () => {
  const seen: string[] = [];
  const engine = createTestEngine([
    createProbe({
      namespace: 'a/v1',
      pattern: '/a/v1/it',
      around: (call, next) => {
        seen.push(call.route.pattern);
        return next();
      },
    }),
  ]);
  engine.extend('a/v1', toRoutes('/a/v1/extra'), { extra: () => 'more' });
  assert.equal([await ask(engine, '/a/v1/extra'), seen], ['more', ['/a/v1/extra']]);
});

extending('lasts through replace, and ends with unregister', async () => {
  const engine = createTestEngine([probe('a')]);
  engine.extend('a/v1', toRoutes('/a/v1/extra'), { extra: () => 'more' });
  engine.replace(probe('a', () => 'new'));
  assert.equal([await ask(engine, '/a/v1/it'), await ask(engine, '/a/v1/extra')], ['new', 'more']);
  engine.unregister('a/v1');
  engine.register(probe('a'));
  assert.equal([await ask(engine, '/a/v1/it'), await ask(engine, '/a/v1/extra')], ['a', 404]);
});

extending.run();
