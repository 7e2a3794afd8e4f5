import type { MetaDefinition, MetaDefinitions } from './meta-key.ts';

const TEXT = {
  type: 'string',
  maxLength: 1000,
  revisions: true,
  translation: 'translate',
} as const satisfies MetaDefinition;
/** An absolute web address; '' for none. */
const ADDRESS = {
  type: 'string',
  maxLength: 2048,
  pattern: '^(?:https?://[^ ]+)?$',
  revisions: true,
} as const satisfies MetaDefinition;
const FLAG = { type: 'boolean', revisions: true, translation: 'copy' } as const satisfies MetaDefinition;

/** What editors enter about a page for search engines and social networks. The heads of `seo/v1` show it. */
export const SEO_KEYS: MetaDefinitions = {
  seo_title: {
    ...TEXT,
    description: 'Title of the page for search engines. May contain variables such as %%title%%.',
  },
  seo_description: { ...TEXT, description: 'Summary of the page for search engines. May contain variables.' },
  seo_keyphrase: { ...TEXT, description: 'The words with which the page should be found.' },
  seo_canonical: {
    ...ADDRESS,
    description: 'Address under which search engines list the page; empty for its own.',
  },
  seo_noindex: { ...FLAG, description: 'Whether search engines are asked not to list the page.' },
  seo_nofollow: {
    ...FLAG,
    description: 'Whether search engines are asked not to follow the links of the page.',
  },
  seo_og_title: { ...TEXT, description: 'Title of the page on social networks. May contain variables.' },
  seo_og_description: {
    ...TEXT,
    description: 'Summary of the page on social networks. May contain variables.',
  },
  seo_og_image: {
    ...ADDRESS,
    translation: 'copy',
    description: 'Address of the picture on social networks.',
  },
  seo_twitter_title: { ...TEXT, description: 'Title of the page on cards. May contain variables.' },
  seo_twitter_description: { ...TEXT, description: 'Summary of the page on cards. May contain variables.' },
  seo_cornerstone: {
    ...FLAG,
    description: 'Whether the page is one of the most important of the site. The workouts list such pages.',
  },
};
