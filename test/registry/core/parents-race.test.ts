import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../../adapters/memory-store.ts';
import type { Store } from '../../../lib/store/store.ts';
import { capabilitiesOf } from '../../../registry/core/accounts/roles.ts';
import { collections } from '../../../registry/index.ts';
import type { Fixture } from '../../../registry/transfer/fixture/fixture.ts';
import { type Asking, createWholeSite, type WholeSite } from '../../support/whole-site.ts';

// Two records that move below each other at the same time must not become a circle.
const names = ['harbour', 'quay', 'boats'];
const FIXTURE = {
  site: { name: 'Races', timezone_string: 'UTC', default_category: 0, excerpt_length_default: 55 },
  users: [{ id: 1, login: 'editor', name: 'editor', slug: 'editor', role: 'editor' }],
  categories: names.map((slug, at) => ({ id: at + 11, name: slug, slug, parent: 0 })),
  pages: names.map((slug, at) => ({
    id: at + 21,
    author: 1,
    status: 'publish',
    title: slug,
    slug,
    content: slug,
    date: '2024-07-01T10:00:00',
    parent: 0,
  })),
} as unknown as Fixture;

const EDITOR = { id: 1, role: 'editor', capabilities: capabilitiesOf('editor') };

/** A store in which other moves go first when a record is about to get its first parent. */
function createContested(store: Store, goFirst: () => Promise<void>): Store {
  let isOver = false;
  return {
    ...store,
    commit: async (operations, durability) => {
      if (
        !isOver &&
        operations.some(
          (operation) => operation.op === 'update' && Number(operation.values['parent'] ?? 0) > 0,
        )
      ) {
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

const TREES: readonly Tree[] = [
  { base: 'categories', collection: 'terms', ids: [11, 12, 13] },
  { base: 'pages', collection: 'posts', ids: [21, 22, 23] },
];

type Ask = (site: WholeSite, what: readonly [method: string, id: number], body: object) => Promise<void>;

/** Runs the test on two sites that share their records, as those of two processes do. `wrap`: makes the store of the first one. */
async function onTwoSites(
  { base, collection, ids }: Tree,
  wrap: (inner: Store, ask: Ask, other: () => WholeSite) => Store,
  test: (ask: Ask, site: WholeSite) => Promise<void>,
): Promise<readonly unknown[]> {
  const inner = createMemoryStore(collections);
  const ask: Ask = async (site, [method, id], body) => {
    assert.is((await site.ask({ method, target: `/cms/v2/${base}/${id}`, body, as: 'editor' })).status, 200);
  };
  const other = await createWholeSite({ fixture: FIXTURE, content: 'core', store: inner });
  const site = await createWholeSite({
    fixture: { site: {} },
    content: 'core',
    store: wrap(inner, ask, () => other),
    bearer: () => EDITOR,
  });
  try {
    await test(ask, site);
    return await Promise.all(ids.map(async (id) => (await inner.get(collection, id))?.['parent']));
  } finally {
    await site.close();
    await other.close();
    await inner.close();
  }
}

/** Moves the first record below the second one, while another process makes other moves. @returns the parents afterwards */
function raceMoves(
  tree: Tree,
  others: readonly (readonly [id: number, parent: number])[],
): Promise<readonly unknown[]> {
  const wrap: Parameters<typeof onTwoSites>[1] = (inner, ask, other) =>
    createContested(inner, async () => {
      for (const [id, parent] of others) await ask(other(), ['POST', id], { parent });
    });
  return onTwoSites(tree, wrap, (ask, site) => ask(site, ['POST', tree.ids[0]], { parent: tree.ids[1] }));
}

/** The first record moves below the third one, which is below the second one, which another process removes in that moment. @returns the parents afterwards */
function raceRemoval(tree: Tree): Promise<readonly unknown[]> {
  const {
    collection,
    ids: [top, middle, bottom],
  } = tree;
  let isDue = false;
  const wrap: Parameters<typeof onTwoSites>[1] = (inner, ask, other) => ({
    ...inner,
    get: async (name, id) => {
      const record = await inner.get(name, id);
      if (isDue && name === collection && id === bottom) {
        isDue = false;
        await ask(other(), ['DELETE', middle], { force: true });
      }
      return record;
    },
  });
  return onTwoSites(tree, wrap, async (ask, site) => {
    await ask(site, ['POST', middle], { parent: top });
    await ask(site, ['POST', bottom], { parent: middle });
    isDue = true;
    await ask(site, ['POST', top], { parent: bottom });
    assert.is(isDue, false);
  });
}

const race = suite('moves at the same time');

for (const tree of TREES) {
  const [first, second, third] = tree.ids;
  race(
    `two of ${tree.base} below each other: the later one goes to the top, as if it had come later`,
    async () => {
      assert.equal(await raceMoves(tree, [[second, first]]), [0, first, 0]);
    },
  );
  race(`three of ${tree.base} in a circle`, async () => {
    assert.equal(
      await raceMoves(tree, [
        [second, third],
        [third, first],
      ]),
      [0, third, first],
    );
  });
  race(`of ${tree.base} that make no circle all happen`, async () => {
    assert.equal(await raceMoves(tree, [[third, second]]), [second, 0, second]);
  });
  race(`of ${tree.base}, while a removal moves records up`, async () => {
    assert.equal(await raceRemoval(tree), [0, undefined, first]);
  });
}

const LINES = [
  ['categories', 'terms', (at: number) => ({ id: at, name: `n${at}`, slug: `n-${at}`, parent: 0 })],
  [
    'pages',
    'posts',
    (at: number) => ({
      id: at,
      author: 1,
      status: 'publish',
      title: `n${at}`,
      slug: `n-${at}`,
      content: 'x',
      date: '2024-07-01T10:00:00',
      parent: 0,
    }),
  ],
] as const;

for (const [base, collection, toRecord] of LINES) {
  race(`many of ${base} all happen, and so do many removals`, async () => {
    const ids = Array.from({ length: 40 }, (_each, at) => at + 2);
    const { site: settings, users } = FIXTURE;
    const site = await createWholeSite({
      fixture: { site: settings, users, [base]: [1, ...ids].map((id) => toRecord(id)) } as unknown as Fixture,
      content: 'core',
    });
    const failures = async (requests: readonly Asking[]): Promise<readonly string[]> => {
      const answers = await Promise.all(requests.map((request) => site.ask({ ...request, as: 'editor' })));
      return answers.filter(({ status }) => status !== 200).map(({ text }) => text);
    };
    try {
      assert.equal(
        await failures(
          ids.map((id) => ({ method: 'POST', target: `/cms/v2/${base}/${id}`, body: { parent: id - 1 } })),
        ),
        [],
      );
      assert.equal(
        await failures(
          ids
            .slice(0, -1)
            .map((id) => ({ method: 'DELETE', target: `/cms/v2/${base}/${id}`, body: { force: true } })),
        ),
        [],
      );
      assert.is((await site.store.get(collection, 41))?.['parent'], 1);
    } finally {
      await site.close();
      await site.store.close();
    }
  });
}

race.run();
