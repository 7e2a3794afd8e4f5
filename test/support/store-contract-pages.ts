import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { and, eq, oneOf, type Order, type Predicate } from '../../lib/store/query.ts';
import type { Operation, Store, Values } from '../../lib/store/store.ts';
import { createRandom, type Random } from './random.ts';
import { article, type OnStore } from './store-contract-steps.ts';

const SIZE = 360;
const LONG = 'm'.repeat(400);
const TITLES = ['B', 'a', 'É', 'e', 'z', LONG, `${LONG}n`];

const LISTS: readonly { readonly where?: Predicate; readonly order: readonly Order[] }[] = [
  { where: and(eq('language', 'en'), eq('status', 'publish')), order: [{ field: 'date', direction: 'desc' }] },
  { where: and(eq('language', 'en'), oneOf('status', ['publish', 'draft'])), order: [{ field: 'date', direction: 'asc' }] },
  { where: eq('language', 'en'), order: [{ field: 'title', direction: 'asc' }] },
  { where: { op: 'hasAny', field: 'tags', values: [1] }, order: [{ field: 'date', direction: 'desc' }] },
  { where: and({ op: 'hasAny', field: 'tags', values: [1] }, eq('status', 'publish')), order: [{ field: 'date', direction: 'asc' }] },
  { order: [{ field: 'sticky', direction: 'desc' }, { field: 'level', direction: 'desc' }] },
  { order: [{ field: 'level', direction: 'asc' }, { field: 'date', direction: 'desc' }] },
  { order: [{ field: 'id', direction: 'desc' }] },
  { order: [{ field: 'version', direction: 'asc' }] },
];

function toValues(random: Random): Values {
  return {
    title: TITLES[random.below(TITLES.length)] ?? '', language: random.below(9) === 0 ? 'de' : 'en', status: random.below(5) === 0 ? 'draft' : 'publish',
    date: `2026-${10 + random.below(80)}`, level: random.below(9) - 4, sticky: random.below(3) === 0, tags: random.below(6) === 0 ? [2] : [1, 2],
  };
}

/** A change of an article before or after the marks that pages have left. */
function toChange(random: Random): Operation {
  const id = 1 + random.below(SIZE);
  const kind = random.below(4);
  if (kind === 0) return article(toValues(random));
  return kind === 1 ? { op: 'removeAll', collection: 'articles', where: eq('id', id) } : { op: 'update', collection: 'articles', id, values: toValues(random) };
}

async function change(store: Store, random: Random): Promise<void> {
  try {
    await store.commit([toChange(random)]);
  } catch (error) {
    // The article was removed before.
    assert.is((error as { code?: unknown }).code, 'missing');
  }
}

async function comparePages(store: Store, random: Random): Promise<void> {
  for (const list of LISTS) {
    const all = (await store.find({ collection: 'articles', ...list })).records;
    const start = 100 + random.below(all.length);
    for (const offset of [start, start + 7, start + 14, 105, all.length - 3]) {
      const fields = random.below(2) === 0 ? {} : { fields: ['language', 'date'] };
      const whole = fields.fields === undefined ? all : (await store.find({ collection: 'articles', ...list, ...fields })).records;
      const { records, total } = await store.find({ collection: 'articles', ...list, ...fields, limit: 7, offset, total: true });
      assert.equal([records, total], [whole.slice(offset, offset + 7), all.length], JSON.stringify([list, offset]));
    }
  }
}

/** Pages far behind the first one. */
export function deepPages(name: string, onStore: OnStore): void {
  const test = suite(`${name}: deep pages`);
  test('are parts of the whole list after every change', onStore(async (store) => {
    const random = createRandom(3);
    await store.commit(Array.from({ length: SIZE }, () => article(toValues(random))));
    for (let round = 0; round < 12; round += 1) {
      await comparePages(store, random);
      for (let count = 0; count < 3; count += 1) await change(store, random);
    }
  }));
  test.run();
}
