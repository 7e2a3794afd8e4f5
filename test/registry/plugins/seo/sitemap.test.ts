import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../../../adapters/memory-store.ts';
import type { Store, Values } from '../../../../lib/store/store.ts';
import { collections, type WrittenDocument } from '../../../../registry/index.ts';
import { createCrawlerFiles } from '../../../../registry/plugins/seo/sitemap/crawler-files.ts';
import { toPartSize } from '../../../../registry/plugins/seo/sitemap/sitemaps.ts';
import { hasTool, runTool, skipTool } from '../../../support/outside-tool.ts';
import { createTestPorts, TEST_CONFIG, TEST_NOW } from '../../../support/ports.ts';
import { inFolder } from '../../../support/temporary.ts';
import { createSeoSite, HOME, seedStore, SITE_URL } from './seo-site.ts';

const PARTS = toPartSize(2);

type OpenFile = (path: string, siteUrl: string) => Promise<WrittenDocument | null>;

function openFiles(
  store: Store,
  {
    frontEnd,
    ...settings
  }: { frontEnd?: string; postTypes?: readonly string[]; taxonomies?: readonly string[] } = {},
): OpenFile {
  const write = createCrawlerFiles(
    createTestPorts({
      store,
      config: { ...TEST_CONFIG, namespaces: { seo: { sitemaps: true, ...settings } } },
    }),
    frontEnd,
  );
  return async (path, siteUrl) => write({ siteUrl }, { path, params: {} });
}

async function read(open: OpenFile, path: string): Promise<string> {
  const file = await open(path, SITE_URL);
  const parts: string[] = [];
  const body = file?.body ?? [];
  for await (const part of typeof body === 'string' ? [body] : body) parts.push(String(part));
  return parts.join('');
}

const listLocs = (xml: string): readonly string[] =>
  [...xml.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url = '']) => url);
const entryOf = (xml: string, url: string): string =>
  xml.split('<url>').find((each) => each.includes(`<loc>${url}</loc>`)) ?? '';
const listLinks = (xml: string, url: string): readonly (readonly string[])[] =>
  [...entryOf(xml, url).matchAll(/hreflang="([^"]+)" href="([^"]+)"/g)].map(
    ([, language = '', href = '']) => [language, href],
  );

async function seed(...posts: readonly Values[]): Promise<Store> {
  const store = createMemoryStore(collections);
  const published = {
    type: 'post',
    language: 'en',
    status: 'publish',
    date: '2024-01-05T10:00:00',
    date_gmt: '2024-01-05T09:00:00',
    modified_gmt: '2024-01-05T09:00:00',
  };
  await store.commit(
    posts.map((values) => ({ op: 'create', collection: 'posts', values: { ...published, ...values } })),
  );
  return store;
}

const sitemap = suite('sitemaps');

sitemap(
  'list public posts of served languages, with their versions and the time of their last change',
  async () => {
    const xml = await read(
      openFiles(await seedStore(createMemoryStore(collections))),
      '/sitemap-posts-post-1.xml',
    );
    const alphas = [
      ['en', `${HOME}/alpha/`],
      ['fr', `${SITE_URL}/fr/alpha-fr/`],
      ['x-default', `${HOME}/alpha/`],
    ];
    assert.equal(listLocs(xml), [`${HOME}/alpha/`, `${HOME}/beta/`, `${SITE_URL}/fr/alpha-fr/`]);
    assert.equal(
      [
        listLinks(xml, `${HOME}/alpha/`),
        listLinks(xml, `${SITE_URL}/fr/alpha-fr/`),
        listLinks(xml, `${HOME}/beta/`),
      ],
      [alphas, alphas, []],
    );
    assert.match(entryOf(xml, `${HOME}/alpha/`), '<lastmod>2024-02-01T09:00:00+00:00</lastmod>');
  },
);

sitemap('name the same versions as the heads', async () => {
  const site = await createSeoSite();
  const xml = await read(openFiles(site.store), '/sitemap-posts-post-1.xml');
  for (const url of listLocs(xml)) {
    const { body } = await site.call(`GET /seo/v1/get_head?url=${encodeURIComponent(url)}`);
    const shown = [...String(body['html']).matchAll(/hreflang="([^"]+)" href="([^"]+)"/g)].map(
      ([, language = '', href = '']) => [language, href],
    );
    assert.equal(listLinks(xml, url), shown, url);
  }
});

