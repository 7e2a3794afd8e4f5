import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../../../adapters/memory-store.ts';
import { eq, type Query } from '../../../../lib/store/query.ts';
import { StoreError } from '../../../../lib/store/store.ts';
import { keepSiblings } from '../../../../registry/core/translations/keep-siblings.ts';
import { collections } from '../../../../registry/index.ts';
import type { Fixture } from '../../../../registry/transfer/fixture/fixture-rows.ts';
import { createWholeSite, type WholeSite } from '../../../support/whole-site.ts';

// Translations that people link by hand, with the members `ml_translation_of` and `ml_translations` of a body.
const post = (id: number, ml_language: string, more: object = {}) => ({
  id,
  title: `Post ${id}`,
  slug: `post-${id}`,
  ml_language,
  author: 1,
  status: 'publish',
  date: '2024-01-01T10:00:00',
  date_gmt: '2024-01-01T10:00:00',
  content: 'text',
  categories: [],
  ...more,
});

const FIXTURE: Fixture = {
  site: { name: 'Links', timezone_string: 'UTC' },
  users: [
    { id: 1, login: 'editor', name: 'Editor', slug: 'editor', role: 'editor' },
    { id: 2, login: 'author', name: 'Author', slug: 'author', role: 'author' },
  ],
  posts: [
    post(1, 'en'),
    post(2, 'nl'),
    post(3, 'fr'),
    post(4, 'en', { group: 9 }),
    post(5, 'nl', { group: 9 }),
    post(6, 'fr', { author: 2 }),
  ],
};

async function inSite(run: (site: WholeSite) => Promise<void>): Promise<void> {
  const site = await createWholeSite({ fixture: FIXTURE, content: 'core' });
  try {
    await run(site);
  } finally {
    await site.close();
  }
}

interface Shown {
  readonly id: number;
  readonly ml_translations?: Readonly<Record<string, number>>;
  readonly data?: { readonly params?: Readonly<Record<string, string>> };
}

type Write = readonly [path: string, body: object, as?: string];

/** Writes a post. @returns the status and, of a refusal, the reason */
async function write(site: WholeSite, [path, body, as = 'editor']: Write) {
  const { status, body: shown } = await site.ask({
    method: 'POST',
    target: `/cms/v2/posts${path}`,
    as,
    body,
  });
  const { id, data } = shown as Shown;
  return { status, id, reasons: Object.values(data?.params ?? {}) };
}

async function linksOf(site: WholeSite, id: number): Promise<unknown> {
  const { body } = await site.ask({ target: `/cms/v2/posts/${id}` });
  return (body as Shown).ml_translations;
}

const links = suite('translations linked by hand');

links('a post joins another one, and each shows both', () =>
  inSite(async (site) => {
    assert.is((await write(site, ['/2', { ml_translation_of: 1 }])).status, 200);
    assert.is((await write(site, ['/3', { ml_translation_of: 2 }])).status, 200);
    for (const id of [1, 2, 3]) assert.equal(await linksOf(site, id), { en: 1, nl: 2, fr: 3 });
  }),
);

links('a new post is linked by the commit that creates it', () =>
  inSite(async (site) => {
    const { status, id } = await write(site, [
      '',
      {
        title: 'Un',
        status: 'publish',
        ml_language: 'fr',
        ml_translations: { en: 4 },
      },
    ]);
    assert.is(status, 201);
    assert.equal(await linksOf(site, 5), { en: 4, nl: 5, fr: id });
  }),
);

links('a post leaves its translations, and can be taken out by another one', () =>
  inSite(async (site) => {
    await write(site, ['/4', { ml_translation_of: 0 }]);
    assert.is(await linksOf(site, 5), undefined);
    await write(site, ['/1', { ml_translations: { nl: 2, fr: 3 } }]);
    await write(site, ['/1', { ml_translations: { nl: null } }]);
    assert.equal(await linksOf(site, 3), { en: 1, fr: 3 });
    assert.is(await linksOf(site, 2), undefined);
  }),
);

