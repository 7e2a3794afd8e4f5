import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../../../adapters/memory-store.ts';
import type { Names } from '../../../../lib/index.ts';
import { runWithSource } from '../../../../lib/store/change-source.ts';
import {
  collectionsOf,
  corePlugins,
  createContentModel,
  menus,
  WORDPRESS_NAMES,
  withPluginContent,
} from '../../../../registry/index.ts';
import { until } from '../../../support/until.ts';
import { createWholeSite, type WholeSite } from '../../../support/whole-site.ts';

const post = (id: number, ml_language: string, more: object) => ({
  id,
  ml_language,
  title: `Post ${id}`,
  slug: `post-${id}`,
  author: 1,
  status: 'publish',
  date: '2024-01-01T10:00:00',
  date_gmt: '2024-01-01T10:00:00',
  content: 'text',
  ...more,
});
const FIXTURE = {
  site: { name: 'Menus', timezone_string: 'UTC' },
  users: ['admin', 'author', 'reader'].map((login, at) => ({
    id: at + 1,
    login,
    name: login,
    slug: login,
    role: ['administrator', 'author', 'subscriber'][at] ?? '',
  })),
  posts: [
    post(11, 'en', { group: 5 }),
    post(12, 'fr', { group: 5 }),
    post(13, 'en', { status: 'draft', title: 'Secret' }),
  ],
  media: [
    { id: 21, title: 'Secret file', file: '2024/secret.png', mime_type: 'image/png', author: 1, parent: 13 },
  ],
  categories: [{ id: 3, name: 'News', slug: 'news', ml_language: 'en' }],
};
const content = withPluginContent('core', [menus]);

async function inSite(
  isOpen: boolean,
  run: (site: WholeSite, ask: Ask) => Promise<void>,
  names?: Names,
): Promise<void> {
  const plugins = [...corePlugins, menus];
  const site = await createWholeSite({
    fixture: FIXTURE,
    content,
    plugins,
    store: createMemoryStore(collectionsOf(createContentModel(content), plugins)),
    checkAnswers: true,
    ...(names === undefined ? {} : { names }),
    config: { menus: { locations: { primary: 'Main menu', footer: 'Footer' }, public: isOpen } },
  });
  const ask: Ask = async (target, { body, as = 'admin', language = 'en', method } = {}) => {
    const answer = await site.ask({
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      target: `/${names === undefined ? 'cms' : 'wp'}/v2/${target}`,
      as,
      language,
      body,
    });
    return { status: answer.status, body: answer.body as Shown & readonly Shown[] };
  };
  try {
    await run(site, ask);
  } finally {
    await site.close();
  }
}

type Shown = Readonly<Record<string, unknown>> & { readonly id: number };
type Ask = (
  target: string,
  how?: { body?: unknown; as?: string | null; language?: string; method?: string },
) => Promise<{ readonly status: number; readonly body: Shown & readonly Shown[] }>;

const FIELDS = '_fields=id,title,url,parent,object,object_id,invalid,ml_language';
const titlesOf = (list: readonly Shown[]): readonly unknown[] =>
  list.map(({ title }) => (title as { readonly rendered: string }).rendered);

async function makeMenu(ask: Ask): Promise<{ readonly menu: number; readonly items: readonly number[] }> {
  const menu = (await ask('menus', { body: { name: 'Main', locations: ['primary'] } })).body.id;
  const items: number[] = [];
  for (const body of [
    { type: 'post_type', object_id: 11 },
    { type: 'post_type', object_id: 13 },
    { type: 'taxonomy', object_id: 3, title: 'All news' },
    { title: 'Out', url: 'https://out.example/', classes: ['a'], target: '_blank' },
    { type: 'post_type', object: 'attachment', object_id: 21 },
  ])
    items.push((await ask('menu-items', { body: { ...body, menus: menu, parent: items[0] ?? 0 } })).body.id);
  return { menu, items };
}

const test = suite('the plugin menus');

