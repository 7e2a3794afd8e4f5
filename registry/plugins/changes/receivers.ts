import { createHmac, randomBytes } from 'node:crypto';
import {
  type Call,
  desc,
  eq,
  type Json,
  type Operation,
  pageHeaders,
  RestResponse,
  type StoredRecord,
  type Values,
} from '../../../lib/index.ts';
import { isObject, type Notify, OutboundRefused, own, type Ports } from '../../plugin.ts';
import { changesError } from './cursor.ts';

/** A key of signatures. `until`: milliseconds since 1970; 0: no end. */
interface Secret {
  readonly key: string;
  readonly until: number;
}

const SECRET_BYTES = 32;
/** How long the former secret still signs after a rotation. Milliseconds. */
const OVERLAP_MS = 24 * 3_600_000;

/** A new secret, as receivers get it. */
const createSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;

function toSecrets(value: Json | undefined): readonly Secret[] {
  return Array.isArray(value)
    ? value.flatMap((each) =>
        isObject(each) ? [{ key: String(each['key']), until: Number(each['until']) }] : [],
      )
    : [];
}

/** The secrets after a rotation at this time. */
function rotate(secrets: Json | undefined, key: string, now: number): Json {
  const former = toSecrets(secrets)
    .filter(({ until }) => until === 0 || until > now)
    .slice(0, 3)
    .map((each) => ({ key: each.key, until: each.until === 0 ? now + OVERLAP_MS : each.until }));
  return [{ key, until: 0 }, ...former];
}

