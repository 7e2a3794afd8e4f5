import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../../adapters/memory-store.ts';
import { createSqliteStore } from '../../../adapters/sqlite-store.ts';
import { isObject } from '../../../lib/core/objects.ts';
import { createRequest } from '../../../lib/index.ts';
import type { Json } from '../../../lib/schema/schema-dialect.ts';
import { StoreError, type Store } from '../../../lib/store/store.ts';
import {
  collections,
  collectionsOf,
  createContentModel,
  createSite,
  joinContent,
} from '../../../registry/index.ts';
import {
  checkFixture,
  clearSite,
  isEmptySite,
  loadFixture,
  type Fixture,
} from '../../../registry/site/fixture.ts';
import { refusalOf } from '../../support/refusal.ts';
import { PROJECT } from '../../support/sources.ts';
import { createWholeSite } from '../../support/whole-site.ts';

const SITE = { name: 'Fixture', timezone_string: 'Europe/Amsterdam' } as const;
const USER = { id: 1, login: 'admin', name: 'Admin', slug: 'admin', role: 'administrator' } as const;
const POST = { id: 11, author: 1, status: 'publish', slug: 'lamp', title: 'Lamp' } as const;
const DATES = {
  date: '2024-07-01T12:00:00',
  date_gmt: '2024-07-01T10:00:00',
  modified: '2024-07-01T12:00:00',
  modified_gmt: '2024-07-01T10:00:00',
} as const;

const toFixture = (post: Readonly<Record<string, string | null>>): Fixture => ({
  site: SITE,
  users: [USER],
  posts: [{ ...POST, ...post }],
});

const load = suite('loadFixture');

for (const [given, expected] of [
  [{ date: DATES.date }, DATES],
  [{ date_gmt: DATES.date_gmt }, DATES],
  [{ date: DATES.date, date_gmt: '', modified: null }, DATES],
  // In winter the site is one hour ahead.
  [
    { ...DATES, modified: '2024-12-01T12:00:00', modified_gmt: '' },
    { ...DATES, modified: '2024-12-01T12:00:00', modified_gmt: '2024-12-01T11:00:00' },
  ],
  // Dates that are given in both forms are not changed, here in another zone.
  [
    { ...DATES, date_gmt: '2024-07-01T03:00:00' },
    { ...DATES, date_gmt: '2024-07-01T03:00:00' },
  ],
  [
    { status: 'draft', date: DATES.date },
    { ...DATES, date_gmt: '' },
  ],
  [{ status: 'pending', date: DATES.date, date_gmt: DATES.date_gmt }, DATES],
] as const) {
  load(`makes dates of those that are given: ${JSON.stringify(given)}`, async () => {
    const store = createMemoryStore(collections);
    await loadFixture(store, toFixture(given));
    const record = await store.get('posts', 11);
    assert.equal(Object.fromEntries(Object.keys(DATES).map((name) => [name, record?.[name]])), expected);
  });
}

for (const [slug, expected] of [
  ['日本語', '%e6%97%a5%e6%9c%ac%e8%aa%9e'],
  ['Été à Lyon', 'ete-a-lyon'],
  ['%e6%97%a5', '%e6%97%a5'],
  ['a/b?c', 'a-bc'],
] as const) {
  load(`cleans the slug ${slug}, so that the post can be sent`, async () => {
    const site = await createWholeSite({ fixture: toFixture({ ...DATES, slug }) });
    const { status, body, headers } = await site.ask({ target: '/cms/v2/posts/11' });
    assert.is(status, 200);
    assert.is(isObject(body) ? body['slug'] : '', expected);
    assert.match(String(headers['Link']), `/en/${expected}/>`);
    await site.close();
  });
}

const LANGUAGES = ['nl', 'en', 'fr'];
const toRow = (row: Readonly<Record<string, Json>>): Json => ({ ...POST, ...DATES, ...row });
const posts = (...rows: readonly Readonly<Record<string, Json>>[]): Readonly<Record<string, Json>> => ({
  site: SITE,
  posts: rows.map(toRow),
});

