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

async function readOnce(peer: PeerName, load: Child, { corpusFile, posts, connections }: UnreadOptions): Promise<number> {
  const server = startChild(0);
  try {
    const port = await server.run('serve', { peer, corpusFile, etag: false });
    await load.run('load', { workload: 'post-hot', port, posts, connections, seconds: UP, seed: 1 });
    const before = await server.run('usage', null);
    await load.run('once', { workload: 'post-random', port, posts, connections });
    const after = await server.run('usage', null);
    return (after.cpu - before.cpu) / posts;
  } finally {
    await server.stop();
  }
}

/** Processor time of the server, in microseconds, for the first read of each post, one after the other. Peer -> median of the rounds, each with a new server. */
export async function measureUnread(options: UnreadOptions): Promise<ReadonlyMap<PeerName, number>> {
  const times = new Map<PeerName, number[]>(PEERS.map((peer) => [peer, []]));
  const load = startChild(1);
  try {
    for (let round = 0; round < options.rounds; round += 1) {
      for (const peer of PEERS) times.get(peer)?.push(await readOnce(peer, load, options));
    }
  } finally {
    await load.stop();
  }
  return new Map([...times].map(([peer, all]) => [peer, toMedian(all)]));
}
