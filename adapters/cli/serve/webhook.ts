import { lookup } from 'node:dns/promises';
import { isWebhookSecret, type SiteOptions } from '../../../registry/site.ts';
import { createOutbound } from '../../outbound.ts';

type Webhook = NonNullable<SiteOptions['webhook']>;

const PREFIX = 'whsec_';

/** @throws TypeError for a short secret, or one that is not base64 after the prefix */
function toSecret(text: string): string {
  const secret = text.startsWith(PREFIX) ? text : PREFIX + Buffer.from(text).toString('base64');
  if (!isWebhookSecret(secret))
    throw new TypeError(`the secret of a webhook must have at least 16 bytes, in base64 after ${PREFIX}`);
  return secret;
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
