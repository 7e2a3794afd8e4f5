import { toMessage } from '../load/run-load.ts';
import { KeptSocket } from './kept-socket.ts';
import { createMix, POSTS, type Mixed, type MixPlan } from './mix.ts';
import { openAll, runClosedLoop, runOpenLoop, type Pace, type Sample } from './open-loop.ts';

export type MixSample = Sample<Pick<Mixed, 'kind' | 'written'>>;

// A process is one generator, whose sockets stay open from task to task.
let sockets: KeptSocket[] = [];

/** Opens the sockets of this process, or those of them that are no longer open. */
export async function openSockets({ port, count }: { readonly port: number; readonly count: number }): Promise<null> {
  if (sockets.length !== count) sockets = Array.from({ length: count }, () => new KeptSocket(port));
  await openAll(sockets, toMessage({ target: `${POSTS}/1` }));
  return null;
}

/** An open loop on the sockets of this process. */
export function pour(plan: MixPlan & Pace): Promise<readonly MixSample[]> {
  const next = createMix(plan);
  return runOpenLoop(sockets, plan, () => {
    const { asked, ...about } = next();
    return { text: toMessage(asked), about };
  });
}

/** A pause of the machine can make the server refuse a few: of all answers. */
const MOST_REFUSED = 0.05;

/** What the server answers in a second when it is never idle and never asked for more than it can do. @throws Error when it does not answer that much */
export async function saturate({ inFlight, seconds, ...plan }: MixPlan & { readonly inFlight: number; readonly seconds: number }): Promise<number> {
  const next = createMix(plan);
  const { ok, refused, ...rest } = await runClosedLoop(sockets, { inFlight, seconds }, () => toMessage(next().asked));
  if (refused > MOST_REFUSED * ok || rest.other + rest.broken > 0) throw new Error(`the server did not answer all of it: ${JSON.stringify({ ok, refused, ...rest })}`);
  return ok;
}
