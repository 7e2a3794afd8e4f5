import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../../../adapters/memory-store.ts';
import { isObject } from '../../../../lib/core/objects.ts';
import { StoreError } from '../../../../lib/store/store.ts';
import { collectionsOf, createContentModel } from '../../../../registry/index.ts';
import { changes, menus, seedPlugins } from '../../../../registry/plugins.ts';
import type { SiteOptions } from '../../../../registry/site-options.ts';
import type { Fixture } from '../../../../registry/transfer/fixture/fixture.ts';
import { at, sendRpc, subscribe } from '../../../support/mcp-client.ts';
import { type Answer, createWholeSite, toRequest, type WholeSite } from '../../../support/whole-site.ts';

const FIXTURE: Fixture = {
  site: { name: 'Feed', timezone_string: 'UTC', default_category: 1 },
  users: [
    { id: 1, login: 'admin', name: 'Admin', slug: 'admin', role: 'administrator' },
    { id: 2, login: 'editor', name: 'Editor', slug: 'editor', role: 'editor', email: 'e@example.com' },
    { id: 3, login: 'author', name: 'Author', slug: 'author', role: 'author' },
  ],
  categories: [{ id: 1, name: 'None', slug: 'none' }],
  posts: [],
};

const plugins = [...seedPlugins, changes, menus];
const open = (options: Partial<SiteOptions> & { readonly fixture?: Fixture } = {}): Promise<WholeSite> =>
  createWholeSite({
    fixture: FIXTURE,
    plugins,
    store: createMemoryStore(collectionsOf(createContentModel(), plugins)),
    ...options,
  });

interface Item {
  readonly cursor: string;
  readonly collection: string;
  readonly id: number;
  readonly op: string;
  readonly [member: string]: unknown;
}
const items = ({ body }: Answer): readonly Item[] => body as readonly Item[];
const code = ({ body }: Answer): unknown => (isObject(body) ? body['code'] : undefined);
const FEED = '/changes/v1/changes';
const post = (site: WholeSite, body: unknown, id?: number): Promise<Answer> =>
  site.ask({
    method: 'POST',
    target: `/cms/v2/posts${id === undefined ? '' : `/${id}`}`,
    as: 'admin',
    body,
  });
const idOf = ({ body }: Answer): number => Number((body as { readonly id: number }).id);

const feed = suite('the feed of changes');

feed('is there only for a site that names it', async () => {
  const site = await createWholeSite({ fixture: FIXTURE });
  assert.is((await site.ask({ target: FEED })).status, 404);
  await site.close();
});

feed('removes what becomes invisible, and says nothing of what was never seen', async () => {
  const site = await open();
  const start = (await site.ask({ target: `${FEED}?after=now` })).headers['X-CMS-Cursor'];
  const draft = idOf(await post(site, { title: 'Draft', status: 'draft' }));
  await post(site, { title: 'Draft again' }, draft);
  await post(site, { status: 'trash' }, draft);
  const read = async (after: unknown, as: string | null = null): Promise<Answer> =>
    site.ask({ target: `${FEED}?collections=posts&after=${String(after)}`, as });
  assert.equal(items(await read(start)), []);
  const shown = idOf(await post(site, { title: 'Shown', status: 'publish' }));
  let at = (await read(start)).headers['X-CMS-Cursor'];
  const ways = [{ status: 'private' }, { password: 'x' }, { status: 'draft' }, { ml_language: 'fr' }];
  for (const way of ways) {
    await post(site, way, shown);
    const gone = await read(at);
    assert.equal(
      items(gone).map(({ op, id }) => [op, id]),
      [['remove', shown]],
      JSON.stringify(way),
    );
    assert.equal(Object.keys(items(gone)[0] ?? {}).toSorted(), [
      'at',
      'collection',
      'cursor',
      'id',
      'op',
      'tags',
      'type',
    ]);
    assert.is(gone.headers['X-CMS-Caught-Up'], 'true');
    await post(site, { status: 'publish', password: '', ml_language: 'en' }, shown);
    at = (await read(at)).headers['X-CMS-Cursor'];
  }
  const own = items(await read(start, 'admin')).at(-1);
  assert.equal([own?.['by'], own?.['from'], own?.op], [1, 'request', 'put']);
  assert.is(items(await read(start)).at(-1)?.['by'], undefined);
  // Anonymous readers share pages, but only those of one language.
  const shares = ['en', 'fr'].map((language) =>
    site.ask({ target: `${FEED}?collections=posts&after=${String(start)}`, language }),
  );
  assert.equal(
    (await Promise.all(shares)).map((answer) => items(answer).some(({ op }) => op === 'put')),
    [true, false],
  );
  await site.close();
});