links('a post moves to another group when its place there is free', () =>
  inSite(async (site) => {
    await write(site, ['/2', { ml_translation_of: 1 }]);
    await write(site, ['/4', { ml_translations: { nl: null } }]);
    assert.is((await write(site, ['/4', { ml_translations: { nl: 2 } }])).status, 200);
    assert.equal(await linksOf(site, 4), { en: 4, nl: 2 });
    assert.is(await linksOf(site, 1), undefined);
  }),
);

links('what a client read can be sent back, also by a caller who may not change the others', () =>
  inSite(async (site) => {
    await write(site, ['/6', { ml_translation_of: 4 }]);
    const sent = { ml_translations: { en: 4, nl: 5, fr: 6 } };
    assert.is((await write(site, ['/6', sent, 'author'])).status, 200);
    assert.equal(await linksOf(site, 4), sent.ml_translations);
  }),
);

const REFUSED: readonly (readonly [path: string, body: object, as: string, reason: RegExp])[] = [
  ['/2', { ml_translation_of: 4 }, 'editor', /record 5 is already the translation into "nl"/],
  ['/1', { ml_translation_of: 4 }, 'editor', /record 4 has the same language, "en"/],
  ['/1', { ml_translation_of: 1 }, 'editor', /not a translation of itself/],
  ['/1', { ml_translation_of: 999 }, 'editor', /there is no record 999/],
  ['/6', { ml_translation_of: 1 }, 'author', /there is no record 1 of this kind that you may change/],
  ['/1', { ml_translations: { nl: 3 } }, 'editor', /record 3 is not in "nl"/],
  ['/1', { ml_translations: { en: 4 } }, 'editor', /the language of this record is "en"/],
  ['/1', { ml_translations: { en: null } }, 'editor', /the language of this record is "en"/],
  ['/4', { ml_translations: { nl: 2 } }, 'editor', /record 5 is already the translation into "nl"/],
  ['/5', { ml_language: 'en' }, 'editor', /record 4 is already the translation into "en"/],
];

links('what cannot be linked is refused with the reason, and nothing changes', () =>
  inSite(async (site) => {
    const before = await site.ask({ target: '/cms/v2/posts/4' });
    for (const [path, body, as, reason] of REFUSED) {
      const { status, reasons } = await write(site, [path, body, as]);
      assert.is(status, 400, JSON.stringify(body));
      assert.match(reasons.join(' '), reason);
    }
    assert.is((await site.ask({ target: '/cms/v2/posts/4' })).text, before.text);
  }),
);

links('terms are linked as posts are', () =>
  inSite(async (site) => {
    const send = async (path: string, body: object, as = 'editor') => {
      const { status, body: shown } = await site.ask({
        method: 'POST',
        target: `/cms/v2/categories${path}`,
        as,
        body,
      });
      return { status, id: (shown as Shown).id };
    };
    const { id: en } = await send('', { name: 'News', ml_language: 'en' });
    const { id: fr, status } = await send('', {
      name: 'Nouvelles',
      ml_language: 'fr',
      ml_translation_of: en,
    });
    assert.is(status, 201);
    const { records } = await site.store.find({ collection: 'terms', fields: ['group', 'siblings'] });
    assert.equal(
      records.map(({ group, siblings }) => [group, siblings]),
      [
        [en, ['fr']],
        [en, ['en']],
      ],
    );
    assert.is((await send('', { name: 'Autres', ml_language: 'fr', ml_translation_of: en })).status, 400);
    assert.is((await send(`/${fr}`, { ml_language: 'en' })).status, 400);
    assert.is((await send(`/${fr}`, { ml_translation_of: 0 })).status, 200);
    assert.equal((await site.store.get('terms', en))?.['siblings'], []);
  }),
);

links('of writers at the same moment, one takes a language of a term', () =>
  inSite(async (site) => {
    const create = (body: object) =>
      site.ask({ method: 'POST', target: '/cms/v2/categories', as: 'editor', body });
    const { id } = (await create({ name: 'News', ml_language: 'en' })).body as Shown;
    assert.is((await create({ name: 'Nouvelles', ml_language: 'fr', ml_translation_of: id })).status, 201);
    const answers = await Promise.all(
      ['Een', 'Twee', 'Drie'].map((name) => create({ name, ml_language: 'nl', ml_translation_of: id })),
    );
    assert.equal(answers.map(({ status }) => status).toSorted(), [201, 400, 400]);
  }),
);

