/** Form of Unicode normalization. */
export type NormalForm = 'NFC' | 'NFD' | 'NFKC' | 'NFKD';

/**
 * Most marks in a row that are put in order together. Sorting takes time that grows with the square of their number: without a limit, 160,000
 * marks after one letter take seconds. No language writes more than a few; the Stream-Safe Text Format (UAX 15) allows 30.
 */
const MOST_MARKS = 64;

/** What normalization puts in order: marks, and the two half-width letters that become marks in NFKC and NFKD. */
const MARK = String.raw`\p{M}\uFF9E\uFF9F`;
const PIECE = new RegExp(`[^${MARK}]*[${MARK}]{0,${MOST_MARKS}}`, 'gu');
/** A unit of a mark, or one of a surrogate pair, which may be that of a mark. */
const UNIT = new RegExp(String.raw`[${MARK}\p{Cs}]`, 'u');

/** Number of such units in a row in one direction, at most one more than the limit. */
function countUnits(text: string, at: number, step: 1 | -1): number {
  let count = 0;
  while (count <= MOST_MARKS && UNIT.test(text.charAt(at + step * count))) count += 1;
  return count;
}

/** A row beyond the limit covers a unit whose place is a multiple of the limit. Looking there alone takes little of the time of normalizing. */
function mayHaveLongRow(text: string): boolean {
  for (let at = MOST_MARKS; at < text.length; at += MOST_MARKS) {
    if (countUnits(text, at, 1) + countUnits(text, at - 1, -1) > MOST_MARKS) return true;
  }
  return false;
}

/** As `text.normalize(form)`, in time that grows with the length of the text: longer rows of marks are normalized in parts of 64. */
export function normalize(text: string, form: NormalForm): string {
  return mayHaveLongRow(text)
    ? text.replaceAll(PIECE, (piece) => piece.normalize(form))
    : text.normalize(form);
}

/** The text without the given characters at its end. An expression such as `/-+$/` takes quadratic time for a long run of them within the text. */
export function trimEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** The words of a list of words with a blank between them. */
export const wordSet = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** Whether a text has more characters (code points) than `most`. */
export function isLonger(text: string, most: number): boolean {
  // A text has at most as many code points as units, and most texts are short.
  return text.length > most && Array.from(text).length > most;
}

/** A token of RFC 9110 5.6.2, as the source of an expression. */
export const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const HEADER_NAME = new RegExp(`^${TOKEN}$`);

/** Whether a text can be the name of a header. */
export const isToken = (text: string): boolean => HEADER_NAME.test(text);

/** Whether a value is the name of one header. */
export function isHeaderName(value: unknown): boolean {
  return typeof value === 'string' && value !== '*' && isToken(value);
}

/** Whether a value is that of a header as RFC 9110 defines it: Latin-1 without control characters other than the tab. */
export const isHeaderValue = (value: unknown): value is string =>
  typeof value === 'string' && /^[\t\x20-\x7e\x80-\xff]*$/.test(value);

/** A text without percent-encoding; null if it is not valid. */
export function decodePercent(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null; // URIError
  }
}
