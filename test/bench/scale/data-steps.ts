import { parseArgs } from 'node:util';
import type { CollectionDescriptor } from '../../../lib/store/collection.ts';
import { unsearchedPosts } from '../words.ts';
import { fill, toList } from './posts.ts';
import { type Kind, withDatabase } from './stores.ts';

// How long does adding a folded text, a list and an index to existing posts take, and do programs of the old version read meanwhile?
// `node dist/test/bench/scale/data-steps.js [--posts 100000]`; wanted: no read fails, and PostgreSQL takes at most twice as long as SQLite.
const [posts, ...others] = unsearchedPosts as readonly [CollectionDescriptor, ...CollectionDescriptor[]];
const { categories: _categories, ...withoutList } = posts.fields;
const older: readonly CollectionDescriptor[] = [
  {
    ...posts,
    fields: { ...withoutList, title: { type: 'text' }, categories: { type: 'json' } },
    indexes: (posts.indexes ?? []).filter(
      (fields) => !fields.includes('title') && !fields.includes('categories'),
    ),
  },
  ...others,
];
/** A list under another name, because a field cannot change its type. */
const newer: readonly CollectionDescriptor[] = [
  {
    ...posts,
    fields: { ...posts.fields, categories: { type: 'json' }, sections: { type: 'integers' } },
    indexes: (posts.indexes ?? []).filter((fields) => !fields.includes('categories')),
  },
  ...others,
];

const {
  values: { posts: size },
} = parseArgs({ options: { posts: { type: 'string', default: '100000' } } });
const seconds = new Map<Kind, number>();
for (const kind of ['sqlite', 'postgres'] as const) {
  await withDatabase(kind, { fsync: true }, async (open) => {
    const old = await open(older);
    await fill(old, Number(size));
    if (kind === 'sqlite') await old.close();
    const state = { isDone: false, reads: 0, failed: 0, slowest: 0 };
    const reading =
      kind === 'sqlite'
        ? Promise.resolve()
        : (async () => {
            while (!state.isDone) {
              const began = performance.now();
              await old.find({ ...toList(1), total: false }).then(
                () => {
                  state.reads += 1;
                },
                () => {
                  state.failed += 1;
                },
              );
              state.slowest = Math.max(state.slowest, performance.now() - began);
              await new Promise((resolve) => {
                setTimeout(resolve, 5);
              });
            }
          })();
    const began = performance.now();
    const store = await open(newer);
    seconds.set(kind, (performance.now() - began) / 1000);
    state.isDone = true;
    await reading;
    console.log(
      `${kind}: ${seconds.get(kind)?.toFixed(1)} s${kind === 'sqlite' ? '' : `; the old program made ${state.reads} reads meanwhile, ${state.failed} failed, the slowest took ${state.slowest.toFixed(0)} ms`}`,
    );
    await store.close();
    await old.close();
  });
}
console.log(
  `PostgreSQL takes x${((seconds.get('postgres') ?? 0) / (seconds.get('sqlite') ?? 1)).toFixed(1)} of SQLite`,
);
