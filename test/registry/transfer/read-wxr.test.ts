import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { eq } from '../../../lib/store/query.ts';
import type { Store, StoredRecord } from '../../../lib/store/store.ts';
import { collectionsOf, createContentModel, menus, withPluginContent } from '../../../registry/index.ts';
import { MOST_FRAGMENT } from '../../../registry/transfer/wxr/read-wxr.ts';
import { changedBetween, dumpStore } from '../../support/dump.ts';
import { openMemory } from '../../support/store-factories.ts';
import { importWxr, inChunks, toContext } from '../../support/transfer.ts';
import { toItem, toWxr } from '../../support/wxr.ts';

const content = createContentModel({
  core: true,
  types: [
    {
      name: 'book',
      base: 'books',
      supports: ['title', 'editor', 'custom-fields', 'comments'],
      taxonomies: ['genre'],
    },
  ],
  taxonomies: [{ name: 'genre', base: 'genres', hierarchical: true }],
  meta: [
    { of: 'post', key: 'isbn', type: 'string' },
    {
      of: 'post',
      key: 'details',
      type: 'object',
      schema: { type: 'object', properties: { naïve: { type: 'string' }, year: { type: 'integer' } } },
    },
    { of: 'post', key: 'scores', type: 'integer', single: false },
    { of: 'comment', key: 'rating', type: 'integer' },
  ],
});

async function withStore(run: (store: Store) => Promise<void>): Promise<void> {
  const { store, remove } = await openMemory(collectionsOf(content));
  try {
    await run(store);
  } finally {
    await remove();
  }
}

const importText = (store: Store, text: string | Uint8Array, name = 'test') =>
  importWxr(store, inChunks(text), { content, name });
const list = async (store: Store, collection = 'posts'): Promise<readonly StoredRecord[]> =>
  (await store.find({ collection, order: [{ field: 'id', direction: 'asc' }] })).records;
const reasons = (report: { readonly leftOut: readonly { readonly reason: string }[] }): readonly string[] =>
  report.leftOut.map(({ reason }) => reason);

const test = suite('import of WXR files');

test('keeps texts with ]]>, emoji, right-to-left text and markup as they are', () =>
  withStore(async (store) => {
    const odd =
      'a ]]> b ]]]]> <b>&amp; &nbsp;</b> 😀👩‍👩‍👧 שלום مرحبا \t<!-- wp:paragraph -->x<!-- /wp:paragraph -->';
    const report = await importText(
      store,
      toWxr([toItem({ id: 7, title: odd, content: odd, excerpt: odd })]),
    );
    assert.equal(report.leftOut, []);
    const [post] = await list(store);
    assert.is(post?.['title'], odd);
    assert.is(post?.['excerpt'], odd.replaceAll('wp:', 'cms:'));
    assert.is(post?.['content'], odd.replaceAll('wp:', 'cms:'));
  }));

test('a second run changes nothing, also after the owner has edited', () =>
  withStore(async (store) => {
    const text = toWxr([
      toItem({ id: 7, title: 'One' }),
      toItem({ id: 9, title: 'Two', slug: 'one' }),
      toItem({ id: 0, title: 'Without an id' }),
    ]);
    await importText(store, text);
    await store.commit([
      {
        op: 'update',
        collection: 'posts',
        id: 7,
        values: { title: 'Edited', slug: 'edited', date: '2020-01-01T00:00:00' },
      },
    ]);
    const before = await dumpStore(store);
    const report = await importText(store, text);
    assert.equal(report.created, {});
    assert.equal(changedBetween(before, await dumpStore(store)), []);
  }));

test('what is declared after the first import is added to its records, once, and only where they have no value', () =>
  withStore(async (store) => {
    const base = { meta: [['isbn', '1']], terms: [['genre', 'calm']] } as const;
    const text = toWxr(
      [toItem({ ...base, id: 7, title: 'One' }), toItem({ ...base, id: 8, title: 'Two', slug: 'two' })],
      '<wp:term><wp:term_id>5</wp:term_id><wp:term_taxonomy>genre</wp:term_taxonomy><wp:term_slug>calm</wp:term_slug><wp:term_name>Calm</wp:term_name></wp:term>',
    );
    const later = createContentModel({
      core: true,
      taxonomies: [{ name: 'genre', base: 'genres', types: ['post'] }],
      meta: [{ of: 'post', key: 'isbn', type: 'string' }],
    });
    const read = (dryRun = false) => importWxr(store, inChunks(text), { content: later, dryRun });
    assert.is((await importWxr(store, inChunks(text))).leftOut.length, 5);
    await store.commit([
      { op: 'create', collection: 'terms', values: { id: 90, taxonomy: 'genre', slug: 'own', name: 'Own' } },
      {
        op: 'update',
        collection: 'posts',
        id: 8,
        values: { title: 'Edited', meta: { isbn: '' }, terms: [90] },
      },
    ]);
    assert.equal((await read(true)).completed, { posts: 1 });
    const report = await read();
    assert.equal([report.completed, report.leftOut], [{ posts: 1 }, []]);
    const toValues = async () =>
      (await list(store)).map(({ title, meta, terms }) => [title, meta, terms] as const);
    const added = [
      ['One', { isbn: '1' }, [5]],
      ['Edited', { isbn: '' }, [90]],
    ];
    assert.equal(await toValues(), added);
    // What somebody removes afterwards stays away.
    await store.commit([{ op: 'update', collection: 'posts', id: 7, values: { meta: {}, terms: [] } }]);
    assert.equal((await read()).completed, {});
    assert.equal((await toValues())[0], ['One', {}, []]);
  }));

