import { LONGEST_TURN_MS } from '../support/turns.ts';
import type { HttpResult } from './http-run.ts';
import type { Measured } from './measures.ts';
import type { PeerName } from './peers/peers.ts';

/** All results of a run. */
export interface Results {
  readonly http: ReadonlyMap<string, HttpResult>;
  readonly measured: Measured;
}

/** A figure by clock and, when both sides ran alone on the core of the server, by processor time. */
export interface Seen {
  readonly byClock: number;
  readonly byCpu: number | null;
}

/** A figure of issue 4, 6 or 14. `see` returns null when the run did not measure it. */
export interface Target {
  readonly about: string;
  readonly at: 'least' | 'most';
  readonly limit: number;
  readonly see: (results: Results) => Seen | null;
}

type Side = readonly [workload: string, peer: PeerName];

/** Ratio of the first side to the second. */
const ratio =
  (one: Side, other: Side) =>
  ({ http }: Results): Seen | null => {
    const [a, b] = [http.get(one[0])?.get(one[1]), http.get(other[0])?.get(other[1])];
    return a === undefined || b === undefined ? null : { byClock: a.rate / b.rate, byCpu: b.cpu / a.cpu };
  };

/** Like `ratio`, but by clock only: one client that waits for each response, and a server that waits for the disk of its store. */
const clockRatio =
  (one: Side, other: Side) =>
  (results: Results): Seen | null => {
    const seen = ratio(one, other)(results);
    return seen === null ? null : { ...seen, byCpu: null };
  };

const against = (workload: string, peer: PeerName) => ratio([workload, 'routebook'], [workload, peer]);

const plain = (workload: string, peer: PeerName) => ratio([workload, 'routebook alone'], [workload, peer]);

const only = (byClock: number | undefined): Seen | null =>
  byClock === undefined || Number.isNaN(byClock) ? null : { byClock, byCpu: null };

function growth<T>(
  figures: ReadonlyMap<number, T> | undefined,
  read: (figure: T) => number | undefined,
): Seen | null {
  const all = [...(figures?.values() ?? [])];
  const [first, last] = [all[0], all.at(-1)];
  if (first === undefined || last === undefined || all.length < 2) return null;
  return only((read(last) ?? Number.NaN) / (read(first) ?? Number.NaN));
}

const SQLITE_READS = ['newest ten', 'newest ten before a date', 'ten of an author', 'one post'];

