import { createHmac, randomUUID } from 'node:crypto';
import type { Notify } from '../../../registry/index.ts';
import { createUpstream } from '../../upstream.ts';
import { FinalError, Repeated, type RepeatOptions } from './repeat.ts';

/** Where notices are sent, and the key of their signatures. */
export interface WebhookOptions {
  /** http or https address; it may have a query. */
  readonly url: string;
  /** At least 16 characters. After `whsec_`, the key in base64; otherwise the text itself is the key. */
  readonly secret: string;
  readonly repeat?: RepeatOptions;
}

const PREFIX = 'whsec_';
const LEAST = 16;

function toKey(secret: string): Buffer {
  const isEncoded = secret.startsWith(PREFIX);
  const text = isEncoded ? secret.slice(PREFIX.length) : secret;
  const key = Buffer.from(text, isEncoded ? 'base64' : 'utf8');
  // Node skips what is not base64, and the receiver would have another key.
  if (isEncoded && key.toString('base64') !== text)
    throw new TypeError(`the secret of a webhook must be base64 after ${PREFIX}`);
  if (key.length < LEAST) throw new TypeError(`the secret of a webhook must have at least ${LEAST} bytes`);
  return key;
}

function toAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  // The address is not quoted, because it may hold a password.
  if (
    url === null ||
    !/^https?:$/.test(url.protocol) ||
    url.username !== '' ||
    url.password !== '' ||
    url.hash !== ''
  )
    throw new TypeError(
      'the address of a webhook must be an http or https address without a user name or fragment',
    );
  const names = [...url.searchParams.keys()];
  if (new Set(names).size < names.length)
    throw new TypeError('the address of a webhook must not repeat a parameter of its query');
  return url;
}

/** An address that receives notices. */
export interface Webhook {
  readonly notify: Notify;
  /** Ends the deliveries within a second. The log says which ones are lost. */
  close(): Promise<void>;
}

/** Statuses after which another attempt may succeed: time-out, too early, too many requests, and failures of the receiver. */
const mayRepeat = (status: number): boolean => [408, 425, 429].includes(status) || status >= 500;

/**
 * Sends each notice as JSON to an address, with the headers `webhook-id`, `webhook-timestamp` and `webhook-signature` of
 * https://www.standardwebhooks.com. Redirects are not followed. A failed delivery is repeated with the same id (`repeat`).
 * @throws TypeError for another address or a short secret
 */
export function createWebhook({ url: text, secret, repeat = {} }: WebhookOptions): Webhook {
  const url = toAddress(text);
  const key = toKey(secret);
  const upstream = createUpstream({ notify: { origin: url.origin } });
  const repeated = new Repeated(repeat);

  async function send(id: string, body: string, signal: AbortSignal): Promise<void> {
    const time = String(Math.floor(Date.now() / 1000));
    const signature = createHmac('sha256', key).update(`${id}.${time}.${body}`).digest('base64');
    const { status } = await upstream.request('notify', {
      method: 'POST',
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      body,
      signal,
      headers: {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': time,
        'webhook-signature': `v1,${signature}`,
      },
    });
    if (status >= 200 && status <= 299) return;
    throw mayRepeat(status)
      ? new Error(`the webhook answered ${status}`)
      : new FinalError(`the webhook answered ${status}`);
  }

  return {
    notify: (notice, signal) => {
      const [id, body] = [`msg_${randomUUID()}`, JSON.stringify(notice)];
      return repeated.deliver(
        `the notice "${notice.kind}" of translation job ${notice.job.id}`,
        (limit) => send(id, body, limit),
        signal,
      );
    },
    close: () => repeated.close(),
  };
}
