import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../../../adapters/memory-store.ts';
import type { Store } from '../../../../lib/store/store.ts';
import { collectionsOf } from '../../../../registry/index.ts';
import {
  findContentFault,
  importItems,
  type ImportReport,
  readNdjson,
  writeReport,
} from '../../../../registry/transfer/index.ts';
import { coreModel, importWxr, inChunks } from '../../../support/transfer.ts';
import { toItem, toWxr } from '../../../support/wxr.ts';

// What comes in by a file follows the rules of the routes. Each refusal and each change is told with its record.
type Line = readonly [collection: string, id: number, values: object];

const collections = collectionsOf(coreModel);
const openStore = (): Store => createMemoryStore(collections);
const told = ({ leftOut }: ImportReport): readonly string[] =>
  leftOut.map(({ place, what, reason }) => `${place}: ${what}: ${reason}`);
const text = (length: number): string => 'x'.repeat(length);
const DATES = {
  date: '2024-01-01T00:00:00',
  date_gmt: '2024-01-01T00:00:00',
  modified: '2024-01-01T00:00:00',
  modified_gmt: '2024-01-01T00:00:00',
};
const POST = { type: 'post', language: 'en', status: 'publish', title: 'A', slug: 'a', ...DATES };
const USER = { login: 'ada', name: 'Ada', slug: 'ada', role: 'editor', email: 'a@site.test' };

function importLines(
  store: Store,
  lines: readonly Line[],
  options: { readonly name?: string; readonly credentials?: boolean; readonly asItIs?: boolean } = {},
): Promise<ImportReport> {
  const records = lines.map(([collection, id, values]) => ({ collection, id, values }));
  const file = [{ routebook: 'export', version: 1 }, ...records, { end: lines.length }]
    .map((line) => JSON.stringify(line))
    .join('\n');
  const { name = 'copy', ...others } = options;
  return importItems(
    { name, found: readNdjson(inChunks(file)), keepsIds: true },
    { store, content: coreModel, collections, ...others },
  );
}

const rules = suite('rules of an import');