links('of writers at the same moment through two members, one takes a language of a term', () =>
  inSite(async (site) => {
    const create = async (name: string, ml_language: string, of?: number) =>
      site.ask({
        method: 'POST',
        target: '/cms/v2/categories',
        as: 'editor',
        body: { name, ml_language, ...(of === undefined ? {} : { ml_translation_of: of }) },
      });
    const en = ((await create('News', 'en')).body as Shown).id;
    const fr = ((await create('Nouvelles', 'fr', en)).body as Shown).id;
    const answers = await Promise.all([create('Nieuws', 'nl', en), create('Berichten', 'nl', fr)]);
    assert.equal(answers.map(({ status }) => status).toSorted(), [201, 400]);
  }),
);

links('files are linked as posts are, and a translation has the file of the original', async () => {
  const file = (id: number, more: object = {}) => ({
    id,
    title: `File ${id}`,
    slug: `file-${id}`,
    date: '2024-01-01T10:00:00',
    date_gmt: '2024-01-01T10:00:00',
    mime_type: 'image/png',
    file: `2024/01/${id}.png`,
    author: 1,
    ...more,
  });
  const media = [file(1, { language: 'en' }), file(2), file(3, { author: 2 })];
  const site = await createWholeSite({ fixture: { ...FIXTURE, media }, content: 'core' });
  const send = async (path: string, body: object, as = 'editor') => {
    const answer = await site.ask({ method: 'POST', target: `/cms/v2/media${path}`, as, body });
    const { id, data } = answer.body as Shown;
    return { status: answer.status, id, reasons: Object.values(data?.params ?? {}) };
  };
  const idsOf = async (query: string) =>
    ((await site.ask({ target: `/cms/v2/media?order=asc&orderby=id${query}` })).body as readonly Shown[]).map(
      ({ id }) => id,
    );
  try {
    const french = { ml_translation_of: 1, ml_language: 'fr', title: 'Image' };
    assert.is((await send('', french, 'author')).status, 400);
    assert.is((await send('', { ...french, ml_translation_of: 2 })).status, 400);
    assert.match((await send('', { ...french, ml_translation_of: 999 })).reasons[0] ?? '', 'no record 999');
    assert.is((await send('/2', { ml_translations: { en: 1 } })).status, 400);
    const { id } = await send('', french);
    const { body } = await site.ask({ target: `/cms/v2/media/${id}` });
    const shown = body as Shown & { readonly source_url: string; readonly ml_language: string };
    assert.match(shown.source_url, /\/2024\/01\/1\.png$/);
    assert.equal([shown.ml_language, shown.ml_translations], ['fr', { en: 1, fr: id }]);
    const read = async (of: number, query: string, as: string | null = null) => {
      const answer = await site.ask({ target: `/cms/v2/media/${of}?${query}`, as, language: 'fr' });
      const { id: found, ml_fallback_of: instead } = answer.body as Shown & { ml_fallback_of?: string };
      return [answer.status, found, instead, answer.headers['Content-Language']];
    };
    const listed = async (query: string) => {
      const target = `/cms/v2/media?order=asc&orderby=id&${query}`;
      const answer = await site.ask({ target, language: 'fr' });
      const found = answer.body as readonly (Shown & { ml_fallback_of?: string })[];
      return [
        found.map((each) => [each.id, each.ml_fallback_of]),
        Number(answer.headers['X-CMS-Total']),
        answer.headers['Content-Language'],
      ];
    };
    const shared = [2, undefined] as const;
    const one = [3, undefined] as const;
    assert.equal(await listed('ml_fallback=en'), [[shared, one, [id, undefined]], 3, 'fr']);
    assert.equal(await listed('ml_language=nl&ml_fallback=en'), [[[1, 'nl'], shared, one], 3, 'en']);
    assert.equal(await listed('ml_fallback=en&include=1'), [[[id, undefined]], 1, 'fr']);
    assert.is((await site.ask({ target: '/cms/v2/media?ml_fallback=xx' })).status, 400);
    assert.equal(await read(1, ''), [200, 1, undefined, 'fr']);
    assert.equal(await read(1, 'ml_fallback=en'), [200, id, undefined, 'fr']);
    assert.equal(await read(id, 'ml_language=nl&ml_fallback=en'), [200, 1, 'nl', 'en']);
    assert.equal(await read(2, 'ml_fallback=en'), [200, 2, undefined, 'fr']);
    assert.is((await read(1, 'ml_fallback=xx'))[0], 400);
    // A translation that the caller may not see stands for no other.
    const hidden = { op: 'update', collection: 'media', id, values: { status: 'private' } } as const;
    await site.store.commit([hidden]);
    assert.equal(await read(1, 'ml_fallback=en'), [200, 1, 'fr', 'en']);
    assert.equal((await read(1, 'ml_fallback=en', 'editor')).slice(0, 2), [200, id]);
    await site.store.commit([{ ...hidden, values: { status: 'inherit' } }]);
    // A file that stands for itself has its own language.
    await site.store.commit([{ ...hidden, values: { language: 'nl' } }]);
    assert.equal(await read(id, 'ml_fallback=en'), [200, 1, 'fr', 'en']);
    await site.store.commit([{ ...hidden, id: 1, values: { group: 0, language: 'nl' } }]);
    assert.equal(await read(1, 'ml_fallback=en'), [200, 1, 'fr', 'nl']);
    await site.store.commit([
      { ...hidden, id: 1, values: { group: id, language: 'en', author: 2 } },
      { ...hidden, values: { language: 'fr', group: id } },
    ]);
    // An author reads the edit view of the own file only.
    assert.equal(await read(1, 'ml_fallback=en&context=edit', 'author'), [200, 1, 'fr', 'en']);
    assert.is((await read(1, 'ml_fallback=en&context=edit', 'editor'))[1], id);
    assert.match((await send('', french)).reasons[0] ?? '', `record ${id}`);
    assert.equal(await idsOf(''), [1, 2, 3, id]);
    assert.equal(await idsOf('&ml_language=fr'), [2, 3, id]);
    const list = await site.ask({ target: '/cms/v2/media/1/translations' });
    assert.equal(
      (list.body as readonly Shown[]).map((each) => each.id),
      [1, id],
    );
    assert.is((await send(`/${id}`, { ml_translation_of: 0 })).status, 200);
    assert.is((await send('/2', { ml_language: 'fr', ml_translation_of: 1 })).status, 200);
  } finally {
    await site.close();
  }
});

