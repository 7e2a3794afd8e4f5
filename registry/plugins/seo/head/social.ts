import { type HeadFacts, type ImageFacts, toSize } from '../values/head-facts.ts';
import { fill, phrasesOf } from '../values/page-context.ts';
import { toFilled } from '../values/scalars.ts';
import type { HeadTexts } from './texts.ts';

/** `width`, `height` and `type` are present only when known. */
type OpenGraphImage = Pick<ImageFacts, 'url'> & Partial<Pick<ImageFacts, 'width' | 'height' | 'type'>>;

const TYPES: Readonly<Record<HeadFacts['kind'], string>> = {
  article: 'article',
  front: 'website',
  'front-page': 'website',
  archive: 'article',
  author: 'profile',
  search: 'article',
  error: '',
};

function toImage(image: ImageFacts): OpenGraphImage {
  return { url: image.url, ...toSize(image), ...toFilled({ type: image.type }) };
}

/** Images for cards: the editor's, otherwise those of the page; none for a protected page. */
function toImages(facts: HeadFacts): readonly OpenGraphImage[] {
  if (facts.meta.og_image !== '') return [{ url: facts.meta.og_image }];
  return facts.images.map(toImage);
}

/** Open Graph members of a page (ogp.me), under the names of the response. The caller omits '' and empty lists. */
export function toOpenGraph(facts: HeadFacts, texts: HeadTexts) {
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

/** Whole minutes, at least 1; 0 for an empty text. */
export function toReadingMinutes(words: number): number {
  return Math.ceil(words / READING_SPEED);
}

/** Label -> value, in the language of the page. */
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

/** Card members of a page, under the names of the response. Title, description and image are present only where they differ from Open Graph. */
export function toTwitterCard(facts: HeadFacts, texts: HeadTexts) {
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
