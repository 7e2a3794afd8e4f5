import { ADMIN_TOKEN } from './admin.ts';
import type { Asked, Surroundings } from './asked.ts';
import { AUTHORS, CATEGORIES, NEW_POST } from './corpus.ts';
import { BASE } from './peers/peer.ts';
import type { PeerName } from './peers/peers.ts';
import { ITEMS } from './peers/plain/item.ts';
import { createRewrites } from './rewrites.ts';

export interface Workload {
  readonly name: string;
  readonly about: string;
  readonly peers: readonly PeerName[];
  /** An endless sequence of requests. */
  readonly createRequests: (surroundings: Surroundings) => () => Asked;
  /** Requests whose responses routebook may have cached before the first run. */
  readonly known?: (posts: number) => readonly string[];
  /** Whether it writes. Every peer then starts with the same content in a separate process. */
  readonly writes?: true;
  /** Whether each run has a new process. Where a request costs little, one process may be a third faster than the next of the same program, by what its compiler saw first. */
  readonly starts?: true;
  /** Whether peers compute ETags. */
  readonly etag?: boolean;
  /** Overrides the usual number. */
  readonly connections?: number;
  /** Posts (or other items) per request. Default 1. */
  readonly items?: number;
  /** Each peer writes errors in its own form, so only the statuses are compared. */
  readonly bodiesDiffer?: true;
  /** The ready buffer returns something of the same kind, so its bodies are not compared. */
  readonly limitDiffers?: true;
}

const POSTS = `${BASE}/cms/v2/posts`;
export const FIRST_POST = `${POSTS}/1`;
const FRAMEWORKS = ['fastify', 'hono', 'express', 'node + stringify'] as const;
const READERS = ['routebook', 'routebook without cache', 'ready buffer', ...FRAMEWORKS] as const;
const OWN = ['routebook'] as const;
const PLAIN = ['routebook alone', 'fastify with schemas', 'hono with zod', 'express with zod'] as const;
const AS_ADMIN = { Authorization: `Bearer ${ADMIN_TOKEN}` };
const BATCH = 25;

const always = (asked: Asked) => (): (() => Asked) => () => asked;

/** Numbers from 1. */
const upTo = (count: number): readonly number[] =>
  Array.from({ length: Math.max(1, Math.floor(count)) }, (_each, index) => index + 1);

/** Every page of the lists in both orders, of each category and of each author. */
function listPages(posts: number): readonly string[] {
  const pages = Math.ceil(posts / 10);
  return [
    ...upTo(pages).flatMap((page) => [`${POSTS}?page=${page}`, `${POSTS}?page=${page}&order=asc`]),
    ...upTo(CATEGORIES).flatMap((category) =>
      upTo(pages / CATEGORIES).map((page) => `${POSTS}?categories=${category}&page=${page}`),
    ),
    ...upTo(AUTHORS).flatMap((author) =>
      upTo(pages / AUTHORS).map((page) => `${POSTS}?author=${author}&page=${page}`),
    ),
  ];
}

function drawPages({ posts, random }: Surroundings): () => Asked {
  const pages = listPages(posts);
  return () => ({ target: random.pick(pages) });
}

/** Ten parameters, one of which never repeats, so that the response cannot be cached. */
function toLongList({ posts, random }: Surroundings): string {
  return (
    `${POSTS}?context=view&page=${1 + random.below(Math.max(1, Math.floor(posts / 40)))}&per_page=10&order=desc&orderby=date&status=publish&ignore_sticky=true` +
    `&after=2010-01-01T00:00:${String(10 + random.below(50))}&before=2030-01-01T00:00:00&exclude=${1 + random.below(posts)}`
  );
}

function toNewPost(number: number, run: number): Asked {
  return {
    method: 'POST',
    target: POSTS,
    headers: AS_ADMIN,
    expect: 201,
    body: number === 0 ? NEW_POST : { ...NEW_POST, title: { raw: `A new boat ${run} ${number}` } },
  };
}

/** `run` differs each time, because a server runs several. Writing what already exists would be different work. */
function countUp(toAsked: (number: number, run: number) => Asked) {
  return ({ random }: Surroundings): (() => Asked) => {
    const run = random.below(1_000_000);
    let number = 0;
    return () => toAsked(number++, run);
  };
}

function toChange(id: number, title: string) {
  return { path: `/cms/v2/posts/${id}`, body: { title: { raw: title } } };
}

function toBatch(number: number, run: number): Asked {
  const requests = Array.from({ length: BATCH }, (_each, index) => ({
    method: 'POST',
    ...toChange(1 + ((number * BATCH + index) % 1000), `Batch ${run} ${number}`),
  }));
  return { method: 'POST', target: `${BASE}/batch/v1`, headers: AS_ADMIN, body: { requests }, expect: 207 };
}

