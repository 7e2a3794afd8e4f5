import type { CollectionDescriptor } from '../../lib/store/collection.ts';

/** Collections beside its own two records that the representation of a post reads. */
export const SURROUNDINGS = ['terms', 'media', 'users', 'options'] as const;
/** Everything that the answer to a read of posts rests on. */
export const SHOWN = ['posts', 'post_history', ...SURROUNDINGS] as const;

/** Posts and their texts of the past. A floating draft has an empty `date_gmt`. */
export const postCollections = [
  {
    name: 'posts',
    fields: {
      type: { type: 'text' }, language: { type: 'text' },
      /** Translation group: posts of one group are translations of each other; 0: none. */
      group: { type: 'integer' },
      status: { type: 'text' }, slug: { type: 'text', folded: true }, author: { type: 'integer' },
      date: { type: 'text' }, date_gmt: { type: 'text' }, modified: { type: 'text' }, modified_gmt: { type: 'text' },
      title: { type: 'text', folded: true }, content: { type: 'text', folded: true }, excerpt: { type: 'text', folded: true },
      password: { type: 'text' }, parent: { type: 'integer' },
      comment_status: { type: 'text' }, ping_status: { type: 'text' }, format: { type: 'text' }, sticky: { type: 'boolean' },
      template: { type: 'text' }, featured_media: { type: 'integer' }, categories: { type: 'integers' }, tags: { type: 'integers' },
      meta: { type: 'json' },
      /** Status and slug before the post went to the trash. */
      trashed_from: { type: 'text' }, trashed_slug: { type: 'text' },
    },
    unique: [{ fields: ['type', 'language', 'slug'], except: { slug: '' } }, { fields: ['group', 'language'], except: { group: 0 } }],
    indexes: [
      // The type stands in every list query: with it in the index, a total is counted without looking at the records.
      ['language', 'status', 'type', 'date'], ['language', 'status', 'type', 'modified'], ['language', 'status', 'type', 'title'], ['language', 'status', 'type', 'slug'],
      ['language', 'status', 'type', 'author', 'date'], ['status', 'date_gmt'], ['group'], ['sticky', 'language', 'status', 'type', 'date'], ['slug'],
      ['categories', 'language', 'status', 'type', 'date'], ['tags', 'language', 'status', 'type', 'date'],
    ],
  },
  {
    /** `autosave` false: what an update wrote; true: the unsaved text of one author, at most one per post and author. */
    name: 'revisions',
    fields: {
      parent: { type: 'integer' }, autosave: { type: 'boolean' }, author: { type: 'integer' },
      date: { type: 'text' }, date_gmt: { type: 'text' }, modified: { type: 'text' }, modified_gmt: { type: 'text' },
      slug: { type: 'text', folded: true }, title: { type: 'text', folded: true }, content: { type: 'text', folded: true },
      excerpt: { type: 'text', folded: true }, meta: { type: 'json' },
      /** `post:author` of an autosave, so that no two writers can make a second one; '' for revisions. */
      autosave_key: { type: 'text' },
    },
    unique: [{ fields: ['autosave_key'], except: { autosave_key: '' } }],
    indexes: [['parent', 'date'], ['parent', 'autosave']],
  },
  {
    /**
     * Of each post: the number of its revisions, and the highest id of its revisions and autosaves. Beside the post and not
     * in it, because an autosave leaves the post and its version as they are. It is made and removed with the post.
     */
    name: 'post_history',
    fields: { post: { type: 'integer' }, count: { type: 'integer' }, newest: { type: 'integer' } },
    unique: [{ fields: ['post'] }],
  },
] as const satisfies readonly CollectionDescriptor[];