sitemap('leave out what an editor hides or shows elsewhere, on all sides', async () => {
  const store = await seed(
    { id: 1, slug: 'shown', group: 5 },
    { id: 2, slug: 'hidden', group: 5, language: 'fr', meta: { seo_noindex: true } },
    { id: 3, slug: 'moved', meta: { seo_canonical: 'https://other.example/' } },
    { id: 4, slug: 'itself', meta: { seo_canonical: `${HOME}/itself/` } },
    { id: 5, slug: 'imported' },
    { id: 6, slug: 'protected', language: 'fr', group: 9, password: 'x' },
    { id: 7, slug: 'open', group: 9 },
  );
  await store.commit([
    { op: 'create', collection: 'seo_meta', values: { object_type: 'post', object_id: 5, noindex: true } },
  ]);
  const xml = await read(openFiles(store), '/sitemap-posts-post-1.xml');
  assert.equal(listLocs(xml), [`${HOME}/shown/`, `${HOME}/itself/`, `${HOME}/open/`]);
  assert.not.match(xml, 'hreflang');
});

sitemap('publish what is due, and nothing before', async () => {
  const moment = (offset: number): string => new Date(TEST_NOW + offset).toISOString().slice(0, 19);
  const store = await seed(
    { id: 1, slug: 'due', status: 'future', date_gmt: moment(-1000) },
    { id: 2, slug: 'later', status: 'future', date_gmt: moment(60_000) },
  );
  assert.equal(listLocs(await read(openFiles(store), '/sitemap-posts-post-1.xml')), [`${HOME}/due/`]);
});

sitemap('list terms that published posts have, with their versions', async () => {
  const store = await seedStore(createMemoryStore(collections));
  const open = openFiles(store);
  assert.equal(listLocs(await read(open, '/sitemap-terms-category-1.xml')), [`${HOME}/category/news/`]);
  assert.equal(listLocs(await read(open, '/sitemap-terms-post_tag-1.xml')), [`${HOME}/tag/red/`]);
  await store.commit([{ op: 'update', collection: 'posts', id: 103, values: { tags: [12] } }]);
  const xml = await read(open, '/sitemap-terms-post_tag-1.xml');
  const tags = [
    ['en', `${HOME}/tag/red/`],
    ['fr', `${SITE_URL}/fr/tag/rouge/`],
    ['x-default', `${HOME}/tag/red/`],
  ];
  assert.equal(
    [listLinks(xml, `${HOME}/tag/red/`), listLinks(xml, `${SITE_URL}/fr/tag/rouge/`)],
    [tags, tags],
  );
});

sitemap('use the addresses of pages, and list a front page once', async () => {
  const store = await seed(
    { id: 1, type: 'page', slug: 'about' },
    { id: 2, type: 'page', slug: 'team', parent: 1 },
    { id: 3, type: 'page', slug: 'front' },
  );
  await store.commit(
    [
      ['show_on_front', 'page'],
      ['page_on_front', 3],
    ].map(([key, value]) => ({
      op: 'create',
      collection: 'options',
      values: { group: 'site', key: String(key), value: value ?? null },
    })),
  );
  const open = openFiles(store, { frontEnd: 'https://www.example.org', postTypes: ['page', 'constructor'] });
  assert.equal(listLocs(await read(open, '/sitemap-posts-page-1.xml')), [
    'https://www.example.org/en/about/',
    'https://www.example.org/en/about/team/',
    'https://www.example.org/en/',
  ]);
  assert.equal(
    listLocs(await read(open, '/sitemap.xml')),
    ['home', 'posts-page'].map((name) => `https://www.example.org/sitemap-${name}-1.xml`),
  );
  assert.match(await read(open, '/robots.txt'), 'Sitemap: https://www.example.org/sitemap.xml\n');
});

