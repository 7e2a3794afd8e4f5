import { AUTHORS, CATEGORIES, NEW_POST } from '../corpus.ts';
import { Connection } from '../load/connection.ts';
import type { MARKS } from '../words.ts';
import { SPARE_WORDS, TAGS, toMark, toPublished } from './posts.ts';
import { ask, askWell, countRate, timeEach, toBytes, toQuantile, type Ask, type ScaleServer } from './rig.ts';

/** The servers of one kind of store. */
export interface Rig {
  readonly kind: 'sqlite' | 'postgres';
  readonly small: ScaleServer;
  readonly large: ScaleServer;
}

/** One line of the table. */
export interface Row {
  readonly name: string;
  readonly wanted: (rig: Rig) => { readonly at: 'least' | 'most'; readonly limit: number } | null;
  readonly unit: 'x' | 'ms' | '/s';
  readonly measure: (rig: Rig) => Promise<number>;
}

const POSTS = '/cms/v2/posts';
const REPEATS = 9;
const SECONDS = 4;

const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_each, at) => at);
const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
const most = (limit: number) => () => ({ at: 'most', limit }) as const;
const least = (limit: number) => () => ({ at: 'least', limit }) as const;

/** No request is ever the same, so that no kept response answers it. */
let number = 0;
const anew = (path: string): Ask => ({
  path: `${path}${path.includes('?') ? '&' : '?'}exclude=${100_000_000 + (number += 1)}`,
});
const create = (): Ask => ({
  method: 'POST',
  path: POSTS,
  body: { ...NEW_POST, title: { raw: `Measured ${Date.now()} ${(number += 1)}` } },
});
const change = (id: number): Ask => ({
  method: 'POST',
  path: `${POSTS}/${id}`,
  body: { title: { raw: `Changed ${(number += 1)}` } },
});

/** How much longer requests take on the large store. The first of each server is not counted. */
async function toGrowth(
  { small, large }: Rig,
  toAsks: (server: ScaleServer) => readonly Ask[],
): Promise<number> {
  const times: number[] = [];
  for (const server of [small, large]) {
    const [first, ...others] = toAsks(server);
    if (first !== undefined) await askWell(server.port, first);
    times.push(await timeEach(server.port, others));
  }
  return (times[1] ?? Number.NaN) / (times[0] ?? Number.NaN);
}

const growth = (
  name: string,
  wanted: Row['wanted'],
  toAsks: (server: ScaleServer) => readonly Ask[],
): Row => ({ name, wanted, unit: 'x', measure: (rig) => toGrowth(rig, toAsks) });

const searchFor =
  (kind: keyof typeof MARKS, extra = '') =>
  (): readonly Ask[] =>
    upTo(REPEATS).map((at) =>
      anew(`${POSTS}?search=${toMark(kind, at % (kind === 'usual' ? 4 : SPARE_WORDS))}${extra}`),
    );

/** An eighth of the growth in posts. */
const eighth: Row['wanted'] = ({ small, large }) => ({ at: 'most', limit: large.posts / small.posts / 8 });

/** Reads of others on new connections, for some seconds. Resolves with their times and the number refused. */
async function readAround(
  port: number,
  seconds: number,
): Promise<{ readonly times: readonly number[]; readonly refused: number }> {
  const end = performance.now() + seconds * 1000;
  const times: number[] = [];
  let refused = 0;
  while (performance.now() < end) {
    const { ms, status } = await ask(port, anew(`${POSTS}?per_page=10`));
    if (status === 200) times.push(ms);
    else refused += 1;
    await pause(2);
  }
  return { times, refused };
}

/** Searchers that send their next search when the last one is answered, until the function resolves. */
async function besideSearchers<T>(port: number, count: number, run: () => Promise<T>): Promise<T> {
  const end = new AbortController();
  let at = 0;
  const words = [
    () => toMark('rare', at),
    () => toMark('frequent', at),
    () => toMark('usual', at % 4),
    () => `q${String.fromCharCode(97 + (at % 26))}`,
  ];
  const searching = upTo(count).map(async () => {
    const connection = new Connection(port);
    while (!end.signal.aborted) {
      at = (at + 1) % (SPARE_WORDS * 26);
      const { status } = await connection.send(
        toBytes(anew(`${POSTS}?search=${words[at % words.length]?.() ?? ''}`)),
        { wantsBody: true },
      );
      if (status === 503) await pause(50);
    }
    connection.close();
  });
  const result = await run();
  end.abort();
  await Promise.all(searching);
  return result;
}