/** What is refused, and the start of the message. */
const FAULTS: readonly (readonly [says: string, fixture: Json])[] = [
  ['the document: null is not an object', null],
  ['the document: [] is not an object', []],
  ['site is missing; it must be an object', {}],
  ['site: [] is not an object', { site: [] }],
  ['post: unknown member; the members are site, users, ', { site: SITE, post: [] }],
  ['__proto__: unknown member', JSON.parse('{"site":{},"__proto__":[]}') as Json],
  ['posts: an object is not a list', { site: SITE, posts: {} }],
  ['posts[1]: 5 is not an object', { site: SITE, posts: [{ ...POST, ...DATES }, 5] }],
  ['posts[0]: null is not an object', { site: SITE, posts: [null] }],
  ['formats[1]: "asid" is not one of standard, aside, ', { site: SITE, formats: ['aside', 'asid'] }],
  ['site.timezone_strng: unknown member; the members are name, ', { site: { timezone_strng: 'UTC' } }],
  ['site.name: 5 is not a text', { site: { name: 5 } }],
  [
    'site.ml_language: "" is not one of the site\'s languages nl, en, fr',
    { site: { ...SITE, ml_language: '' } },
  ],
  [
    'site.timezone_string: "Europe/Atlantis" is not the name of a time zone',
    { site: { name: 'Fixture', timezone_string: 'Europe/Atlantis' } },
  ],
  ['site.gmt_offset: "Europe/Paris" is not hours from GMT', { site: { gmt_offset: 'Europe/Paris' } }],
  ['site.gmt_offset: 30 is not hours from GMT', { site: { gmt_offset: 30 } }],
  ['site.show_on_front: "pages" is not one of posts, page', { site: { show_on_front: 'pages' } }],
  [
    'site.default_category.de: unknown member; the members are nl, en, fr',
    { site: { default_category: { en: 1, de: 2 } } },
  ],
  [
    'site.default_category: "1" is not an id, or an object with one for each language',
    { site: { default_category: '1' } },
  ],
  [
    'users[0].slug: "!" is not a text that results in a slug',
    { site: SITE, users: [{ ...USER, slug: '!' }] },
  ],
  ['users[0].role: "boss" is not one of administrator, ', { site: SITE, users: [{ ...USER, role: 'boss' }] }],
  [
    'users[0].role: "toString" is not one of administrator, ',
    { site: SITE, users: [{ ...USER, role: 'toString' }] },
  ],
  ['users[0].password: the value is not a text', { site: SITE, users: [{ ...USER, password: 54_321 }] }],
  [
    'users[0].pasword: unknown member; the members are id, login, ',
    { site: SITE, users: [{ ...USER, pasword: 'x' }] },
  ],
  [
    'users[0].language_pairs: ["en-fr"] is not a list of pairs such as "en:fr"',
    { site: SITE, users: [{ ...USER, language_pairs: ['en-fr'] }] },
  ],
  [
    'users[1] has the same login as users[0]: "admin"',
    { site: SITE, users: [USER, { ...USER, id: 2, slug: 'other' }] },
  ],
  [
    'categories[0].ml_language: 3 is not one of',
    { site: SITE, categories: [{ slug: 'news', ml_language: 3 }] },
  ],
  [
    'tags[1].slug: "?" is not a text that results in a slug',
    {
      site: SITE,
      tags: [
        { id: 4, slug: 'red' },
        { id: 5, slug: '?' },
      ],
    },
  ],
  ['tags[0].slug: 5 is not a text that results in a slug', { site: SITE, tags: [{ id: 5, slug: 5 }] }],
  ['tags[0].id: 0 is not a whole number from 1 ', { site: SITE, tags: [{ id: 0, slug: 'red' }] }],
  [
    'tags[0] has the same id as categories[0]: 4',
    { site: SITE, categories: [{ id: 4, slug: 'red' }], tags: [{ id: 4, slug: 'red' }] },
  ],
  [
    'media[0].date: "today" is not a date YYYY-MM-DDTHH:MM:SS',
    { site: SITE, media: [{ id: 7, date: 'today' }] },
  ],
  ['media[0].widht: unknown member', { site: SITE, media: [{ id: 7, widht: 3 }] }],
  ['posts[0].date or .date_gmt must be given', { site: SITE, posts: [POST] }],
  ['posts[0].date or .date_gmt must be given', { site: SITE, posts: [{ ...POST, status: 'draft' }] }],
  ['posts[0].date: "1 July 2024" is not a date', posts({ date: '1 July 2024' })],
  ['posts[0].date_gmt: "2024-02-30T10:00:00" is not a date', posts({ date_gmt: '2024-02-30T10:00:00' })],
  ['posts[0].modified: "2024-07-01T12:00:00Z" is not a date', posts({ modified: '2024-07-01T12:00:00Z' })],
  ['posts[0].slug: "!?" is not a text that results in a slug', posts({ slug: '!?' })],
  [
    'posts[1].status: "publihs" is not one of publish, future, draft, pending, private, trash',
    posts({}, { id: 12, slug: 'other', status: 'publihs' }),
  ],
  ['posts[0].ml_language: "xx" is not one of the site\'s languages nl, en, fr', posts({ ml_language: 'xx' })],
  ['posts[0].comment_status: "opne" is not one of open, closed', posts({ comment_status: 'opne' })],
  ['posts[0].format: "asid" is not one of standard, aside, ', posts({ format: 'asid' })],
  ['posts[0].titel: unknown member; the members are id, ', posts({ titel: 'Lamp' })],
  ['posts[1].title: 5 is not a text', posts({}, { id: 12, slug: 'other', title: 5 })],
  ['posts[0].author: -1 is not an id, or 0 for none', posts({ author: -1 })],
  ['posts[0].categories: "1" is not a list of safe integers', posts({ categories: '1' })],
  ['posts[0].meta: "x" is not an object', posts({ meta: 'x' })],
  ['posts[1] has the same id as posts[0]: 11', posts({}, { slug: 'other' })],
  [
    'posts[1] has the same type, language, parent, slug as posts[0]: "post","en",0,"lamp"',
    posts({}, { id: 12, slug: 'Lamp' }),
  ],
  [
    'posts[1] has the same group, language as posts[0]: 7,"en"',
    posts({ group: 7 }, { id: 12, slug: 'other', group: 7 }),
  ],
  ['revisions[0].date or .date_gmt must be given', { site: SITE, revisions: [{ id: 9, parent: 11 }] }],
  [
    'options[0].vale: unknown member; the members are group, key, value',
    { site: SITE, options: [{ group: 'seo', key: 'a', vale: 1 }] },
  ],
  ['options[0].key is missing', { site: SITE, options: [{ group: 'seo', value: 1 }] }],
  [
    'options[0] has the same group, key as site.name: "site","name"',
    { site: SITE, options: [{ group: 'site', key: 'name', value: 'x' }] },
  ],
];

