import { lookup } from 'node:dns/promises';
import type { SiteOptions } from '../../../registry/site.ts';
import { createOutbound } from '../../outbound.ts';

type Webhook = NonNullable<SiteOptions['webhook']>;

const PREFIX = 'whsec_';
const LEAST = 16;

/** @throws TypeError for a short secret, or one that is not base64 after the prefix */
function toSecret(secret: string): string {
  const isEncoded = secret.startsWith(PREFIX);
  const text = isEncoded ? secret.slice(PREFIX.length) : secret;
  const key = Buffer.from(text, isEncoded ? 'base64' : 'utf8');
  // Node skips what is not base64, and the receiver would have another key.
  if (isEncoded && key.toString('base64') !== text)
    throw new TypeError(`the secret of a webhook must be base64 after ${PREFIX}`);
  if (key.length < LEAST) throw new TypeError(`the secret of a webhook must have at least ${LEAST} bytes`);
  return PREFIX + key.toString('base64');
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
  return url;
}

/**
 * The receiver of the operator: also at a private address, and on any port. `secret`: at least 16 characters; after `whsec_`, the key
 * in base64, and otherwise the text itself is the key.
 * @throws TypeError for another address or a short secret
 */
export function createWebhook(address: string, secret: string): Omit<Webhook, 'siteUrl'> {
  const url = toAddress(address);
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  return {
    url: url.href,
    secret: toSecret(secret),
    send: createOutbound({
      isAllowed: () => true,
      ports: [port],
      resolve: async (host) => (await lookup(host, { all: true })).map((each) => each.address),
    }),
  };
}
