import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../../../adapters/memory-store.ts';
import { contractCollections } from '../../../../adapters/stores/contract/collections.ts';
import { and, eq, not, oneOf, or } from '../../../../lib/store/query.ts';
import type { Operation, Store } from '../../../../lib/store/store.ts';
import { toQueries } from '../../../support/store-arbitraries.ts';
import { fuzzRuns } from '../../../support/store-fuzz.ts';
import { createReferenceStore } from '../../../support/store-reference.ts';

const [articles] = contractCollections;
const TEXTS = ['', 'a', 'A', 'é', 'ß', 'b'];
const pick = (at: number): string => TEXTS[at % TEXTS.length] ?? '';

function toArticle(at: number): Operation {
  return {
    op: 'create',
    collection: 'articles',
    values: {
      title: pick(at * 7),
      slug: at % 9 === 0 ? '' : `${at % 97}-${at % 4}`,
      language: pick(at),
      status: pick(Math.floor(at / 5)),
      date: pick(at * 3 + 1),
      level: (at % 4) - 1,
      sticky: at % 7 === 0,
      tags: [at % 5, at % 3],
      words: [pick(at)],
    },
  };
}

/** Enough articles that the way they are reached matters. */
async function fill(store: Store): Promise<Store> {
  await store.commit(Array.from({ length: 300 }, (_each, at) => toArticle(at)));
  // Changes and removals are reflected in the results.
  await store.commit(
    Array.from({ length: 60 }, (_each, at): Operation => ({
      op: 'update',
      collection: 'articles',
      id: at * 4 + 1,
      values: { status: pick(at), tags: [at % 2], title: pick(at + 1) },
    })),
  );
  await store.commit(
    Array.from({ length: 30 }, (_each, at): Operation => ({
      op: 'remove',
      collection: 'articles',
      id: at * 7 + 2,
    })),
  );
  return store;
}

const found = suite('findRows');
found('gives the same results as the reference store for any number of records', async () => {
  const [store, plain] = [
    await fill(createMemoryStore(contractCollections)),
    await fill(createReferenceStore(contractCollections)),
  ];
  const text = fc.constantFrom(...TEXTS);
  await fc.assert(
    fc.asyncProperty(
      toQueries(articles),
      text,
      fc.array(text, { maxLength: 3 }),
      async (random, language, statuses) => {
        const split = {
          ...random,
          where: and(eq('language', language), or(oneOf('status', statuses), random.where ?? and())),
        };
        const named = {
          ...random,
          where: and(
            eq('language', language),
            oneOf('slug', ['1-1', '', '7-3', '40-2']),
            random.where ?? and(),
          ),
        };
        const without = {
          ...random,
          where: and(
            not(oneOf('id', [3, 8, 50])),
            eq('sticky', false),
            not(and(eq('id', 90), eq('language', language))),
          ),
          total: true,
        };
        for (const query of [random, split, named, without])
          assert.equal(await store.find(query), await plain.find(query), JSON.stringify(query));
      },
    ),
    { numRuns: fuzzRuns(300) },
  );
});
found.run();
