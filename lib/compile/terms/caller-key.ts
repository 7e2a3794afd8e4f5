import { toCallerNetwork } from '../../http/caller-network.ts';
import type { Call } from '../../route/call.ts';

/** Who calls, as counters and keys of calls tell callers apart. An anonymous caller has only an address, and a whole network of them with IPv6. */
export function toCallerKey({ identity, request }: Call, per: 'caller' | 'address' = 'caller'): string {
  return per === 'caller' && identity.id !== 0
    ? `caller ${JSON.stringify(identity.id)}`
    : `address ${toCallerNetwork(request.address)}`;
}
