import { toMessage } from '../load/run-load.ts';
import { KeptSocket } from './kept-socket.ts';
import { createMix, POSTS, type Mixed, type MixPlan } from './mix.ts';
import { openAll, runClosedLoop, runOpenLoop, type Message, type Outcome, type Pace, type Sample } from './open-loop.ts';

export type MixSample = Sample<Pick<Mixed, 'kind' | 'written'>>;

// A process is one generator, whose sockets stay open from task to task.
let sockets: KeptSocket[] = [];

/** Opens the sockets of this process. */
export async function openSockets({ port, count }: { readonly port: number; readonly count: number }): Promise<null> {
  sockets = Array.from({ length: count }, () => new KeptSocket(port));
  await openAll(sockets, toMessage({ target: `${POSTS}/1` }));
  return null;
}

function createMessages(plan: MixPlan): () => Message<MixSample['about']> {
  const next = createMix(plan);
  return () => {
    const { asked, ...about } = next();
    return { text: toMessage(asked), about };
  };
}

/** An open loop on the sockets of this process. */
export function pour(plan: MixPlan & Pace): Promise<readonly MixSample[]> {
  return runOpenLoop(sockets, plan, createMessages(plan));
}

/** `connections`: each with one request in flight, sent as soon as the one before is answered. */
export interface SaturatePlan extends MixPlan {
  readonly port: number;
  readonly connections: number;
  readonly seconds: number;
}

/** What the server answers in a second when it is never idle and never asked for more than it can do. @throws Error when it refuses any of it */
export async function saturate({ port, connections, seconds, ...plan }: SaturatePlan): Promise<number> {
  const next = createMix(plan);
  const own = Array.from({ length: connections }, () => new KeptSocket(port));
  const { ok, ...rest } = await runClosedLoop(own, seconds, () => toMessage(next().asked));
  for (const socket of own) socket.close();
  if (Object.values(rest).some((count) => count > 0)) throw new Error(`the server did not answer all of it: ${JSON.stringify(rest)}`);
  return ok;
}

/** Clients that send again at once on every socket of the process, whatever the answer was. */
export function hammer({ seconds, ...plan }: MixPlan & { readonly seconds: number }): Promise<Readonly<Record<Outcome, number>>> {
  const next = createMix(plan);
  return runClosedLoop(sockets, seconds, () => toMessage(next().asked));
}
