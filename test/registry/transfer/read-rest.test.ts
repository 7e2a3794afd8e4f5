import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../../adapters/memory-store.ts';
import { withDeadline } from '../../../adapters/outbound/http-client.ts';
import {
  type Outbound,
  type OutboundAnswer,
  OutboundRefused,
  type OutboundRequest,
} from '../../../lib/ports/outbound.ts';
import { eq, not } from '../../../lib/store/query.ts';
import type { Store } from '../../../lib/store/store.ts';
import { WORDPRESS_NAMES } from '../../../registry/core/host/names.ts';
import { collectionsOf, createContentModel } from '../../../registry/index.ts';
import {
  importItems,
  type ImportReport,
  loadReadContext,
  openRest,
  writeReport,
} from '../../../registry/transfer/index.ts';
import { RestClient } from '../../../registry/transfer/rest/rest-client.ts';
import { readMedium, readTerm } from '../../../registry/transfer/rest/rest-records.ts';
import { coreContent, coreFixture } from '../../conformance/core-run.ts';
import { openHttpSite } from '../../support/http-site.ts';

const content = createContentModel(coreContent);
const collections = collectionsOf(content);

/** What a test makes of an answer. */
type Fault = (answer: OutboundAnswer, request: OutboundRequest) => OutboundAnswer | Promise<OutboundAnswer>;

interface Old {
  /** Reads the old site into a store. */
  read(
    store: Store,
    options?: {
      readonly fault?: Fault;
      readonly login?: string | null;
      readonly signal?: AbortSignal;
      readonly retryMs?: readonly number[];
    },
  ): Promise<ImportReport>;
}

let opened: ReturnType<typeof openHttpSite> | null = null;

/** Runs a function with the recorded site, served with the names of WordPress. All tests read the same one, and none writes into it. */
async function withOldSite(use: (old: Old) => Promise<void>): Promise<void> {
  opened ??= openHttpSite(coreFixture, {
    store: createMemoryStore(collections),
    content: coreContent,
    names: WORDPRESS_NAMES,
  });
  const site = await opened;
  const send: Outbound = async ({ url, authorization }) => {
    const answer = await fetch(url, { headers: authorization === undefined ? {} : { authorization } });
    return {
      status: answer.status,
      url,
      headers: Object.fromEntries(answer.headers),
      body: new Uint8Array(await answer.arrayBuffer()),
    };
  };
  await use({
    async read(
      store,
      {
        fault = (answer: OutboundAnswer) => answer,
        login = 'admin:adminpass',
        signal,
        retryMs = [1, 1],
      } = {},
    ) {
      const outbound: Outbound = (request) =>
        withDeadline(60_000, request.signal, async () => fault(await send(request), request));
      const authorization = login === null ? undefined : `Basic ${Buffer.from(login).toString('base64')}`;
      const context = await loadReadContext(store, { content, languages: ['nl', 'en', 'fr'] });
      const {
        total: _total,
        done: _done,
        ...source
      } = await openRest(
        { url: `${site.origin}/en/wp-json`, outbound, authorization, retryMs, signal },
        context,
      );
      return importItems({ ...source, name: 'old' }, { store, collections, content, signal });
    },
  });
}

const openStore = (): Store => createMemoryStore(collections);
const countOf = async (store: Store, collection: string): Promise<number> =>
  (await store.find({ collection, limit: 1, total: true })).total ?? 0;
const isPage = ({ url }: OutboundRequest): boolean => /\/wp\/v2\/posts\?per_page=100/.test(url);
const text = (answer: OutboundAnswer, status: number, body: string): OutboundAnswer => ({
  ...answer,
  status,
  body: Buffer.from(body),
});

const COMPLETE = { options: 2, users: 7, terms: 16, media: 7, posts: 67, post_history: 67, comments: 12 };

const live = suite('openRest');
live.after(async () => {
  await (await opened)?.close();
});
live('a file in a language that the site does not have has no group', async () => {
  const context = await loadReadContext(openStore(), { content, languages: ['en'] });
  const reading = {
    context,
    curie: WORDPRESS_NAMES.curie,
    termFields: new Map(),
    isTrusted: false,
    posts: new Map(),
  };
  const groupsOf = ['en', 'de'].map((lang) =>
    readMedium(
      reading,
      {
        id: 5,
        lang,
        translations: { en: 3, de: 5 },
        date: '2024-01-01T10:00:00',
        source_url: 'x/uploads/5.png',
      },
      'place',
    ).map((each) => ('item' in each ? [each.item.values['language'], each.item.values['group']] : each)),
  );
  assert.equal(groupsOf, [[['en', 3]], [['', 0]]]);
});

