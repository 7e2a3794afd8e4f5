// Two records that move below each other at the same time must not become a circle.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../../adapters/memory-store.ts';
import type { Store } from '../../../lib/store/store.ts';
import { collections } from '../../../registry/index.ts';
import type { Fixture } from '../../../registry/site/fixture.ts';
import { createWholeSite, type WholeSite } from '../../support/whole-site.ts';

const names = ['harbour', 'quay', 'boats'];
const FIXTURE = {
  site: { name: 'Races', timezone_string: 'UTC', default_category: 0, excerpt_length_default: 55 },
  users: [{ id: 1, login: 'editor', name: 'editor', slug: 'editor', role: 'editor' }],
  categories: names.map((slug, at) => ({ id: at + 11, name: slug, slug, parent: 0 })),
  pages: names.map((slug, at) => ({ id: at + 21, author: 1, status: 'publish', title: slug, slug, content: slug, date: '2024-07-01T10:00:00', parent: 0 })),
} as unknown as Fixture;

/** A store in which other moves go first when a record is about to get its first parent. */
function createContested(store: Store, goFirst: () => Promise<void>): Store {
  let isOver = false;
  return {
    ...store,
    commit: async (operations, durability) => {
      if (!isOver && operations.some((operation) => operation.op === 'update' && Number(operation.values['parent'] ?? 0) > 0)) {
        isOver = true;
        await goFirst();
      }
      return store.commit(operations, durability);
    },
  };
}

interface Tree {
  readonly base: string;
  readonly collection: string;
  readonly ids: readonly [number, number, number];
}

const TREES: readonly Tree[] = [{ base: 'categories', collection: 'terms', ids: [11, 12, 13] }, { base: 'pages', collection: 'posts', ids: [21, 22, 23] }];

/** Moves the first record below the second one, while the others move. @returns the parents afterwards */
async function raceMoves({ base, collection, ids }: Tree, others: readonly (readonly [id: number, parent: number])[]): Promise<readonly unknown[]> {
  const move = async (id: number, parent: number): Promise<void> => {
    assert.is((await site.ask({ method: 'POST', target: `/cms/v2/${base}/${id}`, body: { parent }, as: 'editor' })).status, 200);
  };
  const site: WholeSite = await createWholeSite({
    fixture: FIXTURE, content: 'core',
    store: createContested(createMemoryStore(collections), async () => { for (const [id, parent] of others) await move(id, parent); }),
  });
  try {
    await move(ids[0], ids[1]);
    return await Promise.all(ids.map(async (id) => (await site.store.get(collection, id))?.['parent']));
  } finally {
    await site.close();
    await site.store.close();
  }
}

/** The first record moves below the third one, which is below the second one, which is removed in that moment. @returns the parents afterwards */
async function raceRemoval({ base, collection, ids: [top, middle, bottom] }: Tree): Promise<readonly unknown[]> {
  const inner = createMemoryStore(collections);
  let remove: (() => Promise<unknown>) | null = null;
  const store: Store = {
    ...inner,
    get: async (name, id) => {
      const record = await inner.get(name, id);
      const now = name === collection && id === bottom ? remove : null;
      if (now !== null) remove = null;
      await now?.();
      return record;
    },
  };
  const site = await createWholeSite({ fixture: FIXTURE, content: 'core', store });
  try {
    const ask = async (method: string, target: string, body: object): Promise<void> => {
      assert.is((await site.ask({ method, target: `/cms/v2/${base}/${target}`, body, as: 'editor' })).status, 200);
    };
    await ask('POST', String(middle), { parent: top });
    await ask('POST', String(bottom), { parent: middle });
    remove = () => ask('DELETE', String(middle), { force: true });
    await ask('POST', String(top), { parent: bottom });
    assert.is(remove, null);
    return await Promise.all([top, middle, bottom].map(async (id) => (await inner.get(collection, id))?.['parent']));
  } finally {
    await site.close();
    await store.close();
  }
}

const race = suite('moves at the same time');

for (const tree of TREES) {
  const [first, second, third] = tree.ids;
  race(`two of ${tree.base} below each other: the later one goes to the top, as if it had come later`, async () => {
    assert.equal(await raceMoves(tree, [[second, first]]), [0, first, 0]);
  });
  race(`three of ${tree.base} in a circle`, async () => {
    assert.equal(await raceMoves(tree, [[second, third], [third, first]]), [0, third, first]);
  });
  race(`of ${tree.base} that make no circle all happen`, async () => {
    assert.equal(await raceMoves(tree, [[third, second]]), [second, 0, second]);
  });
  race(`of ${tree.base}, while a removal moves records up`, async () => {
    assert.equal(await raceRemoval(tree), [0, undefined, first]);
  });
}

race.run();
