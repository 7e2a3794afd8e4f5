import type { CollectionDescriptor, RecordOf, StoredRecord } from '../../../../lib/index.ts';

const TEXT = { type: 'text' } as const;
const INTEGER = { type: 'integer' } as const;
const FLAG = { type: 'boolean' } as const;

/** Collections of `seo/v1`. Paths are relative to the site (`/en/alpha/`), so that the host of the site can change. */
export const seoCollections = [
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

type Name = (typeof seoCollections)[number]['name'];

/** The fields of a record of the collection of this name. `T`: what is known of its JSON fields. */
export type SeoFields<N extends Name, T = Readonly<Record<never, never>>> = Omit<
  RecordOf<Extract<(typeof seoCollections)[number], { readonly name: N }>>,
  keyof T
> &
  T;

/** A record of the collection of this name. */
export type SeoRecord<N extends Name> = StoredRecord & SeoFields<N>;
