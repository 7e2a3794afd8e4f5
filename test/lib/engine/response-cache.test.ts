import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ResponseCache, type CacheLimits, type CacheStore } from '../../../lib/engine/response-cache.ts';
import { RawBody, RestResponse, type Dependencies } from '../../../lib/http/response.ts';

const POSTS = ['posts', 'terms'] as const;
const LIMITS: CacheLimits = { entries: 100, bytes: 1_000_000 };

/** A store in which only revisions and versions can be read. `ask` decides how: at once, later, or not at all. */
class Revisions implements CacheStore {
  readonly revisions: Record<string, number> = { posts: 1, terms: 1 };
  readonly found: Record<string, number> = { 'posts 1': 1, 'posts 2': 1 };
  ask: <T>(value: T) => T | Promise<T> = (value) => value;
  busy = false;

  isBusy(): boolean {
    return this.busy;
  }

  revision(names: readonly string[]): number | Promise<number> {
    return this.ask(names.reduce((sum, name) => sum + (this.revisions[name] ?? 0), 0));
  }

  versions(keys: readonly (readonly [string, number])[]): readonly number[] | Promise<readonly number[]> {
    return this.ask(keys.map(([collection, id]) => this.found[`${collection} ${id}`] ?? 0));
  }

  write(collection: string, id: number): void {
    this.revisions[collection] = (this.revisions[collection] ?? 0) + 1;
    this.found[`${collection} ${id}`] = (this.found[`${collection} ${id}`] ?? 0) + 1;
  }
}

function open(limits: Partial<CacheLimits> = {}) {
  const store = new Revisions();
  const clock = { now: 1000 };
  const cache = new ResponseCache(store, { now: () => clock.now, limits: { ...LIMITS, ...limits } });
  const keep = async (key: string, body: unknown, dependsOn?: Partial<Dependencies>) =>
    cache.keep({
      key,
      collections: POSTS,
      before: await cache.revision(POSTS),
      generation: cache.generation,
      isWrapped: false,
      route: null,
      response: new RestResponse(
        body,
        dependsOn === undefined
          ? {}
          : { dependsOn: { records: [], collections: [], until: Infinity, ...dependsOn } },
      ),
    });
  const read = async (key: string): Promise<unknown> => (await cache.find(key))?.response.body ?? null;
  return { store, clock, cache, keep, read };
}

const WAYS: readonly (readonly [string, Revisions['ask']])[] = [
  ['at once', (value) => value],
  ['later', async (value) => value],
];
const ON_ONE = { records: [['posts', 1, 1]], collections: ['terms'] } as const;

const rightness = suite('a cached response');

for (const [way, ask] of WAYS) {
  rightness(`is given again while nothing changed (${way})`, async () => {
    const { store, keep, read } = open();
    store.ask = ask;
    await keep('a', { n: 1 });
    assert.equal(await read('a'), { n: 1 });
    assert.is(await read('b'), null);
  });

  rightness(`goes with any change of its collections when it names no records (${way})`, async () => {
    const { store, keep, read } = open();
    store.ask = ask;
    await keep('a', { n: 1 });
    store.write('posts', 2);
    assert.is(await read('a'), null);
  });

  rightness(
    `stays when only other records changed, and goes with its own and with what counts as a whole (${way})`,
    async () => {
      for (const [collection, id, stays] of [
        ['posts', 2, true],
        ['posts', 1, false],
        ['terms', 9, false],
      ] as const) {
        const { store, keep, read } = open();
        store.ask = ask;
        await keep('a', { n: 1 }, ON_ONE);
        store.write(collection, id);
        assert.is((await read('a')) !== null, stays, `${collection} ${id}`);
        assert.is((await read('a')) !== null, stays, `${collection} ${id}, again`);
      }
    },
  );

  rightness(`that shows the lack of a record goes when there is one (${way})`, async () => {
    const { store, keep, read } = open();
    store.ask = ask;
    await keep('a', { n: 1 }, { records: [['posts', 3, 0]] });
    store.write('posts', 2);
    assert.equal(await read('a'), { n: 1 });
    store.write('posts', 3);
    assert.is(await read('a'), null);
  });
}

rightness('goes when its time is over', async () => {
  const { clock, keep, read } = open();
  await keep('a', { n: 1 }, { until: 2000 });
  clock.now = 1999;
  assert.equal(await read('a'), { n: 1 });
  clock.now = 2000;
  assert.is(await read('a'), null);
});

rightness('is not kept at all when its time is over already, or is none', async () => {
  const { keep, read } = open();
  for (const until of [0, 1000, Number.NaN]) {
    assert.is(await keep('a', { n: 1 }, { until }), null, String(until));
    assert.is(await read('a'), null);
  }
});

rightness(
  'is not kept when something changed while it was made, or when the table is another one',
  async () => {
    const { store, cache, read } = open();
    const response = new RestResponse({ n: 1 });
    const begun = {
      key: 'a',
      collections: POSTS,
      before: await cache.revision(POSTS),
      generation: cache.generation,
      isWrapped: false,
      route: null,
      response,
    };
    store.write('posts', 1);
    assert.is(await cache.keep(begun), null);
    cache.clear();
    assert.is(await cache.keep({ ...begun, before: await cache.revision(POSTS) }), null);
    assert.is(await read('a'), null);
  },
);

rightness("is nobody else's: what one does to the body is not seen by the next", async () => {
  const { keep, read } = open();
  await keep('a', { n: 1 });
  const mine = (await read('a')) as { n: number };
  mine.n = 2;
  assert.equal(await read('a'), { n: 1 });
});

