import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMediaFiles } from '../../../adapters/media-files.ts';
import { createMemoryStore } from '../../../adapters/memory-store.ts';
import { LoadShedder } from '../../../adapters/node-http.ts';
import { createPages } from '../../../adapters/pages/pages.ts';
import { UPLOADS } from '../../../adapters/pages/send-file.ts';
import { type Store, type StoredRecord, StoreError } from '../../../lib/store/store.ts';
import { collections } from '../../../registry/index.ts';
import type { SiteOptions } from '../../../registry/site-options.ts';
import type { Fixture } from '../../../registry/transfer/fixture/fixture.ts';
import { createSpoiltStore, withUnreadable } from '../../support/spoilt-store.ts';
import { createWholeSite, type WholeSite } from '../../support/whole-site.ts';

const written = {
  author: 1,
  status: 'publish',
  date: '2024-07-01T10:00:00',
  date_gmt: '2024-07-01T10:00:00',
  content: 'some words',
};
const FIXTURE: Fixture = {
  site: { name: 'Pages', timezone_string: 'UTC', default_category: 0, excerpt_length_default: 55 },
  users: [{ id: 1, login: 'admin', name: 'Admin', slug: 'admin', role: 'administrator' }],
  posts: [
    { ...written, id: 11, title: 'Lamp', slug: 'lamp' },
    { ...written, id: 12, title: 'Unreadable', slug: 'unreadable' },
  ],
};

type Ask = (
  path: string,
  method?: string,
  sent?: URLSearchParams | Headers,
) => Promise<readonly [status: number, text: string, type: string | null]>;

/** Asks the pages of a site on this store. Node calls `console.error` for what the pages log. */
async function withPages(
  toStore: (store: Store) => Store,
  run: (ask: Ask, site: WholeSite, loadShedder: LoadShedder) => Promise<void>,
  { fixture = FIXTURE, ...options }: Partial<SiteOptions> & { readonly fixture?: Fixture } = {},
): Promise<void> {
  const store = createMemoryStore(collections);
  const loadShedder = new LoadShedder({ inFlight: 1, bufferedBytes: 0 });
  const site = await createWholeSite({ ...options, fixture, store: toStore(store) });
  const server = createServer(
    createPages(site.engine, {
      siteUrl: () => 'http://site.test',
      openDocument: site.openDocument,
      findRedirect: site.findRedirect,
      findRoute: site.findRoute,
      findArchive: site.findArchive,
      readPageSize: site.readPageSize,
      readPictureSizes: site.readPictureSizes,
      reset: null,
      folders: [{ folder: UPLOADS, files: createMediaFiles('/nonexistent/uploads') }],
      languages: ['en'],
      isHealthy: async () => true,
      loadShedder,
    }),
  );
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  try {
    await run(
      async (path, method = 'GET', sent?: URLSearchParams | Headers) => {
        const response = await fetch(`http://127.0.0.1:${port}${path}`, {
          method,
          redirect: 'manual',
          ...(sent instanceof Headers ? { headers: sent } : sent === undefined ? {} : { body: sent }),
        });
        return [
          response.status,
          await response.text(),
          response.headers.get([301, 303].includes(response.status) ? 'location' : 'content-type'),
        ];
      },
      site,
      loadShedder,
    );
  } finally {
    await new Promise((resolve) => {
      server.close(resolve);
    });
    await site.close();
    await store.close();
  }
}

const pages = suite('the pages of the server');

pages('show the other posts when one cannot be rendered', () => {
  const spoil = (collection: string, record: StoredRecord): StoredRecord =>
    collection === 'posts' && record.id === 12 ? withUnreadable(record, 'content') : record;
  return withPages(
    (store) => createSpoiltStore(store, spoil),
    async (ask) => {
      const [status, text] = await ask('/en/');
      assert.equal(
        [status, text.includes('>Lamp<'), text.includes('some words'), text.includes('>Unreadable<')],
        [200, true, true, true],
      );
      assert.is((await ask('/en/unreadable/'))[0], 200);
    },
  );
});