/** The headers of Standard Webhooks 1.0 for an attempt. `time`: epoch milliseconds of the attempt. Each valid secret signs. */
export function sign(
  receiver: StoredRecord,
  { message, body, time }: { readonly message: string; readonly body: string; readonly time: number },
): Readonly<Record<string, string>> {
  const stamp = String(Math.floor(time / 1000));
  const signatures = toSecrets(receiver['secrets'])
    .filter(({ until }) => until === 0 || until > time)
    .map(({ key }) => {
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

const texts = (value: Json | undefined): readonly string[] => (Array.isArray(value) ? value.map(String) : []);

/** Whether a receiver wants an event. `*` and `post.*` stand for several. */
export function wants(
  receiver: StoredRecord,
  { event, type, language }: { readonly event: string; readonly type: string; readonly language: string },
): boolean {
  const [kind] = event.split('.');
  const [types, languages] = [texts(receiver['types']), texts(receiver['languages'])];
  return (
    receiver['active'] === true &&
    texts(receiver['events']).some((each) => each === '*' || each === `${kind}.*` || each === event) &&
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
}: Pick<Ports, 'store' | 'webhook'>): Promise<readonly StoredRecord[]> {
  const { records } = await store.find({ collection: 'receivers' });
  if (webhook === undefined) return records;
  const { url, secret, siteUrl } = webhook;
  const secrets = [{ key: secret, until: 0 }];
  const all = { events: ['*'], types: [], languages: [], active: true };
  return [{ id: OPERATOR, version: 0, ...all, url, secrets, site: siteUrl, created: 0 }, ...records];
}

/** A receiver as administrators see it, without its secrets. */
function showReceiver(receiver: StoredRecord): Readonly<Record<string, Json>> {
  const { id, url, events, types, languages, active, created } = receiver;
  return {
    id,
    url: url ?? '',
    events: events ?? [],
    types: types ?? [],
    languages: languages ?? [],
    active: active ?? false,
    created: new Date(Number(created)).toISOString(),
  };
}

/** A delivery as administrators see it. */
function showDelivery(delivery: StoredRecord): Readonly<Record<string, Json>> {
  const { id, message, event, state, attempts, next, created, body } = delivery;
  return {
    id,
    message: message ?? '',
    event: event ?? '',
    state: state ?? '',
    attempts: attempts ?? [],
    next: state === 'pending' ? new Date(Number(next)).toISOString() : null,
    created: new Date(Number(created)).toISOString(),
    body: JSON.parse(String(body)) as Json,
  };
}

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

const FIELDS = ['url', 'events', 'types', 'languages', 'active'] as const;

/** The members of a receiver that a client sent. */
type Sent = Readonly<Partial<Record<(typeof FIELDS)[number], unknown>>>;

/** @throws RestError `rest_invalid_receiver_url` for an address that the site would not dial */
async function checkUrl({ outbound }: Ports, url: unknown): Promise<void> {
  const address = URL.canParse(String(url)) ? new URL(String(url)) : null;
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

const toValues = (args: Sent): Values =>
  Object.fromEntries(
    FIELDS.flatMap((name) => (args[name] === undefined ? [] : [[name, args[name] as string]])),
  );

/** Most receivers that a list shows. */
const MOST_SHOWN = 1000;

/** The handlers of receivers and deliveries. */
export function createReceiverHandlers(ports: Ports) {
  const { store, now } = ports;
  const get = async (id: number): Promise<StoredRecord> => {
    const found = await store.get('receivers', id);
    if (found === null) throw changesError('rest_receiver_not_found');
    return found;
  };
  /** Also the one of the operator, which no route changes. */
  const find = async (id: number): Promise<StoredRecord> =>
    (id === OPERATOR ? (await listReceivers(ports)).find((each) => each.id === id) : undefined) ?? get(id);
  const update = async (id: number, values: Values): Promise<StoredRecord> =>
    (await store.commit([{ op: 'update', collection: 'receivers', id, values }]))[0] as StoredRecord;
  return {
    'changes.receivers.list': async () => (await listReceivers(ports)).slice(0, MOST_SHOWN).map(showReceiver),
    'changes.receivers.create': async (args: Sent, call: Call) => {
      await checkUrl(ports, args.url);
      const secret = createSecret();
      const [receiver] = await store.commit([
        {
          op: 'create',
          collection: 'receivers',
          values: {
            events: ['*'],
            active: true,
            ...toValues(args),
            secrets: [{ key: secret, until: 0 }],
            site: call.request.siteUrl,
            created: now(),
          },
        },
      ]);
      return new RestResponse({ ...showReceiver(receiver as StoredRecord), secret }, { status: 201 });
    },
    'changes.receivers.read': async ({ id }: { readonly id: number }) => showReceiver(await find(id)),
    'changes.receivers.update': async ({ id, ...sent }: Sent & { readonly id: number }) => {
      await get(id);
      if (own(sent, 'url') !== undefined) await checkUrl(ports, sent.url);
      return showReceiver(await update(id, toValues(sent)));
    },
    'changes.receivers.remove': async ({ id }: { readonly id: number }) => {
      const receiver = await get(id);
      await store.commit([
        { op: 'remove', collection: 'receivers', id },
        { op: 'removeAll', collection: 'deliveries', where: eq('receiver', id) },
      ]);
      return { deleted: true, previous: showReceiver(receiver) };
    },
    'changes.receivers.rotate': async ({ id }: { readonly id: number }) => {
      const receiver = await get(id);
      const secret = createSecret();
      const secrets = rotate(receiver['secrets'], secret, now());
      return { ...showReceiver(await update(id, { secrets })), secret };
    },
    'changes.deliveries.list': async (
      args: { readonly id: number; readonly page: number; readonly per_page: number },
      call: Call,
    ) => {
      await find(args.id);
      const { records, total } = await store.find({
        collection: 'deliveries',
        where: eq('receiver', args.id),
        order: [desc('id')],
        limit: args.per_page,
        offset: (args.page - 1) * args.per_page,
        total: true,
      });
      return new RestResponse(records.map(showDelivery), {
        headers: pageHeaders(call, { total, page: args.page, perPage: args.per_page }),
      });
    },
    'changes.deliveries.redeliver': async ({
      id,
      delivery,
    }: {
      readonly id: number;
      readonly delivery: number;
    }) => {
      await find(id);
      const found = await store.get('deliveries', delivery);
      if (found === null || found['receiver'] !== id) throw changesError('rest_delivery_not_found');
      const values = { state: 'pending', next: now() };
      const [record] = await store.commit([{ op: 'update', collection: 'deliveries', id: delivery, values }]);
      return showDelivery(record as StoredRecord);
    },
  };
}