/** Types with registered meta keys, and a value of each kind of record that its key does not allow. */
const REGISTERED = {
  types: [{ name: 'book', base: 'books', meta: { pages: { type: 'integer', minimum: 1 } } }],
  meta: [
    { of: 'user', key: 'motto', type: 'string', maxLength: 10 },
    { of: 'category', key: 'colours', type: 'array', items: { type: 'string' } },
    { of: 'comment', key: 'stars', type: 'integer' },
  ],
};
const META_FAULTS: readonly (readonly [says: string, fixture: object])[] = [
  ['users[0].motto: 5 is not a value that the meta key allows', { users: [{ ...USER, motto: 5 }] }],
  [
    'users[0].motto: "far too long a motto" is not a value',
    { users: [{ ...USER, motto: 'far too long a motto' }] },
  ],
  ['users[0].moto: unknown member', { users: [{ ...USER, moto: 'x' }] }],
  [
    'books[0].meta.pages: 0 is not a value that the meta key allows',
    { books: [{ id: 20, slug: 'tides', date: DATES.date, meta: { pages: 0 } }] },
  ],
  [
    'book_revisions[0].meta.pages: "3" is not a value',
    {
      books: [{ id: 20, slug: 'tides', date: DATES.date }],
      book_revisions: [{ id: 30, parent: 20, date: DATES.date, meta: { pages: '3' } }],
    },
  ],
  ['categories[0].meta.colours: ', { categories: [{ id: 3, slug: 'news', meta: { colours: [1] } }] }],
  [
    'comments[0].meta.stars: ',
    {
      posts: [{ ...POST, date: DATES.date }],
      comments: [{ id: 40, post: 11, date: DATES.date, meta: { stars: 'many' } }],
    },
  ],
];

