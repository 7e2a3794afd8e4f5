import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Operation, Store } from '../../../lib/store/store.ts';
import type { Fixture } from '../../../registry/index.ts';
import { STORES } from '../../support/store-factories.ts';
import { createWholeSite, type WholeSite } from '../../support/whole-site.ts';

// Posts that are too large to be shown all at once, on every store: what a list shows of them, and what it does not read.
const LARGE = 12;
const SMALL = 3;
const LETTERS = 150_000;
const ANSWER_LIMIT = 500_000;
const content = (id: number): string =>
  `<p>${`${String.fromCharCode(97 + (id % 26))} `.repeat(LETTERS / 2).trimEnd()}</p>`;

const post = (id: number, text: string): Readonly<Record<string, string | number>> => ({
  id,
  author: 1,
  status: 'publish',
  title: `Post ${id}`,
  slug: `post-${id}`,
  date: `2024-01-01T00:00:${10 + id}`,
  date_gmt: `2024-01-01T00:00:${10 + id}`,
  content: text,
});

/** The small posts are the oldest. */
const FIXTURE: Fixture = {
  site: { name: 'Large', timezone_string: 'UTC', default_category: 1 },
  users: [{ id: 1, login: 'admin', name: 'Admin', slug: 'admin', role: 'administrator' }],
  categories: [{ id: 1, name: 'Apples', slug: 'apples' }],
  posts: [
    ...Array.from({ length: SMALL }, (_each, index) => post(index + 1, 'few words')),
    ...Array.from({ length: LARGE }, (_each, index) => post(SMALL + index + 1, content(index))),
  ],
  revisions: [1, 2, 3, 4].map((id) => ({
    id,
    parent: 1,
    author: 1,
    date: `2024-01-0${id}T00:00:00`,
    date_gmt: `2024-01-0${id}T00:00:00`,
    modified: '',
    modified_gmt: '',
    slug: '1-revision-v1',
    title: 'Then',
    content: content(id),
    excerpt: '',
  })),
};

/** A store that lets a test act after each page of posts, and that counts reads of single records. */
function watch(store: Store) {
  const state = { single: 0, afterPage: async (): Promise<void> => undefined };
  const watched: Store = {
    ...store,
    find: async (query) => {
      const found = await store.find(query);
      if (query.longTexts === 'omit') await state.afterPage();
      else if (query.collection === 'posts' && JSON.stringify(query.where).includes('"field":"id"'))
        state.single += 1;
      return found;
    },
    get: (collection, id) => {
      if (collection === 'revisions') state.single += 1;
      return store.get(collection, id);
    },
  };
  return { state, watched };
}

type Watched = ReturnType<typeof watch>['state'];

interface Opened {
  readonly site: WholeSite;
  readonly state: Watched;
  readonly store: Store;
}

