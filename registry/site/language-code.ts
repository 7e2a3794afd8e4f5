import type { OptionRule } from '../../lib/check-options.ts';

/** Languages of a site that is told none. */
export const DEFAULT_LANGUAGES: readonly string[] = ['nl', 'en', 'fr'];

const CODE = /^[A-Za-z]{2,8}(?:[-_][A-Za-z0-9]{1,8})*$/;

/** Whether it is a code such as `en` or `pt-br`, which can stand in an address and in a header. */
export function isLanguageCode(value: unknown): value is string {
  return typeof value === 'string' && CODE.test(value);
}

export const LANGUAGES: OptionRule = {
  wanted: 'a list of different language codes such as ["en", "pt-br"], at least one',
  fits: (value) => Array.isArray(value) && value.length > 0 && new Set(value).size === value.length && value.every(isLanguageCode),
};