live('a menu keeps its places, and that it gets new pages', async () => {
  const reading = {
    context: await loadReadContext(openStore(), { content, languages: ['en'] }),
    curie: WORDPRESS_NAMES.curie,
    termFields: new Map(),
    isTrusted: true,
    posts: new Map(),
  };
  const shown = { id: 7, slug: 'main', name: 'Main', locations: ['primary'], auto_add: true };
  assert.equal(
    readTerm('nav_menu')(reading, shown, 'place').map((each) => 'item' in each && each.item.collection),
    ['terms', 'menu_locations', 'menu_auto_add'],
  );
});

/** Reads a site of WordPress whose plugin for languages answers with these records, by path and language ('' : none is asked for). */
async function readForeign(
  namespace: string,
  lists: Readonly<Record<string, Readonly<Record<string, readonly unknown[]>>>>,
  languages: readonly string[] = ['nl', 'en', 'fr'],
): Promise<{ readonly store: Store; readonly leftOut: readonly string[] }> {
  const outbound: Outbound = async ({ url }) => {
    const { pathname, searchParams } = new URL(url);
    const path = pathname.replace(/^\/wp-json/, '');
    const bodies: Readonly<Record<string, unknown>> = {
      '/': { name: 'Foreign', namespaces: ['wp/v2', namespace], home: 'https://old.example' },
      '/wp/v2/types': { post: { rest_base: 'posts', rest_namespace: 'wp/v2' } },
      '/wp/v2/taxonomies': { category: { rest_base: 'categories', rest_namespace: 'wp/v2' } },
    };
    const shown = lists[path];
    // A language that the site does not have is that of the site.
    const found = shown?.[searchParams.get('lang') ?? ''] ?? Object.values(shown ?? {})[0] ?? [];
    return {
      status: 200,
      url,
      headers: { 'x-wp-total': String(found.length) },
      body: Buffer.from(JSON.stringify(bodies[path] ?? found)),
    };
  };
  const store = openStore();
  const context = await loadReadContext(store, { content, languages });
  const {
    total: _total,
    done: _done,
    ...source
  } = await openRest({ url: 'https://old.example/wp-json', outbound }, context);
  const { complete, leftOut } = await importItems(source, { store, collections, content });
  assert.ok(complete);
  return { store, leftOut: leftOut.map(({ place, what }) => `${place}: ${what}`) };
}

/** Slug, language and slugs of the translation group of each record. */
async function showGroups(store: Store, collection: string): Promise<readonly unknown[]> {
  const { records } = await store.find({ collection });
  return records.map(({ slug, language, group }) => [
    slug,
    language,
    group === 0 ? [] : records.filter((each) => each['group'] === group).map((each) => each['slug']),
  ]);
}

const foreignPost = (id: number, slug: string, more: object) => ({
  id,
  slug,
  status: 'publish',
  date: '2024-01-01T10:00:00',
  title: { rendered: slug },
  content: { rendered: '<p>text</p>', protected: false },
  ...more,
});

