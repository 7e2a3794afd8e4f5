import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createHealth } from '../../../adapters/cli/serve/monitor.ts';
import { createMemoryStore } from '../../../adapters/memory-store.ts';
import { type Store, StoreError } from '../../../lib/index.ts';
import { collections } from '../../../registry/index.ts';

const health = suite('createHealth');

/** A memory store whose commits go through the function, and the number of commits. */
function createStore(commit: (store: Store, count: number) => ReturnType<Store['commit']>) {
  const store = createMemoryStore(collections);
  let count = 0;
  return {
    store: {
      ...store,
      commit: () => {
        count += 1;
        return commit(store, count);
      },
    } satisfies Store,
    count: () => count,
  };
}

health('writes once however often it is asked, and changes one record alone', async () => {
  const store = createMemoryStore(collections);
  const ask = createHealth(store, () => assert.unreachable());
  assert.equal(await Promise.all([ask(), ask(), ask()]), [true, true, true]);
  assert.is(await store.revision(['locks']), 1);
  assert.is(await createHealth(store, () => assert.unreachable())(), true);
  assert.equal(
    [await store.revision(['locks']), (await store.find({ collection: 'locks' })).records.length],
    [2, 1],
  );
  await store.close();
});

health('is false, with the reason in the log, when the store refuses writes', async () => {
  const told: unknown[] = [];
  const { store } = createStore(async () => {
    throw new StoreError('full', 'There is no space left for the store.');
  });
  assert.is(
    await createHealth(store, ({ error }) => {
      told.push(error);
    })(),
    false,
  );
  assert.is((told[0] as StoreError).code, 'full');
});

health('is false when the store does not answer in 2 s', async () => {
  const { store } = createStore(() => new Promise(() => undefined));
  assert.is(await createHealth(store, () => undefined)(), false);
});

health('is true when another process makes the record at the same time', async () => {
  const { store } = createStore(async () => {
    throw new StoreError('unique', 'taken');
  });
  assert.is(await createHealth(store, () => assert.unreachable())(), true);
});

health.run();
