import {
  and,
  asc,
  desc,
  eq,
  equalsFolded,
  hasAll,
  hasAny,
  lt,
  lte,
  not,
  oneOf,
  type Order,
  type Predicate,
} from '../../../lib/store/query.ts';
import type { Operation, Store, Values } from '../../../lib/store/store.ts';
import {
  article,
  CaseList,
  find,
  findIds,
  rejectsStore,
  removeAll,
  type StoreCase,
  update,
} from './cases.ts';
import * as assert from './expect.ts';

const SIZE = 360;

/** An integer from 0 to below the limit, the same ones in every run. */
type Below = (limit: number) => number;

function createBelow(seed: number): Below {
  let state = seed;
  return (limit) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % limit;
  };
}

const LONG = 'm'.repeat(400);
const TITLES = ['B', 'a', 'É', 'e', 'z', LONG, `${LONG}n`];

const LISTS: readonly { readonly where?: Predicate; readonly order: readonly Order[] }[] = [
  {
    where: and(eq('language', 'en'), eq('status', 'publish')),
    order: [desc('date')],
  },
  {
    where: and(eq('language', 'en'), oneOf('status', ['publish', 'draft'])),
    order: [asc('date')],
  },
  { where: eq('language', 'en'), order: [asc('title')] },
  { where: hasAny('tags', [1]), order: [desc('date')] },
  {
    where: and(hasAny('tags', [1]), eq('status', 'publish')),
    order: [asc('date')],
  },
  {
    order: [desc('sticky'), desc('level')],
  },
  {
    order: [asc('level'), desc('date')],
  },
  { order: [desc('id')] },
  { order: [asc('version')] },
];

function toValues(below: Below): Values {
  return {
    title: TITLES[below(TITLES.length)] ?? '',
    language: below(9) === 0 ? 'de' : 'en',
    status: below(5) === 0 ? 'draft' : 'publish',
    date: `2026-${10 + below(80)}`,
    level: below(9) - 4,
    sticky: below(3) === 0,
    tags: below(6) === 0 ? [2] : [1, 2],
  };
}

/** A change of an article before or after the marks that pages have left. */
function toChange(below: Below): Operation {
  const id = 1 + below(SIZE);
  const kind = below(4);
  if (kind === 0) return article(toValues(below));
  return kind === 1 ? removeAll(eq('id', id)) : update(id, toValues(below));
}

async function change(store: Store, below: Below): Promise<void> {
  try {
    await store.commit([toChange(below)]);
  } catch (error) {
    // The article was removed before.
    assert.is((error as { code?: unknown }).code, 'missing');
  }
}

async function comparePages(store: Store, below: Below): Promise<void> {
  for (const list of LISTS) {
    const all = (await find(store, list)).records;
    const start = 100 + below(all.length);
    for (const offset of [start, start + 7, start + 14, 105, all.length - 3]) {
      const fields = below(2) === 0 ? undefined : ['language', 'date'];
      const whole = fields === undefined ? all : (await find(store, { ...list, fields })).records;
      const { records, total } = await find(store, {
        ...list,
        fields,
        limit: 7,
        offset,
        total: true,
      });
      assert.equal(
        [records, total],
        [whole.slice(offset, offset + 7), all.length],
        JSON.stringify([list, offset]),
      );
    }
  }
}

const DEEP_PAGES = new CaseList('deep pages');

DEEP_PAGES.test('are parts of the whole list after every change', async (store) => {
  const below = createBelow(3);
  await store.commit(Array.from({ length: SIZE }, () => article(toValues(below))));
  for (let round = 0; round < 12; round += 1) {
    await comparePages(store, below);
    for (let count = 0; count < 3; count += 1) await change(store, below);
  }
});

/** Pages far behind the first one. */
export const deepPages: readonly StoreCase[] = DEEP_PAGES.cases;

/** A text that no database index can hold or compress much. */
function longText(length: number): string {
  let seed = 7;
  return Array.from({ length }, () =>
    String.fromCharCode(0x4e00 + ((seed = (seed * 16_807) % 2_147_483_647) % 0x4000)),
  ).join('');
}

const LONG_TEXTS = new CaseList('long texts');

// Around the length that a store may index, and far above it.
const LENGTHS = [148, 149, 150, 151, 199, 200, 201, 255, 256, 5000];
for (const length of LENGTHS) {
  LONG_TEXTS.test(
    `of ${length} characters and some more are compared and ordered to the last one`,
    async (store) => {
      const base = longText(length);
      const texts = [base, `${base}a`, `${base}b`, base.slice(0, -1), 'z'];
      await store.commit(
        texts.map((text) =>
          article({ title: text, slug: text, language: text, status: text, words: [text, `${text}!`] }),
        ),
      );
      const matches = async (where: Predicate): Promise<readonly number[]> => findIds(store, { where });
      for (const [index, text] of texts.entries()) {
        const rest = [1, 2, 3, 4, 5].filter((id) => id !== index + 1);
        for (const field of ['title', 'slug', 'status']) {
          assert.equal(await matches(eq(field, text)), [index + 1]);
          assert.equal(await matches(not(oneOf(field, [text]))), rest);
          const smaller = texts.flatMap((other, at) => (other < text ? [at + 1] : []));
          assert.equal(await matches(lt(field, text)), smaller);
          assert.equal(await matches(lte(field, text)), [...smaller, index + 1].toSorted());
        }
        assert.equal(await matches(equalsFolded('title', text.toUpperCase())), [index + 1]);
        assert.equal(await matches(hasAny('words', [text])), [index + 1]);
        assert.equal(await matches(hasAll('words', [`${text}!`, text])), [index + 1]);
      }
      for (const field of ['title', 'slug', 'language']) {
        assert.equal(await findIds(store, { order: [asc(field)] }), [5, 4, 1, 2, 3]);
      }
    },
  );
  LONG_TEXTS.test(`of ${length} characters and some more are distinguished by unique keys`, async (store) => {
    const base = longText(length);
    await store.commit([
      article({ slug: base }),
      article({ slug: `${base}a` }),
      article({ slug: `${base}b` }),
      article({ slug: base.slice(0, -1) }),
    ]);
    for (const slug of [base, `${base}a`])
      assert.equal((await rejectsStore(store.commit([article({ slug })]), 'unique')).fields, [
        'language',
        'slug',
      ]);
    await store.commit([article({ slug: base, language: 'nl' })]);
  });
}

/** Texts that are longer than an index entry. */
export const longTexts: readonly StoreCase[] = LONG_TEXTS.cases;
