import { existsSync, readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../adapters/memory-store.ts';
import { createRequest } from '../../lib/http/create-request.ts';
import { createSite, type Site } from '../../registry/index.ts';
import { collections } from '../../registry/index.ts';
import { loadFixture, type Fixture } from '../../registry/transfer/fixture/fixture.ts';

const DEMO = JSON.parse(
  readFileSync(new URL('../../../examples/demo-site.json', import.meta.url), 'utf8'),
) as Fixture;

async function openDemo(): Promise<Site> {
  const store = createMemoryStore(collections);
  await loadFixture(store, DEMO);
  return createSite({ store, log: () => undefined });
}

const contentOf = (post: Record<string, unknown> | undefined): string =>
  String((post?.['content'] as { rendered: string } | undefined)?.rendered);

async function list(site: Site, language: string, query = ''): Promise<readonly Record<string, unknown>[]> {
  const { status, body } = await site.engine.dispatch(
    createRequest(`/cms/v2/posts?per_page=100&${query}`, { language }),
  );
  assert.is(status, 200);
  return body as readonly Record<string, unknown>[];
}

const demo = suite('demo site');

demo('shows posts in both languages, and no draft, private or scheduled one', async () => {
  const site = await openDemo();
  assert.is((await list(site, 'en')).length, 15);
  assert.is((await list(site, 'fr')).length, 10);
  await site.close();
});

demo('joins each French post to its English one', async () => {
  const site = await openDemo();
  for (const post of await list(site, 'fr')) {
    const translations = post['ml_translations'] as Record<string, number>;
    assert.is(translations['fr'], post['id']);
    assert.type(translations['en'], 'number');
  }
  await site.close();
});

demo('names only terms, media and authors that there are, of the language of the post', () => {
  const known = (rows: Fixture['tags'], language: unknown): readonly unknown[] =>
    (rows ?? []).filter((row) => row['ml_language'] === language).map((row) => row['id']);
  const ids = (rows: Fixture['tags']): readonly unknown[] => (rows ?? []).map((row) => row['id']);
  for (const post of DEMO.posts ?? []) {
    for (const id of post['categories'] as readonly number[])
      assert.ok(
        known(DEMO.categories, post['ml_language']).includes(id),
        `category ${id} of post ${String(post['id'])}`,
      );
    for (const id of post['tags'] as readonly number[])
      assert.ok(
        known(DEMO.tags, post['ml_language']).includes(id),
        `tag ${id} of post ${String(post['id'])}`,
      );
    assert.ok(ids(DEMO.users).includes(post['author']));
    assert.ok(post['featured_media'] === 0 || ids(DEMO.media).includes(post['featured_media']));
  }
});

demo('names only pictures that lie in its uploads', () => {
  const there = (file: string): boolean =>
    existsSync(new URL(`../../../examples/demo-uploads/${file}`, import.meta.url));
  for (const media of DEMO.media ?? []) assert.ok(there(String(media['file'])), String(media['file']));
  for (const [, file = ''] of JSON.stringify(DEMO.posts).matchAll(/\/uploads\/([^"\\]+)/g))
    assert.ok(there(file), file);
});

demo('links only to posts that there are', async () => {
  const site = await openDemo();
  for (const language of ['en', 'fr']) {
    const posts = await list(site, language);
    const paths = new Set(posts.map((post) => new URL(String(post['link'])).pathname));
    const linked = posts.flatMap((post) =>
      [...contentOf(post).matchAll(/href="(\/(?:en|fr)\/[^"]*)"/g)].map((match) => match[1]),
    );
    assert.ok(linked.length > 0);
    for (const path of linked) assert.ok(paths.has(path ?? ''), `${String(path)} is linked`);
  }
  await site.close();
});

demo('keeps the protected post to those who know its password', async () => {
  const site = await openDemo();
  const [hidden] = await list(site, 'en', 'slug=rota-of-the-lantern-night');
  assert.is(contentOf(hidden), '');
  const [shown] = await list(site, 'en', 'slug=rota-of-the-lantern-night&password=lantern');
  assert.match(contentOf(shown), /North quay/);
  await site.close();
});

demo.run();
