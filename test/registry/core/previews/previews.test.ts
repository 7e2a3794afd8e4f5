import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Fixture } from '../../../../registry/transfer/fixture/fixture-rows.ts';
import { createWholeSite, type Answer, type WholeSite } from '../../../support/whole-site.ts';

const post = (id: number, more: object = {}) => ({
  id,
  title: `Post ${id}`,
  slug: `post-${id}`,
  ml_language: 'en',
  author: 2,
  status: 'draft',
  date: '2024-01-01T10:00:00',
  date_gmt: '2024-01-01T10:00:00',
  content: `text of ${id}`,
  categories: [],
  ...more,
});

const FIXTURE: Fixture = {
  site: { name: 'Previews', timezone_string: 'UTC' },
  users: [
    { id: 1, login: 'editor', name: 'Editor', slug: 'editor', role: 'editor' },
    { id: 2, login: 'author', name: 'Author', slug: 'author', role: 'author' },
    { id: 3, login: 'subscriber', name: 'Subscriber', slug: 'subscriber', role: 'subscriber' },
    { id: 4, login: 'admin', name: 'Admin', slug: 'admin', role: 'administrator' },
  ],
  posts: [
    post(1, { group: 7, content: '<p>See <a href="/en/?p=3">three</a>.</p>' }),
    post(2, { group: 7, ml_language: 'fr' }),
    post(3),
    post(4),
    post(5, { author: 1 }),
    post(6, { status: 'publish', password: 'secret' }),
    post(7, { status: 'publish' }),
  ],
};

async function inSite(run: (site: WholeSite, clock: { now: number }) => Promise<void>): Promise<void> {
  const clock = { now: Date.parse('2026-01-01T00:00:00Z') };
  const site = await createWholeSite({ fixture: FIXTURE, content: 'core', now: () => clock.now });
  try {
    await run(site, clock);
  } finally {
    await site.close();
  }
}

interface Issued {
  readonly id: number;
  readonly token: string;
  readonly url: string;
  readonly expires: string;
}

const send = (site: WholeSite, [method, target, as, body]: readonly [string, string, string, object?]) =>
  site.ask({ method, target: `/cms/v2/${target}`, as, ...(body === undefined ? {} : { body }) });

async function issue(
  site: WholeSite,
  id: number,
  { as = 'author', ...body }: { as?: string; revision?: number; expires?: string } = {},
): Promise<Issued> {
  const { status, body: issued, text } = await send(site, ['POST', `posts/${id}/preview`, as, body]);
  assert.is(status, 201, text);
  return issued as Issued;
}

const open = (site: WholeSite, id: number, token: string): Promise<Answer> =>
  site.ask({ target: `/cms/v2/posts/${id}?preview=${encodeURIComponent(token)}` });

const codeOf = ({ body }: Answer): unknown => (body as { code?: string }).code;
const textOf = ({ body }: Answer): string => (body as { content: { rendered: string } }).content.rendered;

const previews = suite('previews');

previews('open a draft for everybody who has the token, and no cache keeps it', () =>
  inSite(async (site) => {
    const { token, url, expires } = await issue(site, 1);
    const shown = await open(site, 1, token);
    assert.is(shown.status, 200);
    assert.match(textOf(shown), 'three');
    assert.is(shown.headers['Cache-Control'], 'no-store');
    assert.is(shown.headers['Referrer-Policy'], 'no-referrer');
    assert.match(url, `/?p=1&rest_base=posts&preview=true&preview_nonce=${token}`);
    assert.is(expires, '2026-01-02T00:00:00');
    assert.is((await site.ask({ target: '/cms/v2/posts/1' })).status, 401);
  }),
);

previews('open what an autosave holds, at its preview_link, which stays the same', () =>
  inSite(async (site) => {
    const save = async (text: string): Promise<string> => {
      const { body } = await send(site, ['POST', 'posts/1/autosaves', 'editor', { content: text }]);
      return (body as { preview_link: string }).preview_link;
    };
    const link = await save('<p>not saved</p>');
    const token = new URL(link).searchParams.get('preview_nonce') ?? '';
    assert.match(textOf(await open(site, 1, token)), 'not saved');
    assert.is(await save('<p>changed</p>'), link);
    assert.match(textOf(await open(site, 1, token)), 'changed');
    // A draft of one's own is saved itself, so that its preview shows the post.
    const { body } = await send(site, ['POST', 'posts/1/autosaves', 'author', { content: '<p>draft</p>' }]);
    const own = new URL((body as { preview_link: string }).preview_link).searchParams.get('preview_nonce');
    assert.match(textOf(await open(site, 1, own ?? '')), 'draft');
  }),
);