// `lang` and `translations` as polylang-pro/modules/rest/rest-translated-object.php shows them: a list has all languages.
live('reads the languages and groups of Polylang', async () => {
  const { store, leftOut } = await readForeign('pll/v1', {
    '/wp/v2/categories': {
      '': [
        { id: 2, slug: 'news', name: 'News', lang: 'en', translations: { en: 2, fr: 3 } },
        { id: 3, slug: 'nouvelles', name: 'Nouvelles', lang: 'fr', translations: { en: 2, fr: 3 } },
      ],
    },
    '/wp/v2/posts': {
      '': [
        foreignPost(5, 'hello', { lang: 'en', categories: [2], translations: { en: 5, fr: 7 } }),
        foreignPost(7, 'bonjour', { lang: 'fr', categories: [3], translations: { en: 5, fr: 7 } }),
        foreignPost(8, 'alone', { lang: 'en', categories: [], translations: { en: 8 } }),
        foreignPost(9, 'without', { lang: false, categories: [], translations: [] }),
      ],
    },
    '/wp/v2/media': {
      '': [
        {
          ...foreignPost(20, 'pier', { lang: 'en', translations: { en: 20, fr: 21 } }),
          source_url: 'https://old.example/wp-content/uploads/pier.png',
        },
        {
          ...foreignPost(21, 'quai', { lang: 'fr', translations: { en: 20, fr: 21 } }),
          source_url: 'https://old.example/wp-content/uploads/quai.png',
        },
      ],
    },
  });
  assert.equal(leftOut, []);
  const pair = ['hello', 'bonjour'];
  assert.equal(await showGroups(store, 'posts'), [
    ['hello', 'en', pair],
    ['bonjour', 'fr', pair],
    ['alone', 'en', []],
    ['without', 'en', []],
  ]);
  const terms = ['news', 'nouvelles'];
  assert.equal(await showGroups(store, 'terms'), [
    ['news', 'en', terms],
    ['nouvelles', 'fr', terms],
  ]);
  const files = ['pier', 'quai'];
  assert.equal(await showGroups(store, 'media'), [
    ['pier', 'en', files],
    ['quai', 'fr', files],
  ]);
});

// As wpml-rest-api.php shows them: a locale, and the published translations of a post; nothing of terms. A list has one language.
live('reads the languages and groups of WPML', async () => {
  const others = (...list: readonly (readonly [string, number])[]) => ({
    wpml_translations: list.map(([locale, id]) => ({ locale, id, post_title: '', href: '' })),
  });
  const { store, leftOut } = await readForeign('wpml/v1', {
    '/wp/v2/categories': {
      en: [{ id: 2, slug: 'news', name: 'News' }],
      fr: [{ id: 3, slug: 'nouvelles', name: 'Nouvelles' }],
    },
    '/wp/v2/posts': {
      en: [
        foreignPost(5, 'hello', { wpml_current_locale: 'en_US', categories: [2], ...others(['fr_FR', 7]) }),
        foreignPost(8, 'alone', { wpml_current_locale: 'en_US', categories: [], ...others() }),
      ],
      fr: [
        foreignPost(7, 'bonjour', { wpml_current_locale: 'fr_FR', categories: [3], ...others(['en_US', 5]) }),
      ],
      nl: [
        foreignPost(4, 'hallo', {
          status: 'draft',
          wpml_current_locale: 'nl_NL',
          categories: [],
          ...others(['en_US', 5], ['fr_FR', 7]),
        }),
      ],
    },
  });
  assert.equal(leftOut, []);
  const group = ['hallo', 'hello', 'bonjour'];
  assert.equal((await showGroups(store, 'posts')).toSorted(), [
    ['alone', 'en', []],
    ['bonjour', 'fr', group],
    ['hallo', 'nl', group],
    ['hello', 'en', group],
  ]);
  assert.equal(await showGroups(store, 'terms'), [
    ['news', 'en', []],
    ['nouvelles', 'fr', []],
  ]);
});

live('reports what it reads of no language, and every record without an id', async () => {
  const posts = [
    foreignPost(5, 'hello', { ml_language: 'en', ml_translations: { fr: 7, nl: 4, en: 5 } }),
    foreignPost(6, 'again', { ml_language: 'en', ml_translations: { fr: 8 } }),
    foreignPost(9, 'list', { wpml_translations: [{ locale: 'de_DE', id: 10 }, { locale: 'en_US' }] }),
    'one',
    { slug: 'two' },
  ];
  const { leftOut } = await readForeign('ml/v1', { '/wp/v2/posts': { en: posts } }, ['en']);
  const wrong = '/wp/v2/posts, page 1: post';
  assert.equal(leftOut, [
    wrong,
    wrong,
    'the index: 2 records in fr',
    'the index: 1 record in nl',
    'the index: 1 record in de-de',
  ]);
});