rightness('may be bytes of another media type', async () => {
  const { cache, keep } = open();
  await keep('a', new RawBody('text/xml', '<a/>'));
  assert.equal((await cache.find('a'))?.response.content, new RawBody('text/xml', '<a/>'));
});

rightness.run();

const readyForm = suite('findReady');

const wireOf = (length: number) => ({ status: 200, headers: {}, body: Buffer.alloc(length) });

for (const [way, ask] of WAYS) {
  readyForm(`does not ask a busy store for versions, and keeps the answer (${way})`, async () => {
    const { store, cache, keep, read } = open();
    store.ask = ask;
    const kept = await keep('a', { n: 1 }, ON_ONE);
    const wire = wireOf(2);
    if (kept !== null) cache.finish(kept, { wire, target: '/a' });
    store.busy = true;
    assert.is(await cache.findReady('/a'), wire, 'nothing changed');
    store.write('posts', 2);
    assert.is(await cache.findReady('/a'), null, 'something else changed, perhaps');
    assert.equal(await read('a'), { n: 1 }, 'who has the time finds it');
    assert.is(await cache.findReady('/a'), wire);
  });

  readyForm(`gives the finished form while the answer is right (${way})`, async () => {
    const { store, cache, keep } = open();
    store.ask = ask;
    const kept = await keep('a', { n: 1 }, ON_ONE);
    assert.is(await cache.findReady('/a'), null);
    const wire = wireOf(2);
    if (kept !== null) cache.finish(kept, { wire, target: '/a' });
    store.write('posts', 2);
    assert.is(await cache.findReady('/a'), wire);
    store.write('posts', 1);
    assert.is(await cache.findReady('/a'), null);
  });
}

readyForm('says nothing when the store cannot be asked', async () => {
  const failures: readonly Revisions['ask'][] = [
    () => {
      throw new Error('closed');
    },
    () => Promise.reject(new Error('lost')),
  ];
  for (const fail of failures) {
    const { store, cache, keep } = open();
    const kept = await keep('a', { n: 1 }, ON_ONE);
    if (kept !== null) cache.finish(kept, { wire: wireOf(2), target: '/a' });
    store.ask = fail;
    assert.is(await cache.findReady('/a'), null);
  }
});

readyForm('gives nothing of an answer that was replaced or forgotten', async () => {
  const { cache, keep } = open();
  const first = await keep('a', { n: 1 });
  const second = await keep('a', { n: 2 });
  if (first !== null) cache.finish(first, { wire: wireOf(2), target: '/a' });
  assert.is(await cache.findReady('/a'), null);
  if (second !== null) cache.finish(second, { wire: wireOf(3), target: '/a' });
  assert.is((await cache.findReady('/a'))?.body?.length, 3);
  cache.clear();
  assert.is(await cache.findReady('/a'), null);
});

readyForm.run();

const bounds = suite('the bounds of the cache');

/** Which of the keys are kept. Looking counts as use. */
async function listKept(
  read: (key: string) => Promise<unknown>,
  keys: readonly string[],
): Promise<readonly string[]> {
  const kept: string[] = [];
  for (const key of keys) if ((await read(key)) !== null) kept.push(key);
  return kept;
}

bounds('are a number of entries: the oldest goes first, unless it was asked for', async () => {
  const { keep, read } = open({ entries: 3 });
  for (const key of ['a', 'b', 'c']) await keep(key, 1);
  await read('a');
  await keep('d', 1);
  assert.equal(await listKept(read, ['a', 'b', 'c', 'd']), ['a', 'c', 'd']);
});

bounds('are a number of bytes: as text is sent, with one kilobyte for each answer', async () => {
  const { keep, read } = open({ bytes: 100_000 });
  const body = 'é'.repeat(4000); // 8 KB of UTF-8
  const keys = Array.from({ length: 20 }, (_each, at) => `k${at}`);
  for (const key of keys) await keep(key, body);
  assert.is((await listKept(read, keys)).length, Math.floor(100_000 / (8002 + 1024 + 3)));
});

bounds('count a finished form that is not the answer itself', async () => {
  const { cache, keep, read } = open({ bytes: 100_000 });
  for (const key of ['a', 'b', 'c', 'd']) {
    const kept = await keep(key, 'x'.repeat(10_000));
    if (kept !== null) cache.finish(kept, { wire: wireOf(30_000), target: null });
  }
  assert.equal(await listKept(read, ['a', 'b', 'c', 'd']), ['c', 'd']);
});

bounds(
  "count the address wherever it stands: as key, as client's words, and in headers, twice more as these are sent",
  async () => {
    const { cache, keep, read } = open({ bytes: 100_000 });
    const long = 'x'.repeat(2000);
    const keys = Array.from({ length: 20 }, (_each, at) => `k${at}${long}`);
    for (const key of keys) {
      const kept = await keep(key, 1);
      if (kept !== null) cache.finish(kept, { wire: { ...wireOf(1), headers: { Link: long } }, target: key });
    }
    assert.is((await listKept(read, keys)).length, Math.floor(100_000 / (1024 + 5 * 2004)));
  },
);

bounds('keep out an answer that would take an eighth of all', async () => {
  const { keep, read } = open({ bytes: 88_000 });
  await keep('small', 'x'.repeat(8000));
  await keep('large', 'x'.repeat(10_000));
  assert.equal(await listKept(read, ['small', 'large']), ['small']);
});

bounds.run();
