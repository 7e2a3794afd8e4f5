import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isObject } from '../../../../lib/core/objects.ts';
import type { Fixture } from '../../../../registry/transfer/fixture/fixture.ts';
import {
  type Answer,
  type Asking,
  createWholeSite,
  SITE_URL,
  type WholeSite,
} from '../../../support/whole-site.ts';

// The language rules of the site: the contents of a list, the language of a new post, and the translations of a post.
const POSTS = '/cms/v2/posts';
const PREFIXES = ['en', 'fr'] as const;
const LANGUAGES = ['nl', 'en', 'fr'] as const;

const published = {
  author: 1,
  status: 'publish',
  date: '2024-01-01T10:00:00',
  date_gmt: '2024-01-01T10:00:00',
  content: 'lantern',
  categories: [1],
};

/** Three translations of one post, a pair with one unpublished post, and a single post in each language. */
const FIXTURE: Fixture = {
  site: { name: 'Languages', timezone_string: 'UTC', default_category: { en: 1, fr: 2, nl: 3 } },
  users: [{ id: 1, login: 'editor', name: 'Editor', slug: 'editor', role: 'editor' }],
  categories: [
    { id: 1, name: 'None', slug: 'none', ml_language: 'en', group: 5 },
    { id: 2, name: 'Rien', slug: 'rien', ml_language: 'fr', group: 5 },
    { id: 3, name: 'Geen', slug: 'geen', ml_language: 'nl', group: 5 },
  ],
  posts: [
    { ...published, id: 11, title: 'Lamp', slug: 'lamp', ml_language: 'en', group: 7 },
    { ...published, id: 12, title: 'Lampe', slug: 'lampe', ml_language: 'fr', group: 7 },
    { ...published, id: 13, title: 'Lamp', slug: 'lamp', ml_language: 'nl', group: 7 },
    { ...published, id: 21, title: 'Pair', slug: 'pair', ml_language: 'en', group: 8 },
    { ...published, id: 22, title: 'Paire', slug: 'paire', ml_language: 'fr', group: 8, status: 'draft' },
    { ...published, id: 31, title: 'Alone', slug: 'alone', ml_language: 'en' },
    { ...published, id: 32, title: 'Seul', slug: 'seul', ml_language: 'fr' },
  ],
};

const OF_LANGUAGE: Readonly<Record<string, readonly number[]>> = { en: [11, 21, 31], fr: [12, 32], nl: [13] };

function member(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined),
    value,
  );
}

function idsOf({ body }: Answer): readonly number[] {
  return Array.isArray(body)
    ? body.map((post: unknown) => Number(member(post, 'id'))).sort((left, right) => left - right)
    : [];
}

async function withSite(
  run: (site: WholeSite, write: (asking: Asking) => Promise<Answer>) => Promise<void>,
): Promise<void> {
  const site = await createWholeSite({ fixture: FIXTURE });
  try {
    await run(site, (asking) => site.ask({ method: 'POST', as: 'editor', ...asking }));
  } finally {
    await site.close();
  }
}

const scope = suite('the language of a list');

for (const prefix of PREFIXES) {
  scope(`under ${prefix}: that of the prefix, unless ml_language names another`, () =>
    withSite(async (site) => {
      for (const language of [null, ...LANGUAGES]) {
        const expected = OF_LANGUAGE[language ?? prefix] ?? [];
        for (const rest of ['', 'search=lantern', 'include=11,12,13,21,31,32', 'orderby=title', 'author=1']) {
          const target = `${POSTS}?${rest}${language === null ? '' : `&ml_language=${language}`}`;
          const answer = await site.ask({ target, language: prefix });
          assert.equal(
            [idsOf(answer), answer.headers['X-CMS-Total']],
            [expected, String(expected.length)],
            `${prefix} ${target}`,
          );
          assert.is(answer.headers['Content-Language'], language ?? prefix, `${prefix} ${target}`);
          assert.equal(
            [...new Set((answer.body as readonly unknown[]).map((post) => member(post, 'ml_language')))],
            [language ?? prefix],
          );
        }
      }
    }),
  );

  scope(`under ${prefix}: a language that the site does not have is refused`, () =>
    withSite(async (site) => {
      for (const value of ['xx', 'EN', '', 'en,fr', 'en_US']) {
        assert.is(
          (await site.ask({ target: `${POSTS}?ml_language=${value}`, language: prefix })).status,
          400,
          value,
        );
      }
    }),
  );

  scope(`under ${prefix}: one slug in two languages is two posts`, () =>
    withSite(async (site) => {
      assert.equal(
        idsOf(await site.ask({ target: `${POSTS}?slug=lamp&ml_language=en`, language: prefix })),
        [11],
      );
      assert.equal(
        idsOf(await site.ask({ target: `${POSTS}?slug=lamp&ml_language=nl`, language: prefix })),
        [13],
      );
      assert.equal(
        idsOf(await site.ask({ target: `${POSTS}?slug=lamp&ml_language=fr`, language: prefix })),
        [],
      );
    }),
  );
}
scope.run();

