// Rules for single values of a fixture.
import {
  mapOf,
  objectOf,
  wordOf,
  type DocumentRule,
  type DocumentRules,
} from '../../lib/core/check-document.ts';
import { countUpTo, OBJECT } from '../../lib/core/check-options.ts';
import { isLanguageCode } from '../../lib/core/language-code.ts';
import { MAX_GIVEN_ID } from '../../lib/store/check-operations.ts';
import type { CollectionDescriptor } from '../../lib/store/collection.ts';
import { postCollections } from '../cms/collections.ts';
import { toZone } from '../content/site-time.ts';
import { toSlug } from '../content/slug.ts';
import { exceeds } from '../model/text-bounds.ts';
import { siteCollections } from './collections.ts';

export const DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/;
const PAIR = /^[A-Za-z0-9_-]+:[A-Za-z0-9_-]+$/;

export const FIELDS = new Map<string, CollectionDescriptor['fields']>(
  [...siteCollections, ...postCollections].map(({ name, fields }) => [name, fields]),
);

export const ID = countUpTo(MAX_GIVEN_ID);
export const REFERENCE: DocumentRule = {
  wanted: 'an id, or 0 for none',
  fits: (value) => value === 0 || ID.fits(value),
};
export const SLUG: DocumentRule = {
  wanted: 'a text that results in a slug',
  fits: (value) => value === '' || (typeof value === 'string' && toSlug(value) !== ''),
};
export const PAIRS: DocumentRule = {
  wanted: 'a list of pairs such as "en:fr"',
  fits: (value) => Array.isArray(value) && value.every((pair) => typeof pair === 'string' && PAIR.test(pair)),
};

export function isZone(value: unknown): boolean {
  try {
    toZone(String(value));
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

export const ZONE: DocumentRule = {
  wanted: 'the name of a time zone, such as "Europe/Paris"',
  fits: (value) => typeof value === 'string' && isZone(value),
};
export const OFFSET: DocumentRule = {
  wanted: 'hours from GMT',
  fits: (value) =>
    (typeof value === 'string' || typeof value === 'number') &&
    Number.isFinite(Number(value)) &&
    isZone(value),
};

/** Accepts null in place of a missing member. */
export function optional(rule: DocumentRule): DocumentRule {
  return { ...rule, fits: (value) => value === null || rule.fits(value) };
}

export function optionals(rules: DocumentRules): DocumentRules {
  return Object.fromEntries(Object.entries(rules).map(([name, rule]) => [name, optional(rule)]));
}

/** One of the words, or '' in place of a missing member. */
export function wordOrNone(words: readonly string[]): DocumentRule {
  const rule = wordOf(words);
  return { ...rule, fits: (value) => value === '' || rule.fits(value) };
}

export function toLanguageRule(languages: readonly string[] | undefined): DocumentRule {
  if (languages !== undefined)
    return { ...wordOf(languages), wanted: `one of the site's languages ${languages.join(', ')}` };
  return { wanted: 'a language code such as "en" or "pt-br"', fits: isLanguageCode };
}

/** One value for all languages, or an object with one for each. */
export function perLanguage(
  rule: DocumentRule,
  wanted: string,
  languages: readonly string[] | undefined,
): DocumentRule {
  const parts =
    languages === undefined
      ? mapOf(rule)
      : objectOf(Object.fromEntries(languages.map((language) => [language, rule])));
  return {
    ...parts,
    wanted: `${wanted}, or an object with one for each language`,
    fits: (value) => rule.fits(value) || OBJECT.fits(value),
  };
}

/** The rule, and at most this many characters. */
export function upTo(rule: DocumentRule, most: number): DocumentRule {
  return {
    ...rule,
    wanted: `${rule.wanted} of at most ${most} characters`,
    fits: (value) => rule.fits(value) && !exceeds(value, { most }),
  };
}
