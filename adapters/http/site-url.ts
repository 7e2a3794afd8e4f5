import type { OptionRule } from '../../lib/core/check-options.ts';

const ADDRESS = /^https?:\/\/[^\s?#@\\]*[^\s?#@\\/]$/i;

/** Whether a text can be the address of a site. */
export function isSiteUrl(text: string): boolean {
  return ADDRESS.test(text) && URL.canParse(text);
}

/** The option `siteUrl` of a host. */
export const SITE_URL: OptionRule = {
  wanted: 'the absolute address of the site without a slash at its end ("https://example.org"), or a function that tells it',
  fits: (value) => typeof value === 'function' || (typeof value === 'string' && isSiteUrl(value)),
};

/** The address of the site, as the host app says it now. @throws TypeError when the function of the host app tells none */
export function readSiteUrl(siteUrl: string | (() => string)): string {
  if (typeof siteUrl === 'string') return siteUrl;
  const told: unknown = siteUrl();
  if (typeof told !== 'string') throw new TypeError(`siteUrl told ${typeof told}, where the address of the site was wanted`);
  return told;
}
