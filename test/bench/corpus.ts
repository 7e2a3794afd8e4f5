import { createMemoryStore } from '../../adapters/memory-store.ts';
import { ANONYMOUS, createRequest, type Identity, type Store } from '../../lib/index.ts';
import { collections, createSite, loadFixture, type Fixture, type Site } from '../../registry/index.ts';
import { ADMIN, ADMIN_TOKEN } from './admin.ts';

/** All peers use this origin in links, so that their responses can be compared byte for byte. */
export const SITE_URL = 'http://bench.test';

/** One parsed response. */
export type Shown = Readonly<Record<string, unknown>>;

/** The data that the peers serve: responses of routebook, recorded before the measurements. */
export interface Corpus {
  /** All posts as an anonymous caller sees them, newest first. */
  readonly posts: readonly Shown[];
  readonly index: Shown;
  readonly notFound: Shown;
  readonly badRequest: Shown;
  /** The first post that an administrator creates, as an example of a created post. */
  readonly created: Shown;
}

export const CATEGORIES = 20;
export const AUTHORS = 10;

/** Path below the base `/en/cms-json`, which every peer has. */
export const UNKNOWN_POST = '/cms/v2/posts/99999999';
export const BAD_LIST = '/cms/v2/posts?per_page=0';
export const NEW_POST = {
  title: { raw: 'A new boat' },
  content: { raw: '<p>It came in with the tide and left before the next one.</p>' },
  excerpt: { raw: 'It came in with the tide.' },
  status: 'publish',
  date: '2024-01-01T12:00:00',
  categories: [2],
} as const;

const SENTENCES = [
  'The ferry leaves the old pier at seven and comes back with the evening tide.',
  'Nets are mended on the quay while the market is still closed.',
  'A lamp on the breakwater tells the boats how much water there is.',
  'Whoever waits for the wind to turn can have coffee in the customs house.',
];

/** Minutes since the beginning of 2010, as a date of the site. */
function toDate(minute: number): string {
  return new Date(Date.UTC(2010, 0, 1) + minute * 60_000).toISOString().slice(0, 19);
}

function toPost(id: number, text: string): Record<string, string | number | boolean | readonly number[]> {
  const date = toDate(id);
  return {
    id,
    author: 1 + (id % AUTHORS),
    status: 'publish',
    title: `Harbour note ${id}`,
    slug: `harbour-note-${id}`,
    date,
    date_gmt: date,
    modified: date,
    modified_gmt: date,
    excerpt: SENTENCES[id % SENTENCES.length] ?? '',
    content: text,
    categories: [1 + (id % CATEGORIES)],
    tags: [],
    comment_status: 'open',
    ping_status: 'open',
    format: 'standard',
    sticky: false,
    template: '',
    featured_media: 0,
    password: '',
  };
}

function toText(id: number): string {
  return Array.from(
    { length: 4 },
    (_each, index) =>
      `<!-- cms:paragraph -->\n<p>${SENTENCES[(id + index) % SENTENCES.length] ?? ''}</p>\n<!-- /cms:paragraph -->`,
  ).join('\n\n');
}

/** The site without posts. */
export const siteFixture: Fixture = {
  site: {
    name: 'Harbour',
    description: 'Notes',
    timezone_string: 'UTC',
    page_for_posts: 0,
    page_on_front: 0,
    show_on_front: 'posts',
    default_category: 1,
  },
  users: Array.from({ length: AUTHORS }, (_each, index) => ({
    id: index + 1,
    login: `author${index + 1}`,
    name: `Author ${index + 1}`,
    slug: `author-${index + 1}`,
    role: index === 0 ? 'administrator' : 'author',
    email: `a${index + 1}@bench.test`,
  })),
  categories: Array.from({ length: CATEGORIES }, (_each, index) => ({
    id: index + 1,
    name: `Pier ${index + 1}`,
    slug: `pier-${index + 1}`,
    parent: 0,
  })),
};

/** The same site with the posts 1 to `count`, as a document. */
export function createFixture(count: number): Fixture {
  return {
    ...siteFixture,
    posts: Array.from({ length: count }, (_each, index) => toPost(index + 1, toText(index + 1))),
  };
}

const CHUNK = 1000;

/** Writes the site with the posts 1 to `count` into an empty store. `short`: the same few words for every post, for measurements that do not depend on texts. */
export async function fillStore(
  store: Store,
  count: number,
  { short = false }: { short?: boolean } = {},
): Promise<void> {
  await loadFixture(store, siteFixture);
  for (let first = 1; first <= count; first += CHUNK) {
    const ids = Array.from({ length: Math.min(CHUNK, count - first + 1) }, (_each, index) => first + index);
    await store.commit(
      ids.flatMap((id) => [
        {
          op: 'create',
          collection: 'posts',
          values: {
            ...toPost(id, short ? (SENTENCES[0] ?? '') : toText(id)),
            type: 'post',
            language: 'en',
            meta: { footnotes: '' },
          },
        },
        { op: 'create', collection: 'post_history', values: { post: id } },
      ]),
    );
  }
}

/** The site of the benchmark on a store. With `cache` false every response is created anew. */
export function openSite(store: Store, cache: boolean): Promise<Site> {
  return createSite({
    store,
    bearer: (token) => (token === ADMIN_TOKEN ? ADMIN : null),
    ...(cache ? {} : { cache: false }),
  });
}

async function ask(
  site: Site,
  target: string,
  { identity = ANONYMOUS, ...options }: { identity?: Identity; method?: string; body?: unknown } = {},
): Promise<Shown> {
  const response = await site.engine.dispatch(
    createRequest(target, { siteUrl: SITE_URL, ...options }),
    identity,
  );
  return JSON.parse(JSON.stringify(response.body)) as Shown;
}

/** Records the responses of routebook for `count` posts. */
export async function createCorpus(count: number): Promise<Corpus> {
  const store = createMemoryStore(collections);
  await fillStore(store, count);
  const site = await openSite(store, false);
  const posts: Shown[] = [];
  for (let id = count; id > 0; id -= 1) posts.push(await ask(site, `/cms/v2/posts/${id}`));
  const [index, notFound, badRequest] = [
    await ask(site, '/'),
    await ask(site, UNKNOWN_POST),
    await ask(site, BAD_LIST),
  ];
  const created = await ask(site, '/cms/v2/posts', { method: 'POST', body: NEW_POST, identity: ADMIN });
  await site.close();
  await store.close();
  return { posts, index, notFound, badRequest, created };
}
