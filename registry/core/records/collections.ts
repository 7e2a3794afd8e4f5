import type { CollectionDescriptor, FieldDescriptor } from '../../../lib/store/collection.ts';
import type { ContentModel } from '../model/content-model.ts';
import { oldSlugCollection } from './history.ts';
import { withMetaIndexes } from './meta-values.ts';

/** A name of the site: a type, a status, a language. */
const NAME = { type: 'text', maxLength: 100 } as const satisfies FieldDescriptor;

/** A date: `YYYY-MM-DDTHH:MM:SS`, or empty. */
const DATE = { type: 'text', maxLength: 40 } as const satisfies FieldDescriptor;

/** Comments. Their dates are those of posts. */
const commentCollection = {
  name: 'comments',
  fields: {
    post: { type: 'integer' },
    post_type: NAME,
    language: NAME,
    parent: { type: 'integer' },
    author: { type: 'integer' },
    author_name: { type: 'text', folded: true },
    author_email: { type: 'text' },
    author_url: { type: 'text' },
    author_ip: { type: 'text' },
    author_user_agent: { type: 'text' },
    date: DATE,
    date_gmt: DATE,
    content: { type: 'text', folded: true },
    status: NAME,
    type: NAME,
    trashed_from: { type: 'text' },
    meta: { type: 'json' },
    /** When it was written, in milliseconds since 1970, whatever date it shows. */
    written: { type: 'integer' },
    /** The same text by the same author on the same post, and the quarter of a minute in which an author wrote. '' for none. Two writers at once cannot both have one. */
    sameness: { type: 'text' },
    pace: { type: 'text' },
  },
  unique: [
    { fields: ['sameness'], except: { sameness: '' } },
    { fields: ['pace'], except: { pace: '' } },
  ],
  indexes: [
    ['post', 'status', 'type', 'date_gmt'],
    ['language', 'status', 'type', 'date_gmt'],
    ['parent', 'status'],
    ['author', 'status', 'date_gmt'],
    ['author_email', 'status', 'date_gmt'],
    ['author_ip', 'written'],
  ],
  logged: { keeps: ['status', 'type', 'post', 'post_type', 'language', 'author'] },
} as const satisfies CollectionDescriptor;