test('items have the title and the address of what the caller may see, and the rest is left out', () =>
  inSite(true, async (site, ask) => {
    const { menu, items } = await makeMenu(ask);
    const [, hidden] = items;
    const { headers } = await site.ask({ target: `/cms/v2/menu-items?menus=${menu}&per_page=2` });
    assert.equal([headers['X-CMS-Total'], headers['X-CMS-TotalPages']], ['3', '2']);
    assert.is((await ask(`menus/${menu}`, { as: null })).body['count'], undefined);
    const seen = await ask(`menu-items?menus=${menu}&${FIELDS}`, { as: null });
    assert.equal(titlesOf(seen.body), ['Post 11', 'All news', 'Out']);
    assert.equal(
      seen.body.map(({ url }) => String(url).replace('http://site.test', '')),
      ['/en/post-11/', '/en/category/news/', 'https://out.example/'],
    );
    for (const as of [null, 'author', 'reader'])
      assert.is((await ask(`menu-items/${hidden}`, { as })).status, 404, String(as));
    assert.ok(!JSON.stringify((await ask(`menus?_embed`, { as: null })).body).includes('Secret'));
    assert.is((await ask(`menu-items?menus=${menu}`)).body.length, 5);
    // An item below a hidden one stands at the top.
    const below = await ask(`menu-items/${items[3]}`, { body: { parent: hidden } });
    const parentFor = async (as: string | null, target: string): Promise<unknown> =>
      [(await ask(target, { as })).body].flat().find(({ id }) => id === items[3])?.['parent'];
    for (const target of [`menu-items/${items[3]}`, `menu-items?menus=${menu}`]) {
      assert.equal([below.status, await parentFor(null, target)], [200, 0], target);
      assert.is(await parentFor('admin', target), hidden, target);
    }
    await ask('posts/13', { body: { status: 'publish' } });
    assert.is(await parentFor(null, `menu-items/${items[3]}`), hidden);
    assert.is((await ask(`menu-items/${hidden}`, { as: null })).status, 200);
    await ask('posts/13?force=true', { method: 'DELETE' });
    assert.is((await ask(`menu-items/${hidden}`)).body['invalid'], true);
    assert.is((await ask(`menu-items/${hidden}`, { as: null })).status, 404);
  }));

test('what an import stored is shown clean', () =>
  inSite(true, async ({ store }, ask) => {
    const { items } = await makeMenu(ask);
    const [, , news = 0, out = 0] = items;
    const urlOf = { _menu_item_type: 'custom', _menu_item_url: 'javascript:alert(1)' };
    await store.commit([
      { op: 'update', collection: 'posts', id: out, values: { meta: urlOf } },
      { op: 'update', collection: 'posts', id: news, values: { title: '' } },
      { op: 'update', collection: 'terms', id: 3, values: { name: '<img src=x> & more' } },
    ]);
    assert.is((await ask(`menu-items/${out}`, { as: null })).body['url'], '');
    const { body } = await ask(`menu-items/${news}`, { as: null });
    assert.equal(titlesOf([body]), ['&lt;img src=x&gt; &amp; more']);
  }));

test('a location has a menu for each language, and targets follow the languages of the request', () =>
  inSite(true, async ({ store }, ask) => {
    const { menu } = await makeMenu(ask);
    const french = await ask('menus', {
      language: 'fr',
      body: { name: 'Principal', locations: ['primary'], ml_translation_of: menu },
    });
    const menuIn = async (language: string, place = 'primary', query = '') =>
      (await ask(`menu-locations/${place}${query}`, { as: null, language })).body['menu'];
    assert.is(await menuIn('en'), menu);
    assert.is(await menuIn('fr'), french.body.id);
    assert.is(await menuIn('fr', 'footer'), 0);
    await ask(`menus/${menu}`, { body: { locations: ['primary', 'footer'] } });
    assert.is(await menuIn('fr', 'footer'), 0);
    assert.is(await menuIn('fr', 'footer', '?ml_fallback=en'), menu);
    assert.is((await ask(`menus/${menu}`, { body: { locations: ['nowhere'] } })).status, 400);
    const list = `menu-items?menus=${menu}&${FIELDS}`;
    const plain = await ask(list, { as: null, language: 'fr' });
    assert.equal([plain.body[0]?.['object_id'], plain.body[0]?.['ml_language']], [11, 'en']);
    const standing = await ask(`${list}&ml_fallback=en`, { as: null, language: 'fr' });
    assert.equal(titlesOf(standing.body), ['Post 12', 'All news', 'Out']);
    assert.is(standing.body[0]?.['url'], 'http://site.test/fr/post-12/');
    await ask('posts/11', { body: { status: 'draft' } });
    for (const query of ['', '&ml_fallback=en'])
      assert.not.ok(
        titlesOf((await ask(`${list}${query}`, { as: null, language: 'fr' })).body).includes('Post 12'),
        `the translation of a draft ${query}`,
      );
    await ask(`menus/${menu}?force=true`, { method: 'DELETE' });
    assert.is(await menuIn('en'), 0);
    assert.is((await ask(`menu-items?menus=${menu}`)).body.length, 0);
    const rows = (await store.find({ collection: 'menu_locations' })).records;
    assert.equal(
      rows.map((row) => row['menu']),
      [french.body.id],
    );
  }));

