import type { CollectionDescriptor } from '../../../lib/index.ts';
import { defineHostPlugin, type Plugin } from '../../plugin.ts';
import { seoDescriptor } from './routes/routes.ts';
import { SEO_SETTINGS } from './values/config.ts';

/** Collections of `seo/v1`. Paths are relative to the site (`/en/alpha/`), so that the host of the site can change. */
const seoCollections = [
  {
    /** One record per object: `key` is `post:12`, `term:3`, `home-page:en`. Written by the indexing routes. */
    name: 'seo_indexables',
    fields: {
      key: { type: 'text' },
      object_type: { type: 'text' },
      object_sub_type: { type: 'text' },
      object_id: { type: 'integer' },
      language: { type: 'text' },
      author_id: { type: 'integer' },
      path: { type: 'text' },
      post_status: { type: 'text' },
      is_public: { type: 'boolean' },
      is_protected: { type: 'boolean' },
      is_cornerstone: { type: 'boolean' },
      is_robots_noindex: { type: 'boolean' },
      focus_phrase: { type: 'text' },
      focus_score: { type: 'integer' },
      readability_score: { type: 'integer' },
      link_count: { type: 'integer' },
      incoming_link_count: { type: 'integer' },
      /** Versions that this record was built from. A different version means that the record is stale. */
      object_version: { type: 'integer' },
      meta_version: { type: 'integer' },
      builder_version: { type: 'integer' },
      /** Version of the object whose links were read; 0 when they were never read. */
      links_version: { type: 'integer' },
      created_gmt: { type: 'text' },
      updated_gmt: { type: 'text' },
      published_gmt: { type: 'text' },
      modified_gmt: { type: 'text' },
      /** Members of the response that no query filters by. */
      facts: { type: 'json' },
    },
    unique: [{ fields: ['key'] }],
    indexes: [
      ['path'],
      ['object_type', 'is_public', 'incoming_link_count'],
      ['object_type', 'is_cornerstone'],
      ['object_type', 'author_id'],
    ],
  },
  {
    /** Links in the texts of an indexable. `type`: internal, external, image-internal, image-external. `target` is 0 when unknown. */
    name: 'seo_links',
    fields: {
      indexable: { type: 'integer', references: 'seo_indexables' },
      target: { type: 'integer', references: 'seo_indexables' },
      path: { type: 'text' },
      url: { type: 'text' },
      type: { type: 'text' },
    },
    indexes: [['indexable'], ['target', 'type'], ['path', 'target']],
  },
  {
    /** What an editor entered for one object. An empty field is derived from the object's text. */
    name: 'seo_meta',
    fields: {
      object_type: { type: 'text' },
      object_id: { type: 'integer' },
      title: { type: 'text' },
      description: { type: 'text' },
      canonical: { type: 'text' },
      focus_phrase: { type: 'text' },
      breadcrumb_title: { type: 'text' },
      og_title: { type: 'text' },
      og_description: { type: 'text' },
      og_image: { type: 'text' },
      twitter_title: { type: 'text' },
      twitter_description: { type: 'text' },
      twitter_image: { type: 'text' },
      noindex: { type: 'boolean' },
      nofollow: { type: 'boolean' },
      noarchive: { type: 'boolean' },
      noimageindex: { type: 'boolean' },
      nosnippet: { type: 'boolean' },
      cornerstone: { type: 'boolean' },
    },
    unique: [{ fields: ['object_type', 'object_id'] }],
  },
] as const satisfies readonly CollectionDescriptor[];

const SCHEMA = { type: ['object', 'null'], context: ['view', 'edit'] } as const;
const HEAD = {
  ...SCHEMA,
  description:
    'Head of the page of the record as `get_head` shows it, null if it is not public. Present if `_fields` names it.',
} as const;
const CHECKS = {
  ...SCHEMA,
  description:
    'What the SEO scores of the post are made from, null if the caller may not edit it. Present if `_fields` names it.',
} as const;

/** Search engine optimisation: heads, the index of objects and links, sitemaps, redirects. */
export const seo: Plugin = defineHostPlugin(
  {
    name: 'seo',
    summary: 'Heads, links and scores for search engines',
    namespaces: [seoDescriptor],
    collections: seoCollections,
    fields: [
      { of: ['type'], name: 'seo_head_json', schema: HEAD, value: 'seo.head', asked: true },
      { of: ['term'], name: 'seo_head_json', schema: HEAD, value: 'seo.termHead', asked: true },
      { of: ['type'], name: 'seo_checks', schema: CHECKS, value: 'seo.checks', asked: true },
    ],
    documents: [
      { path: '/robots.txt', write: 'seo.file' },
      { path: '/llms.txt', write: 'seo.file' },
      { path: '/sitemap.xml', write: 'seo.file' },
      { path: '/sitemap-{part}.xml', write: 'seo.file' },
    ],
    rewrites: [{ run: 'seo.redirect' }],
  },
  { seo: SEO_SETTINGS },
  async () => (await import('./index.ts')).createSeo,
);