feed('tells of hidden terms and of notes only whom their routes show them', async () => {
  const site = await open({ content: 'core' });
  const start = (await site.ask({ target: `${FEED}?after=now` })).headers['X-CMS-Cursor'];
  const make = (path: string, body: object): Promise<Answer> =>
    site.ask({ method: 'POST', target: `/cms/v2/${path}`, as: 'editor', body });
  const note = {
    post: idOf(await make('posts', { title: 'One', content: 'Text', status: 'publish' })),
    type: 'note',
  };
  const noted = idOf(await make('comments', { ...note, content: 'Typo' }));
  await site.ask({ method: 'POST', target: '/cms/v2/menus', as: 'admin', body: { name: 'Menu' } });
  const read = async (as: string | null): Promise<readonly unknown[]> => {
    const target = `${FEED}?collections=terms,comments&after=${String(start)}`;
    return items(await site.ask({ target, as })).map(({ op, type }) => [op, type]);
  };
  assert.equal(await read(null), []);
  assert.equal(await read('editor'), [
    ['put', 'note'],
    ['put', 'nav_menu'],
  ]);
  await make(`comments/${noted}`, { status: 'trash' });
  assert.not.ok((await read('editor')).some((each) => String(each) === 'put,note'));
  await site.close();
});

feed(
  'shows what belongs to a post when the post appears, each once however small the pages are',
  async () => {
    const site = await open();
    const id = idOf(await post(site, { title: 'Draft', status: 'draft', ml_language: 'fr' }));
    const other = idOf(await post(site, { title: 'Draft', status: 'draft' }));
    const values = { author: 1, status: 'inherit', parent: id };
    const [one, two] = await site.store.commit(
      ['a', 'b'].map((slug) => ({ op: 'create', collection: 'media', values: { ...values, slug } })),
    );
    let at: unknown = '-1';
    const read = async (): Promise<readonly unknown[]> => {
      const all: unknown[] = [];
      for (;;) {
        const page = await site.ask({
          target: `${FEED}?collections=posts,media&per_page=1&after=${String(at)}`,
        });
        all.push(...items(page).map((item) => [item.op, item.collection, item.id]));
        at = page.headers['X-CMS-Cursor'];
        if (page.headers['X-CMS-Caught-Up'] === 'true') return all;
      }
    };
    assert.equal(await read(), []);
    await post(site, { status: 'publish' }, id);
    await post(site, { status: 'publish' }, other);
    assert.equal(await read(), [
      ['put', 'media', one?.id],
      ['put', 'media', two?.id],
      ['put', 'posts', other],
    ]);
    await post(site, { status: 'draft' }, id);
    assert.equal(await read(), [['remove', 'posts', id]], 'which takes its files with it');
    await site.close();
  },
);

feed(
  'refuses cursors that are forged, cut, foreign or of the future, and says where to begin again',
  async () => {
    const site = await open();
    const other = await open({ secret: new Uint8Array(32).fill(8) });
    const id = idOf(await post(site, { title: 'One', status: 'publish' }));
    const cursor = String((await site.ask({ target: FEED })).headers['X-CMS-Cursor']);
    const foreign = String((await other.ask({ target: FEED })).headers['X-CMS-Cursor']);
    const later = await open();
    const flipped = `${cursor.startsWith('A') ? 'B' : 'A'}${cursor.slice(1)}`;
    for (const [each, on] of [
      [flipped, site],
      [cursor.slice(0, -3), site],
      [foreign, site],
      ['xyz', site],
      [cursor, later],
    ] as const)
      assert.is(code(await on.ask({ target: `${FEED}?after=${each}` })), 'rest_invalid_cursor');
    const early = items(await site.ask({ target: `${FEED}?per_page=1` }))[0]?.cursor ?? '';
    await site.store.forgetChanges({ posts: 1000, terms: 1000, users: 1000, options: 1000 });
    while (await site.store.forgetChanges({ posts: 1000, terms: 1000, users: 1000, options: 1000 }));
    const expired = await site.ask({ target: `${FEED}?after=${early}` });
    assert.equal([expired.status, code(expired)], [410, 'rest_cursor_expired']);
    const { location } = (expired.body as { data: { location: string } }).data;
    const again = await site.ask({ target: location.slice(location.indexOf(FEED)) });
    assert.ok(items(again).some((item) => item.collection === 'posts' && item.id === id));
    for (const each of [site, other, later]) await each.close();
  },
);

