import { parseArgs } from 'node:util';
import { eq, not, oneOf, type Query } from '../../../lib/store/query.ts';
import type { Store } from '../../../lib/store/store.ts';
import { unsearchedPosts } from '../words.ts';
import { fill, publishedWith, toList, toPost } from './posts.ts';
import { type Kind, medianOf, withDatabase } from './stores.ts';

// How much longer do deep pages, slugs and excluded authors take than page 1?
// `node dist/test/bench/scale/deep-pages.js [--posts 100000] [--store sqlite|postgres]` prints milliseconds and ratios.
const TIMES = 15;

async function once(run: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await run();
  return performance.now() - began;
}

async function measure(store: Store, posts: number): Promise<void> {
  const deep = Math.min(10_000, Math.floor((posts * 0.9) / 10) - 200);
  const find = (query: Query): Promise<unknown> => store.find(query);
  const cold = await once(() => find(toList(1)));
  const first = await medianOf(TIMES, () => find(toList(1)));
  const show = (what: string, ms: number): void =>
    console.log(`  ${what.padEnd(44)} ${ms.toFixed(2).padStart(8)} ms  x${(ms / first).toFixed(1)}`);
  show('page 1', first);
  show('page 1, cold', cold);
  show(`page ${deep} by number, the first deep page`, await once(() => find(toList(deep))));
  show(
    `pages around ${deep / 2} by number, never asked`,
    await medianOf(TIMES, (at) => find(toList(Math.floor(deep / 2) + 97 * at))),
  );
  await find(toList(deep));
  show(
    `pages after ${deep}, each after the one before`,
    await medianOf(TIMES, (at) => find(toList(deep + 2 + at))),
  );
  let written = posts;
  const after: number[] = [];
  for (let at = 0; at < TIMES; at += 1) {
    await store.commit([toPost((written += 1))]);
    after.push(await once(() => find(toList(deep + 80 + at))));
  }
  show('pages after that, each after a write', after.toSorted((a, b) => a - b)[7] ?? 0);
  show(
    'by slug',
    await medianOf(TIMES, (at) =>
      find(toList(1, { where: publishedWith(oneOf('slug', [`post-${1001 + 10 * at}`])) })),
    ),
  );
  for (let author = 1; author <= 3; author += 1)
    show(
      'without an author, cold',
      await once(() => find(toList(1, { where: publishedWith(not(oneOf('author', [author]))) }))),
    );
  show('of an author, cold', await once(() => find(toList(1, { where: publishedWith(eq('author', 7)) }))));
}

const {
  values: { posts, store: kind },
} = parseArgs({
  options: { posts: { type: 'string', default: '100000' }, store: { type: 'string', default: 'sqlite' } },
});
await withDatabase(kind as Kind, { fsync: false }, async (open) => {
  const store = await open(unsearchedPosts);
  console.log(
    `${kind}, ${posts} posts: filled in ${((await once(() => fill(store, Number(posts)))) / 1000).toFixed(0)} s`,
  );
  await measure(store, Number(posts));
  await store.close();
});
