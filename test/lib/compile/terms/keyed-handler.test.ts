import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../../../adapters/memory-store.ts';
import {
  CALL_COLLECTIONS,
  createEngine,
  createRequest,
  crud,
  defineNamespace,
  keepCalls,
  RestResponse,
  type Call,
  type Engine,
  type NamespaceDescriptor,
  type Store,
} from '../../../../lib/index.ts';

const ORDERS = { name: 'orders', fields: { item: { type: 'text' }, count: { type: 'integer' } } } as const;

const SHOP = {
  namespace: 'shop',
  routes: [
    {
      pattern: '/shop/orders',
      endpoints: [
        {
          methods: ['POST'],
          handler: 'order',
          permission: 'public',
          idempotent: 'key',
          args: { item: { type: 'string', required: true } },
          answers: { 201: { type: 'object', additionalProperties: true } },
        },
      ],
    },
  ],
} as const satisfies NamespaceDescriptor;

type Order = (item: string, store: Store, call: Call) => Promise<Readonly<Record<string, unknown>>>;

const plain: Order = async (item, store) => {
  const [order] = await store.commit([{ op: 'create', collection: 'orders', values: { item } }]);
  return { id: order?.id, item: order?.['item'] };
};

/** Engines of several processes on one store. */
function open(order: Order = plain, count = 1) {
  const base = createMemoryStore([ORDERS, ...CALL_COLLECTIONS]);
  const engines = Array.from({ length: count }, () => {
    const calls = keepCalls(base);
    return createEngine({
      namespaces: [defineNamespace(SHOP, { order: ({ item }, call) => order(item, calls, call) })],
      calls,
      log: () => undefined,
    });
  });
  const all = async () => (await base.find({ collection: 'orders' })).records;
  return { engine: engines[0] as Engine, engines, base, all };
}

async function post(
  engine: Engine,
  key: string | undefined,
  {
    body = { item: 'tea' },
    id = 0,
    address = '',
  }: { readonly body?: unknown; readonly id?: number; readonly address?: string } = {},
) {
  const request = createRequest('/shop/orders', {
    method: 'POST',
    body,
    headers: key === undefined ? {} : { 'Idempotency-Key': key },
  });
  const response = await engine.dispatch({ ...request, address }, { id, role: '', capabilities: new Set() });
  return [response.status, response.body as Readonly<Record<string, unknown>>] as const;
}

const keys = suite("idempotent: 'key'");

keys('a retry gets the first response, and nothing is done twice', async () => {
  const { engine, all } = open();
  const first = await post(engine, '"k-1"');
  assert.equal(first, [201, { id: 1, item: 'tea' }]);
  assert.equal(await post(engine, '"k-1"'), first);
  assert.equal(await post(engine, 'k-1'), first);
  assert.is((await all()).length, 1);
  assert.equal((await post(engine, '"k-2"'))[1]['id'], 2);
  assert.equal((await post(engine, undefined))[1]['id'], 3);
});

keys('another body is 422, another caller has other keys, and a key has a form', async () => {
  const { engine, all } = open();
  await post(engine, '"k"');
  assert.equal(
    (await post(engine, '"k"', { body: { item: 'milk' } })).map((each) =>
      typeof each === 'number' ? each : each['code'],
    ),
    [422, 'rest_key_reused'],
  );
  assert.is((await post(engine, '"k"', { id: 5 }))[0], 201);
  // Anonymous callers are told apart by their networks.
  assert.is((await post(engine, '"k"', { address: '203.0.113.9' }))[1]['id'], 3);
  for (const key of ['', '"a', 'x'.repeat(256), 'a b', '"ä"'])
    assert.is((await post(engine, key))[1]['code'], 'rest_invalid_key', key);
  assert.is((await all()).length, 3);
});

keys('a call that is running is 409, also in another process', async () => {
  const waits: (() => void)[] = [];
  const order: Order = async (item, store, call) => {
    await new Promise<void>((resolve) => waits.push(resolve));
    return plain(item, store, call);
  };
  const { engines, all } = open(order, 2);
  const [one, two] = engines as [Engine, Engine];
  const first = post(one, '"k"');
  assert.equal((await post(one, '"k"'))[1]['code'], 'rest_key_running');
  // In this test both engines are one process, so the other one has another key table: its commit is refused.
  await Promise.resolve();
  waits.splice(0).forEach((go) => go());
  assert.is((await first)[0], 201);
  assert.is((await post(two, '"k"'))[0], 201);
  assert.is((await all()).length, 1);
});