live('reads a site with its drafts, and does nothing the second time', () =>
  withOldSite(async ({ read }) => {
    const store = openStore();
    const first = await read(store);
    assert.equal([first.complete, first.created, first.leftOut], [true, COMPLETE, []]);
    const {
      records: [post],
    } = await store.find({ collection: 'posts', where: { op: 'eq', field: 'id', value: 126 } });
    assert.equal([post?.['password'], post?.['status'], post?.['language']], ['sesame', 'publish', 'en']);
    assert.is(
      (await store.find({ collection: 'posts', where: { op: 'eq', field: 'status', value: 'draft' } }))
        .records.length > 2,
      true,
    );
    const second = await read(store);
    assert.equal([second.created, second.unchanged, second.leftOut], [{}, COMPLETE, []]);
  }),
);

live('reads as an anonymous caller what is published', () =>
  withOldSite(async ({ read }) => {
    const store = openStore();
    const { created, leftOut } = await read(store, { login: null });
    assert.is(
      (await store.find({ collection: 'posts', where: not(eq('status', 'publish')), limit: 1, total: true }))
        .total,
      0,
    );
    assert.ok((created['posts'] ?? 0) > 40, JSON.stringify(created));
    assert.ok(
      leftOut.some(
        ({ reason }) => reason === 'it is protected by a password; give --user and --password of an editor',
      ),
    );
  }),
);

live('sends a request again that failed for the moment', () =>
  withOldSite(async ({ read }) => {
    const failed = new Set<string>();
    const { created, leftOut } = await read(openStore(), {
      fault(answer, { url }) {
        if (failed.has(url) || url.endsWith('/wp-json/')) return answer;
        failed.add(url);
        if (failed.size % 2 === 0) throw new OutboundRefused(new Error('connection reset'));
        return text(answer, 503, '');
      },
    });
    assert.equal([created, leftOut], [COMPLETE, []]);
  }),
);

const FAULTS: readonly (readonly [name: string, Fault, reason: RegExp])[] = [
  [
    '500',
    (answer) => text(answer, 500, '{"message": "There has been a critical error"}'),
    /^the site answers 500: There has been a critical error\. Run the import again/,
  ],
  [
    'no JSON',
    (answer) => text(answer, 200, '<p>maintenance</p>'),
    /^the site sends something else than JSON/,
  ],
  ['an object', (answer) => text(answer, 200, '{"0": {}}'), /^the answer is not a list/],
];

for (const [name, break_, reason] of FAULTS) {
  live(`leaves out a page with ${name}, and a further import reads it`, () =>
    withOldSite(async ({ read }) => {
      const store = openStore();
      const first = await read(store, {
        fault: (answer, request) => (isPage(request) ? break_(answer, request) : answer),
      });
      assert.ok(first.complete);
      assert.is(first.created['posts'], 21);
      assert.equal(
        first.leftOut.filter(({ what }) => what.endsWith('of post')).map(({ what }) => what),
        ['46 records of post'],
      );
      assert.match(first.leftOut.find(({ what }) => what === '46 records of post')?.reason ?? '', reason);
      await read(store);
      assert.equal(
        [
          await countOf(store, 'posts'),
          await countOf(store, 'comments'),
          await countOf(store, 'post_history'),
        ],
        [67, 12, 67],
      );
    }),
  );
}

live('ends when the site is gone, keeps what it has, and continues', () =>
  withOldSite(async ({ read }) => {
    const store = openStore();
    const gone: Fault = (answer, { url }) => {
      if (/\/wp\/v2\/pages\?per_page=100/.test(url))
        throw new OutboundRefused(new Error('connect ECONNREFUSED'));
      return answer;
    };
    const error = await read(store, { fault: gone }).then(
      () => null,
      (reason: unknown) => reason as Error,
    );
    assert.match(
      error?.message ?? '',
      /\/wp\/v2\/pages\?per_page=100.* cannot be read: connect ECONNREFUSED$/,
    );
    await read(store);
    assert.equal([await countOf(store, 'posts'), await countOf(store, 'comments')], [67, 12]);
  }),
);

live('stops at a signal, and continues', () =>
  withOldSite(async ({ read }) => {
    const store = openStore();
    const stop = new AbortController();
    const first = await read(store, {
      signal: stop.signal,
      fault: (answer, request) => {
        if (isPage(request)) stop.abort();
        return answer;
      },
    });
    assert.is(first.complete, false);
    const second = await read(store);
    assert.ok(second.complete);
    assert.is(await countOf(store, 'posts'), 67);
  }),
);