test('are read by those who write, and written by administrators', () =>
  inSite(false, async (_site, ask) => {
    const { menu, items } = await makeMenu(ask);
    const expected: readonly (readonly [string | null, number, number])[] = [
      [null, 401, 401],
      ['reader', 403, 403],
      ['author', 200, 403],
      ['admin', 200, 200],
    ];
    for (const [as, writers, managers] of expected) {
      for (const path of ['menus', `menus/${menu}`, 'menu-items', `menu-items/${items[0]}`])
        assert.is((await ask(path, { as })).status, writers, `${path} ${as}`);
      for (const path of ['menu-locations', 'menu-items?context=edit', 'menu-items?status=draft'])
        assert.is((await ask(path, { as })).status, managers, `${path} ${as}`);
      assert.is((await ask(`menu-items/${items[3]}`, { as, body: { title: 'New' } })).status, managers);
    }
    await ask(`menu-items/${items[3]}`, { body: { status: 'draft' } });
    for (const [as, status] of [
      ['author', 404],
      ['admin', 200],
    ] as const)
      assert.is((await ask(`menu-items/${items[3]}`, { as })).status, status, `a draft for ${as}`);
    assert.equal((await ask('search?type=term&search=main', { as: null })).body.length, 0);
  }));

const REFUSED: readonly (readonly [body: object, code: string])[] = [
  [{ title: 'x' }, 'rest_url_required'],
  [{ url: 'https://a.example' }, 'rest_title_required'],
  [{ title: 'x', url: 'javascript:alert(1)' }, 'rest_url_invalid'],
  [{ title: 'x', url: '/a', menus: 3 }, 'invalid_menu_id'],
  [{ title: 'x', url: '/a', parent: 11 }, 'rest_menu_item_invalid_parent'],
  [{ type: 'post_type', object_id: 99 }, 'rest_object_invalid_id'],
  [{ type: 'post_type_archive', object: 'post' }, 'rest_post_type_no_archive'],
  [{ type: 'post_type_archive', object: 'film' }, 'rest_post_invalid_type'],
];

test('refuse items that lead nowhere, and circles', () =>
  inSite(false, async (_site, ask) => {
    for (const [body, code] of REFUSED) assert.is((await ask('menu-items', { body })).body['code'], code);
    const { items } = await makeMenu(ask);
    const [first, second] = items;
    const other = (await ask('menus', { body: { name: 'Other' } })).body.id;
    for (const [target, body] of [
      ['menu-items', { title: 'x', url: '/x', menus: other, parent: first }],
      [`menu-items/${second}`, { menus: other }],
    ] as const)
      assert.is((await ask(target, { body })).body['code'], 'rest_menu_item_invalid_parent', target);
    const circle = await ask(`menu-items/${first}`, { body: { parent: second } });
    assert.is(circle.body['code'], 'rest_menu_item_invalid_parent');
    await ask(`menu-items/${second}`, { body: { parent: 0 } });
    const moves = [
      [first, second],
      [second, first],
    ].map(([id, parent]) => ask(`menu-items/${id}`, { body: { parent } }));
    assert.equal((await Promise.all(moves)).map(({ status }) => status).toSorted(), [200, 400]);
    await ask(`menu-items/${first}`, { body: { parent: 0 } });
    await ask(`menu-items/${second}`, { body: { parent: first } });
    await ask(`menu-items/${first}?force=true`, { method: 'DELETE' });
    const parentOf = async (id: number | undefined): Promise<unknown> =>
      (await ask(`menu-items/${id}`)).body['parent'];
    assert.is(await parentOf(second), 0);
    await ask(`menu-items/${items[2]}`, { body: { parent: second } });
    assert.is((await ask(`menu-items/${second}`, { body: { menus: other } })).status, 200);
    assert.is(await parentOf(items[2]), 0);
  }));

