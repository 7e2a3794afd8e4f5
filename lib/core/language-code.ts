import type { OptionRule } from './check-options.ts';

/** The language of the texts of descriptors, and of every request to an engine without language prefixes. */
export const OWN_LANGUAGE = 'en';

const CODE = /^[A-Za-z]{2,8}(?:[-_][A-Za-z0-9]{1,8})*$/;

/** Whether the value is a code such as `en` or `pt-br`, which can be part of an address or a header. */
export function isLanguageCode(value: unknown): value is string {
  return typeof value === 'string' && CODE.test(value);
}

/** The languages of a site, which are also the prefixes of its addresses. */
export const LANGUAGES: OptionRule = {
  wanted: 'a list of different language codes such as ["en", "pt-br"], at least one',
  fits: (value) =>
    Array.isArray(value) &&
    value.length > 0 &&
    new Set(value).size === value.length &&
    value.every(isLanguageCode),
};
