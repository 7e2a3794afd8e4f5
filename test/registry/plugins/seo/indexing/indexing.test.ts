import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { eq } from '../../../../../lib/store/query.ts';
import type { Store } from '../../../../../lib/store/store.ts';
import { LONGEST_TURN_MS, measureTurns, watchTurns } from '../../../../support/turns.ts';
import { createSeoSite, type SeoSite, SITE_URL } from '../seo-site.ts';

interface Batch {
  readonly objects: readonly Readonly<Record<string, unknown>>[];
  readonly next_url: string | false;
  readonly progress: { readonly done: number; readonly total: number };
}

const API = `${SITE_URL}/en/cms-json`;
const PHASES = ['indexing/terms', 'indexing/posts', 'indexing/post-type-archives', 'indexing/general'];
const LINK_PHASES = ['link-indexing/posts', 'link-indexing/terms'];

async function step(site: SeoSite, route: string, role?: string): Promise<Batch> {
  const { status, body } = await site.call(`POST /seo/v1/${route}`, undefined, role);
  assert.is(status, 200);
  return body as unknown as Batch;
}

/** Follows `next_url` to the end, as clients do. */
async function follow(site: SeoSite, route: string): Promise<Batch[]> {
  const batches: Batch[] = [];
  for (
    let next: string | false = `${API}/seo/v1/${route}`;
    next !== false;
    next = batches.at(-1)?.next_url ?? false
  ) {
    assert.is(next, `${API}/seo/v1/${route}`);
    assert.ok(batches.length < 1000, 'next_url must come to an end');
    batches.push(await step(site, route));
  }
  return batches;
}

async function runAll(site: SeoSite): Promise<Batch> {
  await step(site, 'indexing/prepare');
  for (const route of PHASES) await follow(site, route);
  await step(site, 'indexing/indexables-complete');
  for (const route of LINK_PHASES) await follow(site, route);
  return step(site, 'indexing/complete');
}

async function findByKey(store: Store, key: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  return (await store.find({ collection: 'seo_indexables', where: eq('key', key) })).records[0];
}

const createPosts = (site: SeoSite, count: number, content = '<p>Text.</p>'): Promise<unknown> =>
  site.store.commit(
    Array.from(
      { length: count },
      (_each, index) =>
        ({
          op: 'create',
          collection: 'posts',
          values: {
            type: 'post',
            language: 'en',
            status: 'publish',
            slug: `more-${count}-${index}`,
            title: `More ${index}`,
            content,
          },
        }) as const,
    ),
  );

const run = suite('indexing');

