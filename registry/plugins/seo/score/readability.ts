import { countWords, type ContentFacts } from '../values/content-facts.ts';
import { toScore, type Check, type ScoreFacts } from './facts.ts';

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
