import type { HeadFacts, ImageFacts } from '../values/head-facts.ts';
import { fill, phrasesOf } from '../values/page-context.ts';
import type { HeadTexts } from './texts.ts';

/** `width`, `height` and `type` are present only when known. */
interface OpenGraphImage {
  readonly url: string;
  readonly width?: number;
  readonly height?: number;
  readonly type?: string;
}

/** Open Graph members under the names of the response. The caller omits '' and empty lists. */
export interface OpenGraph {
  readonly og_locale: string;
  readonly og_type: string;
  readonly og_title: string;
  readonly og_description: string;
  readonly og_url: string;
  readonly og_site_name: string;
  readonly article_publisher: string;
  readonly article_author: string;
  readonly article_published_time: string;
  readonly article_modified_time: string;
  readonly og_image: readonly OpenGraphImage[];
}

const TYPES: Readonly<Record<HeadFacts['kind'], string>> = {
  article: 'article',
  front: 'website',
  'front-page': 'website',
  archive: 'article',
  author: 'profile',
  search: 'article',
  error: '',
};

function toImage({ url, width, height, type }: ImageFacts): OpenGraphImage {
  return { url, ...(width > 0 && height > 0 ? { width, height } : {}), ...(type === '' ? {} : { type }) };
}

/** Images for cards: the editor's, otherwise those of the page; none for a protected page. */
function toImages(facts: HeadFacts): readonly OpenGraphImage[] {
  if (facts.meta.og_image !== '') return [{ url: facts.meta.og_image }];
  return facts.images.map(toImage);
}

/** Open Graph members of a page (ogp.me). */
export function toOpenGraph(facts: HeadFacts, texts: HeadTexts): OpenGraph {
  const { site } = facts;
  const article = facts.kind === 'article' ? facts.article : null;
  return {
    og_locale: phrasesOf(facts.language).locale,
    og_type: TYPES[facts.kind],
    og_title: texts.ogTitle,
    og_description: texts.ogDescription,
    og_url: facts.url,
    og_site_name: site.name,
    article_publisher: article === null ? '' : site.owner.publisher,
    article_author: article?.author?.sameAs[0] ?? '',
    article_published_time: article?.published ?? '',
    article_modified_time: article !== null && article.modified > article.published ? article.modified : '',
    og_image: toImages(facts),
  };
}

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