pages('show the name and the description of the site as its settings store them', () =>
  withPages(
    (store) => store,
    async (ask) => {
      const [, text] = await ask('/en/');
      assert.match(text, '<h1>Ropes &amp; &lt;b&gt;Sails &amp; &#39;</h1><p>R&amp;D &amp;c</p>');
      assert.match(text, "<title>Ropes &amp; &lt;b&gt;Sails &amp; ' - R&amp;D &amp;c</title>");
    },
    {
      fixture: {
        ...FIXTURE,
        site: { ...FIXTURE.site, name: 'Ropes &amp; &lt;b>Sails & &#39;', description: 'R&D &amp;c' },
      } as Fixture,
    },
  ),
);

pages('wait for requests to the API, and are refused if they have waited too long', () =>
  withPages(
    (store) => store,
    async (ask, _site, loadShedder) => {
      loadShedder.enter('read');
      const waiting = ask('/en/lamp/');
      assert.equal((await ask('/healthz'))[0], 200);
      assert.equal((await ask('/uploads/none.png'))[0], 503);
      for (const path of ['/en/?s=lamp', '/sitemap.xml', '/en/nowhere/'])
        assert.is((await ask(path))[0], 503, path);
      assert.is((await waiting)[0], 503);
      const patient = ask('/en/lamp/');
      setTimeout(() => loadShedder.leave('read'), 50);
      assert.is((await patient)[0], 200);
      // Each has given its place back.
      for (const path of ['/en/lamp/', '/en/nowhere/', '/en/?s=lamp', '/en/lamp/'])
        assert.ok([200, 404].includes((await ask(path))[0]), path);
      assert.is(loadShedder.inFlight, 0);
    },
  ),
);

const LONG: Fixture = {
  ...FIXTURE,
  posts: [1, 2, 3, 4].map((at) =>
    Object.assign({ id: at, title: `Long ${at}`, slug: `long-${at}` }, written, {
      content: 'low tide '.repeat(900),
    }),
  ),
};

pages('list posts whose texts together are larger than a response', () =>
  withPages(
    (store) => store,
    async (ask) => {
      for (const path of ['/en/', '/en/author/admin/', '/en/?s=tide']) {
        const [status, text] = await ask(path);
        assert.equal([status, text.match(/<h2>/g)?.length], [200, 4], path);
      }
      const [status, text] = await ask('/en/long-1/');
      // The head has the beginning of the text too.
      assert.ok(status === 200 && (text.match(/low tide/g)?.length ?? 0) >= 900);
    },
    { fixture: LONG, answerLimit: 20_000 },
  ),
);

const NUMBERED: Fixture = {
  ...FIXTURE,
  posts: [
    ...(FIXTURE.posts ?? []),
    { ...written, id: 13, title: 'Draft', slug: 'draft', status: 'draft' },
    { ...written, id: 14, title: 'Private', slug: 'private', status: 'private' },
    { ...written, id: 16, title: 'Lampe', slug: 'lampe', ml_language: 'fr' },
  ],
  pages: [{ ...written, id: 15, title: 'Team', slug: 'team' }],
} as Fixture;

pages('send to the record that a number names, if a visitor may see it', () =>
  withPages(
    (store) => store,
    async (ask) => {
      for (const [query, path] of [
        ['?p=11', '/en/lamp/'],
        ['?page_id=15', '/en/team/'],
        ['?p=15', '/en/team/'],
        ['?p=16', '/fr/lampe/'],
        ['?preview=true&p=011', '/en/lamp/?preview=true'],
      ] as const) {
        for (const home of ['/en/', '/']) {
          const [status, , location] = await ask(`${home}${query}`);
          assert.equal([status, location], [301, `http://site.test${path}`], `${home}${query}`);
        }
      }
      for (const query of [
        '?p=13',
        '?p=14',
        '?p=99',
        '?page_id=10',
        '?page_id=13',
        '?post_type=book&p=5',
        '?attachment_id=1',
        '?p=999999999999999',
      ]) {
        for (const home of ['/en/', '/', '/en'])
          assert.is((await ask(`${home}${query}`))[0], 404, `${home}${query}`);
      }
      for (const query of ['?p=0', '?p=', '?p=x', '?utm_source=13'])
        assert.is((await ask(`/en/${query}`))[0], 200, query);
      assert.is((await ask('/en/lamp/?p=13'))[0], 200);
    },
    { content: 'core', fixture: NUMBERED },
  ),
);

