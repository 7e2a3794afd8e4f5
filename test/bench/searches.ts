import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createMemoryStore } from '../../adapters/memory-store.ts';
import { createPostgresStore } from '../../adapters/postgres-store.ts';
import { createSqliteStore } from '../../adapters/sqlite-store.ts';
import type { CollectionDescriptor } from '../../lib/store/collection.ts';
import { and, eq, type Predicate, type Query } from '../../lib/store/query.ts';
import type { Operation, Store } from '../../lib/store/store.ts';
import { parseSearch, toRelevance, toSearchPredicate } from '../../registry/core/content/search-query.ts';
import { postCollections } from '../../registry/core/records/collections.ts';
import { createRandom, type Random } from '../support/random.ts';
import { inFolder } from '../support/temporary.ts';
import { MARKS, toWords, unsearchedPosts } from './words.ts';

// Measures searches: `node dist/test/bench/searches.js --posts 1000,100000 --store sqlite`, or `--store memory`, or a postgres:// address.
// Prints, per size: the median of searches for words that are rare, absent, frequent, in most posts and of two letters, and their growth
// since the first size; other reads beside one search; creates per second and bytes per post, with and without the index.
const GROUP = 500;
const REPEATS = 9;
/** Words of a post: 1.9 KB. */
const WORDS = 280;

function toPost(number: number, size: number, random: Random): Operation {
  const date = new Date(Date.UTC(2015, 0, 1) + ((number * 7919) % 300_000_000) * 1000)
    .toISOString()
    .slice(0, 19);
  const marks = Array.from({ length: REPEATS }, (_each, at) => [
    ...((number + at) % Math.max(1, Math.floor(size / 20)) === 0 ? [`${MARKS.rare}${at}`] : []),
    ...((number + at) % 33 === 0 ? [`${MARKS.frequent}${at}`] : []),
    ...((number + at) % 4 !== 0 ? [`${MARKS.usual}${at}`] : []),
  ]).flat();
  return {
    op: 'create',
    collection: 'posts',
    values: {
      type: 'post',
      language: 'en',
      status: number % 10 === 0 ? 'draft' : 'publish',
      slug: `post-${number}`,
      author: (number % 20) + 1,
      date,
      date_gmt: date,
      modified: date,
      modified_gmt: date,
      title: `Title ${(number * 7919) % 1_000_003}`,
      content: `<p>${toWords(random, WORDS)} ${marks.join(' ')}</p>`,
      categories: [number % 30],
      tags: [number % 500],
    },
  };
}

const listed = and(eq('language', 'en'), eq('status', 'publish'), eq('type', 'post'));
const page = (where: Predicate): Query => ({
  collection: 'posts',
  where,
  order: [{ field: 'date', direction: 'desc' }],
  limit: 10,
  total: true,
});
const search = (text: string): Query => page(and(listed, toSearchPredicate(parseSearch(text)) ?? and()));

const SEARCHES: Readonly<Record<string, (at: number) => Query>> = {
  'rare word': (at) => search(`${MARKS.rare}${at}`),
  'no match': (at) => search(`harboursing${at}`),
  'frequent word': (at) => search(`${MARKS.frequent}${at}`),
  'in most posts': (at) => search(`${MARKS.usual}${at}`),
  'two letters': (at) => search(`q${'abcdefghi'[at] ?? ''}`),
  relevance: (at) => ({
    ...search(`${MARKS.rare}${at}`),
    order: toRelevance(parseSearch(`${MARKS.rare}${at}`)),
  }),
};

const median = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;

async function time(run: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await run();
  return performance.now() - started;
}

async function fill(store: Store, size: number): Promise<number> {
  const random = createRandom(7);
  const operations = (first: number): readonly Operation[] =>
    Array.from({ length: Math.min(GROUP, size - first) }, (_each, at) => toPost(first + at, size, random));
  let spent = 0;
  for (let first = 0; first < size; first += GROUP) {
    const group = operations(first);
    spent += await time(() => store.commit(group));
  }
  return (size / spent) * 1000;
}

/** Waits until the index has what was written: then a search that finds nothing takes little time. */
async function settle(store: Store): Promise<void> {
  for (let turn = 0; turn < 600; turn += 1) {
    await new Promise((resolve) => {
      setTimeout(resolve, 500);
    });
    if ((await time(() => store.find(search(`quibblewock${turn}`)))) < 25) return;
  }
}

