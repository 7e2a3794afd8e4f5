import {
  and,
  contains,
  type Direction,
  not,
  or,
  type Order,
  type Predicate,
} from '../../../lib/store/query.ts';

/** Fields of a post that a search reads, by their wire names. */
const SEARCH_COLUMNS = {
  post_title: 'title',
  post_content: 'content',
  post_excerpt: 'excerpt',
} as const;

export type SearchColumn = keyof typeof SEARCH_COLUMNS;

/** A parsed search text. `terms`: all must occur; `excluded`: none may occur; `phrase`: the text as a whole. */
interface SearchTerms {
  readonly terms: readonly string[];
  readonly excluded: readonly string[];
  readonly phrase: string;
}

/** How to search. `columns`: default all; `exact`: a term must equal a whole field; by default it may be part of one. */
export interface SearchScope {
  readonly columns?: readonly SearchColumn[];
  readonly exact?: boolean;
}

// As in WordPress, a text with more words, or a longer text, is searched as one phrase. Each word costs a pass over every text.
const MAX_TERMS = 9;
const MAX_LENGTH = 1600;
const TERM = /(-?)"([^"]*)(?:"|$)|[^\s",+]+/g;

/** Parses a search text into words, `"quoted phrases"` and `-excluded` ones. A comma or plus sign also separates words. */
export function parseSearch(search: string): SearchTerms {
  const phrase = search.trim();
  const whole = { terms: phrase === '' ? [] : [phrase], excluded: [], phrase };
  if (phrase.length > MAX_LENGTH) return whole;
  const terms = new Set<string>();
  const excluded = new Set<string>();
  for (const [match, minus, quoted] of phrase.matchAll(TERM)) {
    const negative = minus === '-' || (minus === undefined && match.length > 1 && match.startsWith('-'));
    const term = (quoted ?? (negative ? match.slice(1) : match)).trim();
    if (term !== '') (negative ? excluded : terms).add(term);
  }
  const count = terms.size + excluded.size;
  return count === 0 || count > MAX_TERMS ? whole : { terms: [...terms], excluded: [...excluded], phrase };
}

function toFields(columns: readonly SearchColumn[] = []): readonly string[] {
  const names =
    columns.length === 0 ? Object.values(SEARCH_COLUMNS) : columns.map((each) => SEARCH_COLUMNS[each]);
  return [...new Set(names)];
}

/** The condition of a search; undefined if the text contains no terms (then everything matches). */
export function toSearchPredicate(
  { terms, excluded }: SearchTerms,
  { columns, exact = false }: SearchScope = {},
): Predicate | undefined {
  const op = exact ? 'equalsFolded' : 'contains';
  const fields = toFields(columns);
  const somewhere = (text: string): Predicate =>
    or(...fields.map((field): Predicate => ({ op, field, text })));
  const conditions = [...terms.map(somewhere), ...excluded.map((text) => not(somewhere(text)))];
  return conditions.length === 0 ? undefined : and(...conditions);
}

/**
 * The order `relevance`: for several words, the phrase in the title, all words in the title, one of them in the title, the phrase in the
 * excerpt, the phrase in the content. For one word, posts with the word in the title come first. Ties are ordered by date; `direction` applies to the date only.
 */
export function toRelevance(
  { terms, excluded, phrase }: SearchTerms,
  direction: Direction = 'desc',
): readonly Order[] {
  const inTitle = terms.map((term) => contains('title', term));
  const single = terms[0] ?? '';
  // With exclusions, the text as a whole is not a phrase that could occur. A quoted phrase is one term and ranks like a word.
  const whole = excluded.length === 0 && terms.length > 1 ? [phrase.replaceAll('"', '')] : [];
  const rank =
    terms.length > 1
      ? [
          ...whole.map((text) => contains('title', text)),
          and(...inTitle),
          or(...inTitle),
          ...whole.flatMap((text) => [contains('excerpt', text), contains('content', text)]),
        ]
      : [contains('title', single)];
  const byDate: Order = { field: 'date', direction };
  return terms.length === 0 ? [byDate] : [{ rank, direction: 'asc' }, byDate];
}
