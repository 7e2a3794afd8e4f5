import type { SiteConfig } from '../ports.ts';

/** What a site is entitled to. `expires`: `YYYY-MM-DD…`, '' when it does not. */
export interface Subscription {
  readonly status: string;
  readonly expires: string;
  readonly products: readonly string[];
}

/** `config.namespaces.pkg`: what only the host can say. Everything may be left out. */
export interface PkgHost {
  /** Sent to the vendor, and to nobody else. */
  readonly siteKey: string;
  /** The licence as the host knows it, for a site without a vendor service: `{status, expires, products}`. */
  readonly licence: unknown;
  /** Called with every subscription that was read. */
  readonly onSubscription: ((subscription: Subscription) => unknown) | null;
}

/** Reads the host's configuration. @throws TypeError naming the member that is wrong. */
export function readPkgHost(config: SiteConfig): PkgHost {
  const { siteKey = '', licence, onSubscription = null } = config.namespaces['pkg'] ?? {};
  if (typeof siteKey !== 'string') throw new TypeError('config.namespaces.pkg.siteKey: wanted a text');
  if (onSubscription !== null && typeof onSubscription !== 'function') throw new TypeError('config.namespaces.pkg.onSubscription: wanted a function');
  return { siteKey, licence, onSubscription: onSubscription === null ? null : (subscription) => Reflect.apply(onSubscription, undefined, [subscription]) };
}
