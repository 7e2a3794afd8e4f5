import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import WPAPI from 'wpapi';
import { passwordOf, withClientServer } from '../support/clients/server.ts';

const LOGIN = { username: 'editor', password: passwordOf('editor') };
type Site = Awaited<ReturnType<typeof WPAPI.discover>>;

async function readAll(site: Site): Promise<void> {
  const posts = await site.posts().perPage(5).embed().get();
  assert.equal([posts.length, posts._paging?.total, posts._paging?.totalPages], [5, 34, 7]);
  assert.equal(Object.keys(posts[0]?._embedded ?? {}).toSorted(), ['author', 'wp:term']);
  const next = await posts._paging?.next?.get();
  assert.is(next?.length, 5);
  assert.is((await site.posts().categories([2]).orderby('title').order('asc').get()).length, 3);
  assert.is((await site.posts().search('revised').get())[0]?.slug, 'revised');
  assert.is((await site.posts().slug('revised').get())[0]?.id, 144);
  assert.is((await site.posts().id(144).get()).slug, 'revised');
  assert.is((await site.pages().slug('team').get())[0]?.id, 702);
  assert.equal(
    [
      (await site.categories().get()).length,
      (await site.tags().get()).length,
      (await site.media().get()).length,
      (await site.users().get()).length,
      (await site.comments().get()).length,
    ],
    [7, 5, 5, 4, 6],
  );
  assert.equal(Object.keys(await site.types().get()).toSorted(), ['attachment', 'book', 'page', 'post']);
  assert.equal(Object.keys(await site.taxonomies().get()).toSorted(), ['category', 'genre', 'post_tag']);
  assert.equal(Object.keys(await site.statuses().get()), ['publish']);
  // Known from the index alone.
  assert.is((await site.books().param('genres', [92]).get()).length, 2);
}

async function writeAll(site: Site): Promise<void> {
  assert.is((await site.users().me().get()).slug, 'editor');
  const { id } = await site.posts().create({ title: 'Low tide', status: 'publish', tags: [11] });
  assert.is((await site.posts().id(id).update({ title: 'High tide' })).title.rendered, 'High tide');
  assert.is((await site.posts().id(id).revisions().get()).length, 1);
  assert.is((await site.posts().id(id).delete({ force: true })).deleted, true);
  const tag = await site.tags().create({ name: 'Shore' });
  assert.is((await site.tags().id(tag.id).delete({ force: true })).deleted, true);
  const book = await site.books().create({ title: 'Tides', meta: { isbn: '42' }, genres: [91] });
  assert.is((await site.books().id(book.id).get()).meta['isbn'], '42');
  const file = await site
    .media()
    .file(Buffer.from('Low water at six.'), 'tides.txt')
    .create({ title: 'Tides' });
  assert.is((await site.media().id(file.id).delete({ force: true })).deleted, true);
}

const wpapi = suite('wpapi');

for (const address of ['/en/', '/']) {
  wpapi(`discovers, lists, filters, embeds, creates, updates and deletes at ${address}`, async () => {
    await withClientServer(async (origin) => {
      const anonymous = await WPAPI.discover(`${origin}${address}`);
      await readAll(anonymous);
      const site = anonymous.auth(LOGIN);
      await writeAll(site);
      const { password = '' } = await site
        .root('wp/v2/users/me/application-passwords')
        .create({ name: 'wpapi' });
      const writer = new WPAPI({
        endpoint: `${origin}${address}wp-json`,
        username: LOGIN.username,
        password,
      }) as unknown as Site;
      assert.is((await writer.users().me().get()).slug, 'editor');
    });
  });
}

wpapi.run();