async function measureSearchers(
  { large }: Rig,
  count: number,
): Promise<{ readonly alone: readonly number[]; readonly beside: readonly number[] }> {
  const { times: alone } = await readAround(large.port, SECONDS);
  const { times: beside, refused } = await besideSearchers(large.port, count, () =>
    readAround(large.port, 2 * SECONDS),
  );
  // A read that is refused counts as one that takes forever.
  return { alone, beside: [...beside, ...Array.from({ length: refused }, () => Infinity)] };
}

/** The median times of the first page and of the last, asked for by its number or by following the links that lead to it. */
async function measureDeepPage({ large: { port, posts } }: Rig, byLink: boolean): Promise<number> {
  const last = Math.floor(toPublished(posts) / 10);
  const page = (at: number): Ask => ({ path: `${POSTS}?page=${at}` });
  const first = await timeEach(
    port,
    upTo(REPEATS).map(() => anew(POSTS)),
  );
  if (!byLink)
    return (
      (await timeEach(
        port,
        upTo(REPEATS).map((at) => page(last - 2 * at)),
      )) / first
    );
  const from = last - 4 * REPEATS;
  await askWell(port, page(from));
  return (
    (await timeEach(
      port,
      upTo(REPEATS).map((at) => page(from + 1 + at)),
    )) / first
  );
}

const countCreates = (server: ScaleServer, connections: number): Promise<number> =>
  countRate(server.port, { connections, seconds: SECONDS, next: create });
const createRates = new WeakMap<Rig, Map<number, number>>();

/** Creates a second with so many connections, measured once. */
async function creates(rig: Rig, connections: number): Promise<number> {
  const known = createRates.get(rig) ?? new Map<number, number>();
  createRates.set(rig, known);
  const rate = known.get(connections) ?? (await countCreates(rig.large, connections));
  known.set(connections, rate);
  return rate;
}

const BATCH = 25;

async function countChanges(
  { large }: Rig,
  { connections, batch }: { readonly connections: number; readonly batch: boolean },
): Promise<number> {
  let at = 0;
  const nextId = (): number => 1 + ((at += 1) % 1000);
  const toBatch = (): Ask => ({
    method: 'POST',
    path: '/batch/v1',
    body: {
      requests: upTo(BATCH).map(() => {
        const { path, method, body } = change(nextId());
        return { path, method, body };
      }),
    },
  });
  const rate = await countRate(large.port, {
    connections,
    seconds: SECONDS,
    next: batch ? toBatch : () => change(nextId()),
  });
  return batch ? rate * BATCH : rate;
}

const onlyPostgres =
  (wanted: Row['wanted']): Row['wanted'] =>
  (rig) =>
    rig.kind === 'postgres' ? wanted(rig) : null;

