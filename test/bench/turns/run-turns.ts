import { makeFolder, removeFolder } from '../../support/temporary.ts';
import { startChild, type Child } from '../children.ts';
import { Connection } from '../load/connection.ts';
import { toMessage } from '../load/run-load.ts';
import { BASE } from '../peers/peer.ts';
import { KINDS, type Kind } from './kinds.ts';

/** Result of one kind of request. */
export interface TurnFigures {
  /** The longest turn of the server's event loop in milliseconds. */
  readonly turn: number;
  /** Time from the request to its response in milliseconds. */
  readonly took: number;
  readonly status: number;
}

export interface TurnOrder {
  readonly store: 'memory' | 'sqlite';
  readonly posts: number;
  readonly rounds: number;
}

interface Asking {
  readonly server: Child;
  readonly connection: Connection;
}

async function askOnce({ server, connection }: Asking, message: string): Promise<TurnFigures> {
  await server.run('startTurns', null);
  const began = performance.now();
  const { status } = await connection.send(message);
  const took = performance.now() - began;
  return { turn: await server.run('stopTurns', null), took, status };
}

/** The shortest of the longest turns. Load on a shared machine makes some of them longer, but none shorter. */
async function measureKind(
  asking: Asking,
  { name, toRequest }: Kind,
  { posts, rounds }: TurnOrder,
): Promise<TurnFigures> {
  const all: TurnFigures[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const asked = toRequest(round, posts);
    all.push(await askOnce(asking, toMessage({ ...asked, target: `${BASE}${asked.target}` })));
  }
  const failed = all.find(({ status }) => status >= 400);
  if (failed !== undefined) console.error(`${name}: status ${failed.status}`);
  return {
    ...all.reduce((one, other) => (other.turn < one.turn ? other : one)),
    took: Math.min(...all.map(({ took }) => took)),
  };
}

async function measureServer(
  order: TurnOrder,
  directory: string | null,
): Promise<ReadonlyMap<string, TurnFigures>> {
  const figures = new Map<string, TurnFigures>();
  const server = startChild(0);
  try {
    const connection = new Connection(await server.run('serveTurns', { directory, posts: order.posts }));
    for (const kind of KINDS) figures.set(kind.name, await measureKind({ server, connection }, kind, order));
    connection.close();
  } finally {
    await server.stop();
  }
  return figures;
}

/** Kind -> figures of a server in a separate process. */
export async function measureTurnKinds(order: TurnOrder): Promise<ReadonlyMap<string, TurnFigures>> {
  if (order.store === 'memory') return measureServer(order, null);
  const directory = makeFolder();
  const writer = startChild(0);
  try {
    await writer.run('fillTurnFile', { directory, posts: order.posts }).finally(() => writer.stop());
    return await measureServer(order, directory);
  } finally {
    removeFolder(directory);
  }
}
