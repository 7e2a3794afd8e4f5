import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { contractCollections } from '../../adapters/stores/contract/collections.ts';
import { type Store, StoreError } from '../../lib/store/store.ts';
import { countRuns } from './long-mode.ts';
import { type Step, toSteps } from './store-arbitraries.ts';
import type { CreateStore } from './store-contract.ts';

async function outcome(store: Store, step: Step): Promise<string> {
  try {
    return JSON.stringify('commit' in step ? await store.commit(step.commit) : await store.find(step.find));
  } catch (error) {
    if (error instanceof StoreError) return `${error.code} ${error.fields.join()}`;
    throw error;
  }
}

async function dump(store: Store): Promise<string> {
  const collections = contractCollections.map(({ name }) => store.find({ collection: name, total: true }));
  const { changes } = await store.changes({ after: { articles: 0 }, limit: 10_000 });
  const log = changes.map(({ at: _at, revision: _revision, ...rest }) => rest);
  return JSON.stringify([await Promise.all(collections), log]);
}

async function compare(stores: readonly [Store, Store], steps: readonly Step[]): Promise<void> {
  const [left, right] = stores;
  for (const step of steps)
    assert.is(await outcome(right, step), await outcome(left, step), JSON.stringify(step));
  // Results that a store cached must still be correct after all later changes.
  for (const step of steps.filter((each) => 'find' in each))
    assert.is(await outcome(right, step), await outcome(left, step), `again: ${JSON.stringify(step)}`);
  assert.is(await dump(right), await dump(left));
}

/** Number of random sequences to run. */
export function fuzzRuns(runs: number): number {
  return countRuns(runs, 25 * runs);
}

/** Runs the same random sequences on two stores. Records, order, totals, projections, ids and error codes must be equal. */
export async function fuzzStores(runs: number, left: CreateStore, right: CreateStore): Promise<void> {
  await fc.assert(
    fc.asyncProperty(toSteps(contractCollections), async (steps) => {
      const stores = [await left(contractCollections), await right(contractCollections)] as const;
      try {
        await compare(stores, steps);
      } finally {
        await Promise.all(stores.map((store) => store.close()));
      }
    }),
    { numRuns: fuzzRuns(runs) },
  );
}
