import { abandon } from '../../lib/core/maybe-promise.ts';
import { kindOf } from '../../lib/core/objects.ts';

/**
 * The option `address` of a host: returns the caller's address when a proxy hides it from the connection. Undefined,
 * null or an empty string selects the address of the connection. Throttles count by it, so it must come from a trusted
 * source: a header that the proxy sets itself, with exactly one address.
 */
export type AddressOf<Asked> = (request: Asked) => string | null | undefined;

/** Longest address, in characters. Throttles remember thousands of addresses. */
const LONGEST = 100;

/** Returns the address that the host app gave, or else `own`, the address of the connection. @throws TypeError unless `told` is a string or nothing; a promise is refused too */
export function readCallerAddress(told: unknown, own: string): string {
  const address = told ?? '';
  if (typeof address === 'string') return address === '' ? own : address.slice(0, LONGEST);
  abandon(address);
  throw new TypeError(
    `address must return the caller's address as a string, or nothing, but returned ${kindOf(address)}`,
  );
}
