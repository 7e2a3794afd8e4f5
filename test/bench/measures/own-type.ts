import { createMemoryStore } from '../../../adapters/memory-store.ts';
import { createRequest, type RestRequest } from '../../../lib/index.ts';
import {
  collectionsOf,
  createContentModel,
  createSite,
  defineContentType,
  type ContentOption,
  type Site,
} from '../../../registry/index.ts';
import { fillStore, SITE_URL } from '../corpus.ts';
import { toMedian } from '../median.ts';

/** Everything that posts have, under another name. */
const NOTE = defineContentType({
  name: 'note',
  base: 'notes',
  supports: [
    'title',
    'editor',
    'author',
    'thumbnail',
    'excerpt',
    'trackbacks',
    'custom-fields',
    'comments',
    'revisions',
    'post-formats',
    'sticky',
  ],
  taxonomies: ['category', 'post_tag'],
  permalink: '/%postname%/',
});

const TARGETS = {
  'a list': (base: string) => `/cms/v2/${base}`,
  'a record': (base: string) => `/cms/v2/${base}/1`,
} as const;

/** Calls that are timed together, and how often posts and the other type take turns. */
const CALLS = 20;
const TURNS = 100;
/** Turns before those that count. */
const WARM_UP = 50;

/** Processor time of a call for posts and for a type of one's own, in microseconds. */
export interface TypeTiming {
  readonly posts: number;
  readonly own: number;
}

export interface TypeFigures {
  /** Kind of request -> timing. */
  readonly reads: Readonly<Record<string, TypeTiming>>;
  /** Number of types -> processor time of `createSite` in milliseconds. */
  readonly starts: Readonly<Record<number, number>>;
}

/** A site whose records are all of one type. Both types are measured on stores of the same size and order. */
async function openOneType(type: 'post' | 'note', posts: number, isCached: boolean): Promise<Site> {
  const content: ContentOption = { types: [NOTE] };
  const store = createMemoryStore(collectionsOf(createContentModel(content)));
  await fillStore(store, posts);
  if (type === 'note') {
    const { records } = await store.find({ collection: 'posts', fields: [] });
    await store.commit(
      records.map(({ id }) => ({ op: 'update', collection: 'posts', id, values: { type } })),
    );
  }
  return createSite({ store, content, ...(isCached ? {} : { cache: false }) });
}

async function timeTurn({ engine }: Site, request: RestRequest): Promise<number> {
  const before = process.cpuUsage();
  for (let call = 0; call < CALLS; call += 1) {
    const { status } = await engine.serve(request);
    if (status !== 200) throw new Error(`${request.path}: ${status}`);
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / CALLS;
}

/** Takes turns, so that other programs on the machine slow both down. */
async function compare(
  [posts, own]: readonly [Site, Site],
  target: (base: string) => string,
): Promise<TypeTiming> {
  const [postRequest, ownRequest] = [
    createRequest(target('posts'), { siteUrl: SITE_URL }),
    createRequest(target('notes'), { siteUrl: SITE_URL }),
  ];
  const times: { readonly posts: number; readonly own: number }[] = [];
  for (let turn = 0; turn < WARM_UP + TURNS; turn += 1)
    times.push({ posts: await timeTurn(posts, postRequest), own: await timeTurn(own, ownRequest) });
  const counted = times.slice(WARM_UP);
  return {
    posts: toMedian(counted.map((time) => time.posts)),
    own: toMedian(counted.map((time) => time.own)),
  };
}

/** Types with the same fields and one meta key each. */
const toTypes = (count: number): ContentOption => ({
  types: Array.from({ length: count }, (_each, at) =>
    defineContentType({
      name: `kind${at}`,
      base: `kinds${at}`,
      supports: ['title', 'editor', 'excerpt', 'author', 'thumbnail', 'revisions', 'custom-fields'],
      meta: { isbn: { type: 'string', maxLength: 13 } },
    }),
  ),
});

async function timeStart(count: number): Promise<number> {
  const content = toTypes(count);
  const store = createMemoryStore(collectionsOf(createContentModel(content)));
  const before = process.cpuUsage();
  const site = await createSite({ store, content, log: () => undefined });
  const { user, system } = process.cpuUsage(before);
  await site.close();
  return (user + system) / 1000;
}

/** Posts beside a type of one's own that has all that posts have, and the start of a site with many types. */
export async function measureOwnType({ posts }: { readonly posts: number }): Promise<TypeFigures> {
  // The starts come first, as in a program that has just started.
  const starts: Record<number, number> = {};
  for (const count of [1000, 1]) starts[count] = await timeStart(count);
  const reads: Record<string, TypeTiming> = {};
  for (const isCached of [false, true]) {
    const sites = [
      await openOneType('post', posts, isCached),
      await openOneType('note', posts, isCached),
    ] as const;
    for (const [name, target] of Object.entries(TARGETS))
      reads[`${name}${isCached ? '' : ', without cache'}`] = await compare(sites, target);
    for (const site of sites) await site.close();
  }
  return { reads, starts };
}