links('two first members of a group at the same moment know of each other', () =>
  inSite(async ({ store }) => {
    const kept = keepSiblings(store);
    const create = (language: string) =>
      kept.commit([
        {
          op: 'create',
          collection: 'posts',
          values: { type: 'post', language, slug: language, status: 'publish', group: 77 },
        },
      ]);
    await Promise.all([create('en'), create('fr')]);
    const { records } = await store.find({
      collection: 'posts',
      where: eq('group', 77),
      fields: ['siblings'],
    });
    assert.equal(
      records.map(({ siblings }) => (siblings as readonly string[]).length),
      [2, 2],
    );
  }),
);

links('a commit is done although the later look at the group fails', async () => {
  const store = createMemoryStore(collections);
  const logged: unknown[] = [];
  const kept = keepSiblings(
    new Proxy(store, {
      get(target, name) {
        if (name !== 'find') return Reflect.get(target, name, target) as unknown;
        return async (query: Query) => {
          if ((await target.revision(['posts'])) > 0) throw new StoreError('version', 'a race');
          return target.find(query);
        };
      },
    }),
    ({ error }) => logged.push((error as StoreError).code),
  );
  const values = { type: 'post', language: 'en', slug: 'a', group: 77 };
  const [created] = await kept.commit([{ op: 'create', collection: 'posts', values }]);
  const { records } = await store.find({ collection: 'posts' });
  assert.equal([records.map(({ id }) => id), logged], [[created?.id], ['version']]);
});

links.run();
