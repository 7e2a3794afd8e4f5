import { own } from '../../../lib/core/objects.ts';
import { decodePercent, normalize, trimEnd } from '../../../lib/core/text.ts';
import { and, oneOf, type Predicate } from '../../../lib/store/query.ts';
import type { Store } from '../../../lib/store/store.ts';
import { readHtml } from './html/html.ts';

/** Maximum length of a slug in bytes. A slug is ASCII, so also in characters. */
export const SLUG_BYTES = 200;
// In practice, a slug of 200 bytes never needs more of the text than this, whatever is dropped from it.
const MAX_INPUT = 10_000;

/** Lower-case Latin letters that Unicode does not decompose into a letter and marks. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ħ: 'h',
  ı: 'i',
  ĸ: 'k',
  ŋ: 'n',
  ŧ: 't',
  ſ: 's',
  ƒ: 'f',
  ĳ: 'ij',
  ŀ: 'l',
  ŉ: 'n',
  ª: 'a',
  º: 'o',
  ǆ: 'dz',
  ǉ: 'lj',
  ǌ: 'nj',
  '€': 'e',
  '×': 'x',
};
const LETTER = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'gu');

function foldLetters(text: string): string {
  return normalize(
    normalize(text.toLowerCase(), 'NFD').replaceAll(/([a-z])[\u0300-\u036f]+/g, '$1'),
    'NFC',
  ).replaceAll(LETTER, (letter) => own(LETTERS, letter) ?? letter);
}

/** Decodes a slug that was encoded before, so that encoding it again does not change it. */
export function decodeOctets(text: string): string {
  // Octets that are not valid UTF-8 are dropped.
  return text.replaceAll(/(?:%[0-9a-f]{2})+/gi, (octets) => decodePercent(octets) ?? '');
}

/** Titles that need no folding, decoding or encoding. */
const PLAIN = /^[A-Za-z0-9_ -]*$/;

function toWords(text: string): string {
  if (!/[<&]/.test(text)) return text;
  let words = '';
  readHtml(text, {
    text: (part) => {
      words += part;
    },
  });
  return words;
}

/** Shortens an encoded slug to `limit` bytes. A character is kept whole or dropped, and a trailing hyphen is removed. */
function cut(slug: string, limit: number): string {
  let kept = slug.slice(0, limit);
  if (kept.length < slug.length) {
    kept = kept.replace(/%[0-9a-f]?$/, '');
    for (let dropped = 0; dropped < 4 && decodePercent(kept) === null; dropped += 1)
      kept = kept.replace(/%[0-9a-f]{2}$/, '');
  }
  return trimEnd(kept, '-');
}

/**
 * The slug of a title, or a normalised slug: lower case, without accents; spaces, slashes, dots and dashes become single hyphens; other
 * scripts are percent-encoded in lower case; other marks are dropped; at most 200 bytes. Empty if nothing remains. Idempotent.
 */
export function toSlug(text: string): string {
  const input = text.slice(0, MAX_INPUT);
  if (PLAIN.test(input))
    return cut(input.toLowerCase().replaceAll(/[ -]+/g, '-').replace(/^-/, ''), SLUG_BYTES);
  const plain = foldLetters(toWords(decodeOctets(input)));
  const hyphened = plain
    .replaceAll(/[\s\p{Z}/.\u2010-\u2015]+/gu, '-')
    // Letters, digits, marks of other scripts and symbols such as emoji are kept. ASCII and Latin punctuation is dropped.
    .replaceAll(/[^\p{L}\p{N}\p{M}\p{So}\u200D_-]/gu, '')
    .replaceAll(/[\u00A0-\u00BF]|[\u0300-\u036F]|[\u2100-\u214F]/g, '')
    .replaceAll(/-+/g, '-')
    .replace(/^-/, '');
  return cut(
    encodeURIComponent(hyphened.slice(0, SLUG_BYTES).replace(/[\uD800-\uDBFF]$/, '')).toLowerCase(),
    SLUG_BYTES,
  );
}

/** The beginning of a slug, at most `most` bytes. */
export function cutSlug(slug: string, most = SLUG_BYTES): string {
  return cut(slug, most);
}

/** The slug with these ASCII letters appended, still at most `most` bytes. */
export function withEnding(slug: string, ending: string, most = SLUG_BYTES): string {
  return `${cut(slug, most - ending.length)}${ending}`;
}

/** The slug with `-n` appended, still at most `most` bytes: for a slug that is taken. The first one has no number. */
export function toSuffixed(slug: string, n: number, most = SLUG_BYTES): string {
  return n === 1 ? slug : withEnding(slug, `-${n}`, most);
}

/** Numbers that are looked up at once. */
const AT_ONCE = 20;
/** The number of a slug, unless it is larger than any that is given. */
const NUMBER = /-(\d{1,9})$/;

/** Numbers between one that is taken and one that is free, or after it. */
function toNumbers(taken: number, free: number): readonly number[] {
  if (free === Infinity) return Array.from({ length: AT_ONCE }, (_each, at) => taken * 2 ** (at + 1));
  const step = Math.ceil((free - taken) / (AT_ONCE + 1));
  return Array.from({ length: Math.ceil((free - taken) / step) - 1 }, (_each, at) => taken + step * (at + 1));
}

/** `slug`: without a number. `own`: the one that the record itself has. `most`: as of `toSuffixed`. `toName`: what is looked up for a number. Default: the slug with it. */
interface WantedSlug {
  readonly slug: string;
  readonly own?: string;
  readonly most?: number;
  readonly toName?: (n: number) => string;
}

/** Records of a `collection`, those `where` it holds, of which no two have the same slug. Default: all of them. */
interface SlugPlace {
  readonly collection: string;
  readonly where?: Predicate;
}

/** Which of these slugs records have. */
export async function listTakenSlugs(
  store: Store,
  { collection, where = and() }: SlugPlace,
  slugs: readonly string[],
): Promise<ReadonlySet<string>> {
  const { records } = await store.find({
    collection,
    where: and(where, oneOf('slug', slugs)),
    fields: ['slug'],
  });
  return new Set(records.map((record) => String(record['slug'])));
}

/** The slug, with the number of `findFreeNumber` if a record has it. */
export async function findFreeSlug(store: Store, place: SlugPlace, wanted: WantedSlug): Promise<string> {
  const number = await findFreeNumber(wanted, (slugs) => listTakenSlugs(store, place, slugs));
  return toSuffixed(wanted.slug, number, wanted.most);
}

/**
 * The number with which a slug is free (`toSuffixed`): the first one. Beyond the first twenty it is one that follows a taken number, so that
 * a few look-ups find it however many are taken. `listTaken`: which of these slugs are taken.
 */
export async function findFreeNumber(
  { slug, own = '', most, toName = (n) => toSuffixed(slug, n, most) }: WantedSlug,
  listTaken: (slugs: readonly string[]) => Promise<ReadonlySet<string>>,
): Promise<number> {
  const ownNumber = Number(NUMBER.exec(own)?.[1] ?? 0);
  let [last, free] = [0, Infinity];
  let numbers: readonly number[] = Array.from({ length: AT_ONCE }, (_each, at) => at + 1);
  if (ownNumber > AT_ONCE) numbers = [...numbers, ownNumber];
  while (free - last > 1) {
    const slugs = numbers.map(toName);
    const taken = await listTaken(slugs.filter((each) => each !== own));
    const at = slugs.findIndex((each) => !taken.has(each));
    free = numbers[at] ?? free;
    last = (at === -1 ? numbers.at(-1) : numbers[at - 1]) ?? last;
    numbers = toNumbers(last, free);
  }
  return free;
}
