import { StoreError, type Store } from '../../../lib/store/store.ts';
import type { OpenStore } from './cases.ts';
import { contractCollections } from './collections.ts';
import * as assert from './expect.ts';
import { article, createOne, note } from './steps.ts';

/** When the storage fails: before it has all of the next commit, or when it has to confirm it. */
export type Fault = 'before' | 'confirming';

/** A store whose storage can be made to fail. */
export interface FragileStore {
  /** The store before the fault. */
  readonly store: Store;
  /** Makes the storage fail once, in the next commit. */
  fail(at: Fault): void;
  /** The store with what its storage has now: itself, or opened again. Its `close` also removes what the case left. */
  recover(): Promise<Store>;
}

/** One case of the contract that needs a storage that fails. */
export interface OutcomeCase {
  /** What the store must do. */
  readonly name: string;
  /** @throws an assertion error if the store does something else */
  run(openFragile: (...args: Parameters<OpenStore>) => Promise<FragileStore>): Promise<void>;
}

async function commitOnce({ store }: FragileStore): Promise<string> {
  return store
    .commit([article({ slug: 'once' }, 'new'), note({ article: { $ref: 'new' }, text: 'once' })])
    .then(
      () => 'made',
      (error: unknown) => (error instanceof StoreError ? error.code : String(error)),
    );
}

function describe(name: string, at: Fault, check: (outcome: string, made: number) => void): OutcomeCase {
  return {
    name: `outcomes: ${name}`,
    async run(openFragile) {
      const fragile = await openFragile(contractCollections);
      await createOne(fragile.store, { slug: 'before' });
      fragile.fail(at);
      const outcome = await commitOnce(fragile);
      const store = await fragile.recover();
      try {
        const [articles, notes] = await Promise.all(
          ['articles', 'notes'].map(
            async (collection) => (await store.find({ collection, total: true })).total,
          ),
        );
        assert.is(notes, Number(articles) - 1, 'half of a commit was made');
        check(outcome, Number(notes));
        await createOne(store, { slug: 'after' });
      } finally {
        await store.close();
      }
    },
  };
}

/** Cases for stores whose storage a test can make fail. They show that `unknown`, and nothing else, stands for a commit that may have been made. */
export const outcomeCases: readonly OutcomeCase[] = [
  describe(
    'a commit that the storage does not confirm is `unknown`, and was made once or not at all',
    'confirming',
    (outcome, made) => {
      assert.is(outcome, 'unknown');
      assert.ok(made <= 1, 'the commit was repeated');
    },
  ),
  describe(
    'a commit that fails before that is not `unknown`: it was made and acknowledged, or not made',
    'before',
    (outcome, made) => {
      assert.ok(
        outcome === 'made' ? made === 1 : outcome !== 'unknown' && made === 0,
        `${outcome}, but made ${made} times`,
      );
    },
  ),
];
