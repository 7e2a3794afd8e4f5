import type { HeadFacts } from '../values/facts.ts';
import { fill, phrasesOf } from '../values/phrases.ts';
import type { HeadTexts } from './texts.ts';

/** Words per minute of an average reader. */
const READING_SPEED = 200;

/** Card members under the names of the response. Title, description and image are present only where they differ from Open Graph. */
export interface TwitterCard {
  readonly twitter_card: string;
  readonly twitter_title: string;
  readonly twitter_description: string;
  readonly twitter_image: string;
  readonly twitter_creator: string;
  readonly twitter_site: string;
  /** Label -> value, in the language of the page. */
  readonly twitter_misc: Readonly<Record<string, string>>;
}

/** Whole minutes, at least 1; 0 for an empty text. */
export function toReadingMinutes(words: number): number {
  return Math.ceil(words / READING_SPEED);
}

function toMisc({ article, language, isProtected }: HeadFacts): Readonly<Record<string, string>> {
  if (article === null || isProtected) return {};
  const phrases = phrasesOf(language);
  const minutes = toReadingMinutes(article.wordCount);
  return {
    ...(article.author === null ? {} : { [phrases.writtenBy]: article.author.name }),
    ...(minutes === 0
      ? {}
      : { [phrases.readingTime]: fill(minutes === 1 ? phrases.minute : phrases.minutes, minutes) }),
  };
}

/** Card members of a page. */
export function toTwitterCard(facts: HeadFacts, texts: HeadTexts): TwitterCard {
  const handle = facts.site.owner.handle === '' ? '' : `@${facts.site.owner.handle}`;
  return {
    twitter_card: facts.kind === 'error' ? '' : 'summary_large_image',
    twitter_title: texts.twitterTitle === texts.ogTitle ? '' : texts.twitterTitle,
    twitter_description: texts.twitterDescription === texts.ogDescription ? '' : texts.twitterDescription,
    twitter_image: facts.meta.twitter_image,
    twitter_creator: facts.article === null ? '' : handle,
    twitter_site: handle,
    twitter_misc: toMisc(facts),
  };
}
