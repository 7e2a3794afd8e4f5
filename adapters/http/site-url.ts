import type { OptionRule } from '../../lib/core/check-options.ts';
import { abandon } from '../../lib/core/maybe-promise.ts';
import { kindOf } from '../../lib/core/objects.ts';
import { isSiteUrl } from '../../lib/http/site-url.ts';

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
