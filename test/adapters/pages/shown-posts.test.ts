import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../../adapters/memory-store.ts';
import { findPosts, toByline } from '../../../adapters/pages/shown-posts.ts';
import { collections, createSite, loadFixture } from '../../../registry/index.ts';

const shown = suite('findPosts');

shown('leaves the excerpts out of a list that they make too large', async () => {
  const store = createMemoryStore(collections);
  const posts = ['one', 'two', 'three'].map((slug) => ({
    slug,
    title: slug,
    status: 'publish',
    excerpt: 'x'.repeat(9000),
    date: '2024-07-09T10:20:30',
  }));
  await loadFixture(store, { site: {}, posts } as never, { languages: ['en'] });
  for (const [answerLimit, excerpts] of [
    [100_000, 3],
    [20_000, 0],
  ] as const) {
    const site = await createSite({
      store,
      languages: ['en'],
      prefixes: ['en'],
      answerLimit,
      log: () => undefined,
    } as never);
    const found = await findPosts(site.engine, 'en', { query: 'per_page=10' });
    assert.equal(
      [
        found.posts.map(({ title }) => title.rendered).toSorted(),
        found.posts.filter(({ excerpt }) => excerpt !== undefined).length,
        found.pages,
      ],
      [['one', 'three', 'two'], excerpts, 1],
    );
  }
  await store.close();
});

shown('keeps what an author wrote of himself out of the markup', () => {
  const author = { name: '<b>Jo</b>', link: '/en/author/jo/"><script>' };
  const post = {
    link: '',
    title: { rendered: '' },
    date: '2024-07-09T10:20:30',
    _embedded: { author: [author] },
  };
  assert.match(
    toByline(post, 'en'),
    '<a href="/en/author/jo/&quot;&gt;&lt;script&gt;" rel="author">&lt;b&gt;Jo&lt;/b&gt;</a>',
  );
});

shown.run();
