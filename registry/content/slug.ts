import { own } from '../../lib/core/objects.ts';
import { readHtml } from './html.ts';

/** Longest slug in bytes; a slug is ASCII, so also in characters. */
export const SLUG_BYTES = 200;
// A slug of 200 bytes never needs more of the text than this, whatever is dropped from it in practice.
const MAX_INPUT = 10_000;

/** Lower-case Latin letters that Unicode does not take apart into a letter and marks. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', þ: 'th', ł: 'l', ħ: 'h', ı: 'i', ĸ: 'k', ŋ: 'n', ŧ: 't', ſ: 's', ƒ: 'f', ĳ: 'ij', ŀ: 'l',
  ŉ: 'n', ª: 'a', º: 'o', ǆ: 'dz', ǉ: 'lj', ǌ: 'nj', '€': 'e', '×': 'x',
};
const LETTER = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'gu');

function foldLetters(text: string): string {
  return text.toLowerCase().normalize('NFD').replaceAll(/([a-z])[\u0300-\u036f]+/g, '$1').normalize('NFC')
    .replaceAll(LETTER, (letter) => own(LETTERS, letter) ?? letter);
}

/** A slug that was encoded before comes back as text, so that encoding it again changes nothing. */
function decodeOctets(text: string): string {
  return text.replaceAll(/(?:%[0-9a-f]{2})+/gi, (octets) => {
    try {
      return decodeURIComponent(octets);
    } catch {
      // Octets that are no UTF-8 stand for no text.
      return '';
    }
  });
}

/** Titles of which nothing has to be folded, decoded or encoded. */
const PLAIN = /^[A-Za-z0-9_ -]*$/;

function toWords(text: string): string {
  if (!/[<&]/.test(text)) return text;
  let words = '';
  readHtml(text, { text: (part) => { words += part; } });
  return words;
}

/** Cuts an encoded slug at `limit` bytes; a character is kept whole or dropped, and no hyphen is left at the end. */
function cut(slug: string, limit: number): string {
  let kept = slug.slice(0, limit);
  if (kept.length < slug.length) {
    kept = kept.replace(/%[0-9a-f]?$/, '');
    for (let dropped = 0; dropped < 4 && !isWhole(kept); dropped += 1) kept = kept.replace(/%[0-9a-f]{2}$/, '');
  }
  return kept.endsWith('-') ? kept.replace(/-+$/, '') : kept;
}

function isWhole(slug: string): boolean {
  try {
    decodeURIComponent(slug);
    return true;
  } catch {
    return false;
  }
}

/**
 * The slug of a title, or a cleaned slug: lower case, without accents, blanks, slashes, dots and dashes as single hyphens, other
 * scripts percent-encoded in lower case, other marks dropped, at most 200 bytes. Empty when nothing is left. Cleaning twice changes nothing.
 */
export function toSlug(text: string): string {
  const input = text.slice(0, MAX_INPUT);
  if (PLAIN.test(input)) return cut(input.toLowerCase().replaceAll(/[ -]+/g, '-').replace(/^-/, ''), SLUG_BYTES);
  const plain = foldLetters(toWords(decodeOctets(input)));
  const hyphened = plain
    .replaceAll(/[\s\p{Z}/.\u2010-\u2015]+/gu, '-')
    // Letters, digits, marks of other scripts and symbols such as emoji stay; ASCII and Latin punctuation goes.
    .replaceAll(/[^\p{L}\p{N}\p{M}\p{So}\u200D_-]/gu, '')
    .replaceAll(/[\u00A0-\u00BF]|[\u0300-\u036F]|[\u2100-\u214F]/g, '')
    .replaceAll(/-+/g, '-').replace(/^-/, '');
  return cut(encodeURIComponent(hyphened.slice(0, SLUG_BYTES).replace(/[\uD800-\uDBFF]$/, '')).toLowerCase(), SLUG_BYTES);
}

/** A slug or a language as it stands in an address: as it is, unless it has characters that would have to be encoded there. */
export function toPathPart(text: string): string {
  return /^[\w.~%-]*$/.test(text) ? text : encodeURIComponent(decodeOctets(text).toWellFormed()).toLowerCase();
}

/** The slug with these ASCII letters at its end, still at most 200 bytes. */
export function withEnding(slug: string, ending: string): string {
  return `${cut(slug, SLUG_BYTES - ending.length)}${ending}`;
}

/** The slug with `-n` at its end, still at most 200 bytes: for a slug that is taken. */
export function toSuffixed(slug: string, n: number): string {
  return withEnding(slug, `-${n}`);
}
