import type { HeadFacts } from './facts.ts';

/** Maximum length of a summary that is taken from the text, in characters. */
export const SUMMARY_LENGTH = 155;

/** The beginning of a text, cut between words, with an ellipsis when it was cut. */
export function toSummary(text: string, length: number = SUMMARY_LENGTH): string {
  const clean = text.replaceAll(/\s+/g, ' ').trim();
  if (clean.length <= length) return clean;
  const kept = clean.slice(0, length);
  const space = kept.lastIndexOf(' ');
  return `${(space > length / 2 ? kept.slice(0, space) : kept.replace(/[\uD800-\uDBFF]$/, '')).trimEnd()}…`;
}

const firstOf = (...texts: readonly string[]): string => texts.find((text) => text !== '') ?? '';

/** Titles and summaries of a page: what an editor set for this place, otherwise for the page, otherwise what the page contains. */
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
