import { toMessage } from '../load/run-load.ts';
import { KeptSocket } from './kept-socket.ts';
import { createMix, POSTS, type Mixed, type MixPlan } from './mix.ts';
import { openAll, runClosedLoop, runOpenLoop, type Pace, type Sample } from './open-loop.ts';

export type MixSample = Sample<Pick<Mixed, 'kind' | 'written'>>;

// Each process is one generator. Its sockets stay open between tasks.
let sockets: KeptSocket[] = [];

/** Opens those sockets of this process that are not open. */
export async function openSockets({
  port,
  count,
}: {
  readonly port: number;
  readonly count: number;
}): Promise<null> {
  if (sockets.length !== count) sockets = Array.from({ length: count }, () => new KeptSocket(port));
  await openAll(sockets, toMessage({ target: `${POSTS}/1` }));
  return null;
}

/** Runs an open loop on the sockets of this process. */
export function pour(plan: MixPlan & Pace): Promise<readonly MixSample[]> {
  const next = createMix(plan);
  return runOpenLoop(sockets, plan, () => {
    const { asked, ...about } = next();
    return { text: toMessage(asked), about };
  });
}

/** Maximum share of refused responses, because a pause of the machine can make the server refuse a few. */
const MOST_REFUSED = 0.05;

/** Responses per second of a server that is always busy but never overloaded. @throws Error when too many requests fail */
export async function saturate({
  inFlight,
  seconds,
  ...plan
}: MixPlan & { readonly inFlight: number; readonly seconds: number }): Promise<number> {
  const next = createMix(plan);
  const { ok, refused, ...rest } = await runClosedLoop(sockets, { inFlight, seconds }, () =>
    toMessage(next().asked),
  );
  if (refused > MOST_REFUSED * ok || rest.other + rest.broken > 0)
    throw new Error(`the server did not serve all requests: ${JSON.stringify({ ok, refused, ...rest })}`);
  return ok;
}