previews('open the translations, and the drafts that the post links to', () =>
  inSite(async (site) => {
    const { token } = await issue(site, 1);
    assert.is((await open(site, 2, token)).status, 200);
    assert.is((await open(site, 3, token)).status, 200);
    for (const other of [4, 5, 7, 999]) {
      const refused = await open(site, other, token);
      assert.is(refused.status, 403);
      assert.is(codeOf(refused), 'rest_preview_invalid');
    }
  }),
);

previews('read only: no edit context, no list, no write, no revision', () =>
  inSite(async (site) => {
    const { token } = await issue(site, 1);
    const ask = async (method: string, target: string) =>
      (await site.ask({ method, target: `/cms/v2/${target}`, body: method === 'GET' ? undefined : {} }))
        .status;
    assert.is(await ask('GET', `posts/1?context=edit&preview=${token}`), 401);
    assert.is(await ask('POST', `posts/1?preview=${token}`), 401);
    assert.is(await ask('DELETE', `posts/1?preview=${token}`), 401);
    assert.is(await ask('GET', `posts/1/revisions?preview=${token}`), 401);
    const { body } = await site.ask({ target: `/cms/v2/posts?include=1&preview=${token}` });
    assert.equal(body, []);
  }),
);

previews('never fall back to the published text', () =>
  inSite(async (site, clock) => {
    await send(site, ['POST', 'posts/7', 'author', { content: 'second' }]);
    await send(site, ['POST', 'posts/7', 'author', { content: 'third' }]);
    const { body: past } = await send(site, ['GET', 'posts/7/revisions', 'author']);
    const [last] = past as readonly { readonly id: number }[];
    const foreign = await send(site, ['GET', `posts/4/revisions/${last?.id}`, 'author']);
    assert.equal([foreign.status, codeOf(foreign)], [404, 'rest_revision_parent_id_mismatch']);
    const { body } = await send(site, ['GET', 'posts/7/revisions', 'author']);
    const [, older] = body as readonly { readonly id: number }[];
    const revision = older?.id ?? 0;
    const { token } = await issue(site, 7, { revision, expires: '2026-01-03T00:00:00' });
    assert.match(textOf(await site.ask({ target: '/cms/v2/posts/7' })), 'third');
    assert.match(textOf(await open(site, 7, token)), 'second');
    assert.match(textOf(await site.ask({ target: '/cms/v2/posts/7' })), 'third');
    await send(site, ['DELETE', `posts/7/revisions/${revision}?force=true`, 'admin']);
    assert.is((await open(site, 7, token)).status, 403);
    const { token: whole } = await issue(site, 7, { expires: '2026-01-03T00:00:00' });
    clock.now = Date.parse('2026-01-02T23:59:59Z');
    assert.is((await open(site, 7, whole)).status, 200);
    clock.now = Date.parse('2026-01-03T00:00:00Z');
    assert.is((await open(site, 7, whole)).status, 403);
  }),
);

previews('end one by one, with the password and the rights of their maker, and with the post', () =>
  inSite(async (site) => {
    const [one, two] = [await issue(site, 1), await issue(site, 1)];
    assert.is((await send(site, ['DELETE', `posts/1/preview/${one.id}`, 'author'])).status, 200);
    assert.is((await open(site, 1, one.token)).status, 403);
    assert.is((await open(site, 1, two.token)).status, 200);
    await send(site, ['POST', 'users/2', 'admin', { password: 'another password 12' }]);
    assert.is((await open(site, 1, two.token)).status, 403);
    const three = await issue(site, 1);
    await send(site, ['POST', 'users/2', 'admin', { roles: ['subscriber'] }]);
    assert.is((await open(site, 1, three.token)).status, 403);
    const four = await issue(site, 1, { as: 'editor' });
    assert.is((await open(site, 1, four.token)).status, 200);
    await send(site, ['DELETE', 'posts/1', 'editor']);
    assert.is((await open(site, 1, four.token)).status, 403);
    await send(site, ['DELETE', 'posts/1?force=true', 'editor']);
    assert.is((await open(site, 1, four.token)).status, 403);
    assert.equal((await site.store.find({ collection: 'previews' })).records, []);
  }),
);