test('ids are kept where they are free; other records get new ones, and references follow', () =>
  withStore(async (store) => {
    await store.commit([
      {
        op: 'create',
        collection: 'posts',
        values: {
          id: 7,
          type: 'post',
          language: 'en',
          status: 'publish',
          slug: 'mine',
          title: 'Mine',
          date: '2020-01-01T00:00:00',
          date_gmt: '2020-01-01T00:00:00',
        },
      },
    ]);
    await importText(
      store,
      toWxr([
        toItem({ id: 8, title: 'Child', type: 'page', parent: 7 }),
        toItem({ id: 7, title: 'Parent', type: 'page' }),
      ]),
    );
    const pages = (await list(store)).filter((post) => post['type'] === 'page');
    const parent = pages.find(({ title }) => title === 'Parent');
    assert.ok(parent !== undefined && parent.id > 8);
    assert.equal(pages.find(({ title }) => title === 'Child')?.['parent'], parent.id);
    assert.is((await store.get('posts', 7))?.['title'], 'Mine');
  }));

test('new ids of media are followed in blocks, classes and galleries, whether the media come before or after, and only once', () =>
  withStore(async (store) => {
    const media = (id: number): string =>
      toItem({
        id,
        title: `File ${id}`,
        slug: `file-${id}`,
        type: 'attachment',
        status: 'inherit',
        url: `https://old.example/uploads/${id}.png`,
        date: '2024-02-02 10:00:00',
      });
    const text = (a: number, b: number): string =>
      `<!-- cms:image {"id":${a},"x":"\\u002d"} --><img class="wp-image-${a} x"/><!-- /cms:image --><!-- cms:gallery {"ids":[${a},${b},99]} /-->` +
      `<!-- cms:media-text {"mediaId": ${b}} --><!-- cms:paragraph {"id":${a}} -->id 5 6<!-- /cms:paragraph -->[gallery columns="2" ids="${a},${b}"]`;
    const taken = [5, 6].map((id) => ({
      op: 'create' as const,
      collection: 'media',
      values: { id, file: `mine-${id}.png`, title: 'Mine' },
    }));
    await store.commit(taken);
    const file = toWxr([
      toItem({ id: 3, title: 'Before', slug: 'before', content: text(5, 6).replaceAll('cms:', 'wp:') }),
      media(5),
      media(6),
      toItem({ id: 4, title: 'After', slug: 'after', content: text(5, 6).replaceAll('cms:', 'wp:') }),
    ]);
    for (const _run of ['first', 'second']) {
      assert.equal((await importText(store, file)).leftOut, []);
      assert.equal(
        (await list(store, 'media')).map(({ id }) => id),
        [5, 6, 7, 8],
      );
      const wanted = text(7, 8).replace('cms:paragraph {"id":7}', 'cms:paragraph {"id":5}');
      for (const { content: stored } of await list(store)) assert.is(stored, wanted);
    }
  }));

test('ids that change places are replaced at once, and a text is not corrected twice', () =>
  withStore(async (store) => {
    await store.commit([
      { op: 'create', collection: 'media', values: { id: 5, file: 'mine.png', title: 'Mine' } },
    ]);
    const media = (id: number): string =>
      toItem({
        id,
        title: `File ${id}`,
        slug: `f${id}`,
        type: 'attachment',
        status: 'inherit',
        url: `https://old.example/uploads/${id}.png`,
        date: '2024-02-02 10:00:00',
      });
    const file = toWxr([toItem({ id: 3, title: 'A', content: 'wp-image-5 wp-image-6' }), media(5), media(6)]);
    for (const _run of ['first', 'second']) {
      await importText(store, file);
      const byFile = new Map((await list(store, 'media')).map(({ id, title }) => [title, id]));
      assert.is(byFile.get('File 5'), 6);
      assert.is((await store.get('posts', 3))?.['content'], `wp-image-6 wp-image-${byFile.get('File 6')}`);
    }
  }));

