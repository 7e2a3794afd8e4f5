import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isObject } from '../../../../lib/core/objects.ts';
import type { Fixture } from '../../../../registry/transfer/fixture/fixture.ts';
import { BATCH_CONTENT, batchFixture } from '../../../support/batch/fixture.ts';
import { type Answer, createWholeSite, type WholeSite } from '../../../support/whole-site.ts';

const CANARY = 'canary-of-a-hidden-file';
/** Post 101 is published, 104 a draft, 106 private. */
const FILES = [
  [301, 0, 'free'],
  [302, 101, 'open'],
  [303, 104, CANARY],
  [304, 106, CANARY],
] as const;
const fixture: Fixture = {
  ...batchFixture,
  media: FILES.map(([id, parent, title]) => ({
    id,
    parent,
    author: 1,
    date: `2024-01-0${id - 300}T10:00:00`,
    title,
    slug: `${title}-${id}`,
    mime_type: 'image/png',
    file: `2024/01/${title}-${id}.png`,
    width: 640,
    height: 480,
    filesize: 1000,
    caption: '<em>c</em>',
    alt_text: 'a "b"',
    sizes: { thumbnail: { file: 'small.png', width: 150, height: 150, mime_type: 'image/png' } },
  })),
};

const open = (): Promise<WholeSite> => createWholeSite({ fixture, content: BATCH_CONTENT });
const idsOf = ({ body }: Answer): readonly unknown[] =>
  Array.isArray(body) ? body.map((each: unknown) => (isObject(each) ? each['id'] : null)) : [];

const media = suite('media');

media('are as visible as their posts: in lists, searches, totals and alone', async () => {
  const site = await open();
  const list = await site.ask({ target: '/cms/v2/media?orderby=id&order=asc' });
  assert.equal([idsOf(list), list.headers['X-CMS-Total']], [[301, 302], '2']);
  const search = await site.ask({ target: `/cms/v2/media?search=${CANARY}` });
  assert.equal([search.headers['X-CMS-Total'], search.text], ['0', '[]']);
  for (const id of [303, 304]) assert.is((await site.ask({ target: `/cms/v2/media/${id}` })).status, 401);
  assert.equal(
    idsOf(await site.ask({ target: '/cms/v2/media?orderby=id&order=asc', as: 'editor' })),
    [301, 302, 303, 304],
  );
  await site.ask({ method: 'PUT', target: '/cms/v2/posts/101', as: 'editor', body: { status: 'draft' } });
  assert.equal(idsOf(await site.ask({ target: '/cms/v2/media' })), [301]);
  await site.close();
});

media('show their addresses and smaller copies, and texts escaped in attributes', async () => {
  const site = await open();
  const { body } = await site.ask({ target: '/cms/v2/media/302' });
  const shown = body as {
    link: string;
    source_url: string;
    media_details: { sizes: Record<string, { source_url: string }> };
    description: { rendered: string };
    post: number;
  };
  assert.is(shown.post, 101);
  assert.equal((body as { class_list: unknown }).class_list, [
    'post-302',
    'attachment',
    'type-attachment',
    'status-inherit',
    'hentry',
  ]);
  assert.is(shown.source_url, 'http://site.test/en/uploads/2024/01/open-302.png');
  assert.is(shown.link, 'http://site.test/en/post-0/open-302/');
  assert.equal(
    Object.entries(shown.media_details.sizes).map(([name, { source_url: url }]) => [name, url]),
    [
      ['thumbnail', 'http://site.test/en/uploads/2024/01/small.png'],
      ['full', shown.source_url],
    ],
  );
  assert.match(shown.description.rendered, 'alt="a &quot;b&quot;"');
  await site.close();
});

media('do not tell the slug of a post that is hidden from those who may edit the file', async () => {
  const own = {
    ...fixture.media?.[0],
    id: 401,
    parent: 106,
    author: 3,
    status: 'private',
    slug: 'own',
    title: 'Own',
  };
  const { slug } = fixture.posts?.find(({ id }) => id === 106) ?? {};
  const other = { ...own, id: 402, author: 1, slug: 'other' };
  const site = await createWholeSite({
    fixture: { ...fixture, media: [own, other] },
    content: BATCH_CONTENT,
  });
  // Nor is a private file of somebody else in the list of an author.
  for (const [as, ids] of [
    ['author', [401]],
    ['editor', [401, 402]],
  ] as const)
    assert.equal(
      idsOf(await site.ask({ target: '/cms/v2/media?status=private&orderby=id&order=asc', as })),
      ids,
      as,
    );
  const asks = {
    read: { target: '/cms/v2/media/401' },
    write: { method: 'POST', target: '/cms/v2/media/401', body: {} },
  };
  for (const [name, asking] of Object.entries(asks)) {
    const shown = await site.ask({ ...asking, as: 'author' });
    assert.equal(
      [shown.status, shown.text.includes(String(slug)), shown.text.includes('attached-to')],
      [200, false, false],
      name,
    );
    const link = (await site.ask({ ...asking, as: 'editor' })).text;
    assert.ok(link.includes(`/${String(slug)}/own/`), name);
  }
  await site.close();
});

media.run();
