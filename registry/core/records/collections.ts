import type { CollectionDescriptor } from '../../../lib/store/collection.ts';
import type { ContentModel } from '../model/content-model.ts';
import { DATE, NAME } from '../model/short-fields.ts';
import { commentCollection } from './comment-record.ts';
import { withMetaIndexes } from './meta-index.ts';
import { oldSlugCollection } from './old-slugs.ts';

/** Collections that the representation of a post reads in addition to the post and its history. */
export const SURROUNDINGS = ['terms', 'media', 'users', 'options'] as const;
/** Every collection on which the response to a read of posts depends. */
export const SHOWN = ['posts', 'post_history', ...SURROUNDINGS] as const;

/** Posts and their past texts. A floating draft has an empty `date_gmt`. */
export const postCollections = [
  {
    name: 'posts',
    fields: {
      type: NAME,
      language: NAME,
      /** Translation group: the posts of a group are translations of each other. 0 for none. */
      group: { type: 'integer' },
      /** The other members of the group, as `keep-siblings.ts` writes them. */
      siblings: { type: 'texts' },
      status: NAME,
      slug: { type: 'text', folded: true },
      author: { type: 'integer' },
      date: DATE,
      date_gmt: DATE,
      modified: DATE,
      modified_gmt: DATE,
      title: { type: 'text', folded: true },
      content: { type: 'text', folded: true },
      excerpt: { type: 'text', folded: true },
      password: { type: 'text' },
      parent: { type: 'integer' },
      menu_order: { type: 'integer' },
      comment_status: { type: 'text' },
      ping_status: { type: 'text' },
      format: { type: 'text' },
      sticky: { type: 'boolean' },
      template: { type: 'text' },
      featured_media: { type: 'integer' },
      categories: { type: 'integers' },
      tags: { type: 'integers' },
      /** Terms of all registered taxonomies. */
      terms: { type: 'integers' },
      meta: { type: 'json' },
      /** Status and slug of the post before it went to the trash. */
      trashed_from: { type: 'text' },
      trashed_slug: { type: 'text' },
    },
    unique: [
      { fields: ['type', 'language', 'parent', 'slug'], except: { slug: '' } },
      { fields: ['group', 'language'], except: { group: 0 } },
    ],
    indexes: [
      // Every list query has the type. With it in the index, a total is counted without reading the records.
      ['language', 'status', 'type', 'date'],
      ['language', 'status', 'type', 'modified'],
      ['language', 'status', 'type', 'title'],
      ['language', 'status', 'type', 'slug'],
      ['language', 'status', 'type', 'author'],
      ['language', 'status', 'type', 'author', 'date'],
      ['status', 'date_gmt'],
      ['group'],
      ['parent'],
      ['sticky', 'language', 'status', 'type', 'date'],
      ['slug'],
      // Searches leave out posts with a password, except those of the caller.
      ['language', 'status', 'type', 'password', 'author'],
      ['categories', 'language', 'status', 'type', 'date'],
      ['tags', 'language', 'status', 'type', 'date'],
      ['terms', 'language', 'status', 'type', 'date'],
    ],
    search: ['title', 'content', 'excerpt'],
    logged: { keeps: ['type', 'language', 'status', 'author', 'slug', 'parent'], hides: ['password'] },
  },
  {
    /** `autosave` is false for the text that an update wrote, and true for the unsaved text of one author, at most one per post and author. */
    name: 'revisions',
    fields: {
      parent: { type: 'integer' },
      autosave: { type: 'boolean' },
      author: { type: 'integer' },
      date: DATE,
      date_gmt: DATE,
      modified: DATE,
      modified_gmt: DATE,
      slug: { type: 'text', folded: true },
      title: { type: 'text', folded: true },
      content: { type: 'text', folded: true },
      excerpt: { type: 'text', folded: true },
      meta: { type: 'json' },
      /** `post:author` of an autosave, so that two concurrent writers cannot make two of them; '' for revisions. */
      autosave_key: { type: 'text' },
    },
    unique: [{ fields: ['autosave_key'], except: { autosave_key: '' } }],
    indexes: [
      ['parent', 'date'],
      ['parent', 'autosave'],
    ],
  },
  {
    /**
     * The number of revisions of each post, and the highest id of its revisions and autosaves. This is not a field of the post,
     * because an autosave does not change the post or its version. The record is created and removed with the post.
     */
    name: 'post_history',
    fields: { post: { type: 'integer' }, count: { type: 'integer' }, newest: { type: 'integer' } },
    unique: [{ fields: ['post'] }],
  },
  commentCollection,
  oldSlugCollection,
] as const satisfies readonly CollectionDescriptor[];

/** The collections of posts for a site with this content. */
export function toPostCollections(content: ContentModel): readonly CollectionDescriptor[] {
  const [posts, ...others] = postCollections;
  return [withMetaIndexes(posts, content), ...others];
}
