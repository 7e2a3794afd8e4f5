import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isAll, isLong } from '../../support/long-mode.ts';
import { withServer } from '../../support/routebook.ts';
import { inFolder } from '../../support/temporary.ts';

const LANGUAGES = ['en', 'fr', 'de'] as const;
const SLUGS = {
  home: ['home', 'accueil', 'start'],
  blog: ['blog', 'actualites', 'neues'],
  team: ['team', 'equipe', 'leute'],
} as const;
const ROW = {
  author: 1,
  status: 'publish',
  date: '2024-07-01T10:00:00',
  date_gmt: '2024-07-01T10:00:00',
  content: '<p>some words</p>',
};

/** A site whose pages, posts and categories have versions in all these languages, and an event category that has posts only below it. */
function toFixture(languages: readonly string[], site: object = {}): object {
  const rows = languages.flatMap((ml_language, at) => [{ ml_language, at }]);
  return {
    site: {
      name: 'Harbour',
      description: '',
      timezone_string: 'UTC',
      posts_per_page: 2,
      default_category: 0,
      ...site,
    },
    users: [
      {
        id: 1,
        login: 'admin',
        password: 'adminpass',
        name: 'Admin',
        slug: 'admin',
        role: 'administrator',
        email: 'admin@example.org',
      },
    ],
    categories: rows.flatMap(({ ml_language, at }) => [
      { id: 10 + at, name: 'Events', slug: `events-${ml_language}`, ml_language, group: 10 },
      { id: 20 + at, name: 'Tides', slug: `tides-${ml_language}`, ml_language, group: 20, parent: 10 + at },
      { id: 30 + at, name: 'Empty', slug: `empty-${ml_language}`, ml_language, group: 30 },
    ]),
    pages: rows.flatMap(({ ml_language, at }) => [
      {
        ...ROW,
        id: 70 + at,
        group: 70,
        title: `Home ${ml_language}`,
        slug: SLUGS.home[at],
        ml_language,
        content: `<p><a href="/${ml_language}/${SLUGS.blog[at]}/">blog</a></p>`,
      },
      { ...ROW, id: 80 + at, group: 80, title: `Blog ${ml_language}`, slug: SLUGS.blog[at], ml_language },
      { ...ROW, id: 90 + at, group: 90, title: 'Team', slug: SLUGS.team[at], ml_language, parent: 70 + at },
    ]),
    posts: rows.flatMap(({ ml_language, at }) =>
      [1, 2, 3].map((n) =>
        Object.assign(
          {
            id: 100 * n + at,
            group: 100 * n,
            title: `Post ${n}`,
            slug: `post-${n}-${ml_language}`,
            ml_language,
            categories: [20 + at],
          },
          ROW,
        ),
      ),
    ),
  };
}

/** A page as a visitor gets it. */
interface Seen {
  readonly status: number;
  readonly location: string | null;
  readonly html: string;
  readonly canonical: string;
  readonly heading: string;
  /** Language and address of each alternate. */
  readonly alternates: readonly string[];
}

interface Site {
  get(path: string): Promise<Seen>;
  /** Reads from the API; with a body, as an administrator who writes. */
  api(path: string, body?: object): Promise<Record<string, unknown>>;
  readonly origin: string;
}

const linksOf = (html: string): readonly string[] =>
  [...html.matchAll(/<a href="([^"]*)"/g)].map(([, href = '']) => href);
const alternatesOf = (markup: string): readonly string[] =>
  [...markup.matchAll(/hreflang="([^"]*)" href="([^"]*)"/g)].map(
    ([, language, href]) => `${language} ${href}`,
  );
const locsOf = (xml: string): readonly string[] =>
  [...xml.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, loc = '']) => loc);

async function withSite(
  fixture: object,
  run: (site: Site) => Promise<void>,
  args: readonly string[] = ['--languages', 'en,fr'],
): Promise<void> {
  await inFolder(async (folder) => {
    const file = join(folder, 'fixture.json');
    await writeFile(file, JSON.stringify(fixture));
    const config = join(folder, 'config.json');
    await writeFile(config, JSON.stringify({ namespaces: { seo: { sitemaps: true, redirects: true } } }));
    await withServer(
      [
        'serve',
        '--content',
        'core',
        '--store',
        'memory',
        '--port',
        '0',
        '--fixtures',
        file,
        '--config',
        config,
        ...args,
      ],
      async (origin) => {
        const Authorization = `Basic ${Buffer.from('admin:adminpass').toString('base64')}`;
        await run({
          origin,
          async get(path) {
            const response = await fetch(new URL(path, origin), { redirect: 'manual' });
            const html = await response.text();
            return {
              status: response.status,
              location: response.headers.get('Location'),
              html,
              alternates: alternatesOf(html),
              canonical: /rel="canonical" href="([^"]*)"/.exec(html)?.[1] ?? '',
              heading: /<h1>([^<]*)/.exec(html)?.[1] ?? '',
            };
          },
          async api(path, body) {
            const [language = '', ...route] = path.split(' ');
            const response = await fetch(`${origin}/${language}/cms-json${route.join('')}`, {
              headers: { Authorization, 'Content-Type': 'application/json' },
              ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
            });
            assert.ok(response.status < 300, `${path}: ${response.status}`);
            return (await response.json()) as Record<string, unknown>;
          },
        });
      },
    );
  });
}

