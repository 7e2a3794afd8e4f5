import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runInRequest, Revisions } from '../../../../../adapters/stores/postgres/read/revisions.ts';
import { LIFE } from '../../../../../adapters/stores/postgres/server-epoch.ts';

const CALL_MS = 1000;

/** Revisions of a database that others change, and the number of queries. */
function openRevisions() {
  const state = { posts: 5, terms: 1, queries: 0 };
  const revisions = new Revisions(
    async () => {
      state.queries += 1;
      const { posts, terms } = state;
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
      return Object.entries({ posts, terms, [LIFE]: 0 }).map(([collection, revision]) => ({
        collection,
        revision,
        life: 0,
      }));
    },
    async () => undefined,
  );
  return {
    state,
    revisions,
    sum: async (...names: readonly string[]): Promise<number> => revisions.sum(names, CALL_MS),
  };
}

const inRequest = <T>(since: number, run: () => Promise<T>): Promise<T> =>
  Promise.resolve(runInRequest(since, run));
const now = (): number => performance.now();

const tests = suite('Revisions of PostgreSQL');

tests('are read for each caller outside of requests', async () => {
  const { state, sum } = openRevisions();
  assert.is(await sum('posts'), 5);
  state.posts = 6;
  assert.is(await sum('posts', 'terms'), 7);
  assert.is(state.queries, 2);
});

tests('are read once for the parts of a request', async () => {
  const { state, sum } = openRevisions();
  await inRequest(now(), async () => {
    assert.is(await sum('posts'), 5);
    state.posts = 6;
    assert.is(await sum('terms'), 1);
    assert.is(await sum('posts'), 5);
  });
  assert.is(state.queries, 1);
  assert.is(await sum('posts'), 6);
});

tests('that another caller read since a request began are its own, those of before are not', async () => {
  const { state, sum } = openRevisions();
  await sum('posts');
  state.posts = 6;
  const since = now();
  await inRequest(since, async () => assert.is(await sum('posts'), 6));
  await inRequest(since, async () => assert.is(await sum('posts'), 6));
  assert.is(state.queries, 2);
});

tests('whose query was sent before a request began are not those of the request', async () => {
  const { state, sum } = openRevisions();
  const running = sum('posts');
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
  assert.is(state.queries, 1);
  state.posts = 6;
  await inRequest(now(), async () => assert.is(await sum('posts'), 6));
  assert.is(await running, 5);
});

tests('of a collection are read again after something of it was returned', async () => {
  const { state, revisions, sum } = openRevisions();
  await inRequest(now(), async () => {
    await sum('posts', 'terms');
    state.posts = 6;
    revisions.noteShown(['terms']);
    assert.is(await sum('posts'), 5);
    revisions.noteShown(['posts']);
    assert.is(await sum('posts', 'terms'), 7);
    assert.is(await sum('terms'), 1);
  });
  assert.is(state.queries, 2);
});

tests('are read for work that a request left behind', async () => {
  const { state, sum } = openRevisions();
  let goOn: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  let left: Promise<number> | null = null;
  await inRequest(now(), async () => {
    await sum('posts');
    left = ended.then(() => sum('posts'));
  });
  state.posts = 6;
  goOn();
  assert.is(await left, 6);
});

tests('of a part within a part are those since the outer one began', async () => {
  const { state, sum } = openRevisions();
  await inRequest(now(), async () => {
    await sum('posts');
    state.posts = 6;
    await inRequest(now(), async () => assert.is(await sum('posts'), 5));
    assert.is(await sum('posts'), 5);
  });
});

tests('of an unknown collection are refused', async () => {
  const { sum } = openRevisions();
  const refused = async (): Promise<void> => {
    const code = await sum('nothing').then(
      () => null,
      (error: { code?: string }) => error.code,
    );
    assert.is(code, 'invalid');
  };
  await refused();
  await inRequest(now(), async () => {
    await sum('posts');
    await refused();
  });
});

tests.run();
