import type { HeadFacts } from '../values/facts.ts';
import { toSummary } from './summary.ts';
import { fillTemplate } from './templates.ts';

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

export function toTexts(facts: HeadFacts): HeadTexts {
  const { meta, title, description, opening } = facts;
  const filled = (text: string): string => fillTemplate(text, facts);
  const [ownTitle, ownSummary] = [
    firstOf(filled(meta.title), title),
    firstOf(filled(meta.description), description),
  ];
  const [ogTitle, ogDescription] = [filled(meta.og_title), filled(meta.og_description)];
  return {
    title: ownTitle,
    description: ownSummary,
    ogTitle: firstOf(ogTitle, ownTitle),
    ogDescription: firstOf(ogDescription, ownSummary, toSummary(opening)),
    twitterTitle: firstOf(filled(meta.twitter_title), ogTitle, ownTitle),
    twitterDescription: firstOf(
      filled(meta.twitter_description),
      ogDescription,
      ownSummary,
      toSummary(opening),
    ),
  };
}