/** A record, what is told of it, and what is stored. null: nothing. */
const ROWS: readonly (readonly [record: Line, says: readonly string[], stored: object | null])[] = [
  [
    ['users', 5, { ...USER, name: text(251), nickname: text(300) }],
    [
      'name of users: longer than 250 characters; it is cut there',
      'nickname of users: longer than 250 characters; it is cut there',
    ],
    { name: text(250), nickname: text(250) },
  ],
  [
    [
      'users',
      5,
      { ...USER, email: `${text(100)}@b.test`, email_key: 'k', url: `https://a.test/${text(100)}` },
    ],
    [
      'email of users: longer than 100 characters; it is left empty',
      'url of users: longer than 100 characters; it is left empty',
    ],
    { email: '', email_key: '', url: '' },
  ],
  [['users', 5, { ...USER, login: text(61) }], ['users: login is longer than 60 characters'], null],
  [
    ['users', 5, { ...USER, language_pairs: ['<b>'] }],
    ['users: language_pairs: ["<b>"] is not a list of pairs such as "en:fr"'],
    null,
  ],
  [
    ['users', 5, { ...USER, role: 'owner', more_roles: ['god'] }],
    [
      'role owner: the site has no such role; the user gets the role subscriber',
      'role god: the site has no such role',
    ],
    { role: 'subscriber', more_roles: [] },
  ],
  [
    ['terms', 5, { taxonomy: 'category', language: 'en', slug: 'a', name: `${text(197)}&amp;b` }],
    ['name of terms: longer than 200 characters; it is cut there'],
    { name: text(197) },
  ],
  [
    ['posts', 5, { ...POST, title: text(65_536), slug: text(201), password: text(256) }],
    [
      'title of posts: longer than 65535 characters; it is cut there',
      'slug of posts: longer than 200 characters; it is cut there',
      'password of posts: longer than 255 characters; it is cut there',
    ],
    { title: text(65_535), slug: text(200), password: text(255) },
  ],
  [
    ['posts', 5, { ...POST, status: 'evil' }],
    [
      'posts: status: "evil" is not one of publish, future, draft, pending, private, trash, auto-draft, inherit',
    ],
    null,
  ],
  [
    ['posts', 5, { ...POST, date: '2024-02-31T00:00:00' }],
    ['posts: date: "2024-02-31T00:00:00" is not a date YYYY-MM-DDTHH:MM:SS'],
    null,
  ],
  [
    ['posts', 5, { ...POST, meta: { footnotes: 5, other: 'kept' } }],
    ['meta key footnotes: its value does not fit the schema of the key'],
    { meta: { other: 'kept' } },
  ],
  [
    ['media', 5, { ...DATES, file: '2024/x.php' }],
    ['file 2024/x.php: files with the extension .php cannot be uploaded'],
    null,
  ],
  [
    ['media', 5, { ...DATES, file: 'evil.html' }],
    ['file evil.html: files with the extension .html cannot be uploaded'],
    null,
  ],
  [
    ['media', 5, { ...DATES, file: 'a.php.jpg' }],
    [
      'file a.php.jpg: its name has the extension of a program in the middle, and some servers run such files',
    ],
    null,
  ],
  [
    ['media', 5, { ...DATES, file: '../a.png' }],
    ['file ../a.png: its path is not a path of the media library'],
    null,
  ],
  [
    [
      'media',
      5,
      {
        ...DATES,
        file: 'a.png',
        mime_type: 'text/html',
        sizes: { small: { file: 'x.php' }, large: { file: 'a-2x2.png' } },
      },
    ],
    ['copy small of media: files with the extension .php cannot be uploaded'],
    { mime_type: 'image/png', sizes: { large: { file: 'a-2x2.png' } } },
  ],
  [['media', 5, { ...DATES, file: 'logo.svg' }], [], { mime_type: 'image/svg+xml' }],
  [
    [
      'comments',
      5,
      {
        post: 0,
        content: 'A',
        type: 'comment',
        status: 'approved',
        author_name: text(246),
        author_url: `https://a.test/${text(200)}`,
        ...DATES,
        modified: undefined,
        modified_gmt: undefined,
      },
    ],
    [
      'author_name of comments: longer than 245 characters; it is cut there',
      'author_url of comments: longer than 200 characters; it is left empty',
    ],
    { author_name: text(245), author_url: '' },
  ],
  [
    ['options', 5, { group: 'site', key: 'name', value: text(1001) }],
    [
      `setting name: "${text(79)}… is not a text of at most 1000 characters, or an object with one for each language`,
    ],
    null,
  ],
  [
    ['options', 5, { group: 'site', key: 'posts_per_page', value: 'many' }],
    ['setting posts_per_page: "many" is not a whole number of 1 or more'],
    null,
  ],
  [['options', 5, { group: 'site', key: 'timezone_string', value: '' }], [], { value: '' }],
  [
    ['options', 5, { group: 'secret', key: 'site', value: 'planted' }],
    ['options: each site has its own'],
    null,
  ],
  [['locks', 5, { name: 'a', key: 'b', expires: 9e15 - 1 }], ['locks: each site has its own'], null],
];

for (const [[collection, id, values], says, stored] of ROWS) {
  rules(`${collection}: ${says.join('; ').slice(0, 80) || 'takes it'}`, async () => {
    const store = openStore();
    assert.equal(
      told(await importLines(store, [[collection, id, values]])),
      says.map((each) => `line 2, ${collection} ${id}: ${each}`),
    );
    const record = await store.get(collection, id);
    const names = Object.keys(stored ?? {});
    assert.equal(
      record === null ? null : Object.fromEntries(names.map((name) => [name, record[name]])),
      stored,
    );
  });
}

rules('the history of a post that is left out goes with it', async () => {
  const store = openStore();
  const report = await importLines(store, [
    ['posts', 5, { ...POST, status: 'evil' }],
    ['post_history', 5, { post: 5, count: 0, newest: 0 }],
  ]);
  assert.equal([report.created, report.leftOut.length], [{}, 1]);
});

rules('a backup is restored as it is', async () => {
  const store = openStore();
  const report = await importLines(
    store,
    [
      ['users', 5, { ...USER, name: text(300) }],
      ['credentials', 1, { user: 5, hash: 'h' }],
      ['media', 5, { ...DATES, file: 'x.php' }],
      ['options', 1, { group: 'secret', key: 'site', value: 's' }],
    ],
    { asItIs: true },
  );
  assert.equal([report.leftOut, report.created], [[], { users: 1, credentials: 1, media: 1, options: 1 }]);
});