test('links of navigations in posts follow what their readers may see, by both spellings of the block', () =>
  inSite(false, async (_site, ask) => {
    const link = (name: string, id: unknown): string =>
      `<!-- cms:${name} ${JSON.stringify({ id, kind: 'post-type' })} /-->`;
    for (const name of ['navigation-link', 'core/navigation-link']) {
      await ask('posts/13', { body: { status: 'publish', slug: 'target' } });
      await ask('posts/11', { body: { content: `${link(name, 'none')}${link(name, 13)}` } });
      const shown = async (): Promise<readonly boolean[]> => {
        const answers = ['posts/11', 'posts?include=11', 'posts/11?_fields=id,content'].map((target) =>
          ask(target, { as: null }),
        );
        return (await Promise.all(answers)).map(({ body }) => JSON.stringify(body).includes('/target/'));
      };
      assert.equal(await shown(), [true, true, true], name);
      await ask('posts/13', { body: { status: 'private' } });
      assert.equal(await shown(), [false, false, false], name);
    }
  }));

test('navigations are read by everybody, with the addresses of their targets', () =>
  inSite(false, async (_site, ask) => {
    const link = (label: string, id: number): string =>
      `<!-- cms:navigation-link {"label":"${label}","id":${id},"kind":"post-type","url":"/old"} /-->`;
    const { id } = (
      await ask('navigation', {
        body: { title: 'Nav', status: 'publish', content: `${link('One', 11)}${link('Two', 13)}` },
      })
    ).body;
    const { status, body } = await ask(`navigation/${id}`, { as: null });
    const { rendered } = body['content'] as { readonly rendered: string };
    assert.is(status, 200);
    assert.match(rendered, 'href="http://site.test/en/post-11/"');
    assert.ok(!rendered.includes('Two'));
    assert.is((await ask('navigation', { as: 'author', body: { title: 'x' } })).status, 403);
  }));

const addsPages = (names?: Names): Promise<void> =>
  inSite(
    true,
    async ({ store }, ask) => {
      const make = async (name: string, auto_add: boolean, language: string) =>
        (await ask('menus', { body: { name, auto_add }, language })).body;
      const menu = await make('Main', true, 'en');
      const [french, other] = [await make('Principal', true, 'fr'), await make('Other', true, 'en')];
      assert.equal([menu['auto_add'], (await make('Off', false, 'en'))['auto_add']], [true, false]);
      const off = await ask(`menus/${other.id}`, { body: { auto_add: false } });
      assert.is(off.body['auto_add'], false);
      const page = async (body: object): Promise<number> => (await ask('pages', { body })).body.id;
      const first = await page({ title: 'First', status: 'draft' });
      const change = (status: string) => ask(`pages/${first}`, { body: { status } });
      await change('publish');
      await page({ title: 'Below', status: 'publish', parent: first });
      await change('draft');
      await change('publish');
      await page({ title: 'Second', status: 'publish' });
      const pagesOf = async (id: number): Promise<readonly unknown[]> =>
        titlesOf((await ask(`menu-items?menus=${id}`, { as: null })).body);
      await until(async () => (await pagesOf(menu.id)).includes('Second'), 'the second page');
      assert.equal(await pagesOf(menu.id), ['First', 'Second']);
      assert.equal([await pagesOf(other.id), await pagesOf(french.id)], [[], []]);
      // An item that somebody removed stays away, and so do imported pages and those that went at once.
      const [item] = (await ask(`menu-items?menus=${menu.id}`)).body;
      await ask(`menu-items/${item?.id}?force=true`, { method: 'DELETE' });
      await ask(`pages/${first}`, { body: { title: 'Edited' } });
      const imported = await page({ title: 'Imported', status: 'draft' });
      const publish = {
        op: 'update',
        collection: 'posts',
        id: imported,
        values: { status: 'publish' },
      } as const;
      await runWithSource({ by: 1, from: 'import', request: '' }, () => store.commit([publish]));
      for (const title of ['Gone', 'Gone too', 'Gone as well'])
        await ask(`pages/${await page({ title, status: 'publish' })}?force=true`, { method: 'DELETE' });
      await page({ title: 'Last', status: 'publish' });
      await until(async () => (await pagesOf(menu.id)).includes('Last'), 'the last page');
      assert.equal(await pagesOf(menu.id), ['Second', 'Last']);
    },
    names,
  );

