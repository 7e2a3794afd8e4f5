import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../../adapters/memory-store.ts';
import type { StoredRecord } from '../../../lib/store/store.ts';
import { collections } from '../../../registry/index.ts';
import type { Fixture } from '../../../registry/transfer/fixture/fixture.ts';
import { createSpoiltStore, type Spoil, withUnreadable } from '../../support/spoilt-store.ts';
import { type Answer, createWholeSite, type WholeSite } from '../../support/whole-site.ts';

// A record that cannot be rendered does not affect others: the error is logged, the record is shown as empty, and it can be changed and deleted.
const POSTS = '/cms/v2/posts';
const HEALTHY = 11;
const SPOILT = 12;

const written = {
  author: 1,
  status: 'publish',
  date: '2024-07-01T10:00:00',
  date_gmt: '2024-07-01T10:00:00',
  content: 'some words',
  slug: 'lamp',
};
const FIXTURE: Fixture = {
  site: { name: 'Spoilt', timezone_string: 'UTC', default_category: 0, excerpt_length_default: 55 },
  users: [
    { id: 1, login: 'admin', name: 'Admin', slug: 'admin', role: 'administrator' },
    { id: 2, login: 'editor', name: 'Editor', slug: 'editor', role: 'editor' },
  ],
  posts: [
    { ...written, id: HEALTHY, title: 'Lamp' },
    { ...written, id: SPOILT, title: 'Unreadable', slug: 'unreadable' },
  ],
};

/** Stores a number in place of the text until another text is written. */
function spoil(collection: string, record: StoredRecord): StoredRecord {
  const isSpoilt =
    (collection === 'posts' && record.id === SPOILT) ||
    (collection === 'revisions' && record['parent'] === SPOILT);
  return isSpoilt && record['content'] === written.content ? { ...record, content: 5 } : record;
}

async function withSite(
  cache: false | undefined,
  run: (site: WholeSite) => Promise<void>,
  toSpoilt: Spoil = spoil,
): Promise<void> {
  const store = createSpoiltStore(createMemoryStore(collections), toSpoilt);
  const site = await createWholeSite({ fixture: FIXTURE, store, ...(cache === false ? { cache } : {}) });
  await run(site);
  await site.close();
  await store.close();
}

type Shown = Readonly<Record<'id' | 'title' | 'content' | 'excerpt' | 'link', unknown>>;

/** The intact post, then the unreadable one. */
const shownIn = ({ body }: Answer): readonly Shown[] =>
  (body as Shown[]).toSorted((left, right) => Number(left.id) - Number(right.id));

const unreadable = suite('a post that cannot be rendered');

for (const cache of [undefined, false] as const) {
  const manner = cache === undefined ? 'with cached responses' : 'without cached responses';

  unreadable(`is empty in a list and costs no other post, ${manner}`, () =>
    withSite(cache, async ({ ask, logged }) => {
      for (const query of ['', '?_embed', '?context=embed', '?_fields=id,title,content,excerpt,link']) {
        const answer = await ask({ target: `${POSTS}${query}` });
        assert.is(answer.status, 200);
        const [healthy, spoilt] = shownIn(answer);
        assert.equal(healthy?.title, { rendered: 'Lamp' });
        assert.equal(
          [spoilt?.id, spoilt?.title, spoilt?.link],
          [SPOILT, { rendered: 'Unreadable' }, 'http://site.test/en/unreadable/'],
        );
        assert.equal(spoilt?.excerpt, { rendered: '', protected: false });
        if (query !== '?context=embed')
          assert.equal(
            [healthy?.content, spoilt?.content],
            [
              { rendered: '<p>some words</p>\n', protected: false },
              { rendered: '', protected: false },
            ],
          );
      }
      assert.ok(
        logged.some(
          ({ level, message, error }) =>
            level === 'error' &&
            message === `content.rendered of post ${SPOILT} could not be rendered and is shown as empty` &&
            error instanceof TypeError,
        ),
      );
    }),
  );

  unreadable(`is shown, changed and deleted like any other, ${manner}`, () =>
    withSite(cache, async ({ ask }) => {
      assert.is((await ask({ target: `${POSTS}/${SPOILT}` })).status, 200);
      const edited = await ask({ target: `${POSTS}/${SPOILT}?context=edit`, as: 'editor' });
      assert.equal((edited.body as Shown).title, { raw: 'Unreadable', rendered: 'Unreadable' });
      assert.is((edited.body as { content: { rendered: string } }).content.rendered, '');
      const changed = await ask({
        target: `${POSTS}/${SPOILT}`,
        method: 'POST',
        as: 'editor',
        body: { content: 'readable' },
      });
      assert.equal(
        [changed.status, (changed.body as Shown).content],
        [200, { raw: 'readable', rendered: '<p>readable</p>\n', block_version: 0, protected: false }],
      );
    }),
  );

  for (const target of [`${POSTS}/${SPOILT}`, `${POSTS}/${SPOILT}?force=true`]) {
    unreadable(`DELETE ${target}, ${manner}`, () =>
      withSite(cache, async ({ ask }) => {
        assert.is((await ask({ target, method: 'DELETE', as: 'editor' })).status, 200);
        assert.equal(
          shownIn(await ask({ target: POSTS })).map(({ id }) => id),
          [HEALTHY],
        );
      }),
    );
  }
}

for (const [words, toSpoilt] of [
  ['no meta', (post) => ({ ...post, meta: null })],
  ['meta that cannot be read', (post) => withUnreadable(post, 'meta')],
] as const satisfies readonly (readonly [string, (post: StoredRecord) => StoredRecord])[]) {
  unreadable(`is empty in a list if its content is long and it has ${words}`, () =>
    withSite(
      undefined,
      async ({ ask }) => {
        const answer = await ask({ target: POSTS });
        assert.equal(
          [answer.status, ...shownIn(answer).map(({ content }) => content)],
          [200, { rendered: '<p>some words</p>\n', protected: false }, { rendered: '', protected: false }],
        );
      },
      (collection, record) =>
        collection === 'posts' && record.id === SPOILT
          ? toSpoilt({ ...record, content: 'long '.repeat(5000) })
          : record,
    ),
  );
}

unreadable('has revisions and autosaves that are shown as empty, too', () =>
  withSite(undefined, async ({ ask, logged, store }) => {
    const values = {
      parent: SPOILT,
      author: 2,
      title: 'Old',
      content: written.content,
      excerpt: '',
      meta: {},
      date: written.date,
      slug: 'old',
    };
    const [revision] = await store.commit([
      { op: 'create', collection: 'revisions', values: { ...values, autosave: false } },
    ]);
    await store.commit([
      {
        op: 'create',
        collection: 'revisions',
        values: { ...values, autosave: true, autosave_key: `${SPOILT}:2` },
      },
    ]);
    for (const list of ['revisions', 'autosaves']) {
      const { status, body } = await ask({ target: `${POSTS}/${SPOILT}/${list}`, as: 'editor' });
      const [first] = body as readonly Shown[];
      assert.equal([status, first?.title, first?.content], [200, { rendered: 'Old' }, { rendered: '' }]);
    }
    assert.ok(
      logged.some(
        ({ message }) =>
          message ===
          `content.rendered of revision ${String(revision?.id)} could not be rendered and is shown as empty`,
      ),
    );
    assert.is(
      (
        await ask({
          target: `${POSTS}/${SPOILT}/revisions/${String(revision?.id)}?force=true`,
          method: 'DELETE',
          as: 'editor',
        })
      ).status,
      200,
    );
  }),
);

unreadable.run();
