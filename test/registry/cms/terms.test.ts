import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../../adapters/memory-store.ts';
import type { Store } from '../../../lib/store/store.ts';
import { createTerms, type ReadTerms } from '../../../registry/cms/terms.ts';
import { collections } from '../../../registry/index.ts';

interface Watched {
  readonly store: Store;
  /** Number of queries to the store. */
  readonly finds: () => number;
}

async function openTerms(): Promise<Watched> {
  const inner = createMemoryStore(collections);
  await inner.commit([1, 2, 3].map((id) => ({ op: 'create', collection: 'terms', values: { id, taxonomy: 'category', name: `Term ${id}`, slug: `term-${id}` } })));
  let finds = 0;
  const find: Store['find'] = (query) => {
    finds += 1;
    return inner.find(query);
  };
  return { store: { ...inner, find }, finds: () => finds };
}

const namesOf = async (terms: ReadTerms, ids: readonly number[]): Promise<readonly unknown[]> => {
  const found = await terms(ids);
  return ids.map((id) => found.get(id)?.['name']);
};

const reading = suite('terms');

reading('are read once until one of them changes', async () => {
  const { store, finds } = await openTerms();
  const terms = createTerms(store);
  assert.equal(await namesOf(terms, [1, 2]), ['Term 1', 'Term 2']);
  assert.equal(await namesOf(terms, [2, 1, 2]), ['Term 2', 'Term 1', 'Term 2']);
  assert.is(finds(), 1);
  assert.equal(await namesOf(terms, [3, 1]), ['Term 3', 'Term 1']);
  assert.is(finds(), 2);
  // Written past this reader, as by another process.
  await store.commit([{ op: 'update', collection: 'terms', id: 1, values: { name: 'Changed' } }]);
  assert.equal(await namesOf(terms, [1]), ['Changed']);
  await store.commit([{ op: 'remove', collection: 'terms', id: 1 }]);
  assert.equal(await namesOf(terms, [1, 2]), [undefined, 'Term 2']);
});

reading('stay while other collections change', async () => {
  const { store, finds } = await openTerms();
  const terms = createTerms(store);
  await terms([1]);
  await store.commit([{ op: 'create', collection: 'users', values: { login: 'one' } }]);
  await terms([1]);
  assert.is(finds(), 1);
});

reading('are kept up to a bound, and all that were asked for are answered', async () => {
  const { store, finds } = await openTerms();
  const terms = createTerms(store, 2);
  assert.equal(await namesOf(terms, [1, 2, 3]), ['Term 1', 'Term 2', 'Term 3']);
  assert.equal(await namesOf(terms, [3]), ['Term 3']);
  assert.is(finds(), 2);
});

reading('that no post has cost nothing', async () => {
  const { store, finds } = await openTerms();
  const terms = createTerms({ ...store, revision: () => { throw new Error('asked'); } });
  assert.is((await terms([])).size, 0);
  assert.is(finds(), 0);
});

reading.run();