test('a newer export of the same site adds what is new, also records without ids', () =>
  withStore(async (store) => {
    const named = (name: string): readonly (readonly [string, string])[] => [['post_tag', name]];
    await importText(store, toWxr([toItem({ id: 3, title: 'C', slug: 'c', terms: named('old') })]));
    await importText(
      store,
      toWxr([
        toItem({ id: 2, title: 'B', slug: 'b', terms: named('new') }),
        toItem({ id: 3, title: 'C', slug: 'c', terms: named('old') }),
      ]),
    );
    const [b, c] = await list(store);
    const tags = new Map((await list(store, 'terms')).map(({ id, slug }) => [id, slug]));
    assert.equal(
      [b, c].map((post) =>
        ((post?.['tags'] as readonly number[] | undefined) ?? []).map((id) => tags.get(id)),
      ),
      [['new'], ['old']],
    );
    assert.is((await list(store, 'post_history')).length, 2);
  }));

test('deep pages keep their parents in any order; slugs are unique below one parent only', () =>
  withStore(async (store) => {
    const depth = 40;
    const pages = Array.from({ length: depth }, (_each, index) =>
      toItem({
        id: 100 + index,
        title: 'Same',
        slug: 'same',
        type: 'page',
        parent: index === depth - 1 ? 0 : 101 + index,
      }),
    );
    assert.equal((await importText(store, toWxr(pages))).leftOut, []);
    const found = await list(store);
    assert.equal(
      found.map((page) => [page.id, page['parent'], page['slug']]),
      found.map(({ id }) => [id, id === 99 + depth ? 0 : id + 1, 'same']),
    );
  }));

test('a parent that the file does not have becomes 0 and is reported', () =>
  withStore(async (store) => {
    const report = await importText(
      store,
      toWxr([toItem({ id: 8, title: 'Orphan', type: 'page', parent: 77 })]),
    );
    assert.equal(reasons(report), ['refers to posts that are not in the source or were left out']);
    assert.is((await store.get('posts', 8))?.['parent'], 0);
  }));

test('an item that is broken costs itself only', () =>
  withStore(async (store) => {
    const broken = [
      toItem({ id: 2, title: 'Mismatched' }).replace('</wp:post_id>', '</wp:postid>'),
      toItem({ id: 3, title: 'Never closed' }).replace('</item>', ''),
      toItem({ id: 4, title: 'No type' }).replace('post</wp:post_type>', '</wp:post_type>'),
      toItem({ id: 5, title: 'Unknown type', type: 'nav_menu_item' }),
      toItem({ id: 6, title: 'Wrong date', date: '2024-13-40 00:00:00' }),
      toItem({ id: 7, title: 'Odd status', status: 'wc-completed' }),
      toItem({ id: 1, title: 'Same id' }),
      toItem({ id: 8, title: 'Bare & ampersand' }).replace(
        '<![CDATA[Bare & ampersand]]>',
        'Bare & ampersand',
      ),
    ];
    const report = await importText(
      store,
      toWxr([toItem({ id: 1, title: 'First' }), ...broken, toItem({ id: 9, title: 'Last' })]),
    );
    assert.equal(
      (await list(store)).map(({ title }) => title),
      ['First', 'Wrong date', 'Last'],
    );
    const text = reasons(report).join('\n');
    for (const part of [
      /not well-formed/,
      /not closed before the next item/,
      /type is not registered/,
      /is not valid; it gets the time of the import/,
      /status "wc-completed"/,
      /same id 1/,
    ])
      assert.match(text, part);
    assert.is(report.leftOut.length, broken.length);
  }));

test('a file that is cut off keeps everything before the cut, and the whole file completes it', () =>
  withStore(async (store) => {
    const whole = toWxr(
      Array.from({ length: 20 }, (_each, index) =>
        toItem({ id: index + 1, title: `Post ${index}`, slug: `p${index}` }),
      ),
    );
    const report = await importText(store, whole.slice(0, whole.indexOf('Post 15')));
    assert.is((await list(store)).length, 15);
    assert.equal(reasons(report), [
      'the file ends within it',
      'the file ends before </channel>; it was cut off',
    ]);
    assert.is((await importText(store, whole)).created['posts'], 5);
  }));

test('other prefixes, undeclared prefixes, a document type, comments and foreign elements are read', () =>
  withStore(async (store) => {
    const text = toWxr([toItem({ id: 1, title: 'A' })])
      .replaceAll('wp:', 'x:')
      .replaceAll('xmlns:wp', 'xmlns:x')
      .replace('<rss', '<!DOCTYPE rss [<!ENTITY a "aaaa">]>\n<!-- <item> in a comment </item> -->\n<rss')
      .replace('<item>', '<item><x:evil xmlns:x="urn:other"><x:post_id>5</x:post_id></x:evil>');
    await importText(store, text);
    await importText(
      store,
      toWxr([toItem({ id: 2, title: 'B', slug: 'b' })]).replace(/ xmlns:\w+="[^"]*"/g, ''),
      'other',
    );
    assert.equal(
      (await list(store)).map(({ id, title }) => [id, title]),
      [
        [1, 'A'],
        [2, 'B'],
      ],
    );
  }));

