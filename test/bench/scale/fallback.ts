// How much longer do lists take in which another language stands in for missing translations?
// `node dist/test/bench/scale/fallback.js [--posts 200000] [--store sqlite|postgres]` prints milliseconds of processor time of the process (PostgreSQL: of time),
// of plain English lists and of French ones with English, which have as many posts; repeated, and each after a write.
import { parseArgs } from 'node:util';
import { ANONYMOUS, createRequest, type Operation, type Store } from '../../../lib/index.ts';
import { collections, loadFixture, type Site } from '../../../registry/index.ts';
import { openSite, SITE_URL, siteFixture } from '../corpus.ts';
import { withDatabase, type Kind } from './stores.ts';

const {
  values: { posts, store: kind },
} = parseArgs({
  options: { posts: { type: 'string', default: '200000' }, store: { type: 'string', default: 'sqlite' } },
});

const TIMES = 7;
const GROUP = 1000;
const SENTENCE = 'The ferry leaves the old pier at seven and comes back with the evening tide. ';

/** Of four posts three are English. The French one translates the first of them. */
function toPost(id: number): Operation {
  const at = id % 4;
  const [language, group, siblings] =
    at === 1
      ? ['en', id, ['fr publish', 'fr publish 1']]
      : at === 2
        ? ['fr', id - 1, ['en publish', 'en publish 1']]
        : ['en', 0, []];
  const date = new Date(Date.UTC(2005, 0, 1) + ((id * 7919) % 300_000_000) * 1000).toISOString().slice(0, 19);
  return {
    op: 'create',
    collection: 'posts',
    values: {
      id,
      type: 'post',
      language,
      group,
      siblings,
      status: 'publish',
      slug: `note-${id}`,
      author: 1,
      date,
      date_gmt: date,
      modified: date,
      modified_gmt: date,
      title: `Note ${(id * 7919) % 1_000_003}`,
      content: `<p>${SENTENCE.repeat(2)}${id % 10_000 < 4 ? 'seldom' : ''} ${id % 40 < 4 ? 'frequent' : ''}</p>`,
      categories: [1 + (id % 19)],
      meta: { footnotes: '' },
    },
  };
}

async function fill(store: Store, posts: number): Promise<void> {
  await loadFixture(store, siteFixture);
  for (let first = 1; first <= posts; first += GROUP)
    await store.commit(
      Array.from({ length: Math.min(GROUP, posts - first + 1) }, (_each, at) => toPost(first + at)),
    );
}

const QUERIES = {
  'newest ten': '',
  'page 50': 'page=50',
  'page 500': 'page=500',
  'by title': 'orderby=title&order=asc',
  'of a category': 'categories=3',
  'by slug': 'slug=note-3',
  'search, few found': 'search=seldom',
  'search, a tenth found': 'search=frequent',
} as const;

/** Processor time of this process. A database server works in others, so with it the time that passes is measured. */
const usedMs = (): number => {
  if (kind === 'postgres') return performance.now();
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

async function spend(site: Site, query: string): Promise<number> {
  const before = usedMs();
  const request = createRequest(`/cms/v2/posts?${query}`, { siteUrl: SITE_URL });
  const { status, body } = await site.engine.dispatch(request, ANONYMOUS);
  JSON.stringify(body);
  const spent = usedMs() - before;
  if (status !== 200) throw new Error(`${query}: ${status}`);
  return spent;
}

/** Waits until the index of searches has every post. Its work is that of another thread of this process. */
async function settle(): Promise<void> {
  for (let idle = 0; idle < 3;) {
    const before = process.cpuUsage();
    await new Promise((resolve) => {
      setTimeout(resolve, 1000);
    });
    const { user } = process.cpuUsage(before);
    idle = user < 20_000 ? idle + 1 : 0;
  }
}

const medianOf = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;

async function compare(
  { site, store }: { readonly site: Site; readonly store: Store },
  query: string,
  writes: boolean,
): Promise<string> {
  const queries = [`${query}&ml_language=en`, `${query}&ml_language=fr&ml_fallback=en`];
  const times: readonly number[][] = [[], []];
  for (let turn = -1; turn < TIMES; turn += 1)
    for (const [at, each] of queries.entries()) {
      if (writes)
        await store.commit([
          { op: 'update', collection: 'posts', id: 3, values: { excerpt: `${turn}${at}` } },
        ]);
      const spent = await spend(site, each);
      if (turn >= 0) times[at]?.push(spent);
    }
  const [plain = Number.NaN, fallback = Number.NaN] = times.map(medianOf);
  return `${plain.toFixed(1).padStart(8)} ${fallback.toFixed(1).padStart(8)} ms ×${(fallback / plain).toFixed(2)}`;
}

await withDatabase(kind as Kind, { fsync: false }, async (open) => {
  const store = await open(collections);
  await fill(store, Number(posts));
  await settle();
  const site = await openSite(store, false);
  for (const [name, query] of Object.entries(QUERIES))
    console.log(
      `${name.padEnd(24)} ${await compare({ site, store }, query, false)}   after a write ${await compare({ site, store }, query, true)}`,
    );
  await site.close();
  await store.close();
});
