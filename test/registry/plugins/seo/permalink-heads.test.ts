import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../../../adapters/memory-store.ts';
import type { ContentOption } from '../../../../registry/core/model/content-model.ts';
import { collections } from '../../../../registry/index.ts';
import type { Fixture } from '../../../../registry/transfer/fixture/fixture.ts';
import { openHttpSite, type HttpSite } from '../../../support/http-site.ts';

const DATE = { date: '2024-07-05T10:00:00', date_gmt: '2024-07-05T10:00:00' };
const FIXTURE: Fixture = {
  site: { name: 'Site', description: 'A site' },
  users: [{ id: 1, login: 'ed', password: 'edspassword', role: 'administrator', name: 'Ed' }],
  posts: [
    { id: 5, slug: 'lamp', title: 'A lamp', content: 'Words.', status: 'publish', author: 1, ...DATE },
    { id: 6, slug: 'hidden', title: 'Hidden', content: 'x', status: 'draft', author: 1, ...DATE },
  ],
};
const CONTENT: ContentOption = {
  core: true,
  types: [{ name: 'book', base: 'books', supports: ['title', 'editor', 'custom-fields'] }],
};
const RECORDS = [
  { id: 20, type: 'book', slug: 'lamp', title: 'A book about lamps' },
  { id: 21, type: 'page', slug: 'about', title: 'About' },
  { id: 22, type: 'page', slug: 'team', title: 'Team', parent: 21 },
] as const;

async function withSite(permalinks: string, run: (site: HttpSite) => Promise<void>): Promise<void> {
  const store = createMemoryStore(collections);
  const site = await openHttpSite(FIXTURE, { store, content: CONTENT, permalinks });
  await store.commit(
    RECORDS.map(
      (values) =>
        ({
          op: 'create',
          collection: 'posts',
          values: { language: 'en', status: 'publish', author: 1, content: 'Words.', ...DATE, ...values },
        }) as const,
    ),
  );
  try {
    await run(site);
  } finally {
    await site.close();
  }
}

async function ask(
  { origin }: HttpSite,
  path: string,
): Promise<{ status: number; body: Readonly<Record<string, unknown>> }> {
  const answer = await fetch(`${origin}/en/cms-json${path}`);
  return { status: answer.status, body: (await answer.json()) as Readonly<Record<string, unknown>> };
}

const headOf = (site: HttpSite, address: string) =>
  ask(site, `/seo/v1/get_head?url=${encodeURIComponent(address)}`);
const embedOf = (site: HttpSite, address: string) =>
  ask(site, `/oembed/1.0/embed?url=${encodeURIComponent(address)}`);

const STRUCTURES = [
  '/%postname%/',
  '/%year%/%monthnum%/%postname%/',
  '/%category%/%postname%/',
  '/archives/%post_id%',
  '/%author%/%postname%.html',
  '/%year%/%post_id%/',
] as const;

const heads = suite('heads and embeds of every type');

for (const permalinks of STRUCTURES) {
  heads(`find the records of every type by their links with ${permalinks}`, () =>
    withSite(permalinks, async (site) => {
      for (const [route, title] of [
        ['posts/5', 'A lamp'],
        ['books/20', 'A book about lamps'],
        ['pages/21', 'About'],
        ['pages/22', 'Team'],
      ] as const) {
        const link = String((await ask(site, `/cms/v2/${route}`)).body['link']);
        const { status, body } = await headOf(site, link);
        const head = body['json'] as Readonly<Record<string, unknown>>;
        assert.equal([status, head['title'], head['canonical']], [200, `${title} - Site`, link], link);
        const embed = await embedOf(site, link);
        assert.equal([embed.status, embed.body['title']], [200, title], link);
        assert.match(String(embed.body['html']), link);
      }
    }),
  );
}

heads('do not find a record at the address that another structure, parent or date would give it', () =>
  withSite('/%year%/%monthnum%/%postname%/', async (site) => {
    for (const path of [
      '/en/2023/07/lamp/',
      '/en/2024/07/hidden/',
      '/en/2024/07/lamp/more/',
      '/en/other/team/',
      '/en/book/team/',
      '/en/2024/07/constructor/',
    ]) {
      assert.is((await headOf(site, `${site.origin}${path}`)).status, 404, path);
      assert.is((await embedOf(site, `${site.origin}${path}`)).status, 404, path);
    }
  }),
);

heads('still know archives and numbers', () =>
  withSite('/%year%/%monthnum%/%postname%/', async (site) => {
    for (const path of ['/en/', '/en/2024/07/', '/en/?p=5'])
      assert.is((await headOf(site, `${site.origin}${path}`)).status, 200, path);
  }),
);

/** Taxonomies of ones own, with terms that have and lack parents and posts. */
const SHELVES: ContentOption = {
  core: true,
  types: [{ name: 'book', base: 'books', supports: ['title'], taxonomies: ['genre'] }],
  taxonomies: [{ name: 'genre', base: 'genres', hierarchical: true, types: ['book'] }],
};

heads('describe the archives of taxonomies of ones own', async () => {
  const fixture = {
    ...FIXTURE,
    genres: [
      { id: 31, name: 'Sea stories', slug: 'sea', description: 'All about <b>water</b>.' },
      { id: 32, name: 'Deep sea', slug: 'deep', parent: 31 },
    ],
    books: Array.from({ length: 12 }, (_each, at) => ({
      id: 40 + at,
      slug: `book-${at}`,
      title: `Book ${at}`,
      status: 'publish',
      author: 1,
      genres: [31],
      ...DATE,
    })),
    registered: SHELVES,
  } as unknown as Fixture;
  const site = await openHttpSite(fixture, { store: createMemoryStore(collections), content: SHELVES });
  try {
    const link = String((await ask(site, '/cms/v2/genres/31')).body['link']);
    assert.match(link, /\/en\/genre\/sea\/$/);
    const { status, body } = await headOf(site, link);
    const head = body['json'] as Readonly<Record<string, unknown>>;
    assert.equal([status, head['canonical'], head['description']], [200, link, 'All about water.']);
    assert.match(String(head['title']), /^Sea stories Archives - Site$/);
    assert.match(String(body['html']), /rel="next" href="[^"]+\/genre\/sea\/page\/2\/"/);
    assert.equal(
      await Promise.all(
        ['page/2/', 'page/3/', '../deep/', '../never/'].map(
          async (part) => (await headOf(site, new URL(part, link).href)).status,
        ),
      ),
      [200, 404, 200, 404],
    );
  } finally {
    await site.close();
  }
});

heads.run();
