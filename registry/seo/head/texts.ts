import type { HeadFacts } from './facts.ts';

/** Longest summary in characters that is made of the text itself. */
export const SUMMARY_LENGTH = 155;

/** The first words of a text, cut between words, with an ellipsis when something was cut. */
export function toSummary(text: string, length: number = SUMMARY_LENGTH): string {
  const clean = text.replaceAll(/\s+/g, ' ').trim();
  if (clean.length <= length) return clean;
  const kept = clean.slice(0, length);
  const space = kept.lastIndexOf(' ');
  return `${(space > length / 2 ? kept.slice(0, space) : kept.replace(/[\uD800-\uDBFF]$/, '')).trimEnd()}…`;
}

const firstOf = (...texts: readonly string[]): string => texts.find((text) => text !== '') ?? '';

/** Titles and summaries of a page: what an editor wrote for the place, else for the page, else what the page says. */
export interface HeadTexts {
  readonly title: string;
  readonly description: string;
  readonly ogTitle: string;
  readonly ogDescription: string;
  readonly twitterTitle: string;
  readonly twitterDescription: string;
}

export function toTexts({ meta, title, description, opening }: HeadFacts): HeadTexts {
  const own = firstOf(meta.title, title);
  const summary = firstOf(meta.description, description);
  return {
    title: own,
    description: summary,
    ogTitle: firstOf(meta.og_title, own),
    ogDescription: firstOf(meta.og_description, summary, toSummary(opening)),
    twitterTitle: firstOf(meta.twitter_title, meta.og_title, own),
    twitterDescription: firstOf(meta.twitter_description, meta.og_description, summary, toSummary(opening)),
  };
}
