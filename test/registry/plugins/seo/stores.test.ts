import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../../../adapters/memory-store.ts';
import { createSqliteStore } from '../../../../adapters/sqlite-store.ts';
import type { Store } from '../../../../lib/store/store.ts';
import { collections } from '../../../../registry/index.ts';
import { createSeoSite, seedStore, SITE_URL } from './seo-site.ts';

const WRITES: readonly (readonly [target: string, body?: unknown])[] = [
  [
    'POST /seo/v1/configuration/site_representation',
    { company_or_person: 'person', company_or_person_user_id: 3 },
  ],
  [
    'POST /seo/v1/configuration/social_profiles',
    { network_b_site: 'me', other_social_urls: ['https://c.example/'] },
  ],
  ['POST /seo/v1/alerts/dismiss', { key: 'webinar-promo' }],
  ...[
    'indexing/prepare',
    'indexing/terms',
    'indexing/posts',
    'indexing/post-type-archives',
    'indexing/general',
    'indexing/indexables-complete',
    'link-indexing/posts',
    'link-indexing/posts',
    'link-indexing/terms',
    'indexing/complete',
  ].map((route) => [`POST /seo/v1/${route}`] as const),
  ['POST /seo/v1/workouts', { orphaned: { finishedSteps: ['improveRemove'] } }],
];

const READS: readonly string[] = [
  'GET /seo/v1/statistics',
  'GET /seo/v1/workouts',
  'GET /seo/v1/videohost_embed_permission',
  'GET /seo/v1/meta/search?post_id=101',
  ...['/', '/alpha/', '/secret/', '/category/news/', '/author/editor-slug/', '/2024/', '/none/'].map(
    (path) => `GET /seo/v1/get_head?url=${SITE_URL}/en${path}`,
  ),
];

async function callAll(
  store: Store,
  calls: readonly (readonly [target: string, body?: unknown])[],
): Promise<readonly unknown[]> {
  const site = await createSeoSite({ ports: { store } });
  const answers: unknown[] = [];
  for (const [target, body] of calls) answers.push((await site.call(target, body)).body);
  return answers;
}

const readAll = (store: Store): Promise<readonly unknown[]> =>
  callAll(
    store,
    READS.map((target) => [target] as const),
  );

const stores = suite('seo/v1 on every store');

stores(
  'SQLite and the memory store give the same responses, also after SQLite was closed and reopened',
  async () => {
    const directory = await mkdtemp(join(tmpdir(), 'seo-'));
    const open = () => createSqliteStore({ directory, collections, durability: 'relaxed' });
    try {
      const memory = await seedStore(createMemoryStore(collections));
      const first = await open();
      await seedStore(first);
      assert.equal(await callAll(first, WRITES), await callAll(memory, WRITES));
      const answers = await readAll(memory);
      assert.equal(await readAll(first), answers);
      await first.close();
      const second = await open();
      assert.equal(await readAll(second), answers);
      await second.close();
    } finally {
      await rm(directory, { recursive: true });
    }
  },
);

stores.run();
