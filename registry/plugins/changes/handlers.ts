import {
  type Call,
  RestResponse,
  type StoredRecord,
  type Values,
  eq,
  pageHeaders,
} from '../../../lib/index.ts';
import { OutboundRefused, type Ports, own } from '../../plugin.ts';
import { changesError } from './errors.ts';
import { createSecret, listReceivers, OPERATOR, rotate, showDelivery, showReceiver } from './receivers.ts';

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
        order: [{ field: 'id', direction: 'desc' }],
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