const single = suite('one post');

for (const prefix of PREFIXES) {
  single(`is readable under ${prefix}, whatever its language and whatever ml_language says`, () =>
    withSite(async (site) => {
      for (const language of LANGUAGES) {
        for (const id of OF_LANGUAGE[language] ?? []) {
          for (const query of ['', '?ml_language=en', '?ml_language=fr', '?ml_language=nl']) {
            const { status, headers, body } = await site.ask({
              target: `${POSTS}/${id}${query}`,
              language: prefix,
            });
            assert.equal(
              [status, headers['Content-Language'], member(body, 'ml_language')],
              [200, language, language],
              `${prefix} ${id}${query}`,
            );
            // The permalink is in the language of the post, and the API addresses are in that of the request.
            assert.match(String(member(body, 'link')), `${SITE_URL}/${language}/`);
            assert.match(String(member(body, '_links', 'self', 0, 'href')), `${SITE_URL}/${prefix}/`);
          }
        }
      }
    }),
  );
}
single.run();

const written = suite('what is written');

for (const prefix of PREFIXES) {
  written(`under ${prefix}: in the language of the prefix, unless ml_language names another`, () =>
    withSite(async (_site, write) => {
      for (const language of [undefined, ...LANGUAGES]) {
        const expected = language ?? prefix;
        const inBody = await write({
          target: POSTS,
          language: prefix,
          body: {
            title: 'New',
            status: 'publish',
            ...(language === undefined ? {} : { ml_language: language }),
          },
        });
        const inQuery = await write({
          target: `${POSTS}${language === undefined ? '' : `?ml_language=${language}`}`,
          language: prefix,
          body: { title: 'New', status: 'publish' },
        });
        for (const { status, headers, body } of [inBody, inQuery]) {
          assert.equal(
            [status, headers['Content-Language'], member(body, 'ml_language')],
            [201, expected, expected],
          );
          assert.equal(member(body, 'categories'), [{ en: 1, fr: 2, nl: 3 }[expected]]);
        }
      }
    }),
  );

  written(`under ${prefix}: a change keeps the language, unless ml_language names another`, () =>
    withSite(async (_site, write) => {
      for (const id of [31, 32]) {
        const before = id === 31 ? 'en' : 'fr';
        assert.is(
          member(
            (await write({ target: `${POSTS}/${id}`, language: prefix, body: { title: 'x' } })).body,
            'ml_language',
          ),
          before,
        );
        assert.is(
          member(
            (await write({ target: `${POSTS}/${id}`, language: prefix, body: { ml_language: 'nl' } })).body,
            'ml_language',
          ),
          'nl',
        );
        assert.is(
          member(
            (await write({ target: `${POSTS}/${id}?ml_language=en`, language: prefix, body: {} })).body,
            'ml_language',
          ),
          'en',
        );
        assert.is(
          (await write({ target: `${POSTS}/${id}`, language: prefix, body: { ml_language: 'xx' } })).status,
          400,
        );
      }
    }),
  );

  written(`under ${prefix}: the items of a batch as well, each by itself`, () =>
    withSite(async (site) => {
      const bodies = [{ title: 'a' }, { title: 'b', ml_language: 'nl' }, { title: 'c' }];
      const { body } = await site.ask({
        method: 'POST',
        target: '/batch/v1',
        as: 'editor',
        language: prefix,
        body: { requests: bodies.map((each) => ({ path: POSTS, body: each })) },
      });
      assert.equal(
        [0, 1, 2].map((index) => member(body, 'responses', index, 'body', 'ml_language')),
        [prefix, 'nl', prefix],
      );
      assert.equal(
        [0, 1, 2].map((index) => member(body, 'responses', index, 'headers', 'Content-Language')),
        [prefix, 'nl', prefix],
      );
    }),
  );
}

written(
  'a slug is unique in its language: free in another, suffixed where it is taken, also when a post moves there',
  () =>
    withSite(async (_site, write) => {
      const slugOf = async (asking: Asking): Promise<unknown> => member((await write(asking)).body, 'slug');
      assert.is(
        await slugOf({ target: POSTS, language: 'fr', body: { title: 'Alone', status: 'publish' } }),
        'alone',
      );
      assert.is(
        await slugOf({ target: POSTS, language: 'en', body: { title: 'Alone', status: 'publish' } }),
        'alone-2',
      );
      assert.is(
        await slugOf({
          target: POSTS,
          language: 'en',
          body: { title: 'Alone', status: 'publish', ml_language: 'nl' },
        }),
        'alone',
      );
      assert.is(await slugOf({ target: `${POSTS}/31`, body: { ml_language: 'fr' } }), 'alone-2');
      assert.is(await slugOf({ target: `${POSTS}/31`, body: { ml_language: 'en', slug: 'alone' } }), 'alone');
    }),
);

written.run();

const group = suite('translations');