live('reports records that the site counts and does not send', () =>
  withOldSite(async ({ read }) => {
    const { leftOut } = await read(openStore(), {
      fault(answer, { url }) {
        if (!url.includes('/books?') || !url.includes('&lang=en&')) return answer;
        return url.includes('&page=1&') || url.includes('per_page=1&')
          ? { ...answer, headers: { ...answer.headers, 'x-wp-total': '250' } }
          : text(answer, 200, '[]');
      },
    });
    assert.equal(
      leftOut.map(({ what, reason }) => `${what}: ${reason}`).filter((each) => each.includes('counts')),
      ['242 records of book: the site counts 250 and sent 8; it may have changed meanwhile'],
    );
  }),
);

live('reports a record once, on the page that failed or in the rest that is missing', () =>
  withOldSite(async ({ read }) => {
    const { leftOut } = await read(openStore(), {
      fault(answer, { url }) {
        if (!url.includes('/books?') || !url.includes('&lang=en&')) return answer;
        if (url.includes('&page=2&')) return text(answer, 200, '[]');
        return url.includes('&page=3&')
          ? text(answer, 500, '')
          : { ...answer, headers: { ...answer.headers, 'x-wp-total': '250' } };
      },
    });
    assert.equal(
      leftOut.filter(({ what }) => what.endsWith('of book')).map(({ what, reason }) => `${what}: ${reason}`),
      [
        '50 records of book: the site answers 500. Run the import again to read them',
        '192 records of book: the site counts 250 and sent 8, and 50 are on pages that could not be read; it may have changed meanwhile',
      ],
    );
  }),
);

for (const [name, wait] of [
  ['a request', (): Promise<OutboundAnswer> => new Promise(() => undefined)],
  ['a waiting time', (answer: OutboundAnswer): OutboundAnswer => text(answer, 503, '')],
] as const) {
  live(`ends ${name} at a signal, and continues`, () =>
    withOldSite(async ({ read }) => {
      const store = openStore();
      const stop = new AbortController();
      const first = await read(store, {
        signal: stop.signal,
        retryMs: [86_400_000],
        fault(answer, request) {
          if (!isPage(request)) return answer;
          setTimeout(() => stop.abort(), 10);
          return wait(answer);
        },
      });
      assert.equal([first.complete, first.created['media'], first.leftOut], [false, 7, []]);
      assert.ok((await read(store)).complete);
      assert.is(await countOf(store, 'posts'), 67);
    }),
  );
}

live('waits also when the site names a time that is longer than a timer can be', async () => {
  const stop = new AbortController();
  let asked = 0;
  const outbound: Outbound = async ({ url }) => {
    asked += 1;
    setTimeout(() => stop.abort(), 50);
    return { status: 503, url, headers: { 'retry-after': '3000000' }, body: new Uint8Array() };
  };
  const client = new RestClient({
    url: 'https://old.example',
    outbound,
    signal: stop.signal,
    retryMs: [1, 1],
  });
  const error = await client.get('/').catch((reason: unknown) => reason);
  assert.equal([asked, error === stop.signal.reason], [1, true]);
});

for (const total of [undefined, '-1', 'NaN', '0', '1e3', '']) {
  live(`reads a list whose total is ${total ?? 'missing'} to its end`, () =>
    withOldSite(async ({ read }) => {
      const { created, leftOut } = await read(openStore(), {
        fault(answer) {
          const { 'x-wp-total': _total, ...headers } = answer.headers;
          return { ...answer, headers: total === undefined ? headers : { ...headers, 'x-wp-total': total } };
        },
      });
      assert.equal([created, leftOut], [COMPLETE, []]);
    }),
  );
}

live('ends at a page that is sent again and again when there is no total', () =>
  withOldSite(async ({ read }) => {
    let first: Buffer | undefined;
    const { created, leftOut } = await read(openStore(), {
      async fault(answer, { url }) {
        if (!url.includes('/wp/v2/posts?')) return answer;
        if (isPage({ url })) first ??= Buffer.from(answer.body);
        return { ...answer, status: 200, headers: {}, body: first ?? answer.body };
      },
    });
    assert.is(created['posts'], 67);
    assert.match(
      leftOut.find(({ what }) => what === 'further records of post')?.reason ?? '',
      /sends the same page again$/,
    );
  }),
);

