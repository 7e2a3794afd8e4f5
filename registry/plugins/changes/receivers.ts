import { createHmac, randomBytes } from 'node:crypto';
import {
  desc,
  eq,
  type Handlers,
  type Json,
  type Operation,
  pageHeaders,
  RestResponse,
  typeRecords,
  type Values,
} from '../../../lib/index.ts';
import { type Notify, OutboundRefused, type Ports } from '../../plugin.ts';
import { changesCollections, type Delivery, type Receiver, type Secret } from './collections.ts';
import { changesError } from './cursor.ts';
import type { changesDescriptor } from './routes.ts';

const SECRET_BYTES = 32;
/** How long the former secret still signs after a rotation. Milliseconds. */
const OVERLAP_MS = 24 * 3_600_000;

/** A new secret, as receivers get it. */
const createSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;

/** Those that sign at this time. An imported receiver may have none. */
const validAt = (secrets: Receiver['secrets'], time: number): readonly Secret[] =>
  (Array.isArray(secrets) ? (secrets as readonly Secret[]) : []).filter(
    ({ until }) => until === 0 || until > time,
  );

/** The secrets after a rotation at this time. */
function rotate(secrets: readonly Secret[], key: string, now: number): Json {
  const former = validAt(secrets, now)
    .slice(0, 3)
    .map((each) => ({ key: each.key, until: each.until === 0 ? now + OVERLAP_MS : each.until }));
  return [{ key, until: 0 }, ...former];
}

/** The headers of Standard Webhooks 1.0 for an attempt. `time`: epoch milliseconds of the attempt. Each valid secret signs. */
export function sign(
  { secrets }: Receiver,
  { message, body, time }: { readonly message: string; readonly body: string; readonly time: number },
): Readonly<Record<string, string>> {
  const stamp = String(Math.floor(time / 1000));
  const signatures = validAt(secrets, time).map(({ key }) => {
    const bytes = Buffer.from(key.replace(/^whsec_/, ''), 'base64');
    return `v1,${createHmac('sha256', bytes).update(`${message}.${stamp}.${body}`).digest('base64')}`;
  });
  return {
    'content-type': 'application/json',
    'webhook-id': message,
    'webhook-timestamp': stamp,
    'webhook-signature': signatures.join(' '),
  };
}

/** Whether a receiver wants an event. `*` and `post.*` stand for several. */
export function wants(
  { active, events, types, languages }: Receiver,
  { event, type, language }: { readonly event: string; readonly type: string; readonly language: string },
): boolean {
  const [kind] = event.split('.');
  return (
    active &&
    events.some((each) => each === '*' || each === `${kind}.*` || each === event) &&
    (types.length === 0 || types.includes(type)) &&
    (languages.length === 0 || language === '' || languages.includes(language))
  );
}

/** Id of the receiver of the operator, which is not stored. */
export const OPERATOR = 0;

/** The receivers of a site. */
export async function listReceivers({
  store,
  webhook,
}: Pick<Ports, 'store' | 'webhook'>): Promise<readonly Receiver[]> {
  const found = await store.find({ collection: 'receivers' });
  const records = found.records as readonly unknown[] as readonly Receiver[];
  if (webhook === undefined) return records;
  const { url, secret, siteUrl } = webhook;
  const secrets = [{ key: secret, until: 0 }];
  const all = { events: ['*'], types: [], languages: [], active: true };
  return [{ id: OPERATOR, version: 0, ...all, url, secrets, site: siteUrl, created: 0 }, ...records];
}

const toTime = (ms: number): string => new Date(ms).toISOString();

/** A receiver as administrators see it, without its secrets. */
const showReceiver = ({ id, url, events, types, languages, active, created }: Receiver) => ({
  id,
  url,
  events,
  types,
  languages,
  active,
  created: toTime(created),
});

/** A delivery as administrators see it. */
const showDelivery = ({ id, message, event, state, attempts, next, created, body }: Delivery) => ({
  id,
  message,
  event,
  state,
  attempts,
  next: state === 'pending' ? toTime(next) : null,
  created: toTime(created),
  body: JSON.parse(body) as Json,
});

type Needs = Pick<Ports, 'store' | 'now' | 'random'>;

