import { type Ports, isObject, readOption, upstreamError, writeOption } from '../../plugin.ts';
import type { PkgHost, Subscription } from './host.ts';

const SERVICE = 'pkg';
const NAME = ['pkg', 'subscription'] as const;
const MAX_PRODUCTS = 500;
const MAX_TEXT = 200;

const toText = (value: unknown): string => (typeof value === 'string' ? value.slice(0, MAX_TEXT) : '');

/** The known members of a subscription; null if it does not have a status. */
function toSubscription(value: unknown): Subscription | null {
  if (!isObject(value) || toText(value['status']) === '') return null;
  const { products } = value;
  return {
    status: toText(value['status']),
    expires: toText(value['expires']),
    products: (Array.isArray(products) ? products : [])
      .filter((each) => typeof each === 'string')
      .slice(0, MAX_PRODUCTS)
      .map(toText),
  };
}

async function askVendor({ upstream }: Ports, { siteKey }: PkgHost, siteUrl: string): Promise<Subscription> {
  const versions = { node: process.versions.node, interface: 'pkg/installer/v1' };
  const answer = await upstream.request(SERVICE, {
    method: 'POST',
    path: '/subscription',
    body: { site_key: siteKey, site_url: siteUrl, versions },
  });
  const subscription =
    answer.status === 200 ? toSubscription(JSON.parse(Buffer.from(answer.body).toString('utf8'))) : null;
  if (subscription === null)
    throw upstreamError('service_bad_response', {
      data: { service: SERVICE, upstream_status: answer.status },
    });
  return subscription;
}

/** The licence from the configuration of the host, otherwise from the settings; `none` if there is neither. */
async function readLicence({ store }: Ports, { licence }: PkgHost): Promise<Subscription> {
  return (
    toSubscription(licence) ??
    toSubscription(await readOption(store, SERVICE, 'licence')) ?? {
      status: 'none',
      expires: '',
      products: [],
    }
  );
}

/** Reads the subscription from the vendor, or from the local licence if no vendor is connected, stores it and notifies the host. */
export async function refreshSubscription(ports: Ports, host: PkgHost, siteUrl: string): Promise<void> {
  const isConnected = ports.upstream.origin(SERVICE) !== null;
  const subscription = isConnected ? await askVendor(ports, host, siteUrl) : await readLicence(ports, host);
  await writeOption(ports.store, NAME, {
    ...subscription,
    products: [...subscription.products],
    refreshed: Math.floor(ports.now() / 1000),
  });
  await host.onSubscription?.(subscription);
}

/** The subscription that was read last; the status is `none` before. `refreshed`: in GMT, or null. */
export async function readSubscription({
  store,
}: Pick<Ports, 'store'>): Promise<Subscription & { readonly refreshed: string | null }> {
  const stored = await readOption(store, ...NAME);
  const refreshed =
    isObject(stored) && typeof stored['refreshed'] === 'number'
      ? new Date(stored['refreshed'] * 1000).toISOString().slice(0, 19)
      : null;
  return { ...(toSubscription(stored) ?? { status: 'none', expires: '', products: [] }), refreshed };
}