for (const [says, faulty] of META_FAULTS) {
  load(`refuses a value of registered meta: ${says}`, async () => {
    const fixture = { site: SITE, registered: REGISTERED, ...faulty } as unknown as Fixture;
    const content = joinContent('core', fixture.registered ?? {});
    const store = createMemoryStore(collectionsOf(createContentModel(content)));
    const fault: unknown = await loadFixture(store, fixture, { content }).catch((error: unknown) => error);
    assert.instance(fault, TypeError);
    assert.ok((fault as TypeError).message.startsWith(says), (fault as TypeError).message);
  });
}

for (const [says, fixture] of FAULTS) {
  load(`refuses ${JSON.stringify(fixture)}: ${says}`, async () => {
    const store = createMemoryStore(collections);
    const fault: unknown = await loadFixture(store, fixture as unknown as Fixture, {
      languages: LANGUAGES,
    }).catch((error: unknown) => error);
    assert.instance(fault, TypeError);
    const { message } = fault as TypeError;
    assert.ok(message.startsWith(says), message);
    assert.ok(message.endsWith('; see docs/fixtures.md') && !message.includes('54321'), message);
    assert.is(await store.revision(collections.map(({ name }) => name)), 0);
  });
}

load('accepts any language code if the languages are not given', async () => {
  const site = { site: SITE, tags: [{ id: 3, slug: 'red', ml_language: 'pt-br' }] };
  await loadFixture(createMemoryStore(collections), site);
  assert.match(
    refusalOf(() => {
      checkFixture({ ...site, tags: [{ slug: 'red', ml_language: '日本' }] });
    }),
    /^tags\[0\]\.ml_language: "日本" is not a language code such as "en"/,
  );
});

load('writes nothing of a refused fixture to a file', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'fixture-test-'));
  try {
    const store = await createSqliteStore({ directory, collections, log: () => undefined });
    await loadFixture(
      store,
      posts({}, { id: 12, slug: 'other', status: 'publihs' }) as unknown as Fixture,
    ).then(
      () => assert.unreachable(),
      () => undefined,
    );
    assert.is(await isEmptySite(store), true);
    await store.close();
  } finally {
    await rm(directory, { recursive: true });
  }
});

load('takes what the recorded fixture holds, and empty members', async () => {
  const store = createMemoryStore(collections);
  const row = {
    id: 11,
    slug: 'lamp',
    date: DATES.date,
    title: null,
    format: '',
    comment_status: null,
    date_gmt: null,
    ml_language: null,
    author: 99,
    categories: [98],
  };
  await loadFixture(
    store,
    {
      site: { ...SITE, posts_per_page: 10, permalink: '/%postname%/' },
      formats: ['aside', 'chat'],
      posts: [row],
    },
    { languages: LANGUAGES },
  );
  const post = await store.get('posts', 11);
  // A post without a status is a draft, as in WordPress. The targets of ids are not checked.
  assert.equal(
    [post?.['status'], post?.['date_gmt'], post?.['language'], post?.['author'], post?.['title']],
    ['draft', '', 'en', 99, ''],
  );
});

for (const [languages, given, expected] of [
  [undefined, {}, 'en'],
  [['de', 'en'], {}, 'en'],
  [['de', 'es'], {}, 'de'],
  [['de', 'es'], { ml_language: 'es' }, 'es'],
  [undefined, { ml_language: 'pt-br' }, 'pt-br'],
] as const) {
  load(
    `gives a row without ml_language the language ${expected}, where the site has ${String(languages)} and says ${JSON.stringify(given)}`,
    async () => {
      const store = createMemoryStore(collections);
      await loadFixture(
        store,
        { site: given, tags: [{ id: 3, slug: 'red' }] },
        languages === undefined ? {} : { languages },
      );
      assert.is((await store.get('terms', 3))?.['language'], expected);
    },
  );
}

load('gives the password to a user without an id', async () => {
  const store = createMemoryStore(collections);
  await loadFixture(store, {
    site: SITE,
    users: [
      { login: 'a', slug: 'a' },
      { login: 'b', slug: 'b', password: 'secret' },
    ],
  });
  const [users, credentials] = await Promise.all(
    ['users', 'credentials'].map((collection) => store.find({ collection })),
  );
  assert.is(credentials?.records[0]?.['user'], users?.records.find(({ login }) => login === 'b')?.id);
});