const MANY = 12;
const ARCHIVES: Fixture = {
  ...FIXTURE,
  users: [...(FIXTURE.users ?? []), { id: 2, login: 'eve', name: 'Eve', slug: 'eve', role: 'subscriber' }],
  categories: [
    {
      id: 5,
      name: 'Tides & <b>Quays</b>',
      slug: 'tides',
      description: 'Of the "sea" <script>alert(1)</script>',
      ml_language: 'en',
    },
    { id: 6, name: 'Empty', slug: 'empty', ml_language: 'en' },
    { id: 8, name: 'Harbour', slug: 'harbour', ml_language: 'en' },
    { id: 9, name: 'Pier', slug: 'pier', parent: 8, ml_language: 'en' },
  ],
  tags: [{ id: 7, name: 'Rope', slug: 'rope', ml_language: 'en' }],
  posts: [
    ...Array.from({ length: MANY }, (_, index) => ({
      ...written,
      id: 20 + index,
      title: `Tide ${index}`,
      slug: `tide-${index}`,
      categories: index === 0 ? [5, 9] : [5],
      tags: index === 0 ? [7] : [],
    })),
    { ...written, id: 50, title: 'Hidden', slug: 'hidden', status: 'draft', categories: [5, 6], author: 2 },
  ],
} as Fixture;

const SHELVES = {
  core: true,
  types: ['book', 'film'].map((name) => ({ name, base: `${name}s`, taxonomies: ['genre'] })),
  taxonomies: [{ name: 'genre', base: 'genres' }],
};
const MIXED: Fixture = {
  ...FIXTURE,
  genres: [{ id: 5, name: 'Sea', slug: 'sea', ml_language: 'en' }],
  books: Array.from({ length: 7 }, (_, index) => ({
    ...written,
    id: 60 + index,
    title: `Book ${index}`,
    slug: `book-${index}`,
    genres: [5],
  })),
  films: Array.from({ length: 12 }, (_, index) => ({
    ...written,
    id: 70 + index,
    title: `Film ${index}`,
    slug: `film-${index}`,
    genres: [5],
  })),
} as Fixture;

pages('of a taxonomy of several types name a next page only where there is one', () =>
  withPages(
    (store) => store,
    async (ask) => {
      const listed: (readonly [status: number, items: number])[] = [];
      for (let path: string | undefined = '/en/genre/sea/'; path !== undefined;) {
        const [status, text] = await ask(path);
        listed.push([status, text.match(/<h2>/g)?.length ?? 0]);
        [, path] = /rel="next" href="http:\/\/site\.test([^"]+)"/.exec(text) ?? [];
      }
      assert.equal(listed, [
        [200, 17],
        [200, 2],
      ]);
    },
    { content: SHELVES, fixture: MIXED },
  ),
);

for (const content of ['seed', 'core'] as const) {
  pages(`show the archives of terms and authors to which links lead, with content ${content}`, () =>
    withPages(
      (store) => store,
      async (ask) => {
        for (const [path, status, items] of [
          ['/en/category/tides/', 200, 10],
          ['/en/category/tides/page/2/', 200, 2],
          ['/en/category/tides/page/3/', 404, 0],
          ['/en/tag/rope', 200, 1],
          ['/en/category/empty/', 200, 0],
          ['/en/category/harbour/', 200, 1],
          ['/en/category/empty/page/2/', 404, 0],
          ['/en/author/admin/', 200, 10],
          ['/en/author/admin/page/2/', 200, 2],
          ['/en/author/eve/', 404, 0],
          ['/en/author/nobody/', 404, 0],
          ['/en/category/rope/', 404, 0],
          ['/en/category/%zz/', 404, 0],
          ['/fr/category/tides/', 404, 0],
        ] as const) {
          const [got, text] = await ask(path);
          assert.equal(
            [path, got, text.match(/<h2>/g)?.length ?? 0, text.includes('Hidden')],
            [path, status, items, false],
          );
        }
      },
      { content, fixture: ARCHIVES },
    ),
  );
}

