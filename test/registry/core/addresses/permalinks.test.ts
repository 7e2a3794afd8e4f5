import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../../../adapters/memory-store.ts';
import { createSite } from '../../../../registry/index.ts';
import { collections } from '../../../../registry/index.ts';
import type { Fixture } from '../../../../registry/transfer/fixture/fixture.ts';
import { createWholeSite, type Answer, type WholeSite } from '../../../support/whole-site.ts';

const FIXTURE = {
  site: { name: 'Diary', timezone_string: 'UTC', default_category: 1 },
  users: [{ id: 1, login: 'admin', name: 'Admin', slug: 'admin', role: 'administrator' }],
  categories: [
    { id: 1, name: 'News', slug: 'news' },
    { id: 2, name: 'Local', slug: 'local', parent: 1 },
  ],
  posts: [
    {
      id: 11,
      author: 1,
      status: 'publish',
      slug: 'lamp',
      title: 'Lamp',
      date: '2024-07-09T10:20:30',
      categories: [2],
    },
    {
      id: 12,
      author: 0,
      status: 'publish',
      slug: 'desk',
      title: 'Desk',
      date: '2024-12-01T00:00:00',
      categories: [],
    },
    {
      id: 13,
      author: 1,
      status: 'draft',
      slug: '',
      title: 'A new chair',
      date: '2024-07-10T10:00:00',
      categories: [2],
    },
  ],
  media: [
    {
      id: 21,
      author: 1,
      title: 'Shade',
      slug: 'shade',
      parent: 11,
      file: '2024/07/shade.png',
      mime_type: 'image/png',
      width: 4,
      height: 4,
      date: '2024-07-09T10:20:30',
    },
  ],
  comments: [{ id: 31, post: 11, author_name: 'Guest', content: 'Bright', date: '2024-07-09T11:00:00' }],
  pages: [
    { id: 41, author: 1, status: 'publish', slug: 'about', title: 'About', date: '2024-01-04T10:00:00' },
  ],
} as unknown as Fixture;

const HOME = 'http://site.test/en';

type Ask = (target: string, as?: string, body?: unknown) => Promise<Answer>;

async function onSite(permalinks: string, run: (ask: Ask, site: WholeSite) => Promise<void>): Promise<void> {
  const site = await createWholeSite({ fixture: FIXTURE, content: 'core', permalinks, checkAnswers: true });
  try {
    await run(
      (target, as, body) =>
        site.ask({ target, as: as ?? null, ...(body === undefined ? {} : { method: 'POST', body }) }),
      site,
    );
  } finally {
    await site.close();
  }
}

const linkOf = ({ body }: Answer): unknown => (body as { readonly link: string }).link;

const links = suite('links of a permalink structure');
for (const [permalinks, lamp, desk] of [
  ['/%postname%/', '/lamp/', '/desk/'],
  ['/%year%/%monthnum%/%postname%/', '/2024/07/lamp/', '/2024/12/desk/'],
  ['/%year%/%day%/%hour%-%minute%-%second%/%post_id%', '/2024/09/10-20-30/11', '/2024/01/00-00-00/12'],
  ['/archives/%post_id%.html', '/archives/11.html', '/archives/12.html'],
  ['/%category%/%postname%/', '/news/local/lamp/', '/news/desk/'],
  ['/by/%author%/%pagename%/', '/by/admin/lamp/', '/by/0/desk/'],
] as const) {
  links(permalinks, () =>
    onSite(permalinks, async (ask) => {
      assert.equal(
        [linkOf(await ask('/cms/v2/posts/11')), linkOf(await ask('/cms/v2/posts/12'))],
        [HOME + lamp, HOME + desk],
      );
      assert.is(linkOf(await ask('/cms/v2/comments/31')), `${HOME + lamp}#comment-31`);
      assert.is(linkOf(await ask('/cms/v2/pages/41')), `${HOME}/about/`);
      const [found] = (await ask('/cms/v2/search?search=lamp')).body as readonly { readonly url: string }[];
      assert.is(found?.url, HOME + lamp);
    }),
  );
}
links('give a draft its address by id, and a template and a slug for the editor', () =>
  onSite('/%category%/%year%/%postname%/', async (ask) => {
    const { body } = await ask('/cms/v2/posts/13?context=edit', 'admin');
    const { link, permalink_template: template, generated_slug: slug } = body as Record<string, string>;
    assert.equal(
      [link, template, slug],
      [`${HOME}/?p=13`, `${HOME}/news/local/2024/%postname%/`, 'a-new-chair'],
    );
  }),
);
links('follow the author and the category, also in cached responses', () =>
  onSite('/%author%/%category%/%postname%/', async (ask) => {
    const read = async (): Promise<readonly unknown[]> => [
      linkOf(await ask('/cms/v2/posts/11')),
      linkOf({
        ...(await ask('/cms/v2/posts')),
        body: ((await ask('/cms/v2/posts?slug=lamp')).body as object[])[0],
      }),
      linkOf(await ask('/cms/v2/comments/31')),
    ];
    const expected = (path: string): readonly string[] => [
      `${HOME}${path}`,
      `${HOME}${path}`,
      `${HOME}${path}#comment-31`,
    ];
    assert.equal(await read(), expected('/admin/news/local/lamp/'));
    assert.equal(await read(), expected('/admin/news/local/lamp/'));
    assert.is((await ask('/cms/v2/categories/1', 'admin', { slug: 'world' })).status, 200);
    assert.equal(await read(), expected('/admin/world/local/lamp/'));
    assert.is((await ask('/cms/v2/users/1', 'admin', { slug: 'chief' })).status, 200);
    assert.equal(await read(), expected('/chief/world/local/lamp/'));
  }),
);
links.run();

const refused = suite('a permalink structure is refused');
for (const [permalinks, message] of [
  [
    '/%year%/%slug%/%postname%/',
    'permalinks: %slug% is not a tag; the tags are %postname%, %pagename%, %post_id%, %year%, %monthnum%, %day%, %hour%, %minute%, %second%, %category%, %author%',
  ],
  [
    '/%year%/%monthnum%/',
    'permalinks: "/%year%/%monthnum%/" is not a path such as /%year%/%postname%/, with %postname%, %pagename% or %post_id%',
  ],
  ['%postname%', 'permalinks: "%postname%" is not a path'],
  ['//%postname%/', 'permalinks: "//%postname%/" is not a path'],
  ['/../%postname%/', 'permalinks: "/../%postname%/" is not a path'],
  ['/%postname%/?x', 'permalinks: "/%postname%/?x" is not a path'],
  [5, 'permalinks: 5 is not a path'],
  ['/%year%/%year%/%postname%/', 'permalinks: %year% is given twice'],
  ['/%postname%/%pagename%/', 'permalinks: %postname% is given twice'],
] as const) {
  refused(String(permalinks), async () => {
    const store = createMemoryStore(collections);
    const error = await createSite({ store, permalinks: permalinks as string }).catch(
      (caught: unknown) => caught,
    );
    assert.instance(error, TypeError);
    assert.ok((error as TypeError).message.startsWith(message), (error as TypeError).message);
    await store.close();
  });
}
refused.run();
