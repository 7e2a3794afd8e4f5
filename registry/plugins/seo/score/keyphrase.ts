import { fold } from '../../../../lib/index.ts';
import { toScore, type Check, type ScoreFacts } from './facts.ts';

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