pages('show archives with their head, and names as text', () =>
  withPages(
    (store) => store,
    async (ask) => {
      const [, text] = await ask('/en/category/tides/');
      assert.match(text, /<h1>Tides &amp; Quays<\/h1><p>Of the "sea"[^<]*<\/p>/);
      assert.match(text, '<link rel="canonical" href="http://site.test/en/category/tides/" />');
      assert.match(text, '<link rel="next" href="http://site.test/en/category/tides/page/2/" />');
      assert.not.match(text, '<script>');
      assert.match(text, '<a href="/en/category/tides/page/2/" rel="next">');
      assert.match((await ask('/en/category/tides/page/2/'))[1], '<a href="/en/category/tides/" rel="prev">');
      assert.match((await ask('/en/author/admin/'))[1], /<title>Admin[^<]*<\/title>/);
    },
    { fixture: ARCHIVES },
  ),
);

pages(
  'have one address for a term below another one, in its link, its head, its redirect and the heads of its posts',
  () =>
    withPages(
      (store) => store,
      async (ask, site) => {
        const right = 'http://site.test/en/category/harbour/pier/';
        const { body } = await site.ask({ target: '/cms/v2/categories/9' });
        assert.is((body as { readonly link: string }).link, right);
        const [status, text] = await ask('/en/category/harbour/pier/');
        assert.is(status, 200);
        for (const part of [
          `<link rel="canonical" href="${right}" />`,
          `<meta property="og:url" content="${right}" />`,
          `"url":"${right}"`,
        ])
          assert.match(text, part);
        assert.is((await ask('/en/category/harbour/pier'))[0], 200);
        for (const path of [
          '/en/category/pier/',
          '/en/category/pier',
          '/en/category/tides/pier/',
          '/en/category/harbour/tides/pier/',
        ])
          assert.equal([path, (await ask(path))[0], (await ask(path))[2]], [path, 301, right]);
        assert.equal((await ask('/en/category/pier/page/2/')).slice(2), [`${right}page/2/`]);
        assert.equal((await ask('/en/tag/tides/rope/')).slice(2), ['http://site.test/en/tag/rope/']);
        assert.match((await ask('/en/pier-post/'))[1], `"item":"${right}"`);
        assert.match((await ask('/sitemap-terms-category-1.xml'))[1], `<loc>${right}</loc>`);
      },
      {
        content: 'core',
        config: { seo: { sitemaps: true } },
        fixture: {
          ...ARCHIVES,
          posts: [
            ...(ARCHIVES.posts ?? []),
            { ...written, id: 60, title: 'Pier post', slug: 'pier-post', categories: [9] },
          ],
        } as Fixture,
      },
    ),
);

pages('have as many records as the setting says, and heads that name no other pages', () =>
  withPages(
    (store) => store,
    async (ask) => {
      const toShown = async (path: string): Promise<unknown> => {
        const [status, text] = await ask(path);
        return [
          path,
          status,
          text.match(/<h2>/g)?.length ?? 0,
          /<link rel="next" href="http:\/\/site.test([^"]+)"/.exec(text)?.[1] ?? null,
          /<a href="([^"]+)" rel="next">/.exec(text)?.[1] ?? null,
        ];
      };
      for (const base of ['/en/', '/en/category/tides/', '/en/author/admin/', '/en/category/harbour/']) {
        const [second, third] = [`${base}page/2/`, `${base}page/3/`];
        assert.equal(await toShown(base), [base, 200, 5, second, second]);
        assert.equal(await toShown(second), [second, 200, 5, third, third]);
        assert.equal(await toShown(third), [third, 200, 2, null, null]);
        assert.is((await ask(`${base}page/4/`))[0], 404);
      }
    },
    {
      content: 'core',
      fixture: {
        ...ARCHIVES,
        site: { ...ARCHIVES.site, posts_per_page: 5 },
        posts: ARCHIVES.posts?.map((post) => ({ ...post, categories: [5, 9] })),
        pages: Array.from({ length: 6 }, (_, index) => ({
          ...written,
          id: 70 + index,
          title: `Page ${index}`,
          slug: `page-${index}`,
        })),
      } as Fixture,
    },
  ),
);

