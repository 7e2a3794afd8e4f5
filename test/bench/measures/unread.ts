import { startChild, type Child } from '../children.ts';
import { toMedian } from '../median.ts';
import type { PeerName } from '../peers/peers.ts';

const PEERS = ['routebook', 'fastify'] as const satisfies readonly PeerName[];
/** Seconds of other load before the posts are read: the server is up, but has not rendered many posts. */
const UP = 3;

interface UnreadOptions {
  readonly corpusFile: string;
  readonly posts: number;
  readonly rounds: number;
  readonly connections: number;
}

/** Processor time of the server for the first read of a post, in microseconds. */
export interface UnreadFigures {
  /** Over all posts. */
  readonly all: number;
  /** Over the second half. V8 has compiled the code that renders posts by then. */
  readonly later: number;
}

async function readOnce(
  peer: PeerName,
  load: Child,
  { corpusFile, posts, connections }: UnreadOptions,
): Promise<UnreadFigures> {
  const server = startChild(0);
  const half = Math.floor(posts / 2);
  try {
    const port = await server.run('serve', { peer, corpusFile, etag: false });
    await load.run('load', { workload: 'post-hot', port, posts, connections, seconds: UP, seed: 1 });
    const { cpu: start } = await server.run('usage', null);
    await load.run('once', { workload: 'post-random', port, posts: half, connections });
    const { cpu: middle } = await server.run('usage', null);
    await load.run('once', { workload: 'post-random', port, posts, connections, skip: half });
    const { cpu: end } = await server.run('usage', null);
    return { all: (end - start) / posts, later: (end - middle) / (posts - half) };
  } finally {
    await server.stop();
  }
}

/** Reads all posts once, one after the other. Peer -> medians of the rounds, each with a new server. */
export async function measureUnread(options: UnreadOptions): Promise<ReadonlyMap<PeerName, UnreadFigures>> {
  const figures = new Map<PeerName, UnreadFigures[]>(PEERS.map((peer) => [peer, []]));
  const load = startChild(1);
  try {
    for (let round = 0; round < options.rounds; round += 1) {
      for (const peer of PEERS) figures.get(peer)?.push(await readOnce(peer, load, options));
    }
  } finally {
    await load.stop();
  }
  return new Map(
    [...figures].map(([peer, seen]) => [
      peer,
      { all: toMedian(seen.map(({ all }) => all)), later: toMedian(seen.map(({ later }) => later)) },
    ]),
  );
}