load('says that the store already has content, and what is not a store', async () => {
  const store = createMemoryStore(collections);
  await loadFixture(store, { site: SITE });
  const failure: unknown = await loadFixture(store, { site: SITE }).catch((error: unknown) => error);
  assert.instance(failure, StoreError);
  assert.equal([(failure as StoreError).code, (failure as StoreError).fields], ['unique', ['group', 'key']]);
  assert.match(
    (failure as StoreError).message,
    /^The store already has content; the fixture was not loaded: /,
  );
  for (const [other, says] of [
    [undefined, 'the store of loadFixture: undefined is not an object'],
    [{ site: SITE }, 'the store of loadFixture.commit is missing; it must be a function'],
  ] as const) {
    assert.is(
      await loadFixture(other as unknown as Store, { site: SITE }).catch(String),
      `TypeError: ${says}`,
    );
  }
});

load.run();

const empty = suite('isEmptySite');

empty('is true before anything was written, of a site that was built on the store, too', async () => {
  const store = createMemoryStore(collections);
  assert.is(await isEmptySite(store), true);
  const site = await createSite({ store });
  assert.is((await store.find({ collection: 'options' })).records.length, 1);
  assert.is(await isEmptySite(store), true);
  await site.close();
});

empty(
  'is true of a site with indexed meta keys that was started without content, and what is loaded then is found by them',
  async () => {
    const content = {
      core: true,
      types: [{ name: 'boat', base: 'boats', meta: { length: { type: 'integer', indexed: true } } }],
    } as const;
    const model = createContentModel(content);
    const store = createMemoryStore(collectionsOf(model));
    await (await createSite({ store, content })).close();
    assert.is((await store.find({ collection: 'options' })).records.length, 2);
    assert.is(await isEmptySite(store), true);
    await loadFixture(
      store,
      { site: {}, users: [USER], boats: [{ ...POST, ...DATES, meta: { length: 12 } }] } as Fixture,
      { content },
    );
    assert.is(await isEmptySite(store), false);
    const site = await createSite({ store, content });
    for (const [length, count] of [
      [12, 1],
      [13, 0],
    ]) {
      const { body } = await site.engine.dispatch(
        createRequest(`/cms/v2/boats?meta[length]=${length}`, { language: 'en', siteUrl: '' }),
      );
      assert.is((body as readonly unknown[]).length, count);
    }
    await site.close();
  },
);

const ROW = { id: 1, slug: 'a' } as const;
const NO_SITE = { site: {} } as const;
const CONTENTS: readonly Fixture[] = [
  { site: { name: 'Alone' } },
  { ...NO_SITE, options: [{ group: 'seo', key: 'a', value: 1 }] },
  { ...NO_SITE, users: [{ ...ROW, login: 'a' }] },
  { ...NO_SITE, categories: [ROW] },
  { ...NO_SITE, tags: [ROW] },
  { ...NO_SITE, media: [{ id: 1 }] },
  { ...NO_SITE, posts: [{ ...POST, ...DATES }] },
  { ...NO_SITE, revisions: [{ id: 1, parent: 11, ...DATES }] },
];

for (const fixture of CONTENTS) {
  empty(`is false with ${JSON.stringify(fixture)}, and true when that is cleared`, async () => {
    const store = createMemoryStore(collections);
    await loadFixture(store, fixture);
    assert.is(await isEmptySite(store), false);
    await clearSite(store, collections);
    assert.is(await isEmptySite(store), true);
  });
}

empty.run();

const check = suite('checkFixture');

check('validates a document without a store', () => {
  const document: unknown = { site: SITE, users: [{ ...USER, password: 'secret' }] };
  checkFixture(document, { languages: LANGUAGES });
  assert.is(document.site, SITE);
  assert.match(
    refusalOf(() => {
      checkFixture({ site: SITE, post: [] });
    }),
    /^post: unknown member/,
  );
  assert.match(
    refusalOf(() => {
      checkFixture(document, { languages: [] });
    }),
    /^languages of the options of a fixture/,
  );
});

check('takes the example of docs/fixtures.md', () => {
  const [, example = ''] =
    /```json\n([^]*?)```/.exec(readFileSync(`${PROJECT}docs/fixtures.md`, 'utf8')) ?? [];
  checkFixture(JSON.parse(example), { languages: LANGUAGES });
});

check.run();