pages('show posts and home pages with their head, one page after the other', () =>
  withPages(
    (store) => store,
    async (ask) => {
      const [, post] = await ask('/en/tide-3/');
      assert.match(post, /<title>Tide 3 - [^<]+<\/title>/);
      assert.match(post, '<link rel="canonical" href="http://site.test/en/tide-3/" />');
      const shown: number[] = [];
      for (const path of ['/en/', '/en/page/2/', '/en/page/3/', '/en/page/0/']) {
        const [status, text] = await ask(path);
        shown.push(status, text.match(/<h2>/g)?.length ?? 0);
        if (status === 200) assert.match(text, `<link rel="canonical" href="http://site.test${path}" />`);
      }
      assert.equal(shown, [200, 10, 200, 2, 404, 0, 404, 0]);
      assert.match((await ask('/'))[1], '<a href="/en/page/2/" rel="next">');
      assert.match((await ask('/en/page/2/'))[1], '<a href="/en/" rel="prev">');
    },
    { fixture: ARCHIVES },
  ),
);

pages('show what a search finds, page by page, without an index entry', () =>
  withPages(
    (store) => store,
    async (ask, site) => {
      const toShown = async (path: string): Promise<unknown> => {
        const [status, text] = await ask(path);
        return [
          status,
          text.match(/<h2>/g)?.length ?? 0,
          /<a href="([^"]+)" rel="next">/.exec(text)?.[1] ?? null,
          /<a href="([^"]+)" rel="prev">/.exec(text)?.[1] ?? null,
        ];
      };
      assert.equal(await toShown('/en/?s=tide'), [200, 10, '/en/page/2/?s=tide', null]);
      assert.equal(await toShown('/?s=tide'), [200, 10, '/en/page/2/?s=tide', null]);
      assert.equal(await toShown('/en/page/2/?s=tide'), [200, 2, null, '/en/?s=tide']);
      assert.is((await ask('/en/page/3/?s=tide'))[0], 404);
      for (const path of ['/en/?s=tide', '/en/page/2/?s=tide', '/en/?s=nothing+at+all']) {
        const [status, text] = await ask(path);
        assert.is(status, 200);
        assert.match(text, '<meta name="robots" content="noindex, follow" />', path);
        assert.not.match(text, 'rel="canonical"');
      }
      assert.match((await ask('/en/?s=nothing+at+all'))[1], '<p>Nothing was found.</p>');
      assert.match((await ask('/fr/?s=rien'))[1], '<p>Aucun résultat.</p>');
      assert.equal(await toShown('/en/?s=hidden'), [200, 0, null, null]);
      assert.equal(await toShown('/en/?s='), await toShown('/en/'));
      for (const text of [
        '<script>alert(1)</script>"\'',
        '&per_page=100&status=draft',
        '%',
        '\u0000',
        '😀'.repeat(300),
      ]) {
        const [status, markup] = await ask(`/en/?s=${encodeURIComponent(text)}`);
        assert.equal(
          [status, markup.includes('<script>alert'), /<h2>/.test(markup)],
          [200, false, false],
          text,
        );
      }
      assert.is(
        (
          await site.ask({
            target:
              '/seo/v1/get_head?url=' + encodeURIComponent(`http://site.test/en/?s=${'😀'.repeat(201)}`),
          })
        ).status,
        200,
      );
    },
    { fixture: ARCHIVES },
  ),
);

pages('tell visitors in their language that an address does not exist, and the way home', () =>
  withPages(
    (store) => store,
    async (ask) => {
      for (const [path, language, heading] of [
        ['/en/nothing/', 'en', 'Page not found'],
        ['/fr/rien/', 'fr', 'Page non trouvée'],
        ['/fr/page/9/', 'fr', 'Page non trouvée'],
        ['/en/category/no/', 'en', 'Page not found'],
        ['/xx/', 'en', 'Page not found'],
      ] as const) {
        const [status, text] = await ask(path);
        assert.is(status, 404);
        for (const part of [
          `<html lang="${language}">`,
          `<title>${heading}</title>`,
          `<h1>${heading}</h1>`,
          `<a href="/${language}/">`,
        ])
          assert.match(text, part, path);
      }
    },
  ),
);

