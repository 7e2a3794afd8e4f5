import type { Operation } from '../../../lib/index.ts';
import type { Notify, Ports } from '../../plugin.ts';
import { OPERATOR } from './receivers.ts';

type Needs = Pick<Ports, 'store' | 'now' | 'random'>;

/** What is to be sent. `key`: what is sent once; `subject`: the record, whose events are sent in order. */
interface Letter {
  readonly receiver: number;
  readonly key: string;
  readonly event: string;
  readonly subject: string;
  readonly body: string;
}

/** The operation that puts a delivery into the outbox. */
export function toDelivery({ now, random }: Needs, letter: Letter): Operation {
  const [message, time] = [`msg_${Buffer.from(random(16)).toString('hex')}`, now()];
  return {
    op: 'create',
    collection: 'deliveries',
    values: { ...letter, message, state: 'pending', attempts: [], next: time, created: time },
  };
}

/** Sends the notices of translation jobs to the receiver of the operator, as it sends events. */
export function createNotify(ports: Needs): Notify {
  return async (notice) => {
    const key = `${OPERATOR}:notice:${Buffer.from(ports.random(16)).toString('hex')}`;
    const subject = `translation job ${notice.job.id}`;
    const body = JSON.stringify(notice);
    const event = `translation.${notice.kind}`;
    await ports.store.commit([toDelivery(ports, { receiver: OPERATOR, key, event, subject, body })]);
  };
}