/** Reads all pages that sitemaps and links lead to. Asserts that each has one address, and that its alternates and the sitemap agree on all sides. */
async function crawl(
  { get, origin }: Site,
  languages: readonly string[],
): Promise<ReadonlyMap<string, Seen>> {
  const listed = new Map<string, readonly string[]>();
  for (const sitemap of locsOf((await get('/sitemap.xml')).html)) {
    for (const entry of (await get(sitemap)).html.split('<url>').slice(1))
      listed.set(locsOf(entry)[0] ?? '', alternatesOf(entry));
  }
  const seen = new Map<string, Seen>();
  const waiting = [...languages.map((language) => `${origin}/${language}/`), ...listed.keys()];
  for (let url = waiting.pop(); url !== undefined; url = waiting.pop()) {
    if (seen.has(url)) continue;
    const page = await get(url);
    assert.is(page.status, 200, url);
    seen.set(url, page);
    waiting.push(
      ...[
        ...linksOf(page.html).map((href) => new URL(href, origin).href),
        ...page.alternates.map((each) => each.split(' ')[1] ?? ''),
      ].filter((href) => href.startsWith(origin)),
    );
  }
  for (const [url, { canonical, alternates }] of seen) {
    assert.ok(canonical === '' || canonical === url, `${url} is canonical ${canonical}`);
    for (const each of alternates)
      assert.equal(seen.get(each.split(' ')[1] ?? '')?.alternates, alternates, `${url} names ${each}`);
  }
  for (const [url, alternates] of listed)
    assert.equal(
      [seen.get(url)?.canonical, seen.get(url)?.alternates],
      [url, alternates],
      `the sitemap lists ${url}`,
    );
  // The further pages of lists, of authors and of searches are not listed.
  const unlisted = [...seen.keys()].filter(
    (url) => seen.get(url)?.canonical !== '' && !listed.has(url) && !/\/(?:page|author)\//.test(url),
  );
  assert.equal(unlisted, [], 'every page that may be indexed is in a sitemap');
  return seen;
}

const front = suite('a page as the front page');

const versions = (
  origin: string,
  languages: readonly string[],
  toPath: (language: string, at: number) => string,
): readonly string[] => [
  ...languages.map((language, at) => `${language} ${origin}${toPath(language, at)}`).sort(),
  `x-default ${origin}${toPath('en', 0)}`,
];

for (const languages of isAll || isLong ? [LANGUAGES.slice(0, 2), LANGUAGES] : [LANGUAGES]) {
  front(`stands for its translations in ${languages.join(', ')}`, () =>
    withSite(
      toFixture(languages),
      async (site) => {
        const { api, get, origin } = site;
        await crawl(site, languages);
        await api('en /cms/v2/settings', { show_on_front: 'page', page_on_front: 70, page_for_posts: 80 });
        const seen = await crawl(site, languages);
        for (const [at, language] of languages.entries()) {
          const [home, blog] = [
            seen.get(`${origin}/${language}/`),
            seen.get(`${origin}/${language}/${SLUGS.blog[at]}/`),
          ];
          assert.equal([home?.heading, blog?.heading], [`Home ${language}`, `Blog ${language}`]);
          assert.equal(
            [home?.alternates, blog?.alternates],
            [
              versions(origin, languages, (each) => `/${each}/`),
              versions(origin, languages, (each, n) => `/${each}/${SLUGS.blog[n]}/`),
            ],
          );
          assert.match(String(home?.html), '"@type":"WebPage"');
          assert.match(String(blog?.html), '"@type":"CollectionPage"');
          assert.match(String(blog?.html), `/${language}/post-3-${language}/`);
          assert.match(
            String(seen.get(`${origin}/${language}/${SLUGS.blog[at]}/page/2/`)?.html),
            `/${language}/post-1-${language}/`,
          );
          assert.equal(
            [
              (await get(`/${language}/${SLUGS.home[at]}/?utm=1`)).location,
              (await get(`/${language}/?page_id=${70 + at}&utm=1`)).location,
            ],
            [`${origin}/${language}/?utm=1`, `${origin}/${language}/?utm=1`],
          );
          assert.equal(
            [
              (await get(`/${language}/page/2/`)).status,
              (await get(`/${language}/${SLUGS.blog[at]}/page/3/`)).status,
            ],
            [404, 404],
          );
          const index = await api(`${language} /`);
          const settings = await api(`${language} /cms/v2/settings`);
          assert.equal(
            [
              index['page_on_front'],
              index['page_for_posts'],
              settings['page_on_front'],
              settings['page_for_posts'],
            ],
            [70 + at, 80 + at, 70 + at, 80 + at],
          );
          assert.is((await api(`${language} /cms/v2/pages/${70 + at}`))['link'], `${origin}/${language}/`);
          assert.is(
            (await api(`${language} /oembed/1.0/embed?url=${origin}/${language}/`))['title'],
            `Home ${language}`,
          );
          assert.match(
            JSON.stringify(await api(`${language} /cms/v2/search?search=Home`)),
            `"url":"${origin}/${language}/"`,
          );
        }
      },
      ['--languages', languages.join(',')],
    ),
  );
}