/** The table of the scale program. Times are of complete requests over HTTP. */
export const ROWS: readonly Row[] = [
  growth('search: about 20 found', most(3), searchFor('rare')),
  growth('search: none found', most(3), () =>
    upTo(REPEATS).map((at) => anew(`${POSTS}?search=harboursing${at}`)),
  ),
  growth('search: 3 % of the posts found', eighth, searchFor('frequent')),
  growth('search: most posts found', eighth, searchFor('usual')),
  growth('search: two letters', eighth, () =>
    upTo(REPEATS).map((at) => anew(`${POSTS}?search=q${String.fromCharCode(97 + at)}`)),
  ),
  growth('search by relevance: about 20 found', most(5), searchFor('rare', '&orderby=relevance')),
  {
    name: 'other reads beside one searcher, median',
    wanted: most(2),
    unit: 'x',
    measure: async (rig) => {
      const { alone, beside } = await measureSearchers(rig, 1);
      return toQuantile(beside, 0.5) / toQuantile(alone, 0.5);
    },
  },
  {
    name: 'other reads beside 60 searchers, 99 %',
    wanted: most(250),
    unit: 'ms',
    measure: async (rig) => toQuantile((await measureSearchers(rig, 60)).beside, 0.99),
  },
  growth('newest ten', most(1.5), () => upTo(4 * REPEATS).map(() => anew(POSTS))),
  growth('by slug', most(1.5), ({ posts }) =>
    upTo(4 * REPEATS).map((at) => ({ path: `${POSTS}?slug=note-${1 + ((at * 17) % (posts - 1))}` })),
  ),
  growth('category and tag', most(5), () =>
    upTo(REPEATS).map((at) => ({
      path: `${POSTS}?categories=${1 + (at % CATEGORIES)}&tags=${1000 + ((at * CATEGORIES) % TAGS)}`,
    })),
  ),
  growth('orderby=author', most(5), () => upTo(REPEATS).map(() => anew(`${POSTS}?orderby=author`))),
  growth('author_exclude, each for the first time', most(5), () =>
    upTo(Math.min(REPEATS, AUTHORS)).map((at) => ({ path: `${POSTS}?author_exclude=${1 + at}` })),
  ),
  {
    name: 'last page by number, against the first',
    wanted: most(10),
    unit: 'x',
    measure: (rig) => measureDeepPage(rig, false),
  },
  {
    name: 'last pages by their next links, against the first',
    wanted: most(4),
    unit: 'x',
    measure: (rig) => measureDeepPage(rig, true),
  },
  {
    name: 'newest ten with total after a write, against no write',
    wanted: most(2),
    unit: 'x',
    measure: async ({ large: { port } }) => {
      const alone = await timeEach(
        port,
        upTo(4 * REPEATS).map(() => anew(POSTS)),
      );
      const times: number[] = [];
      for (const at of upTo(4 * REPEATS)) {
        await askWell(port, change(1 + at));
        times.push((await askWell(port, anew(POSTS))).ms);
      }
      return toQuantile(times, 0.5) / alone;
    },
  },
  {
    name: 'lists a second while 4 updates a second run, against none',
    wanted: least(0.5),
    unit: 'x',
    measure: async ({ large: { port } }) => {
      const next = (): Ask => ({ path: `${POSTS}?page=${1 + ((number += 1) % 20)}` });
      const lists = (): Promise<number> => countRate(port, { connections: 8, seconds: SECONDS, next });
      await lists();
      const alone = await lists();
      const end = new AbortController();
      const writing = (async () => {
        for (let at = 0; !end.signal.aborted; at += 1) {
          await askWell(port, change(1 + (at % 1000)));
          await pause(250);
        }
      })();
      const beside = await lists();
      end.abort();
      await writing;
      return beside / alone;
    },
  },
  {
    name: 'creates a second, 1 connection',
    wanted: () => null,
    unit: '/s',
    measure: (rig) => creates(rig, 1),
  },
  {
    name: 'creates a second, 8 connections',
    wanted: () => null,
    unit: '/s',
    measure: (rig) => creates(rig, 8),
  },
  {
    name: 'creates a second, 64 connections',
    wanted: () => null,
    unit: '/s',
    measure: (rig) => creates(rig, 64),
  },
  {
    name: 'creates: 8 connections against 1',
    wanted: onlyPostgres(least(1.5)),
    unit: 'x',
    measure: async (rig) => (await creates(rig, 8)) / (await creates(rig, 1)),
  },
  {
    name: 'creates: 64 connections against 8',
    wanted: onlyPostgres(least(1)),
    unit: 'x',
    measure: async (rig) => (await creates(rig, 64)) / (await creates(rig, 8)),
  },
  {
    name: 'changes in batches of 25 against singles, 1 connection',
    wanted: least(3),
    unit: 'x',
    measure: async (rig) =>
      (await countChanges(rig, { connections: 1, batch: true })) /
      (await countChanges(rig, { connections: 1, batch: false })),
  },
  {
    name: 'changes in batches, 4 connections, against singles, 64',
    wanted: ({ kind }) => ({ at: 'least', limit: kind === 'sqlite' ? 1 : 3 }),
    unit: 'x',
    measure: async (rig) =>
      (await countChanges(rig, { connections: 4, batch: true })) /
      (await countChanges(rig, { connections: 64, batch: false })),
  },
];
