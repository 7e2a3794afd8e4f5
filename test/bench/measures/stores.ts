import { createMemoryStore } from '../../../adapters/memory-store.ts';
import { createSqliteStore } from '../../../adapters/sqlite-store.ts';
import { createRequest, type Store } from '../../../lib/index.ts';
import { collections, type Site } from '../../../registry/index.ts';
import { createRandom } from '../../support/random.ts';
import { ADMIN } from '../admin.ts';
import { fillStore, NEW_POST, openSite, SITE_URL } from '../corpus.ts';
import { readMemory, timeCalls, timeOnce } from './timing.ts';

/** Reads whose time should not grow with the number of posts. */
const READS: Readonly<Record<string, (id: number) => string>> = {
  'newest ten': () => '/cms/v2/posts',
  'newest ten before a date': () => '/cms/v2/posts?before=2010-01-02T00:00:00',
  'ten by title': () => '/cms/v2/posts?orderby=title&order=asc',
  'ten of an author': (id) => `/cms/v2/posts?author=${1 + (id % 10)}`,
  'ten of a category': (id) => `/cms/v2/posts?categories=${1 + (id % 20)}`,
  'one post': (id) => `/cms/v2/posts/${1 + id}`,
};
const CREATES = 100;

export interface StoreFigures {
  /** Read -> microseconds of processor time, without cached responses. */
  readonly reads: Readonly<Record<string, number>>;
  /** Milliseconds of the very first list, before anything was counted. */
  readonly first: number;
  /** Milliseconds per new post, created one after the other. */
  readonly create: number;
  /** Milliseconds until an empty process has a site that can respond. */
  readonly open: number;
  /** Resident memory in bytes. */
  readonly resident: number;
}

async function measureSite(
  site: Site,
  posts: number,
  seconds: number,
): Promise<Pick<StoreFigures, 'reads' | 'first' | 'create'>> {
  const ask = async (target: string): Promise<void> => {
    const { status } = await site.engine.dispatch(createRequest(target, { siteUrl: SITE_URL }));
    if (status !== 200) throw new Error(`${target}: ${status}`);
  };
  const [, first] = await timeOnce(() => ask('/cms/v2/posts'));
  const random = createRandom(3);
  const reads: Record<string, number> = {};
  for (const [name, toTarget] of Object.entries(READS))
    reads[name] = (await timeCalls(() => ask(toTarget(random.below(posts))), seconds)).cpu;
  const [, creating] = await timeOnce(async () => {
    for (let number = 0; number < CREATES; number += 1) {
      const body = { ...NEW_POST, title: { raw: `Measured ${number}` } };
      const { status } = await site.engine.dispatch(
        createRequest('/cms/v2/posts', { siteUrl: SITE_URL, method: 'POST', body }),
        ADMIN,
      );
      if (status !== 201) throw new Error(`a new post: ${status}`);
    }
  });
  return { reads, first, create: creating / CREATES };
}

async function measureStore(
  openStore: () => Promise<Store>,
  { posts, seconds }: { posts: number; seconds: number },
): Promise<StoreFigures> {
  const [{ store, site }, open] = await timeOnce(async () => {
    const opened = await openStore();
    return { store: opened, site: await openSite(opened, false) };
  });
  const figures = await measureSite(site, posts, seconds);
  const { resident } = readMemory();
  await site.close();
  await store.close();
  return { ...figures, open, resident };
}

export interface SizeOrder {
  readonly posts: number;
  readonly seconds: number;
}

/** Measures `posts` posts in memory. The time to open includes the time to fill the store. */
export function measureMemory(order: SizeOrder): Promise<StoreFigures> {
  return measureStore(async () => {
    const store = createMemoryStore(collections);
    await fillStore(store, order.posts, { short: true });
    return store;
  }, order);
}

/** Writes `posts` posts into a file as fast as possible. */
export async function fillFile({
  directory,
  posts,
}: {
  readonly directory: string;
  readonly posts: number;
}): Promise<null> {
  const store = await createSqliteStore({ directory, collections, durability: 'relaxed' });
  await fillStore(store, posts, { short: true });
  await store.close();
  return null;
}

/** The same reads on a file that `fillFile` wrote, in a new process. */
export function measureFile({
  directory,
  ...order
}: SizeOrder & { readonly directory: string }): Promise<StoreFigures> {
  return measureStore(() => createSqliteStore({ directory, collections }), order);
}
