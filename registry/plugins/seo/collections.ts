import type { CollectionDescriptor } from '../../../lib/index.ts';

/** Collections of `seo/v1`. Paths are relative to the site (`/en/alpha/`), so that the host of the site can change. */
export const seoCollections = [
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
