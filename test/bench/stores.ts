import { join } from 'node:path';
import { createMemoryStore } from '../../adapters/memory-store.ts';
import { createSqliteStore } from '../../adapters/sqlite-store.ts';
import { and, eq, oneOf, type Order, type Predicate, type Query } from '../../lib/store/query.ts';
import type { Operation, Store } from '../../lib/store/store.ts';
import { postCollections } from '../../registry/core/records/collections.ts';
import { inFolder } from '../support/temporary.ts';

// Compares memory and SQLite, and small and large stores: `node dist/test/bench/stores.js 1000 100000 1000000`
// Prints, per store and size: time to open, records loaded per second, resident memory, time of a page of 10 with its total
// (and its growth since the first size), of one record, of a durable create and update alone, and of a create among 25 concurrent ones.
const LANGUAGES = ['nl', 'en', 'fr'];
const START = Date.UTC(2015, 0, 1);
const GROUP = 1000;

function toPost(number: number): Operation {
  const date = new Date(START + ((number * 7919) % 300_000_000) * 1000).toISOString().slice(0, 19);
  return {
    op: 'create',
    collection: 'posts',
    values: {
      type: 'post',
      language: LANGUAGES[number % 3] ?? 'nl',
      status: number % 10 === 0 ? 'draft' : 'publish',
      slug: `post-${number}`,
      author: (number % 20) + 1,
      group: Math.floor(number / 3) + 1,
      date,
      date_gmt: date,
      modified: date,
      modified_gmt: date,
      title: `Title ${(number * 7919) % 1_000_003}`,
      content: `<p>${'Lorem ipsum dolor sit amet. '.repeat(20)}${number}</p>`,
      categories: [number % 30],
      tags: [number % 500, 1000 + (number % 50_000)],
    },
  };
}

const listed = and(eq('language', 'en'), eq('status', 'publish'), eq('type', 'post'));
const newest: readonly Order[] = [{ field: 'date', direction: 'desc' }];
const page = (where: Predicate, order = newest): Query => ({
  collection: 'posts',
  where,
  order,
  limit: 10,
  total: true,
});

const READS: Readonly<Record<string, Query>> = {
  'page by date': page(listed),
  'page 100': { ...page(listed), offset: 990 },
  'page by title': page(listed, [{ field: 'title', direction: 'asc' }]),
  'own and published': page(
    and(eq('language', 'en'), eq('type', 'post'), {
      op: 'or',
      of: [eq('status', 'publish'), and(eq('status', 'draft'), eq('author', 3))],
    }),
  ),
  'any status': page(
    and(
      eq('language', 'en'),
      eq('type', 'post'),
      oneOf('status', ['publish', 'future', 'draft', 'pending', 'private']),
    ),
  ),
  'one author': page(and(listed, eq('author', 3))),
  'one category': page(and(listed, { op: 'hasAny', field: 'categories', values: [4] })),
  'a rare tag': page(and(listed, { op: 'hasAny', field: 'tags', values: [1234] })),
  'search in titles': page(and(listed, { op: 'contains', field: 'title', text: 'title 12' })),
  'by slug': { collection: 'posts', where: and(listed, oneOf('slug', ['post-76'])), limit: 10, total: true },
  'ten by a key': {
    collection: 'posts',
    where: and(
      eq('type', 'post'),
      eq('language', 'en'),
      oneOf(
        'slug',
        Array.from({ length: 10 }, (_each, index) => `post-${index * 30 + 1}`),
      ),
    ),
    fields: ['slug'],
  },
  translations: {
    collection: 'posts',
    where: and(oneOf('group', [7, 8]), eq('status', 'publish')),
    fields: ['language', 'slug'],
  },
};

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
}

async function time(run: () => Promise<unknown>, repeats: number): Promise<number> {
  const times: number[] = [];
  for (let count = 0; count < repeats; count += 1) {
    const started = performance.now();
    await run();
    times.push(performance.now() - started);
  }
  return median(times);
}

const inMicroseconds = (ms: number): string => `${(ms * 1000).toFixed(0)} us`;

async function load(store: Store, size: number): Promise<number> {
  const started = performance.now();
  for (let from = 0; from < size; from += GROUP)
    await store.commit(
      Array.from({ length: Math.min(GROUP, size - from) }, (_, index) => toPost(from + index)),
    );
  return (size / (performance.now() - started)) * 1000;
}

async function measure(store: Store, baseline: Map<string, number>): Promise<void> {
  for (const [name, query] of Object.entries(READS)) {
    const first = await time(() => store.find(query), 1);
    const later = await time(() => store.find(query), 200);
    const before = baseline.get(name) ?? later;
    baseline.set(name, before);
    console.log(
      `  ${name.padEnd(20)} ${inMicroseconds(later).padStart(10)}   grown ${(later / before).toFixed(2)}   first time ${inMicroseconds(first)}`,
    );
  }
  console.log(
    `  ${'one record'.padEnd(20)} ${inMicroseconds(await time(async () => store.get('posts', 77), 500)).padStart(10)}`,
  );
  let number = 10_000_000;
  const create = (): Promise<unknown> =>
    store.commit([toPost((number += 1)), { op: 'create', collection: 'revisions', values: { parent: 1 } }]);
  console.log(`  ${'create'.padEnd(20)} ${inMicroseconds(await time(create, 100)).padStart(10)}`);
  const update = (): Promise<unknown> =>
    store.commit([
      {
        op: 'update',
        collection: 'posts',
        id: 1 + ((number += 1) % 900),
        values: { title: `Changed ${number}`, modified: '2025-01-01T00:00:00' },
      },
    ]);
  console.log(`  ${'update'.padEnd(20)} ${inMicroseconds(await time(update, 100)).padStart(10)}`);
  const together = await time(() => Promise.all(Array.from({ length: 25 }, create)), 20);
  console.log(`  ${'create, 25 at once'.padEnd(20)} ${inMicroseconds(together / 25).padStart(10)} each`);
}

async function run(
  name: string,
  sizes: readonly number[],
  open: (folder: string) => Promise<Store>,
): Promise<void> {
  const baseline = new Map<string, number>();
  for (const size of sizes) {
    await inFolder(async (folder) => {
      const filled = await open(folder);
      const perSecond = await load(filled, size);
      const isKept = name !== 'memory';
      if (isKept) await filled.close();
      const started = performance.now();
      const store = isKept ? await open(folder) : filled;
      const opened = performance.now() - started;
      console.log(
        `${name}, ${size} posts: loaded ${perSecond.toFixed(0)} a second, opened in ${opened.toFixed(0)} ms, ${(process.memoryUsage().rss / 1e6).toFixed(0)} MB resident`,
      );
      await measure(store, baseline);
      await store.close();
    });
  }
}

const sizes = process.argv.slice(2).map(Number);
const chosen = sizes.length === 0 ? [1000, 20_000] : sizes;
await run('sqlite', chosen, (folder) =>
  createSqliteStore({
    directory: join(folder, 'store'),
    collections: postCollections,
    log: (note) => console.log(note),
  }),
);
await run('memory', chosen, async () => createMemoryStore(postCollections));
