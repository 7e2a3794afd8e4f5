import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPostgresStore } from '../../../adapters/postgres-store.ts';
import { createSqliteStore } from '../../../adapters/sqlite-store.ts';
import type { Operation, Store } from '../../../lib/store/store.ts';
import { collectionsOf, createContentModel } from '../../../registry/index.ts';
import { WRITE_FORMATS } from '../../../registry/transfer/index.ts';
import { coreContent } from '../../conformance/core-run.ts';
import { findPostgres } from '../../support/postgres.ts';
import { measure, toText } from './measure.ts';

// Measures the memory of an export above that of an export of an empty store, on both stores with files, in each format:
// `npm run build && node dist/test/bench/transfer/export-memory.js [POSTS]`. Each post has 1,500 characters, three comments and a revision.
const MIB = 1024 * 1024;
const AT_ONCE = 200;
const TERMS = 20_000;
const DATE = '2024-01-05T10:00:00';
const collections = collectionsOf(createContentModel(coreContent));

function toPost(id: number): readonly Operation[] {
  const text = toText(id, 1500);
  const dates = { date: DATE, date_gmt: DATE };
  return [
    {
      op: 'create',
      collection: 'posts',
      values: {
        id,
        type: id % 3 === 0 ? 'page' : 'post',
        status: 'publish',
        language: 'en',
        slug: `post-${id}`,
        title: `Post ${id}`,
        content: text,
        categories: [1 + (id % TERMS)],
        ...dates,
      },
    },
    {
      op: 'create',
      collection: 'revisions',
      values: { parent: id, title: `Post ${id}`, content: text, ...dates },
    },
    ...[1, 2, 3].map((each): Operation => ({
      op: 'create',
      collection: 'comments',
      values: {
        post: id,
        post_type: id % 3 === 0 ? 'page' : 'post',
        status: 'approved',
        author_name: 'Vera',
        content: toText(id + each, 300),
        ...dates,
      },
    })),
  ];
}

const toTerm = (id: number): readonly Operation[] => [
  {
    op: 'create',
    collection: 'terms',
    values: {
      id,
      taxonomy: 'category',
      language: 'en',
      slug: `category-${id}`,
      name: `Category ${id}`,
      description: toText(id, 500),
    },
  },
];

async function fill(store: Store, posts: number): Promise<void> {
  for (const [count, make] of [
    [TERMS, toTerm],
    [posts, toPost],
  ] as const) {
    for (let id = 1; id <= count; id += AT_ONCE) {
      const length = Math.min(AT_ONCE, count - id + 1);
      await store.commit(Array.from({ length }, (_, index) => make(id + index)).flat(), 'later');
    }
  }
  await store.flush();
  await store.close();
}

async function compare(
  name: string,
  [store, empty]: readonly [string, string],
  folder: string,
): Promise<void> {
  const run = async (from: string, format: string) => {
    const measured = await measure([
      'export',
      '--content',
      'core',
      '--store',
      from,
      '--output',
      join(folder, 'out'),
      '--format',
      format,
    ]);
    const { size } = await stat(join(folder, 'out'));
    await rm(join(folder, 'out'));
    return { ...measured, size };
  };
  const idle = await run(empty, 'ndjson');
  for (const format of WRITE_FORMATS.keys()) {
    const { peak, seconds, size } = await run(store, format);
    console.log(
      `${name}, ${format}: ${peak - idle.peak} MiB above ${idle.peak}, ${Math.round(size / MIB)} MiB in ${seconds.toFixed(0)} s`,
    );
  }
}

const [posts = 100_000] = process.argv.slice(2).map(Number);
const folder = await mkdtemp(join(tmpdir(), 'routebook-export-'));
const postgres = await findPostgres({ fsync: true });
try {
  await fill(
    await createSqliteStore({
      directory: join(folder, 'site'),
      collections,
      durability: 'relaxed',
      log: () => undefined,
    }),
    posts,
  );
  await (
    await createSqliteStore({ directory: join(folder, 'empty'), collections, log: () => undefined })
  ).close();
  await compare('SQLite', [`file:${join(folder, 'site')}`, `file:${join(folder, 'empty')}`], folder);
  if (postgres !== null) {
    await fill(await createPostgresStore({ url: postgres.url, collections }), posts);
    const empty = `${postgres.url}&schema=empty`;
    await (await createPostgresStore({ url: empty, collections })).close();
    await compare('PostgreSQL', [postgres.url, empty], folder);
  }
} finally {
  await postgres?.control?.remove();
  await rm(folder, { recursive: true, force: true });
}