test('a prefix that is bound to another namespace is not WXR', () =>
  withStore(async (store) => {
    const report = await importText(
      store,
      toWxr([toItem({ id: 1, title: 'A' })]).replace(/xmlns:wp="[^"]*"/, 'xmlns:wp="urn:other"'),
    );
    assert.equal(await list(store), []);
    assert.is(report.leftOut.length, 1);
  }));

test('entities: those of HTML stay as they are written, and nothing is expanded', () =>
  withStore(async (store) => {
    await importText(
      store,
      toWxr([toItem({ id: 1, title: 'A' })]).replace('<![CDATA[A]]>', 'Caf&eacute; &amp; &#233; &lol9;'),
    );
    assert.is((await list(store))[0]?.['title'], 'Caf&eacute; & é &lol9;');
  }));

for (const [encoding, toBytes] of [
  ['ISO-8859-1', (text: string) => Buffer.from(text, 'latin1')],
  ['UTF-16', (text: string) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')])],
  ['UTF-8', (text: string) => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(text)])],
] as const) {
  test(`a file in ${encoding} is read`, () =>
    withStore(async (store) => {
      await importText(store, toBytes(toWxr([toItem({ id: 1, title: 'Café' })]).replace('UTF-8', encoding)));
      assert.is((await list(store))[0]?.['title'], 'Café');
    }));
}

test('an encoding that is not known, and a file that is not WXR, are refused', () =>
  withStore(async (store) => {
    for (const [text, message] of [
      [toWxr([]).replace('UTF-8', 'x-klingon'), /encoding "x-klingon" .* convert it to UTF-8/],
      ['{"a": 1}', /not a WXR file/],
      ['', /not a WXR file/],
      ['<html><body>', /not a WXR file/],
    ] as const) {
      await importText(store, text).then(
        () => assert.unreachable(),
        (error: unknown) => assert.match(String(error), message),
      );
    }
  }));

test('control characters that PHP lets pass are dropped', () =>
  withStore(async (store) => {
    await importText(store, toWxr([toItem({ id: 1, title: 'A\u000B\u0000B\u001F' })]));
    assert.is((await list(store))[0]?.['title'], 'AB');
  }));

test('large posts are read; one that is too large costs itself only', () =>
  withStore(async (store) => {
    const large = 'x'.repeat(10 * 1024 * 1024);
    const tooLarge = 'y'.repeat(MOST_FRAGMENT + 10);
    const text = toWxr([
      toItem({ id: 1, title: 'A', content: large }),
      toItem({ id: 2, title: 'B', slug: 'b', content: tooLarge }),
      toItem({ id: 3, title: 'C', slug: 'c' }),
    ]);
    const report = await importWxr(store, inChunks(text, 65_536), { content });
    assert.equal(
      (await list(store)).map(({ id, content: body }) => [id, String(body).length]),
      [
        [1, large.length],
        [3, 0],
      ],
    );
    assert.match(reasons(report).join(), /larger than/);
  }));

test('serialised meta is read as values; objects of PHP stay texts; keys that are not registered are reported', () =>
  withStore(async (store) => {
    const meta = [
      ['isbn', 's:3:"abc";'],
      ['details', 'a:2:{s:6:"naïve";s:5:"été";s:4:"year";s:4:"1965";}'],
      ['scores', '9'],
      ['scores', '8'],
      ['_edit_last', '1'],
    ] as const;
    const report = await importText(
      store,
      toWxr([
        toItem({ id: 1, title: 'A', meta }),
        toItem({
          id: 2,
          title: 'B',
          slug: 'b',
          meta: [
            ['details', 'O:7:"WP_Term":0:{}'],
            ['scores', 'a:1:{i:0;O:7:"WP_Term":0:{}}'],
            ['isbn', '__proto__'],
            ['__proto__', 'x'],
          ],
        }),
      ]),
    );
    const [one, two] = await list(store);
    assert.equal(one?.['meta'], {
      isbn: 's:3:"abc";',
      details: { naïve: 'été', year: 1965 },
      scores: [9, 8],
    });
    assert.equal(two?.['meta'], { isbn: '__proto__' });
    assert.equal(
      report.leftOut.map(({ what }) => what),
      ['meta key details', 'meta key scores', 'meta key __proto__'],
    );
  }));