/** The answers of the index and of lists with changed members. */
const change =
  (part: string, members: Readonly<Record<string, unknown>>): Fault =>
  (answer, { url }) => {
    if (!url.includes(part)) return answer;
    const body = JSON.parse(Buffer.from(answer.body).toString()) as object;
    return text(
      answer,
      200,
      JSON.stringify(
        Array.isArray(body) ? body.map((each: object) => ({ ...each, ...members })) : { ...body, ...members },
      ),
    );
  };

for (const zone of ['__proto__', 'constructor', 'Atlantis/Capital']) {
  live(`reads a site in the unknown time zone ${zone}, and says so`, () =>
    withOldSite(async ({ read }) => {
      const index: Fault = (answer, request) =>
        request.url.endsWith('/wp-json/')
          ? change('', { timezone_string: zone, gmt_offset: 2 })(answer, request)
          : answer;
      const { created, leftOut } = await read(openStore(), { fault: index });
      assert.equal(
        [created, leftOut],
        [
          COMPLETE,
          [
            {
              place: 'the index',
              what: `the time zone ${zone}`,
              reason: 'it is not known here; dates are read in the zone 2',
            },
          ],
        ],
      );
    }),
  );
}

live('believes roles only when it has logged in, and names the administrators', () =>
  withOldSite(async ({ read }) => {
    const [open, known] = [openStore(), openStore()];
    const rolesIn = async (store: Store): Promise<unknown> => [
      ...new Set((await store.find({ collection: 'users' })).records.map(({ role }) => role)),
    ];
    const anonymous = await read(open, {
      login: null,
      fault: change('/users?', { roles: ['administrator'] }),
    });
    assert.equal([await rolesIn(open), anonymous.administrators], [['subscriber'], []]);
    assert.ok(
      anonymous.leftOut.some(
        ({ what, reason }) =>
          what === 'role administrator' &&
          reason === 'roles are only read with --user; the user gets the role subscriber',
      ),
    );
    const logged = await read(known);
    assert.equal(logged.administrators, ['admin']);
    assert.match(writeReport(logged), /\nNew administrators: admin\.\n/);
  }),
);

live('replaces roles that do not exist, and says so', () =>
  withOldSite(async ({ read }) => {
    const store = openStore();
    const { leftOut } = await read(store, { fault: change('/users?', { roles: ['shop_manager'] }) });
    assert.equal(
      new Set((await store.find({ collection: 'users' })).records.map(({ role }) => role)),
      new Set(['subscriber']),
    );
    assert.is(
      leftOut.filter(
        ({ what, reason }) =>
          what === 'role shop_manager' &&
          reason === 'the site has no such role; the user gets the role subscriber',
      ).length,
      7,
    );
  }),
);

live('follows no path that leads elsewhere, and says so', () =>
  withOldSite(async ({ read }) => {
    const asked: string[] = [];
    const { leftOut } = await read(openStore(), {
      fault(answer, request) {
        asked.push(request.url);
        const body = (): Record<string, Record<string, unknown>> =>
          JSON.parse(Buffer.from(answer.body).toString()) as Record<string, Record<string, unknown>>;
        return request.url.includes('/types?')
          ? text(
              answer,
              200,
              JSON.stringify({ ...body(), page: { ...body()['page'], rest_base: '../users?x=' } }),
            )
          : answer;
      },
    });
    assert.is(
      asked.some((url) => url.includes('x=')),
      false,
    );
    assert.ok(
      leftOut.some(
        ({ place, reason }) =>
          place === '/page' && reason.startsWith('their path "../users?x=" is not made of'),
      ),
    );
  }),
);

live('refuses an address without such an interface, and a wrong login', () =>
  withOldSite(async ({ read }) => {
    const refused = (options: Parameters<Old['read']>[1]): Promise<string> =>
      read(openStore(), options).then(
        () => '',
        (error: unknown) => (error as Error).message,
      );
    assert.match(
      await refused({ fault: (answer) => text(answer, 200, '{"namespaces": ["shop/v1"]}') }),
      /is not the index of a REST interface of WordPress\. Give its address/,
    );
    assert.match(
      await refused({ fault: (answer) => text(answer, 200, '<html>') }),
      /wp-json: the site sends something else than JSON/,
    );
    assert.match(await refused({ login: 'admin:nope' }), /wp-json: the site answers 401/);
  }),
);

live.run();
