/**
 * The option `address` of a host: whom a request comes from, where the connection does not tell it because a proxy stands
 * in front. Nothing, or an empty text, leaves it to the connection. Throttles count by it, so that it has to come from
 * whoever is trusted: a header that the proxy sets itself, with exactly one address.
 */
export type AddressOf<Asked> = (request: Asked) => string | null | undefined;

/** Throttles remember thousands of them. */
const LONGEST = 100;

/** Whom the request comes from, by what the host app told; `own`: by the connection. @throws TypeError for anything but a text or nothing, such as a promise */
export function readCallerAddress(told: unknown, own: string): string {
  const address = told ?? '';
  // Refused below; that it fails besides must not end the program.
  if (address instanceof Promise) address.catch(() => undefined);
  if (typeof address !== 'string') throw new TypeError(`address told ${typeof address}, where the address of the caller was wanted, or nothing`);
  return address === '' ? own : address.slice(0, LONGEST);
}