export const TARGETS: readonly Target[] = [
  {
    about: 'one post, hot, against the limit',
    at: 'least',
    limit: 0.8,
    see: against('post-hot', 'ready buffer'),
  },
  { about: 'one post, hot, against Fastify', at: 'least', limit: 1.2, see: against('post-hot', 'fastify') },
  {
    about: 'one post, random, against Fastify',
    at: 'least',
    limit: 1.1,
    see: against('post-random', 'fastify'),
  },
  {
    about: 'list of 10, hot, against the limit',
    at: 'least',
    limit: 0.8,
    see: against('list-hot', 'ready buffer'),
  },
  { about: 'list of 10, hot, against Fastify', at: 'least', limit: 4, see: against('list-hot', 'fastify') },
  {
    about: 'list of 10, random pages, against Fastify',
    at: 'least',
    limit: 2,
    see: against('list-random', 'fastify'),
  },
  {
    about: 'plain GET, against Fastify',
    at: 'least',
    limit: 0.8,
    see: plain('plain-get', 'fastify with schemas'),
  },
  { about: 'plain GET, against Hono', at: 'least', limit: 1.3, see: plain('plain-get', 'hono with zod') },
  {
    about: 'plain POST, against Fastify',
    at: 'least',
    limit: 0.8,
    see: plain('plain-post', 'fastify with schemas'),
  },
  { about: 'plain POST, against Hono', at: 'least', limit: 1.3, see: plain('plain-post', 'hono with zod') },
  {
    about: 'plain 404, against Fastify',
    at: 'least',
    limit: 1,
    see: plain('plain-not-found', 'fastify with schemas'),
  },
  {
    about: 'plain 400, against Fastify',
    at: 'least',
    limit: 1,
    see: plain('plain-bad-request', 'fastify with schemas'),
  },
  { about: '404 of a post, against Fastify', at: 'least', limit: 1, see: against('not-found', 'fastify') },
  { about: '400 of a list, against Fastify', at: 'least', limit: 1, see: against('bad-request', 'fastify') },
  { about: 'create in memory, against Fastify', at: 'least', limit: 1, see: against('create', 'fastify') },
  {
    about: 'batch of 25 against single requests, in memory',
    at: 'least',
    limit: 5,
    see: clockRatio(['batch', 'routebook'], ['single', 'routebook']),
  },
  {
    about: 'batch of 25 against single requests, on SQLite',
    at: 'least',
    limit: 5,
    see: clockRatio(['batch', 'routebook on SQLite'], ['single', 'routebook on SQLite']),
  },
  {
    about: 'in-process dispatch of one post, against Fastify inject',
    at: 'least',
    limit: 3,
    see: ({ measured: { dispatch } }) =>
      only(
        (dispatch?.['post: fastify inject']?.cpu ?? Number.NaN) /
          (dispatch?.['post: routebook dispatch']?.cpu ?? Number.NaN),
      ),
  },
  {
    about: 'posts that nobody has read, against a Fastify that holds finished ones',
    at: 'least',
    limit: 0.35,
    see: ({ measured: { unread } }) =>
      only((unread?.get('fastify')?.all ?? Number.NaN) / (unread?.get('routebook')?.all ?? Number.NaN)),
  },
  ...(['cpu', 'resident'] as const).map((figure): Target => ({
    about: `import of the package, against Fastify: ${figure === 'cpu' ? 'processor time' : 'resident memory'}`,
    at: 'most',
    limit: 1.3,
    see: ({ measured: { imports } }) =>
      only(
        (imports?.get('routebook, packed')?.[figure] ?? Number.NaN) /
          (imports?.get('fastify')?.[figure] ?? Number.NaN),
      ),
  })),
  {
    about: '10,000 routes against 100: lookup',
    at: 'most',
    limit: 1.2,
    see: ({ measured }) => growth(measured.routes, ({ lookup }) => lookup),
  },
  {
    about: '10,000 routes: registration, seconds',
    at: 'most',
    limit: 1,
    see: ({ measured }) => only((measured.routes?.get(10_000)?.registration ?? Number.NaN) / 1000),
  },
  {
    about: '10,000 routes: resident memory for each, KB',
    at: 'most',
    limit: 30,
    see: ({ measured }) => only((measured.routes?.get(10_000)?.resident ?? Number.NaN) / 1000),
  },
  {
    about: 'largest store in memory against 1,000 posts: newest ten',
    at: 'most',
    limit: 1.5,
    see: ({ measured }) => growth(measured.memory, ({ reads }) => reads['newest ten']),
  },
  ...SQLITE_READS.map((name): Target => ({
    about: `largest SQLite file against 1,000 posts: ${name}`,
    at: 'most',
    limit: 1.5,
    see: ({ measured }) => growth(measured.sqlite, ({ reads }) => reads[name]),
  })),
  ...['SQLite', 'memory'].map((store): Target => ({
    about: `longest turn of the event loop for any kind of request, ${store}, ms`,
    at: 'most',
    limit: LONGEST_TURN_MS,
    see: ({ measured: { turns } }) =>
      only(
        turns === undefined
          ? undefined
          : Math.max(...[...(turns.get(store)?.values() ?? [])].map(({ turn }) => turn)),
      ),
  })),
  {
    about: 'reads under 2 % writes, against reads without any',
    at: 'least',
    limit: 0.6,
    see: ratio(['mixed', 'routebook'], ['mixed-none', 'routebook']),
  },
];

/** Whether the target is reached. Uses the processor time when known, because other programs on the machine do not affect it. */
export function isMet({ at, limit }: Target, { byClock, byCpu }: Seen): boolean {
  const figure = byCpu ?? byClock;
  return at === 'least' ? figure >= limit : figure <= limit;
}