pages('answer 503 while the storage cannot be reached', async () => {
  const { error } = console;
  console.error = () => undefined;
  try {
    for (const collection of ['posts', 'terms']) {
      let isOpen = false;
      const away = (store: Store): Store => ({
        ...store,
        find: (query) =>
          isOpen && query.collection === collection
            ? Promise.reject(new StoreError('unavailable', 'away'))
            : store.find(query),
      });
      await withPages(
        away,
        async (ask) => {
          isOpen = true;
          for (const path of collection === 'posts'
            ? ['/en/', '/en/?s=tide', '/en/tide-1/', '/en/author/admin/']
            : ['/en/category/tides/'])
            assert.equal([path, (await ask(path))[0]], [path, 503]);
        },
        { fixture: ARCHIVES },
      );
    }
  } finally {
    console.error = error;
  }
});

pages('refuse an address that cannot be read', () =>
  withPages(
    (store) => store,
    async (ask) => {
      for (const path of ['/en/%zz/', '//']) assert.is((await ask(path))[0], 400, path);
    },
  ),
);

pages('answer 500, and say why in the log, when the posts cannot be read at all', async () => {
  const { error } = console;
  const logged: unknown[] = [];
  console.error = (...parts: readonly unknown[]) => {
    logged.push(...parts);
  };
  try {
    let isOpen = false;
    const broken = (store: Store): Store => ({
      ...store,
      find: (query) =>
        isOpen && query.collection === 'posts'
          ? Promise.reject(new TypeError('no posts'))
          : store.find(query),
    });
    await withPages(broken, async (ask) => {
      isOpen = true;
      assert.equal((await ask('/en/'))[0], 500);
    });
  } finally {
    console.error = error;
  }
  assert.match(logged.map(String).join(' '), 'a page could not be shown');
});

const CRAWLED = ['/robots.txt', '/sitemap.xml', '/sitemap-home-1.xml', '/sitemap-posts-post-1.xml'];

pages('send robots.txt and sitemaps if the site has them', () =>
  withPages(
    (store) => store,
    async (ask) => {
      assert.equal(await ask('/robots.txt'), [
        200,
        'User-agent: *\nDisallow:\n\nSitemap: http://site.test/sitemap.xml\n',
        'text/plain; charset=UTF-8',
      ]);
      const [status, text, type] = await ask('/sitemap.xml?x=1');
      assert.equal(
        [status, type, text.match(/(?<=<loc>)[^<]+/g)],
        [200, 'application/xml; charset=UTF-8', CRAWLED.slice(2).map((path) => `http://site.test${path}`)],
      );
      assert.match((await ask('/sitemap-posts-post-1.xml'))[1], '<loc>http://site.test/en/lamp/</loc>');
      assert.equal((await ask('/sitemap.xml', 'HEAD')).slice(0, 2), [200, '']);
      for (const path of [
        '/sitemap-posts-post-2.xml',
        '/sitemap-posts-page-1.xml',
        '/sitemap-constructor-1.xml',
        '/sitemap-posts-post-0.xml',
        '/sitemap-home-2.xml',
      ])
        assert.is((await ask(path))[0], 404, path);
      assert.is((await ask('/sitemap.xml', 'POST'))[0], 404);
    },
    { config: { seo: { sitemaps: true } } },
  ),
);

pages('have no sitemaps unless the site asks for them', () =>
  withPages(
    (store) => store,
    async (ask) => {
      for (const path of CRAWLED) assert.is((await ask(path))[0], 404, path);
    },
  ),
);

pages('answer 500 to a sitemap whose records cannot be read, and cut off one that has begun', async () => {
  const { error } = console;
  console.error = () => undefined;
  try {
    const broken = (store: Store): Store => ({
      ...store,
      find: (query) =>
        query.fields?.includes('modified_gmt') === true
          ? Promise.reject(new TypeError('no posts'))
          : store.find(query),
    });
    await withPages(
      broken,
      async (ask) => {
        assert.is((await ask('/sitemap-posts-post-1.xml'))[0], 500);
        assert.instance(
          await ask('/sitemap.xml').catch((fault: unknown) => fault),
          TypeError,
          'fetch rejects, because the response is not complete',
        );
      },
      { config: { seo: { sitemaps: true } } },
    );
  } finally {
    console.error = error;
  }
});

