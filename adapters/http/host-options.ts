import type { OptionRule } from '../../lib/core/check-options.ts';
import { abandon, catchMaybe, type MaybePromise, thenMaybe } from '../../lib/core/maybe-promise.ts';
import { kindOf } from '../../lib/core/objects.ts';
import { callOption } from '../../lib/dispatch/execute.ts';
import { toRestError } from '../../lib/dispatch/failure.ts';
import { HANDLER_TIMEOUT_MS } from '../../lib/dispatch/time-limit.ts';
import { isSiteUrl } from '../../lib/http/address.ts';
import type { Host, WireResponse } from '../../lib/http/host.ts';
import type { RestRequest } from '../../lib/http/request.ts';

/** The option `siteUrl` of a host. */
export const SITE_URL: OptionRule = {
  wanted:
    'the absolute URL of the site without a trailing slash ("https://example.org"), or a function that returns it',
  fits: (value) => typeof value === 'function' || (typeof value === 'string' && isSiteUrl(value)),
};

/** The URL that was checked last. Nearly every request has the same one. */
let checked = '';

/** The current URL of the site. @throws TypeError when the function of the host app does not return such a URL; a promise is refused too */
export function readSiteUrl(siteUrl: string | (() => string)): string {
  if (typeof siteUrl === 'string') return siteUrl;
  const told: unknown = siteUrl();
  if (typeof told === 'string' && (told === checked || isSiteUrl(told))) {
    checked = told;
    return told;
  }
  abandon(told);
  const returned = typeof told === 'string' ? JSON.stringify(told) : kindOf(told);
  throw new TypeError(
    `siteUrl must return the absolute URL of the site without a trailing slash, such as "https://example.org", but returned ${returned}`,
  );
}

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

/**
 * The option `context` of a server: returns what handlers get as `call.host`, for each request that the engine gets. It may throw a RestError.
 * It must be given if the engine names a type for it. `A`: the arguments.
 */
export type ContextOption<H, A extends readonly unknown[]> = unknown extends H
  ? { readonly context?: ((...args: A) => MaybePromise<H>) | undefined }
  : { readonly context: (...args: A) => MaybePromise<H> };

/** The last parameter of a function whose options may all be left out, unless the engine needs a context. */
export type LastOptions<H, O> = unknown extends H ? [options?: O] : [options: O];

/** Passes a request to the host, with what the option `context` returns for it. Never throws or rejects. */
export function serveInContext(
  host: Host,
  request: RestRequest,
  toContext: () => unknown,
): MaybePromise<WireResponse> {
  const call = { option: 'context', ms: host.handlerTimeoutMs ?? HANDLER_TIMEOUT_MS, signal: request.signal };
  return catchMaybe(
    () => thenMaybe(callOption(call, toContext), (context) => host.serve({ ...request, host: context })),
    (error) => host.refuse(toRestError(error), request),
  );
}