run('goes through all phases and counts the objects', async () => {
  const site = await createSeoSite();
  const prepared = await step(site, 'indexing/prepare');
  // 3 terms and 9 posts, each twice; 3 archives; 4 pages in 3 languages.
  assert.equal(prepared, {
    objects: [],
    next_url: false,
    progress: { done: 0, total: 2 * 3 + 2 * 9 + 3 + 12 },
  });
  const terms = await step(site, 'indexing/terms');
  assert.equal([terms.objects.length, terms.next_url, terms.progress.done], [3, false, 3]);
  const done = await runAll(site);
  assert.is(done.progress.done, done.progress.total);
  const { body } = await site.call('GET /seo/v1/statistics');
  assert.equal(body['indexing'], {
    running: false,
    failed: false,
    started_at: '2025-01-15T12:00:00+00:00',
    finished_at: '2025-01-15T12:00:00+00:00',
    done: 39,
    total: 39,
    up_to_date: true,
  });
});
run('batches hold 25 objects and report exactly whether more are left', async () => {
  const site = await createSeoSite();
  await createPosts(site, 41);
  await step(site, 'indexing/prepare');
  const batches = await follow(site, 'indexing/posts');
  assert.equal(
    batches.map(({ objects }) => objects.length),
    [25, 25],
  );
  assert.equal(
    batches.map(({ progress }) => progress.done),
    [25, 50],
  );
});
run('a second run has nothing to do', async () => {
  const site = await createSeoSite();
  await runAll(site);
  const before = await site.store.revision(['seo_indexables', 'seo_links']);
  await step(site, 'indexing/prepare');
  for (const route of [...PHASES, ...LINK_PHASES])
    assert.equal(
      (await follow(site, route)).map(({ objects }) => objects.length),
      [0],
    );
  assert.is(await site.store.revision(['seo_indexables', 'seo_links']), before);
});
run('indexes an object again after its text or meta changed', async () => {
  const site = await createSeoSite();
  await runAll(site);
  await site.store.commit([
    { op: 'update', collection: 'posts', id: 102, values: { title: 'Beta, anew' } },
    {
      op: 'create',
      collection: 'seo_meta',
      values: { object_type: 'post', object_id: 103, focus_phrase: 'mots', cornerstone: true },
    },
  ]);
  const [batch] = await follow(site, 'indexing/posts');
  assert.equal(
    batch?.objects.map(({ object_id, title, is_cornerstone }) => [object_id, title, is_cornerstone]),
    [
      [102, 'Beta, anew', false],
      [103, 'Alpha en français', true],
    ],
  );
  assert.equal(
    (await step(site, 'link-indexing/posts')).objects.map(({ object_id }) => object_id),
    [102],
  );
});
run('works without prepare, and continues after a restart', async () => {
  const site = await createSeoSite();
  await createPosts(site, 60);
  const first = await step(site, 'indexing/posts');
  assert.equal([first.objects.length, first.progress.done], [25, 25]);
  const again = await createSeoSite({ ports: { store: site.store } });
  assert.equal((await step(again, 'indexing/posts')).progress.done, 50);
});
run('excluded posts are not indexed, and leave the index when they become excluded', async () => {
  const site = await createSeoSite();
  await runAll(site);
  assert.is(await findByKey(site.store, 'post:114'), undefined);
  assert.is(await findByKey(site.store, 'post:115'), undefined);
  const beta = await findByKey(site.store, 'post:102');
  assert.is(beta?.['incoming_link_count'], 2);
  await site.store.commit([
    { op: 'update', collection: 'posts', id: 101, values: { status: 'trash' } },
    { op: 'remove', collection: 'posts', id: 103 },
  ]);
  await step(site, 'indexing/indexables-complete');
  assert.equal(
    [await findByKey(site.store, 'post:101'), await findByKey(site.store, 'post:103')],
    [undefined, undefined],
  );
  assert.is((await findByKey(site.store, 'post:102'))?.['incoming_link_count'], 1);
});
run('stores everything that a response shows', async () => {
  const site = await createSeoSite();
  const { objects } = await step(site, 'indexing/posts');
  const alpha = objects.find(({ object_id }) => object_id === 101);
  assert.equal(
    [
      alpha?.['permalink'],
      alpha?.['description'],
      alpha?.['author_id'],
      alpha?.['is_public'],
      alpha?.['object_published_at'],
      alpha?.['language'],
    ],
    [`${SITE_URL}/en/alpha/`, 'A hand-written excerpt.', 2, true, '2024-01-05T09:00:00+00:00', 'en'],
  );
  assert.is(objects.find(({ object_id }) => object_id === 110)?.['permalink'], `${SITE_URL}/en/?p=110`);
});
run('stores names that are markup as plain text', async () => {
  const site = await createSeoSite();
  await runAll(site);
  const namesOf = async (key: string) => {
    const { facts } = (await findByKey(site.store, key)) ?? {};
    return ['title', 'breadcrumb_title'].map((name) => (facts as Readonly<Record<string, unknown>>)[name]);
  };
  assert.equal(await namesOf('term:12'), ['rouge & noir', 'rouge & noir']);
  assert.equal(await namesOf('home-page:en'), ['Test & Site', '']);
});
run('names the archives anew after the name of the site changed', async () => {
  const site = await createSeoSite();
  await runAll(site);
  const {
    records: [name],
  } = await site.store.find({ collection: 'options', where: eq('key', 'name') });
  await site.store.commit([
    { op: 'update', collection: 'options', id: name?.id ?? 0, values: { value: 'Another' } },
  ]);
  const titles = [
    ...(await follow(site, 'indexing/post-type-archives')),
    ...(await follow(site, 'indexing/general')),
  ].flatMap(({ objects }) => objects.map(({ title }) => title));
  assert.equal(
    titles.filter((title) => String(title).startsWith('Another')),
    [
      'Another Archives',
      'Another Archieven',
      'Another',
      'Another Archives',
      'Another',
      'Another',
      'Another Archieven',
    ],
  );
});
run('shows a contributor only public objects', async () => {
  const site = await createSeoSite();
  const { objects } = await step(site, 'indexing/posts', 'contributor');
  assert.equal(objects.length, 9);
  assert.not.match(JSON.stringify(objects), 'canary');
  assert.equal(
    objects.find(({ object_id }) => object_id === 112),
    {
      id: objects.find(({ object_id }) => object_id === 112)?.['id'],
      object_type: 'post',
      object_sub_type: 'post',
      object_id: 112,
      language: 'en',
    },
  );
});
run('stores no text of a protected post', async () => {
  const site = await createSeoSite();
  await runAll(site);
  assert.not.match(JSON.stringify(await findByKey(site.store, 'post:105')), 'canary-');
});
run(
  'an object that cannot be indexed is skipped, reported and logged, and does not stop the run',
  async () => {
    const plain = await createSeoSite();
    const broken: Store = {
      ...plain.store,
      commit: (operations) => {
        if (
          operations.some((operation) => operation.op === 'create' && operation.values['key'] === 'post:102')
        )
          throw new Error('secret reason');
        return plain.store.commit(operations);
      },
    };
    const site = await createSeoSite({
      ports: {
        store: {
          ...broken,
          find: (query) => plain.store.find(query),
          get: (collection, id) => plain.store.get(collection, id),
          revision: (names) => plain.store.revision(names),
        },
      },
    });
    await site.call('POST /seo/v1/indexing/prepare');
    const { status, body, text } = await site.call('POST /seo/v1/indexing/posts');
    assert.equal(
      [status, body['failures'], body['next_url']],
      [200, [{ object_id: 102, object_type: 'post' }], false],
    );
    assert.equal((await findByKey(plain.store, 'post:103'))?.['object_id'], 103);
    assert.not.match(text, 'secret reason');
    await site.call('POST /seo/v1/indexing/terms');
    const isFailed = async (): Promise<boolean> =>
      ((await site.call('GET /seo/v1/statistics')).body['indexing'] as { failed: boolean }).failed;
    assert.is(await isFailed(), true);
    assert.ok(
      site.logged.some(
        ({ message, error }) =>
          message === 'post 102 could not be indexed; indexing goes on with the next one' &&
          error instanceof Error &&
          error.message === 'secret reason',
      ),
    );
    await site.call('POST /seo/v1/indexing/prepare');
    assert.is(await isFailed(), false);
  },
);
run('two concurrent clients reach the same result', async () => {
  const site = await createSeoSite();
  await createPosts(site, 60);
  await Promise.all([runAll(site), runAll(site)]);
  const { records } = await site.store.find({ collection: 'seo_indexables', fields: ['key'] });
  assert.is(new Set(records.map(({ key }) => key)).size, records.length);
  assert.is(
    (await site.store.find({ collection: 'seo_indexables', where: eq('object_type', 'post'), total: true }))
      .total,
    69,
  );
});
run('does not block the event loop', async () => {
  const longest = await measureTurns(async () => {
    const site = await createSeoSite();
    await createPosts(site, 200, `<p>${'Some words with <a href="/en/beta/">a link</a>. '.repeat(100)}</p>`);
    await createPosts(site, 1, '<p>Words <a href="/en/beta/">here</a>. </p>'.repeat(20_000));
    const watch = watchTurns();
    await runAll(site);
    return watch.stop();
  });
  assert.ok(longest < LONGEST_TURN_MS, `${longest} ms`);
});
run.run();

