import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../../../adapters/memory-store.ts';
import { createSqliteStore } from '../../../../adapters/sqlite-store.ts';
import type { CollectionDescriptor } from '../../../../lib/store/collection.ts';
import { syncSiblings } from '../../../../registry/core/translations/keep-siblings.ts';
import { collections } from '../../../../registry/index.ts';
import type { Fixture } from '../../../../registry/transfer/fixture/fixture-rows.ts';
import { compareFallback, compareFileFallback } from '../../../support/fallback-model.ts';
import { openMemory, STORES } from '../../../support/store-factories.ts';
import { inFolder } from '../../../support/temporary.ts';
import { createWholeSite, type WholeSite } from '../../../support/whole-site.ts';

// `ml_fallback`: one record for each translation group, in the first language of a chain that has one.
const post = (id: number, ml_language: string, more: object = {}) => ({
  id,
  title: `Post ${id}`,
  slug: `post-${id}`,
  ml_language,
  author: 1,
  status: 'publish',
  date: `2024-01-0${id % 9}T10:00:00`,
  date_gmt: `2024-01-0${id % 9}T10:00:00`,
  content: 'text',
  categories: [],
  ...more,
});

// Group 10 has all languages; 20 no French; 30 a French draft; 5 and 6 are not translated.
const FIXTURE: Fixture = {
  site: { name: 'Fallback', timezone_string: 'UTC' },
  users: [{ id: 1, login: 'editor', name: 'Editor', slug: 'editor', role: 'editor' }],
  posts: [
    post(1, 'fr', { group: 10, title: 'Accueil' }),
    post(2, 'en', { group: 10 }),
    post(3, 'nl', { group: 20 }),
    post(4, 'en', { group: 20, slug: 'about' }),
    post(5, 'nl'),
    post(6, 'en'),
    post(7, 'fr', { group: 30, status: 'draft' }),
    post(8, 'nl', { group: 30 }),
  ],
};

async function inSite(run: (site: WholeSite) => Promise<void>): Promise<void> {
  const site = await createWholeSite({ fixture: FIXTURE, languages: ['nl', 'en', 'fr'] });
  try {
    await run(site);
  } finally {
    await site.close();
  }
}

interface Shown {
  readonly id: number;
  readonly ml_language: string;
  readonly ml_fallback_of?: string;
  readonly link: string;
  readonly _links: Readonly<Record<string, readonly { href: string; hreflang?: string }[]>>;
}

async function list(site: WholeSite, query: string, as: string | null = null) {
  const target = `/cms/v2/posts?orderby=id&order=asc&${query}`;
  const { status, body, headers } = await site.ask({ target, as, language: 'fr' });
  const shown = status === 200 ? (body as readonly Shown[]) : [];
  return {
    status,
    shown,
    ids: shown.map(({ id }) => id),
    total: Number(headers['X-CMS-Total']),
    language: headers['Content-Language'],
  };
}

const fallback = suite('fallback languages');

fallback('a list has one record for each group, and says which of them stand in', () =>
  inSite(async (site) => {
    assert.equal((await list(site, '')).ids, [1]);
    const { ids, total, language, shown } = await list(site, 'ml_fallback=en,nl');
    assert.equal(ids, [1, 4, 5, 6, 8]);
    assert.is(total, 5);
    assert.is(language, 'fr, en, nl');
    assert.equal(
      shown.map(({ ml_fallback_of: of }) => of),
      [undefined, 'fr', 'fr', 'fr', 'fr'],
    );
    // The address and the links of a stand-in are those of its own language.
    assert.match(shown[1]?.link ?? '', '/about');
    assert.not(shown[1]?._links['alternate']?.some(({ hreflang }) => hreflang === 'fr'));
    assert.equal((await list(site, 'ml_fallback=nl')).ids, [1, 3, 5, 8]);
    assert.equal((await list(site, 'ml_fallback=nl,en&per_page=2&page=2')).ids, [5, 6]);
  }),
);

fallback('a translation stands in from the moment it is visible', () =>
  inSite(async (site) => {
    const send = (method: string, target: string, body?: object) =>
      site.ask({ method, target, as: 'editor', ...(body === undefined ? {} : { body }) });
    assert.equal((await list(site, 'ml_fallback=nl&status=publish,draft', 'editor')).ids, [1, 3, 5, 7]);
    await send('POST', '/cms/v2/posts/7', { status: 'publish' });
    assert.equal((await list(site, 'ml_fallback=nl')).ids, [1, 3, 5, 7]);
    await send('DELETE', '/cms/v2/posts/7');
    await send('DELETE', '/cms/v2/posts/1?force=true');
    const { ids, total } = await list(site, 'ml_fallback=en,nl');
    assert.equal([ids, total], [[2, 4, 5, 6, 8], 5]);
  }),
);