front('may be another one in each language, and none', () =>
  withSite(toFixture(['en', 'fr']), async (site) => {
    const { api, get, origin } = site;
    await api('en /cms/v2/settings', { show_on_front: 'page', page_on_front: 70, page_for_posts: 80 });
    await api('fr /cms/v2/settings', { page_on_front: 91 });
    const shown = async (): Promise<unknown> =>
      Promise.all(
        ['en', 'fr'].map(async (language) => [
          (await api(`${language} /cms/v2/settings`))['page_on_front'],
          (await get(`/${language}/`)).heading,
        ]),
      );
    assert.equal(await shown(), [
      [70, 'Home en'],
      [91, 'Team'],
    ]);
    await crawl(site, ['en', 'fr']);
    assert.equal((await get('/fr/')).alternates, [
      `en ${origin}/en/home/team/`,
      `fr ${origin}/fr/`,
      `x-default ${origin}/en/home/team/`,
    ]);
    await api('fr /cms/v2/settings', { page_on_front: 0 });
    assert.equal(await shown(), [
      [70, 'Home en'],
      [0, 'Harbour'],
    ]);
    await crawl(site, ['en', 'fr']);
    await api('fr /cms/v2/settings', { page_on_front: null });
    assert.equal(await shown(), [
      [70, 'Home en'],
      [71, 'Home fr'],
    ]);
  }),
);

front('follows what is published and linked meanwhile', () =>
  withSite(toFixture(['en', 'fr'], { show_on_front: 'page', page_on_front: 70 }), async (site) => {
    const { api, get, origin } = site;
    const french = async (): Promise<unknown> => [
      (await get('/fr/')).heading,
      (await api('fr /'))['page_on_front'],
      (await api('fr /cms/v2/pages/71'))['link'],
    ];
    assert.equal(await french(), ['Home fr', 71, `${origin}/fr/`]);
    await api('fr /cms/v2/pages/71', { status: 'draft' });
    assert.equal(((await french()) as unknown[]).slice(0, 2), ['Harbour', 0]);
    assert.equal((await get('/en/')).alternates, []);
    await crawl(site, ['en', 'fr']);
    await api('fr /cms/v2/pages/71', { status: 'publish' });
    assert.equal(await french(), ['Home fr', 71, `${origin}/fr/`]);
    await crawl(site, ['en', 'fr']);
  }),
);

front('is shown in a language without a prefix', () =>
  withSite(
    toFixture(['en', 'fr'], { show_on_front: 'page', page_on_front: 70 }),
    async (site) => {
      const { api, get, origin } = site;
      assert.is((await api('en /cms/v2/pages/71?ml_language=fr'))['link'], `${origin}/fr/`);
      assert.equal([(await get('/fr/')).heading, (await get('/fr/page/2/')).status], ['Home fr', 404]);
    },
    ['--languages', 'en,fr', '--prefixes', 'en'],
  ),
);

front.run();

const names = suite('name and description of the site');

names('differ by language wherever they are shown', () =>
  withSite(toFixture(['en', 'fr'], { description: 'By the sea' }), async ({ api, get, origin }) => {
    await api('fr /cms/v2/settings', { title: 'Le port', description: 'Au bord' });
    for (const [language, name, description] of [
      ['en', 'Harbour', 'By the sea'],
      ['fr', 'Le port', 'Au bord'],
    ] as const) {
      const [index, settings, document, embed] = await Promise.all(
        [
          '/',
          '/cms/v2/settings',
          '/openapi.json',
          `/oembed/1.0/embed?url=${origin}/${language}/post-1-${language}/`,
        ].map((path) => api(`${language} ${path}`)),
      );
      assert.equal(
        [
          index?.['name'],
          index?.['description'],
          settings?.['title'],
          settings?.['description'],
          embed?.['provider_name'],
        ],
        [name, description, name, description, name],
      );
      assert.is((document as { readonly info: { readonly title: string } }).info.title, name);
      assert.match((await get(`/${language}/`)).html, `<title>${name} - ${description}</title>`);
      assert.match(
        (await get(`/${language}/post-1-${language}/`)).html,
        new RegExp(
          `<title>Post 1 - ${name}</title>.*og:site_name" content="${name}".*"name":"${name}","description":"${description}"`,
          's',
        ),
      );
    }
  }),
);

names.run();

const archives = suite('archives of categories');

archives('are indexed and listed when they or those below them have posts', () =>
  withSite(toFixture(['en', 'fr']), async (site) => {
    const seen = await crawl(site, ['en', 'fr']);
    assert.is(
      seen.get(`${site.origin}/en/category/events-en/`)?.canonical,
      `${site.origin}/en/category/events-en/`,
    );
    const empty = await site.get('/en/category/empty-en/');
    assert.equal(
      [empty.status, empty.canonical, empty.alternates, empty.html.includes('content="noindex, follow')],
      [200, '', [], true],
    );
  }),
);

archives.run();