test('what WordPress notes for itself is silent, and old slugs lead on', () =>
  withStore(async (store) => {
    const meta = [
      ['_edit_lock', '1700000000:1'],
      ['_oembed_0123abcd', '{{unknown}}'],
      ['_encloseme', '1'],
      ['_wp_old_slug', 'before'],
      ['_wp_old_slug', 'a'],
    ] as const;
    const report = await importText(store, toWxr([toItem({ id: 1, title: 'A', slug: 'a', meta })]));
    assert.equal(report.leftOut, []);
    assert.equal(
      (await list(store, 'old_slugs')).map(({ post, language, slug }) => [post, language, slug]),
      [[1, 'en', 'before']],
    );
  }));

const toAuthor = (login: string, email: string): string =>
  `<wp:author><wp:author_login>${login}</wp:author_login><wp:author_email>${email}</wp:author_email></wp:author>`;

test('two logins with one address are two people, and the report says that one of them has none now', () =>
  withStore(async (store) => {
    const head = `${toAuthor('ada', 'a@site.example')}${toAuthor('bob', 'A@site.example')}`;
    const report = await importText(store, toWxr([], head));
    assert.equal(
      (await list(store, 'users')).map(({ login, email }) => [login, email]),
      [
        ['ada', 'a@site.example'],
        ['bob', ''],
      ],
    );
    assert.equal(
      report.leftOut.map(({ what }) => what),
      ['address of bob'],
    );
    const other = await importText(store, toWxr([], toAuthor('eve', 'a@site.example')), 'other');
    assert.equal(
      other.leftOut.map(({ what }) => what),
      ['address of eve'],
    );
  }));

test('files of a group without a language are all stored, each for itself', () =>
  withStore(async (store) => {
    const toMedium = (id: number, language: string): string =>
      toItem({
        id,
        title: 'File',
        slug: `file-${id}`,
        type: 'attachment',
        status: 'inherit',
        url: `https://old.example/uploads/${id}.jpg`,
        meta: [
          ['_wpml_import_translation_group', '7'],
          ...(language === '' ? [] : [['_wpml_import_language_code', language] as const]),
        ],
      });
    const text = toWxr([toMedium(1, ''), toMedium(2, 'en'), toMedium(3, ''), toMedium(4, 'fr')]);
    assert.equal((await importText(store, text)).leftOut, []);
    assert.equal(
      (await list(store, 'media')).map(({ language, group }) => [language, group]),
      [
        ['', 0],
        ['en', 2],
        ['', 0],
        ['fr', 2],
      ],
    );
  }));

test('threads, sticky and protected posts, terms with parents and media', () =>
  withStore(async (store) => {
    const comments = [
      [11, 0, '1'],
      [12, 11, '0'],
      [13, 12, 'spam'],
      [14, 0, 'post-trashed'],
    ] as const;
    const text = toWxr(
      [
        toItem({
          id: 1,
          title: 'A',
          sticky: true,
          password: 'geheim ]]> x',
          comments,
          terms: [
            ['category', 'child'],
            ['post_tag', 'undeclared'],
          ],
        }),
        toItem({
          id: 2,
          title: 'File',
          slug: 'file',
          type: 'attachment',
          status: 'inherit',
          url: 'https://old.example/uploads/2024/01/a%20b.jpg',
          meta: [['_wp_attached_file', '../../etc/passwd']],
        }),
      ],
      '<wp:category><wp:term_id>5</wp:term_id><wp:category_nicename>child</wp:category_nicename><wp:category_parent>top</wp:category_parent><wp:cat_name><![CDATA[Child]]></wp:cat_name></wp:category>' +
        '<wp:category><wp:term_id>6</wp:term_id><wp:category_nicename>top</wp:category_nicename><wp:cat_name><![CDATA[Top]]></wp:cat_name></wp:category>',
    );
    assert.equal((await importText(store, text)).leftOut, []);
    const [post] = await list(store);
    assert.equal([post?.['sticky'], post?.['password'], post?.['categories']], [true, 'geheim ]]> x', [5]]);
    assert.equal(
      (await list(store, 'comments')).map((each) => [each.id, each['parent'], each['status'], each['post']]),
      [
        [11, 0, 'approved', 1],
        [12, 11, 'hold', 1],
        [13, 12, 'spam', 1],
        [14, 0, 'trash', 1],
      ],
    );
    assert.equal((await list(store, 'terms')).map(({ slug, parent }) => [slug, parent]).sort(), [
      ['child', 6],
      ['top', 0],
      ['undeclared', 0],
    ]);
    assert.is((await list(store, 'media'))[0]?.['file'], '2024/01/a%20b.jpg');
  }));

