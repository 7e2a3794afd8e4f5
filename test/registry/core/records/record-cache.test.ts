import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../../../adapters/memory-store.ts';
import type { Store } from '../../../../lib/store/store.ts';
import { createTerms } from '../../../../registry/core/addresses/permalink.ts';
import {
  createRecordCache,
  loadAncestors,
  type OpenRecords,
} from '../../../../registry/core/records/record-cache.ts';
import { collections } from '../../../../registry/index.ts';

interface Watched {
  readonly store: Store;
  /** Number of queries to the store. */
  readonly finds: () => number;
  /** Lets the next query fail. */
  readonly spoil: () => void;
}

const TERMS = { collection: 'terms', fields: ['name', 'parent'] } as const;

/** Terms 1 to 6, of which each is above the next one. */
async function openTerms(): Promise<Watched> {
  const inner = createMemoryStore(collections);
  await inner.commit(
    [1, 2, 3, 4, 5, 6].map((id) => ({
      op: 'create',
      collection: 'terms',
      values: { id, taxonomy: 'category', name: `Term ${id}`, slug: `term-${id}`, parent: id - 1 },
    })),
  );
  let finds = 0;
  let isSpoilt = false;
  const find: Store['find'] = async (query) => {
    finds += 1;
    if (isSpoilt) {
      isSpoilt = false;
      throw new Error('spoilt');
    }
    return inner.find(query);
  };
  return {
    store: { ...inner, find },
    finds: () => finds,
    spoil: () => {
      isSpoilt = true;
    },
  };
}

const namesOf = async (open: OpenRecords, ids: readonly number[]): Promise<readonly unknown[]> => {
  const found = await (await open())(ids);
  return ids.map((id) => found.get(id)?.['name']);
};

const reading = suite('cached records');

reading('are read once until one of them changes', async () => {
  const { store, finds } = await openTerms();
  const terms = createRecordCache(store, TERMS);
  assert.equal(await namesOf(terms, [1, 2]), ['Term 1', 'Term 2']);
  assert.equal(await namesOf(terms, [2, 1, 2]), ['Term 2', 'Term 1', 'Term 2']);
  assert.is(finds(), 1);
  assert.equal(await namesOf(terms, [3, 1]), ['Term 3', 'Term 1']);
  assert.is(finds(), 2);
  // Written past this cache, as by another process.
  await store.commit([{ op: 'update', collection: 'terms', id: 1, values: { name: 'Changed' } }]);
  assert.equal(await namesOf(terms, [1]), ['Changed']);
  await store.commit([
    { op: 'update', collection: 'terms', id: 2, values: { parent: 0 } },
    { op: 'remove', collection: 'terms', id: 1 },
  ]);
  assert.equal(await namesOf(terms, [1, 2]), [undefined, 'Term 2']);
});

reading('stay while other collections change', async () => {
  const { store, finds } = await openTerms();
  const terms = createRecordCache(store, TERMS);
  await namesOf(terms, [1]);
  await store.commit([{ op: 'create', collection: 'users', values: { login: 'one' } }]);
  await namesOf(terms, [1]);
  assert.is(finds(), 1);
});

reading('are kept up to a bound, and all that were asked for are answered', async () => {
  const { store, finds } = await openTerms();
  const terms = createRecordCache(store, { ...TERMS, mostKept: 2 });
  assert.equal(await namesOf(terms, [1, 2, 3]), ['Term 1', 'Term 2', 'Term 3']);
  assert.equal(await namesOf(terms, [3]), ['Term 3']);
  assert.is(finds(), 2);
});

reading('share the queries of callers that ask at the same moment', async () => {
  const { store, finds } = await openTerms();
  const terms = createRecordCache(store, TERMS);
  assert.equal(await Promise.all([namesOf(terms, [1, 2]), namesOf(terms, [2, 3]), namesOf(terms, [9])]), [
    ['Term 1', 'Term 2'],
    ['Term 2', 'Term 3'],
    [undefined],
  ]);
  assert.is(finds(), 1);
});

reading('that could not be read are read again', async () => {
  const { store, spoil } = await openTerms();
  const terms = createRecordCache(store, TERMS);
  spoil();
  const failed = await Promise.allSettled([namesOf(terms, [1]), namesOf(terms, [1, 2])]);
  assert.equal(
    failed.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  assert.equal(await namesOf(terms, [1, 2]), ['Term 1', 'Term 2']);
});

reading('of posts without terms cost nothing', async () => {
  const { store, finds } = await openTerms();
  const terms = createTerms({
    ...store,
    revision: () => {
      throw new Error('asked');
    },
  });
  assert.is((await terms([])).size, 0);
  assert.is(finds(), 0);
});

reading.run();

const above = suite('records above others');

above('are read level by level, once for all callers', async () => {
  const { store, finds } = await openTerms();
  const terms = createRecordCache(store, TERMS);
  const levels = await Promise.all([6, 6, 5].map((parent) => loadAncestors(terms, [{ parent }])));
  assert.equal(
    levels.map((found) => [...found.keys()].sort()),
    [
      [1, 2, 3, 4, 5, 6],
      [1, 2, 3, 4, 5, 6],
      [1, 2, 3, 4, 5],
    ],
  );
  assert.is(finds(), 5);
  assert.is((await loadAncestors(terms, [{ parent: 4 }])).size, 4);
  assert.is(finds(), 5);
});

above('may form a loop or be missing', async () => {
  const { store, finds } = await openTerms();
  await store.commit([{ op: 'update', collection: 'terms', id: 1, values: { parent: 3 } }]);
  const terms = createRecordCache(store, TERMS);
  assert.equal([...(await loadAncestors(terms, [{ parent: 2 }, { parent: 99 }])).keys()].sort(), [1, 2, 3]);
  assert.is((await loadAncestors(terms, [{ parent: 0 }])).size, 0);
  assert.is(finds(), 3);
});

above.run();
