import { createHmac, randomBytes } from 'node:crypto';
import type { Json, StoredRecord } from '../../../lib/index.ts';
import { type Ports, isObject } from '../../plugin.ts';

/** A key of signatures. `until`: milliseconds since 1970; 0: no end. */
interface Secret {
  readonly key: string;
  readonly until: number;
}

const SECRET_BYTES = 32;
/** How long the former secret still signs after a rotation. Milliseconds. */
export const OVERLAP_MS = 24 * 3_600_000;

/** A new secret, as receivers get it. */
export const createSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;

function toSecrets(value: Json | undefined): readonly Secret[] {
  return Array.isArray(value)
    ? value.flatMap((each) =>
        isObject(each) ? [{ key: String(each['key']), until: Number(each['until']) }] : [],
      )
    : [];
}

/** The secrets after a rotation at this time. */
export function rotate(secrets: Json | undefined, key: string, now: number): Json {
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
export function showReceiver(receiver: StoredRecord): Readonly<Record<string, Json>> {
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
export function showDelivery(delivery: StoredRecord): Readonly<Record<string, Json>> {
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
