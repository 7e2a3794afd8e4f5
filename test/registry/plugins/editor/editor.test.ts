import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { engineError, eq } from '../../../../lib/index.ts';
import { type Outbound, type OutboundAnswer, OutboundRefused } from '../../../../lib/ports/outbound.ts';
import { corePlugins, editor, WORDPRESS_NAMES } from '../../../../registry/index.ts';
import { createWholeSite, type WholeSite } from '../../../support/whole-site.ts';

const FIXTURE = {
  site: { name: 'Editor', timezone_string: 'UTC' },
  users: [
    { id: 1, login: 'author', name: 'Author', slug: 'author', role: 'author' },
    { id: 2, login: 'reader', name: 'Reader', slug: 'reader', role: 'subscriber' },
    { id: 4, login: 'writer', name: 'Writer', slug: 'writer', role: 'contributor' },
    { id: 3, login: 'admin', name: 'Admin', slug: 'admin', role: 'administrator' },
  ],
};

async function inSite(run: (site: WholeSite) => Promise<void>, outbound?: Outbound): Promise<void> {
  const site = await createWholeSite({
    ...(outbound === undefined ? {} : { outbound }),
    fixture: FIXTURE,
    content: 'core',
    names: WORDPRESS_NAMES,
    plugins: [...corePlugins, editor],
  });
  try {
    await run(site);
  } finally {
    await site.close();
  }
}

/** Requests of `@wordpress/core-data` and `@wordpress/edit-post` about the look of the site, with the body that each gets. */
const ASKED: readonly (readonly [path: string, as: string, body: unknown])[] = [
  ['block-patterns/patterns', 'author', []],
  ['block-patterns/categories', 'author', []],
  ['block-types?context=edit&per_page=100', 'author', []],
  ['templates/lookup?slug=single-post-a', 'author', {}],
  ['templates?context=edit&per_page=-1', 'author', []],
  ['global-styles/themes/headless?context=edit', 'author', { settings: {}, styles: {} }],
  ['global-styles/themes/headless/variations', 'author', []],
  ['font-collections?per_page=100', 'admin', []],
  ['themes?status=inactive', 'author', []],
];

const suiteOfEditor = suite('the plugin editor');

suiteOfEditor('answers what the editor asks about the look of the site', () =>
  inSite(async (site) => {
    for (const [path, as, body] of ASKED) {
      const answer = await site.ask({ target: `/wp/v2/${path}`, as });
      assert.is(answer.status, 200, `${path}: ${answer.text}`);
      assert.equal(answer.body, body, path);
    }
    const { body } = await site.ask({ target: '/wp/v2/themes?context=edit&status=active', as: 'author' });
    const [theme] = body as readonly { stylesheet: string; theme_supports: Record<string, unknown> }[];
    assert.is(theme?.theme_supports['post-thumbnails'], true);
    assert.is((await site.ask({ target: `/wp/v2/themes/${theme?.stylesheet}`, as: 'author' })).status, 200);
  }),
);

suiteOfEditor('is for those who write, and knows one theme', () =>
  inSite(async (site) => {
    const statusOf = async (path: string, as: string | null) =>
      (await site.ask({ target: `/wp/v2/${path}`, as })).status;
    assert.is(await statusOf('themes?status=active', null), 401);
    assert.is(await statusOf('themes?status=active', 'reader'), 403);
    assert.is(await statusOf('themes/other', 'author'), 404);
    assert.is(await statusOf('global-styles/themes/other', 'author'), 404);
    assert.is(await statusOf('templates/lookup', 'author'), 400);
  }),
);

suiteOfEditor('one user at a time has the lock of a record, and the draft of its author is theirs', () =>
  inSite(async (site) => {
    const ask = async (target: string, as: string | null, { method = 'POST', body = {} } = {}) => {
      const answer = await site.ask({ method, target, as, ...(method === 'GET' ? {} : { body }) });
      return { status: answer.status, body: answer.body as Record<string, unknown> };
    };
    const { id } = (await ask('/wp/v2/posts', 'author', { body: { title: 'Draft', content: 'one' } })).body;
    const lock = `/editor/v1/locks/${String(id)}`;
    const holderOf = async (as: string, how: { method?: string; body?: object } = {}) => {
      const { user, name, mine } = (await ask(lock, as, how)).body;
      return [user, name, mine];
    };
    assert.equal(await holderOf('admin', { method: 'GET' }), [0, '', false]);
    assert.equal(await holderOf('author'), [1, 'Author', true]);
    assert.equal(await holderOf('author'), [1, 'Author', true]);
    assert.equal(await holderOf('admin'), [1, 'Author', false]);
    assert.equal(await holderOf('admin', { method: 'DELETE' }), [1, 'Author', false]);
    assert.equal(await holderOf('admin', { body: { take_over: true } }), [3, 'Admin', true]);
    assert.equal(await holderOf('author'), [3, 'Admin', false]);
    const autosave = async (content: string): Promise<unknown> =>
      (await ask(`/wp/v2/posts/${String(id)}/autosaves`, 'author', { body: { content } })).body['parent'];
    const contentOf = async (): Promise<string> => {
      const { body } = await ask(`/wp/v2/posts/${String(id)}?context=edit`, 'author', { method: 'GET' });
      return (body['content'] as { raw: string }).raw;
    };
    assert.equal([await autosave('two'), await contentOf()], [id, 'one']);
    assert.equal(await holderOf('admin', { method: 'DELETE' }), [0, '', false]);
    assert.equal([await autosave('three'), await contentOf()], [0, 'three']);
    // Who may only read the record, as everybody may now, neither sees nor takes its lock.
    await ask(`/wp/v2/posts/${String(id)}`, 'admin', { body: { status: 'publish' } });
    for (const [as, status] of [
      [null, 401],
      ['reader', 403],
      ['writer', 403],
    ] as const)
      for (const method of ['GET', 'POST', 'DELETE'])
        assert.is((await ask(lock, as, { method })).status, status, `${method} ${as}`);
    await site.store.commit([
      { op: 'update', collection: 'posts', id: Number(id), values: { type: 'left_out' } },
    ]);
    for (const target of [lock, '/editor/v1/locks/999']) {
      const { status, body } = await ask(target, 'admin');
      assert.equal([status, body['code']], [404, 'rest_post_invalid_id'], target);
    }
    await site.store.commit([
      { op: 'update', collection: 'posts', id: Number(id), values: { type: 'post' } },
    ]);
    assert.equal(await holderOf('admin'), [3, 'Admin', true]);
    await ask(`/wp/v2/posts/${String(id)}?force=true`, 'admin', { method: 'DELETE' });
    assert.equal(
      (await site.store.find({ collection: 'locks', where: eq('name', `edit ${String(id)}`) })).records,
      [],
    );
  }),
);