pages('redirect from the address that a post had before, or that has no language', () =>
  withPages(
    (store) => store,
    async (ask, site) => {
      for (const [id, body] of [
        [11, { slug: 'light' }],
        [12, { status: 'private' }],
      ] as const) {
        const target = `/cms/v2/posts/${id}`;
        assert.is((await site.ask({ method: 'PUT', target, as: 'admin', body })).status, 200);
      }
      for (const method of ['GET', 'HEAD'])
        assert.equal(
          await ask('/en/lamp/', method),
          [301, method === 'GET' ? (await ask('/en/lamp'))[1] : '', 'http://site.test/en/light/'],
          method,
        );
      assert.is(
        (await ask('/en/lamp/?utm_source=a%20b&p=3'))[2],
        'http://site.test/en/light/?utm_source=a%20b&p=3',
      );
      assert.is((await ask('/en/light/'))[0], 200);
      assert.is((await ask('/en/other/'))[0], 404);
      for (const [path, location] of [
        ['/light/?a=b%20c&p=3', '/en/light/?a=b%20c&p=3'],
        ['/lamp/?a=b', '/en/light/?a=b'],
        ['/author/admin/', '/en/author/admin/'],
        ['//other.test/light/', '/en/light/'],
      ] as const)
        for (const method of ['GET', 'HEAD']) {
          const [status, , to] = await ask(path, method);
          assert.equal([status, to], [301, `http://site.test${location}`], `${method} ${path}`);
        }
      for (const [path, method] of [
        ['/unreadable/', 'GET'],
        ['/other/', 'GET'],
        ['/light/', 'POST'],
      ] as const)
        assert.is((await ask(path, method))[0], 404, `${method} ${path}`);
    },
    { config: { seo: { redirects: true } } },
  ),
);

pages('show a draft to a visitor with its preview, and to nobody else', () =>
  withPages(
    (store) => store,
    async (ask, site) => {
      const { body } = await site.ask({
        method: 'POST',
        target: '/cms/v2/posts/13/preview',
        as: 'admin',
        body: {},
      });
      const { pathname, search } = new URL((body as { readonly url: string }).url);
      const [status, text] = await ask(`${pathname}${search}`);
      assert.is(status, 200);
      assert.match(text, 'not yet');
      const wrong = ['/en/?p=13', `${pathname}${search}x`, `${pathname}${search.replace('p=13', 'p=11')}`];
      for (const path of wrong) assert.is((await ask(path))[0], 404, path);
    },
    {
      content: 'core',
      fixture: {
        ...FIXTURE,
        posts: [
          { ...written, id: 11, title: 'Lamp', slug: 'lamp' },
          { ...written, id: 13, title: 'Draft', slug: 'draft', status: 'draft', content: 'not yet' },
        ],
      },
    },
  ),
);

const PROTECTED: Fixture = {
  ...FIXTURE,
  media: [
    {
      id: 3,
      author: 1,
      date: written.date,
      title: 'Quay',
      slug: 'quay',
      mime_type: 'image/png',
      file: '2024/quay.png',
      width: 640,
      height: 360,
    },
  ],
  posts: [
    {
      ...written,
      id: 13,
      title: 'Secret',
      slug: 'secret',
      password: 'open & shut',
      content: '<p>hidden words</p><img class="cms-image-3" src="/uploads/2024/quay.png" alt="">',
    },
  ],
};

pages('open a protected text for its password alone, and bound guesses', () =>
  withPages(
    (store) => store,
    async (ask) => {
      const send = (password: string): ReturnType<Ask> =>
        ask('/en/secret/', 'POST', new URLSearchParams({ post_password: password }));
      const closed = await ask('/en/secret/');
      assert.equal(
        [closed[0], closed[1].includes('hidden words'), closed[1].includes('name="post_password"')],
        [200, false, true],
      );
      assert.equal((await send('wrong'))[0], 403);
      const [status, text] = await send('open & shut');
      assert.equal(
        [status, text.includes('hidden words'), text.includes('<img width="640" height="360"')],
        [200, true, true],
      );
      assert.not.match((await ask('/en/secret/'))[1], 'hidden words');
      assert.is((await ask('/en/secret/', 'POST', new URLSearchParams({ other: 'x' })))[0], 404);
      const guesses = await Promise.all(Array.from({ length: 80 }, (_each, at) => send(`guess ${at}`)));
      assert.equal([...new Set(guesses.map(([code]) => code))].toSorted(), [403, 429]);
      assert.is((await send('open & shut'))[0], 429);
      assert.is((await send('x'.repeat(20_000)))[0], 413);
    },
    { fixture: PROTECTED, content: 'core' },
  ),
);