test('sections that end too early, because a text holds ]]> as it is, are read as they were meant', () =>
  withStore(async (store) => {
    const texts = [
      'nested <![CDATA[ tags ]]> :)',
      ']]>',
      'a ]]> b ]]> c',
      'split ]]]]><![CDATA[> once, and ]]> not',
      '<![CDATA[<![CDATA[]]>]]>',
    ];
    const items = texts.map((text, index) =>
      toItem({ id: index + 1, title: `Post ${index}`, slug: `post-${index}`, content: '@' }).replace(
        '@',
        () => text,
      ),
    );
    const report = await importText(store, toWxr(items));
    assert.equal(report.leftOut, []);
    assert.equal(
      (await list(store)).map((post) => post['content']),
      texts.map((text) => text.replace(']]]]><![CDATA[>', ']]>')),
    );
  }));

test('what names no day gets the time of the import, or the day of its item', () =>
  withStore(async (store) => {
    const { started } = toContext(content);
    const zeros = { date: '0000-00-00 00:00:00', slug: 'zeros' };
    const withoutDay = toItem({ id: 3, title: 'None', comments: [[11, 0, '1']] }).replaceAll(
      /<wp:(post|comment)_date(_gmt)?>[^<]*<\/wp:\1_date\2>/g,
      '',
    );
    const text = toWxr([toItem({ id: 1, title: 'Zeros', ...zeros }), withoutDay]);
    const report = await importText(store, text);
    const posts = await list(store);
    assert.equal(reasons(report), [
      'the source has none; it gets the time of the import',
      'the source has none; it gets the time of the import',
    ]);
    assert.ok(posts.length === 2 && posts.every(({ date_gmt: date }) => date === started));
    assert.equal(
      (await list(store, 'comments')).map(({ date_gmt: date }) => date),
      [posts[1]?.['date_gmt']],
    );
    assert.equal((await importText(store, text)).created, {});
  }));

test('bytes of another encoding are reported with their item, and an id near the largest one is not kept', () =>
  withStore(async (store) => {
    const text = toWxr([
      toItem({ id: 1, title: 'Café' }),
      toItem({ id: 999_999_999_999_999, title: 'Last', slug: 'last' }),
      toItem({ id: 3, title: 'Next', slug: 'next' }),
    ]);
    const report = await importText(store, Buffer.from(text, 'latin1'));
    assert.equal(
      report.leftOut.map(({ what, reason }) => [what, /not of the encoding/.test(reason)]),
      [['characters of <item>', true]],
    );
    assert.equal((await list(store)).map(({ id, title }) => [id < 10, title]).toSorted(), [
      [true, 'Caf\u{FFFD}'],
      [true, 'Last'],
      [true, 'Next'],
    ]);
  }));

test('a text with U+FFFD is taken as it is', () =>
  withStore(async (store) => {
    const report = await importText(store, toWxr([toItem({ id: 1, title: 'Caf\u{FFFD}' })]));
    assert.equal(report.leftOut, []);
    assert.equal(
      (await list(store)).map(({ title }) => title),
      ['Caf\u{FFFD}'],
    );
  }));

test('slugs of terms are written as WordPress stores them, however the file has them', () =>
  withStore(async (store) => {
    const head =
      '<wp:category><wp:term_id>5</wp:term_id><wp:category_nicename>שלום</wp:category_nicename><wp:category_parent>Oben</wp:category_parent><wp:cat_name>A</wp:cat_name></wp:category>' +
      '<wp:category><wp:term_id>6</wp:term_id><wp:category_nicename>oben</wp:category_nicename><wp:cat_name>B</wp:cat_name></wp:category>';
    const report = await importText(
      store,
      toWxr(
        [
          toItem({
            id: 1,
            title: 'A',
            terms: [
              ['category', '%d7%a9%d7%9c%d7%95%d7%9d'],
              ['post_tag', '😀'],
            ],
          }),
        ],
        head,
      ),
    );
    assert.equal(report.leftOut, []);
    assert.equal(
      (await list(store, 'terms')).map(({ slug, parent }) => [slug, parent]),
      [
        ['%d7%a9%d7%9c%d7%95%d7%9d', 6],
        ['oben', 0],
        ['%f0%9f%98%80', 0],
      ],
    );
  }));

