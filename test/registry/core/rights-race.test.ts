import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../../adapters/memory-store.ts';
import type { Store } from '../../../lib/store/store.ts';
import { collections } from '../../../registry/index.ts';
import type { Fixture } from '../../../registry/transfer/fixture/fixture.ts';
import { type Asking, createWholeSite, type WholeSite } from '../../support/whole-site.ts';

// A write that loses a race starts again with the new state and checks the rights of its caller again.
const POST = '/cms/v2/posts/11';
const FIXTURE: Fixture = {
  site: { name: 'Races', timezone_string: 'UTC', default_category: 0, excerpt_length_default: 55 },
  users: [
    ['editor', 'editor'],
    ['contributor', 'contributor'],
    ['author', 'author'],
  ].map(([login = '', role = ''], at) => ({ id: at + 1, login, name: login, slug: login, role })),
  posts: [
    {
      id: 11,
      author: 2,
      status: 'draft',
      date: '2024-07-01T10:00:00',
      title: 'Draft',
      slug: 'draft',
      content: 'as it was',
    },
  ],
};

/** A store in which another writer goes first, once, when the post is about to be written. */
function createContested(
  store: Store,
  goFirst: () => Promise<unknown>,
): { readonly store: Store; readonly countWrites: () => number } {
  let writes = 0;
  return {
    countWrites: () => writes,
    store: {
      ...store,
      commit: async (operations, durability) => {
        const writesPost = operations.some(
          (operation) => operation.collection === 'posts' && 'id' in operation && operation.id === 11,
        );
        if (writesPost) writes += 1;
        if (writesPost && writes === 1) await goFirst();
        return store.commit(operations, durability);
      },
    },
  };
}

interface Contest {
  readonly site: WholeSite;
  /** Number of attempts to write the post, including that of the editor. */
  readonly countWrites: () => number;
}

/** A site on which the editor writes while another caller is about to write the post. */
async function withContest(
  editorsWrite: Omit<Asking, 'as'>,
  run: (contest: Contest) => Promise<void>,
): Promise<void> {
  const contested = createContested(createMemoryStore(collections), async () =>
    assert.is((await site.ask({ ...editorsWrite, as: 'editor' })).status, 200),
  );
  const site = await createWholeSite({ fixture: FIXTURE, store: contested.store });
  await run({ site, countWrites: contested.countWrites });
  await site.close();
  await site.store.close();
}

const PUBLISH = { method: 'POST', target: POST, body: { status: 'publish' } };
const GIVE_AWAY = { method: 'POST', target: POST, body: { author: 3 } };

/** What a contributor may do to a draft of their own, but not to that of another user, nor to a published one. */
const ROWS: readonly (readonly [what: string, request: Omit<Asking, 'as'>, code: string])[] = [
  ['an update', { method: 'POST', target: POST, body: { title: 'Changed' } }, 'rest_cannot_edit'],
  [
    'an autosave of the own draft',
    { method: 'POST', target: `${POST}/autosaves`, body: { title: 'Changed' } },
    'rest_cannot_edit',
  ],
  ['a move to the trash', { method: 'DELETE', target: POST }, 'rest_cannot_delete'],
  ['a removal for good', { method: 'DELETE', target: `${POST}?force=true` }, 'rest_cannot_delete'],
];

const race = suite('the right to a write that lost a race');

for (const [what, request, code] of ROWS) {
  for (const [how, editorsWrite, left] of [
    ['was published', PUBLISH, { status: 'publish', author: 2 }],
    ['was given to somebody else', GIVE_AWAY, { status: 'draft', author: 3 }],
  ] as const) {
    race(`is asked again: ${what} of a post that ${how}`, () =>
      withContest(editorsWrite, async ({ site, countWrites }) => {
        const { status, body } = await site.ask({ ...request, as: 'contributor' });
        assert.equal([status, (body as { code: string }).code, countWrites()], [403, code, 2]);
        const post = await site.store.get('posts', 11);
        assert.equal(
          [post?.['title'], post?.['status'], post?.['author']],
          ['Draft', left.status, left.author],
        );
      }),
    );
  }
}

race('is still there when the post is still the own draft', () =>
  withContest(
    { method: 'POST', target: POST, body: { content: 'by the editor' } },
    async ({ site, countWrites }) => {
      const { status } = await site.ask({
        method: 'POST',
        target: POST,
        as: 'contributor',
        body: { title: 'Changed' },
      });
      assert.equal([status, countWrites()], [200, 3]);
      const post = await site.store.get('posts', 11);
      assert.equal([post?.['title'], post?.['content']], ['Changed', 'by the editor']);
    },
  ),
);

race.run();