feed('is read again after a failure of the store, also by those who share pages', async () => {
  let isAway = false;
  const memory = createMemoryStore(collectionsOf(createContentModel(), plugins));
  const { changes: readLog } = memory;
  Object.assign(memory, {
    changes: (...args: Parameters<typeof readLog>) =>
      isAway ? Promise.reject(new StoreError('unavailable', 'away')) : Reflect.apply(readLog, memory, args),
  });
  const site = await open({ store: memory });
  const start = (await site.ask({ target: `${FEED}?after=now` })).headers['X-CMS-Cursor'];
  await post(site, { title: 'Shown', status: 'publish' });
  const target = `${FEED}?collections=posts&after=${start}`;
  isAway = true;
  assert.is((await site.ask({ target })).status, 503);
  isAway = false;
  assert.is(items(await site.ask({ target })).length, 1);
  await site.close();
});

feed('reads what a caller does not see in parts, however small the page is', async () => {
  let finds = 0;
  const store = createMemoryStore(collectionsOf(createContentModel(), plugins));
  const counted = new Proxy(store, {
    get: (target, name) => {
      if (name === 'find') finds += 1;
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
  const site = await open({ store: counted });
  for (let at = 0; at < 60; at += 1) await post(site, { title: `Draft ${at}`, status: 'draft' });
  for (const after of ['all', '-1']) {
    const before = finds;
    const page = await site.ask({ target: `${FEED}?collections=posts&per_page=1&after=${after}` });
    assert.equal([page.status, items(page)], [200, []]);
    assert.ok(finds - before < 30, `${after}: ${finds - before} queries`);
  }
  await site.close();
});

feed('ends a stream when the record of its caller changes', async () => {
  const [, editor] = FIXTURE.users ?? [];
  const site = await open({
    fixture: {
      ...FIXTURE,
      users: [{ ...editor, id: 2, login: 'editor', password: 'editorpass' }],
    } as Fixture,
  });
  const authorization = `Basic ${Buffer.from('editor:editorpass').toString('base64')}`;
  const request = toRequest({ target: `${FEED}?after=now&live=sse`, headers: { authorization } });
  const { status, stream } = await site.engine.serve(request);
  assert.is(status, 200);
  assert.is((await stream?.next())?.done, false);
  await site.store.commit([{ op: 'update', collection: 'users', id: 2, values: { role: 'subscriber' } }]);
  let rest = '';
  for (let part = await stream?.next(); part?.done === false; part = await stream?.next())
    rest += Buffer.from(part.value as Uint8Array).toString();
  assert.match(rest, 'event: restart');
  assert.not.match(rest, 'event: change');
  await site.close();
});

feed('tells subscribers of resources only what everybody sees', async () => {
  const site = await open({ mcp: true });
  const id = idOf(await post(site, { title: 'One', slug: 'one', status: 'publish' }));
  const other = idOf(await post(site, { title: 'Deux', slug: 'deux', status: 'publish', ml_language: 'fr' }));
  await post(site, { title: 'Draft', slug: 'draft', status: 'draft' });
  const [one, deux, draft] = [
    'content://en/posts/one',
    'content://fr/posts/deux',
    'content://en/posts/draft',
  ];
  const as = { authorization: 'Bearer admin' };
  const stop = new AbortController();
  const modern = subscribe(
    site.engine,
    {
      method: 'subscriptions/listen',
      params: { notifications: { toolsListChanged: true, resourceSubscriptions: [one, draft, deux] } },
      headers: as,
    },
    stop.signal,
  );
  const legacy = subscribe(site.engine, {
    method: 'resources/subscribe',
    params: { uri: one },
    headers: as,
    legacy: true,
  });
  const next = async (stream: typeof modern, path: string): Promise<unknown> =>
    at((await stream.next()).value, path);
  assert.equal(await next(modern, 'params.notifications'), { resourceSubscriptions: [one, deux] });
  assert.equal(await next(legacy, 'result'), {});
  for (const way of [{ title: 'Two' }, { status: 'private' }]) {
    await post(site, way, id);
    assert.is(await next(modern, 'params.uri'), one, JSON.stringify(way));
    assert.equal(await next(legacy, 'params'), { uri: one }, JSON.stringify(way));
  }
  // What happens unseen is not told: the next message is of the other record.
  await post(site, { title: 'Three', status: 'draft' }, id);
  await post(site, { title: 'Trois' }, other);
  assert.is(await next(modern, 'params.uri'), deux);
  await legacy.return(undefined);
  stop.abort();
  assert.is(await next(modern, 'result.resultType'), 'complete');
  assert.is((await modern.next()).done, true);
  const unread = {
    method: 'resources/subscribe',
    params: { uri: draft },
    headers: as,
    legacy: true,
  } as const;
  assert.is((await sendRpc(site.engine, unread)).body?.error?.code, -32_002);
  await site.close();
});

feed.run();