sitemap('name nothing private', async () => {
  const open = openFiles(await seedStore(createMemoryStore(collections)));
  const texts = await Promise.all(
    [
      '/sitemap.xml',
      '/robots.txt',
      '/llms.txt',
      '/sitemap-home-1.xml',
      '/sitemap-posts-post-1.xml',
      '/sitemap-terms-category-1.xml',
      '/sitemap-terms-post_tag-1.xml',
    ].map((path) => read(open, path)),
  );
  for (const word of [
    'canary',
    'secret',
    'sesame',
    'draft',
    'pending',
    'private',
    'future',
    'trash',
    'slug',
    '?p=',
    'nederlands',
  ])
    assert.not.ok(texts.join('').includes(word), word);
});

sitemap('escape addresses for XML', async () => {
  const xml = await read(
    openFiles(await seed({ id: 1, slug: `a<&"'b` }, { id: 2, slug: 'caf%c3%a9' })),
    '/sitemap-posts-post-1.xml',
  );
  assert.equal(listLocs(xml), [`${HOME}/a%3c%26%22&#039;b/`, `${HOME}/caf%c3%a9/`]);
});

sitemap('divide posts by their ids, so that gaps cost nothing', async () => {
  const far = 999_999_999_999_999;
  const store = await seed(...[1, PARTS, PARTS + 1, far].map((id) => ({ id, slug: `p${id}` })), {
    id: 3 * PARTS,
    slug: 'hidden',
    meta: { seo_noindex: true },
  });
  const open = openFiles(store);
  const numbers = listLocs(await read(open, '/sitemap.xml')).flatMap(
    (url) => /posts-post-(\d+)/.exec(url)?.[1] ?? [],
  );
  assert.equal(numbers, ['1', '2', String(Math.ceil(far / PARTS))]);
  const listed = await Promise.all(
    numbers.map(async (part) => listLocs(await read(open, `/sitemap-posts-post-${part}.xml`))),
  );
  assert.equal(
    listed,
    [[1, PARTS], [PARTS + 1], [far]].map((ids) => ids.map((id) => `${HOME}/p${id}/`)),
  );
  assert.is(await open('/sitemap-posts-post-3.xml', SITE_URL), null);
});

sitemap('read records only as their text is taken, some at a time', async () => {
  const store = await seed(
    ...Array.from({ length: 450 }, (_each, index) => ({
      id: index + 1,
      slug: `p${index}`,
      group: index % 2 === 0 ? index + 2 : index + 1,
      language: index % 2 === 0 ? 'en' : 'fr',
    })),
  );
  const reads: number[] = [];
  const counting: Store = {
    ...store,
    find: async (query) => {
      const found = await store.find(query);
      if (query.collection === 'posts') reads.push(found.records.length);
      return found;
    },
  };
  const file = await openFiles(counting)('/sitemap-posts-post-1.xml', SITE_URL);
  assert.ok(file);
  const atOpen = reads.length;
  assert.ok(reads.reduce((sum, count) => sum + count, 0) <= 200, 'one page and its versions');
  const sizes: number[] = [];
  for await (const part of file.body) sizes.push(listLocs(String(part)).length);
  assert.ok(reads.length > atOpen);
  assert.equal([Math.max(...reads), sizes], [100, [0, 100, 100, 100, 100, 50, 0]]);
});

sitemap('hold at most 50,000 addresses and 50 MiB', () => {
  assert.equal([1, 2, 10].map(toPartSize), [50_000, 40_960, 13_653]);
});

