import { lookup } from 'node:dns/promises';
import type { Outbound } from '../../../registry/site.ts';
import { createOutbound } from '../../outbound.ts';
import { isPublicAddress } from '../../outbound/address-policy.ts';

const toPorts = (url: string): readonly number[] => [
  80,
  443,
  8080,
  ...[Number(new URL(url).port)].filter((port) => port !== 0),
];

/** The name or address of a host, as it is looked up. */
const toHost = (url: string): string => new URL(url).hostname.replace(/^\[(.*)\]$/, '$1');

const findAddresses = async (host: string): Promise<readonly string[]> =>
  (await lookup(host, { all: true })).map(({ address }) => address);

/** Whether the host has an address that is dialled with `--private` alone. False for a host that is not found. */
export async function isPrivateHost(url: string): Promise<boolean> {
  const addresses = await findAddresses(toHost(url)).catch((): readonly string[] => []);
  return addresses.some((address) => !isPublicAddress(address));
}

/** The way to the files of an export, and to a live site at `url` on any port. Only public addresses are dialled. */
export function createImportOutbound(url?: string): Outbound {
  return createOutbound(url === undefined ? {} : { ports: toPorts(url) });
}

/**
 * The same for a site in a private network. Only its own host may have private addresses, and only those that it has now: neither a redirect,
 * nor a file at another address, nor another answer of a name server reaches the rest of the network.
 * @throws Error if the host has no address
 */
export async function createPrivateOutbound(url: string): Promise<Outbound> {
  const host = toHost(url);
  const addresses = await findAddresses(host).catch((error: unknown) => {
    throw new Error(`${url} cannot be read: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  });
  const own: ReadonlySet<string> = new Set(addresses);
  return createOutbound({
    ports: toPorts(url),
    resolve: (name) => (name === host ? Promise.resolve(addresses) : findAddresses(name)),
    isAllowed: (address, name) => isPublicAddress(address) || (name === host && own.has(address)),
  });
}