keys('two processes that commit at the same time: one does, the other is 409', async () => {
  const { base } = open();
  const { runKeyed } = await import('../../../../lib/compile/terms/call-store.ts');
  const store = keepCalls(base);
  const run = () => ({
    key: 'k',
    digest: 'd',
    until: 1e15,
    known: new Map(),
    commits: 0,
    row: null,
  });
  const commit = (): Promise<unknown> =>
    runKeyed(run(), () => store.commit([{ op: 'create', collection: 'orders', values: { item: 'a' } }]));
  const settled = await Promise.allSettled([commit(), commit()]);
  assert.equal(
    settled
      .map((each) => (each.status === 'fulfilled' ? 'done' : (each.reason as { code: string }).code))
      .toSorted(),
    ['done', 'rest_key_running'],
  );
});

keys('a crash after the commit: the retry goes on with what was committed', async () => {
  let crashes = 1;
  let isFirst = true;
  const order: Order = async (item, store) => {
    const [one, two] = await store.commit([
      { op: 'create', collection: 'orders', values: { item } },
      { op: 'create', collection: 'orders', values: { item: `${item} bag` } },
    ]);
    crashes -= 1;
    if (crashes >= 0) throw new Error('The power fails.');
    const [changed] = await store.commit([
      { op: 'update', collection: 'orders', id: Number(one?.id), values: { count: 5 } },
    ]);
    isFirst = false;
    return { id: one?.id, bag: two?.['item'], count: changed?.['count'] };
  };
  const { engine, all } = open(order);
  assert.is((await post(engine, '"k"'))[0], 500);
  assert.is((await all()).length, 2);
  const second = await post(engine, '"k"');
  assert.equal(second, [201, { id: 1, bag: 'tea bag', count: 5 }]);
  assert.equal(await post(engine, '"k"'), second);
  assert.is((await all()).length, 2);
  assert.is(isFirst, false);
});

keys('what fails is not kept, whether the failure is thrown or answered', async () => {
  const thrown = (): never => {
    throw new Error('no');
  };
  const answered = () => new RestResponse({ code: 'sold_out' }, { status: 409 }) as never;
  for (const [fail, status] of [
    [thrown, 500],
    [answered, 409],
  ] as const) {
    let fails = true;
    const { engine } = open(async (item, store, call) => (fails ? fail() : plain(item, store, call)));
    assert.is((await post(engine, '"k"'))[0], status);
    fails = false;
    assert.is((await post(engine, '"k"'))[0], 201);
  }
});

keys('it needs its collections, and parameters as body', () => {
  assert.throws(() => keepCalls(createMemoryStore([ORDERS])), TypeError);
  const get = {
    ...SHOP,
    routes: [
      { ...SHOP.routes[0], endpoints: [{ ...SHOP.routes[0].endpoints[0], methods: ['GET'] as const }] },
    ],
  };
  const store = createMemoryStore([...CALL_COLLECTIONS]);
  assert.throws(
    () =>
      createEngine({ namespaces: [defineNamespace(get, { order: () => ({}) })], calls: keepCalls(store) }),
    TypeError,
  );
});

keys('the store stays a store: crud works on it', async () => {
  const base = keepCalls(createMemoryStore([ORDERS, ...CALL_COLLECTIONS]));
  const orders = crud({
    store: base,
    collection: ORDERS,
    resource: { title: 'order', properties: { item: { type: 'string', required: true } } },
    path: '/orders',
    read: 'public',
    write: 'public',
  });
  const engine = createEngine({ namespaces: [orders], calls: base, cache: { store: base } });
  const made = await engine.dispatch(createRequest('/orders', { method: 'POST', body: { item: 'a' } }));
  assert.instance(made, RestResponse);
  assert.is(made.status, 201);
  await base.close();
});

keys.run();