test('WXR 1.0 names tags otherwise; terms that are declared twice, or share an id, are all read', () =>
  withStore(async (store) => {
    const category = (id: number, slug: string): string =>
      `<wp:category><wp:term_id>${id}</wp:term_id><wp:category_nicename>${slug}</wp:category_nicename><wp:cat_name>${slug}</wp:cat_name></wp:category>`;
    const head =
      `${category(5, 'formats')}<wp:tag><wp:term_id>5</wp:term_id><wp:tag_slug>formats</wp:tag_slug><wp:tag_name>formats</wp:tag_name></wp:tag>` +
      '<wp:term><wp:term_id>5</wp:term_id><wp:term_taxonomy>category</wp:term_taxonomy><wp:term_slug>formats</wp:term_slug><wp:term_name>Again</wp:term_name></wp:term>';
    const report = await importText(
      store,
      toWxr(
        [
          toItem({
            id: 1,
            title: 'A',
            terms: [
              ['category', 'formats'],
              ['tag', 'formats'],
              ['tag', 'chicken'],
            ],
          }),
        ],
        head,
      ),
    );
    assert.equal(report.leftOut, []);
    const terms = await list(store, 'terms');
    assert.equal(terms.map(({ taxonomy, slug, name }) => [taxonomy, slug, name]).toSorted(), [
      ['category', 'formats', 'formats'],
      ['post_tag', 'chicken', 'chicken'],
      ['post_tag', 'formats', 'formats'],
    ]);
    const [post] = await list(store);
    const idsOf = (taxonomy: string): readonly number[] =>
      terms
        .filter((term) => term['taxonomy'] === taxonomy)
        .map(({ id }) => id)
        .toSorted();
    assert.equal(
      [post?.['categories'], [...((post?.['tags'] ?? []) as number[])].toSorted()],
      [[5], idsOf('post_tag')],
    );
  }));