function alternatesOf(body: unknown): unknown {
  const links = member(body, '_links', 'alternate');
  return Array.isArray(links)
    ? Object.fromEntries(links.map((link) => [member(link, 'hreflang'), member(link, 'href')]))
    : undefined;
}

for (const prefix of PREFIXES) {
  group(`under ${prefix}: the posts of a group know each other, by id and by address`, () =>
    withSite(async (site) => {
      const all = { en: `${SITE_URL}/en/lamp/`, fr: `${SITE_URL}/fr/lampe/`, nl: `${SITE_URL}/nl/lamp/` };
      for (const [id, language] of [
        [11, 'en'],
        [12, 'fr'],
        [13, 'nl'],
      ] as const) {
        const { body } = await site.ask({ target: `${POSTS}/${id}`, language: prefix });
        assert.equal(member(body, 'ml_translations'), { en: 11, fr: 12, nl: 13 });
        const { [language]: _own, ...others } = all;
        assert.equal(alternatesOf(body), others);
        const list = await site.ask({
          target: `${POSTS}?include=${id}&ml_language=${language}`,
          language: prefix,
        });
        assert.equal(member(list.body, 0, 'ml_translations'), { en: 11, fr: 12, nl: 13 });
      }
    }),
  );

  group(
    `under ${prefix}: a translation is listed only once it is published, for anonymous callers and editors alike`,
    () =>
      withSite(async (site, write) => {
        const read = async (as: string | null): Promise<unknown> =>
          member((await site.ask({ target: `${POSTS}/21`, language: prefix, as })).body, 'ml_translations');
        assert.equal([await read(null), await read('editor')], [undefined, undefined]);
        await write({ target: `${POSTS}/22`, language: prefix, body: { status: 'publish' } });
        assert.equal(
          [await read(null), await read('editor')],
          [
            { en: 21, fr: 22 },
            { en: 21, fr: 22 },
          ],
        );
        await write({ method: 'DELETE', target: `${POSTS}/22`, language: prefix });
        assert.equal([await read(null), await read('editor')], [undefined, undefined]);
      }),
  );
}

group('a post that stands alone has no translations', () =>
  withSite(async (site) => {
    const { body } = await site.ask({ target: `${POSTS}/31` });
    assert.ok(isObject(body));
    assert.equal(['ml_translations' in body, alternatesOf(body)], [false, undefined]);
  }),
);

group('two translations in one language are refused, and nothing is written', () =>
  withSite(async (site, write) => {
    for (const [id, language] of [
      [11, 'fr'],
      [12, 'nl'],
      [13, 'en'],
      [21, 'fr'],
    ] as const) {
      const before = await site.store.get('posts', id);
      const answer = await write({
        target: `${POSTS}/${id}`,
        body: { ml_language: language, title: 'moved' },
      });
      assert.equal(
        [
          answer.status,
          member(answer.body, 'code'),
          Object.keys(Object(member(answer.body, 'data', 'params'))),
        ],
        [400, 'rest_invalid_param', ['ml_language']],
      );
      assert.equal(await site.store.get('posts', id), before);
    }
    // A language that the group does not have yet is free.
    assert.is((await write({ target: `${POSTS}/21`, body: { ml_language: 'nl' } })).status, 200);
  }),
);

group('of two posts that move into one language at the same time, one succeeds', () =>
  withSite(async (site, write) => {
    const moves = await Promise.all(
      [21, 22].map((id) => write({ target: `${POSTS}/${id}`, body: { ml_language: 'nl' } })),
    );
    assert.equal(
      moves.map(({ status }) => status).filter((status) => status === 200).length,
      1,
      moves.map(({ text }) => text.slice(0, 200)).join('\n'),
    );
    const { records } = await site.store.find({
      collection: 'posts',
      where: { op: 'eq', field: 'group', value: 8 },
    });
    assert.is(new Set(records.map((record) => record['language'])).size, 2);
  }),
);

group.run();

const schemas = suite('the languages of a schema');

schemas(
  'are those of the site, in the parameters, in the fields of a post and in the OpenAPI document',
  async () => {
    const site = await createWholeSite({
      fixture: { site: { name: 'Two', timezone_string: 'UTC' } },
      languages: ['de', 'es'],
      prefixes: ['de'],
    });
    try {
      const { body } = await site.ask({ method: 'OPTIONS', target: POSTS, language: 'de' });
      const { components } = site.engine.describeOpenApi({
        title: 'x',
        version: '1',
        language: 'de',
        siteUrl: SITE_URL,
      });
      assert.equal(
        [
          member(body, 'endpoints', 0, 'args', 'ml_language', 'enum'),
          member(body, 'schema', 'properties', 'ml_language', 'enum'),
          member(components, 'schemas', 'post', 'properties', 'ml_language', 'enum'),
        ],
        [
          ['de', 'es'],
          ['de', 'es'],
          ['de', 'es'],
        ],
      );
    } finally {
      await site.close();
    }
  },
);

schemas.run();