/** The operation that puts a delivery into the outbox. */
export function toDelivery(
  { now, random }: Needs,
  letter: Pick<Delivery, 'receiver' | 'key' | 'event' | 'subject' | 'body'>,
): Operation {
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

/** @throws RestError `rest_invalid_receiver_url` for an address that the site would not dial */
async function checkUrl({ outbound }: Ports, url: string): Promise<void> {
  const address = URL.canParse(url) ? new URL(url) : null;
  if (
    address === null ||
    !/^https?:$/.test(address.protocol) ||
    address.username !== '' ||
    address.password !== '' ||
    address.hash !== ''
  )
    throw changesError('rest_invalid_receiver_url');
  try {
    await outbound?.({ url: address.href, checkOnly: true });
  } catch (error) {
    const fault = error instanceof OutboundRefused && error.fault !== '' ? `: ${error.fault}` : '';
    throw changesError('rest_invalid_receiver_url', {
      message: `The site may not call the address of the receiver${fault}.`,
      cause: error,
    });
  }
}

/** The members of a receiver that a client sent. */
const toValues = (sent: Readonly<Record<string, unknown>>): Values =>
  Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined)) as Values;

/** Most receivers that a list shows. */
const MOST_SHOWN = 1000;

/** The handlers of receivers and deliveries. */
export function createReceiverHandlers(
  ports: Ports,
): Omit<Handlers<typeof changesDescriptor>, 'changes.read'> {
  const { now } = ports;
  const store = typeRecords(ports.store, changesCollections);
  const get = async (id: number): Promise<Receiver> => {
    const found = await store.get('receivers', id);
    if (found === null) throw changesError('rest_receiver_not_found');
    return found as unknown as Receiver;
  };
  /** Also the one of the operator, which no route changes. */
  const find = async (id: number): Promise<Receiver> =>
    (id === OPERATOR ? (await listReceivers(ports)).find((each) => each.id === id) : undefined) ?? get(id);
  const write = async (operation: Operation): Promise<Receiver> =>
    (await ports.store.commit([operation]))[0] as unknown as Receiver;
  const update = (id: number, values: Values): Promise<Receiver> =>
    write({ op: 'update', collection: 'receivers', id, values });
  return {
    'changes.receivers.list': async () => (await listReceivers(ports)).slice(0, MOST_SHOWN).map(showReceiver),
    'changes.receivers.create': async (args, call) => {
      await checkUrl(ports, args.url);
      const secret = createSecret();
      const given = { events: ['*'], active: true, ...toValues(args) };
      const secrets = [{ key: secret, until: 0 }];
      const values = { ...given, secrets, site: call.request.siteUrl, created: now() };
      const receiver = await write({ op: 'create', collection: 'receivers', values });
      return new RestResponse({ ...showReceiver(receiver), secret }, { status: 201 });
    },
    'changes.receivers.read': async ({ id }) => showReceiver(await find(id)),
    'changes.receivers.update': async ({ id, ...sent }) => {
      await get(id);
      if (sent.url !== undefined) await checkUrl(ports, sent.url);
      return showReceiver(await update(id, toValues(sent)));
    },
    'changes.receivers.remove': async ({ id }) => {
      const receiver = await get(id);
      await store.commit([
        { op: 'remove', collection: 'receivers', id },
        { op: 'removeAll', collection: 'deliveries', where: eq('receiver', id) },
      ]);
      return { deleted: true, previous: showReceiver(receiver) };
    },
    'changes.receivers.rotate': async ({ id }) => {
      const { secrets } = await get(id);
      const secret = createSecret();
      return { ...showReceiver(await update(id, { secrets: rotate(secrets, secret, now()) })), secret };
    },
    'changes.deliveries.list': async ({ id, page, per_page: perPage }, call) => {
      await find(id);
      const { records, total } = await store.find({
        collection: 'deliveries',
        where: eq('receiver', id),
        order: [desc('id')],
        limit: perPage,
        offset: (page - 1) * perPage,
        total: true,
      });
      return new RestResponse(records.map(showDelivery), {
        headers: pageHeaders(call, { total, page, perPage }),
      });
    },
    'changes.deliveries.redeliver': async ({ id, delivery }) => {
      await find(id);
      const found = await store.get('deliveries', delivery);
      if (found?.receiver !== id) throw changesError('rest_delivery_not_found');
      const values = { state: 'pending', next: now() };
      const [record] = await store.commit([{ op: 'update', collection: 'deliveries', id: delivery, values }]);
      return showDelivery(record);
    },
  };
}
