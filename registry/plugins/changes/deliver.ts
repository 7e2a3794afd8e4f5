import { setTimeout as pause } from 'node:timers/promises';
import {
  and,
  asc,
  eq,
  findFirst,
  type Json,
  lt,
  type Operation,
  type Predicate,
  typeRecords,
} from '../../../lib/index.ts';
import { groupBy, isRace, type Ports, runLater, runLocked } from '../../plugin.ts';
import { changesCollections, type Delivery, type Receiver } from './collections.ts';
import { listReceivers, OPERATOR, sign } from './receivers.ts';

const SECOND = 1000;
const HOUR = 3600 * SECOND;
/** Time before each further attempt: three days in all. */
const DELAYS = [
  5 * SECOND,
  5 * 60 * SECOND,
  0.5 * HOUR,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  18 * HOUR,
  23 * HOUR,
];
const ATTEMPT_MS = 15 * SECOND;
const LEASE_MS = 30 * SECOND;
const LOOK_MS = 200;
const AT_ONCE = 100;
/** Most deliveries to a receiver that are looked through for what is due. */
const MOST_WAITING = 20 * AT_ONCE;
/** How long deliveries can be looked at and sent again. Milliseconds; all attempts are over before. */
const KEPT_MS = 30 * 24 * HOUR;
/** The receiver says that it is gone for good. */
const GONE = 410;

const isPending: Predicate = eq('state', 'pending');

/** Sends one delivery. @returns the status; 0 when there was no answer, with the reason */
async function send(
  { outbound, webhook, now }: Ports,
  receiver: Receiver,
  { message, body }: Delivery,
): Promise<{ readonly status: number; readonly reason: string }> {
  const dial = receiver.id === OPERATOR ? webhook?.send : outbound;
  if (dial === undefined) return { status: 0, reason: 'The site makes no outbound requests.' };
  try {
    const { status } = await dial({
      url: receiver.url,
      method: 'POST',
      body,
      headers: sign(receiver, { message, body, time: now() }),
      accept: [],
      // The status says everything.
      cut: true,
      maxBytes: 0,
      timeoutMs: ATTEMPT_MS,
    });
    return { status, reason: '' };
  } catch (error) {
    return { status: 0, reason: error instanceof Error ? error.message : String(error) };
  }
}

/** What an attempt changes. */
function toOperations(
  receiver: Receiver,
  { id, version, attempts: former }: Delivery,
  { status, reason, now }: { readonly status: number; readonly reason: string; readonly now: number },
): readonly Operation[] {
  const attempts = [
    ...((former ?? []) as readonly Json[]),
    { at: new Date(now).toISOString(), status, reason },
  ];
  const isDone = status >= 200 && status < 300;
  const delay = DELAYS[attempts.length - 1];
  const state = isDone ? 'done' : status === GONE || delay === undefined ? 'failed' : 'pending';
  return [
    {
      op: 'update',
      collection: 'deliveries',
      id,
      version,
      values: { attempts, state, next: now + (delay ?? 0) },
    },
    ...(status === GONE && receiver.id !== OPERATOR
      ? [{ op: 'update', collection: 'receivers', id: receiver.id, values: { active: false } } as const]
      : []),
  ];
}

async function attempt(ports: Ports, receiver: Receiver, delivery: Delivery): Promise<void> {
  const outcome = await send(ports, receiver, delivery);
  try {
    await ports.store.commit(toOperations(receiver, delivery, { ...outcome, now: ports.now() }));
  } catch (error) {
    // Somebody removed the delivery or the receiver meanwhile.
    if (!isRace(error)) throw error;
  }
}

/** Sends what is due: the deliveries of one record and receiver one after the other, others at the same time. @returns how many were tried */
async function sendDue(ports: Ports): Promise<number> {
  const { now } = ports;
  const store = typeRecords(ports.store, changesCollections);
  const receivers = (await listReceivers(ports)).filter(({ active }) => active);
  // Each receiver has a share of its own, so that one which is down does not hold up the others.
  const share = Math.ceil(AT_ONCE / Math.max(1, receivers.length));
  const due: (readonly [Receiver, Delivery])[] = [];
  for (const receiver of receivers) {
    const { records } = await store.find({
      collection: 'deliveries',
      where: and(isPending, eq('receiver', receiver.id)),
      limit: MOST_WAITING,
    });
    const firsts = [...groupBy(records, ({ subject }) => subject).values()].flatMap(([first]) => first ?? []);
    const ready = firsts.filter(({ next }) => next <= now()).slice(0, share);
    due.push(...ready.map((delivery) => [receiver, delivery] as const));
  }
  for (let first = 0; first < due.length; first += 16)
    await Promise.all(
      due.slice(first, first + 16).map(([receiver, delivery]) => attempt(ports, receiver, delivery)),
    );
  return due.length;
}

/** When the next delivery is due. Epoch milliseconds. */
async function findNext({ store }: Ports): Promise<number> {
  const found = await findFirst(store, {
    collection: 'deliveries',
    where: isPending,
    order: [asc('next')],
    fields: ['next'],
  });
  return found === undefined ? Infinity : Number(found['next']);
}

async function forgetOld({ store, now }: Ports): Promise<void> {
  const where = lt('created', now() - KEPT_MS);
  await store.commit([{ op: 'removeAll', collection: 'deliveries', where }]);
}

async function deliverAll(ports: Ports, signal: AbortSignal): Promise<void> {
  const { store, now } = ports;
  let swept = 0;
  let known = { revision: -1, next: 0 };
  while (!signal.aborted) {
    if (now() - swept > HOUR) {
      await forgetOld(ports);
      swept = now();
    }
    const revision = await store.revision(['deliveries', 'receivers']);
    if (revision !== known.revision) known = { revision, next: await findNext(ports) };
    if (known.next <= now()) {
      let tried = 0;
      await runLocked(ports, { name: 'changes.deliveries', ttlMs: LEASE_MS, signal }, async (own) => {
        do tried = await sendDue(ports);
        while (tried > 0 && !own.aborted);
      });
      // Nothing can be sent: the receivers of what waits are not active.
      if (tried === 0) known = { ...known, next: now() + SECOND };
    }
    await pause(LOOK_MS, undefined, { signal, ref: false }).catch(() => undefined);
  }
}

/** Sends deliveries until the site is closed. One process of the site does it at a time. */
export function startDeliveries(ports: Ports): void {
  // A command opens the site without them, and must not use up the attempts of the server.
  if (ports.outbound === undefined && ports.webhook === undefined) return;
  runLater(ports, 'deliveries of webhooks', async (signal) => {
    while (!signal.aborted) {
      try {
        await deliverAll(ports, signal);
      } catch (error) {
        if (signal.aborted) return;
        ports.log({ level: 'warn', message: 'deliveries of webhooks could not be sent', error });
        await pause(5 * SECOND, undefined, { signal, ref: false }).catch(() => undefined);
      }
    }
  });
}
