import { createHmac, randomUUID } from 'node:crypto';
import type { Notify } from '../../../registry/index.ts';
import { createUpstream } from '../../upstream.ts';

/** Where notices are sent, and the key of their signatures. */
export interface WebhookOptions {
  /** http or https address; it may have a query. */
  readonly url: string;
  /** At least 16 characters. After `whsec_`, the key in base64; otherwise the text itself is the key. */
  readonly secret: string;
}

const PREFIX = 'whsec_';
const LEAST = 16;

function toKey(secret: string): Buffer {
  const isEncoded = secret.startsWith(PREFIX);
  const text = isEncoded ? secret.slice(PREFIX.length) : secret;
  const key = Buffer.from(text, isEncoded ? 'base64' : 'utf8');
  // Node skips what is not base64, and the receiver would have another key.
  if (isEncoded && key.toString('base64') !== text) throw new TypeError(`the secret of a webhook must be base64 after ${PREFIX}`);
  if (key.length < LEAST) throw new TypeError(`the secret of a webhook must have at least ${LEAST} bytes`);
  return key;
}

function toAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  // The address is not quoted, because it may hold a password.
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '' || url.hash !== '') throw new TypeError('the address of a webhook must be an http or https address without a user name or fragment');
  const names = [...url.searchParams.keys()];
  if (new Set(names).size < names.length) throw new TypeError('the address of a webhook must not repeat a parameter of its query');
  return url;
}

/**
 * Sends each notice as JSON to an address, with the headers `webhook-id`, `webhook-timestamp` and `webhook-signature` of
 * https://www.standardwebhooks.com. Redirects are not followed. A status other than 2xx is an error.
 * @throws TypeError for another address or a short secret
 */
export function createWebhook({ url: text, secret }: WebhookOptions): Notify {
  const url = toAddress(text);
  const key = toKey(secret);
  const upstream = createUpstream({ notify: { origin: url.origin } });
  return async (notice, signal) => {
    const [id, time, body] = [`msg_${randomUUID()}`, String(Math.floor(Date.now() / 1000)), JSON.stringify(notice)];
    const signature = createHmac('sha256', key).update(`${id}.${time}.${body}`).digest('base64');
    const { status } = await upstream.request('notify', {
      method: 'POST', path: url.pathname, query: Object.fromEntries(url.searchParams), body, signal,
      headers: { 'content-type': 'application/json', 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': `v1,${signature}` },
    });
    if (status < 200 || status > 299) throw new Error(`the webhook answered ${status}`);
  };
}
