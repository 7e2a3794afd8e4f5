import { fold } from '../../../../lib/store/stored-text.ts';
import { toExcerpt } from '../text/excerpt.ts';
import type { PostRule } from './rule.ts';

// Controls except tab and line ends; embeddings, overrides and isolates. Plain direction marks and joiners are legitimate in some scripts.
const INVISIBLE = /(?![\t\n\r])\p{Cc}|[\u200B\u2060\u202A-\u202E\u2066-\u2069\uFEFF]/gu;

function toCodePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Rules for titles. */
export const titleRules: readonly PostRule[] = [
  {
    id: 'title-phrase',
    type: 'postBadTitle',
    severity: 75,
    message: 'The title contains an unwanted phrase.',
    check: ({ title }, { settings }) => {
      const folded = fold(title);
      return settings['titles.phrases'].filter((phrase) => folded.includes(fold(phrase))).map(toExcerpt);
    },
  },
  {
    id: 'title-invisible',
    type: 'postBadTitle',
    severity: 75,
    message: 'The title contains invisible characters.',
    check: ({ title }) =>
      [...new Set(title.match(INVISIBLE) ?? [])].map((character) => toExcerpt(toCodePoint(character))),
  },
];