/** Collections that several namespaces share. Dates have the format `YYYY-MM-DDTHH:MM:SS`, in site time or, if the name ends in `_gmt`, in GMT. */
export const siteCollections = [
  {
    name: 'users',
    fields: {
      login: { type: 'text', folded: true },
      name: { type: 'text', folded: true },
      slug: { type: 'text', folded: true },
      /** The first role; '' for none. `more_roles`: all others. */
      role: { type: 'text' },
      more_roles: { type: 'texts' },
      email: { type: 'text', folded: true },
      description: { type: 'text' },
      url: { type: 'text' },
      registered_gmt: { type: 'text' },
      first_name: { type: 'text' },
      last_name: { type: 'text' },
      nickname: { type: 'text' },
      locale: { type: 'text' },
      meta: { type: 'json' },
      /** The folded address of a user that was written through the API, so that two concurrent writers cannot take the same one; '' for others. */
      email_key: { type: 'text' },
      /** Who the user is for the host's own login, such as `sub` of OpenID Connect; '' for nobody there. */
      subject: { type: 'text', maxLength: 255 },
      /** Language pairs of a translator: `en:fr`. */
      language_pairs: { type: 'texts' },
    },
    unique: [
      { fields: ['login'] },
      { fields: ['slug'] },
      { fields: ['email_key'], except: { email_key: '' } },
      { fields: ['subject'], except: { subject: '' } },
    ],
    indexes: [['role'], ['name'], ['email']],
    logged: { keeps: ['slug'] },
  },
  {
    /** Passwords. Only a hash is stored. An application password has a `uuid`; the password that a person logs in with has none. */
    name: 'credentials',
    fields: {
      user: { type: 'integer' },
      name: { type: 'text' },
      hash: { type: 'text' },
      created_gmt: { type: 'text' },
      uuid: { type: 'text' },
      app_id: { type: 'text' },
      last_used_gmt: { type: 'text' },
      last_ip: { type: 'text' },
    },
    unique: [{ fields: ['uuid'], except: { uuid: '' } }],
    indexes: [['user']],
  },
  {
    name: 'terms',
    fields: {
      taxonomy: NAME,
      name: { type: 'text', folded: true },
      slug: { type: 'text', folded: true },
      parent: { type: 'integer' },
      description: { type: 'text' },
      language: NAME,
      meta: { type: 'json' },
      /** Translation group: the terms of a group are translations of each other. 0 for none. */
      group: { type: 'integer' },
      /** The languages of the other members of the group. */
      siblings: { type: 'texts' },
    },
    // Not unique: group and language, because stores of older versions may violate such a key. Writers claim another member of the group instead.
    unique: [{ fields: ['taxonomy', 'language', 'slug'] }],
    logged: { keeps: ['taxonomy', 'language', 'slug'] },
    indexes: [['taxonomy', 'name'], ['taxonomy', 'language', 'name'], ['group'], ['parent']],
  },
  {
    name: 'media',
    fields: {
      author: { type: 'integer' },
      date: DATE,
      date_gmt: DATE,
      modified: DATE,
      modified_gmt: DATE,
      title: { type: 'text', folded: true },
      slug: { type: 'text' },
      alt: { type: 'text' },
      caption: { type: 'text', folded: true },
      description: { type: 'text', folded: true },
      /** '' or inherit: as visible as the post `parent`. */
      status: { type: 'text' },
      parent: { type: 'integer' },
      comment_status: { type: 'text' },
      ping_status: { type: 'text' },
      mime_type: { type: 'text' },
      file: { type: 'text', folded: true },
      width: { type: 'integer' },
      height: { type: 'integer' },
      filesize: { type: 'integer' },
      /** Smaller copies of a picture by name: `{file, width, height, mime_type, filesize}`. */
      sizes: { type: 'json' },
      /** EXIF orientation of a picture; 0: not known. */
      orientation: { type: 'integer' },
      /** The slug, if a write chose it, so that two writes at the same moment cannot choose the same. '' in imported and older records, whose slugs may repeat. */
      chosen_slug: { type: 'text' },
      /** '' for a file that all languages share. */
      language: NAME,
      /** Translation group: the records of a group are one file with texts in several languages. 0 for none. */
      group: { type: 'integer' },
    },
    unique: [
      { fields: ['chosen_slug'], except: { chosen_slug: '' } },
      { fields: ['group', 'language'], except: { group: 0 } },
    ],
    indexes: [['date'], ['parent'], ['author', 'date'], ['slug'], ['group']],
    logged: { keeps: ['status', 'parent', 'author', 'slug'] },
  },
  {
    /** Settings: `group` is the owner (`site`, `seo`, `user:3`), `value` is any JSON. */
    name: 'options',
    fields: { group: { type: 'text' }, key: { type: 'text' }, value: { type: 'json' } },
    unique: [{ fields: ['group', 'key'] }],
    logged: { keeps: ['group', 'key'] },
  },
  {
    /**
     * How far readers of the log of changes have come. `positions`: the revision of each collection. `holder`, `expires`: the process that
     * reads for them, and until when no other may, in milliseconds since 1970.
     */
    name: 'change_readers',
    fields: {
      name: { type: 'text' },
      positions: { type: 'json' },
      holder: { type: 'text' },
      expires: { type: 'integer' },
    },
    unique: [{ fields: ['name'] }],
    transient: true,
  },
  {
    /** Locks for jobs that only one process may run at a time. `expires`: milliseconds since 1970. */
    name: 'locks',
    fields: { name: { type: 'text' }, key: { type: 'text' }, expires: { type: 'integer' } },
    unique: [{ fields: ['name'] }],
    transient: true,
  },
] as const satisfies readonly CollectionDescriptor[];

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