test('a page without a parent is added once to the menus of its language that want it, when it is published', async () => {
  await addsPages();
  await addsPages(WORDPRESS_NAMES);
});

test('an empty block of navigation shows the newest one, which is made of the primary menu if there is none', () =>
  inSite(false, async (site, ask) => {
    const { menu, items } = await makeMenu(ask);
    await ask(`menu-items/${items[3]}`, { body: { parent: items[0], title: 'Out -->' } });
    const target = '/cms-block-editor/v1/navigation-fallback';
    const idFor = async (as: string | null, language = 'en') => {
      const { status, body } = await site.ask({ target, as, language });
      return [status, (body as Shown).id] as const;
    };
    for (const as of [null, 'reader', 'author'])
      assert.is((await idFor(as))[0], as === null ? 401 : 403, String(as));
    assert.equal((await ask('navigation')).body, []);
    const foreign = { target, as: 'admin', headers: { 'sec-fetch-site': 'cross-site' } };
    assert.is((await site.ask(foreign)).status, 403);
    assert.is((await site.ask({ target, as: 'admin', method: 'HEAD' })).status, 404);
    assert.equal((await ask('navigation')).body, []);
    const many = Array.from({ length: 100 }, (_, at) => ({
      title: `Many ${at}`,
      url: 'https://out.example/',
    }));
    for (const body of many) await ask('menu-items', { body: { ...body, menus: menu } });
    // Several at once make one.
    const made = await Promise.all(Array.from({ length: 8 }, () => idFor('admin')));
    const [[, id] = []] = made;
    assert.equal(new Set(made.map(String)), new Set([`200,${id}`]));
    assert.is((await ask('navigation')).body.length, 1);
    const { title, content: kept, ...shown } = (await ask(`navigation/${id}?context=edit`)).body;
    assert.equal([(title as { raw: string }).raw, shown['status']], ['Main', 'publish']);
    const { raw, rendered } = kept as { readonly raw: string; readonly rendered: string };
    assert.match(
      raw,
      /^<!-- cms:navigation-submenu {"id":11,"kind":"post-type","label":"Post 11","type":"post"/,
    );
    assert.match(raw, '"opensInNewTab":true');
    assert.match(raw, '{"id":13,"kind":"post-type","type":"post"}');
    assert.not.match(raw, 'Secret');
    assert.match(raw, 'Many 99');
    assert.match(raw, '"url":"http://site.test/en/post-11/"');
    assert.match(raw, 'Out \\u002d\\u002d');
    assert.match(rendered, /<ul class="wp-block-navigation__submenu-container">.*Secret.*Out/s);
    const read = await ask(`navigation/${id}`, { as: 'reader' });
    assert.is(read.status, 200);
    assert.not.match(JSON.stringify(read.body), 'Secret');
    // Another language has its own, with all pages, because it has no menu.
    const [, other] = await idFor('admin', 'fr');
    const french = (await ask(`navigation/${other}?context=edit`)).body;
    assert.equal(
      [(french['content'] as { raw: string }).raw, french['ml_language']],
      ['<!-- cms:page-list /-->', 'fr'],
    );
  }));

test.run();