rules('an export of WordPress names no program and no long title', async () => {
  const store = openStore();
  const file = (id: number, name: string): string =>
    toItem({
      id,
      title: name,
      slug: `f${id}`,
      type: 'attachment',
      status: 'inherit',
      url: `https://old.example/wp-content/uploads/2024/01/${name}`,
    });
  const report = await importWxr(
    store,
    inChunks(
      toWxr([
        file(10, 'x.php'),
        file(11, 'evil.html'),
        file(12, 'a.png'),
        toItem({ id: 13, title: text(65_536), slug: 'long', type: 'post' }),
      ]),
    ),
  );
  assert.equal(
    report.leftOut.map(({ what, reason }) => `${what}: ${reason}`),
    [
      'file 2024/01/x.php: files with the extension .php cannot be uploaded',
      'file 2024/01/evil.html: files with the extension .html cannot be uploaded',
      'title of posts: longer than 65535 characters; it is cut there',
    ],
  );
  assert.equal(
    [report.created['media'], String((await store.get('posts', 13))?.['title']).length],
    [1, 65_535],
  );
});

rules.run();

const credentials = suite('credentials of an import');
const PASSWORD = { name: 'app', hash: 'h', uuid: 'u' };

credentials(
  'a password for a user whom the site has is left out, and taken over if that is asked for',
  async () => {
    const lines: readonly Line[] = [
      ['users', 1, USER],
      ['credentials', 1, { ...PASSWORD, user: 1 }],
      ['users', 2, { ...USER, login: 'new', slug: 'new' }],
      ['credentials', 2, { ...PASSWORD, uuid: 'v', user: 2 }],
    ];
    for (const asked of [false, true]) {
      const store = openStore();
      await store.commit([{ op: 'create', collection: 'users', values: { ...USER, id: 9 } }]);
      const report = await importLines(store, lines, { credentials: asked });
      assert.equal(
        told(report),
        asked
          ? []
          : [
              'line 3, credentials 1: password of ada: the site has the user already; --credentials takes it over',
            ],
      );
      assert.equal(
        [report.created, report.credentials],
        [{ users: 1, credentials: asked ? 2 : 1 }, asked ? ['ada'] : []],
      );
      assert.is(writeReport(report).includes('Further passwords for users of the site: ada.'), asked);
    }
  },
);

credentials('also one of a later file of the same source', async () => {
  const store = openStore();
  await importLines(store, [['users', 1, USER]]);
  const report = await importLines(store, [
    ['users', 1, USER],
    ['credentials', 1, { ...PASSWORD, user: 1 }],
  ]);
  assert.equal(
    [report.created, report.leftOut.length, (await store.find({ collection: 'credentials' })).records.length],
    [{}, 1, 0],
  );
});

credentials('one whose user comes later, or not at all, is left out', async () => {
  const store = openStore();
  await store.commit([{ op: 'create', collection: 'users', values: { ...USER, id: 1 } }]);
  const report = await importLines(
    store,
    [
      ['credentials', 1, { ...PASSWORD, user: 1 }],
      ['credentials', 2, { ...PASSWORD, uuid: 'v', user: 44 }],
    ],
    { credentials: true },
  );
  assert.equal(
    told(report),
    [1, 2].map(
      (id) =>
        `line ${id + 1}, credentials ${id}: credentials: its user does not stand before it in the source`,
    ),
  );
  assert.is((await store.find({ collection: 'credentials' })).records.length, 0);
});

credentials.run();

const contents = suite('findContentFault');

for (const [path, head, fits] of [
  ['a.jpg', '\xFF\xD8\xFF', true],
  ['a.png', '\xFF\xD8\xFF', true],
  ['a.jpg', '<?php echo 1;', false],
  ['a.txt', 'words', true],
  ['a.txt', '<script>', false],
  ['logo.svg', '<svg xmlns="">', true],
  ['logo.svg', 'words', false],
  ['a.m4a', '\0\0\0\x20ftypM4A ', true],
  ['a.pdf', 'MZ', false],
] as const)
  contents(`${path} ${JSON.stringify(head)}`, () =>
    assert.is(findContentFault(path, Buffer.from(head, 'latin1')) === undefined, fits),
  );

contents.run();