/** Reports about other systems, and what the list of a French site says to each. */
const REPORTS: readonly (readonly [report: string, query: string, ids: readonly number[]])[] = [
  ['payloadcms/payload#3294: a slug that only the other language has', 'ml_fallback=en&slug=about', [4]],
  ['payloadcms/payload#8329: a filter on what stands in', 'ml_fallback=en&search=Post', [4, 6]],
  ['payloadcms/payload#8443: nothing stands in where nobody asks', '', [1]],
  ['strapi/strapi#10806: one record of each group, translated where it is', 'ml_fallback=en', [1, 4, 6]],
  ['strapi/strapi#12799: records that the language does not have', 'ml_fallback=en&include=4,6', [4, 6]],
];

for (const [report, query, ids] of REPORTS)
  fallback(report, () => inSite(async (site) => assert.equal((await list(site, query)).ids, ids)));

fallback('filters find stand-ins, and not what is hidden behind a translation', () =>
  inSite(async (site) => {
    assert.equal((await list(site, 'ml_fallback=en&slug=about')).ids, [4]);
    assert.equal((await list(site, 'ml_fallback=en&slug=post-2')).ids, []);
    assert.equal((await list(site, 'ml_fallback=en&search=Post')).ids, [4, 6]);
    assert.equal((await list(site, 'ml_fallback=en&include=3,2&orderby=include')).ids, [4, 1]);
    assert.equal((await list(site, 'ml_fallback=en&exclude=2')).ids, [4, 6]);
  }),
);

fallback('a single record is the first of its group', () =>
  inSite(async (site) => {
    const read = async (id: number, query: string) => {
      const target = `/cms/v2/posts/${id}?${query}`;
      const { status, body, headers } = await site.ask({ target, language: 'fr' });
      const { id: shown, ml_fallback_of: of } = body as Shown;
      return [status, shown, of, headers['Content-Language']];
    };
    assert.equal(await read(2, 'ml_fallback=en'), [200, 1, undefined, 'fr']);
    assert.equal(await read(3, 'ml_fallback=en'), [200, 4, 'fr', 'en']);
    // Twice: the second is a cached document, and the first one without the parameter must not be it.
    assert.equal(await read(3, ''), [200, 3, undefined, 'nl']);
    assert.equal(await read(4, ''), [200, 4, undefined, 'en']);
    assert.equal(await read(3, 'ml_fallback=en'), [200, 4, 'fr', 'en']);
    // The id of a hidden draft does not tell of which post it is a translation.
    assert.is((await read(7, 'ml_fallback=nl'))[0], 401);
    assert.equal((await list(site, 'ml_fallback=nl&include=7')).ids, []);
    assert.equal((await list(site, 'ml_fallback=nl&exclude=7')).ids, [1, 3, 5, 8]);
    assert.equal(await read(8, 'ml_fallback=nl'), [200, 8, 'fr', 'nl']);
    assert.equal(await read(5, 'ml_fallback=en'), [200, 5, 'fr', 'nl']);
  }),
);

// payloadcms/payload#2379: nothing stands in unless the request asks for it.
fallback('the settings have a chain for requests that ask for it', () =>
  inSite(async (site) => {
    const group = { op: 'create', collection: 'options' } as const;
    await site.store.commit([
      { ...group, values: { group: 'site', key: 'ml_fallbacks', value: { fr: ['nl', 'xx'], en: ['nl'] } } },
    ]);
    assert.equal((await list(site, '')).ids, [1]);
    assert.equal((await list(site, 'ml_fallback=default')).ids, [1, 3, 5, 8]);
    assert.equal((await list(site, 'ml_fallback=default,en')).ids, [1, 3, 5, 6, 8]);
    const { status } = await list(site, 'ml_fallback=xx');
    assert.is(status, 400);
  }),
);

fallback('what an earlier version stored is completed once', async () => {
  const store = createMemoryStore(collections);
  const values = { type: 'post', group: 9, status: 'publish', author: 1 };
  await store.commit([
    { op: 'create', collection: 'posts', values: { ...values, language: 'fr', slug: 'a' } },
    { op: 'create', collection: 'posts', values: { ...values, language: 'en', slug: 'b' } },
    { op: 'create', collection: 'posts', values: { ...values, language: 'en', slug: 'c', group: 0 } },
  ]);
  await syncSiblings(store);
  const { records } = await store.find({ collection: 'posts', fields: ['siblings'] });
  assert.equal(
    records.map(({ siblings }) => siblings),
    [['en publish', 'en publish 1'], ['fr publish', 'fr publish 1'], []],
  );
  const revision = await store.revision(['posts', 'options']);
  await syncSiblings(store);
  assert.is(await store.revision(['posts', 'options']), revision);
});

