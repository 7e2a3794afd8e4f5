import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../adapters/memory-store.ts';
import { ANONYMOUS, createRequest } from '../../lib/index.ts';
import { collections, createSite, loadFixture } from '../../registry/index.ts';

const FRONT = 'https://www.example.org/news';
const API = 'https://api.example.org';

type Shown = Readonly<Record<string, unknown>>;

/** Responses of a site whose pages another program shows. */
async function ask(targets: readonly string[]): Promise<readonly Shown[]> {
  const store = createMemoryStore(collections);
  await loadFixture(store, {
    site: { name: 'Harbour' },
    users: [{ id: 1, login: 'ada', name: 'Ada', slug: 'ada', role: 'editor' }],
    posts: [
      {
        id: 5,
        author: 1,
        status: 'publish',
        slug: 'tide',
        title: 'Tide',
        content: 'Low.',
        date: '2024-01-01T00:00:00',
        date_gmt: '2024-01-01T00:00:00',
        ml_language: 'en',
      },
    ],
  });
  const site = await createSite({ store, frontEnd: FRONT, log: () => undefined });
  const shown: Shown[] = [];
  for (const target of targets)
    shown.push(
      (await site.engine.dispatch(createRequest(target, { siteUrl: API }), ANONYMOUS)).body as Shown,
    );
  await site.close();
  await store.close();
  return shown;
}

const frontEnd = suite('frontEnd');

frontEnd('is the address of pages, but not of the API', async () => {
  const page = `${FRONT}/en/tide/`;
  const [index, post, embed, head] = await ask([
    '/',
    '/cms/v2/posts/5',
    `/oembed/1.0/embed?url=${encodeURIComponent(page)}`,
    `/seo/v1/get_head?url=${encodeURIComponent(page)}`,
  ]);
  assert.equal([index?.['url'], index?.['home']], [API, `${FRONT}/en`]);
  assert.is(post?.['link'], page);
  assert.match(JSON.stringify(post?.['_links']), `"self":[{"href":"${API}/en/cms-json/cms/v2/posts/5"`);
  assert.equal([embed?.['provider_url'], embed?.['title']], [`${FRONT}/en`, 'Tide']);
  assert.match(String(embed?.['html']), page);
  assert.match(String(head?.['html']), `<link rel="canonical" href="${page}" />`);
});

frontEnd('makes an address of the API one that the site does not have', async () => {
  const [embed] = await ask([`/oembed/1.0/embed?url=${encodeURIComponent(`${API}/en/tide/`)}`]);
  assert.is(embed?.['code'], 'oembed_invalid_url');
});

frontEnd.run();