sitemap('llms.txt lists the newest public records of the default language', async () => {
  const open = openFiles(
    await seed(
      { slug: 'old', title: 'Old <b>one</b>', excerpt: '<p>In [short]</p>', date_gmt: '2023-01-05T09:00:00' },
      { slug: 'new', title: 'New', modified_gmt: '2024-03-05T09:00:00' },
      { slug: 'nouveau', title: 'Nouveau', language: 'fr' },
      { slug: 'closed', title: 'Closed', password: 'open' },
      { slug: 'draft', title: 'Draft', status: 'draft' },
      { slug: 'about', title: 'About', type: 'page' },
    ),
    { postTypes: ['post', 'page'] },
  );
  const text = await read(open, '/llms.txt');
  assert.equal(text.slice(text.indexOf('## ')).split('\n'), [
    '## Posts',
    '',
    `- [New](${HOME}/new/)`,
    String.raw`- [Old one](${HOME}/old/): In \[short\]`,
    '',
    '## Pages',
    '',
    `- [About](${HOME}/about/)`,
    '',
  ]);
  assert.match(text, /^# /);
});

sitemap.run();

if (hasTool('xmllint')) {
  const judged = suite('sitemaps before xmllint');

  judged('are well-formed', () =>
    inFolder(async (directory) => {
      const store = await seed(
        { id: 1, slug: `a<&"'b`, group: 1 },
        { id: 2, slug: 'b', language: 'fr', group: 1 },
      );
      const open = openFiles(store);
      const files = await Promise.all(
        ['/sitemap.xml', '/sitemap-home-1.xml', '/sitemap-posts-post-1.xml'].map(async (path) => {
          const file = join(directory, path);
          writeFileSync(file, await read(open, path));
          return file;
        }),
      );
      assert.equal(runTool('xmllint', ['--noout', ...files]), { status: 0, text: '' });
      const links =
        "//*[local-name()='url'][1]/*[local-name()='link' and namespace-uri()='http://www.w3.org/1999/xhtml']";
      assert.is(runTool('xmllint', ['--xpath', `count(${links})`, files[2] ?? '']).text.trim(), '3');
    }),
  );

  /** The schema of sitemaps.org, which strictly checks elements of other namespaces, with `link` of XHTML as search engines read it. */
  const judge = (xml: string): Promise<string> =>
    inFolder(async (directory) => {
      writeFileSync(join(directory, 'sitemap.xsd'), readFileSync('node_modules/sitemap/schema/sitemap.xsd'));
      writeFileSync(
        join(directory, 'link.xsd'),
        `<schema xmlns="http://www.w3.org/2001/XMLSchema" targetNamespace="http://www.w3.org/1999/xhtml"><element name="link"><complexType>
      <attribute name="rel" use="required"><simpleType><restriction base="string"><enumeration value="alternate"/></restriction></simpleType></attribute>
      <attribute name="hreflang" type="language" use="required"/><attribute name="href" type="anyURI" use="required"/></complexType></element></schema>`,
      );
      writeFileSync(
        join(directory, 'all.xsd'),
        '<schema xmlns="http://www.w3.org/2001/XMLSchema"><import namespace="http://www.sitemaps.org/schemas/sitemap/0.9" schemaLocation="sitemap.xsd"/><import namespace="http://www.w3.org/1999/xhtml" schemaLocation="link.xsd"/></schema>',
      );
      writeFileSync(join(directory, 'file.xml'), xml);
      const { status, text } = runTool('xmllint', [
        '--nonet',
        '--noout',
        '--schema',
        join(directory, 'all.xsd'),
        join(directory, 'file.xml'),
      ]);
      return status === 0 ? 'valid' : text;
    });

  judged('are valid by the schema of sitemaps.org, which the package `sitemap` has', async () => {
    const open = openFiles(
      await seed(
        { id: 1, slug: `a<&"'b`, group: 1 },
        { id: 2, slug: 'b', language: 'fr', group: 1 },
        { id: 3, slug: 'alone', modified_gmt: '' },
      ),
    );
    const files = await Promise.all(
      ['/sitemap-home-1.xml', '/sitemap-posts-post-1.xml'].map((path) => read(open, path)),
    );
    for (const xml of files) {
      assert.match(xml, '<xhtml:link ');
      assert.is(await judge(xml), 'valid');
    }
    for (const [from, to] of [
      [/<lastmod>[^<]*/, '<lastmod>yesterday'],
      [/<loc>[^<]*<\/loc>/, ''],
      [/hreflang="en"/, 'hreflang="e n"'],
      ['</urlset>', '<extra/></urlset>'],
    ] as const) {
      assert.match(await judge(String(files[1]).replace(from, to)), 'fails to validate', String(to));
    }
  });

  judged.run();
} else {
  skipTool('sitemaps before xmllint', 'xmllint');
}
