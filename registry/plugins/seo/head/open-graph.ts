import type { HeadFacts, ImageFacts } from '../values/facts.ts';
import { phrasesOf } from '../values/phrases.ts';
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
