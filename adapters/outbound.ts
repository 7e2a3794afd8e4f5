import { Resolver } from 'node:dns/promises';
import { engineError } from '../lib/core/errors.ts';
import { type Outbound, OutboundRefused } from '../lib/ports/outbound.ts';
import { isPublicAddress } from './outbound/address-policy.ts';
import { follow, type OutboundOptions, UnfitAddress } from './outbound/follow.ts';
import { withDeadline } from './outbound/http-client.ts';

export type { OutboundOptions } from './outbound/follow.ts';

const TIMEOUT_MS = 5000;
const DEFAULT_PORTS = [80, 443, 8080];
/** Asks the name servers of the machine, IPv4 first. The system resolver would hold a thread for each slow name. */
async function resolveByServers(hostname: string): Promise<readonly string[]> {
  const resolver = new Resolver({ timeout: 2000, tries: 2 });
  const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
}

/**
 * Sends outbound requests to addresses that callers or other sites chose. Scheme, port and every resolved address are
 * checked before each connection, redirects included. Only checked addresses are dialled.
 */
export function createOutbound(options: OutboundOptions = {}): Outbound {
  const {
    resolve = resolveByServers,
    isAllowed = isPublicAddress,
    ports = DEFAULT_PORTS,
    maxAtOnce = 32,
  } = options;
  const settled = { resolve, isAllowed, ports, maxAtOnce };
  let underWay = 0;
  return async (request) => {
    if (underWay >= maxAtOnce)
      throw new OutboundRefused(
        engineError('rest_overloaded', {
          cause: new Error(`${maxAtOnce} outbound requests are already in flight`),
        }),
      );
    underWay += 1;
    try {
      return await withDeadline(request.timeoutMs ?? TIMEOUT_MS, request.signal, (signal) =>
        follow(request, settled, signal),
      );
    } catch (error) {
      throw new OutboundRefused(error, error instanceof UnfitAddress ? error.fault : '');
    } finally {
      underWay -= 1;
    }
  };
}