previews('have the rights of their maker: a reader cannot open what a password protects', () =>
  inSite(async (site) => {
    const [ofReader, ofAuthor] = [await issue(site, 6, { as: 'subscriber' }), await issue(site, 6)];
    assert.is(textOf(await open(site, 6, ofReader.token)), '');
    assert.match(textOf(await open(site, 6, ofAuthor.token)), 'text of 6');
    for (const [as, target] of [
      ['subscriber', 'posts/1/preview'],
      ['author', 'posts/5/preview'],
    ] as const)
      assert.is((await send(site, ['POST', target, as, {}])).status, 403);
    assert.is((await site.ask({ method: 'POST', target: '/cms/v2/posts/7/preview', body: {} })).status, 401);
    assert.is((await send(site, ['POST', 'posts/7/preview', 'subscriber', { revision: 1 }])).status, 403);
  }),
);

previews('are listed for their makers, and for those who may edit the post', () =>
  inSite(async (site) => {
    await issue(site, 7, { as: 'subscriber' });
    await issue(site, 7, { as: 'editor' });
    const count = async (as: string) =>
      ((await send(site, ['GET', 'posts/7/preview', as])).body as readonly object[]).length;
    assert.equal([await count('subscriber'), await count('author')], [1, 2]);
    const { text } = await send(site, ['GET', 'posts/7/preview', 'author']);
    assert.not.match(text, 'token');
  }),
);

previews('use the address that the settings name', () =>
  inSite(async (site) => {
    const template = 'https://front.test/api/preview?secret={token}&at={type}/{slug}&x={other}';
    assert.is((await send(site, ['POST', 'settings', 'admin', { preview_url: template }])).status, 200);
    const { url, token } = await issue(site, 1);
    assert.is(url, `https://front.test/api/preview?secret=${token}&at=post/post-1&x={other}`);
  }),
);

const BAD_TIMES = ['2025-12-31T00:00:00', '2026-03-01T00:00:00', 'soon', ''];

previews('refuse times that are over or too far away', () =>
  inSite(async (site) => {
    for (const expires of BAD_TIMES)
      assert.is((await send(site, ['POST', 'posts/1/preview', 'author', { expires }])).status, 400, expires);
  }),
);

previews('open no draft that the author of the previewed post could not read and has linked to', () =>
  inSite(async (site) => {
    const { token } = await issue(site, 4, { as: 'editor' });
    const content = '<a href="/en/?p=5">five</a> <a href="/en/?p=3">three</a>';
    assert.is((await send(site, ['POST', 'posts/4', 'author', { content }])).status, 200);
    assert.is(codeOf(await open(site, 5, token)), 'rest_preview_invalid');
    assert.is((await open(site, 3, token)).status, 200);
  }),
);

previews('admit no forged, foreign or cut token', () =>
  inSite(async (site) => {
    const { token, id } = await issue(site, 1);
    const other = await issue(site, 4);
    const [, signature = ''] = token.split('.');
    const forged = Array.from(
      { length: 300 },
      (_each, at) =>
        `${id}.${signature.slice(0, at % 43)}${'abcdefghij'.charAt(at % 10)}${signature.slice((at % 43) + 1)}`,
    );
    const rows = [
      'x',
      '0.',
      '.',
      `${id}.`,
      `${id}`,
      token.slice(0, -1),
      `${token}a`,
      ` ${token}`,
      `0${token}`,
      `${other.id}.${signature}`,
      other.token,
      '999999999999999.'.concat(signature),
      ...forged.filter((each) => each !== token),
    ];
    for (const row of rows) assert.is((await open(site, 1, row)).status < 300, false, row);
    assert.is((await open(site, 1, token)).status, 200);
  }),
);

previews.run();
