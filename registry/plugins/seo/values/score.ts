import { fold } from '../../../../lib/index.ts';
import { type ContentFacts, countWords } from './content-facts.ts';

/** The facts that the checks of a post read. Texts are plain text. */
export interface ScoreFacts {
  /** The focus keyphrase; '' when there is none. */
  readonly phrase: string;
  readonly title: string;
  readonly description: string;
  readonly slug: string;
  readonly content: ContentFacts;
  readonly internalLinks: number;
  readonly externalLinks: number;
}

/** One check of a post. `grade`: 0 (bad) to 9 (good). */
interface Check {
  readonly id: string;
  readonly grade: (facts: ScoreFacts) => number;
}

/** The grades of a text by checks, with their ids. */
export const gradeAll = (checks: readonly Check[], facts: ScoreFacts) =>
  checks.map(({ id, grade }) => ({ id, grade: grade(facts) }));

/** The share of points that the checks gave, 1 to 100. */
function toScore(checks: readonly Check[], facts: ScoreFacts): number {
  const points = checks.reduce((sum, check) => sum + check.grade(facts), 0);
  return Math.max(1, Math.round((points / (checks.length * 9)) * 100));
}

const GOOD = 9;
const FAIR = 6;
const POOR = 3;
const BAD = 0;

/** Whether the text contains the words of the phrase, in order and as whole words. */
export function holdsPhrase(text: string, phrase: string): boolean {
  const words = toWords(phrase);
  return words !== '' && ` ${toWords(text)} `.includes(` ${words} `);
}

function toWords(text: string): string {
  return fold(text)
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

function decodeSlug(slug: string): string {
  try {
    return decodeURIComponent(slug);
  } catch {
    // A malformed percent-encoding: the slug is used as it is.
    return slug;
  }
}

const found = (text: string, phrase: string, missing: number): number =>
  holdsPhrase(text, phrase) ? GOOD : missing;

function between(value: number, [low, high]: readonly [number, number], outside: number): number {
  return value >= low && value <= high ? GOOD : outside;
}

/** Checks how well a post can be found by its focus keyphrase. */
export const KEYPHRASE_CHECKS: readonly Check[] = [
  { id: 'title-length', grade: ({ title }) => (title === '' ? BAD : between(title.length, [20, 60], FAIR)) },
  {
    id: 'description-length',
    grade: ({ description }) => (description === '' ? BAD : between(description.length, [120, 156], FAIR)),
  },
  { id: 'phrase-in-title', grade: ({ title, phrase }) => found(title, phrase, BAD) },
  { id: 'phrase-in-description', grade: ({ description, phrase }) => found(description, phrase, POOR) },
  {
    id: 'phrase-in-slug',
    grade: ({ slug, phrase }) => found(decodeSlug(slug).replaceAll('-', ' '), phrase, POOR),
  },
  { id: 'phrase-at-start', grade: ({ content, phrase }) => found(content.paragraphs[0] ?? '', phrase, POOR) },
  {
    id: 'phrase-in-headings',
    grade: ({ content, phrase }) => found(content.headings.join(' / '), phrase, POOR),
  },
  {
    id: 'text-length',
    grade: ({ content: { words } }) => (words >= 300 ? GOOD : words >= 150 ? FAIR : words >= 50 ? POOR : BAD),
  },
  { id: 'internal-links', grade: ({ internalLinks }) => (internalLinks > 0 ? GOOD : POOR) },
  { id: 'external-links', grade: ({ externalLinks }) => (externalLinks > 0 ? GOOD : POOR) },
  {
    id: 'image-alt',
    grade: ({ content, phrase }) =>
      gradeImages(
        content.links.filter(({ image }) => image).map(({ alt }) => alt),
        phrase,
      ),
  },
];

function gradeImages(texts: readonly string[], phrase: string): number {
  if (texts.length === 0) return POOR;
  if (texts.some((alt) => holdsPhrase(alt, phrase))) return GOOD;
  return texts.every((alt) => alt !== '') ? FAIR : POOR;
}

/** Score of a post for its focus keyphrase, 1 to 100; 0 without one. */
export function scoreKeyphrase(facts: ScoreFacts): number {
  return facts.phrase === '' ? 0 : toScore(KEYPHRASE_CHECKS, facts);
}

/** The rank of a post in the statistics. `na`: no focus keyphrase. `noindex`: search engines do not list it. */
export type SeoRank = 'na' | 'bad' | 'ok' | 'good' | 'noindex';

/** Lowest and highest score of each rank. */
export const SCORE_RANKS = [
  ['good', 71, 100],
  ['ok', 41, 70],
  ['bad', 0, 40],
] as const satisfies readonly (readonly [SeoRank, number, number])[];

/** The rank of a post with this score and keyphrase. */
export function toRank({
  score,
  phrase,
  noindex,
}: {
  readonly score: number;
  readonly phrase: string;
  readonly noindex: boolean;
}): SeoRank {
  if (noindex) return 'noindex';
  if (phrase === '') return 'na';
  return SCORE_RANKS.find(([, low]) => score >= low)?.[0] ?? 'bad';
}

const LONG_SENTENCE = 20;
const LONG_PARAGRAPH = 150;
/** Maximum number of words in a section without a heading. */
const SECTION = 300;

function listSentences(text: string): readonly string[] {
  return text.split(/(?<![.!?…])[.!?…]+(?:\s|$)|\n/).filter((sentence) => sentence.trim() !== '');
}

function shareOf(counts: readonly number[], limit: number): number {
  return counts.length === 0 ? 1 : counts.filter((count) => count > limit).length / counts.length;
}

/** 9 up to the first share, 6 up to the second, otherwise 3. */
function gradeShare(share: number, [good, fair]: readonly [number, number]): number {
  return share <= good ? 9 : share <= fair ? 6 : 3;
}

const sentenceWords = ({ text }: ContentFacts): readonly number[] => listSentences(text).map(countWords);

/** Checks how easy a text is to read. */
export const READABILITY_CHECKS: readonly Check[] = [
  {
    id: 'sentence-length',
    grade: ({ content }) => gradeShare(shareOf(sentenceWords(content), LONG_SENTENCE), [0.25, 0.3]),
  },
  {
    id: 'paragraph-length',
    grade: ({ content }) => gradeShare(shareOf(content.paragraphs.map(countWords), LONG_PARAGRAPH), [0, 0.2]),
  },
  {
    id: 'headings',
    grade: ({ content: { words, headings } }) =>
      words <= SECTION * (headings.length + 1) ? 9 : headings.length > 0 ? 6 : 3,
  },
  { id: 'text-present', grade: ({ content: { words } }) => (words >= 50 ? 9 : words > 0 ? 3 : 0) },
];

/** Readability score of a text, 1 to 100. */
export function scoreReadability(facts: ScoreFacts): number {
  return toScore(READABILITY_CHECKS, facts);
}