const links = suite('link indexing');
links('stores links and images, and finds their targets', async () => {
  const site = await createSeoSite();
  await runAll(site);
  const alpha = await findByKey(site.store, 'post:101');
  const beta = await findByKey(site.store, 'post:102');
  const { records } = await site.store.find({
    collection: 'seo_links',
    where: eq('indexable', Number(alpha?.['id'])),
  });
  assert.equal(records.map(({ url, type, target }) => [url, type, target]).sort(), [
    ['http://site.test/en/beta/', 'internal', Number(beta?.['id'])],
    ['http://site.test/en/later/', 'internal', 0],
    ['http://site.test/uploads/a.png', 'image-internal', 0],
    ['https://other.example/x', 'external', 0],
  ]);
  assert.equal([alpha?.['link_count'], beta?.['incoming_link_count']], [2, 2]);
});
links('links to a missing page get their target when the page is created', async () => {
  const site = await createSeoSite();
  await runAll(site);
  await site.store.commit([
    {
      op: 'create',
      collection: 'posts',
      values: { type: 'post', language: 'en', status: 'publish', slug: 'later', title: 'Later' },
    },
  ]);
  const { objects } = await step(site, 'indexing/posts');
  assert.equal(
    objects.map(({ permalink, incoming_link_count }) => [permalink, incoming_link_count]),
    [[`${SITE_URL}/en/later/`, 1]],
  );
});
links('a removed link is no longer counted', async () => {
  const site = await createSeoSite();
  await runAll(site);
  await site.store.commit([
    { op: 'update', collection: 'posts', id: 101, values: { content: '<a href="/en/?p=103">by id</a>' } },
  ]);
  await step(site, 'link-indexing/posts');
  assert.is((await findByKey(site.store, 'post:102'))?.['incoming_link_count'], 1);
  assert.is((await findByKey(site.store, 'post:103'))?.['incoming_link_count'], 1);
});
links('links in terms are counted', async () => {
  const site = await createSeoSite();
  await runAll(site);
  assert.is((await findByKey(site.store, 'term:2'))?.['link_count'], 1);
});
links('processes five objects per step', async () => {
  const site = await createSeoSite();
  const batches = await follow(site, 'link-indexing/posts');
  assert.equal(
    batches.map(({ objects }) => objects.length),
    [5, 4],
  );
});
links.run();
