import type { CollectionDescriptor } from '../../../lib/index.ts';
import { defineHostPlugin, type Plugin } from '../../plugin.ts';
import { seoDescriptor } from './routes/routes.ts';
import { SEO_SETTINGS } from './values/config.ts';

const TEXT = { type: 'text' } as const;
const INTEGER = { type: 'integer' } as const;
const FLAG = { type: 'boolean' } as const;

/** Collections of `seo/v1`. Paths are relative to the site (`/en/alpha/`), so that the host of the site can change. */
const seoCollections = [
  {
    /** One record per object: `key` is `post:12`, `term:3`, `home-page:en`. Written by the indexing routes. */
    name: 'seo_indexables',
    fields: {
      key: TEXT,
      object_type: TEXT,
      object_sub_type: TEXT,
      object_id: INTEGER,
      language: TEXT,
      author_id: INTEGER,
      path: TEXT,
      post_status: TEXT,
      is_public: FLAG,
      is_protected: FLAG,
      is_cornerstone: FLAG,
      is_robots_noindex: FLAG,
      focus_phrase: TEXT,
      focus_score: INTEGER,
      readability_score: INTEGER,
      link_count: INTEGER,
      incoming_link_count: INTEGER,
      /** Versions that this record was built from. A different version means that the record is stale. */
      object_version: INTEGER,
      meta_version: INTEGER,
      builder_version: INTEGER,
      /** Version of the object whose links were read; 0 when they were never read. */
      links_version: INTEGER,
      created_gmt: TEXT,
      updated_gmt: TEXT,
      published_gmt: TEXT,
      modified_gmt: TEXT,
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
      path: TEXT,
      url: TEXT,
      type: TEXT,
    },
    indexes: [['indexable'], ['target', 'type'], ['path', 'target']],
  },
  {
    /** What an editor entered for one object. An empty field is derived from the object's text. */
    name: 'seo_meta',
    fields: {
      object_type: TEXT,
      object_id: INTEGER,
      title: TEXT,
      description: TEXT,
      canonical: TEXT,
      focus_phrase: TEXT,
      breadcrumb_title: TEXT,
      og_title: TEXT,
      og_description: TEXT,
      og_image: TEXT,
      twitter_title: TEXT,
      twitter_description: TEXT,
      twitter_image: TEXT,
      noindex: FLAG,
      nofollow: FLAG,
      noarchive: FLAG,
      noimageindex: FLAG,
      nosnippet: FLAG,
      cornerstone: FLAG,
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