const PAGE = `<!doctype html><head><svg><title>drawing</title></svg><title>
  Ferries &amp; boats</title><title>second</title>
  <link rel="shortcut icon" href="/i.png"><meta property="og:description" content="All &quot;lines&quot;">
  <meta name="description" content="later"><meta property="og:image" content="javascript:alert(1)">
  <meta property="og:image:url" content="pier.jpg"></head><body><title>third</title></body>`;

const latin = (head: string): Uint8Array => Buffer.from(`${head}<title>Fähre</title>`, 'latin1');
/** Pages in charsets other than UTF-8, and one in a charset that nobody knows. */
const CODED = new Map<string, Pick<OutboundAnswer, 'headers' | 'body'>>([
  [
    'https://ships.example/1',
    { headers: { 'content-type': 'text/html; charset=ISO-8859-1' }, body: latin('') },
  ],
  ['https://ships.example/2', { headers: {}, body: latin('<meta charset="windows-1252">') }],
  [
    'https://ships.example/3',
    { headers: { 'content-type': 'text/html;charset=x-none' }, body: Buffer.from('<title>Fähre</title>') },
  ],
]);

suiteOfEditor('reads the head of a linked page with the one way out, and asks itself about own pages', () => {
  const asked: unknown[] = [];
  const outbound: Outbound = async ({ url, cut }) => {
    asked.push([url, cut]);
    if (url.includes('inner')) throw new OutboundRefused(new Error('127.0.0.1'));
    if (url.includes('busy')) throw new OutboundRefused(engineError('rest_overloaded'));
    const status = url.endsWith('gone') ? 404 : 200;
    const { headers, body } = CODED.get(url) ?? { headers: {}, body: Buffer.from(PAGE) };
    return { status, url: 'https://ships.example/a/', headers, body };
  };
  return inSite(async (site) => {
    const ask = async (url: string, as: string | null = 'author') => {
      const target = `/wp-block-editor/v1/url-details?url=${encodeURIComponent(url)}`;
      const { status, body, headers } = await site.ask({ target, as });
      return { status, body: body as Record<string, unknown>, wait: headers['Retry-After'] };
    };
    assert.equal((await ask('https://ships.example/')).body, {
      title: 'Ferries & boats',
      icon: 'https://ships.example/i.png',
      description: 'All "lines"',
      image: 'https://ships.example/a/pier.jpg',
    });
    for (const url of ['https://ships.example/gone', 'http://inner.example/']) {
      const { status, body } = await ask(url);
      assert.equal([status, body['code']], [404, 'no_response'], url);
    }
    assert.equal(asked, [
      ['https://ships.example/', true],
      ['https://ships.example/gone', true],
      ['http://inner.example/', true],
    ]);
    const { body: made } = await site.ask({
      method: 'POST',
      target: '/wp/v2/posts',
      as: 'author',
      body: { title: 'Pier & Kai', status: 'publish' },
    });
    const { link } = made as { readonly link: string };
    assert.is((await ask(link)).body['title'], 'Pier & Kai');
    assert.is((await ask(`${link}none`)).body['code'], 'no_response');
    const { name } = (await site.ask({ target: '/' })).body as { readonly name: string };
    assert.is((await ask(`${new URL('/en/', link).href}`)).body['title'], name);
    assert.equal([(await ask(link, null)).status, (await ask(link, 'reader')).status], [401, 403]);
    for (const url of ['no address', 'mailto:a@ships.example', 'file:///etc/hosts'])
      assert.is((await ask(url)).body['code'], 'rest_invalid_url', url);
    assert.is(asked.length, 3);
    for (const url of CODED.keys()) assert.is((await ask(url)).body['title'], 'Fähre', url);
    const { status, body, wait } = await ask('https://busy.example/');
    assert.equal([status, body['code'], wait], [503, 'rest_overloaded', '1']);
  }, outbound);
});

suiteOfEditor.run();
