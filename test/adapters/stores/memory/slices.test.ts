import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../../../adapters/memory-store.ts';
import { rejectsStore } from '../../../../adapters/stores/contract/cases.ts';
import { contractCollections } from '../../../../adapters/stores/contract/collections.ts';
import { CollectionRows } from '../../../../adapters/stores/memory/collection-rows.ts';
import { findInSlices, findRows } from '../../../../adapters/stores/memory/find-rows.ts';
import { checkCollections } from '../../../../lib/store/check-collections.ts';
import { checkQuery } from '../../../../lib/store/check-query.ts';
import type { Predicate, Query } from '../../../../lib/store/query.ts';
import type { Operation, Store } from '../../../../lib/store/store.ts';
import { toQueries } from '../../../support/store-arbitraries.ts';
import { fuzzRuns } from '../../../support/store-fuzz.ts';

const [articles] = contractCollections;
const collections = checkCollections(contractCollections);
const TEXTS = ['', 'a', 'A', 'é', 'ß', 'b'];
const pick = (at: number): string => TEXTS[at % TEXTS.length] ?? '';

function openRows(size: number): CollectionRows {
  const rows = new CollectionRows(articles);
  for (let at = 0; at < size; at += 1) {
    rows.insert(
      rows.sortKeys.toRow({
        ...rows.empty,
        id: at + 1,
        title: pick(at * 7),
        slug: `${at}`,
        language: pick(at),
        status: pick(Math.floor(at / 5)),
        date: pick(at * 3 + 1),
        level: (at % 4) - 1,
        sticky: at % 7 === 0,
        tags: [at % 5, at % 3],
        words: [pick(at)],
      }),
    );
  }
  return rows;
}

const slices = suite('findInSlices');

slices('finds the same as an uninterrupted search', async () => {
  const [rows, others] = [openRows(300), openRows(300)];
  await fc.assert(
    fc.asyncProperty(toQueries(articles), async (query) => {
      const checked = checkQuery(collections, query);
      const idsOf = ({
        page,
        total,
      }: {
        page: readonly { readonly record: { readonly id: number } }[];
        total: number;
      }): unknown => [page.map(({ record }) => record.id), total];
      assert.equal(
        idsOf(await findInSlices(rows, checked, undefined)),
        idsOf(findRows(others, checked)),
        JSON.stringify(query),
      );
    }),
    { numRuns: fuzzRuns(500) },
  );
});

slices.run();

const MANY = 6000;
/** A text made of prefixes of the word, so that a search for the word takes some time. */
const LONG = 'needl '.repeat(1400);
const WORD: Predicate = { op: 'contains', field: 'title', text: 'needle' };
const QUERY: Query = {
  collection: 'articles',
  where: WORD,
  total: true,
  order: [{ field: 'title', direction: 'asc' }],
  fields: ['title'],
};

const toArticle = (title: string): Operation => ({ op: 'create', collection: 'articles', values: { title } });

async function openStore(): Promise<Store> {
  const store = createMemoryStore(contractCollections);
  await store.commit(
    Array.from({ length: MANY }, (_each, at) => toArticle(`${LONG}${at % 2 === 0 ? 'needle' : ''}`)),
  );
  return store;
}

const stores = suite('a long read of the memory store');

stores('lets others run in between, and does not see what they write', async () => {
  const store = await openStore();
  let turns = 0;
  const commits: Promise<unknown>[] = [];
  const next = (): void => {
    turns += 1;
    commits.push(
      store.commit([
        { op: 'update', collection: 'articles', id: turns * 2, values: { title: `needle ${turns}` } },
        { op: 'remove', collection: 'articles', id: turns * 2 + 1 },
        toArticle('needle'),
      ]),
    );
    immediate = setImmediate(next);
  };
  let immediate = setImmediate(next);
  const { records, total } = await store.find(QUERY);
  clearImmediate(immediate);
  await Promise.all(commits);
  assert.ok(turns > 1, String(turns));
  assert.equal([records.length, total], [MANY / 2, MANY / 2]);
  assert.is(records.filter(({ title }) => title !== `${LONG}needle`).length, 0);
  // The total is not cached as the current one, because each turn has created two records and removed one.
  for (const limit of [0, 1]) assert.is((await store.find({ ...QUERY, limit })).total, MANY / 2 + turns);
});

stores('ends when it is cancelled', async () => {
  const store = await openStore();
  const controller = new AbortController();
  setImmediate(() => controller.abort());
  await rejectsStore(store.find(QUERY, { signal: controller.signal }), 'cancelled');
});

stores.run();
