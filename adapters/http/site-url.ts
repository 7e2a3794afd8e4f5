import type { OptionRule } from '../../lib/core/check-options.ts';
import { isSiteUrl } from '../../lib/http/site-url.ts';

/** The option `siteUrl` of a host. */
export const SITE_URL: OptionRule = {
  wanted: 'the absolute URL of the site without a trailing slash ("https://example.org"), or a function that returns it',
  fits: (value) => typeof value === 'function' || (typeof value === 'string' && isSiteUrl(value)),
};

/** The current URL of the site. @throws TypeError when the function of the host app does not return a string */
export function readSiteUrl(siteUrl: string | (() => string)): string {
  if (typeof siteUrl === 'string') return siteUrl;
  const told: unknown = siteUrl();
  if (typeof told !== 'string') throw new TypeError(`siteUrl must return the URL of the site as a string, but returned ${typeof told}`);
  return told;
}
