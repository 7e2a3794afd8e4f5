import type { OptionRule } from '../core/check-options.ts';

const ADDRESS = /^https?:\/\/[^\s?#@\\]*[^\s?#@\\/]$/i;

/** Whether a string is the absolute URL of a site, without a trailing slash. */
export function isSiteUrl(text: string): boolean {
  return ADDRESS.test(text) && URL.canParse(text);
}

/** The absolute URL of a site. */
export const SITE_ADDRESS: OptionRule = {
  wanted: 'an absolute URL without a trailing slash, such as "https://www.example.org"',
  fits: (value) => typeof value === 'string' && isSiteUrl(value),
};