test('languages and translation groups of Polylang and WPML', () =>
  withStore(async (store) => {
    const polylang = (language: string, group: string) =>
      [
        ['language', language],
        ['post_translations', group],
        ['category', 'news'],
      ] as const;
    const french = (id: number, slug: string, parent: string): string =>
      `<wp:term><wp:term_id>${id}</wp:term_id><wp:term_taxonomy>category</wp:term_taxonomy><wp:term_slug>${slug}</wp:term_slug><wp:term_parent>${parent}</wp:term_parent><wp:term_name>${slug}</wp:term_name>` +
      '<wp:termmeta><wp:meta_key>wpml_language</wp:meta_key><wp:meta_value>fr</wp:meta_value></wp:termmeta></wp:term>';
    const text = toWxr(
      [
        toItem({ id: 21, title: 'Hello', slug: 'x', terms: polylang('en', 'pll_1') }),
        toItem({ id: 22, title: 'Bonjour', slug: 'x', terms: polylang('fr', 'pll_1') }),
        toItem({
          id: 23,
          title: 'Hallo',
          slug: 'x',
          meta: [
            ['_wpml_import_language_code', 'nl'],
            ['_wpml_import_translation_group', 'pll_1'],
          ],
        }),
        toItem({ id: 24, title: 'Hola', slug: 'y', terms: polylang('es', 'pll_1') }),
      ],
      '<wp:term><wp:term_id>1</wp:term_id><wp:term_taxonomy>category</wp:term_taxonomy><wp:term_slug>news</wp:term_slug><wp:term_name>News</wp:term_name></wp:term>' +
        '<wp:term><wp:term_id>2</wp:term_id><wp:term_taxonomy>category</wp:term_taxonomy><wp:term_slug>nouvelles</wp:term_slug><wp:term_name>Nouvelles</wp:term_name></wp:term>' +
        '<wp:term><wp:term_id>3</wp:term_id><wp:term_taxonomy>term_translations</wp:term_taxonomy><wp:term_slug>pll_t</wp:term_slug><wp:term_description>a:2:{s:2:"en";i:1;s:2:"fr";i:2;}</wp:term_description></wp:term>' +
        french(5, 'sport', 'news') +
        french(4, 'news', ''),
    );
    const report = await importText(store, text);
    assert.equal(
      (await list(store)).map((post) => [post['title'], post['language'], post['group'], post['categories']]),
      [
        ['Hello', 'en', 21, [1]],
        ['Bonjour', 'fr', 21, [4]],
        ['Hallo', 'nl', 21, []],
      ],
    );
    assert.equal(
      (await list(store, 'terms')).map((term) => [
        term['slug'],
        term['language'],
        term['group'],
        term['parent'],
      ]),
      [
        ['news', 'en', 1, 0],
        ['nouvelles', 'fr', 1, 0],
        ['news', 'fr', 0, 0],
        ['sport', 'fr', 0, 4],
      ],
    );
    assert.match(reasons(report).join(), /language es is not one of the site's languages nl, en, fr/);
  }));

test('a stop ends the file that is being fetched, and the next import fetches it', () =>
  withStore(async (store) => {
    const url = (id: number): string => `https://old.example/uploads/${id}.jpg`;
    const text = toWxr(
      [1, 2, 3].map((id) =>
        toItem({
          id,
          title: 'File',
          slug: `file-${id}`,
          type: 'attachment',
          status: 'inherit',
          url: url(id),
        }),
      ),
    );
    const stop = new AbortController();
    const asked: string[] = [];
    const hanging = {
      put: (file: { readonly url: string }, signal?: AbortSignal) =>
        new Promise<string>((resolve) => {
          asked.push(file.url);
          signal?.addEventListener('abort', () => resolve('it was ended'));
          stop.abort();
        }),
    };
    const report = await importWxr(store, inChunks(text), { content, files: hanging, signal: stop.signal });
    assert.equal([report.complete, report.leftOut, asked], [false, [], [url(1)]]);
    const second = await importWxr(store, inChunks(text), {
      content,
      files: {
        put: async (file) => {
          asked.push(file.url);
          return undefined;
        },
      },
    });
    assert.equal([second.complete, second.created, asked.slice(1)], [true, {}, [url(1), url(2), url(3)]]);
  }));

test('an import that was stopped continues where it ended', () =>
  withStore(async (store) => {
    const text = toWxr(
      Array.from({ length: 1000 }, (_each, index) =>
        toItem({
          id: index + 1,
          title: `Post ${index}`,
          slug: `p${index}`,
          type: 'page',
          parent: index === 999 ? 0 : 1000,
        }),
      ),
    );
    const stop = new AbortController();
    const first = await importWxr(store, inChunks(text, 4096), {
      content,
      signal: stop.signal,
      onProgress: (done) => {
        if (done > 300) stop.abort();
      },
    });
    assert.is(first.complete, false);
    const count = (await list(store)).length;
    assert.ok(count > 0 && count < 1000);
    const second = await importText(store, text);
    assert.is(second.created['posts'], 1000 - count);
    const { total } = await store.find({
      collection: 'posts',
      where: eq('parent', 1000),
      limit: 0,
      total: true,
    });
    assert.is(total, 999);
  }));

test('reads menus: their items, the items above them, and the new ids of what they lead to', async () => {
  const model = createContentModel(withPluginContent('core', [menus]));
  const { store, remove } = await openMemory(collectionsOf(model, [menus]));
  const item = (id: number, meta: Readonly<Record<string, string>>): string =>
    toItem({
      id,
      title: '',
      slug: `item-${id}`,
      type: 'nav_menu_item',
      parent: 999,
      terms: [['nav_menu', 'main']],
      meta: Object.entries(meta).map(([key, value]) => [`_menu_item_${key}`, value] as const),
    });
  const nav = '<!-- wp:navigation-link {"label":"P","id":7,"kind":"post-type"} /-->';
  const head = `<wp:category><wp:term_id>3</wp:term_id><wp:category_nicename>news</wp:category_nicename><wp:cat_name>News</wp:cat_name></wp:category><wp:term><wp:term_id>9</wp:term_id><wp:term_taxonomy>nav_menu</wp:term_taxonomy><wp:term_slug>main</wp:term_slug><wp:term_name>Main</wp:term_name></wp:term>`;
  const text = toWxr(
    [
      item(50, {
        type: 'post_type',
        menu_item_parent: '0',
        object: 'page',
        object_id: '7',
        classes: 'a:1:{i:0;s:1:"x";}',
      }),
      item(51, { type: 'taxonomy', menu_item_parent: '50', object: 'category', object_id: '3' }),
      toItem({ id: 7, title: 'Page', type: 'page', slug: 'page' }),
      toItem({ id: 8, title: 'Nav', type: 'wp_navigation', slug: 'nav', content: nav }),
    ],
    head,
  );
  try {
    // The ids of the source are taken.
    await store.commit([
      { op: 'create', collection: 'posts', values: { id: 7, type: 'post', language: 'en', slug: 'other' } },
      {
        op: 'create',
        collection: 'terms',
        values: { id: 3, taxonomy: 'post_tag', language: 'en', slug: 'o' },
      },
    ]);
    const report = await importWxr(store, inChunks(text), {
      content: model,
      collections: collectionsOf(model, [menus]),
    });
    assert.equal(report.leftOut, []);
    const posts = await list(store);
    const idOf = (slug: string): number => posts.find((each) => each['slug'] === slug)?.id ?? 0;
    const [first, second] = ['item-50', 'item-51'].map((slug) => posts.find((each) => each['slug'] === slug));
    const metaOf = (record: StoredRecord | undefined) =>
      (record?.['meta'] ?? {}) as Readonly<Record<string, unknown>>;
    const [news] = (await store.find({ collection: 'terms', where: eq('slug', 'news') })).records;
    assert.is(metaOf(first)['_menu_item_object_id'], idOf('page'));
    assert.equal(metaOf(first)['_menu_item_classes'], ['x']);
    assert.is(metaOf(second)['_menu_item_object_id'], news?.id);
    assert.is(first?.['parent'], 0);
    assert.is(second?.['parent'], first?.id);
    assert.not.equal(idOf('page'), 7);
    assert.match(String(posts.find((each) => each['slug'] === 'nav')?.['content']), `"id":${idOf('page')}`);
  } finally {
    await remove();
  }
});

test.run();
