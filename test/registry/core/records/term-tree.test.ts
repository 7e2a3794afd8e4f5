import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../../../adapters/memory-store.ts';
import { loadDescendants } from '../../../../registry/core/records/term-record.ts';
import { collections } from '../../../../registry/index.ts';

const descendants = suite('loadDescendants');

descendants('gives each term all terms below it, also if one of them was asked for itself', async () => {
  const store = createMemoryStore(collections);
  // 1 > 2 > 3 > 4, and 5 below 2.
  for (const [id, parent] of [
    [1, 0],
    [2, 1],
    [3, 2],
    [4, 3],
    [5, 2],
    [6, 0],
  ] as const)
    await store.commit([
      {
        op: 'create',
        collection: 'terms',
        values: { id, parent, taxonomy: 'category', language: 'en', slug: `t${id}`, name: `T${id}` },
      },
    ]);
  const below = await loadDescendants({ store }, [1, 2, 4, 6]);
  assert.equal(
    [...below].map(([id, ids]) => [id, ids.toSorted()]),
    [
      [1, [1, 2, 3, 4, 5]],
      [2, [2, 3, 4, 5]],
      [4, [4]],
      [6, [6]],
    ],
  );
  await store.close();
});

descendants('ends on terms that are below each other', async () => {
  const store = createMemoryStore(collections);
  for (const [id, parent] of [
    [1, 2],
    [2, 1],
  ] as const)
    await store.commit([
      {
        op: 'create',
        collection: 'terms',
        values: { id, parent, taxonomy: 'category', language: 'en', slug: `t${id}`, name: `T${id}` },
      },
    ]);
  assert.equal((await loadDescendants({ store }, [1])).get(1), [1, 2]);
  await store.close();
});

descendants.run();