fallback('a store of an earlier version with two terms of one language in a group opens', () =>
  inFolder(async (directory) => {
    const former = collections.map(({ fields, unique, ...each }: CollectionDescriptor) => {
      const { siblings: _siblings, ...others } = fields;
      const keys = each.name === 'terms' ? [{ fields: ['taxonomy', 'language', 'slug'] }] : unique;
      return { ...each, fields: others, ...(keys === undefined ? {} : { unique: keys }) };
    });
    const old = await createSqliteStore({ directory, collections: former, durability: 'relaxed' });
    const values = { taxonomy: 'category', language: 'fr', group: 5 };
    for (const slug of ['a', 'b'])
      await old.commit([{ op: 'create', collection: 'terms', values: { ...values, slug } }]);
    await old.close();
    const store = await createSqliteStore({ directory, collections, durability: 'relaxed' });
    try {
      await syncSiblings(store);
      const { records } = await store.find({ collection: 'terms', fields: ['siblings'] });
      assert.equal(
        records.map(({ siblings }) => siblings),
        [['fr'], ['fr']],
      );
    } finally {
      await store.close();
    }
  }),
);

const TERMS: Fixture = {
  ...FIXTURE,
  categories: [
    { id: 11, name: 'Nouvelles', slug: 'nouvelles', ml_language: 'fr', group: 50 },
    { id: 12, name: 'News', slug: 'news', ml_language: 'en', group: 50 },
    { id: 13, name: 'Sport', slug: 'sport', ml_language: 'en' },
  ],
  posts: [post(1, 'en', { categories: [12] }), post(2, 'fr', { categories: [11] })],
};

fallback('terms stand in, and filters by them find what has their translations', async () => {
  const site = await createWholeSite({ fixture: TERMS, languages: ['nl', 'en', 'fr'], content: 'core' });
  const ids = async (target: string): Promise<readonly number[]> =>
    ((await site.ask({ target, language: 'fr' })).body as readonly Shown[]).map(({ id }) => id);
  try {
    assert.equal(await ids('/cms/v2/categories'), [11]);
    assert.equal(await ids('/cms/v2/categories?ml_fallback=en'), [11, 13]);
    assert.equal(await ids('/cms/v2/categories?ml_fallback=en&include=12,13'), [11, 13]);
    assert.equal(await ids('/cms/v2/categories?ml_fallback=en&post=1'), [11]);
    assert.equal(await ids('/cms/v2/categories?ml_fallback=en&hide_empty=true'), [11]);
    assert.equal(await ids('/cms/v2/posts?ml_fallback=en&categories=11'), [2, 1]);
    assert.equal(await ids('/cms/v2/search?search=post'), [2]);
    assert.equal((await ids('/cms/v2/search?search=post&ml_fallback=en')).toSorted(), [1, 2]);
    assert.equal(await ids('/cms/v2/search?type=term&ml_fallback=en'), [11, 13]);
    const refused = await site.ask({ target: '/cms/v2/posts?ml_fallback=xx' });
    assert.match(refused.text, 'it has nl, en, fr, and default');
    const { body, headers } = await site.ask({
      target: '/cms/v2/categories/12?ml_fallback=en',
      language: 'fr',
    });
    assert.equal([(body as Shown).id, headers['Content-Language']], [11, 'fr']);
    const { body: group } = await site.ask({ target: '/cms/v2/categories/12/translations' });
    assert.equal(
      (group as readonly { language: string; title: string }[]).map(({ language, title }) => [
        language,
        title,
      ]),
      [
        ['en', 'News'],
        ['fr', 'Nouvelles'],
      ],
    );
  } finally {
    await site.close();
  }
});

fallback.run();

const generated = suite('generated questions with fallback languages');

for (const [name, open] of Object.entries(STORES))
  generated(`${name}: pages and totals are those of a model that reads everything`, async () => {
    const { different, answered } = await compareFallback(open, { questions: 120, seed: 7 });
    assert.equal(different, []);
    assert.ok(answered > 60, `${answered} of 120`);
  });

generated('files likewise', async () => {
  const { different, answered } = await compareFileFallback(openMemory, { questions: 120, seed: 7 });
  assert.equal(different, []);
  assert.ok(answered > 60, `${answered} of 120`);
});

generated.run();