for (const [name, open] of Object.entries(STORES)) {
  const lists = suite(`large posts (${name})`);

  const onSite = (test: (opened: Opened) => Promise<void>) => async (): Promise<void> => {
    const { store, remove } = await open();
    const { state, watched } = watch(store);
    const site = await createWholeSite({ fixture: FIXTURE, store: watched, answerLimit: ANSWER_LIMIT });
    try {
      await test({ site, state, store });
    } finally {
      await site.close();
      await remove();
    }
  };
  const list = async (
    { site }: Opened,
    query: string,
    as: string | null = null,
  ): Promise<readonly Readonly<Record<string, unknown>>[]> => {
    const { status, body } = await site.ask({ target: `/cms/v2/posts${query}`, as });
    assert.is(status, 200, JSON.stringify(body));
    return body as readonly Readonly<Record<string, unknown>>[];
  };

  lists(
    'are cut without reading more of them than an answer can hold, and once while nothing changes',
    onSite(async ({ site, state, store }) => {
      const askMany = async (as: string | null, query = ''): Promise<void> => {
        const { status, headers, body } = await site.ask({
          target: `/cms/v2/posts?per_page=100${query}`,
          as,
        });
        const count = (body as readonly unknown[]).length;
        assert.equal([status, headers['X-CMS-Truncated']], [200, String(count)]);
        assert.match(
          String(headers['Link']),
          new RegExp(`page=2&per_page=${count}[^>]*>; rel="next"|per_page=${count}&[^>]*page=2>; rel="next"`),
        );
      };
      for (const as of [null, null, null]) await askMany(as);
      const read = state.single;
      assert.ok(read <= 4, String(read));
      await store.commit([{ op: 'update', collection: 'posts', id: 1, values: { title: 'Another' } }]);
      for (const as of ['admin', 'admin']) await askMany(as, '&context=edit');
      // Responses to identified callers are not cached. The edit context shows texts twice, raw and rendered, and reaches the limit sooner.
      assert.ok(state.single - read <= 4, String(state.single - read));
      await askMany(null);
    }),
  );

  lists(
    'are shown whole, as they are alone',
    onSite(async (opened) => {
      for (const [query, as] of [
        ['?per_page=3', null],
        ['?per_page=1&context=edit', 'admin'],
        ['?per_page=2&search=post&page=2', null],
        ['?per_page=3&orderby=title&order=asc', null],
        ['?offset=10', null],
      ] as const) {
        const shown = await list(opened, query, as);
        assert.ok(shown.length > 0);
        for (const each of shown) {
          const { body } = await opened.site.ask({
            target: `/cms/v2/posts/${String(each['id'])}${query.includes('edit') ? '?context=edit' : ''}`,
            as,
          });
          assert.equal(each, body);
        }
      }
    }),
  );

  lists(
    'can be listed all when little of each is asked for',
    onSite(async (opened) => {
      const shown = await list(opened, '?per_page=100&_fields=id,title');
      assert.equal(
        shown,
        Array.from({ length: LARGE + SMALL }, (_each, index) => ({
          id: LARGE + SMALL - index,
          title: { rendered: `Post ${LARGE + SMALL - index}` },
        })),
      );
    }),
  );

  lists(
    'that are hidden or gone by the time that they are read are left out, and a changed one is shown as it is',
    onSite(async (opened) => {
      const { state, store } = opened;
      const newest = LARGE + SMALL;
      const changes: readonly Operation[] = [
        { op: 'update', collection: 'posts', id: newest, values: { status: 'private' } },
        { op: 'remove', collection: 'posts', id: newest - 1 },
        { op: 'update', collection: 'posts', id: newest - 2, values: { content: '<p>changed</p>' } },
      ];
      state.afterPage = async () => {
        state.afterPage = async () => undefined;
        await store.commit(changes);
      };
      const shown = await list(opened, '?per_page=3');
      if (name === 'memory') assert.is(shown.length, 3);
      else
        assert.equal(
          shown.map(({ id, content: text }) => [id, (text as { readonly rendered: string }).rendered]),
          [[newest - 2, '<p>changed</p>\n']],
        );
      // A temporary state must not be cached.
      assert.equal(
        (await list(opened, '?per_page=3')).map(({ id }) => id),
        [newest - 2, newest - 3, newest - 4],
      );
    }),
  );

  lists(
    'have revisions that are listed in the same way',
    onSite(async ({ site, state }) => {
      const read = state.single;
      const all = await site.ask({ target: '/cms/v2/posts/1/revisions', as: 'admin' });
      assert.equal(
        [all.status, (all.body as readonly unknown[]).length, all.headers['X-CMS-Truncated']],
        [200, 3, '3'],
      );
      assert.match(String(all.headers['Link']), /revisions\?page=2&per_page=3>; rel="next"/);
      assert.ok(state.single - read <= 4);
      const { body } = await site.ask({ target: '/cms/v2/posts/1/revisions?per_page=2', as: 'admin' });
      assert.equal(
        (body as { id: number; content: { rendered: string } }[]).map((each) => [
          each.id,
          each.content.rendered.length,
        ]),
        [
          [4, LETTERS + 7],
          [3, LETTERS + 7],
        ],
      );
    }),
  );

  lists.run();
}
