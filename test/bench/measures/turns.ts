import { createMemoryStore } from '../../../adapters/memory-store.ts';
import { createSqliteStore } from '../../../adapters/sqlite-store.ts';
import { createRequest, type Store } from '../../../lib/index.ts';
import { collections, type Site } from '../../../registry/index.ts';
import { watchTurns } from '../../support/turns.ts';
import { openSite, SITE_URL } from '../corpus.ts';
import { KINDS, type Kind } from '../turns/kinds.ts';
import { fillTurnSite } from '../turns/site.ts';

/** What one kind of request did. */
export interface TurnFigures {
  /** The longest turn of the event loop. Milliseconds. */
  readonly turn: number;
  /** From the request to its answer. Milliseconds. */
  readonly took: number;
  readonly status: number;
  /** Of the answer. */
  readonly bytes: number;
}

const ROUNDS = 3;
const turn = (): Promise<void> => new Promise((resolve) => { setImmediate(resolve); });

async function askOnce(site: Site, { toRequest }: Kind, { round, posts }: { readonly round: number; readonly posts: number }): Promise<TurnFigures> {
  const { target, ...options } = toRequest(round, posts);
  const request = createRequest(target, { siteUrl: SITE_URL, ...options });
  await turn();
  const watch = watchTurns();
  const began = performance.now();
  const { status, body } = await site.engine.serve(request);
  const took = performance.now() - began;
  return { turn: watch.stop(), took, status, bytes: body === null ? 0 : Buffer.byteLength(body) };
}

/** The shortest of the longest turns: a shared machine makes some of them longer, and none shorter. */
async function measureKind(site: Site, kind: Kind, posts: number): Promise<TurnFigures> {
  const rounds: TurnFigures[] = [];
  for (let round = 0; round < ROUNDS; round += 1) rounds.push(await askOnce(site, kind, { round, posts }));
  const best = rounds.reduce((one, other) => (other.turn < one.turn ? other : one));
  return { ...best, took: Math.min(...rounds.map(({ took }) => took)) };
}

async function measureKinds(store: Store, { posts, only = '' }: TurnOrder): Promise<Readonly<Record<string, TurnFigures>>> {
  const site = await openSite(store, false);
  const figures: Record<string, TurnFigures> = {};
  for (const kind of KINDS.filter(({ name }) => name.includes(only))) figures[kind.name] = await measureKind(site, kind, posts);
  await site.close();
  await store.close();
  return figures;
}

export interface TurnOrder {
  readonly posts: number;
  /** Part of the names of the kinds. Default: all. */
  readonly only?: string;
}

/** Kind -> figures, with the memory store. */
export async function measureMemoryTurns(order: TurnOrder): Promise<Readonly<Record<string, TurnFigures>>> {
  const store = createMemoryStore(collections);
  await fillTurnSite(store, order.posts);
  return measureKinds(store, order);
}

/** Writes the site into a file. */
export async function fillTurnFile({ directory, posts }: { readonly directory: string; readonly posts: number }): Promise<null> {
  const store = await createSqliteStore({ directory, collections, durability: 'relaxed' });
  await fillTurnSite(store, posts);
  await store.close();
  return null;
}

/** The same in a file that `fillTurnFile` wrote, by a process that has not seen it before. */
export async function measureFileTurns({ directory, ...order }: TurnOrder & { readonly directory: string }): Promise<Readonly<Record<string, TurnFigures>>> {
  return measureKinds(await createSqliteStore({ directory, collections }), order);
}