const ADMIN = { login: 'admin', password: 'secret of admin', answer: 'approve' };
const AUTHORIZE = '/authorize-application';
const APP = { app_name: 'Reader & Co', success_url: 'https://app.example/back?x=1' };

pages('let a person give a program a password, and send it nowhere unsafe', async () => {
  const users = [
    { id: 1, login: 'admin', name: 'Admin', slug: 'admin', role: 'administrator', password: ADMIN.password },
  ];
  await withPages(
    (store) => store,
    async (ask, site) => {
      const send = (fields: Readonly<Record<string, string>>): ReturnType<Ask> =>
        ask(AUTHORIZE, 'POST', new URLSearchParams(fields));
      const [status, text] = await ask(`${AUTHORIZE}?${String(new URLSearchParams(APP))}`);
      assert.equal(
        [status, text.includes('Reader &amp; Co'), text.includes('type="password"')],
        [200, true, true],
      );
      const approved = await send({ ...APP, ...ADMIN });
      const back = new URL(String(approved[2]));
      assert.equal(
        [approved[0], back.origin, back.searchParams.get('x'), back.searchParams.get('user_login')],
        [303, 'https://app.example', '1', 'admin'],
      );
      const made = (await site.store.find({ collection: 'credentials' })).records;
      assert.equal(
        made.map(({ name }) => name),
        ['fixture', 'Reader & Co'],
      );
      const login = Buffer.from(`admin:${String(back.searchParams.get('password'))}`).toString('base64');
      const me = { target: '/cms/v2/users/me', headers: { authorization: `Basic ${login}` } };
      assert.is((await site.ask(me)).status, 200);
      assert.equal((await send({ ...APP, ...ADMIN, password: 'wrong' }))[0], 403);
      assert.equal(
        (await send({ ...APP, answer: 'reject' }))[2],
        'https://app.example/back?x=1&success=false',
      );
      assert.match((await send({ app_name: 'Reader', ...ADMIN }))[1], /<code>\w{24}<\/code>/);
      for (const address of [
        'javascript:alert(1)',
        'https://a;frame-ancestors/',
        'http://app.example/',
        'data:text/html,x',
        '//app.example',
        'x',
      ])
        assert.equal((await send({ app_name: 'Reader', success_url: address, ...ADMIN }))[0], 400, address);
      assert.is((await ask(AUTHORIZE))[0], 400);
    },
    { fixture: { ...FIXTURE, users }, content: 'core', authorizePage: AUTHORIZE, authenticate: () => null },
  );
});

pages('come as Markdown where a visitor prefers it or the address ends with .md', () =>
  withPages(
    (store) => store,
    async (ask) => {
      const html = 'text/html; charset=UTF-8';
      const markdown = 'text/markdown; charset=UTF-8';
      const rows = [
        ['/en/lamp/', 'text/markdown', 200, markdown, 'canonical: "http://site.test/en/lamp/"'],
        ['/en/lamp.md', '*/*', 200, markdown, '# Lamp'],
        ['/en/', 'text/markdown', 200, markdown, '- [Lamp](<http://site.test/en/lamp/>)'],
        ['/', 'text/markdown, text/html;q=0.5', 200, markdown, '- [Lamp]'],
        ['/en/lamp/', 'text/html, text/markdown', 200, html, '<h1>Lamp</h1>'],
        ['/en/lamp/', 'text/markdown;q=0, */*', 200, html, '<h1>Lamp</h1>'],
        ['/en/?s=lamp', 'text/markdown', 200, html, 'Lamp'],
        ['/en/nothing/', 'text/markdown', 404, html, '<h1>'],
        ['/en/nothing.md', '*/*', 404, html, '<h1>'],
      ] as const;
      for (const [path, accept, status, type, part] of rows) {
        const [got, text, gotType] = await ask(path, 'GET', new Headers({ accept }));
        assert.equal([got, gotType], [status, type], `${path} ${accept}`);
        assert.ok(text.includes(part), `${path} ${accept}: ${text.slice(0, 500)}`);
      }
    },
  ),
);

pages.run();