/** The median of other reads, alone and while searches run one after the other. */
async function readBeside(
  store: Store,
  toSearch: (at: number) => Query,
): Promise<readonly [alone: number, beside: number]> {
  const read = async (): Promise<number> => {
    await new Promise((resolve) => {
      setTimeout(resolve, 2);
    });
    return time(() => store.find(page(listed)));
  };
  const alone: number[] = [];
  for (let count = 0; count < 200; count += 1) alone.push(await read());
  const end = new AbortController();
  const searching = (async () => {
    for (let at = 0; !end.signal.aborted; at += 1) await store.find(toSearch(at % REPEATS));
  })();
  const beside: number[] = [];
  for (let count = 0; count < 200; count += 1) beside.push(await read());
  end.abort();
  await searching;
  return [median(alone), median(beside)];
}

async function countCreates(store: Store, size: number): Promise<number> {
  const random = createRandom(11);
  const count = 300;
  const spent = await time(async () => {
    for (let at = 0; at < count; at += 1) await store.commit([toPost(size + at, size, random)]);
  });
  return (count / spent) * 1000;
}

function sizeOf(folder: string): number {
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}

type Open = (collections: readonly CollectionDescriptor[]) => Promise<Store>;

async function measure(
  open: Open,
  size: number,
  before: ReadonlyMap<string, number>,
): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>();
  const store = await open(postCollections);
  console.log(`${size} posts: loaded at ${(await fill(store, size)).toFixed(0)} a second`);
  await settle(store);
  for (const [name, toQuery] of Object.entries(SEARCHES)) {
    const times: number[] = [];
    let total = 0;
    for (let at = 0; at < REPEATS; at += 1)
      times.push(
        await time(async () => {
          ({ total } = await store.find(toQuery(at)));
        }),
      );
    const ms = median(times);
    found.set(name, ms);
    const first = before.get(name);
    console.log(
      `  ${name.padEnd(14)} ${ms.toFixed(2).padStart(9)} ms  ${String(total).padStart(7)} found${first === undefined ? '' : `  x${(ms / first).toFixed(1)}`}`,
    );
  }
  for (const name of ['no match', 'two letters']) {
    const [alone, beside] = await readBeside(store, SEARCHES[name] as (at: number) => Query);
    console.log(
      `  other reads    ${alone.toFixed(2).padStart(9)} ms, beside a search (${name}) ${beside.toFixed(2)} ms  x${(beside / alone).toFixed(1)}`,
    );
  }
  await store.close();
  return found;
}

const {
  values: { posts, store: kind },
} = parseArgs({
  options: {
    posts: { type: 'string', default: '1000,100000' },
    store: { type: 'string', default: 'sqlite' },
  },
});
const sizes = posts.split(',').map(Number);

/** Creates with and without the index, each on a store of this size, and the bytes that the index adds. */
async function compareCosts(size: number): Promise<void> {
  const costs: { rate: number; bytes: number }[] = [];
  for (const collections of [unsearchedPosts, postCollections, unsearchedPosts, postCollections]) {
    await inFolder(async (directory) => {
      const store = await createSqliteStore({ directory, collections });
      await fill(store, size);
      if (collections === postCollections) await settle(store);
      const rate = await countCreates(store, size);
      await store.close();
      costs.push({ rate, bytes: sizeOf(directory) });
    });
  }
  const [a, b, c, d] = costs.map(({ rate }) => rate) as [number, number, number, number];
  console.log(
    `creates at ${size} posts: ${(((b + d) / (a + c)) * 100).toFixed(0)} % of those without the index (${costs.map(({ rate }) => rate.toFixed(0)).join(', ')}); index ${(((costs[1]?.bytes ?? 0) - (costs[0]?.bytes ?? 0)) / size / 1024).toFixed(2)} KB a post`,
  );
}

async function run(withStore: (test: (open: Open) => Promise<void>) => Promise<void>): Promise<void> {
  let before: ReadonlyMap<string, number> = new Map();
  for (const size of sizes)
    await withStore(async (open) => {
      const found = await measure(open, size, before);
      before = before.size === 0 ? found : before;
    });
}

if (kind === 'memory') await run((test) => test(async (collections) => createMemoryStore(collections)));
else if (kind === 'sqlite') {
  await run((test) =>
    inFolder((directory) => test((collections) => createSqliteStore({ directory, collections }))),
  );
  await compareCosts(Math.min(5000, sizes.at(-1) ?? 5000));
} else
  await run((test) =>
    test((collections) => createPostgresStore({ url: kind, collections, schema: `searches_${Date.now()}` })),
  );
