import { toPlainText } from '../../content/plain-text.ts';
import type { HtmlPlace } from '../../content/html.ts';

/**
 * A term in one pair of languages. `term`: as the source writes it. `translation`: null if the term must not be translated.
 * `caseSensitive`: capitals matter. `note`: for translators.
 */
export interface GlossaryTerm {
  readonly term: string;
  readonly translation: string | null;
  readonly caseSensitive: boolean;
  readonly note: string;
}

/** A place of a text where a term stands. */
export interface FoundTerm extends HtmlPlace {
  readonly term: GlossaryTerm;
}

/** Finds the terms of a glossary in texts. Of terms that overlap, the longest counts. */
export interface TermFinder {
  /** The glossary. */
  readonly all: readonly GlossaryTerm[];
  /** Where terms stand in a plain text, in order. */
  places(text: string): readonly FoundTerm[];
  /** The terms of an HTML text, each once. */
  terms(html: string): readonly GlossaryTerm[];
}

/** A word, a character of a script without spaces, or any other character. */
const TOKEN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}])[\p{L}\p{N}\p{M}_])+|\S/gu;

interface Token extends HtmlPlace {
  readonly text: string;
  readonly lower: string;
  /** Whether white space stands in front of it. */
  readonly isApart: boolean;
}

function toTokens(text: string): readonly Token[] {
  let end = 0;
  return [...text.matchAll(TOKEN)].map(({ index, 0: whole }) => {
    const normal = whole.normalize('NFC');
    const token = { text: normal, lower: normal.toLowerCase(), isApart: index > end, from: index, to: index + whole.length };
    end = token.to;
    return token;
  });
}

interface Entry {
  readonly term: GlossaryTerm;
  readonly tokens: readonly Token[];
}

const isAt = (tokens: readonly Token[], start: number, { term: { caseSensitive }, tokens: wanted }: Entry): boolean => wanted.every((each, index) => {
  const token = tokens[start + index];
  if (token === undefined || (index > 0 && token.isApart !== each.isApart)) return false;
  return caseSensitive ? token.text === each.text : token.lower === each.lower;
});

/** Terms by their first word, the longest first. */
function toIndex(terms: readonly GlossaryTerm[]): ReadonlyMap<string, readonly Entry[]> {
  const index = new Map<string, Entry[]>();
  for (const term of terms) {
    const tokens = toTokens(term.term);
    const first = tokens[0]?.lower ?? '';
    const entries = index.get(first) ?? [];
    entries.push({ term, tokens });
    index.set(first, entries);
  }
  for (const entries of index.values()) entries.sort((a, b) => b.tokens.length - a.tokens.length || Number(b.term.caseSensitive) - Number(a.term.caseSensitive));
  return index;
}

/** Prepares a glossary. Words are compared as a whole, and white space as one space. */
export function createTermFinder(terms: readonly GlossaryTerm[]): TermFinder {
  const index = toIndex(terms);
  const places = (text: string): readonly FoundTerm[] => {
    if (index.size === 0) return [];
    const tokens = toTokens(text);
    const found: FoundTerm[] = [];
    for (let at = 0; at < tokens.length;) {
      const start = at;
      const entry = index.get(tokens[at]?.lower ?? '')?.find((each) => isAt(tokens, start, each));
      at += entry?.tokens.length ?? 1;
      if (entry !== undefined) found.push({ term: entry.term, from: tokens[start]?.from ?? 0, to: tokens[at - 1]?.to ?? 0 });
    }
    return found;
  };
  return { all: terms, places, terms: (html) => (index.size === 0 ? [] : [...new Set(places(toPlainText(html)).map(({ term }) => term))]) };
}

/** No glossary. */
export const NO_TERMS: TermFinder = createTermFinder([]);

const isIn = (text: string, wanted: string, caseSensitive: boolean): boolean => (caseSensitive ? text.includes(wanted) : text.toLowerCase().includes(wanted.toLowerCase()));

/**
 * The terms of a source that its translation lacks altogether: protected ones that are gone, and others whose translation is missing. The
 * wanted text may be part of a word, because languages inflect and compound.
 */
export function listMissingTerms(finder: TermFinder, source: string, target: string): readonly GlossaryTerm[] {
  const terms = finder.terms(source);
  if (terms.length === 0) return [];
  const text = toPlainText(target).normalize('NFC');
  return terms.filter(({ term, translation, caseSensitive }) => !isIn(text, toPlainText(translation ?? term).normalize('NFC'), caseSensitive));
}
