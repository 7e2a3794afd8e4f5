import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../../../adapters/memory-store.ts';
import { collectionsOf, createContentModel } from '../../../../registry/index.ts';
import { changes, corePlugins } from '../../../../registry/plugins.ts';
import { createWholeSite, type Answer } from '../../../support/whole-site.ts';

const plugins = [...corePlugins, changes];
const FEED = '/changes/v1/changes';

const tags = suite('tags of cached responses');

tags('name what a response shows, and every event that changes it names one of them', async () => {
  const site = await createWholeSite({
    fixture: {
      site: { name: 'Tags', timezone_string: 'UTC', default_category: 1 },
      users: [{ id: 1, login: 'admin', name: 'Admin', slug: 'admin', role: 'administrator' }],
      categories: [{ id: 1, name: 'None', slug: 'none' }],
    },
    plugins,
    content: 'core',
    store: createMemoryStore(collectionsOf(createContentModel('core'), plugins)),
    cache: { tags: 'xkey', sharedMaxAge: 600 },
  });
  const tagsOf = ({ headers }: Answer): readonly string[] => (headers['xkey'] ?? '').split(' ');
  const read = (target: string, as: string | null = null) => site.ask({ target, as });
  const write = async (target: string, body: unknown, method = 'POST') =>
    Number(((await site.ask({ method, target, as: 'admin', body })).body as { id: number }).id);
  const one = await write('/cms/v2/posts', { title: 'One', status: 'publish' });
  const targets = [
    `/cms/v2/posts/${one}`,
    '/cms/v2/posts',
    '/cms/v2/posts?ml_language=fr',
    '/cms/v2/categories',
    '/cms/v2/users',
    '/cms/v2/media',
    '/cms/v2/search?search=one',
  ];
  const single = await read(targets[0] as string);
  assert.equal(
    [single.headers['Cache-Control'], tagsOf(single)],
    ['s-maxage=600', [`posts-${one}`, 'terms:en', 'terms', 'media', 'users', 'settings']],
  );
  assert.equal(tagsOf(await read('/cms/v2/posts')).slice(0, 2), [`posts-${one}`, 'posts:en']);
  const known = await read(targets[0] as string, 'admin');
  assert.equal(
    [known.headers['xkey'], /s-maxage/.test(known.headers['Cache-Control'] ?? '')],
    [undefined, false],
  );
  assert.is((await read('/cms/v2/posts/999')).headers['xkey'], undefined);

  const writes: readonly (() => Promise<unknown>)[] = [
    () => write('/cms/v2/posts', { title: 'Two', status: 'publish' }),
    () => write(`/cms/v2/posts/${one}`, { title: 'Again' }),
    () => write(`/cms/v2/posts/${one}`, { ml_language: 'fr' }),
    () => write('/cms/v2/categories', { name: 'News' }),
    () => write('/cms/v2/settings', { title: 'Renamed' }),
    () => write(`/cms/v2/posts/${one}`, { status: 'draft' }),
  ];
  for (const [at, change] of writes.entries()) {
    const before = await Promise.all(targets.map((each) => read(each)));
    const { headers } = await read(`${FEED}?after=now`, 'admin');
    await change();
    const purged = new Set<string>();
    for (const language of ['en', 'fr']) {
      const target = `${FEED}?after=${String(headers['X-CMS-Cursor'])}&ml_language=${language}`;
      for (const item of (await read(target, 'admin')).body as readonly {
        readonly tags: readonly string[];
      }[])
        for (const tag of item.tags) purged.add(tag);
    }
    for (const [index, target] of targets.entries()) {
      const known = before[index] as Answer;
      const isSame = (await read(target)).text === known.text;
      assert.ok(isSame || tagsOf(known).some((tag) => purged.has(tag)), `write ${at}: ${target}`);
    }
  }
  await site.close();
});

tags('are separated as their header wants it, and are not there by default', async () => {
  const open = (cache: { readonly tags?: string }) =>
    createWholeSite({
      fixture: {
        site: { name: 'Tags' },
        posts: [{ id: 1, title: 'One', status: 'publish', author: 1, date: '2026-01-01T00:00:00' }],
        users: [{ id: 1, login: 'admin', name: 'A', slug: 'a', role: 'administrator' }],
      },
      cache,
    });
  const [named, bare] = [await open({ tags: 'Cache-Tag' }), await open({})];
  const { headers } = await named.ask({ target: '/cms/v2/posts/1' });
  assert.is(headers['Cache-Tag'], 'posts-1,terms:en,terms,media,users,settings');
  const plain = (await bare.ask({ target: '/cms/v2/posts/1' })).headers;
  assert.equal([plain['Cache-Tag'], plain['Cache-Control']], [undefined, undefined]);
  await named.close();
  await bare.close();
});

tags.run();
