// Types with `public: false`: no answer tells a stranger what is in a published record of them.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../../../adapters/memory-store.ts';
import { collectionsOf, createContentModel, type ContentDefinition } from '../../../../registry/index.ts';
import type { Fixture } from '../../../../registry/transfer/fixture/fixture-rows.ts';
import { createWholeSite, SITE_URL } from '../../../support/whole-site.ts';

const CONTENT: ContentDefinition = {
  core: true,
  types: [{ name: 'memo', base: 'memos', public: false, supports: ['title', 'editor', 'comments'] }],
};
const MEMO = {
  id: 5,
  title: 'Inside',
  slug: 'inside',
  ml_language: 'en',
  author: 1,
  status: 'publish',
  date: '2024-01-01T10:00:00',
  date_gmt: '2024-01-01T10:00:00',
  content: '<p>hushed</p>',
  comment_status: 'open',
};
const COMMENT = {
  author: 0,
  author_name: 'Ada',
  status: 'approved',
  date: '2024-01-02T10:00:00',
  date_gmt: '2024-01-02T10:00:00',
};
const FIXTURE: Fixture & Readonly<Record<string, unknown>> = {
  site: { name: 'Memos', timezone_string: 'UTC' },
  users: [
    { id: 1, login: 'editor', name: 'Editor', slug: 'editor', role: 'editor' },
    { id: 2, login: 'reader', name: 'Reader', slug: 'reader', role: 'subscriber' },
  ],
  memos: [MEMO],
  posts: [
    { ...MEMO, id: 6, title: 'Outside', slug: 'outside' },
    { ...MEMO, id: 7, title: 'Gallery', slug: 'gallery', content: '[gallery ids="8,9"]' },
  ],
  media: [
    {
      id: 8,
      title: 'Inner',
      slug: 'inner',
      file: '2024/inner.png',
      mime_type: 'image/png',
      author: 1,
      parent: 5,
    },
    {
      id: 9,
      title: 'Outer',
      slug: 'outer',
      file: '2024/outer.png',
      mime_type: 'image/png',
      author: 1,
      parent: 6,
    },
  ],
  comments: [
    { ...COMMENT, id: 3, post: 5, content: 'of the memo' },
    { ...COMMENT, id: 4, post: 6, content: 'of the post' },
  ],
};

const inner = suite('types that are not public');

inner('are neither listed nor named to those who may not edit them', async () => {
  const site = await createWholeSite({
    fixture: FIXTURE,
    content: CONTENT,
    store: createMemoryStore(collectionsOf(createContentModel(CONTENT))),
    config: { seo: { redirects: true } },
  });
  const idsOf = async (target: string, as: string | null): Promise<readonly unknown[]> =>
    ((await site.ask({ target, as })).body as readonly { readonly id: unknown }[]).map(({ id }) => id);
  for (const as of [null, 'reader']) {
    assert.equal(await idsOf('/cms/v2/comments', as), [4]);
    assert.equal(await idsOf('/cms/v2/media', as), [9]);
    const address = encodeURIComponent(`${SITE_URL}/en/?p=5`);
    assert.is((await site.ask({ target: `/oembed/1.0/embed?url=${address}`, as })).status, 404);
  }
  assert.equal((await idsOf('/cms/v2/comments', 'editor')).toSorted(), [3, 4]);
  assert.equal((await idsOf('/cms/v2/media', 'editor')).toSorted(), [8, 9]);
  const shown = (await site.ask({ target: '/cms/v2/posts/7', as: null })).body;
  assert.match(JSON.stringify(shown), 'outer.png');
  assert.not.match(JSON.stringify(shown), 'inner.png');
  const moved = { method: 'POST', target: '/cms/v2/memos/5', as: 'editor', body: { slug: 'hidden' } };
  assert.is((await site.ask(moved)).status, 200);
  assert.is(await site.findRedirect('/en/memos/inside/', SITE_URL), null);
  await site.close();
});

inner.run();