function toSingle(number: number, run: number): Asked {
  const { path, body } = toChange(1 + (number % 1000), `Single ${run} ${number}`);
  return { method: 'POST', target: `${BASE}${path}`, headers: AS_ADMIN, body };
}

const toRevalidation =
  ({ etag }: Surroundings) =>
  (): Asked => ({ target: FIRST_POST, headers: { 'If-None-Match': etag }, expect: 304 });

const NEW_ITEM = { name: 'A coil of rope', quantity: 3, active: true };

/** Workloads of issues 6 and 14. */
export const WORKLOADS: readonly Workload[] = [
  {
    name: 'post-hot',
    about: 'one post, always the same',
    peers: READERS,
    createRequests: always({ target: FIRST_POST }),
  },
  {
    name: 'post-random',
    about: 'one post, any of all',
    peers: READERS,
    limitDiffers: true,
    known: (posts) => upTo(posts).map((id) => `${POSTS}/${id}`),
    createRequests:
      ({ posts, random }) =>
      () => ({ target: `${POSTS}/${1 + random.below(posts)}` }),
  },
  {
    name: 'list-hot',
    about: 'the newest ten, always the same',
    peers: READERS,
    createRequests: always({ target: POSTS }),
  },
  {
    name: 'list-random',
    about: 'ten posts: random pages, orders, categories and authors',
    peers: READERS,
    limitDiffers: true,
    known: listPages,
    createRequests: drawPages,
  },
  {
    name: 'list-checked',
    about: 'ten posts by ten parameters, never the same request twice',
    peers: READERS,
    limitDiffers: true,
    createRequests: (around) => () => ({ target: toLongList(around) }),
  },
  {
    name: 'unchanged',
    about: '304 on If-None-Match',
    peers: ['routebook', ...FRAMEWORKS],
    etag: true,
    createRequests: toRevalidation,
  },
  {
    name: 'head',
    about: 'HEAD of one post',
    peers: READERS,
    createRequests: always({ method: 'HEAD', target: FIRST_POST }),
  },
  {
    name: 'not-found',
    about: '404: a post that is not there',
    peers: ['routebook', ...FRAMEWORKS],
    createRequests: always({ target: `${POSTS}/99999999`, expect: 404 }),
  },
  {
    name: 'bad-request',
    about: '400: a parameter out of bounds',
    peers: ['routebook', ...FRAMEWORKS],
    createRequests: always({ target: `${POSTS}?per_page=0`, expect: 400 }),
  },
  {
    name: 'index',
    about: 'the index of all routes',
    peers: READERS,
    createRequests: always({ target: `${BASE}/` }),
  },
  {
    name: 'plain-get',
    about: 'a plain GET: a path group and an integer of the query',
    peers: PLAIN,
    starts: true,
    createRequests: always({ target: `${ITEMS}/7?limit=3` }),
  },
  {
    name: 'plain-post',
    about: 'a plain POST: a JSON body of three members',
    peers: PLAIN,
    starts: true,
    createRequests: always({ method: 'POST', target: ITEMS, body: NEW_ITEM, expect: 201 }),
  },
  {
    name: 'plain-not-found',
    about: 'a plain 404: no such route',
    peers: PLAIN,
    starts: true,
    bodiesDiffer: true,
    createRequests: always({ target: `${ITEMS}/7/nothing`, expect: 404 }),
  },
  {
    name: 'plain-bad-request',
    about: 'a plain 400: text instead of an integer of the query',
    peers: PLAIN,
    starts: true,
    bodiesDiffer: true,
    createRequests: always({ target: `${ITEMS}/7?limit=many`, expect: 400 }),
  },
  {
    name: 'create',
    about: 'a new post',
    peers: ['routebook', 'routebook on SQLite', ...FRAMEWORKS],
    writes: true,
    createRequests: countUp(toNewPost),
  },
  {
    name: 'mixed-none',
    about: 'reads of 100 posts, no writes',
    peers: OWN,
    writes: true,
    createRequests: (around) => createRewrites(around, 0),
  },
  {
    name: 'mixed',
    about:
      'the same with 2 % writes; every read is checked against the last write that was acknowledged before it',
    peers: OWN,
    writes: true,
    createRequests: (around) => createRewrites(around, 50),
  },
  {
    name: 'single',
    about: 'changes of posts, one by one on one connection',
    peers: ['routebook', 'routebook on SQLite'],
    writes: true,
    connections: 1,
    createRequests: countUp(toSingle),
  },
  {
    name: 'batch',
    about: 'the same in batches of 25',
    peers: ['routebook', 'routebook on SQLite'],
    writes: true,
    connections: 1,
    items: BATCH,
    createRequests: countUp(toBatch),
  },
];
