import {
  NO_META,
  type ArticleFacts,
  type HeadFacts,
  type SeoMeta,
} from '../../../../../registry/plugins/seo/values/head-facts.ts';

export const AUTHOR = {
  name: 'Ann "Q" Author',
  slug: 'ann',
  url: 'https://example.org/en/author/ann/',
  description: '',
  sameAs: [],
};

export const ARTICLE: ArticleFacts = {
  published: '2024-01-05T09:00:00+00:00',
  modified: '2024-01-05T09:00:00+00:00',
  author: AUTHOR,
  sections: ['News'],
  keywords: [],
  wordCount: 420,
  comments: false,
};

const PAGE: HeadFacts = {
  kind: 'article',
  url: 'https://example.org/en/alpha/',
  language: 'en',
  heading: 'Alpha',
  title: 'Alpha - Site',
  description: '',
  opening: 'First words of the text.',
  meta: NO_META,
  article: ARTICLE,
  person: null,
  images: [],
  alternates: {},
  defaultAlternate: '',
  isProtected: false,
  previous: '',
  next: '',
  trail: [
    { name: 'Home', url: 'https://example.org/en/' },
    { name: 'Alpha', url: 'https://example.org/en/alpha/' },
  ],
  site: {
    name: 'Site',
    description: 'A site',
    home: 'https://example.org/en',
    perPage: 10,
    verification: {},
    owner: {
      type: 'Organization',
      name: 'Site',
      description: '',
      logo: '',
      sameAs: [],
      handle: '',
      publisher: '',
    },
  },
};

/** The facts of a plain post, with overrides. */
export function factsOf(changes: Partial<HeadFacts> = {}, meta: Partial<SeoMeta> = {}): HeadFacts {
  return { ...PAGE, ...changes, meta: { ...NO_META, ...meta } };
}
