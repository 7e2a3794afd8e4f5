import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Fixture } from '../../../../registry/transfer/fixture/fixture.ts';
import { createWholeSite, type WholeSite } from '../../../support/whole-site.ts';

const POST = '/cms/v2/posts/11';
const written = {
  author: 1,
  status: 'publish',
  date: '2024-07-01T10:00:00',
  date_gmt: '2024-07-01T10:00:00',
  title: 'Lamp',
  content: 'some words',
  slug: 'lamp',
};
const NOTE = JSON.stringify([{ id: 'a', content: 'A note' }]);
const OTHER = JSON.stringify([{ id: 'b', content: 'Another note' }]);

const FIXTURE: Fixture = {
  site: { name: 'Autosaves', timezone_string: 'UTC', default_category: 0, excerpt_length_default: 55 },
  users: [
    { id: 1, login: 'admin', name: 'Admin', slug: 'admin', role: 'administrator' },
    { id: 2, login: 'editor', name: 'Editor', slug: 'editor', role: 'editor' },
  ],
  posts: [
    { ...written, id: 11, meta: { footnotes: NOTE } },
    { ...written, id: 12, slug: 'old' },
  ],
  revisions: [
    {
      id: 21,
      parent: 12,
      author: 1,
      date: '2024-07-02T10:00:00',
      autosave: false,
      title: 'Old',
      content: 'old words',
    },
    {
      id: 22,
      parent: 12,
      author: 1,
      date: '2024-07-03T10:00:00',
      autosave: true,
      title: 'Newer',
      content: 'newer words',
    },
  ],
};

async function withSite(run: (site: WholeSite) => Promise<void>): Promise<void> {
  const site = await createWholeSite({ fixture: FIXTURE });
  await run(site);
  await site.close();
  await site.store.close();
}

interface Autosave {
  readonly id: number;
  readonly meta: { readonly footnotes: string };
}

const save = async ({ ask }: WholeSite, body: object, as = 'editor'): Promise<Autosave> => {
  const answer = await ask({ method: 'POST', target: `${POST}/autosaves`, as, body });
  assert.is(answer.status, 200);
  return answer.body as Autosave;
};

const footnotes = suite('footnotes of an autosave');

footnotes('are kept, shown, and leave the post alone', () =>
  withSite(async (site) => {
    const saved = await save(site, { title: 'Lantern', meta: { footnotes: OTHER } });
    assert.equal(saved.meta, { footnotes: OTHER });
    const [listed] = (await site.ask({ target: `${POST}/autosaves`, as: 'editor' }))
      .body as readonly Autosave[];
    assert.equal(listed?.meta, { footnotes: OTHER });
    assert.equal((await site.store.get('posts', 11))?.['meta'], { footnotes: NOTE });
  }),
);

footnotes('stay when a later autosave does not send them, and go with null', () =>
  withSite(async (site) => {
    const { id } = await save(site, { title: 'Lantern', meta: { footnotes: OTHER } });
    for (const [body, expected] of [
      [{ title: 'Lanterns' }, OTHER],
      [{ title: 'Lanterns', meta: {} }, OTHER],
      [{ title: 'Lanterns', meta: { footnotes: null } }, ''],
    ] as const) {
      const saved = await save(site, body);
      assert.equal([saved.id, saved.meta.footnotes], [id, expected]);
    }
  }),
);

footnotes('alone make an autosave differ from the post', () =>
  withSite(async (site) => {
    const same = { title: 'Lamp', content: 'some words', excerpt: '' };
    await save(site, { title: 'Lantern', meta: { footnotes: NOTE } });
    assert.equal((await save(site, { ...same, meta: { footnotes: OTHER } })).meta, { footnotes: OTHER });
    assert.equal(
      (await save(site, { ...same, meta: { footnotes: NOTE } })).meta,
      { footnotes: OTHER },
      'the text of the post is not kept again',
    );
  }),
);

footnotes('that are not text are refused', () =>
  withSite(async (site) => {
    const { status, body } = await site.ask({
      method: 'POST',
      target: `${POST}/autosaves`,
      as: 'editor',
      body: { title: 'Lantern', meta: { footnotes: 5 } },
    });
    assert.equal([status, (body as { code: string }).code], [400, 'rest_invalid_type']);
  }),
);

footnotes.run();

const history = suite('the version history of a post');

interface Links {
  readonly _links: Readonly<Record<string, readonly { readonly count?: number; readonly id?: number }[]>>;
}

/** The history according to the post, and the length of the list. */
async function readHistory(
  { ask }: WholeSite,
  post = 11,
): Promise<readonly [count: number | undefined, newest: number | undefined, listed: string | undefined]> {
  const { _links: links } = (await ask({ target: `/cms/v2/posts/${post}` })).body as Links;
  const { headers } = await ask({ target: `/cms/v2/posts/${post}/revisions`, as: 'editor' });
  return [
    links['version-history']?.[0]?.count,
    links['predecessor-version']?.[0]?.id,
    headers['X-CMS-Total'],
  ];
}

history('counts autosaves and revisions, as the list does', () =>
  withSite(async (site) => {
    assert.equal(await readHistory(site), [0, undefined, '0']);
    const first = await save(site, { title: 'Lantern' });
    assert.equal(await readHistory(site), [1, first.id, '1']);
    await save(site, { title: 'Lanterns' });
    assert.equal(await readHistory(site), [1, first.id, '1']);
    const second = await save(site, { title: 'Lights' }, 'admin');
    assert.equal(await readHistory(site), [2, second.id, '2']);
    await site.ask({ method: 'POST', target: POST, as: 'editor', body: { title: 'Lamps' } });
    assert.equal(await readHistory(site), [3, second.id + 1, '3']);
    for (const [id, expected] of [
      [second.id + 1, [2, second.id, '2']],
      [first.id, [1, second.id, '1']],
      [second.id, [0, undefined, '0']],
    ] as const) {
      assert.is(
        (await site.ask({ method: 'DELETE', target: `${POST}/revisions/${id}?force=true`, as: 'admin' }))
          .status,
        200,
      );
      assert.equal(await readHistory(site), expected);
    }
  }),
);

history('counts those of a fixture', () =>
  withSite(async (site) => assert.equal(await readHistory(site, 12), [2, 22, '2'])),
);

history.run();
